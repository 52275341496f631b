"""Questions to a person at a terminal: asked on standard error, answered on standard input, Enter takes the default."""

import sys
from collections.abc import Callable
from typing import TypeVar

from codifica_guard.errors import GuardError, NeedsTerminal, UsageError
from codifica_guard.report.printing import printable

T = TypeVar("T")


def somebody_there() -> bool:
    """Whether questions can be asked: both ends are a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def tell(*lines: str) -> None:
    """Say something between questions."""
    for line in printable(lines):
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def ask(question: str, default: str, read: Callable[[str], T]) -> T:
    """What a person answers; asked again as long as that is no answer.

    Args:
        question: one line.
        default: what Enter means; empty where it means nothing.
        read: makes the answer of the text; raises a `GuardError` that says why it is none.

    Raises:
        NeedsTerminal: nobody answers any more.
    """
    while True:
        sys.stderr.write(f"  {question}{f' [{default}]' if default else ''}: ")
        sys.stderr.flush()
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            line = "\N{REPLACEMENT CHARACTER}\n"
        if not line:
            sys.stderr.write("\n")
            raise NeedsTerminal("nobody answered the question; each has an option that answers it, see --help")
        try:
            return read(line.strip() or default)
        except GuardError as error:
            tell(*(f"    {row}" for row in str(error).splitlines()))


def yes_or_no(question: str, *, default: bool) -> bool:
    """Whether a person says yes."""
    return ask(f"{question} (yes, no)", "yes" if default else "no", _truth)


def _truth(text: str) -> bool:
    word = text.lower()
    if word in {"y", "yes", "n", "no"}:
        return word[0] == "y"
    raise UsageError("yes, or no")
