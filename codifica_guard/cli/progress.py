"""How far long work is: one line on standard error that is written over and taken away again."""

import shutil
import sys
import time
from collections.abc import Callable
from typing import Final

STEP: Final = 0.2
"""Seconds between two looks of the line."""

BAR: Final = 24
"""Characters of the bar."""


class Progress:
    """A bar that shows itself only where the work takes long, and leaves nothing behind.

    Args:
        shown: whether it may show itself at all: on a terminal, or where it was asked for.
        after: seconds that the work may take before it does.
        what: what is done, in one word.
        clock: tells seconds.
    """

    def __init__(
        self, *, shown: bool, after: float = 1.0, what: str = "judging", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._shown, self._what, self._clock = shown, what, clock
        self._start = clock()
        self._next = self._start + after
        self._width = 0

    def tell(self, done: int, of: int) -> None:
        """Say how many commits are done, and of how many; now and then, however often it is called."""
        if self._shown and (now := self._clock()) >= self._next:
            # A line that is broken could not be written over.
            text = _line(self._what, done, of, now - self._start)[: shutil.get_terminal_size().columns - 1]
            self._width = max(self._width, len(text))
            self._write(f"\r{text.ljust(self._width)}")
            self._next = now + STEP

    def clear(self) -> None:
        """Leave the line as it was."""
        if self._width:
            self._write(f"\r{' ' * self._width}\r")
            self._width = 0

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self._shown = False  # nobody looks any more, and the work goes on


def visible(*, forced: bool, quiet: bool) -> bool:
    """Whether a bar may be shown: on a terminal, or where it is forced; never where nothing is to be said."""
    return not quiet and (forced or sys.stderr.isatty())


def _line(what: str, done: int, of: int, seconds: float) -> str:
    full = BAR if done >= of else BAR * done // of
    text = f"{what}   [{'#' * full}{'-' * (BAR - full)}]  {done:,} of {of:,} commits"
    speed = done / seconds if seconds > 0 else 0
    if speed < 1:
        return text
    left = max(0, of - done) / speed
    rest = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min"
    return f"{text}   {speed:,.0f}/s   {rest} left"
