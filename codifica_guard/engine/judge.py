"""The judge: from a push to its verdict."""

from collections.abc import Callable, Iterator

from codifica_guard.engine.apply import finding_without_view, findings
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.past import introduction_behind
from codifica_guard.engine.powers import Revocations, both
from codifica_guard.engine.refs import Refs, ref_findings
from codifica_guard.engine.segments import Segment, segments
from codifica_guard.engine.trust import Trust, introduction_findings, introduction_view
from codifica_guard.engine.world import World
from codifica_guard.errors import LimitExceeded, MalformedObject, MissingObject
from codifica_guard.git.history import is_ancestor
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import KeyBlob, ObjectId
from codifica_guard.model.policy import Policy
from codifica_guard.model.push import Push, RefUpdate
from codifica_guard.model.value import value
from codifica_guard.packs.core import gt106, id109
from codifica_guard.rules.registry import Registry
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.view import CommitView, RefView

LAWLESS = Breach(
    found="the introduction is in its history, but no policy is: neither its parents nor the branch have a guard.json",
    expected="the policy stays; the server's admin may uninstall the guard",
    do=("git restore --source=<the last commit that has it> .codifica, signed by a maintainer",),
)
"""Nothing passes unjudged because the policy went away."""


@value
class Court:
    """What a push is judged by.

    Attributes:
        world: what is read.
        refs: the refs, as the push found them.
        trust: who may introduce the guard.
        registry: the rules.
        now: the clock, seconds since the epoch.
        seen: is given each judged commit under the first policy that counts for it, once; None where nobody asks.
        entered: is given each ref update before its commits are judged; None where nobody asks.
        clock: the time that one commit is judged by, where not all are judged by `now`.
        whole: whether an object that is missing is nobody's fault but the repository's: an error, and no finding.
    """

    world: World
    refs: Refs
    trust: Trust
    registry: Registry
    now: int
    seen: Callable[[Expansion, CommitView], None] | None = None
    entered: Callable[[RefView], None] | None = None
    clock: Callable[[Commit], int] | None = None
    whole: bool = False

    def time(self, commit: Commit) -> int:
        """The time that a commit is judged by, seconds since the epoch."""
        return self.now if self.clock is None else self.clock(commit)


def judge(court: Court, push: Push) -> Verdict:
    """The verdict of a push: every ref, every new commit of a judged branch, under every policy that counts."""
    found: list[Finding] = []
    for update in push.updates:
        found += _judge_update(court, update)
    return Verdict(findings=tuple(dict.fromkeys(found)))


def _judge_update(court: Court, update: RefUpdate) -> Iterator[Finding]:
    try:
        view = court.refs.view(update)
        if court.entered is not None:
            court.entered(view)
        yield from ref_findings(court.refs, court.registry, view, court.now)
        if view.judged and view.new is not None and not view.rewound:
            tip = None if view.coordination else court.refs.coordination_tip
            for segment in _steps(court, view.old, view.new, coordination=view.coordination):
                yield from judge_step(court, segment, tip)
    except (MissingObject, MalformedObject) as error:
        yield broken(court.registry, error, update.new)


def judge_merged(court: Court, old: ObjectId, new: ObjectId) -> Verdict:
    """The verdict on what a tip has that a coordination branch's tip has not, as if it were merged there; refs play no part."""
    found: list[Finding] = []
    for segment in _steps(court, old, new, coordination=True):
        found += judge_step(court, segment, None)
    return Verdict(findings=tuple(dict.fromkeys(found)))


def _steps(court: Court, old: ObjectId | None, new: ObjectId, *, coordination: bool) -> list[Segment]:
    floor = old if old is not None or coordination else court.refs.coordination_tip
    if court.world.introduction is None:
        court.world.introduction = introduction_behind(court.world, new)
        if court.world.introduction is None and court.world.trust_ids(new)[0] is not None:
            raise LimitExceeded("the introduction lies too far back in what is pushed")
    steps = list(segments(court.world, old, new, floor))
    for step in steps:
        court.world.root(step.new)
    return steps


