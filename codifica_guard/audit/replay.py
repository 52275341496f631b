"""The audit: history judged again, as the server judged it, and its receipts held against it.

    with open_source(b".") as source:
        found = audit(source, Wanted(), progress=bar)

`Replayed` has everything that is told from receipts and the judge; keys, policy changes and tasks are told from its `made`, `policy`
and `tip` (`keyring`, `trust_changes`, `tasks_at`).
"""

from typing import Final

from codifica_guard.audit.anchoring import anchored, replayed
from codifica_guard.audit.belief import Belief, End, Servers
from codifica_guard.audit.bench import UNSHALLOW, Bench
from codifica_guard.audit.chain import ReceiptChain, Stale
from codifica_guard.audit.faults import branch_of
from codifica_guard.audit.kept import keep, kept, name_of
from codifica_guard.audit.listing import Listing
from codifica_guard.audit.replayed import Progress, Replayed, Wanted
from codifica_guard.audit.source import Source
from codifica_guard.audit.tally import Tally
from codifica_guard.audit.telling import told
from codifica_guard.audit.timeline import Timeline
from codifica_guard.audit.vault import Vault
from codifica_guard.engine.past import introduction_behind
from codifica_guard.engine.segments import known_before
from codifica_guard.errors import CannotTell, MissingObject, UsageError
from codifica_guard.git.config import INTRODUCTION
from codifica_guard.git.history import first_parents, is_ancestor, new_commits
from codifica_guard.model.ids import ObjectId, RefName, short
from codifica_guard.model.receipt import INTRODUCTION as MOVED
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY

FEW: Final = 100
"""Commits that may lie behind the last receipt, and are judged again each time: the next push brings receipts for what follows."""


def audit(source: Source, wanted: Wanted, progress: Progress = lambda _done, _of: None) -> Replayed:
    """Judge the history of every judged branch again.

    Args:
        source: the repository.
        wanted: how.
        progress: is told how far it is.

    Raises:
        CannotTell: history is cut, or objects are missing; the text names the next command.
        UsageError: there is no policy, or what is wanted is not known to this guard.
    """
    if wanted.ruleset is not None:
        _check_ruleset(wanted.ruleset)
    try:
        return _Audit(source, wanted, progress).run()
    except MissingObject as error:
        raise _cannot_tell(source, error) from error


def _check_ruleset(number: int) -> None:
    from codifica_guard.policy.schema import KNOWN_RULESETS  # noqa: PLC0415 - slow to load, and asked for by hand

    if number not in KNOWN_RULESETS:
        known = ", ".join(map(str, sorted(KNOWN_RULESETS)))
        raise UsageError(f"--ruleset {number}: this guard knows {known}; a newer one may")


def _cannot_tell(source: Source, error: MissingObject) -> CannotTell:
    if source.cuts:
        return CannotTell(f"history is cut here, and {error}", UNSHALLOW)
    partial = any(key.endswith((".promisor", ".partialclonefilter")) for key in source.config.entries)
    if partial:
        return CannotTell(f"this is a partial clone, and {error}", "git fetch --refetch --no-filter")
    return CannotTell(f"objects are missing here: {error}", "git fsck", "git fetch --refetch")


