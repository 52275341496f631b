"""Options that verbs share, and what a landed commit comes to for people and programs."""

import argparse
import sys
from collections.abc import Iterable
from typing import Any

from codifica_guard.cli.command import Outcome
from codifica_guard.errors import UsageError
from codifica_guard.model.ids import short
from codifica_guard.report.printing import printable
from codifica_guard.report.terminal import verdict
from codifica_guard.rules.commands import word
from codifica_guard.state import characters
from codifica_guard.verbs.landing import Landed
from codifica_guard.verbs.seat import How


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Add what every verb takes that writes."""
    group = parser.add_argument_group("every verb that writes")
    group.add_argument("--dry-run", action="store_true", help="show the change and the message, make nothing")
    group.add_argument("--no-fetch", action="store_true", help="do not look at the remote first")
    group.add_argument("--no-push", action="store_true", help="commit on this clone's own branch")
    add_name(group)


def add_action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, text: str
) -> argparse.ArgumentParser:
    """Add a word behind a command's name that says what it does; the options of every command may stand behind it, too.

    Args:
        actions: the command's words.
        name: what is typed.
        text: one line for the list.
    """
    parser = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
    parser.add_argument("-C", dest="directory", metavar="DIR", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.add_argument("-q", "--quiet", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def add_looking(parser: argparse.ArgumentParser, *, first: bool) -> None:
    """Add whether a command that only reads looks at the remote first.

    Args:
        parser: the command's.
        first: what holds where nothing is said.
    """
    parser.add_argument(
        "--fetch",
        action=argparse.BooleanOptionalAction,
        default=first,
        help=f"look at the remote first, or do not; {'it does' if first else 'it does not'} unless said",
    )


def add_name(
    group: "argparse._ArgumentGroup | argparse.ArgumentParser",
    text: str = "who you are, where your key is listed for several",
) -> None:
    """Add who asks."""
    group.add_argument("--as", dest="name", metavar="NAME", help=text)


def add_reason(parser: argparse.ArgumentParser, *, required: bool, text: str = "why") -> None:
    """Add `-m`, the reason; `-` reads it from standard input."""
    parser.add_argument("-m", "--reason", metavar="TEXT", required=required, help=f"{text}; - reads standard input")


def how(options: argparse.Namespace) -> How:
    """What the shared options say."""
    return How(fetch=not options.no_fetch, push=not options.no_push, dry_run=options.dry_run, wanted=options.name)


def text_of(text: str | None, *, what: str = "a reason") -> str | None:
    """A text from the command line, trimmed; `-` is read from standard input.

    Raises:
        UsageError: it is empty, or holds a character that no task may hold.
    """
    if text is None:
        return None
    try:
        whole = sys.stdin.read() if text == "-" else text
    except UnicodeDecodeError as error:
        raise UsageError(f"{what} is no UTF-8") from error
    whole = "\n".join(line.rstrip() for line in whole.replace("\r\n", "\n").strip().split("\n"))
    if not whole:
        raise UsageError(f"{what} needs words")
    return _sayable(whole, what)


def line_of(text: str, *, what: str, longest: int) -> str:
    """A text of one line.

    Raises:
        UsageError: it is empty, has several lines, is too long, or holds a character that no task may hold.
    """
    whole = text.strip()
    if not whole:
        raise UsageError(f"{what} needs words")
    if "\n" in whole or "\r" in whole:
        raise UsageError(f"{what} is one line")
    if len(whole) > longest:
        raise UsageError(f"{what} has {len(whole)} characters, {longest} are allowed")
    return _sayable(whole, what)


def _sayable(text: str, what: str) -> str:
    """The text, if a state document may hold it."""
    found = characters.bad(text)
    if found is not None:
        raise UsageError(f"{what} holds {characters.name(found[0])}, which no task may hold")
    return text


def told(landed: Landed, lines: Iterable[str], data: Any, next: tuple[str, ...] = ()) -> Outcome:  # noqa: A002 - see Outcome
    """What a verb comes to whose commit landed: its own lines, or in a dry run the change.

    Args:
        landed: the commit.
        lines: what the verb says, where it landed.
        data: for programs.
        next: commands to run next.
    """
    board = landed.seat.board
    if landed.commit is None:
        return Outcome(
            lines=printable(landed.diff),
            notes=tuple(verdict(landed.judged, "commit", draft=True).splitlines()),
            findings=landed.judged.findings,
            data=data,
            as_of=landed.as_of,
        )
    push = f"git push {word(board.desk.remote)} {word(board.name)}"
    unpushed = () if landed.pushed or not _has_remote(landed) else (push,)
    return Outcome(
        lines=printable((*lines, *(f"not pushed yet: {step}" for step in unpushed))),
        notes=(*verdict(landed.judged, "commit", draft=True).splitlines(), *printable(landed.notes)),
        findings=landed.judged.findings,
        next=(*unpushed, *next),
        data=data,
        as_of=landed.as_of,
    )


def place(landed: Landed) -> str:
    """Where the commit is: `main b41d7c0`."""
    commit = landed.commit
    return f"{landed.seat.board.name} {short(commit.id) if commit is not None else 'unchanged'}"


def _has_remote(landed: Landed) -> bool:
    return landed.seat.board.desk.config.get(f"remote.{landed.seat.board.desk.remote}.url") is not None
