"""Which receipt saw a commit: what `log` tells times by, and what a proof names.

Each receipt is taken for what it is itself: signed by a listed server, and following from the one before. Whether the chain as a
whole is sound, is the audit's to say; asking for one commit does not read all of it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from codifica_guard.audit.belief import End, Servers, believe
from codifica_guard.audit.ledger import receipt_at
from codifica_guard.engine.segments import known_before
from codifica_guard.engine.world import World
from codifica_guard.errors import LimitExceeded, MalformedObject, MalformedReceipt, MissingObject
from codifica_guard.git.history import first_parents, new_commits
from codifica_guard.identity import sshsig
from codifica_guard.model.ids import KeyBlob, ObjectId, RefName
from codifica_guard.model.receipt import PUSH, Receipt
from codifica_guard.model.value import value


@value
class Witness:
    """One receipt, and what proves it.

    Attributes:
        commit: the commit that holds it.
        receipt: what it says.
        key: the server's key that signed it.
    """

    commit: ObjectId
    receipt: Receipt
    key: KeyBlob

    @property
    def number(self) -> int:
        """Its place in the chain."""
        return self.receipt.number

    @property
    def at(self) -> int:
        """The server's clock, seconds since the epoch."""
        return self.receipt.time


class Witnesses:
    """The receipts of the coordination branch that are believed, asked for by the commits that they brought."""

    def __init__(
        self,
        world: World,
        ref: RefName,
        repository: str,
        tip: ObjectId | None,
        policies: Callable[[], Iterable[ObjectId]],
    ) -> None:
        """Nothing is read before the first question.

        Args:
            world: what is read.
            ref: the coordination branch.
            repository: the repository's id.
            tip: the newest receipt; None where there is none.
            policies: commits of the branch whose policies may list servers, its tip first.
        """
        self._world, self._ref, self._repository, self._policies = world, ref, repository, policies
        self._rest = _read(world, tip)
        self._claims: dict[ObjectId, list[ObjectId]] = {}
        self._read: dict[ObjectId, tuple[Receipt, Receipt | None]] = {}
        self._believed: dict[ObjectId, Witness | None] = {}

    def of(self, commit: ObjectId) -> Witness | None:
        """The newest receipt that is believed to have brought a commit; None where none is. Older ones are not read."""
        for oid in self._claims.get(commit, ()):
            if (witness := self._witness(oid)) is not None:
                return witness
        for oid, receipt, before in self._rest:
            self._read[oid] = receipt, before
            brought = self._brought(receipt)
            for each in brought:
                self._claims.setdefault(each, []).append(oid)
            if commit in brought and (witness := self._witness(oid)) is not None:
                return witness
        return None

    def _brought(self, receipt: Receipt) -> tuple[ObjectId, ...]:
        """The commits that the branch had after a push and not before; none where this clone does not hold them."""
        if receipt.kind != PUSH or receipt.ref != self._ref or receipt.new is None:
            return ()
        try:
            return new_commits(self._world.store, (receipt.new,), known_before(self._world, receipt.old))
        except MissingObject:
            return ()  # rewound since

    def _witness(self, oid: ObjectId) -> Witness | None:
        if oid not in self._believed:
            before = self._read[oid][1]
            start = End() if before is None else End(number=before.number, tips=before.tips, time=before.time)
            policy = self._servers[0]
            found = believe(self._world, [oid], self._servers[1], self._ref, self._repository, start, policy)
            key = (
                sshsig.key_of(sshsig.dearmour(self._world.store.commit(oid).signature or b"")) if found.links else None
            )
            self._believed[oid] = None if key is None else Witness(commit=oid, receipt=self._read[oid][0], key=key)
        return self._believed[oid]

    @cached_property
    def _servers(self) -> tuple[ObjectId, Servers]:
        servers, commits = Servers(), tuple(self._policies())
        servers.learn(self._world, commits)
        return commits[0], servers


def _read(world: World, tip: ObjectId | None) -> Iterator[tuple[ObjectId, Receipt, Receipt | None]]:
    """The receipts that can be read, newest first, whoever signed them, each with the one before it."""
    newer: tuple[ObjectId, Receipt] | None = None
    for oid in first_parents(world.store, tip) if tip is not None else ():
        try:
            receipt: Receipt | None = receipt_at(world.store, oid)
        except (MalformedReceipt, LimitExceeded, MalformedObject):
            receipt = None
        if newer is not None:
            yield *newer, receipt
        newer = (oid, receipt) if receipt is not None else None
    if newer is not None:
        yield *newer, None
