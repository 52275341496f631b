"""What happened to the judged branches, in order: pushes that receipts brought, and what came in between and behind them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby, islice

from codifica_guard.audit.belief import Belief, End, Link
from codifica_guard.audit.bench import Bench, Clock
from codifica_guard.audit.faults import branch_of, fault
from codifica_guard.audit.source import Source
from codifica_guard.audit.tally import Tally
from codifica_guard.engine.refs import HEADS, Refs
from codifica_guard.engine.segments import Segment
from codifica_guard.errors import MissingObject
from codifica_guard.git.history import first_parents, is_ancestor, new_commits
from codifica_guard.model.audited import Gap, Pause
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, RefName, short
from codifica_guard.model.policy import Policy
from codifica_guard.model.receipt import INTRODUCTION, PAUSE, PUSH, Line, Receipt
from codifica_guard.model.times import SKEW
from codifica_guard.packs.core import gd101
from codifica_guard.rules.audit_view import AuditView

_Said = tuple[str, str, str, str | None, ObjectId]
"""What of a transition a receipt and its commits have to agree on."""


def own_time(commit: Commit) -> int:
    """The time of a commit that no receipt saw: what its committer says."""
    return commit.committer_time


def not_before(time: int | None) -> Clock:
    """The time of a commit that came in behind a receipt: what its committer says, but not before that receipt."""
    return own_time if time is None else lambda commit: max(commit.committer_time, time)


class Timeline:
    """Goes through receipts and branches, and lets the bench judge."""

    def __init__(self, source: Source, tally: Tally, bench: Bench, coordination: RefName) -> None:
        """Go on where a tally ends.

        Args:
            source: the repository.
            tally: what is known already.
            bench: who judges.
            coordination: the coordination branch.
        """
        self._source, self._world, self._store = source, source.world, source.world.store
        self._tally, self._bench, self._coordination = tally, bench, coordination

    # -- receipts

    def skip(self, links: Sequence[Link]) -> None:
        """Pass receipts over: what they say of pauses and introductions is told, what they brought is not judged."""
        for link in links:
            self._begin(link)
            if link.receipt.paused or link.receipt.kind == PAUSE:
                self._tally.pauses.append(Pause(receipt=link.receipt))
            self._end(link)

    def open(self) -> None:
        """Judge, by dates, what the branches had where receipts were passed over."""
        tips = self._tally.end.tips
        for ref in sorted(tips, key=lambda ref: (ref != self._coordination, ref)):
            if self._protected_by(ref, self._policy(tips.get(self._coordination))):
                self._before(ref, tips[ref], None)

    def replay(self, links: Sequence[Link]) -> None:
        """Judge what the receipts saw, push by push, and before each what came in unseen."""
        for _, rows in groupby(links, lambda link: link.receipt.push or link.commit):
            group = list(rows)
            pushes = [link for link in group if link.receipt.kind == PUSH and link.receipt.ref is not None]
            for link in group:
                self._begin(link)
            for link in pushes:
                self._follow(link.receipt)
            for link in group:
                if link.receipt.kind == PAUSE:
                    self._tally.pauses.append(Pause(receipt=link.receipt))
            refs = self._bench.refs_of(pushes) if pushes else None
            for link in pushes:
                if refs is not None and not self._judge(link, refs):
                    self._tally.lost += 1
            self._end(group[-1])

    def _begin(self, link: Link) -> None:
        receipt = link.receipt
        self._tally.first = self._tally.first or receipt.number
        self._tally.served.append((receipt.server, link.key, receipt.time))
        if receipt.kind == INTRODUCTION:
            self._tally.introductions.append(receipt)
        if self._tally.start is None:
            ruled = self._policy(receipt.coordination) is not None
            self._tally.start = (receipt.coordination if ruled else receipt.new, receipt.time)

    def _end(self, link: Link) -> None:
        receipt = link.receipt
        self._tally.end = End(commit=link.commit, number=receipt.number, tips=receipt.tips, time=receipt.time)

    # -- one receipt

    def _judge(self, link: Link, refs: Refs) -> bool:
        """Judge what a push brought; False where its commits are not here, since the branch was rewound."""
        receipt = link.receipt
        if receipt.new is not None and not self._store.has(receipt.new):
            return False
        try:
            found, lines, brought = self._bench.pushed(link, refs)
        except MissingObject:
            tip = self._source.tip(receipt.ref or self._coordination)
            if tip is None or receipt.new is None or is_ancestor(self._store, receipt.new, tip):
                raise
            return False
        errors = tuple(f for f in found if f.severity is Severity.ERROR)
        for finding in found:
            if not receipt.paused or finding.severity is not Severity.ERROR:
                self._bench.note(finding, link)
        if receipt.paused:
            self._tally.pauses.append(Pause(receipt=receipt, commits=brought, findings=errors))
        self._tally.row(receipt.ref or self._coordination).order = "receipts"
        self._compare(link, lines)
        return True

    def _compare(self, link: Link, lines: Iterable[Line]) -> None:
        """Hold what a receipt says against what its commits do."""
        receipt = link.receipt
        elsewhere = receipt.introduction is not None and receipt.introduction != self._tally.anchor
        if elsewhere or gd101.CODE in receipt.refused:  # judged from another introduction; not judged at all
            return
        says, does = Counter(map(_said, receipt.lines)), Counter(map(_said, lines))
        if says == does:
            return
        more, less = says - does, does - says
        view = AuditView(
            said=_disagreement(more, less),
            ref=receipt.ref,
            old=receipt.old,
            new=receipt.new,
            receipt=link.commit,
            number=receipt.number,
        )
        self._tally.note(fault("AU105", view, receipt.time))

    # -- what no receipt saw

    def _follow(self, receipt: Receipt) -> None:
        """Judge what happened to a branch between the receipt before and this one."""
        ref, old = receipt.ref or self._coordination, receipt.old
        before = self._tally.end.tips.get(ref)
        if before == old or not self._was_ruled(ref, receipt):
            return
        if before is None:
            self._before(ref, old, receipt)
        elif old is None or (self._store.has(old) and not self._descends(before, old)):
            self._tally.note(fault("AU102", self._between(ref, before, old, receipt)))
            if old is not None:
                self._instead(ref, before, old)
        else:
            self._tell_gap(ref, before, old, self._unseen(ref, before, old)[1], receipt)

    def _unseen(self, ref: RefName, old: ObjectId, new: ObjectId) -> tuple[list[Segment], int]:
        """Judge commits without a receipt by dates: their steps, and how many they are."""
        tips = self._tally.end.tips
        steps = self._bench.steps(old, new, old) if self._store.has(new) else []
        tip = None if ref == self._coordination else self._here(tips.get(self._coordination))
        return steps, self._bench.dated(ref, steps, not_before(self._tally.end.time), tip)

    def _tell_gap(
        self, ref: RefName, old: ObjectId | None, new: ObjectId, commits: int, receipt: Receipt | None
    ) -> None:
        view = self._between(ref, old, new, receipt, commits)
        gap = Gap(ref=ref, old=old, new=new, commits=commits, since=view.since, until=view.until)
        self._tally.gaps.append(gap)
        self._tally.note(fault("AU101", view))

    def _instead(self, ref: RefName, old: ObjectId, new: ObjectId) -> None:
        """Judge, by dates, what a branch has instead of what it lost."""
        steps = self._bench.steps(None, new, self._here(old))
        rest = list(self._bench.unjudged(steps, coordinating=ref == self._coordination))
        tip = None if ref == self._coordination else self._here(self._tally.end.tips.get(self._coordination))
        self._bench.dated(ref, rest, not_before(self._tally.end.time), tip)

    def _between(
        self, ref: RefName, old: ObjectId | None, new: ObjectId | None, receipt: Receipt | None, commits: int = 0
    ) -> AuditView:
        end = self._tally.end
        return AuditView(
            ref=ref,
            old=old,
            new=new,
            commits=commits,
            after=end.number or None,
            since=end.time,
            before=receipt.number if receipt is not None else None,
            until=receipt.time if receipt is not None else None,
            remote=self._source.remote if receipt is None and self._here(old) is None else None,
        )

    # -- what was there before receipts

    def _before(self, ref: RefName, tip: ObjectId | None, receipt: Receipt | None) -> None:
        """Judge, by dates, what a branch had before its first receipt."""
        if tip is None or not self._store.has(tip):
            return
        if ref == self._coordination:
            if self._world.rooted(tip):
                steps = self._bench.steps(None, tip, None)
                self._tally.before = self._bench.dated(ref, steps, own_time)
            return
        self._unordered(ref, tip, self._here(receipt.coordination) if receipt is not None else None, receipt)

    def _unordered(
        self, ref: RefName, tip: ObjectId, beside: ObjectId | None, receipt: Receipt | None, *, told: bool = True
    ) -> None:
        """Judge, by dates, what another branch has that no receipt brought, and that no other branch had."""
        steps = list(self._bench.unjudged(self._bench.steps(None, tip, None), coordinating=False))
        commits = [oid for step in steps for oid in step.new]
        if not self._protected_at_start(ref):
            if commits:
                name = branch_of(ref)
                many = "1 commit" if len(commits) == 1 else f"{len(commits)} commits"
                self._tally.notes[f"taken as it is: {many} that {name} had before it was judged"] = None
            return
        self._bench.dated(ref, steps, own_time, None, beside)
        since = self._tally.start[1] if self._tally.start is not None else None
        if told and since is not None and any(self._store.commit(oid).committer_time > since + SKEW for oid in commits):
            self._tell_gap(ref, None, tip, len(commits), receipt)

    # -- behind the receipts

    def close(self, belief: Belief, policy: Policy) -> list[tuple[RefName, ObjectId]]:
        """Judge what came in on other branches behind the last receipt; the branches that are judged now, and where they end.

        Args:
            belief: what is believed of the receipts.
            policy: the policy that says which branches are judged.
        """
        tips = self._tally.end.tips
        there = {ref for ref in self._source.branches() if self._protected_by(ref, policy)}
        gone = {ref for ref in tips if self._protected_by(ref, policy)} if self._source.complete else set()
        for ref in sorted((there | gone) - {self._coordination}):
            tip, before = self._source.tip(ref), tips.get(ref)
            if before is not None:
                self._behind(ref, before, tip)
                self._tell(ref, before, tip, belief)
            elif tip is not None:
                claimed = belief.claimed is None or ref in belief.claimed
                self._unordered(ref, tip, self._source.tip(self._coordination), None, told=not claimed)
        refs = (self._coordination, *sorted(there - {self._coordination}))
        return [(ref, tip) for ref in refs if (tip := self._source.tip(ref)) is not None]

    def close_coordination(self, tip: ObjectId) -> bool:
        """Judge what came in on the coordination branch behind the last receipt, or behind where it was judged up to.

        Returns:
            Whether another audit may go on from there, and need not begin at the last receipt again.
        """
        ref, before = self._coordination, self._tally.end.tips.get(self._coordination)
        start = self._tally.reached
        if start is not None or before is None:
            clock = own_time if before is None else not_before(self._tally.end.time)
            self._bench.dated(ref, self._bench.steps(start, tip, start), clock)
            return True
        steps = self._behind(ref, before, tip)
        return next(islice(first_parents(self._store, tip), steps, None), None) == before

    def tell_coordination(self, tip: ObjectId, belief: Belief) -> None:
        """Tell what no receipt saw of the coordination branch behind the last one."""
        before = self._tally.end.tips.get(self._coordination)
        if before is not None:
            self._tell(self._coordination, before, tip, belief)

    def _behind(self, ref: RefName, before: ObjectId, tip: ObjectId | None) -> int:
        """Judge what a branch has behind its last receipt; how many steps that are."""
        if tip is None or before == tip:
            return 0
        if not self._descends(before, tip):
            self._instead(ref, before, tip)
            return 0
        return len(self._unseen(ref, before, tip)[0])

    def _tell(self, ref: RefName, before: ObjectId, tip: ObjectId | None, belief: Belief) -> None:
        """Tell what no receipt saw of a branch behind its last one."""
        if before == tip:
            return
        if tip is None or not self._descends(before, tip):
            covered = belief.claimed is None or (tip is not None and belief.claimed.get(ref) == tip)
            if not covered:
                self._tally.note(fault("AU102", self._between(ref, before, tip, None)))
            return
        start = self._told_from(ref, before, tip, belief)
        if start is not None:
            commits = len(new_commits(self._store, (tip,), (start,), bounded=False))
            self._tell_gap(ref, start, tip, commits, None)

    def _told_from(self, ref: RefName, before: ObjectId, tip: ObjectId, belief: Belief) -> ObjectId | None:
        """From where on commits count as unseen; None where receipts that are not believed claim to have seen them all."""
        if belief.claimed is None:
            return None
        claimed = self._here(belief.claimed.get(ref))
        if claimed is None or claimed == before or not self._descends(before, claimed):
            return before
        if self._descends(tip, claimed):
            return None
        return claimed if self._descends(claimed, tip) else before

    # -- which branches are judged

    def _was_ruled(self, ref: RefName, receipt: Receipt) -> bool:
        """Whether a branch was judged when a push came in, and not only taken down by a guard that had failed."""
        return receipt.coordinating or self._protected_by(ref, self._policy(receipt.coordination))

    def _protected_at_start(self, ref: RefName) -> bool:
        """Whether a branch was judged when receipts began; there is nothing to say against it where there are none."""
        return self._tally.start is None or self._protected_by(ref, self._start_policy)

    @cached_property
    def _start_policy(self) -> Policy | None:
        return self._policy(self._tally.start[0]) if self._tally.start is not None else None

    def _policy(self, oid: ObjectId | None) -> Policy | None:
        return self._world.policy(oid) if oid is not None and self._store.has(oid) else None

    def _protected_by(self, ref: RefName, policy: Policy | None) -> bool:
        if ref == self._coordination:
            return True
        return policy is not None and ref.startswith(HEADS) and policy.guard.protected_branches.match(ref[len(HEADS) :])

    # -- objects

    def _here(self, oid: ObjectId | None) -> ObjectId | None:
        return oid if oid is not None and self._store.has(oid) else None

    def _descends(self, old: ObjectId, new: ObjectId) -> bool:
        """Whether a tip descends from another one; one that is not here was taken out of history."""
        return self._store.has(old) and self._store.has(new) and is_ancestor(self._store, old, new)


def _said(line: Line) -> _Said:
    return line.record, line.source, line.target, line.actor, line.commit


def _disagreement(more: Mapping[_Said, int], less: Mapping[_Said, int]) -> str:
    """The first thing that a receipt says and no commit does, and that a commit does and the receipt does not say."""
    told = [f"it says {_act(next(iter(more)))}, which no commit does" if more else ""]
    told.append(f"it does not say {_act(next(iter(less)))}" if less else "")
    rest = sum(more.values()) + sum(less.values()) - bool(more) - bool(less)
    told.append(f"{rest} more like that" if rest else "")
    return "; ".join(text for text in told if text)


def _act(said: _Said) -> str:
    record, source, target, actor, commit = said
    return f"{record[:100]} {source[:100]} -> {target[:100]} by {actor or 'nobody who is proven'} in {short(commit)}"
