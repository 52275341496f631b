"""What a command is, and what it comes to: text for people, or one JSON object for programs."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from codifica_guard.model.finding import Finding

OK: Final = 0
REFUSED: Final = 1
USAGE: Final = 2
CANNOT_TELL: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a command came to.

    Attributes:
        lines: text for people, on standard output.
        notes: text for people, on standard error.
        exit: the exit code.
        data: what the command says, for programs; plain JSON values.
        findings: broken rules.
        next: commands to run next.
        raw: bytes for standard output, in place of lines.
    """

    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    exit: int = OK
    data: Any = None
    findings: tuple[Finding, ...] = ()
    next: tuple[str, ...] = ()
    raw: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of the program.

    Attributes:
        name: what is typed.
        summary: one line for the list.
        configure: adds its arguments.
        run: does it.
        version: version of its JSON.
        text: more for its own help page.
    """

    name: str
    summary: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Outcome]
    version: int = 1
    text: str = field(default="")
