"""`note`: the owner of a task records how it goes, or asks a human for something."""

import argparse

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.handover import task_of
from codifica_guard.cli.options import add_reason, add_writing, how, line_of, place, text_of, told
from codifica_guard.errors import UsageError
from codifica_guard.model.document import Task
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import CLAIM_NEXT
from codifica_guard.verbs import moves
from codifica_guard.verbs.act import check_session, plan_of, wrong_state
from codifica_guard.verbs.landing import land
from codifica_guard.verbs.moves import ASKS, SUMMARY, Edit
from codifica_guard.verbs.owning import begin, check_owner
from codifica_guard.verbs.seat import Seat


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", help="the task")
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the note; - reads standard input")
    add_reason(parser, required=False, text="the note, too")
    parser.add_argument("--summary", metavar="TEXT", help=f"the note in one line, {SUMMARY} characters at most")
    parser.add_argument("--ask", choices=ASKS, help="ask a human to block the task, to release it, or to change it")
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Write it."""
    if (options.text is None) is (options.reason is None):
        raise UsageError('say one note: git codifica note ID "text"')
    if options.ask is not None and options.summary is not None:
        raise UsageError("--ask makes the summary itself")
    text = text_of(options.text if options.reason is None else options.reason, what="a note") or ""
    summary = line_of(options.summary, what="a summary", longest=SUMMARY) if options.summary is not None else None

    def change(seat: Seat, task: Task) -> Edit:
        check_owner(seat, task, "return", "block", "assign")
        if task.state not in {"in_progress", "to_be_tested"}:
            fits, why = ("in_progress", "to_be_tested"), "notes are for work that runs"
            raise wrong_state(seat, task, fits, begin(seat, task), why)
        hands = seat.hands(check_session(seat, task))
        return moves.ask(hands, options.ask, text) if options.ask else moves.note(hands, text, summary)

    landed = land(how(options), plan_of(options.task, "note" if options.ask is None else f"ask {options.ask}", change))
    ident = plain(task_of(landed).id)
    data = {
        "task": task_of(landed).id,
        "ask": options.ask,
        "commit": None if landed.commit is None else landed.commit.id.decode(),
    }
    if options.ask is None:
        return told(landed, [f"{ident}  noted   {place(landed)}"], data)
    lines = [
        f"{ident}  asks a human to {options.ask} it   {place(landed)}",
        f"stop on {ident} until somebody answers; other work: {CLAIM_NEXT}",
    ]
    return told(landed, lines, data, next=(CLAIM_NEXT,))


COMMAND = Command(
    name="note",
    summary="record progress; --ask block, release or change",
    configure=configure,
    run=run,
    mixed=True,
    text='Record how a task of yours goes: git codifica note ID "text". With --ask block, release or change, ask a human '
    "for what only a human may do; it stands on top of every human's status.",
)
