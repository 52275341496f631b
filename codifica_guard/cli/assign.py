"""`assign`: a human says whose a task is."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.decision import add_task, claimable, decide, row, tell, undecided
from codifica_guard.cli.options import place
from codifica_guard.model.document import Task
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import unblock
from codifica_guard.verbs import moves
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.owners import hindered, owner_of
from codifica_guard.verbs.seat import Seat


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_task(parser, reason=None)
    parser.add_argument("owner", metavar="OWNER", help="agent:x, human:x, x, or unassigned")


def run(options: argparse.Namespace) -> Outcome:
    """Assign it."""

    def change(seat: Seat, task: Task) -> Edit:
        owner = owner_of(seat.board, options.owner)
        if task.owner == owner:
            raise Already(seat, task, f"{plain(task.id)} is for {plain(owner)} already; nothing was changed")
        return moves.assign(owner)

    try:
        made = decide(options, "assign", change)
    except Already as already:
        board = already.seat.board
        return Outcome(lines=(already.text,), data=undecided(already.seat, already.task), as_of=board.as_of)
    before, state = plain(made.task.owner or "nobody"), plain(made.task.state or "?")
    why = hindered(made.seat.board, made.after.owner or "")
    lines, step = claimable(made.seat, made.after)
    if made.task.state == "blocked":
        step = (unblock(made.task.id),)
        lines = (row("next", f"when it may go on: {step[0]}"),)
    head = f"{made.ident}  {state}, {before} -> {made.owner}    {place(made.landed)}"
    note = (row("note", why),) if why else ()
    return tell(made, head, (*lines, *note), step)


COMMAND = Command(
    name="assign",
    summary="say whose it is",
    configure=configure,
    run=run,
    text="Give a task in todo or blocked to an agent or a human, or to anyone (unassigned). A running task is taken away "
    "by `reclaim --for`.",
)
