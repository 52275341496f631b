"""Handing a task in: for testing where it follows build, else as done."""

from collections.abc import Sequence

from codifica_guard.clone.hand import token_folder
from codifica_guard.errors import KeyUnavailable, LimitExceeded, UsageError
from codifica_guard.git.changes import entry_at
from codifica_guard.identity.tokens import drop_token, token_path
from codifica_guard.model.document import Task
from codifica_guard.model.ids import ObjectId
from codifica_guard.packs.codifica.vocabulary import follows_build
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import CLAIM_NEXT
from codifica_guard.verbs import moves
from codifica_guard.verbs.act import check_session, needs_other, wrong_state
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.landing import Landed
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.own_work import OwnWork, check_committed, find_work
from codifica_guard.verbs.owning import begin, check_owner
from codifica_guard.verbs.remote import is_there
from codifica_guard.verbs.seat import Seat, token_place

TESTED, DONE = "to_be_tested", "done"


class HandIn:
    """How a task is handed in; called with seat and task it says how the task changes.

    Attributes:
        target: the state that it is handed in to.
        work: the work that is handed in.
        missing: artifacts that are neither in the work nor on the coordination branch. All three are known once it was called.
    """

    def __init__(
        self, *, summary: str, text: str | None, artifacts: Sequence[tuple[str, str]], ref: str | None
    ) -> None:
        """Keep what was typed.

        Args:
            summary: the closing note's summary, one line.
            text: the closing note; None for the summary alone.
            artifacts: paths and their types.
            ref: the work; None for what is checked out.
        """
        self._summary, self._text, self._artifacts, self._ref = summary, text, artifacts, ref
        self.target = TESTED
        self.work = OwnWork(commit=None, name="")
        self.missing: tuple[str, ...] = ()

    def __call__(self, seat: Seat, task: Task) -> Edit:
        """How it changes.

        Raises:
            UsageError: the work is named by what names no commit.
            Stopped: it cannot be handed in so; the text says what to do.
        """
        check_owner(seat, task, "return", "reclaim")
        if seat.is_agent and task.type == "review":
            raise needs_other(seat, f"{plain(task.id)} is a review: a human judges it", (CLAIM_NEXT,))
        if task.state != "in_progress":
            raise wrong_state(seat, task, ("in_progress",), begin(seat, task))
        session = check_session(seat, task)
        self.target = TESTED if follows_build(task, seat.board.codifica) else DONE
        self.work = find_work(seat.board, task, self._ref)
        commit = self.work.commit
        if commit is None and self.target == TESTED:
            check_committed(seat.board, task)
        trees = [seat.board.tip] if commit is None else [commit, seat.board.tip]
        self.missing = tuple(path for path, _ in self._artifacts if not _is_in(seat.board, path, trees))
        return moves.hand_in(
            task,
            seat.hands(session),
            self.target,
            summary=self._summary,
            text=self._text,
            artifacts=self._artifacts,
            work=None if commit is None else commit.decode("ascii"),
        )


def _is_in(board: Board, path: str, commits: Sequence[ObjectId]) -> bool:
    """Whether one of some commits has a file, or a folder, at a path."""
    store, raw = board.desk.world.store, path.encode("utf-8", "surrogateescape")
    try:
        return any(entry_at(store, store.commit(commit).tree, raw) is not None for commit in commits)
    except LimitExceeded:
        return False  # deeper than any path that the guard reads


def parse_artifact(text: str) -> tuple[str, str]:
    """Path and type of an artifact, as it is typed: `src/auth/reset.py:code`.

    Raises:
        UsageError: it is not of that form, or leads out of the repository.
    """
    path, _, kind = (part.strip() for part in text.rpartition(":"))
    if not path or not kind or not text.isprintable():
        raise UsageError(f"{text!r} is no artifact: PATH:TYPE, such as src/reset.py:code")
    if path.startswith("/") or ".." in path.split("/"):
        raise UsageError(f"{path!r} leads out of the repository: an artifact's path starts at its root")
    return path, kind


def forget_tokens(landed: Landed) -> tuple[str, ...]:
    """Take the writer tokens of a task that was handed in out of the folders: they are of no use any more.

    Returns:
        What could not be taken out, for people.
    """
    task, seat, desk = landed.proposal.task, landed.seat, landed.seat.board.desk
    # What was not pushed may still be refused, and then the token is wanted again.
    if task is None or landed.commit is None or (is_there(desk) and not landed.pushed):
        return ()
    told = []
    for folder in dict.fromkeys((token_place(desk, seat.board.repository), token_folder(desk))):
        if not token_path(folder, task.id).exists():
            continue
        try:
            for token in seat.hand.tokens:
                drop_token(folder, task.id, token)
        except KeyUnavailable as error:
            told.append(f"{error}; it is of no use any more")
    return tuple(told)
