"""`show`: one task, and what to do with it."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.options import add_looking, add_name
from codifica_guard.cli.shown import shown
from codifica_guard.cli.steps import step_data
from codifica_guard.cli.waits import back_data, when
from codifica_guard.model.times import parse_time
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.verbs.dossier import Dossier, dossier_of
from codifica_guard.verbs.reader import reading
from codifica_guard.verbs.reviewed import fetch_work
from codifica_guard.verbs.worked import Work

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.agent import BriefData
    from codifica_guard.cli.shapes.tasks import NoteData, ShownTask, WorkData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("tasks", metavar="ID", nargs="+", help="the task; several are shown one after another")
    parser.add_argument("--yaml", action="store_true", help="print the task's own text, as edit --from takes it")
    add_looking(parser, first=False)
    add_name(parser, "whose view; no key is needed to look")


def run(options: argparse.Namespace) -> Outcome:
    """Look, and tell."""
    names = tuple(dict.fromkeys(name.strip() for name in options.tasks))
    gone: frozenset[str] = frozenset()
    if options.fetch:
        with reading(wanted=options.name, look=True) as (board, _):
            tasks = [board.task(name) for name in names]
            gone = fetch_work(board, tasks) if board.shared else gone
    if options.yaml and not options.json:
        return _text_of_tasks(options.name, names)
    with reading(wanted=options.name, look=False) as (board, reader):
        found = [dossier_of(board, reader, board.task(name), gone=gone) for name in names]
        looked = options.fetch or not board.shared
        lines = [
            line for n, item in enumerate(found) for line in (*([""] if n else []), *shown(board, item, looked=looked))
        ]
        return Outcome(
            lines=printable(lines),
            notes=printable([reader.doubt] if reader.doubt else []),
            data={
                "actor": reader.actor,
                "tasks": [_data(item, _yaml(board.record(item.task.id).raw)) for item in found],
            },
            next=tuple(step for item in found for step in item.commands),
            as_of=board.as_of,
        )


def _text_of_tasks(wanted: str | None, names: tuple[str, ...]) -> Outcome:
    """The bytes of tasks, also of those that cannot be read; which commit has them is said beside it."""
    with reading(wanted=wanted, look=False) as (board, _):
        records = [board.record(name) for name in names]
        base = [f"# {plain(r.block.id)} on {plain(board.ref)} at {board.tip.decode('ascii')}" for r in records]
        note = "with this line on top of the text, edit --from keeps what others change meanwhile:"
        return Outcome(
            raw=b"".join(record.raw for record in records),
            notes=printable([note, *base]),
            as_of=board.as_of,
        )


def _data(dossier: Dossier, yaml: str) -> "ShownTask":
    task, ask = dossier.task, dossier.request
    return {
        "task": task.id,
        "type": task.type,
        "state": task.state,
        "priority": task.text("priority"),
        "owner": task.owner,
        "title": task.text("title"),
        "brief": cast("BriefData", dossier.brief.data()),
        "summary": dossier.summary,
        "blocked_reason": task.text("blocked_reason") if task.state == "blocked" else None,
        "came_back": None if dossier.back is None else back_data(dossier.back),
        "asks": None if ask is None else {"ask": ask.ask, "by": ask.by, "at": when(ask.at), "text": ask.text},
        "notes": [_note(row) for row in task.entries("execution_notes")],
        "artifacts": [str(a["path"]) for a in task.entries("artifacts") if isinstance(a.get("path"), str)],
        "work": None if dossier.work is None else _work(dossier.work),
        "claim": None if dossier.claim is None else step_data(dossier.claim),
        "hand_in": None if dossier.hand_in is None else step_data(dossier.hand_in),
        "not_now": dossier.hindrance,
        "do": list(dossier.commands),
        "yaml": yaml,
    }


def _note(row: Mapping[str, Any]) -> "NoteData":
    return {
        "by": _text(row.get("by")),
        "at": when(parse_time(row.get("timestamp"))),
        "note": _text(row.get("note")),
        "summary": _text(row.get("summary")),
    }


def _yaml(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _work(work: Work) -> "WorkData":
    return {
        "named": work.named,
        "commit": None if work.commit is None else work.commit.decode("ascii"),
        "branch": work.branch,
        "tip": None if work.tip is None else work.tip.decode("ascii"),
        "merged": work.merged,
        "commits": work.commits,
        "added": work.added,
        "removed": work.removed,
        "standing": work.standing,
        "further": work.further,
    }


COMMAND = Command(
    name="show",
    summary="one task, and what to do with it",
    configure=configure,
    run=run,
    text="What a task asks for, what it depends on, what was said and handed in, who signed that, and what you may do "
    "with it now. Shows what was fetched last; --fetch looks first, also at the "
    "branch that was handed in. --yaml prints the task's own text and nothing else: change it, and `edit --from` takes it.",
)
