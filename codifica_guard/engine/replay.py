"""A history judged again without keys: by `codifica.json` alone, with everybody taken for whom the commits say.

What needs a proof is left out: the rules of identity, of refs and objects, and the writer tokens.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from codifica_guard.engine.apply import ORDER, findings
from codifica_guard.engine.claimed import Acting, Cast, Claimed, Source, acting
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.inherited import is_old, unknown_in
from codifica_guard.engine.judge import policies
from codifica_guard.engine.segments import Segment, segments
from codifica_guard.engine.unsigned import Claims
from codifica_guard.engine.world import state_files
from codifica_guard.errors import LimitExceeded, MalformedObject, MissingObject
from codifica_guard.git.history import first_parents, new_commits
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import ObjectId, is_human
from codifica_guard.model.value import replace, value
from codifica_guard.packs.all import REGISTRY
from codifica_guard.rules.registry import Pack, Registry
from codifica_guard.rules.rule import Breach, Rule
from codifica_guard.rules.view import CommitView

KEYED: Final = ("ID", "GT", "GD", "CD314")
"""How the codes of rules begin that say nothing without keys, refs and a server; CD314 is about writer tokens."""

_NO_CLOCK: Final = 253402300799
"""The last second of the year 9999, for a commit without a time: nothing lies ahead of it."""


@value
class Told:
    """One broken rule in the replay.

    Attributes:
        finding: the finding; its actor is claimed, never proven.
        at: the commit's time, seconds since the epoch, as its committer says.
        source: what names the actor.
        first: whether a push would have been told it: of one act's many findings that is the first group alone.
    """

    finding: Finding
    at: int
    source: Source
    first: bool


@value
class Replayed:
    """One commit, judged again.

    Attributes:
        commit: the commit.
        told: the rules that it breaks.
        acting: who is said to have made it; None where it was not judged.
        judged: whether some parent has a `codifica.json`, so that there is something to judge it by.
        blind: whether none that a parent has can be read.
        failed: why the commit could not be judged: what is damaged, missing, or past a limit; None where it was.
        unknown: tasks and documents whose change says nothing, since they could not be read before.
    """

    commit: Commit
    told: tuple[Told, ...] = ()
    acting: Acting | None = None
    judged: bool = False
    blind: bool = False
    failed: str | None = None
    unknown: tuple[str, ...] = ()


class Replay:
    """The commits of one branch, in order, each behind its parents.

    Attributes:
        commits: those that are judged, parents first.
        cast: the principals that tasks name; grows on the way.
    """

    def __init__(self, world: Claims, tip: ObjectId, known: ObjectId | None = None) -> None:
        """Find the commits.

        Args:
            world: what is read.
            tip: the branch's tip.
            known: what it reaches is left out; the rest is judged as if all were.

        Raises:
            LimitExceeded: more commits than one push may bring.
        """
        self._world, self._tip = world, tip
        self.commits = new_commits(world.store, (tip,), (known,) if known is not None else ())
        self._wanted = frozenset(self.commits)
        self.cast = Cast()

    def run(self, since: float | None = None, until: float | None = None) -> Iterator[Replayed]:
        """Judge commit by commit; what lies outside two times, seconds since the epoch, is passed over."""
        self._meet(self._tip)
        start = next((oid for oid in first_parents(self._world.store, self._tip) if oid not in self._wanted), None)
        for step in segments(self._world, start, self._tip, start) if self.commits else ():
            for oid in step.new:
                commit = self._world.store.commit(oid)
                outside = (since is not None and commit.committer_time < since) or (
                    until is not None and commit.committer_time > until
                )
                if oid in self._wanted and not outside:
                    try:
                        yield self._judge(commit, step)
                    except (MissingObject, MalformedObject, LimitExceeded) as error:
                        yield Replayed(commit=commit, judged=True, failed=str(error))

    def _meet(self, oid: ObjectId) -> None:
        """Learn who is named by the tasks of a commit."""
        policy = self._world.own_policy(oid)
        if policy is not None and policy.codifica is not None:
            for name in policy.codifica.allowed_agents:
                self.cast.learn(name.encode())
            files = state_files((policy,))
            for document in self._world.snapshot(self._world.store.commit(oid).tree, files).documents.values():
                for block in document.blocks:
                    self.cast.learn(block.raw)

    def _judge(self, commit: Commit, step: Segment) -> Replayed:
        counting = policies(self._world, commit, step, None)
        if not counting:
            return Replayed(commit=commit)
        expansion = Expansion(self._world, commit, step, commit.committer_time or _NO_CLOCK)
        told: dict[Told, None] = {}
        who: Acting | None = None
        unknown: dict[str, None] = {}
        for policy in counting:
            view = expansion.view(policy, Attribution())
            for change in view.changes:
                for record in filter(None, (change.before, change.after)):
                    self.cast.learn(record.raw)
            who = acting(commit, view.trailers, view.changes, self.cast)
            told |= dict.fromkeys(_told(expansion, view, who))
            unknown |= dict.fromkeys(unknown_in(view))
        return Replayed(
            commit=commit,
            told=tuple(told),
            acting=who,
            judged=True,
            blind=all(policy.codifica is None for policy in counting),
            unknown=tuple(unknown),
        )


# -- one commit


def _told(expansion: Expansion, view: CommitView, who: Acting) -> Iterator[Told]:
    """What a commit would have been told, by each who acted in it."""
    for claimed in who.all():
        first = _by(expansion, view, claimed, _rules(1))
        every = dict.fromkeys(first)
        hidden = _later(first)
        while hidden is not None:
            more = _by(expansion, view, claimed, _rules(hidden))
            every |= dict.fromkeys(more)
            hidden = _later(more)
        for found in every:
            mine = who.tasks.get(found.task, who.commit) if found.task is not None else who.commit
            if mine.actor == claimed.actor and not found.code.startswith(KEYED) and not is_old(view, found):
                yield Told(finding=found, at=view.commit.committer_time, source=mine.source, first=found in first)


def _by(expansion: Expansion, view: CommitView, claimed: Claimed, registry: Registry) -> tuple[Finding, ...]:
    """The findings of a commit, if somebody made it; any human may then migrate tasks."""
    maintainers = (claimed.actor,) if is_human(claimed.actor) else ()
    policy = replace(view.policy, guard=replace(view.policy.guard, maintainers=maintainers))
    proven = Attribution(actor=claimed.actor, proof=Proof.TRAILER, fresh=True)
    return findings(expansion, replace(view, policy=policy, attribution=proven, proves_writer=lambda _: True), registry)


def _later(found: tuple[Finding, ...]) -> int | None:
    """The first group of rules that an error of an earlier one hides; none behind a document or task that cannot be read."""
    groups = [_group(f.code) for f in found if f.severity is Severity.ERROR]
    first = min((g for g in groups if g), default=len(ORDER))
    return first + 1 if first + 1 < len(ORDER) else None


def _group(code: str) -> int:
    return next(number for number, within in enumerate(ORDER) if within(code))


@cache
def _rules(start: int) -> Registry:
    """All rules; those that need keys, and those about tasks that stand in a group before a number, find nothing."""

    def kept(rule: Rule) -> Rule:
        silent = rule.code.startswith(KEYED) or 0 < _group(rule.code) < start
        return replace(rule, check=_nothing) if silent else rule

    def pack(known: Pack) -> Pack:
        late = tuple(map(kept, known.late()))
        return Pack(name=known.name, early=tuple(map(kept, known.early)), active=known.active, late=lambda: late)

    return Registry(packs=tuple(map(pack, REGISTRY.packs)))


def _nothing(*_: object) -> Iterator[Breach]:
    yield from ()
