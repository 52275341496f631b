"""`reclaim`: a human takes a running task away from its owner."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import add_task, claimable, decide, move_line, reason_of, row, tell
from codifica_guard.model.document import Task
from codifica_guard.model.ids import is_agent
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED
from codifica_guard.report.plain import plain
from codifica_guard.verbs import moves
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.owners import hindered, owner_of
from codifica_guard.verbs.seat import Seat


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_task(parser)
    parser.add_argument(
        "--for", dest="owner", metavar="OWNER", default=UNASSIGNED, help="who goes on: agent:x, human:x, x; else anyone"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Reclaim it."""
    reason = reason_of(options)

    def change(seat: Seat, task: Task) -> Edit:
        return moves.reclaim(task, seat.hands(), reason, owner_of(seat.board, options.owner))

    made = decide(options, "reclaim", change)
    what = ", free for anyone" if made.after.owner == UNASSIGNED else f", for {made.owner}"
    lines, step = claimable(made.seat, made.after)
    before, fenced = made.task.owner, is_agent(made.task.owner)
    why = hindered(made.seat.board, made.after.owner or UNASSIGNED)
    return tell(
        made,
        move_line(made, what),
        (
            row("over", f"the claim of {plain(before or 'nobody')}{'; its session is fenced off' if fenced else ''}"),
            *lines,
            *((row("note", why),) if why else ()),
        ),
        step,
    )


COMMAND = Command(
    name="reclaim",
    summary="take a running task away from its owner",
    configure=configure,
    run=run,
    text="Lead a task in progress back to todo, for anyone or for --for OWNER. While its owner is not silent for "
    "stale_claim_hours, that is told: it may be at work.",
)
