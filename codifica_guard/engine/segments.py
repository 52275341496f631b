"""Which commits a ref update brings, in first-parent steps: one push or ten, the verdict is the same."""

from collections.abc import Iterator

from codifica_guard.engine.world import World
from codifica_guard.git.history import first_parents, is_ancestor, new_commits
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.value import value


@value
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


def segments(
    world: World, old: ObjectId | None, new: ObjectId, floor: ObjectId | None, *, bounded: bool = True
) -> Iterator[Segment]:
    """The steps of an update, oldest first.

    Args:
        world: what is read.
        old: the branch's old tip; None where it is born.
        new: its new tip, which descends from the old one.
        floor: the old tip, or where another branch is born the coordination branch's tip; None where there is neither.
        bounded: whether it may bring no more commits than a push may.
    """
    fresh = new_commits(world.store, (new,), known_before(world, floor), bounded=bounded)
    place = {oid: number for number, oid in enumerate(fresh)}
    rest = set(fresh)
    chain: list[ObjectId] = []
    end: ObjectId | None = None
    for oid in first_parents(world.store, new):
        if oid not in rest:
            end = oid
            break
        chain.append(oid)
    start = _known_start(world, end, floor, bounded=bounded) if end is not None and floor is not None else end
    base = floor
    if old is not None and start != old:
        chain = chain[:1]  # the old tip came in from the side: one step, judged against it
    elif start != end:
        base = end
    for tip in reversed(chain):
        taken = _reach(world, tip, rest)
        step = tuple(sorted(taken, key=place.__getitem__))
        rest -= taken
        yield Segment(base=base, tip=tip, new=step, with_base=_with_base(world, step, base))
        base = tip


def _known_start(world: World, end: ObjectId, floor: ObjectId, *, bounded: bool) -> ObjectId | None:
    """The first commit on a first-parent line that the floor reaches.

    Where the floor lies before the introduction, the line may go on through old commits that the floor does not reach.
    """
    if world.rooted(floor):
        return end  # it reaches all that is older than the introduction
    beyond = set(new_commits(world.store, (end,), (floor,), bounded=bounded))
    return next((oid for oid in first_parents(world.store, end) if oid not in beyond), None)


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
    among = set(step)
    # What is no part of the step is older than its base, unless the base is older than the introduction.
    exact = base is not None and not world.rooted(base)
    for oid in step:
        for parent in world.store.commit(oid).parents:
            if parent == base or parent in found:
                found.add(oid)
                break
            if exact and base is not None and parent not in among and is_ancestor(world.store, base, parent):
                found.add(oid)
                break
    return frozenset(found)
