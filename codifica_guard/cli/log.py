"""`log`: who moved a task when, and how that is proven."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Literal

from codifica_guard.cli import proven
from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.options import add_looking
from codifica_guard.cli.rows import one, table
from codifica_guard.cli.steps import step_data, step_row
from codifica_guard.clone.desk import CUT
from codifica_guard.errors import UsageError
from codifica_guard.model.act import Act
from codifica_guard.model.ids import TaskId, short
from codifica_guard.model.times import parse_time
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.verbs.ages import parse_span, span
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.history import HISTORY_COMMITS, History, witnesses_of
from codifica_guard.verbs.reader import board_here
from codifica_guard.verbs.stopped import CANNOT_TELL, Stopped

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.tasks import LogData

SHOWN = 100
"""Steps that are shown of all tasks where no number is given."""

TIMES = "times are the commits' own: what their committers say"
OWN = "*"
"""Behind a time that is the commit's own, where others are the server's."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", nargs="?", help="the task; without one, all tasks, newest first")
    parser.add_argument("--since", metavar="7d|DATE", help="only what is younger, or not before that day (UTC)")
    parser.add_argument(
        "-n", dest="most", metavar="N", type=int, help=f"the newest N; of all tasks {SHOWN} unless said"
    )
    proven.configure(parser)
    add_looking(parser, first=False)


def run(options: argparse.Namespace) -> Outcome:
    """Look, and tell."""
    if options.most is not None and options.most < 1:
        raise UsageError("-n takes a number from 1 on")
    proven.check(options)
    with board_here(look=options.fetch) as board:
        if options.proof is not None:
            return proven.run(board, options)
        history = History(board=board, witnesses=witnesses_of(board))
        task = TaskId(options.task.strip()) if options.task is not None else None
        start = _start(options.since, board.now) if options.since is not None else None
        most = options.most or (SHOWN if task is None else None)
        found = _younger(history.acts(task), start)
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
    elif task is not None and next(history.acts(task), None) is None:
        board.record(task)


def _younger(steps: Iterable[Act], start: float | None) -> Iterator[Act]:
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


def _one_task(board: Board, task: TaskId, steps: Sequence[Act]) -> Iterator[str]:
    record = board.snapshot.record(task)
    now = record.task() if record is not None else None
    if now is not None:
        yield f"{plain(task)}  {one(now.type)}  {one(now.state or 'without state')}  {one(now.text('title'))}"
    else:
        yield f"{plain(task)}  {'gone' if record is None else 'cannot be read'}"
    yield from table(_rows(tuple(reversed(steps)), named=False), indent=2)
    yield _times(steps) if steps else "nothing happened to it in that time"


def _all_tasks(steps: Sequence[Act]) -> Iterator[str]:
    yield from table(_rows(steps, named=True))
    yield _times(steps) if steps else "no task was moved in that time"


def _rows(steps: Sequence[Act], *, named: bool) -> list[tuple[str, ...]]:
    rows = [step_row(step, named=named) for step in steps]
    if _whose(steps) != "both":
        return rows
    return [(row[0] + ("" if step.receipt else OWN), *row[1:]) for row, step in zip(rows, steps, strict=True)]


def _times(steps: Sequence[Act]) -> str:
    """Whose times they are, and how far what tasks and commits say themselves lies off."""
    whose = _whose(steps)
    if whose == "commits":
        return TIMES
    own = f"; those with {OWN} are the commits' own" if whose == "both" else ""
    return f"times are the server's (receipts){own}; the file's own differ by at most {span(_differ(steps) or 0)}"


def _whose(steps: Sequence[Act]) -> Literal["receipts", "commits", "both"]:
    seen = [step.receipt is not None for step in steps]
    if not any(seen):
        return "commits"
    return "receipts" if all(seen) else "both"


def _differ(steps: Sequence[Act]) -> int | None:
    """Seconds at most between the server's times and those that entries, and commits without one, give themselves."""
    own = ((s.at, s.dated if s.written is None else s.written) for s in steps if s.receipt is not None)
    return max((abs(at - said) for at, said in own), default=None)


def _notes(history: History, *, more: bool, most: int | None) -> Iterator[str]:
    if more:
        yield f"there is more than these {most}: -n {10 * (most or 1)}"
    if history.cut:
        yield f"history is cut at {short(history.cut[0])}, what lies before is not shown: git fetch --unshallow"
    if history.too_long:
        yield f"the history is longer than {HISTORY_COMMITS} commits that change tasks; older ones are not shown"


# -- for programs


def _data(history: History, task: TaskId | None, steps: Sequence[Act], *, more: bool) -> "LogData":
    ordered = reversed(steps) if task is not None else steps
    return {
        "task": task,
        "times": _whose(steps),
        "differ": _differ(steps),
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
    "branch: who is proven to have made each step, and how. Times are the server's where its receipts are at hand, else the "
    "commits' own. With --proof: how one decision is known, in six facts, with commands that repeat each of them without the "
    "guard.",
)
