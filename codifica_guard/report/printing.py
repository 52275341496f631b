"""Lines for standard output: ASCII, whatever paths and names stand in them."""

from collections.abc import Iterable
from typing import Final

from codifica_guard.report.escape import escape_words

LONGEST: Final = 4096
"""Characters of one line: the longest path that a file may have."""


def printable(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines in printable ASCII, each on one line; whole, unless one is longer than any path."""
    return tuple(escape_words(line, LONGEST) for line in lines)
