"""What can stand at the cursor, for the shells' scripts: `codifica-guard __complete PROGRAM WORD...`, the last word being typed.

Each line is a value, a tab and what it is, or `:files` or `:folders` where the shell knows the values itself. It answers at once or not at
all: whatever goes wrong, it prints nothing and ends with 0. It reads what is here, and writes, fetches and asks nothing.
"""

import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from codifica_guard.cli.anatomy import form_of
from codifica_guard.cli.program import GLOBAL, GROUPS, commands, find, parser_of
from codifica_guard.cli.spot import Spot, spot_of, unquoted

WORD: Final = "__complete"
"""What the scripts call; nobody types it."""

GIT: Final = "git"
"""The program whose words have git's own options before our name."""

SECONDS: Final = 3.0
"""After this nobody waits any more."""

_WITH_VALUE: Final = frozenset(
    [
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--config-env",
        "--super-prefix",
        "--list-cmds",
        "--attr-source",
    ]
)
"""Options of git itself whose value may be the next word."""

_PLACES: Final = {"--git-dir": "GIT_DIR", "--work-tree": "GIT_WORK_TREE"}


class _TooLong(BaseException):
    """The time is up; no handler of ordinary errors holds it up."""


def complete(arguments: Sequence[str]) -> int:
    """Print what may stand at the cursor; always 0, and never an error.

    Args:
        arguments: the program (`git`, or one of our names), and the words behind it up to the cursor.
    """
    lines: tuple[str, ...] = ()
    with suppress(Exception, _TooLong), redirect_stderr(io.StringIO()), _deadline():
        lines = tuple(_lines(arguments))
    with suppress(OSError, ValueError):
        sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        sys.stdout.flush()
    return 0


def _lines(arguments: Sequence[str]) -> Iterator[str]:
    program, *words = arguments
    if program == GIT:
        words = _behind_git(words)
    while words[:1] == ["-C"] and len(words) > 2:
        _go(unquoted(words[1]))
        words = words[2:]
    if not words:
        return
    if words[:1] == ["-C"] and len(words) == 2:
        yield ":folders"
    elif len(words) == 1:
        yield from _commands(words[0])
    elif words[0] in commands():
        spot = spot_of(form_of(parser_of(find(words[0])), (words[0],)), words[1:])
        if spot is not None:
            yield from _at(spot, words[-1])


def _commands(here: str) -> Iterator[str]:
    if here.startswith("-"):
        yield from (f"{flag}\t{text}" for flag, text in GLOBAL)
    else:
        yield from (f"{name}\t{summary}" for _, rows in GROUPS for name, summary in rows)


def _at(spot: Spot, here: str) -> Iterator[str]:
    if spot.actions:
        yield from (f"{form.words[-1]}\t{form.text}" for form in spot.actions)
        return
    found = False
    if spot.taken is not None:
        for value, text in _values(spot, unquoted(here.removeprefix(spot.head))):
            found = True
            yield value if text is None else _row(f"{spot.head}{value}", text)
    if not found:
        yield from (f"{flag}\t{option.help}" for option in spot.options for flag in option.flags)


def _row(value: str, text: str) -> str:
    return f"{value}\t{text}" if text else value


def _values(spot: Spot, here: str) -> Iterator[tuple[str, str | None]]:
    from codifica_guard.cli.candidates import candidates  # noqa: PLC0415 - opens the repository, which options need not

    if spot.taken is None:
        return
    for folder in spot.given.get("directory", ())[-1:]:
        _go(folder)
    with suppress(Exception):
        yield from candidates(spot.taken, spot, here)


def _go(folder: str) -> None:
    os.chdir(Path(folder).expanduser())


def _behind_git(words: Sequence[str]) -> list[str]:
    """The words behind our name, once git's own options are done; none where git is told something else."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        option, equals, value = rest.pop(0).partition("=")
        if option in _WITH_VALUE and not equals and rest:
            value = rest.pop(0)
        if option == "-C":
            _go(unquoted(value))
        elif option in _PLACES:
            os.environ[_PLACES[option]] = str(Path(unquoted(value)).expanduser())
    return rest[1:] if rest[:1] == ["codifica"] else []


@contextmanager
def _deadline() -> Iterator[None]:
    """Ends what takes too long; not where signals are another thread's."""

    def over(_: int, __: FrameType | None) -> None:
        raise _TooLong

    before = None
    with suppress(ValueError):
        before = signal.signal(signal.SIGALRM, over)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        if before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
