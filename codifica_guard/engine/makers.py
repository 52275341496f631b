"""Who made what a new branch brings: the newest of its commits that proves somebody."""

from collections.abc import Container

from codifica_guard.engine.facts import Facts, deed_of
from codifica_guard.engine.world import World
from codifica_guard.limits import MAKER_PROOFS
from codifica_guard.model.commit import ACTOR
from codifica_guard.model.ids import ObjectId, Principal
from codifica_guard.model.policy import Policy


class Makers:
    """The makers of some commits, under one policy; each commit is looked at once, however many branches bring it."""

    def __init__(self, world: World, policy: Policy, now: int, among: Container[ObjectId]) -> None:
        """Nothing is read yet.

        Args:
            world: what is read.
            policy: whose keys count.
            now: the clock, seconds since the epoch.
            among: the commits that count as brought.
        """
        self._world = world
        self._policy = policy
        self._now = now
        self._among = among
        self._proven: dict[ObjectId, Principal | None] = {}
        self._found: dict[ObjectId, Principal | None] = {}
        self._tried = 0

    def of(self, tip: ObjectId) -> Principal | None:
        """Who is proven to have made a commit, else what lies behind it, first parents first; None where nobody is."""
        stack = [tip]
        while stack:
            oid = stack[-1]
            if oid not in self._found and not self._settle(oid):
                # One parent after the other: what a first parent says makes the others needless.
                stack.append(next(p for p in self._world.store.commit(oid).parents if p not in self._found))
            else:
                stack.pop()
        return self._found[tip]

    def _settle(self, oid: ObjectId) -> bool:
        """Whether it is known now who made a commit, or what lies behind it."""
        if oid not in self._among:
            self._found[oid] = None
            return True
        actor = self._actor(oid)
        for parent in () if actor is not None else self._world.store.commit(oid).parents:
            if parent not in self._found:
                return False
            actor = self._found[parent]
            if actor is not None:
                break
        self._found[oid] = actor
        return True

    def _actor(self, oid: ObjectId) -> Principal | None:
        if oid not in self._proven:
            self._proven[oid] = self._prove(oid)
        return self._proven[oid]

    def _prove(self, oid: ObjectId) -> Principal | None:
        commit = self._world.store.commit(oid)
        trailers = self._world.trailers(commit)
        if (commit.signature is None and not trailers.values(ACTOR)) or self._tried >= MAKER_PROOFS:
            return None
        self._tried += 1
        from codifica_guard.identity.attribute import attribute  # noqa: PLC0415 - cryptography only where a signature is

        facts = Facts(self._world, deed_of(commit), trailers, lambda: self._world.own_policy(oid))
        policy = self._policy
        return attribute(commit, trailers, facts.payload, policy, self._now, policy.revoked.__contains__).actor
