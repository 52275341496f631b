"""The commands that a text advises, held against those that the program has."""

import re
from typing import Final

from codifica_guard.cli.program import GROUPS, HIDDEN, commands

ADVISED: Final = re.compile(r"\b(git codifica|codifica-guard) +([a-z][a-z-]*)")
ADMINS: Final = frozenset(name for group, rows in GROUPS if group == "server" for name, _ in rows)
"""What the server's admin runs, under the program's other name."""


def wrong(text: str) -> list[str]:
    """Commands of a text that the program does not have, or that go by its other name; people and agents have `git codifica`."""
    found = []
    for program, name in ADVISED.findall(text):
        fits = name in commands() and name not in HIDDEN
        if not fits or (program == "codifica-guard") is not (name in ADMINS):
            found.append(f"{program} {name}")
    return found
