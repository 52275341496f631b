"""Which commit listed a key, and which one revoked it."""

from collections.abc import Callable, Iterator
from typing import Final

from codifica_guard.engine.world import World
from codifica_guard.model.ids import KeyBlob, ObjectId
from codifica_guard.model.policy import REVOKED_FILE, SIGNERS_FILE, Policy
from codifica_guard.verbs.evidence import Evidence, listing
from codifica_guard.verbs.history import History

LINKS: Final = 20
"""Commits that listed one another's keys and are followed; more than people rotate a key."""


def listed_in(past: History, tip: ObjectId, key: KeyBlob, principal: str, namespace: str) -> ObjectId | None:
    """The newest commit that a tip reaches and that listed a key, which was not listed before it; None where none did."""
    return _since(past, tip, SIGNERS_FILE, lambda policy: bool(listing(policy, key, principal, namespace)))


def revoked_in(past: History, tip: ObjectId, key: KeyBlob) -> ObjectId | None:
    """The newest commit that a tip reaches and that revoked a key, which was not revoked before it; None where none did."""
    return _since(past, tip, REVOKED_FILE, lambda policy: key in policy.revoked)


def links(past: History, evidence: Evidence) -> Iterator[Evidence]:
    """The commit that listed a commit's key, the one that listed that one's, and so on back to the introduction."""
    introduction = past.board.desk.world.introduction
    for number in range(1, LINKS + 1):
        key, actor, law = evidence.attribution.key, evidence.attribution.actor, evidence.law
        if key is None or actor is None or law is None:
            return
        found = listed_in(past, law.commit, key, actor, evidence.namespace)
        if found is None:
            return
        evidence = Evidence(past, found, f"listing{number}")
        yield evidence
        if found == introduction:
            return


def _since(past: History, tip: ObjectId, path: bytes, has: Callable[[Policy], bool]) -> ObjectId | None:
    world = past.board.desk.world
    introduction = world.introduction
    for oid in (*past.changing(tip, (b":(literal)" + path,)), *([introduction] if introduction is not None else [])):
        parents = world.store.commit(oid).parents if oid != introduction else ()
        if _is(world, oid, has) and not any(_is(world, parent, has) for parent in parents):
            return oid
    return None


def _is(world: World, oid: ObjectId, has: Callable[[Policy], bool]) -> bool:
    policy = world.policy(oid) if world.trust_ids(oid)[0] is not None else None
    return policy is not None and has(policy)
