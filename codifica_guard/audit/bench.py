"""The judge of an audit: one push after the other, as their receipts say, and by their own dates what no receipt brought."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from codifica_guard.audit.belief import Link
from codifica_guard.audit.faults import check_of
from codifica_guard.audit.lines import line_of
from codifica_guard.audit.made import Made
from codifica_guard.audit.source import Source
from codifica_guard.audit.tally import Tally
from codifica_guard.engine.acts import acts
from codifica_guard.engine.apply import finding_without_view, softened
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.judge import Court, broken, judge_step
from codifica_guard.engine.refs import Refs, ref_findings
from codifica_guard.engine.segments import Segment, segments
from codifica_guard.engine.trust import Trust
from codifica_guard.errors import CannotTell, LimitExceeded, MalformedObject, MissingObject
from codifica_guard.git.changes import entry_at
from codifica_guard.git.history import is_ancestor
from codifica_guard.identity.keys import fingerprint
from codifica_guard.model.audited import Noted
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import KeyBlob, ObjectId, RefName, RepoPath, short
from codifica_guard.model.policy import TRUST_FOLDER
from codifica_guard.model.receipt import Line, Receipt
from codifica_guard.model.value import replace
from codifica_guard.packs.core import gd102, id108
from codifica_guard.rules.registry import Registry
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.view import CommitView, RefView

Clock = Callable[[Commit], int]
Progress = Callable[[int, int], None]

UNSHALLOW: Final = "git fetch --unshallow"
_TOLD: Final = 50
"""Commits after which it is told how far the work is."""


class Bench:
    """Judges, and writes into a tally what comes of it."""

    def __init__(
        self, source: Source, tally: Tally, coordination: RefName, registry: Registry, progress: Progress, total: int
    ) -> None:
        """Nothing is judged yet.

        Args:
            source: the repository; its world has the tally's introduction.
            tally: what is known already.
            coordination: the coordination branch.
            registry: the rules.
            progress: is told how far the work is.
            total: how many commits there are to judge, as far as is known.
        """
        self._source, self._world, self._store = source, source.world, source.world.store
        self._tally, self._coordination, self._registry = tally, coordination, registry
        self._progress, self._total, self._done = progress, total, 0
        self._prints: dict[KeyBlob, str] = {}
        self._lines: list[Line] = []
        self._link: Link | None = None
        self._ref = coordination

    # -- what receipts brought

    def refs_of(self, group: Sequence[Link]) -> Refs:
        """The refs as a push found them, by its receipts."""
        receipts = [link.receipt for link in group]
        tip = self._here(receipts[0].coordination)
        ruled = tip is not None and self._world.policy(tip) is not None
        return Refs(
            world=self._world,
            location=self._source.location,
            coordination=self._coordination,
            coordination_tip=tip,
            policy_tip=tip if ruled else None,  # the push that brings the introduction is judged by none
            olds=tuple(r.old for r in receipts if r.old is not None and self._store.has(r.old)),
            news=tuple(r.new for r in receipts if r.new is not None and self._store.has(r.new)),
        )

    def pushed(self, link: Link, refs: Refs) -> tuple[tuple[Finding, ...], tuple[Line, ...], int]:
        """What a push to one branch came to: findings, the transitions that it brought, and how many commits.

        Raises:
            MissingObject: commits that it brought are not here.
            CannotTell: what they need is not here.
        """
        receipt = link.receipt
        view = self._view(receipt)
        court = self._court(refs, receipt.time)
        self._lines, self._link, self._ref = [], link, view.ref
        found: list[Finding] = []
        brought = 0
        try:
            found += self._of_ref(refs, view, receipt)
            if view.new is not None and (not view.rewound or receipt.paused):
                tip = None if view.coordination else refs.coordination_tip
                steps = self._steps_of(view, view.new, tip)
                brought = sum(len(step.new) for step in steps)
                for step in steps:
                    found += self._judged(court, step, tip, None, view, lambda _: receipt.time)
        except MalformedObject as error:
            found.append(broken(self._registry, error, receipt.new))
        return tuple(dict.fromkeys(found)), tuple(self._lines), brought

    def _of_ref(self, refs: Refs, view: RefView, receipt: Receipt) -> Iterator[Finding]:
        try:
            yield from ref_findings(refs, self._registry, view, receipt.time)
        except LimitExceeded as error:
            yield self._exceeded(error, receipt.new)

    def _exceeded(self, error: LimitExceeded, oid: ObjectId | None) -> Finding:
        rule = self._registry.find(gd102.CODE)
        breach: Breach = next(rule.check(error))
        return finding_without_view(rule, breach, oid)

    def _view(self, receipt: Receipt) -> RefView:
        ref = receipt.ref or self._coordination
        coordination = receipt.coordinating
        rewound = receipt.old is not None and receipt.new is not None and not self._descends(receipt.old, receipt.new)
        return RefView(
            ref=ref,
            name=ref,
            old=self._here(receipt.old),
            new=receipt.new,
            coordination=coordination,
            judged=True,
            rewound=rewound,
            created=receipt.old is None,
            deleted=receipt.new is None,
        )

    def _steps_of(self, view: RefView, new: ObjectId, tip: ObjectId | None) -> list[Segment]:
        if view.rewound:  # in a pause: what the branch has now, that was never judged
            return list(self.unjudged(self.steps(None, new, view.old), coordinating=view.coordination))
        floor = view.old if view.old is not None or view.coordination else tip
        return self.steps(view.old, new, floor)

    # -- what no receipt brought

    def dated(
        self,
        ref: RefName,
        steps: Sequence[Segment],
        clock: Clock,
        tip: ObjectId | None = None,
        beside: ObjectId | None = None,
    ) -> int:
        """Judge steps of a branch by dates; how many commits they have.

        Args:
            ref: the branch.
            steps: its steps, oldest first.
            clock: the time that a commit is judged by.
            tip: on another branch than the coordination branch that one's tip, where it is known.
            beside: else what has to have the commits that change tasks.
        """
        self._lines, self._link, self._ref = [], None, ref
        coordination = ref == self._coordination
        court = replace(self._court(self._refs(tip, None), 0), clock=clock)
        for step in steps:
            view = RefView(ref=ref, name=ref, old=step.base, new=step.tip, coordination=coordination, judged=True)
            for found in self._judged(court, step, tip, beside, view, _own_time):
                self._note(found)
            for found in self._secrets(self._refs(tip, step.base), step, view):
                self._note(found)
        return sum(len(step.new) for step in steps)

    def _refs(self, tip: ObjectId | None, policy_tip: ObjectId | None) -> Refs:
        """The refs for what no push is known of: only the coordination branch's tip, and whose policy counts."""
        return Refs(
            world=self._world,
            location=self._source.location,
            coordination=self._coordination,
            coordination_tip=tip,
            policy_tip=policy_tip,
        )

    def _secrets(self, refs: Refs, step: Segment, view: RefView) -> Iterator[Finding]:
        """Writer tokens in commits that no hook has looked at."""
        places: list[tuple[ObjectId, RepoPath | None]] = []
        for oid in step.new:
            with suppress(MalformedObject, LimitExceeded):  # the judge has told them
                places += [place for place in refs.secrets_in((oid,)) if self._untold(*place)]
        if not places:
            return
        rule = self._registry.find(id108.CODE)
        for breach in rule.check(replace(view, secrets=tuple(places))):
            found = replace(finding_without_view(rule, breach, breach.commit), ref=view.name)
            policy = refs.policy()
            yield softened(found, policy, self._registry) if policy is not None else found

    def _untold(self, commit: ObjectId, path: RepoPath | None) -> bool:
        """Whether nobody was told yet of a file with a secret in it, that may come back again and again; from now on somebody is."""
        entry = entry_at(self._store, self._store.commit(commit).tree, path) if path is not None else None
        if entry is None:
            return True
        known = entry.id in self._tally.secrets
        self._tally.secrets[entry.id] = None
        return not known

    def steps(self, old: ObjectId | None, new: ObjectId, floor: ObjectId | None) -> list[Segment]:
        """The steps of an update, however many commits it brings.

        Raises:
            CannotTell: history is cut within them.
        """
        steps = list(segments(self._world, old, new, floor, bounded=False))
        for step in steps:
            for oid in step.new if self._source.cuts else ():
                if oid in self._source.cuts:
                    raise CannotTell(f"history is cut at {short(oid)}", UNSHALLOW)
            self._world.root(step.new)
            for oid in step.new:
                if not self._world.rooted(oid) and self._world.trust_ids(oid)[0] is not None:
                    self._tally.strays[oid] = None
        return steps

    def unjudged(self, steps: Sequence[Segment], *, coordinating: bool) -> Iterator[Segment]:
        """Steps without the commits that were judged already."""
        for step in steps:
            new = self._tally.unknown(step.new, coordinating=coordinating)
            if new:
                yield step if new == step.new else replace(step, new=new)

    # -- one step

    def _court(self, refs: Refs, now: int) -> Court:
        return Court(
            world=self._world,
            refs=refs,
            trust=Trust(pinned=self._tally.anchor),
            registry=self._registry,
            now=now,
            seen=self._see,
            whole=True,
        )

    def _judged(
        self,
        court: Court,
        step: Segment,
        tip: ObjectId | None,
        beside: ObjectId | None,
        view: RefView,
        at: Clock,
    ) -> Iterator[Finding]:
        try:
            yield from judge_step(court, step, tip, beside)
        except LimitExceeded as error:
            yield self._exceeded(error, step.tip)
        row = self._tally.row(view.ref)
        number = self._link.receipt.number if self._link is not None else None
        for oid in step.new:
            time = at(self._store.commit(oid))
            row.count(time)
            if oid not in self._tally.made:
                self._tally.made[oid] = Made(commit=oid, at=time, receipt=number)
        if view.coordination:
            self._tally.ruled.update(step.new)
        self._done += len(step.new)
        if self._done % _TOLD < len(step.new):
            self._progress(self._done, max(self._total, self._done))

    def _see(self, expansion: Expansion, view: CommitView) -> None:
        """Take down what a commit did, and who made it; once, however many branches it is on."""
        link, commit = self._link, view.commit
        found = tuple(acts(expansion, view))
        self._lines += [line_of(act) for act in found if act.is_transition]
        if commit.id in self._tally.made:
            return
        number = link.receipt.number if link is not None else None
        at = link.receipt.time if link is not None else commit.committer_time
        key = view.attribution.key
        if key is not None and key not in self._prints:
            self._prints[key] = fingerprint(key)
        self._tally.made[commit.id] = Made(
            commit=commit.id,
            at=at,
            actor=view.attribution.actor,
            key=self._prints[key] if key is not None else None,
            receipt=number,
            trust=view.introduces or bool(view.trust) or any(p.startswith(TRUST_FOLDER) for p in view.paths),
        )
        self._tally.acts += found if link is None else [replace(act, at=at, receipt=number) for act in found]

    def note(self, found: Finding, link: Link) -> None:
        """Tell what a push came to, that a receipt brought."""
        receipt = link.receipt
        told = Noted(finding=found, at=receipt.time, ref=receipt.ref, receipt=receipt.number, check=check_of(found))
        self._tally.note(told)

    def _note(self, found: Finding) -> None:
        at = self._store.commit(found.commit).committer_time if found.commit is not None else None
        self._tally.note(Noted(finding=found, at=at, ref=self._ref, check=check_of(found)))

    # -- objects

    def _here(self, oid: ObjectId | None) -> ObjectId | None:
        return oid if oid is not None and self._store.has(oid) else None

    def _descends(self, old: ObjectId, new: ObjectId) -> bool:
        """Whether a tip descends from another one; one that is not here was taken out of history."""
        with suppress(MissingObject):
            return is_ancestor(self._store, old, new)
        return False


def _own_time(commit: Commit) -> int:
    return commit.committer_time
