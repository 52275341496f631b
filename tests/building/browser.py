"""A real browser without a screen, driven through two pipes: what a page does when somebody opens or prints it."""

import base64
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

from tests.building.machine import environment

LIMIT: Final = 60.0
"""Seconds that one answer may take."""


_AT_THREE_AND_FOUR: Final = """\
import fcntl, os, sys
ours, theirs = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(ours, 3), os.dup2(theirs, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Makes two pipes what the browser takes them for: what it reads is 3, what it writes is 4."""


class BrowserFailed(AssertionError):
    """The browser did not answer, or said that it could not."""


class Browser:
    """Chromium; a context manager, so that it ends with its test."""

    def __init__(self, program: str, home: Path) -> None:
        self.told: list[dict[str, Any]] = []
        self._numbers = 0
        self._buffer = b""
        self._lost = False
        ours, self._write = os.pipe()
        self._read, theirs = os.pipe()
        words = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
        ]
        words += [
            "--disable-background-networking",
            "--remote-debugging-pipe",
            f"--user-data-dir={home / 'profile'}",
            "about:blank",
        ]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AT_THREE_AND_FOUR, str(ours), str(theirs), program, *words],
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(ours, theirs),
        )
        os.close(ours)
        os.close(theirs)
        self._session: str | None = None

    def __enter__(self) -> Self:
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._session = None
        try:
            self.call("Browser.close")
        finally:
            self.end()

    def end(self) -> None:
        """Have it gone; it ends by itself once nobody holds the other end of its pipes."""
        os.close(self._write)
        os.close(self._read)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask for something, and wait for what it comes to; what the browser tells meanwhile is kept in `told`."""
        self._numbers += 1
        message: dict[str, Any] = {"id": self._numbers, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._numbers:
                if "error" in answer:
                    raise BrowserFailed(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.told.append(answer)

    def open(self, path: Path, width: int, height: int = 900) -> None:
        """Open a file in a window of so many pixels."""
        self.told.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.told):
            self.told.append(self._next())

    def media(self, name: str = "", **features: str) -> None:
        """Show the page as on paper (`print`), or with features such as `prefers_color_scheme`."""
        told = [{"name": key.replace("_", "-"), "value": value} for key, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=name, features=told)

    def value(self, expression: str) -> Any:
        """What an expression comes to in the page; the debugger's own script is not bound by the page's policy."""
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def becomes(self, expression: str, wanted: object) -> bool:
        """Whether an expression comes to a value, once the page is drawn anew."""
        end = time.monotonic() + LIMIT
        while self.value(expression) != wanted and time.monotonic() < end:
            time.sleep(0.02)
        return bool(self.value(expression) == wanted)

    def picture(self) -> bytes:
        """The window as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def pdf(self) -> bytes:
        """The page as it is printed on A4."""
        answer = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(answer["data"])

    def requested(self) -> list[str]:
        """Addresses of all that was loaded since the page was opened."""
        return [e["params"]["request"]["url"] for e in self.told if e.get("method") == "Network.requestWillBeSent"]

    def complaints(self) -> list[Mapping[str, Any]]:
        """What the browser complained of: errors, refused loads, violations of the page's policy."""
        kinds = {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}
        return [event["params"] for event in self.told if event.get("method") in kinds]

    def _next(self) -> dict[str, Any]:
        if self._lost:
            raise BrowserFailed("the browser did not answer before")
        end = time.monotonic() + LIMIT
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._read, 1 << 20) if ready else b""
            if not data:
                self._lost = True
                raise BrowserFailed("the browser does not answer")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(line)
        return answer
