"""What a command is, and what it comes to: text for people, or one JSON object for programs."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from codifica_guard.errors import GuardError, KeyLocked, SignatureError, UsageError
from codifica_guard.model.finding import Finding
from codifica_guard.verbs.stopped import (
    CANNOT_TELL,
    INTERRUPTED,
    LATER,
    LOST,
    NEEDS_OTHER,
    NOTHING,
    OK,
    REFUSED,
    USAGE,
    Stopped,
)

__all__ = [
    "CANNOT_TELL",
    "INTERRUPTED",
    "LATER",
    "LOST",
    "NEEDS_OTHER",
    "NOTHING",
    "OK",
    "REFUSED",
    "USAGE",
    "Command",
    "Outcome",
]


def exit_of(error: GuardError) -> int:
    """The exit code of a command that an error ended."""
    if isinstance(error, Stopped):
        return error.exit
    kinds = ((UsageError, USAGE), (KeyLocked, USAGE), (SignatureError, REFUSED))
    return next((code for kind, code in kinds if isinstance(error, kind)), CANNOT_TELL)


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
        commands: what the runner of a CI job is told, in its own form; behind the lines, and quiet or not.
        as_of: the commit of the coordination branch that was looked at, and when it was fetched; None where none was.
    """

    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    exit: int = OK
    data: Any = None
    findings: tuple[Finding, ...] = ()
    next: tuple[str, ...] = ()
    raw: bytes | None = None
    commands: tuple[str, ...] = ()
    as_of: Mapping[str, str | None] | None = None


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
        mixed: whether options may stand between its arguments.
    """

    name: str
    summary: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Outcome]
    version: int = 1
    text: str = field(default="")
    mixed: bool = False
