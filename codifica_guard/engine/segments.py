"""Which commits a ref update brings, in first-parent steps: one push or ten, the verdict is the same."""

from collections.abc import Iterator
from dataclasses import dataclass

from codifica_guard.engine.world import World
from codifica_guard.git.history import first_parents, new_commits
from codifica_guard.model.ids import ObjectId


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One first-parent step of a branch.

    Attributes:
        base: the tip before the step; None where the branch began.
        tip: the tip after it.
        new: commits that the step brings, parents first.
        with_base: those of them that descend from the base.
    """

    base: ObjectId | None
    tip: ObjectId
    new: tuple[ObjectId, ...]
    with_base: frozenset[ObjectId]


def known_before(world: World, floor: ObjectId | None) -> tuple[ObjectId, ...]:
    """Commits whose history is not new: the floor's, and what lies before the introduction."""
    before = world.store.commit(world.introduction).parents if world.introduction is not None else ()
    return (*((floor,) if floor is not None else ()), *before)


def segments(world: World, old: ObjectId | None, new: ObjectId, floor: ObjectId | None) -> Iterator[Segment]:
    """The steps of an update, oldest first.

    Args:
        world: what is read.
        old: the branch's old tip; None where it is born.
        new: its new tip, which descends from the old one.
        floor: the old tip, or where another branch is born the coordination branch's tip; None where there is neither.
    """
    fresh = new_commits(world.store, (new,), known_before(world, floor))
    rest = set(fresh)
    chain: list[ObjectId] = []
    end: ObjectId | None = None
    for oid in first_parents(world.store, new):
        if oid not in rest:
            end = oid
            break
        chain.append(oid)
    if old is not None and end != old:
        chain = chain[:1]  # the old tip came in from the side: one step, judged against it
    base = floor
    for tip in reversed(chain):
        taken = _reach(world, tip, rest)
        step = tuple(oid for oid in fresh if oid in taken)
        rest -= taken
        yield Segment(base=base, tip=tip, new=step, with_base=_with_base(world, step, base))
        base = tip


def _reach(world: World, tip: ObjectId, among: set[ObjectId]) -> set[ObjectId]:
    """Commits among some that a tip reaches."""
    found, queue = {tip}, [tip]
    while queue:
        for parent in world.store.commit(queue.pop()).parents:
            if parent in among and parent not in found:
                found.add(parent)
                queue.append(parent)
    return found


def _with_base(world: World, step: tuple[ObjectId, ...], base: ObjectId | None) -> frozenset[ObjectId]:
    found: set[ObjectId] = set()
    for oid in step:
        parents = world.store.commit(oid).parents
        if any(p == base or p in found for p in parents):
            found.add(oid)
    return frozenset(found)
