"""The person at the keyboard: a name from Git's settings, or the answer to a question."""

import re
import sys

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.program import setting
from codifica_guard.errors import NeedsTerminal, UsageError
from codifica_guard.model.ids import NAME


def name_from_git(desk: Desk) -> str | None:
    """The name that `user.name` makes: `Alice Smith` is `alice-smith`; None where it makes none."""
    name = re.sub(r"\s+", "-", (setting(desk.folder, "user.name") or "").strip().lower())
    return name if NAME.fullmatch(name) else None


def ask_name(desk: Desk, *, agreed: bool) -> str:
    """Who is there: what Git's settings say, where that was agreed to; else what is answered.

    Args:
        desk: the clone.
        agreed: whether the name from Git's settings may be taken without a question.

    Raises:
        NeedsTerminal: nobody is there to answer; the text names the options.
        UsageError: Git's settings make no name.
    """
    guess = name_from_git(desk)
    if agreed:
        if guess is None:
            raise UsageError("git config user.name makes no name of a-z 0-9 . _ -; say who you are: --as NAME")
        return guess
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise NeedsTerminal(f"say who you are: --as NAME{f', or --yes for {guess}' if guess else ''}")
    sys.stderr.write(f"your name, such as alice{f' [{guess}]' if guess else ''}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() or guess or ""
