"""Lines for a screen: without control characters, whatever paths and names stand in them."""

from collections.abc import Iterable
from typing import Final

from codifica_guard.report.plain import plain_words

LONGEST: Final = 4096
"""Characters of one line: the longest path that a file may have."""


def printable(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines, printable, each on one line; whole, unless one is longer than any path."""
    return tuple(plain_words(line, LONGEST) for line in lines)
