"""A real bash on a terminal of its own: what somebody types is completed as it would be for him."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.building.machine import LIMIT, StepFailed, environment

_PROMPT: Final = b"\x1b_PROMPT\x1b\\"
_END: Final = b"\x1b_END\x1b\\"
_COLUMNS: Final = 2000
"""So wide that nothing is broken or moved out of sight."""

_SETTINGS: Final = """
set enable-bracketed-paste off
set bell-style none
set show-all-if-ambiguous on
set page-completions off
set completion-query-items 0
set completion-display-width 0
"""


class Bash:
    """An interactive bash, without anybody's start-up files; what it is to know is sourced."""

    def __init__(self, cwd: Path, home: Path, *, path: str, env: Mapping[str, str] | None = None) -> None:
        """Start it.

        Args:
            cwd: where it stands.
            home: the user's home.
            path: its PATH.
            env: more of its environment.
        """
        settings = home / "inputrc"
        settings.write_text(_SETTINGS)
        self._master, slave = pty.openpty()
        os.set_blocking(self._master, False)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, _COLUMNS, 0, 0))
        self._seen = b""
        told = {
            **environment(home),
            "PATH": path,
            "TERM": "dumb",
            "INPUTRC": str(settings),
            "PS1": r"\[\e_PROMPT\e\\\]",
            **(env or {}),
        }
        self._process = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-i"],
            cwd=cwd,
            env=told,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._read(_PROMPT)
        # These keys say what stands on the line.
        self.run(r"""bind -x '"\C-x\C-p": printf "\e_LINE %s\e_END\e\\\\" "$READLINE_LINE"'""")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def run(self, command: str) -> str:
        """Run a command of one line; all that it printed."""
        self._send(f" {command}\n".encode() + b" printf '\\e_END\\e\\\\'\n")
        [*_, ran, _] = self._read(_END).split(_PROMPT.decode())
        self._read(_PROMPT)  # before it, what is typed would be shown twice
        return ran.partition("\n")[2].replace("\r", "")

    def type(self, text: str) -> tuple[str, str]:
        """Type a text, TAB at its end; the line as it stands then, and what was shown beside it. The line is taken away again."""
        self._send(text.encode() + b"\t\x18\x10")
        shown, _, line = self._read(_END).rpartition("\x1b_LINE ")
        self._send(b"\x05\x15\x18\x10")  # to the end, and away with it; what is shown of that is nobody's
        while not self._read(_END).endswith("\x1b_LINE "):
            pass
        rows = shown.replace(_PROMPT.decode(), "").replace("\r", "\n").split("\n")
        told = [row.strip() for row in rows if row.strip() and row.strip() not in {text.strip(), line.strip()}]
        return line, "\n".join(told)

    def offers(self, text: str) -> set[str]:
        """The words that are listed for a text that is being typed; the only one, where there is one, is on the line at once."""
        line, shown = self.type(text)
        return set(shown.split("\n")) - {""} or {line[len(text.rpartition(" ")[0]) :].strip()} - {""}

    def _send(self, data: bytes) -> None:
        while data:
            _, ready, _ = select.select([], [self._master], [], LIMIT)
            assert ready, "bash takes nothing more"
            data = data[os.write(self._master, data) :]

    def _read(self, mark: bytes) -> str:
        """All that is shown up to a mark."""
        until = time.monotonic() + LIMIT
        while mark not in self._seen:
            ready, _, _ = select.select([self._master], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise StepFailed(f"bash shows nothing more: {self._seen!r}")
            try:
                self._seen += os.read(self._master, 65536)
            except OSError as error:
                raise StepFailed(f"bash has ended: {self._seen!r}") from error
        shown, _, self._seen = self._seen.partition(mark)
        return shown.decode(errors="replace")
