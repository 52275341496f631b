"""The receipts of one repository, as an audit finds them: what is believed of them, and what this clone saw of them before."""

from codifica_guard.audit.belief import Belief, End, Servers, believe, chain_behind
from codifica_guard.audit.faults import branch_of, fault
from codifica_guard.audit.remembered import SEEN, recall, remember
from codifica_guard.audit.source import Source
from codifica_guard.audit.vault import Vault
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.refs import resolve
from codifica_guard.model.audited import Noted
from codifica_guard.model.ids import ObjectId, RefName, short
from codifica_guard.model.receipt import RECEIPTS
from codifica_guard.model.value import replace
from codifica_guard.rules.audit_view import AuditView


class Stale(Exception):
    """What was kept does not lead to what is there now."""


class ReceiptChain:
    """The chain as it is here."""

    def __init__(self, source: Source, vault: Vault) -> None:
        """Nothing but its newest receipt's id, and what is remembered of it, is read.

        Args:
            source: the repository.
            vault: where what was seen before is kept.
        """
        self._source, self._world, self._store = source, source.world, source.world.store
        self._vault = vault
        self._tip = resolve(source.location, RECEIPTS)[1]
        self._seen = recall(vault)

    @property
    def empty(self) -> bool:
        """Whether there is no receipt here."""
        return self._tip is None

    def missing(self, servers: Servers, belief: Belief, coordination: RefName) -> Noted | None:
        """What is to be said where a server is listed, and receipts of what came in since are not there.

        Whoever may move refs on the server can take all receipts away; the next push begins a new chain then.

        Args:
            servers: the keys that count.
            belief: what is believed of the whole chain.
            coordination: the coordination branch.
        """
        if belief.stop is not None or not servers:
            return None
        if not belief.links:
            name = next(iter(servers.lines)).principals[0]
            said = f"the policy lists {name}, and there is no receipt: all were taken away, or it never wrote one"
            return fault("AU103", AuditView(said=said, remote=self._source.remote))
        first = next((link for link in belief.links if link.receipt.ref == coordination), None)
        old = first.receipt.old if first is not None else None
        if first is None or old is None or not self._store.has(old):
            return None
        listed = Servers()
        listed.learn(self._world, (old,))
        if not listed:
            return None
        name = next(iter(listed.lines)).principals[0]
        said = (
            f"the receipts of {branch_of(coordination)} begin at {short(old)}, where the policy listed {name} already: "
            "older ones were taken away, or never written"
        )
        view = AuditView(said=said, receipt=first.commit, number=first.receipt.number, remote=self._source.remote)
        return fault("AU103", view, first.receipt.time)

    def belief(
        self, servers: Servers, start: End, introduction: ObjectId, coordination: RefName, tip: ObjectId
    ) -> Belief:
        """What is believed of the receipts behind those that are known.

        Args:
            servers: the keys that count.
            start: where belief has got to before.
            introduction: whose policy says which repository this is.
            coordination: the coordination branch.
            tip: where it ends.

        Raises:
            Stale: the known receipts are not in the chain any more.
            CannotTell: the chain is cut here.
        """
        if self._tip is None:
            if start.commit is not None:
                raise Stale
            return self._shorter(Belief(), frozenset())
        chain, joined = chain_behind(self._world, self._tip, start.commit, self._source.cuts)
        if start.commit is not None and not joined:
            raise Stale
        if not joined and not chain:
            view = AuditView(said=f"{RECEIPTS.decode()} names no commit that can be read", remote=self._source.remote)
            return Belief(end=start, stop=fault("AU103", view), claimed=None)
        if not servers and self._seen is not None and self._seen.commit is not None:
            view = AuditView(
                said=f"this clone believed receipt {self._seen.number} ({short(self._seen.commit)}), and no policy of "
                f"{branch_of(coordination)} lists a server any more: the branch was taken back behind the commit that did",
                receipt=self._tip,
                known=self._vault.path(SEEN),
                remote=self._source.remote,
            )
            return Belief(end=start, stop=fault("AU103", view, self._seen.time), claimed=None)
        if not servers:
            unlisted = fault("AU106", AuditView(receipt=self._tip), self._store.commit(self._tip).committer_time)
            return Belief(end=start, stop=unlisted, claimed=None)
        policy = self._world.own_policy(introduction)
        repository = policy.guard.repository if policy is not None else ""
        belief = believe(self._world, chain, servers, coordination, repository, start, tip)
        return self._shorter(belief, frozenset(chain) | {start.commit})

    def _shorter(self, belief: Belief, chain: frozenset[ObjectId | None]) -> Belief:
        """The same, with what is to be said where the chain ends before what this clone remembers."""
        seen = self._seen
        if belief.stop is not None:
            return belief
        if seen is None or seen.commit is None or seen.commit in chain or self._has(seen.commit):
            if belief.end.commit is not None and (seen is None or seen.commit != belief.end.commit):
                remember(self._vault, belief.end)
            return belief
        last = f"it ends with receipt {belief.end.number}" if belief.end.number else "there are none any more"
        view = AuditView(
            said=f"this clone saw receipt {seen.number} ({short(seen.commit)}), which the chain of receipts does not have: {last}",
            receipt=belief.end.commit,
            number=belief.end.number or None,
            known=self._vault.path(SEEN),
            remote=self._source.remote,
        )
        return replace(belief, stop=fault("AU103", view, seen.time), claimed=seen.tips)

    def _has(self, oid: ObjectId) -> bool:
        """Whether a receipt that was seen is one of the chain: of the part of it that is not read again."""
        return self._tip is not None and self._store.has(oid) and is_ancestor(self._store, oid, self._tip)
