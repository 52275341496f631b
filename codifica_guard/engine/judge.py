"""The judge: from a push to its verdict."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from codifica_guard.engine.apply import findings
from codifica_guard.engine.expand import Expansion, is_introduction
from codifica_guard.engine.refs import Refs, ref_findings
from codifica_guard.engine.segments import Segment, known_before, segments
from codifica_guard.engine.trust import Trust, introduction_findings
from codifica_guard.engine.world import World
from codifica_guard.errors import MalformedObject, MissingObject
from codifica_guard.git.history import is_ancestor, new_commits
from codifica_guard.limits import COMMITS
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import KeyBlob, ObjectId
from codifica_guard.model.policy import Policy
from codifica_guard.model.push import Push, RefUpdate
from codifica_guard.packs.core import gt106
from codifica_guard.rules.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Court:
    """What a push is judged by: what is read, the refs, who may introduce, the rules, the clock."""

    world: World
    refs: Refs
    trust: Trust
    registry: Registry
    now: int


def judge(court: Court, push: Push) -> Verdict:
    """The verdict of a push: every ref, every new commit of a judged branch, under every policy that counts."""
    found: list[Finding] = []
    for update in push.updates:
        found += _judge_update(court, update)
    return Verdict(findings=tuple(dict.fromkeys(found)))


def _judge_update(court: Court, update: RefUpdate) -> Iterator[Finding]:
    view = court.refs.view(update)
    try:
        yield from ref_findings(court.refs, court.registry, view)
        if view.judged and view.new is not None and not view.rewound:
            for segment in _steps(court, view.old, view.new, coordination=view.coordination):
                yield from _judge_step(court, segment, coordination=view.coordination)
    except (MissingObject, MalformedObject) as error:
        yield _broken(court.registry, error, update.new)


def _steps(court: Court, old: ObjectId | None, new: ObjectId, *, coordination: bool) -> list[Segment]:
    floor = old if old is not None or coordination else court.refs.coordination_tip
    if court.world.introduction is None:
        fresh = new_commits(court.world.store, (new,), known_before(court.world, floor))
        court.world.introduction = next(
            (c for c in fresh if is_introduction(court.world, court.world.store.commit(c))), None
        )
    steps = list(segments(court.world, old, new, floor))
    for step in steps:
        court.world.root(step.new)
    return steps


def _judge_step(court: Court, step: Segment, *, coordination: bool) -> Iterator[Finding]:
    world = court.world
    tip = None if coordination else court.refs.coordination_tip
    over_all = (step.base is not None and world.rooted(step.base)) or (tip is not None and world.rooted(tip))
    for oid in step.new[:COMMITS]:
        commit = world.store.commit(oid)
        try:
            if oid == world.introduction:
                yield from introduction_findings(
                    court.trust, Expansion(world, commit, step, court.now), commit, court.registry
                )
            elif over_all or world.rooted(oid):
                yield from judge_commit(court, commit, step, tip)
        except (MissingObject, MalformedObject) as error:
            yield _broken(court.registry, error, oid)


def judge_commit(court: Court, commit: Commit, step: Segment, tip: ObjectId | None) -> Iterator[Finding]:
    """One commit under each policy that counts for it; a finding under any of them stands.

    Args:
        court: what it is judged by.
        commit: the commit.
        step: the step that brought it.
        tip: on another branch the coordination branch's tip before the push; None on the coordination branch itself.
    """
    world = court.world
    reached = tip is None or is_ancestor(world.store, commit.id, tip)
    expansion = Expansion(world, commit, step, court.now, beside=None if reached else tip)
    for policy in policies(world, commit, step, tip):

        def revoked(key: KeyBlob, policy: Policy = policy) -> bool:
            return key in policy.revoked or _revoked_in(world, step, commit, key)

        view = expansion.view(policy, expansion.attribution(policy, revoked))
        yield from findings(expansion, view, court.registry)


def policies(world: World, commit: Commit, step: Segment, tip: ObjectId | None) -> tuple[Policy, ...]:
    """Policies that a commit is judged under: of its parents, of the step's base where it does not descend from that."""
    found = [world.policy(p) for p in commit.parents]
    if step.base is not None and commit.id not in step.with_base:
        found.append(world.policy(step.base))
    elsewhere = world.policy(tip) if tip is not None else None
    if elsewhere is not None:
        found = [_with_keys_of(p, elsewhere) if p is not None else None for p in found] + [
            p for p in found if p is None
        ]
        found = [*found, elsewhere] if not any(found) else found
    distinct = {p.key: p for p in found if p is not None}
    return tuple(distinct.values())


def _with_keys_of(policy: Policy, tip: Policy) -> Policy:
    """On another branch the keys, roles and revocations of the coordination branch's tip count as well."""
    if policy.key == tip.key:
        return policy
    return replace(
        policy,
        signers=tuple(line for line in policy.signers if any(_same_signer(line, other) for other in tip.signers)),
        revoked=policy.revoked | tip.revoked,
        guard=replace(
            policy.guard, maintainers=tuple(m for m in policy.guard.maintainers if m in tip.guard.maintainers)
        ),
    )


def _same_signer(line: object, other: object) -> bool:
    return replace(line, line=0) == replace(other, line=0)  # type: ignore[type-var]


def _revoked_in(world: World, step: Segment, commit: Commit, key: KeyBlob) -> bool:
    """Whether a commit of the same step revokes a key, and the commit is no ancestor of it."""
    for oid in step.new:
        own = world.own_policy(oid)
        if own is None or key not in own.revoked:
            continue
        parents = [world.own_policy(p) for p in world.store.commit(oid).parents]
        if not any(p is not None and key in p.revoked for p in parents) and not is_ancestor(
            world.store, commit.id, oid
        ):
            return True
    return False


def _broken(registry: Registry, error: MissingObject | MalformedObject, oid: ObjectId | None) -> Finding:
    rule, breach = registry.find(gt106.CODE), gt106.breach_of(error)
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        found=breach.found,
        expected=breach.expected,
        do=breach.do,
        commit=oid,
    )
