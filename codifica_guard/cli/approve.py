"""`approve`: a human accepts what was handed in."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome, exit_of
from codifica_guard.cli.decision import Decided, data_of, decide, move_line, names_row, row
from codifica_guard.cli.options import add_reason, add_writing, text_of, told
from codifica_guard.errors import GuardError
from codifica_guard.model.document import Task
from codifica_guard.model.ids import short
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.verbs import moves
from codifica_guard.verbs.deciding import freed_by
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.reviewed import reviewed_work
from codifica_guard.verbs.seat import Seat
from codifica_guard.verbs.stopped import Stopped
from codifica_guard.verbs.worked import Work

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.human import ApproveData, DecisionData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("tasks", metavar="ID", nargs="+", help="the tasks; one commit each")
    parser.add_argument("--anyway", action="store_true", help="also if what was handed in is not what is there now")
    add_reason(parser, required=False, text="what you looked at")
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Approve them, one after the other, until one fails."""
    notes = text_of(options.reason)
    names = tuple(dict.fromkeys(name.strip() for name in options.tasks))
    outcomes: list[Outcome] = []
    approved: list[DecisionData] = []
    for number, name in enumerate(names):
        try:
            outcome, data = _approve(options, name, notes)
        except GuardError as error:
            if not number:
                raise
            return _partly(outcomes, approved, names[number:], error)
        outcomes.append(outcome)
        approved.append(data)
    return _together(outcomes, approved)


def _approve(options: argparse.Namespace, name: str, notes: str | None) -> "tuple[Outcome, DecisionData]":
    """Approve one task."""
    found: list[Work | None] = []

    def change(seat: Seat, task: Task) -> Edit:
        fresh = not options.no_fetch and seat.attempt == 1
        found[:] = [reviewed_work(seat, task, fresh=fresh, anyway=options.anyway)]
        return moves.approve(task, seat.hands(), notes)

    made = decide(options, "approve", change, name=name)
    frees = freed_by(made.seat.board, made.task.id)
    head = move_line(made, f", human_review pass    signed by {made.seat.actor}")
    lines = (head, *names_row("frees", frees, "for claiming"), *_unmerged(made, found[0]))
    data = data_of(made, frees)
    return told(made.landed, lines, None), data


def _unmerged(made: Decided, work: Work | None) -> Iterator[str]:
    """Where the work still is, if the coordination branch does not have it."""
    if work is not None and work.tip is not None and not work.merged:
        yield row("merge", f"{work.branch} @ {short(work.tip)} is not in {made.seat.board.name} yet")


def _together(outcomes: Sequence[Outcome], approved: "Sequence[DecisionData]") -> Outcome:
    """Several outcomes as one; the newest says how things are."""
    data: ApproveData = {"approved": list(approved), "left": []}
    return Outcome(
        lines=tuple(line for one in outcomes for line in one.lines),
        notes=tuple(line for one in outcomes for line in one.notes),
        findings=tuple(found for one in outcomes for found in one.findings),
        next=tuple(dict.fromkeys(step for one in outcomes for step in one.next)),
        data=data,
        as_of=outcomes[-1].as_of,
    )


def _partly(
    outcomes: Sequence[Outcome], approved: "Sequence[DecisionData]", left: Sequence[str], error: GuardError
) -> Outcome:
    """Some are approved; the first that cannot be says why."""
    whole = _together(outcomes, approved)
    stopped = error if isinstance(error, Stopped) else None
    told_text = printable(str(error).splitlines())
    answer = stopped is not None and stopped.answer
    done = ", ".join(plain(one["task"]) for one in approved)
    rest = printable([f"approved: {done}; not: {', '.join(map(plain, left))}"])
    data: ApproveData = {"approved": list(approved), "left": list(left)}
    return replace(
        whole,
        exit=exit_of(error),
        lines=(*whole.lines, *(told_text if answer else ()), *rest),
        notes=(*whole.notes, *(() if answer else told_text)),
        findings=(*whole.findings, *(stopped.findings if stopped is not None else ())),
        next=stopped.next if stopped is not None else (),
        data=data,
    )


COMMAND = Command(
    name="approve",
    summary="accept what was handed in",
    configure=configure,
    run=run,
    text="Close tasks that were handed in, with your review. Where the branch of one moved after its hand-in, was "
    "rewritten, or is gone, or the work cannot be seen at all, that is said, and --anyway approves all the same.",
)