def judge_step(court: Court, step: Segment, tip: ObjectId | None, beside: ObjectId | None = None) -> Iterator[Finding]:
    """The findings about one step of a branch, whose commits `World.root` was told of.

    Args:
        court: what it is judged by.
        step: the step.
        tip: on another branch the coordination branch's tip before the push; None on the coordination branch itself, and where
            nobody knows it.
        beside: on another branch, where that tip is not known, the tip that has to have what changes tasks.

    Raises:
        MissingObject: one is missing, and the court takes that for an error.
    """
    world = court.world
    over_all = (step.base is not None and world.rooted(step.base)) or (tip is not None and world.rooted(tip))
    revocations = Revocations(world, step)
    for oid in step.new:
        commit = world.store.commit(oid)
        try:
            if oid == world.introduction:
                yield from _judge_introduction(court, Expansion(world, commit, step, court.time(commit)), commit)
            elif over_all or world.rooted(oid):
                if not policies(world, commit, step, tip):
                    yield finding_without_view(court.registry.find(id109.CODE), LAWLESS, oid)
                yield from judge_commit(court, commit, step, tip, revocations, beside)
        except (MissingObject, MalformedObject) as error:
            if court.whole and isinstance(error, MissingObject):
                raise
            yield broken(court.registry, error, oid)


def _judge_introduction(court: Court, expansion: Expansion, commit: Commit) -> Iterator[Finding]:
    yield from introduction_findings(court.trust, expansion, commit, court.registry)
    if court.seen is not None and (view := introduction_view(expansion)) is not None:
        court.seen(expansion, view)


def judge_commit(
    court: Court,
    commit: Commit,
    step: Segment,
    tip: ObjectId | None,
    revocations: Revocations | None = None,
    beside: ObjectId | None = None,
) -> Iterator[Finding]:
    """One commit under each policy that counts for it; a finding under any of them stands, none where no policy counts.

    Args:
        court: what it is judged by.
        commit: the commit.
        step: the step that brought it.
        tip: on another branch the coordination branch's tip before the push; None on the coordination branch itself.
        revocations: what the step revokes, where several of its commits are judged.
        beside: on another branch, where that tip is not known, the tip that has to have what changes tasks.
    """
    world = court.world
    holder = tip if tip is not None else beside
    reached = holder is None or is_ancestor(world.store, commit.id, holder)
    expansion = Expansion(world, commit, step, court.time(commit), beside=None if reached else holder)
    revoking = revocations or Revocations(world, step)
    for number, policy in enumerate(policies(world, commit, step, tip)):

        def revoked(key: KeyBlob, policy: Policy = policy) -> bool:
            return key in policy.revoked or revoking.revoked(commit, key)

        view = expansion.view(policy, expansion.attribution(policy, revoked))
        yield from findings(expansion, view, court.registry)
        if court.seen is not None and number == 0:
            court.seen(expansion, view)


def policies(world: World, commit: Commit, step: Segment, tip: ObjectId | None) -> tuple[Policy, ...]:
    """Policies that a commit is judged under: of its parents, of the step's base where it does not descend from that.

    On another branch than the coordination branch the keys, roles and revocations of that one's tip count as well; where
    there is no other policy, that tip's counts.
    """
    found = [world.policy(p) for p in commit.parents]
    if step.base is not None and commit.id not in step.with_base:
        found.append(world.policy(step.base))
    own = [p for p in found if p is not None]
    elsewhere = world.policy(tip) if tip is not None else None
    if elsewhere is not None:
        own = [both(p, elsewhere) for p in own] or [elsewhere]
    return tuple({p.key: p for p in own}.values())


def broken(registry: Registry, error: MissingObject | MalformedObject, oid: ObjectId | None) -> Finding:
    """What a commit, or a tip, comes to whose objects cannot be taken."""
    return finding_without_view(registry.find(gt106.CODE), gt106.breach_of(error), oid)
