"""`new`: a task is filed."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import claimable, obstacle, row
from codifica_guard.cli.options import add_writing, how, line_of, place, text_of, told
from codifica_guard.errors import UsageError
from codifica_guard.model.ids import show_path
from codifica_guard.packs.codifica.choosing import has_criteria
from codifica_guard.packs.codifica.vocabulary import PRIORITIES, UNASSIGNED
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import edit
from codifica_guard.verbs.filing import Draft, Filed, Filing
from codifica_guard.verbs.landing import Landed, land
from codifica_guard.verbs.owners import hindered

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.human import NewTask

TITLE, LINE = 200, 1000
"""Characters of a title, and of one line of a list."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--title", metavar="T", required=True, help="what is to be done, in one line")
    parser.add_argument("--id", dest="ident", metavar="ID", help="its id; the next free one where none is named")
    parser.add_argument(
        "--type",
        default="build",
        metavar="TYPE",
        help="build (the default), test, review, investigate, followup, or one of custom_types",
    )
    parser.add_argument("--priority", choices=PRIORITIES, default="normal", help="normal is the default")
    parser.add_argument("--description", metavar="D", help="more about it; - reads standard input")
    parser.add_argument(
        "--owner", metavar="O", default=UNASSIGNED, help="agent:x, human:x, x; anyone where none is named"
    )
    parser.add_argument("--derived-from", metavar="ID", help="the task that a followup follows")
    many = parser.add_argument_group("any number of times")
    many.add_argument("--accept", metavar="A", action="append", default=[], help="an acceptance criterion")
    many.add_argument(
        "--depends-on", metavar="ID", action="append", default=[], help="a task that has to be done before"
    )
    many.add_argument("--label", metavar="L", action="append", default=[], help="a label")
    many.add_argument("--constraint", metavar="C", action="append", default=[], help="what must not happen")
    many.add_argument("--read", metavar="FILE", action="append", default=[], help="a file to read before the work")
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """File it."""
    if options.type == "followup" and options.derived_from is None:
        raise UsageError("a followup says which task it follows: --derived-from ID")
    filing = Filing(Draft(fields=_fields(options), ident=options.ident, owner=options.owner))
    landed = land(how(options), filing.plan)
    return _told(landed, filing.filed)


def _fields(options: argparse.Namespace) -> dict[str, Any]:
    """The fields that the options say."""
    context = {"files": _lines(options.read, "--read"), "constraints": _lines(options.constraint, "--constraint")}
    derived = options.derived_from
    return {
        "title": line_of(options.title, what="--title", longest=TITLE),
        "type": options.type.strip(),
        "priority": options.priority,
        "description": text_of(options.description, what="--description"),
        "acceptance": _lines(options.accept, "--accept"),
        "depends_on": list(dict.fromkeys(_lines(options.depends_on, "--depends-on"))),
        "labels": list(dict.fromkeys(_lines(options.label, "--label"))),
        "derived_from": None if derived is None else line_of(derived, what="--derived-from", longest=LINE),
        "context": {name: rows for name, rows in context.items() if rows},
    }


def _lines(texts: Sequence[str], what: str) -> list[str]:
    return [line_of(text, what=what, longest=LINE) for text in texts]


def _told(landed: Landed, filed: Filed) -> Outcome:
    seat, task = landed.seat, filed.task
    board, ident, owner = seat.board, plain(task.id), task.owner or UNASSIGNED
    build = task.type == "build" or task.type in board.codifica.custom_types
    lines, step = claimable(seat, task)
    if build and not has_criteria(task):
        lines = (row("next", f"a human adds acceptance criteria to it: {edit(task.id)}"),)
    why = hindered(board, owner)
    head = f"{ident}  new -> todo, {plain(owner)}   {plain(task.text('title') or '')}   {show_path(filed.path)}:{filed.line}    {place(landed)}"
    outcome = told(
        landed,
        (head, row("signed", seat.actor), *lines, *((row("note", why),) if why else ())),
        _data(landed, filed),
        step,
    )
    if build and not has_criteria(task):
        warning = f"warning: {ident} cannot start: a task of type {plain(task.type or '')} needs acceptance criteria (--accept)"
        outcome = replace(outcome, notes=(*outcome.notes, *printable((warning,))))
    return outcome


def _data(landed: Landed, filed: Filed) -> "NewTask":
    seat, task = landed.seat, filed.task
    return {
        "task": task.id,
        "title": task.text("title") or "",
        "type": task.type or "",
        "owner": task.owner or UNASSIGNED,
        "path": show_path(filed.path),
        "line": filed.line,
        "startable": obstacle(seat, task) is None,
        "by": seat.actor,
        "branch": seat.board.name,
        "commit": None if landed.commit is None else landed.commit.id.decode("ascii"),
        "pushed": landed.pushed,
    }


COMMAND = Command(
    name="new",
    summary="a new task",
    configure=configure,
    run=run,
    text="File a task at the end of the first state document. Agents may file tasks too, for anyone or for themselves.",
)
