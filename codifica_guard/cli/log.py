"""`log`: who moved a task when, and how that is proven."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.options import add_looking
from codifica_guard.cli.rows import one, table
from codifica_guard.cli.steps import step_data, step_row
from codifica_guard.clone.desk import CUT
from codifica_guard.errors import UsageError
from codifica_guard.model.ids import TaskId, short
from codifica_guard.model.times import parse_time
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.verbs.ages import parse_span
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.history import HISTORY_COMMITS, History, Step
from codifica_guard.verbs.reader import board_here
from codifica_guard.verbs.stopped import CANNOT_TELL, Stopped

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.tasks import LogData

SHOWN = 100
"""Steps that are shown of all tasks where no number is given."""

TIMES = "times are the commits' own: what their committers say"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", nargs="?", help="the task; without one, all tasks, newest first")
    parser.add_argument("--since", metavar="7d|DATE", help="only what is younger, or not before that day (UTC)")
    parser.add_argument(
        "-n", dest="most", metavar="N", type=int, help=f"the newest N; of all tasks {SHOWN} unless said"
    )
    add_looking(parser, first=False)


def run(options: argparse.Namespace) -> Outcome:
    """Look, and tell."""
    if options.most is not None and options.most < 1:
        raise UsageError("-n takes a number from 1 on")
    with board_here(look=options.fetch) as board:
        history = History(board=board)
        task = TaskId(options.task.strip()) if options.task is not None else None
        start = _start(options.since, board.now) if options.since is not None else None
        most = options.most or (SHOWN if task is None else None)
        found = _younger(history.steps(task), start)
        steps = list(found if most is None else islice(found, most + 1))
        more = most is not None and len(steps) > most
        steps = steps[:most]
        if not steps:
            _check(history, task, bounded=start is not None)
        notes = _notes(history, more=more, most=most)
        lines = _one_task(board, task, steps) if task is not None else _all_tasks(steps)
        return Outcome(
            lines=printable(lines),
            notes=printable(notes),
            data=_data(history, task, steps, more=more),
            next=("git fetch --unshallow",) if history.cut else (),
            as_of=board.as_of,
        )


def _check(history: History, task: TaskId | None, *, bounded: bool) -> None:
    """Nothing where there was nothing to tell for a reason that is known.

    Args:
        history: of which no step was found.
        task: the task; None for all.
        bounded: whether only a part of it was asked for.

    Raises:
        UsageError: there is no such task, and never was.
        Stopped: there may have been something, but the history is cut.
    """
    board = history.board
    if history.cut:
        if not bounded:
            raise Stopped(CUT, exit=CANNOT_TELL, next=("git fetch --unshallow",), as_of=board.as_of)
    elif task is not None and next(history.steps(task), None) is None:
        board.record(task)


def _younger(steps: Iterable[Step], start: float | None) -> Iterator[Step]:
    return (step for step in steps if start is None or step.at >= start)


def _start(text: str, now: int) -> float:
    """From when on, seconds since the epoch.

    Raises:
        UsageError: it is neither a span nor a date.
    """
    whole = parse_time(text)
    if whole is not None:
        return whole
    try:
        return datetime.strptime(text.strip(), "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        pass
    try:
        return now - parse_span(text)
    except UsageError as error:
        raise UsageError(f"--since takes a span such as 7d, or a date such as 2026-12-01, not {plain(text)}") from error


# -- for people


def _one_task(board: Board, task: TaskId, steps: Sequence[Step]) -> Iterator[str]:
    record = board.snapshot.record(task)
    now = record.task() if record is not None else None
    if now is not None:
        yield f"{plain(task)}  {one(now.type)}  {one(now.state or 'without state')}  {one(now.text('title'))}"
    else:
        yield f"{plain(task)}  {'gone' if record is None else 'cannot be read'}"
    yield from table([step_row(step, named=False) for step in reversed(steps)], indent=2)
    yield TIMES if steps else "nothing happened to it in that time"


def _all_tasks(steps: Sequence[Step]) -> Iterator[str]:
    yield from table([step_row(step, named=True) for step in steps])
    yield TIMES if steps else "no task was moved in that time"


def _notes(history: History, *, more: bool, most: int | None) -> Iterator[str]:
    if more:
        yield f"there is more than these {most}: -n {10 * (most or 1)}"
    if history.cut:
        yield f"history is cut at {short(history.cut[0])}, what lies before is not shown: git fetch --unshallow"
    if history.too_long:
        yield f"the history is longer than {HISTORY_COMMITS} commits that change tasks; older ones are not shown"


# -- for programs


def _data(history: History, task: TaskId | None, steps: Sequence[Step], *, more: bool) -> "LogData":
    ordered = reversed(steps) if task is not None else steps
    return {
        "task": task,
        "times": "commits",
        "steps": [step_data(step) for step in ordered],
        "more": more or history.too_long,
        "cut": [oid.decode("ascii") for oid in history.cut],
    }


COMMAND = Command(
    name="log",
    summary="who moved a task, and how that is proven",
    configure=configure,
    run=run,
    text="The past of one task, oldest first, or of all tasks, newest first, from the commits of the coordination "
    "branch: who is proven to have made each step, and how. Times are those of the commits.",
)
