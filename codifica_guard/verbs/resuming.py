"""Taking over one's own running claim, after the session that made it died."""

from dataclasses import dataclass

from codifica_guard.clone.desk import open_desk
from codifica_guard.identity.tokens import new_token
from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath, is_human
from codifica_guard.packs.codifica.naming import branch_of
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import CLAIM_NEXT, reclaim
from codifica_guard.rules.fence import fence_of, latest_start, session_of
from codifica_guard.verbs import moves
from codifica_guard.verbs.act import (
    Stance,
    holds_token,
    needs_other,
    overtaken,
    propose,
    resume_from,
    resume_told,
    wrong_state,
)
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.branches import PushedWork, pushed_work
from codifica_guard.verbs.own_work import loose_files
from codifica_guard.verbs.owning import begin, check_owner
from codifica_guard.verbs.seat import Proposal, Seat, session_name
from codifica_guard.verbs.stopped import Stopped


class Resume:
    """A plan that fences the session off which holds a task, with a fresh writer token.

    Attributes:
        session: the session that takes over.
    """

    def __init__(self, name: str, reason: str) -> None:
        """Keep what was typed.

        Args:
            name: the task's id.
            reason: why, in the entry.
        """
        self._name, self._reason = name, reason
        self._first: Stance | None = None
        self.session = own_session()

    def __call__(self, seat: Seat) -> Proposal:
        """What to commit.

        Raises:
            Already: the hand may go on as it is.
            Stopped: it may not take over; the text says when, or who else may.
        """
        task = seat.board.task(self._name)
        self._first = self._first or Stance.of(task)
        if self._first != Stance.of(task):
            raise overtaken(seat, task)
        _check(seat, task)
        token = new_token()
        edit = moves.resume(task, seat.hands(self.session), token.public_line, self._reason)
        return propose(seat, task, edit, "resume", token)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftBehind:
    """What is left of the work of a session that is gone.

    Attributes:
        pushed: what it pushed, as last fetched; None where that is nothing.
        loose: files here that no commit holds, which may be its own.
    """

    pushed: PushedWork | None
    loose: tuple[RepoPath, ...]


def left_behind(seat: Seat, task: Task) -> LeftBehind:
    """What is left of the work on a task; by a desk that is opened now, since an older one may not see what was fetched since."""
    with open_desk(seat.board.now) as desk:
        board = board_at(desk, local=not seat.board.shared)
        pushed = pushed_work(board, branch_of(task, board.codifica))
        return LeftBehind(pushed=pushed, loose=loose_files(board, untracked=True))


def own_session() -> str:
    """The session's name; one that is made up where it has none."""
    return session_name() or f"s-{new_token().seed[:3].hex()}"


def _check(seat: Seat, task: Task) -> None:
    """Nothing where the hand may take its own claim over now.

    Raises:
        Already: it may go on as it is.
        Stopped: it may not; the text says when, or who else may.
    """
    ident = plain(task.id)
    check_owner(seat, task, "reclaim")
    if task.state != "in_progress":
        raise wrong_state(seat, task, ("in_progress",), begin(seat, task), "there is no claim to go on with")
    if is_human(seat.actor):
        raise Already(seat, task, f"{ident} is yours, and people need no token: go on")
    if fence_of(task) is None and seat.board.policy.guard.writer_tokens == "optional":
        raise Already(seat, task, f"{ident} is yours, and its claim has no writer key: go on")
    if fence_of(task) is not None and holds_token(seat, task):
        raise Already(seat, task, f"{ident} is yours, and its token is at hand: go on")
    start = resume_from(seat.board, task)
    if start is None or start > seat.board.now:
        raise _too_early(seat, task, start)


def _too_early(seat: Seat, task: Task, start: float | None) -> Stopped:
    ident, session = plain(task.id), session_of(latest_start(task.entries("state_transitions")))
    holder = f"session {plain(session)}" if session else "another session"
    why = "the policy lets no session take a claim over (resume_after_minutes)"
    if start is not None:
        why = f"a resume is {resume_told(seat.board, start)}"
    text = f"{ident} is held by {holder}: {why}; a human may reclaim it now"
    return needs_other(seat, text, (CLAIM_NEXT,), ("a human", reclaim(task.id, seat.actor)))
