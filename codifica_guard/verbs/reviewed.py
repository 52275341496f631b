"""What a reviewer looked at: the work that was handed in, as the remote has its branch now."""

from typing import Final

from codifica_guard.clone.desk import open_desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.model.document import Task
from codifica_guard.model.ids import RefName, short
from codifica_guard.report.plain import plain
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.branches import branch_of
from codifica_guard.verbs.remote import NoSuchBranch, fetch
from codifica_guard.verbs.seat import Seat
from codifica_guard.verbs.stopped import REFUSED, Stopped
from codifica_guard.verbs.worked import Work, handed_in_commit, work_of

_ANY: Final = b"*"
"""All branches, as Git's refspecs have it."""

_ELSEWHERE: Final = frozenset(["moved", "rewritten", "not here"])


def reviewed_work(seat: Seat, task: Task, *, fresh: bool, anyway: bool) -> Work | None:
    """The work of a task's last hand-in; None where it names none.

    Args:
        seat: where.
        task: the task, handed in.
        fresh: fetch its branch first.
        anyway: whether a branch that moved is no reason to stop.

    Raises:
        Stopped: the branch is no longer where it was handed in.
    """
    if handed_in_commit(task) is None:
        return None
    work = _fetched(seat.board, task) if fresh and seat.board.shared else work_of(seat.board, task)
    if work is not None and work.tip is not None and work.standing in _ELSEWHERE and not anyway:
        raise _moved(seat, task, work)
    return work


def _fetched(board: Board, task: Task) -> Work | None:
    """The work, its branch fetched: the one that the policy's pattern names; all of them, if that does not hold it."""
    usual = branch_of(task, board.codifica).encode("ascii")
    _fetch(board, usual)
    work = _seen(board, task)
    if work is not None and work.commit is not None and work.branch is not None and work.branch.encode() == usual:
        return work
    _fetch(board, _ANY)
    return _seen(board, task)


def _seen(board: Board, task: Task) -> Work | None:
    """The work, by a desk that is opened now: an older one may not see what was fetched since."""
    with open_desk(board.now) as desk:
        return work_of(board_at(desk), task)


def _fetch(board: Board, branch: bytes) -> None:
    """Fetch a branch, or all; one that is gone stays as it was last seen."""
    try:
        fetch(board.desk, RefName(HEADS + branch))
    except NoSuchBranch:
        return


def _moved(seat: Seat, task: Task, work: Work) -> Stopped:
    branch, new = work.branch or "", short(work.tip or b"")
    old = short(work.commit or (work.named or "").encode("ascii"))
    place = f"{seat.board.desk.remote}/{branch}" if seat.board.shared else branch
    look = f"git diff {old}..{new}" if work.commit is not None else f"git log {place}"
    again = f"git codifica approve {plain(task.id)} --anyway"
    text = f"{plain(task.id)}: {branch} moved after the hand-in, {old} -> {new}\ndo: {look}\nthen: {again}"
    return Stopped(text, exit=REFUSED, next=(look, again), as_of=seat.board.as_of, answer=True)
