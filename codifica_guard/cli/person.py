"""The person at the keyboard, as Git's settings have him."""

import re

from codifica_guard.clone.desk import Desk
from codifica_guard.errors import NeedsTerminal, UsageError
from codifica_guard.model.ids import NAME


def name_from_git(desk: Desk) -> str | None:
    """The name that `user.name` makes: `Alice Smith` is `alice-smith`; None where it makes none."""
    name = re.sub(r"\s+", "-", (desk.setting("user.name") or "").strip().lower())
    return name if NAME.fullmatch(name) else None


def name_without_asking(desk: Desk, *, agreed: bool) -> str:
    """Who is there, by Git's settings.

    Args:
        desk: the clone.
        agreed: whether that may be taken without a question.

    Raises:
        NeedsTerminal: it may not, and nobody is there to answer; the text names the options.
        UsageError: Git's settings make no name.
    """
    guess = name_from_git(desk)
    if not agreed:
        raise NeedsTerminal(f"say who you are: --as NAME{f', or --yes for {guess}' if guess else ''}")
    if guess is None:
        raise UsageError("git config user.name makes no name of a-z 0-9 . _ -; say who you are: --as NAME")
    return guess
