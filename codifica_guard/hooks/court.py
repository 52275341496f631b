"""From a repository and its own config to a verdict on ref updates; pins the introduction once it is in."""

import os
from typing import TYPE_CHECKING

from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.judge import Court, judge
from codifica_guard.engine.past import introduction_behind
from codifica_guard.engine.refs import HEADS, Refs
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.trust import Trust, introduction_findings
from codifica_guard.engine.world import World
from codifica_guard.errors import GuardError, RepositoryError
from codifica_guard.git.config import COORDINATION, INTRODUCTION, TRUST, Config, set_value
from codifica_guard.git.location import Location
from codifica_guard.git.refs import head_branch, resolve
from codifica_guard.git.store import Store
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId, RefName, short, show_path
from codifica_guard.model.policy import GUARD_FILE
from codifica_guard.model.push import Push, RefUpdate
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY
from codifica_guard.policy.cache import PolicyCache

if TYPE_CHECKING:
    from codifica_guard.hooks.minutes import Minutes

FOLDER = b"codifica-guard"


def convene(
    store: Store,
    location: Location,
    config: Config,
    updates: tuple[RefUpdate, ...],
    now: int,
    minutes: "Minutes | None" = None,
) -> Verdict:
    """Judge ref updates of a repository that uses the guard, and take down what their receipts will say."""
    trust = Trust(pinned=_pinned(store, config), key=config.get(TRUST))
    world = World(store, trust.pinned, PolicyCache(os.path.join(location.common_dir, FOLDER, b"policies")))  # noqa: PTH118 - bytes
    head = head_branch(location)
    head_tip = resolve(location, head)[1] if head is not None else None
    if trust.pinned is None and head_tip is not None and world.trust_ids(head_tip)[0] is not None:
        refused = _pin(world, location, trust, head_tip, now)
        if refused:
            return Verdict(findings=refused)
        trust = Trust(pinned=world.introduction, key=trust.key)
    coordination = _coordination(world, config, head, head_tip)
    tip = resolve(location, coordination)[1]
    # A tip that stands before the introduction has no policy yet, and one that lost it none any more.
    ruling = (c for c in (tip, head_tip, world.introduction) if c is not None and world.policy(c) is not None)
    policy_tip = next(ruling, None)
    if trust.pinned is not None and policy_tip is None:
        raise RepositoryError(
            f"the introduction {short(trust.pinned)} has no {show_path(GUARD_FILE)}: pin the right one"
        )
    refs = Refs(
        world=world,
        location=location,
        coordination=coordination,
        coordination_tip=tip,
        policy_tip=policy_tip,
        olds=tuple(u.old for u in updates if u.old is not None),
        news=tuple(u.new for u in updates if u.new is not None),
        kept=tuple(u.new for u in updates if u.old is not None and u.new is not None),
    )
    court = Court(world=world, refs=refs, trust=trust, registry=REGISTRY, now=now)
    return judge(court, Push(updates=updates)) if minutes is None else _recorded(court, updates, minutes)


def _recorded(court: Court, updates: tuple[RefUpdate, ...], minutes: "Minutes") -> Verdict:
    """The same verdict, one update after the other, so that it is known what came with which."""
    found: list[Finding] = []
    court = replace(court, seen=minutes.see, entered=minutes.enter)
    for update in updates:
        minutes.begin(update)
        judged = judge(court, Push(updates=(update,))).findings
        minutes.end(judged)
        found += judged
    minutes.close(court.world, court.refs)
    return Verdict(findings=tuple(dict.fromkeys(found)))


def _pinned(store: Store, config: Config) -> ObjectId | None:
    """The introduction that the config pins, if it pins one.

    Raises:
        RepositoryError: it is no commit that is here.
    """
    value = config.get(INTRODUCTION)
    if value is None:
        return None
    oid = ObjectId(value.encode("ascii", "replace"))
    if not store.has(oid) or store.raw(oid)[0] != "commit":
        raise RepositoryError(
            f"{INTRODUCTION} is {value!a}: there is no such commit here; nothing can be judged before the right one is pinned"
        )
    return oid


def _coordination(world: World, config: Config, head: RefName | None, head_tip: ObjectId | None) -> RefName:
    """The coordination branch: what the config pinned, else what the policy names, else what HEAD names."""
    pinned = config.get(COORDINATION)
    if pinned:
        return RefName(HEADS + os.fsencode(pinned))
    policy = world.policy(head_tip) if head_tip is not None else None
    if policy is not None and policy.guard.coordination_branch:
        return RefName(HEADS + policy.guard.coordination_branch.encode())
    if head is None:
        raise RepositoryError("HEAD names no branch, and codifica.coordination is not set")
    return head


def _pin(world: World, location: Location, trust: Trust, tip: ObjectId, now: int) -> tuple[Finding, ...]:
    """Find the introduction behind a tip that carries a policy, hold it against the trust, and write it into the config.

    A push cannot be pinned when it is judged, since its ref may still not move; the next one finds it in place.
    """
    found = introduction_behind(world, tip)
    if found is None:
        raise RepositoryError(
            "the introduction lies too far back to be found; the admin pins it: codifica-guard install REPOSITORY --introduction COMMIT"
        )
    world.introduction = found
    commit = world.store.commit(found)
    step = Segment(base=None, tip=found, new=(found,), with_base=frozenset())
    errors = tuple(
        f
        for f in introduction_findings(trust, Expansion(world, commit, step, now), commit, REGISTRY)
        if f.severity.value == "error"
    )
    if errors:
        return errors
    policy = world.policy(tip)
    head = head_branch(location)
    name = (policy.guard.coordination_branch if policy is not None else None) or os.fsdecode(
        (head or b"")[len(HEADS) :]
    )
    try:
        set_value(location, INTRODUCTION, found.decode("ascii"))
        set_value(location, COORDINATION, name)
    except GuardError:
        return ()  # a config that cannot be written now is written by the next push
    return ()
