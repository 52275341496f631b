"""One decision that is to be proven: what all of its facts are told from."""

from dataclasses import dataclass
from functools import cached_property

from codifica_guard.audit.witness import Witness
from codifica_guard.engine.world import World
from codifica_guard.git.changes import entry_at
from codifica_guard.identity.keys import fingerprint, key_type
from codifica_guard.limits import RECEIPT_BYTES
from codifica_guard.model.act import Act
from codifica_guard.model.commit import Commit
from codifica_guard.model.ids import KeyBlob, ObjectId
from codifica_guard.rules.view import CommitView
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.evidence import Evidence
from codifica_guard.verbs.history import History, Law
from codifica_guard.verbs.sheet import Sheet

Told = tuple[bool, list[str]]
"""Whether a fact holds, and what people are told of it."""

_TYPES = {"ssh-ed25519": "ED25519", "ssh-rsa": "RSA", "sk-ssh-ed25519@openssh.com": "ED25519-SK"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """The decision.

    Attributes:
        past: the history.
        evidence: the commit that decided, who is proven to have made it, and by what.
        view: the commit under the policy that counted.
        law: that policy.
        introduction: the commit that everything stands on.
        act: what it did to the task; None where no task is meant.
        named: the introduction that the reader knows; None where he names none.
    """

    past: History
    evidence: Evidence
    view: CommitView
    law: Law
    introduction: ObjectId
    act: Act | None
    named: ObjectId | None

    @property
    def board(self) -> Board:
        """The board."""
        return self.past.board

    @property
    def world(self) -> World:
        """What is read."""
        return self.board.desk.world

    @property
    def commit(self) -> Commit:
        """The commit that decided."""
        return self.evidence.commit

    @cached_property
    def witness(self) -> Witness | None:
        """The receipt that saw it; None where none is believed to have."""
        return self.past.witness(self.commit.id)

    def name(self, sheet: Sheet) -> str:
        """What commands call the commit."""
        return self.evidence.name(sheet)

    def file(self, oid: ObjectId, path: bytes) -> bytes:
        """A file of a commit; empty where it has none."""
        entry = entry_at(self.world.store, self.world.store.commit(oid).tree, path)
        return b"" if entry is None else self.world.store.blob(entry.id, RECEIPT_BYTES)


def key_shown(key: KeyBlob) -> str:
    """A key as people tell it: its type and fingerprint."""
    kind = key_type(key)
    shown = _TYPES.get(kind) or ("ECDSA-SK" if kind.startswith("sk-") else "ECDSA")
    return f"{shown} {fingerprint(key)}"
