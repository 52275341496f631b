"""`status`: what waits for you, what runs, what is free, what was done."""

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.options import add_looking, add_name
from codifica_guard.cli.rows import capped, folded, header, one, table
from codifica_guard.cli.waits import told_wait, unreadable_data, wait_data, wait_row, when
from codifica_guard.model.document import Task
from codifica_guard.model.times import parse_time
from codifica_guard.packs.codifica.choosing import unmet
from codifica_guard.packs.codifica.history import last_entry
from codifica_guard.packs.codifica.vocabulary import PRIORITIES, UNASSIGNED
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import READY, STATUS, show
from codifica_guard.verbs.account import started_at
from codifica_guard.verbs.ages import DAY, MINUTE, span
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.census import Census, census_of
from codifica_guard.verbs.choice import NO_CRITERIA, free_tasks, lacks_criteria
from codifica_guard.verbs.reader import Reader, reading
from codifica_guard.verbs.waiting import Wait, silent_tasks, waiting_for, waits_for_human

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.tasks import ReadyTask, RunningTask, StatusData

LOOK_SECONDS = 5 * MINUTE
"""How old a view may be before that is said: others may have moved everything since."""

DONE_DAYS = 7
"""Days in which what was done is counted."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_looking(parser, first=False)
    parser.add_argument("--stale", action="store_true", help="only running tasks that are silent for too long")
    add_name(parser, "whose view; no key is needed to look")


def run(options: argparse.Namespace) -> Outcome:
    """Look, and tell."""
    with reading(wanted=options.name, look=options.fetch) as (board, reader):
        census = census_of(board)
        waits = silent_tasks(board, census) if options.stale else waiting_for(board, census, reader)
        others = waits_for_human(board, census, reader.actor) if reader.is_agent and not options.stale else ()
        lines = _stale(board, waits) if options.stale else _lines(board, reader, census, waits, others)
        lines = chain(lines, _old(board))
        return Outcome(
            lines=printable(lines),
            data=_data(board, reader, census, waits, others),
            next=_next(waits, reader),
            as_of=board.as_of,
        )


# -- for people


def _stale(board: Board, waits: Sequence[Wait]) -> Iterator[str]:
    yield f"{board.repository}  {board.headline}"
    yield from capped(table([wait_row(board, wait) for wait in waits], title=3))
    if not waits:
        yield f"no running task is silent for longer than {board.codifica.stale_claim_hours} h"


def _lines(
    board: Board, reader: Reader, census: Census, waits: Sequence[Wait], others: Sequence[Wait]
) -> Iterator[str]:
    yield header(f"{board.repository}  {board.headline}", _who(board, reader))
    if reader.doubt:
        yield reader.doubt
    yield ""
    if waits:
        yield "waiting for you" if reader.actor is not None else "waiting for a human"
        yield from capped(table([wait_row(board, wait) for wait in waits], indent=2, title=3), indent=2)
        yield ""
    yield from folded("waits for a human:", (told_wait(board, wait) for wait in others))
    yield from _section("in progress", [_running(board, task) for task in census.in_state("in_progress")])
    yield from _section("ready", [_ready(board, reader, task) for task in _candidates(board, reader, census)])
    done = len(_done_lately(board, census))
    if done:
        many = "1 task" if done == 1 else f"{done} tasks"
        yield f"{f'done, {DONE_DAYS} d':<12} {many}        git codifica log --since {DONE_DAYS}d"
    if census.unreadable:
        yield f"cannot be read ({len(census.unreadable)}); the commits that broke them: git codifica check"
        yield from capped([f"  {item}" for item in census.unreadable], indent=2)
    if not census.tasks and not census.unreadable:
        yield "no tasks yet" + ("" if reader.is_agent else ': git codifica new --title "..." --accept "..."')
    elif not census.left:
        yield "every task is done or rejected"


def _old(board: Board) -> Iterator[str]:
    """What is to be said of a view that is not of today."""
    if not board.shared:
        return
    age = None if board.fetched is None else board.now - board.fetched
    if age is None:
        yield f"not looked at {plain(board.desk.remote)} yet: {STATUS} --fetch"
    elif age > LOOK_SECONDS:
        yield f"not looked at {plain(board.desk.remote)} since {span(age)}: {STATUS} --fetch"


def _who(board: Board, reader: Reader) -> str:
    if reader.actor is None:
        return "you: nobody known"
    maintains = reader.actor in board.policy.guard.maintainers
    return f"you: {reader.actor}{', maintainer' if maintains else ''}"


def _section(name: str, items: Sequence[str]) -> Iterator[str]:
    yield from folded(f"{name:<12}", items, indent=13)


def _running(board: Board, task: Task) -> str:
    started = started_at(task)
    lasted = f" {span(board.now - started)}" if started is not None else ""
    return f"{plain(task.id)} {one(task.owner)}{lasted}"


def _ready(board: Board, reader: Reader, task: Task) -> str:
    told = f"{plain(task.id)} {one(task.text('priority') or 'normal')}"
    if task.owner not in {UNASSIGNED, reader.actor}:
        told += f" ({one(task.owner)})"
    return f"{told} ({NO_CRITERIA}: cannot start)" if lacks_criteria(board, task) else told


def _next(waits: Sequence[Wait], reader: Reader) -> tuple[str, ...]:
    """The command for what is on top, and what shows more of it."""
    if not waits:
        return (READY,)
    return (show(waits[0].task.id), *((READY,) if reader.is_agent else ()))


# -- what is free, and what was done


def _candidates(board: Board, reader: Reader, census: Census) -> list[Task]:
    """An agent's own free tasks, best first; for people all that wait for nothing but somebody who takes them."""
    if reader.is_agent:
        return free_tasks(board, reader.actor)
    found = [task for task in census.in_state("todo") if not unmet(task, board.snapshot)]
    return sorted(found, key=lambda task: _rank(task.text("priority") or "normal"))


