"""`return`: what was handed in goes back, with the reason."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import add_task, claimable, decide, move_line, reason_of, tell
from codifica_guard.model.document import Task
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED
from codifica_guard.rules.commands import CLAIM_NEXT
from codifica_guard.verbs import moves
from codifica_guard.verbs.act import needs_other
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.seat import Seat


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_task(parser, text="what is missing")
    parser.add_argument("--anyone", action="store_true", help="whoever likes may go on; else it stays with its owner")


def run(options: argparse.Namespace) -> Outcome:
    """Return it."""
    reason = reason_of(options)

    def change(seat: Seat, task: Task) -> Edit:
        if options.anyone and seat.is_agent:
            raise needs_other(seat, "only a human may free a task for anyone", (CLAIM_NEXT,))
        return moves.give_back(task, seat.hands(), reason, anyone=options.anyone)

    made = decide(options, "return", change)
    if made.after.owner == UNASSIGNED:
        what = ", free for anyone"
    else:
        what = f", stays with {made.owner}{'' if made.seat.is_agent else ' (--anyone frees it)'}"
    lines, step = claimable(made.seat, made.after)
    return tell(made, move_line(made, what), lines, step)


COMMAND = Command(
    name="return",
    summary="give it back, and say why",
    configure=configure,
    run=run,
    text="Lead a task that was handed in back to todo. The reason is recorded as your review, and whoever claims the task "
    "reads it first.",
)
