"""The program at a real terminal: a pseudo-terminal is its standard input and error, and answers follow questions."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SECONDS = 60
_WAITS = re.compile(rb"(?:^|\n)  [^\n]*(?:\]|name): \Z")
"""How what is shown ends as long as a question waits."""


@dataclass(frozen=True)
class Session:
    """What was said at a terminal.

    Attributes:
        code: the exit code.
        out: standard output, which is no terminal.
        screen: all that the terminal showed, answers too, lines ended by LF.
    """

    code: int
    out: str
    screen: str

    @property
    def questions(self) -> list[str]:
        """The lines that asked, with their answers."""
        return [line for line in self.screen.splitlines() if "]: " in line or line.endswith("]:")]


def at_terminal(
    words: Sequence[str | Path], answers: Sequence[str], *, folder: Path, environ: dict[str, str], ends: bool = False
) -> Session:
    """Run the program at a terminal.

    Args:
        words: its arguments.
        answers: what is typed, one line for each question that waits.
        folder: where it runs.
        environ: its environment.
        ends: whether the typist presses Ctrl-D at the question behind the last answer.
    """
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "codifica_guard", *map(str, words)],
        cwd=folder,
        env=environ,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        left = [f"{answer}\n".encode() for answer in answers] + ([b"\x04"] if ends else [])
        screen = _talk(ours, left)
        out = process.stdout.read() if process.stdout else b""
        code = process.wait(_SECONDS)
    os.close(ours)
    assert not left, f"never asked for {left}:\n{screen.decode()}"
    return Session(code, out.decode("ascii"), screen.decode().replace("\r\n", "\n"))


def _talk(ours: int, left: list[bytes]) -> bytes:
    """Type an answer whenever a question waits; all that was shown, once the program has closed the terminal."""
    screen, answered, until = b"", 0, time.monotonic() + _SECONDS
    while True:
        ready, _, _ = select.select([ours], [], [], max(0.0, until - time.monotonic()))
        assert ready, f"still waiting:\n{screen.decode()}"
        try:
            more = os.read(ours, 65536)
        except OSError:  # nobody holds the other end any more
            return screen
        if not more:
            return screen
        screen += more
        if left and _WAITS.search(screen, answered):
            answered = len(screen)
            os.write(ours, left.pop(0))