def _rank(priority: str) -> int:
    return PRIORITIES.index(priority) if priority in PRIORITIES else len(PRIORITIES)


def _done_lately(board: Board, census: Census) -> list[Task]:
    return [task for task in census.in_state("done") if board.now - (_done_at(task) or 0) <= DONE_DAYS * DAY]


def _done_at(task: Task) -> float | None:
    found = parse_time(task.text("completed_at"))
    return found if found is not None else parse_time((last_entry(task, "done") or {}).get("timestamp"))


# -- for programs


def _data(board: Board, reader: Reader, census: Census, waits: Sequence[Wait], others: Sequence[Wait]) -> "StatusData":
    return {
        "repository": board.repository,
        "actor": reader.actor,
        "doubt": reader.doubt,
        "maintainer": reader.actor in board.policy.guard.maintainers,
        "waiting": [wait_data(wait) for wait in waits],
        "with_human": [wait_data(wait) for wait in others],
        "in_progress": [_running_data(task) for task in census.in_state("in_progress")],
        "ready": [_ready_data(board, task) for task in _candidates(board, reader, census)],
        "done": [task.id for task in _done_lately(board, census)],
        "unreadable": [unreadable_data(item) for item in census.unreadable],
        "left": census.left,
    }


def _running_data(task: Task) -> "RunningTask":
    return {"task": task.id, "title": task.text("title"), "owner": task.owner, "since": when(started_at(task))}


def _ready_data(board: Board, task: Task) -> "ReadyTask":
    return {
        "task": task.id,
        "priority": task.text("priority"),
        "type": task.type,
        "title": task.text("title"),
        "owner": task.owner,
        "startable": not lacks_criteria(board, task),
    }


COMMAND = Command(
    name="status",
    summary="what waits for you, what runs, what is free",
    configure=configure,
    run=run,
    text="What waits for you, what is in progress, what is free, and what was done in the last days. Shows what was "
    "fetched last, and says when that was; --fetch looks first. Always exit code 0 where it can tell.",
)
