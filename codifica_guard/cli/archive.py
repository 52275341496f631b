"""`archive`: finished tasks go to another document, or another fence, as they are."""

import argparse
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import row
from codifica_guard.cli.options import add_writing, how, place, told
from codifica_guard.model.ids import show_path
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import LONGEST
from codifica_guard.verbs.archiving import Archived, Archiving, Nothing
from codifica_guard.verbs.landing import Landed, land

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.human import ArchiveData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("tasks", metavar="ID", nargs="+", help="finished tasks: done or rejected")
    parser.add_argument(
        "--to",
        metavar="DOC[#FENCE]",
        help="the state document; #2 or #Done is one of its yaml fences, else the last one",
    )
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Move them."""
    archiving = Archiving(options.tasks, options.to)
    try:
        landed = land(how(options), archiving.plan)
    except Nothing as nothing:
        seat, where = nothing.seat, plain(show_path(nothing.target.path), LONGEST)
        text = f"nothing to move: {'it stands' if len(options.tasks) == 1 else 'they stand'} in {where} already"
        empty: ArchiveData = {"moved": [], "by": seat.actor, "branch": seat.board.name, "commit": None, "pushed": False}
        return Outcome(lines=(text,), data=empty, as_of=seat.board.as_of)
    return _told(landed, archiving.moved)


def _told(landed: Landed, moved: tuple[Archived, ...]) -> Outcome:
    rows = [
        f"{plain(m.task.id)}  {plain(m.task.state or '?')}  {_at(m.source, m.line)} -> {_at(m.target, m.now)}"
        for m in moved
    ]
    data: ArchiveData = {
        "moved": [
            {
                "task": m.task.id, "state": m.task.state or "", "source": show_path(m.source),
                "path": show_path(m.target), "fence": m.fence + 1, "line": m.now,
            }
            for m in moved
        ],
        "by": landed.seat.actor,
        "branch": landed.seat.board.name,
        "commit": None if landed.commit is None else landed.commit.id.decode("ascii"),
        "pushed": landed.pushed,
    }  # fmt: skip
    return told(landed, (f"{rows[0]}    {place(landed)}", *rows[1:], row("signed", landed.seat.actor)), data)


def _at(path: bytes, line: int) -> str:
    return f"{plain(show_path(path), LONGEST)}:{line}"


COMMAND = Command(
    name="archive",
    summary="move finished tasks to another document",
    configure=configure,
    run=run,
    text="Move tasks that are done or rejected, byte for byte, to the end of a yaml fence of another state document, or of another "
    "fence of the same one. An agent may move its own, one at a time.",
    mixed=True,
)
