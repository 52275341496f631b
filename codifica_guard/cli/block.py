"""`block`: a human stops a task."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import add_task, decide, move_line, reason_of, row, tell
from codifica_guard.cli.options import line_of
from codifica_guard.rules.commands import unblock
from codifica_guard.verbs import moves

BLOCKER = 200
"""Characters of what blocks a task."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_task(parser, text="what it waits for")
    parser.add_argument("--by", metavar="WHAT", help="what blocks it: a task, a person, a link")


def run(options: argparse.Namespace) -> Outcome:
    """Block it."""
    reason = reason_of(options)
    blocker = None if options.by is None else line_of(options.by, what="--by", longest=BLOCKER)
    made = decide(options, "block", lambda seat, task: moves.block(task, seat.hands(), reason, blocker))
    step = unblock(made.task.id)
    stop = f"{made.owner} stops; " if made.task.state == "in_progress" else ""
    return tell(made, move_line(made, ""), (row("next", f"{stop}when it may go on: {step}"),), (step,))


COMMAND = Command(name="block", summary="stop a task, and say why", configure=configure, run=run)
