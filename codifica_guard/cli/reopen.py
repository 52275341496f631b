"""`reopen`: a task was closed, and is not done, or is wanted after all."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import add_task, claimable, decide, move_line, reason_of, tell
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED
from codifica_guard.verbs import moves


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_task(parser)
    parser.add_argument("--anyone", action="store_true", help="whoever likes may take it; else it stays with its owner")


def run(options: argparse.Namespace) -> Outcome:
    """Reopen it."""
    reason = reason_of(options)
    made = decide(options, "reopen", lambda seat, task: moves.reopen(task, seat.hands(), reason, anyone=options.anyone))
    free = made.after.owner == UNASSIGNED
    what = ", free for anyone" if free else f", stays with {made.owner} (--anyone frees it)"
    lines, step = claimable(made.seat, made.after)
    return tell(made, move_line(made, what), lines, step)


COMMAND = Command(name="reopen", summary="it was closed, and is not done", configure=configure, run=run)
