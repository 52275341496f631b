"""`resume`: a new session of an agent takes the claim over that its dead one held."""

import argparse
from datetime import UTC, datetime

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.handover import know_branch, task_data, task_of, work_lines
from codifica_guard.cli.options import add_reason, add_writing, how, place, text_of, told
from codifica_guard.identity.tokens import token_path
from codifica_guard.packs.codifica.naming import branch_of
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.fence import latest_start, session_of
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.landing import Landed, land
from codifica_guard.verbs.own_work import names_told
from codifica_guard.verbs.resuming import Resume, left_behind
from codifica_guard.verbs.seat import token_place


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", help="the task")
    add_reason(parser, required=True)
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Take it over."""
    plan = Resume(options.task, text_of(options.reason) or "")
    try:
        landed = land(how(options), plan)
    except Already as already:
        seat, task = already.seat, already.task
        know_branch(options, seat, task)
        session = session_of(latest_start(task.entries("state_transitions")))
        data = {
            **task_data(seat, task),
            "commit": None,
            "session": session,
            "fenced_off": None,
            "token": None,
            "left_behind": None,
            "already": True,
        }
        lines = (f"{already.text}", *work_lines(seat, task))
        return Outcome(lines=printable(lines), data=data, next=(data["switch"],), as_of=seat.board.as_of)
    know_branch(options, landed.seat, task_of(landed))
    return _resumed(landed, plan)


def _resumed(landed: Landed, plan: Resume) -> Outcome:
    seat, task = landed.seat, task_of(landed)
    board = seat.board
    old = session_of(latest_start(task.entries("state_transitions")))
    fenced = f"{plain(old)} is fenced off" if old else "the one before is fenced off"
    lines = [f"resumed {plain(task.id)}: session {plain(plan.session)} holds it now; {fenced}   {place(landed)}"]
    kept = None
    if landed.commit is not None:
        kept = str(token_path(token_place(board.desk, board.repository), task.id))
        lines.append(f"token   {kept} (keep it: only its holder may go on)")
    found = left_behind(seat, task)
    branch, left = branch_of(task, board.codifica), found.pushed
    count = 0 if left is None else left.commits
    last = f", last {datetime.fromtimestamp(left.last, UTC):%H:%MZ}" if left is not None and count else ""
    where = f"{branch}, {count} commit{'' if count == 1 else 's'}{last}" if left is not None else f"nothing on {branch}"
    loose = f"not committed here: {names_told(found.loose)}" if found.loose else "uncommitted work is lost"
    lines.append(f"left behind   {where}; {loose}")
    data = {
        **task_data(seat, task),
        "commit": None if landed.commit is None else landed.commit.id.decode("ascii"),
        "session": plan.session,
        "fenced_off": old,
        "token": kept,
        "left_behind": None if left is None else {"branch": branch, "tip": left.tip.decode(), "commits": count},
        "already": False,
    }
    return told(landed, [*lines, *work_lines(seat, task)], data, next=(data["switch"],))


COMMAND = Command(
    name="resume",
    summary="take over your own claim after a crash",
    configure=configure,
    run=run,
    text="Take a claim of yours over whose session is gone, with its writer token. It is possible once the task was silent "
    "for the time that the policy sets (resume_after_minutes); the old session is fenced off then.",
)