class _Audit:
    """One audit."""

    def __init__(self, source: Source, wanted: Wanted, progress: Progress) -> None:
        self._source, self._world, self._store = source, source.world, source.world.store
        self._wanted, self._progress = wanted, progress
        self._vault = Vault(source.location, source.state)
        self._coordination = source.coordination()
        self._tip = self._tip_of(self._coordination)
        self._receipts = ReceiptChain(source, self._vault)
        self._given = self._pinned()
        self._asked = wanted.fetched or source.remote is None
        self._cached = wanted.cached and not wanted.since_receipt and (self._asked or not self._receipts.empty)
        self._total = 0

    def run(self) -> Replayed:
        """All of it: from what was kept where that leads here, else from the beginning."""
        known = kept(self._vault, self._file) if self._cached else None
        if known is not None:
            try:
                return self._go_on(*known)
            except Stale:
                pass
        return self._begin()

    def _tip_of(self, ref: RefName) -> ObjectId:
        """Where the coordination branch ends.

        Raises:
            CannotTell: it is not here, but may be on the server.
            UsageError: it is not there.
        """
        found = self._source.tip(ref)
        if found is None:
            name = branch_of(ref)
            if self._source.remote is None:
                raise UsageError(f"there is no branch {name} here, so there is nothing to audit")
            raise CannotTell(f"the branch {name} was never fetched", f"git fetch {self._source.remote}")
        return found

    @property
    def _listing(self) -> Listing:
        return Listing(self._source, self._coordination)

    # -- the two ways

    def _begin(self) -> Replayed:
        self._world.introduction = None
        found = self._found()
        named = self._source.named_by(found) if found is not None else None
        if named is not None and named != self._coordination:  # a policy behind the hook may name another branch
            self._coordination, self._tip = named, self._tip_of(named)
            found = self._found()
        first = found if self._given is None or not self._within(self._given) else self._given
        if first is None:
            raise UsageError(
                f"{branch_of(self._coordination)} has no policy, so there is nothing to audit: git codifica init"
            )
        self._world.introduction = first
        history = self._history(None)
        servers = Servers()
        servers.learn(self._world, history, self._listing)
        belief = self._receipts.belief(servers, End(), first, self._coordination, self._tip)
        anchoring = anchored(self._given, found, belief.links, self._within)
        anchor = anchoring.commit
        if anchor is None or self._world.own_policy(anchor) is None:
            raise UsageError(
                f"{short(anchor or first)} has no policy, so it introduced none: name another --introduction"
            )
        self._world.forget(anchor)
        tally = Tally(anchor=anchor, checked=self._tip)
        if anchoring.differs is not None:
            tally.note(anchoring.differs)
        if self._asked and (missing := self._receipts.missing(servers, belief, self._coordination)) is not None:
            tally.note(missing)
        self._total = len(history)
        passed = len(belief.links) if self._wanted.since_receipt else replayed(belief.links)
        return self._finish(tally, servers, belief, passed, pinned=anchoring.pinned)

    def _found(self) -> ObjectId | None:
        """The commit that brought the policy into the branch's history, even if somebody took the policy away since."""
        for oid in first_parents(self._store, self._tip):
            if self._world.trust_ids(oid)[0] is not None:
                return introduction_behind(self._world, oid, bounded=False)
        return None

    def _go_on(self, tally: Tally, servers: Servers) -> Replayed:
        """From what was kept, if the branch and the receipts only went on since.

        Raises:
            Stale: they did not.
        """
        if tally.checked is None or not self._store.has(tally.checked) or not self._within(tally.checked):
            raise Stale
        self._world.forget(tally.anchor, tally.strays)
        history = self._history(tally.checked)
        servers.learn(self._world, history, self._listing)
        belief = self._receipts.belief(servers, tally.end, tally.anchor, self._coordination, self._tip)
        moved = any(link.receipt.kind == MOVED for link in belief.links)
        apart = any(link.receipt.introduction not in {None, tally.anchor} for link in belief.links)
        ends = {(link.receipt.ref, link.receipt.new) for link in belief.links}
        apart = apart or any((gap.ref, gap.new) in ends for gap in tally.gaps)  # receipts that changed places
        if moved or apart or (tally.reached is not None and (belief.links or not self._leads_back(tally))):
            raise Stale
        self._total = len(history)
        changed = tally.checked != self._tip or bool(belief.links)
        tally.checked = self._tip
        return self._finish(tally, servers, belief, 0, pinned=tally.anchor == self._given, changed=changed)

    def _leads_back(self, tally: Tally) -> bool:
        """Whether the branch went on, first parent by first parent, from where it was judged up to."""
        for oid in first_parents(self._store, self._tip):
            if oid in tally.ruled:
                return oid == tally.reached
        return False

    def _finish(
        self, tally: Tally, servers: Servers, belief: Belief, passed: int, *, pinned: bool, changed: bool = True
    ) -> Replayed:
        policy = self._world.policy(self._tip) or self._world.policy(tally.anchor)
        if policy is None:  # it was there when the introduction was chosen
            raise MissingObject(f"the policy of {short(tally.anchor)} is not there")
        registry = replace(REGISTRY, ruleset=self._wanted.ruleset)
        bench = Bench(self._source, tally, self._coordination, registry, self._progress, self._total)
        timeline = Timeline(self._source, tally, bench, self._coordination)
        timeline.skip(belief.links[:passed])
        if passed and not self._wanted.since_receipt:
            timeline.open()
        timeline.replay(belief.links[passed:])
        self._trail(timeline, tally, servers, belief, changed=changed)
        refs = timeline.close(belief, policy)
        self._progress(max(self._total, 1), max(self._total, 1))
        return told(
            self._world,
            tally,
            belief,
            policy,
            [tally.row(ref).branch(ref, tip, coordinating=ref == self._coordination) for ref, tip in refs],
            pinned=pinned,
            ruleset=self._wanted.ruleset,
            only_behind=self._wanted.since_receipt,
        )

    def _trail(self, timeline: Timeline, tally: Tally, servers: Servers, belief: Belief, *, changed: bool) -> None:
        """Judge the coordination branch behind the receipts; what was found is kept before that, or behind it where more is there."""
        behind = tally.reached is not None or belief.stop is not None or self._is_most(tally)
        if not behind and changed:
            self._keep(tally, servers)
        straight = timeline.close_coordination(self._tip)
        if behind and changed and straight:
            tally.reached = self._tip
            self._keep(tally, servers)
        timeline.tell_coordination(self._tip, belief)

    def _is_most(self, tally: Tally) -> bool:
        """Whether most of the coordination branch lies behind its last receipt, so that it is worth to keep what that comes to."""
        before = tally.end.tips.get(self._coordination)
        if before is None or not self._store.has(before):
            return True
        return len(new_commits(self._store, (self._tip,), (before,), bounded=False)) > len(tally.ruled) + FEW

    def _keep(self, tally: Tally, servers: Servers) -> None:
        if self._cached and not tally.lost:
            keep(self._vault, self._file, tally, servers)

    @property
    def _file(self) -> bytes:
        """The file of what is kept."""
        return name_of(self._wanted.ruleset, self._given, self._coordination)

    # -- history

    def _pinned(self) -> ObjectId | None:
        """The introduction that the auditor names, or that the settings pin."""
        if self._wanted.introduction is not None:
            return self._wanted.introduction
        named = self._source.config.get(INTRODUCTION)
        return ObjectId(named.encode("ascii", "replace")) if named else None

    def _within(self, oid: ObjectId) -> bool:
        """Whether a commit is in the coordination branch's history."""
        return self._store.has(oid) and is_ancestor(self._store, oid, self._tip)

    def _history(self, floor: ObjectId | None) -> tuple[ObjectId, ...]:
        """The commits from the introduction, or from a commit on, that the coordination branch has.

        Raises:
            CannotTell: history is cut among them.
        """
        found = new_commits(self._store, (self._tip,), known_before(self._world, floor), bounded=False)
        cut = next((oid for oid in found if oid in self._source.cuts), None)
        if cut is not None:
            raise CannotTell(f"history is cut at {short(cut)}", UNSHALLOW)
        return found
