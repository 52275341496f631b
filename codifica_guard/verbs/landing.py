"""One signed commit on the coordination branch: made in the object store, judged, pushed, and made anew when the branch moves.

What is checked out stays as it is: branch, index and work tree. Only a clean checkout of the coordination branch itself is
fast-forwarded afterwards.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import find_key
from codifica_guard.clone.program import try_git
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.git.history import is_ancestor, new_commits
from codifica_guard.git.refs import resolve
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.tokens import drop_token, store_token
from codifica_guard.limits import RETRY_SECONDS, RETRY_TRIES
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Verdict
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.own_commit import OwnCommit, check_place, check_work_tree, make, move_branch, preview
from codifica_guard.verbs.refusal import refuse_judged, refused_by_server
from codifica_guard.verbs.remote import Came, fetch, is_there, push
from codifica_guard.verbs.seat import How, Plan, Proposal, Seat, take_hand, token_place
from codifica_guard.verbs.stopped import LATER, Stopped

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0
"""Seconds between two tries, before chance."""


class Unsure(Stopped):
    """The remote was not reached any more, so whether it has the commit is not known."""


@dataclass(frozen=True, kw_only=True)
class Landed:
    """A commit that is on the coordination branch, or in a dry run one that would be.

    Attributes:
        seat: the board and the hand on the try that landed; the board tells what was read of it, and no more.
        proposal: what was asked for.
        commit: the commit; None in a dry run.
        judged: what the judge says about it: warnings at most.
        pushed: whether the remote has it.
        diff: in a dry run, what it would change.
        notes: what the person should know besides.
    """

    seat: Seat
    proposal: Proposal
    commit: Commit | None
    judged: Verdict
    pushed: bool = False
    diff: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def as_of(self) -> Mapping[str, str | None]:
        """The new tip, for programs; in a dry run the old one."""
        before = self.seat.board.as_of
        return before if self.commit is None else {**before, "commit": self.commit.id.decode("ascii")}


@dataclass(slots=True)
class _Tries:
    """The clock of one landing."""

    started: float = field(default_factory=time.monotonic)
    pause: float = _FIRST_PAUSE
    made: int = 0

    @property
    def taken(self) -> float:
        """Seconds since the first one."""
        return time.monotonic() - self.started

    def wait(self) -> bool:
        """Wait a little, by chance; False where the time is up, and tries enough were made."""
        self.made += 1
        # Each try that fails means that somebody else's did not: on a slow machine a crowd needs its tries, not its time.
        if self.taken >= RETRY_SECONDS and self.made >= RETRY_TRIES:
            return False
        time.sleep(self.pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads tries, guards nothing
        self.pause = min(_LONGEST_PAUSE, self.pause * 1.6)
        return True


def land(how: How, plan: Plan, *, key: str | None = None) -> Landed:
    """Make what a plan proposes the newest commit of the coordination branch.

    When the branch has moved it fetches and starts anew, for `RETRY_SECONDS` and `RETRY_TRIES`; the plan is asked again each time, and
    says whether it still holds.

    Args:
        how: the options.
        plan: what to commit.
        key: the key, where an option names it.

    Raises:
        Stopped: it did not land; the clone is as it was.
        UsageError: there is no policy, no branch, or the call is wrong.
        KeyUnavailable: there is no key that may act.
    """
    tries = _Tries()
    signer: Signer | None = None
    seen: Board | None = None
    for attempt in count(1):
        with open_desk(int(time.time())) as desk:
            check_work_tree(desk)
            local = not how.push or not is_there(desk)
            if not local and (how.fetch or attempt > 1):
                seen = seen or _seen(desk)
                fetch(desk, desk.coordination)
        with open_desk(int(time.time())) as desk:
            board = board_at(desk, local=local)
            _check_own_branch(board)
            signer = signer or find_key(desk, explicit=key)
            seat = Seat(board=board, hand=take_hand(board, signer, how.wanted), seen=seen, attempt=attempt)
            landed = _try(seat, how, plan(seat))
            if landed is not None:
                return landed
            if not how.fetch:
                text = f"{board.ref} has moved: run this again without --no-fetch"
                raise Stopped(text, exit=LATER, as_of=board.as_of)
        if not tries.wait():
            text = f"{board.ref} kept moving for {tries.taken:.0f} s; nothing of yours changed: run this again"
            raise Stopped(text, exit=LATER, as_of=board.as_of)
    raise AssertionError("the count has no end")


def _seen(desk: Desk) -> Board | None:
    """The board before the fetch, its tasks read while the desk is open; None where there is none."""
    try:
        board = board_at(desk)
        board.snapshot.records  # noqa: B018 - reads them
    except (UsageError, RepositoryError):
        return None
    return board


def _check_own_branch(board: Board) -> None:
    """Nothing where a checked-out coordination branch can follow the remote's, and a local one holds what was fetched.

    Raises:
        Stopped: it has commits that the remote lacks, or lacks some that it has.
    """
    desk = board.desk
    if board.shared:
        if desk.branch == board.branch and desk.head is not None:
            ahead = len(new_commits(desk.world.store, (desk.head,), (board.tip,)))
            if ahead:
                todo = f"git push {desk.remote} {board.name}"
                if not is_ancestor(desk.world.store, board.tip, desk.head):
                    todo = f"git pull --no-rebase {desk.remote} {board.name} && {todo}"
                raise Stopped(f"your {board.name} is {ahead} ahead of {board.ref}: {todo}", next=(todo,))
        return
    tracked = resolve(desk.location, f"refs/remotes/{desk.remote}/{board.name}".encode("utf-8", "surrogateescape"))[1]
    if tracked is not None and not is_ancestor(desk.world.store, tracked, board.tip):
        todo = f"git switch {board.name} && git pull --no-rebase {desk.remote} {board.name}"
        raise Stopped(f"{board.name} lacks commits that {desk.remote}/{board.name} has: {todo}", next=(todo,))


def _try(seat: Seat, how: How, proposal: Proposal) -> Landed | None:
    """One try: the landed commit, or None where the branch has moved meanwhile."""
    board = seat.board
    own = OwnCommit(branch=board.branch, parent=board.tip, files=proposal.files, subject=proposal.subject)
    here = False if board.shared else check_place(board.desk, own)
    hand = seat.hand
    if proposal.token is not None:
        hand = replace(hand, tokens=(proposal.token[1], *hand.tokens))
    commit = make(board.desk, own, hand, board.policy)
    judged = board.desk.judge_update(board.branch, board.tip, commit.id)
    refuse_judged(judged, board)
    if how.dry_run:
        return Landed(seat=seat, proposal=proposal, commit=None, judged=judged, diff=tuple(preview(board.desk, own)))
    kept = token_place(board.desk, board.repository)
    if proposal.token is not None:
        store_token(kept, *proposal.token)
    done = False
    try:
        done = _send(board, own, commit, here=here)
    except Unsure:
        done = True  # then the token may be the one that is wanted
        raise
    finally:
        if not done and proposal.token is not None:
            drop_token(kept, *proposal.token)
    if not done:
        return None
    return Landed(
        seat=seat,
        proposal=proposal,
        commit=commit,
        judged=judged,
        pushed=board.shared,
        notes=_follow(board, commit) if board.shared else (),
    )


def _send(board: Board, own: OwnCommit, commit: Commit, *, here: bool) -> bool:
    """Whether the commit is on the branch now; False where the branch has moved.

    Raises:
        Stopped: the remote refuses it, or is not reached and does not have it.
    """
    if not board.shared:
        move_branch(board.desk, own, commit, here=here)
        return True
    try:
        pushed = push(board.desk, commit.id, board.branch)
    except (Stopped, KeyboardInterrupt) as error:
        arrived = _arrived(board, commit)
        if arrived is None:
            text = f"{str(error) or 'interrupted'}\nwhether {board.desk.remote} has taken the commit is not known: look again, git codifica log"
            raise Unsure(text, exit=LATER, next=("git codifica log",), as_of=board.as_of) from error
        if arrived:
            return True
        raise
    if pushed.came is Came.REFUSED:
        raise refused_by_server(pushed.told, board)
    return pushed.came is Came.TAKEN


def _arrived(board: Board, commit: Commit) -> bool | None:
    """Whether the remote has the commit, though its answer did not come; None where that cannot be asked."""
    try:
        fetch(board.desk, board.branch)
        with open_desk(board.now) as desk:
            return is_ancestor(desk.world.store, commit.id, board_at(desk).tip)
    except (Stopped, UsageError, RepositoryError):
        return None


def _follow(board: Board, commit: Commit) -> tuple[str, ...]:
    """Let a clean checkout of the coordination branch follow; what is left to the person."""
    desk = board.desk
    if desk.branch != board.branch or desk.head == commit.id:
        return ()
    if not desk.git("--no-optional-locks", "status", "--porcelain", "--untracked-files=no"):
        done = try_git(desk.folder, "merge", "-q", "--ff-only", commit.id)
        if done.code == 0:
            return ()
    return (f"your {board.name} stays where it is, since it has changes: git pull --no-rebase once they are committed",)
