"""`claim`: take a task, against everybody else who wants it, and read what it asks for."""

import argparse
from dataclasses import replace
from typing import Any

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.handover import know_branch, task_data, task_of, work_lines
from codifica_guard.cli.options import add_reason, add_writing, how, place, text_of, told
from codifica_guard.errors import UsageError
from codifica_guard.identity.tokens import token_path
from codifica_guard.model.document import Task
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.fence import latest_start, session_of
from codifica_guard.verbs.ages import parse_span
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.claiming import Claim, claim
from codifica_guard.verbs.landing import Landed
from codifica_guard.verbs.seat import Seat, token_place


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", nargs="?", help="the task; blanks around it do not count")
    parser.add_argument("--next", action="store_true", help="the best task that is free for you")
    parser.add_argument(
        "--wait", metavar="SPAN", help="with --next: wait so long, such as 8h, for tasks that others are to free"
    )
    add_reason(parser, required=False)
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Claim it."""
    if (options.task is None) is not options.next:
        raise UsageError("say which task, or --next")
    if options.wait is not None and not options.next:
        raise UsageError("--wait belongs to --next")
    plan = Claim(options.task, text_of(options.reason))
    wait = parse_span(options.wait) if options.wait is not None else 0
    try:
        landed = claim(how(options), plan, wait)
    except Already as already:
        know_branch(options, already.seat, already.task)
        return _held(already)
    know_branch(options, landed.seat, task_of(landed))
    return _claimed(landed, plan)


def _claimed(landed: Landed, plan: Claim) -> Outcome:
    seat, task, token = landed.seat, task_of(landed), landed.proposal.token
    title = plain(task.text("title") or "")
    lines = [f"claimed {plain(task.id)}  {title}   {place(landed)}{_tries(seat, task, plan)}"]
    kept = None
    if token is not None and landed.commit is not None:
        kept = str(token_path(token_place(seat.board.desk, seat.board.repository), task.id))
        lines.append(f"token   {kept} (keep it: only its holder may go on)")
    data = {
        **task_data(seat, task),
        "commit": None if landed.commit is None else landed.commit.id.decode("ascii"),
        "session": plan.session,
        "token": kept,
        "tries": seat.attempt,
        "already": False,
    }
    outcome = told(landed, [*lines, *work_lines(seat, task)], data, next=(data["switch"],))
    over = printable(
        f"passed over, it breaks a rule as it stands: {plain(name)} ({codes})" for name, codes in plan.passed.items()
    )
    return replace(outcome, notes=(*outcome.notes, *over))


def _tries(seat: Seat, task: Task, plan: Claim) -> str:
    """Why it took more than one try."""
    if seat.attempt == 1:
        return ""
    ordinal = {2: "2nd", 3: "3rd"}.get(seat.attempt, f"{seat.attempt}th")
    why = "your task had not" if plan.first == task.id else f"{plain(plan.first or '')} went to somebody else"
    return f" ({ordinal} try: {seat.board.name} had moved, {why})"


def _held(already: Already) -> Outcome:
    seat, task = already.seat, already.task
    title = plain(task.text("title") or "")
    data: dict[str, Any] = {
        **task_data(seat, task),
        "commit": None,
        "session": session_of(latest_start(task.entries("state_transitions"))),
        "token": None,
        "tries": seat.attempt,
        "already": True,
    }
    lines = (f"claimed {plain(task.id)}  {title}   {already.text}", *work_lines(seat, task))
    return Outcome(lines=printable(lines), data=data, next=(data["switch"],), as_of=seat.board.as_of)


COMMAND = Command(
    name="claim",
    summary="take a task: ID, or --next",
    configure=configure,
    run=run,
    text="Claim a task on the coordination branch of the remote, whatever is checked out here, and print what it asks for. "
    "Exit code 4: somebody else was first. 5: nothing is free. At the limit of tasks, --next goes on with the one that "
    "this session (CODIFICA_SESSION) holds.",
)
