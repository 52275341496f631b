"""How the rules of this pack put names into sentences and commands."""

import shlex
from collections.abc import Iterable
from typing import Final

from codifica_guard.rules.view import CommitView

NAMES_SHOWN: Final = 3
"""Names that a sentence lists before it says how many more there are."""


def listed(names: Iterable[str]) -> str:
    """The first names and the number of the others: `a, b, c and 4 more`."""
    known = list(names)
    text = ", ".join(known[:NAMES_SHOWN])
    more = len(known) - NAMES_SHOWN
    return f"{text} and {more} more" if more > 0 else text


def branch(view: CommitView) -> str:
    """The coordination branch, as one word of a shell."""
    return shlex.quote(view.policy.guard.coordination_branch or "main")


def by_whom(view: CommitView) -> str:
    """Who made a commit: `by agent:builder`, or `by a commit that nobody signed`."""
    if view.actor is not None:
        return f"by {view.actor}"
    if view.attribution.problems:
        return "by a commit whose signature proves nobody"
    return "by a commit that nobody signed"
