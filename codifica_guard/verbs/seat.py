"""Who sits at which board: what the options of a writing verb say, and where a verb decides."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.hand import Hand, name_actor, token_folder
from codifica_guard.errors import UsageError
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.tokens import FOLDER_VARIABLE, WriterToken, load_tokens
from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, RepoPath, TaskId, is_agent
from codifica_guard.model.times import stamp
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.moves import Hands

SESSION_VARIABLE = "CODIFICA_SESSION"


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """What the options of every writing verb say.

    Attributes:
        fetch: look at the remote first; without it there is one try.
        push: send the commit to the remote; without it, it lands on the clone's own branch.
        dry_run: show the commit, make none.
        wanted: the principal, where one is named.
    """

    fetch: bool = True
    push: bool = True
    dry_run: bool = False
    wanted: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a verb wants to commit.

    Attributes:
        files: paths to their new bytes; no other path changes.
        subject: the message.
        task: the task that it changes, as it was; None where it is about none.
        token: a new writer token and its task: kept before the commit is pushed, given up if it does not land.
    """

    files: Mapping[RepoPath, bytes]
    subject: str
    task: Task | None = None
    token: tuple[TaskId, WriterToken] | None = None


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Where a verb decides: the board as it is now, and whose hand asks.

    Attributes:
        board: the board.
        hand: key, principal, writer tokens.
        seen: the board as this clone knew it before it looked at the remote; None where it knew none.
        attempt: which try this is, from 1.
    """

    board: Board
    hand: Hand
    seen: Board | None = None
    attempt: int = 1

    @property
    def actor(self) -> Principal:
        """The principal."""
        return self.hand.actor

    @property
    def is_agent(self) -> bool:
        """Whether an agent asks."""
        return is_agent(self.hand.actor)

    def hands(self, session: str | None = None) -> Hands:
        """Who writes into a task: the principal, now, in this session."""
        return Hands(actor=self.actor, at=stamp(self.board.now), session=session or session_name())


Plan = Callable[[Seat], Proposal]
"""Looks at the board and says what to commit, or raises `Stopped`; called anew on every try."""


def session_name() -> str | None:
    """The session's name, as `CODIFICA_SESSION` has it; None where it has none."""
    return " ".join(os.environ.get(SESSION_VARIABLE, "").split())[:64] or None


def take_hand(board: Board, signer: Signer, wanted: str | None) -> Hand:
    """Whose hand a key is, by the policy of the board.

    Raises:
        KeyUnavailable: it is nobody's, or not the wanted one's, or a writer token cannot be read.
    """
    actor = name_actor(board.desk, board.policy, signer, wanted=wanted)
    tokens = load_tokens(token_folder(board.desk), os.environ) if is_agent(actor) else ()
    return Hand(signer=signer, actor=actor, tokens=tokens)


def token_place(desk: Desk, repository: str) -> Path:
    """The folder where new writer tokens go: one a repository below `CODIFICA_TOKEN_DIR`, else the clone's own.

    Raises:
        UsageError: the variable names a relative path, which may lie in the work tree and be committed.
    """
    outside = os.environ.get(FOLDER_VARIABLE)
    if not outside:
        return token_folder(desk)
    place = Path(outside).expanduser()
    if not place.is_absolute():
        raise UsageError(f"{FOLDER_VARIABLE} is {outside}: it has to be an absolute path, outside of the work tree")
    return place / repository
