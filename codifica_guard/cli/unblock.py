"""`unblock`: what a task waited for is there."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import Decided, add_task, claimable, decide, move_line, row, tell
from codifica_guard.cli.options import text_of
from codifica_guard.model.document import Task
from codifica_guard.model.ids import is_agent
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import assign, resume, show, unblock
from codifica_guard.verbs import moves
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.seat import Seat
from codifica_guard.verbs.stopped import Stopped


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_task(parser, reason=False)
    parser.add_argument(
        "--to",
        choices=("todo", "in_progress"),
        default="todo",
        help="todo (the default), or in_progress with its owner",
    )


def run(options: argparse.Namespace) -> Outcome:
    """Unblock it."""
    reason = text_of(options.reason)

    def change(seat: Seat, task: Task) -> Edit:
        if options.to == "in_progress" and (task.owner or UNASSIGNED) == UNASSIGNED:
            steps = (unblock(task.id), assign(task.id))
            text = f"{plain(task.id)} has no owner who could go on\ndo: {steps[0]}\nor: {steps[1]}, then again --to in_progress"
            raise Stopped(text, next=steps, as_of=seat.board.as_of, answer=True)
        return moves.unblock(task, seat.hands(), options.to, reason)

    made = decide(options, "unblock", change)
    lines, step = _running(made) if options.to == "in_progress" else claimable(made.seat, made.after)
    return tell(made, move_line(made, f", {made.owner}"), lines, step)


def _running(made: Decided) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the owner does now: the entry of an unblocking has no writer key, so an agent takes a new one where it has to."""
    if is_agent(made.after.owner) and made.seat.board.policy.guard.writer_tokens == "required":
        return (row("next", f"{made.owner} goes on: {resume(made.task.id)}"),), (show(made.task.id),)
    return (row("next", f"{made.owner} goes on"),), (show(made.task.id),)


COMMAND = Command(name="unblock", summary="let it go on", configure=configure, run=run)
