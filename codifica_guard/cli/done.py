"""`done`: the owner of a task closes it, where the policy lets him."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.handover import task_of
from codifica_guard.cli.options import add_writing, how, place, told
from codifica_guard.cli.submit import add_hand_in, hand_in_data, hand_in_of, handed_in
from codifica_guard.errors import UsageError
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import CLAIM_NEXT
from codifica_guard.verbs.act import plan_of
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.closing import Close
from codifica_guard.verbs.landing import land


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", help="the task")
    add_hand_in(parser, required=False)
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Close it."""
    if options.summary is None and (options.note is not None or options.artifact or options.work is not None):
        raise UsageError("-m, --artifact and --work belong to a hand-in, which says --summary too")
    close = Close(hand_in_of(options) if options.summary is not None else None)
    try:
        landed = land(how(options), plan_of(options.task, "done", close))
    except Already as already:
        data = {**hand_in_data(already.task, "done", "done", already.seat), "already": True}
        return Outcome(lines=printable((already.text,)), data=data, as_of=already.seat.board.as_of)
    task = task_of(landed)
    if task.state == "in_progress" and close.hand_in is not None:
        return handed_in(landed, close.hand_in, already=False)
    line = f"{plain(task.id)}  to_be_tested -> done   signed by {landed.seat.actor}   {place(landed)}"
    data = {**hand_in_data(task, "to_be_tested", "done", landed.seat, landed), "already": False}
    return told(landed, [line], data, next=(CLAIM_NEXT,))


COMMAND = Command(
    name="done",
    summary="close your own task, where you may",
    configure=configure,
    run=run,
    text="Close a task of yours that was handed in, where the policy lets its owner do that (self_approval). A task that "
    "needs no testing is handed in and closed at once: done ID --summary TEXT.",
)
