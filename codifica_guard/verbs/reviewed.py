"""What a reviewer looks at: the work that was handed in, as the remote has its branch now."""

from collections.abc import Iterable
from typing import Final

from codifica_guard.clone.desk import open_desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.git.history import is_ancestor
from codifica_guard.model.document import Task
from codifica_guard.model.ids import RefName, short
from codifica_guard.packs.codifica.naming import branch_of
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import approve_anyway, diff, show_fetched
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.remote import NoSuchBranch, fetch
from codifica_guard.verbs.seat import Seat
from codifica_guard.verbs.stopped import REFUSED, Stopped
from codifica_guard.verbs.worked import Work, commit_of, handed_in_commit, work_of

_ANY: Final = "*"
"""All branches, as Git's refspecs have it."""


def reviewed_work(seat: Seat, task: Task, *, fresh: bool, anyway: bool) -> Work | None:
    """The work of a task's last hand-in, which its branch still ends with, or the coordination branch has; None where it names none.

    Args:
        seat: where.
        task: the task, handed in.
        fresh: fetch its branch first.
        anyway: whether other work will do, too.

    Raises:
        Stopped: its branch moved, was rewritten, or is gone, or the work is nowhere to be seen.
    """
    if handed_in_commit(task) is None:
        return None
    board = seat.board
    if fresh and board.shared:
        gone = fetch_work(board, (task,))
        work = _seen(board, task, gone)
    else:
        work = work_of(board, task)
    if work is not None and work.standing != "unmoved" and not work.merged and not anyway:
        raise _elsewhere(seat, task, work)
    return work


def fetch_work(board: Board, tasks: Iterable[Task]) -> frozenset[str]:
    """Fetch the branches that hold the work on some tasks: those that the policy's pattern names, and all, if these do not hold it.

    Returns:
        The branches that the remote has no more, though this clone may still know where they were.

    Raises:
        Stopped: the remote is not reached; exit code 7.
    """
    looks = _Looks(board)
    for task in tasks:
        looks.at(task)
    return frozenset(looks.gone)


class _Looks:
    """Which branches of a remote were asked for, and which of these it does not have."""

    def __init__(self, board: Board) -> None:
        self._board, self._every = board, False
        self.gone: set[str] = set()
        self._there: set[str] = set()

    def at(self, task: Task) -> None:
        """Fetch where the work on a task may be, until it is known where it is."""
        board, named = self._board, None if task.state == "in_progress" else handed_in_commit(task)
        if named is None and task.state != "in_progress":
            return
        commit = None if named is None else commit_of(board, named)
        if commit is not None and is_ancestor(board.desk.world.store, commit, board.tip):
            return
        usual = branch_of(task, board.codifica)
        self._fetch(usual)
        work = _seen(board, task, self.gone)
        if named is not None and (work is None or work.commit is None or work.branch != usual) and not self._every:
            self._every = True
            self._fetch(_ANY)
            work = _seen(board, task, self.gone)
        # A fetch of all branches leaves those in place that are gone: the one that counts is asked for by name.
        while work is not None and work.branch is not None and self._fetch(work.branch):
            work = _seen(board, task, self.gone)

    def _fetch(self, branch: str) -> bool:
        """Fetch a branch, or all; whether that was new."""
        if branch in self._there or branch in self.gone:
            return False
        try:
            fetch(self._board.desk, RefName(HEADS + branch.encode("utf-8", "surrogateescape")))
        except NoSuchBranch:
            self.gone.add(branch)
        else:
            self._there.add(branch)
        return True


def _seen(board: Board, task: Task, gone: Iterable[str]) -> Work | None:
    """The work, by a desk that is opened now: an older one may not see what was fetched since."""
    with open_desk(board.now) as desk:
        return work_of(board_at(desk), task, gone=frozenset(gone))


def _elsewhere(seat: Seat, task: Task, work: Work) -> Stopped:
    board, ident, branch = seat.board, plain(task.id), plain(work.branch or "")
    place = board.desk.remote if board.shared else "this clone"
    if work.commit is None:
        old = plain(work.named or "", 12)
        what = f"no branch of {place} has {old}, which was handed in: nobody can have seen it"
        look = show_fetched(task.id) if work.tip is None else diff(board.tip, work.tip, merged=True)
    elif work.tip is None:
        what = f"no branch of {place} has {short(work.commit)} any more, which was handed in, and {board.name} does not have it"
        look = diff(board.tip, work.commit, merged=True)
    else:
        moved = "moved" if work.standing == "moved" else "was rewritten"
        what = f"{branch} {moved} after the hand-in, {short(work.commit)} -> {short(work.tip)}"
        look = diff(work.commit, work.tip)
    again = approve_anyway(task.id)
    text = f"{ident}: {what}\ndo: {look}\nthen: {again}"
    return Stopped(text, exit=REFUSED, next=(look, again), as_of=board.as_of, answer=True)
