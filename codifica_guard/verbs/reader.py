"""Who reads a board: the principal that is named, else the one of the key at hand, else nobody; no key is needed to read."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import SIGNING_KEY, name_actor, principals, token_folder
from codifica_guard.errors import KeyUnavailable, SignatureError, UsageError
from codifica_guard.identity.allowed_signers import matches
from codifica_guard.identity.keys import KEY_TYPES, parse_public
from codifica_guard.identity.private_keys import BEGIN, peek_private
from codifica_guard.identity.signing import KEY_VARIABLE, Signer, check_path
from codifica_guard.identity.tokens import load_tokens
from codifica_guard.model.document import Task
from codifica_guard.model.ids import KeyBlob, Principal, is_agent, is_principal
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import LONGEST
from codifica_guard.rules.fence import fence_of
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.remote import fetch, is_there

_KEY_BYTES: Final = 64 * 1024
"""Bytes of a key file that are read."""

NO_KEY: Final = "no key of yours is listed here: shown as for anybody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads.

    Attributes:
        actor: the principal; None for nobody that is known here.
        doubt: what ought to be known about that, for people; None where nothing is.
        fences: public lines of the writer tokens at hand.
        fenced: whether the policy asks for a token of every claim.
    """

    actor: Principal | None
    doubt: str | None = None
    fences: frozenset[str] = frozenset()
    fenced: bool = False

    @property
    def is_agent(self) -> bool:
        """Whether an agent reads."""
        return is_agent(self.actor)

    def holds(self, task: Task) -> bool:
        """Whether the reader may go on with a running task of his: people may, and agents with the token of its claim."""
        fence = fence_of(task)
        return not self.is_agent or (not self.fenced if fence is None else fence in self.fences)


@contextmanager
def board_here(*, look: bool) -> Iterator[Board]:
    """The board of the clone around; its desk is open as long as this lasts.

    Args:
        look: fetch the coordination branch first, where there is a remote.

    Raises:
        UsageError: there is no policy, or no branch.
        Stopped: the remote is not reached.
    """
    if look:
        with open_desk(int(time.time())) as desk:
            desk.needs_policy()
            if is_there(desk):
                fetch(desk, desk.coordination)
    # What was fetched lies in new files, which only a store that is opened anew finds.
    with open_desk(int(time.time())) as desk:
        yield board_at(desk)


@contextmanager
def reading(*, wanted: str | None, look: bool) -> Iterator[tuple[Board, Reader]]:
    """The board of the clone around, and who reads it.

    Args:
        wanted: the principal, where one is named.
        look: fetch the coordination branch first, where there is a remote.

    Raises:
        UsageError: there is no policy, no branch, or the named principal is none.
        Stopped: the remote is not reached.
    """
    with board_here(look=look) as board:
        yield board, reader_of(board, wanted)


def reader_of(board: Board, wanted: str | None) -> Reader:
    """Who reads a board; of a key, its public half is enough.

    Raises:
        UsageError: the named principal is none, or may be two.
    """
    if wanted is not None:
        return _with_tokens(board, _named(board, wanted))
    try:
        key = public_half(board.desk)
    except (KeyUnavailable, SignatureError) as error:
        return Reader(actor=None, doubt=f"{plain(str(error), LONGEST)}; shown as for anybody")
    if key is None:
        return Reader(actor=None, doubt=NO_KEY)
    signer = Signer(key, "a public key", _signs_nothing)
    try:
        return _with_tokens(board, name_actor(board.desk, board.policy, signer))
    except KeyUnavailable as error:
        if not principals(board.policy, signer):
            return Reader(actor=None, doubt=NO_KEY)
        return Reader(actor=None, doubt=f"{plain(str(error), LONGEST)}; shown as for anybody")


def public_half(desk: Desk) -> KeyBlob | None:
    """The public half of the key that signs here, named as `find_key` has it; the private half need not be at hand.

    Raises:
        KeyUnavailable: what is named is no key, or cannot be read.
        SignatureError: the same.
    """
    by_ssh = desk.setting("gpg.format") == "ssh"
    places = (
        os.environ.get(KEY_VARIABLE),
        desk.setting(SIGNING_KEY),
        desk.setting("user.signingkey") if by_ssh else None,
    )
    named = next((text.strip() for text in places if text is not None and text.strip()), None)
    return None if named is None else public_of(named)


def public_of(named: str) -> KeyBlob:
    """The public half of a key, as a setting names it.

    Raises:
        KeyUnavailable: what is named is no key, or cannot be read.
        SignatureError: the same.
    """
    public = named.removeprefix("key::")
    if public != named or named.split(" ", 1)[0] in KEY_TYPES:
        return parse_public(public).blob
    if named.startswith(BEGIN):
        return peek_private(named.encode("utf-8", "replace"), KEY_VARIABLE).key
    check_path(named)
    try:
        with Path(named).expanduser().open("rb") as file:
            data = file.read(_KEY_BYTES)
    except OSError as error:
        raise KeyUnavailable(f"the key {named} cannot be read ({error.strerror})") from error
    return peek_private(data, named).key if BEGIN.encode() in data else parse_public(data).blob


def _signs_nothing(message: bytes, namespace: str) -> bytes:
    raise KeyUnavailable(f"{len(message)} bytes for {namespace}: a reading command signs nothing")


def _with_tokens(board: Board, actor: Principal) -> Reader:
    if not is_agent(actor):
        return Reader(actor=actor)
    required = board.policy.guard.writer_tokens == "required"
    try:
        tokens = load_tokens(token_folder(board.desk), os.environ)
    except KeyUnavailable as error:
        return Reader(actor=actor, doubt=plain(str(error), LONGEST), fenced=required)
    return Reader(actor=actor, fences=frozenset(token.public_line for token in tokens), fenced=required)


def _named(board: Board, wanted: str) -> Principal:
    """The principal that a name means: whole, or without its kind where the policy lists only one of the two."""
    full = (wanted,) if ":" in wanted else (f"human:{wanted}", f"agent:{wanted}")
    named = [Principal(name) for name in full if is_principal(name) and not name.startswith("server:")]
    if len(named) > 1:
        named = [name for name in named if any(matches(line, name) for line in board.policy.signers)]
    if len(named) == 1:
        return named[0]
    shown = plain(wanted)
    if ":" in wanted:
        raise UsageError(f"{shown} is no principal such as human:alice or agent:builder")
    raise UsageError(f"{shown} may be two, or nobody, here: say human:{shown} or agent:{shown}")
