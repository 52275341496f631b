"""Whose keys and roles count: two policies taken together, and keys that a step revokes."""

from collections.abc import Iterable
from functools import cached_property

from codifica_guard.engine.segments import Segment
from codifica_guard.engine.world import World
from codifica_guard.git.history import is_ancestor
from codifica_guard.model.commit import Commit
from codifica_guard.model.ids import KeyBlob, ObjectId
from codifica_guard.model.policy import Policy, SignerLine
from codifica_guard.model.value import replace


def both(policy: Policy, tip: Policy) -> Policy:
    """A policy with the keys and roles that another one grants as well, and the revocations of both."""
    if policy.key == tip.key:
        return policy
    maintainers = tuple(m for m in policy.guard.maintainers if m in tip.guard.maintainers)
    return replace(
        policy,
        signers=tuple(_shared(policy.signers, tip.signers)),
        revoked=policy.revoked | tip.revoked,
        guard=replace(policy.guard, maintainers=maintainers),
    )


def _shared(lines: Iterable[SignerLine], others: tuple[SignerLine, ...]) -> Iterable[SignerLine]:
    """What both lists grant: the same principals with the same key, for what and when both allow it."""
    for line in lines:
        for other in others:
            if (line.key, line.principals) != (other.key, other.principals):
                continue
            names = tuple(n for n in line.namespaces if n in other.namespaces)
            if not line.namespaces or not other.namespaces:
                names = line.namespaces or other.namespaces
            elif not names:
                continue
            yield replace(
                line,
                namespaces=names,
                valid_after=max(_given(line.valid_after, other.valid_after), default=None),
                valid_before=min(_given(line.valid_before, other.valid_before), default=None),
            )


def _given(*times: int | None) -> list[int]:
    return [t for t in times if t is not None]


class Revocations:
    """The keys that the commits of one step revoke."""

    def __init__(self, world: World, step: Segment) -> None:
        """Nothing is read before the first question."""
        self._world = world
        self._step = step

    def revoked(self, commit: Commit, key: KeyBlob) -> bool:
        """Whether a commit of the step revokes a key, and this commit is no ancestor of that one."""
        return any(not is_ancestor(self._world.store, commit.id, oid) for oid, keys in self._added if key in keys)

    @cached_property
    def _added(self) -> list[tuple[ObjectId, frozenset[KeyBlob]]]:
        """Commits that add keys to the list of revoked ones, and those keys."""
        found: list[tuple[ObjectId, frozenset[KeyBlob]]] = []
        world = self._world
        for oid in self._step.new:
            parents = world.store.commit(oid).parents
            if any(world.trust_ids(p)[3] == world.trust_ids(oid)[3] for p in parents):
                continue
            policy = world.own_policy(oid)
            olds = (world.own_policy(p) for p in parents)
            added = (policy.revoked if policy else frozenset()).difference(*(p.revoked for p in olds if p is not None))
            if added:
                found.append((oid, added))
        return found
