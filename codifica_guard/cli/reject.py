"""`reject`: a task will not be done."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import add_task, decide, move_line, names_row, reason_of, row, tell
from codifica_guard.rules.commands import reopen
from codifica_guard.verbs import moves
from codifica_guard.verbs.deciding import waiting_for


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_task(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Reject it."""
    reason = reason_of(options)
    made = decide(options, "reject", lambda seat, task: moves.reject(task, seat.hands(), reason))
    step = reopen(made.task.id)
    lines = (
        *names_row("stuck", waiting_for(made.seat.board, made.task.id), "in todo depend on it"),
        row("next", f"nothing; to take it up again: {step}"),
    )
    return tell(made, move_line(made, ""), lines, (step,))


COMMAND = Command(name="reject", summary="it will not be done", configure=configure, run=run)
