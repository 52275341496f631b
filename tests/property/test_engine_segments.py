"""First-parent steps: the definition, written down a second time and held against random histories."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.engine.segments import Segment, segments
from codifica_guard.engine.world import World
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import Plain


@pytest.fixture(scope="module")
def repo() -> Iterator[Plain]:
    with tempfile.TemporaryDirectory() as folder:
        yield Plain(Path(folder) / "repo", bare=True)


class Graph:
    """A random history that may have several roots; each commit has up to three older ones as parents."""

    def __init__(self, repo: Plain, seed: int, size: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
        self.parents: dict[ObjectId, tuple[ObjectId, ...]] = {}
        self.all: list[ObjectId] = []
        for number in range(size):
            count = self.chance.choice((0, 1, 1, 1, 1, 2, 2, 2, 3)) if self.all else 0
            near = self.all[-5:] if self.chance.random() < 0.8 else self.all
            parents = tuple(self.chance.sample(near, min(count, len(near))))
            oid = repo.put_commit(parents, 1_700_000_000 + 60 * number, b"%d %d\n" % (seed, number))
            self.parents[oid] = parents
            self.all.append(oid)

    def reach(self, *tips: ObjectId | None) -> set[ObjectId]:
        seen: set[ObjectId] = set()
        waiting = [t for t in tips if t is not None]
        while waiting:
            oid = waiting.pop()
            if oid not in seen:
                seen.add(oid)
                waiting.extend(self.parents[oid])
        return seen

    def naive(
        self, old: ObjectId | None, new: ObjectId, floor: ObjectId | None, intro: ObjectId | None
    ) -> list[tuple[ObjectId | None, ObjectId, set[ObjectId], set[ObjectId]]]:
        """The definition: base, tip, new commits, those of them that reach the base. Steps without commits are left out."""
        before = self.reach(intro) - {intro} if intro is not None else set()
        known = self.reach(floor) if floor is not None else before
        chain: list[ObjectId] = []
        oid: ObjectId | None = new
        while oid is not None and oid not in known:
            chain.append(oid)
            oid = self.parents[oid][0] if self.parents[oid] else None
        if old is not None and oid != old:
            chain = [new]
        steps: list[tuple[ObjectId | None, ObjectId, set[ObjectId], set[ObjectId]]] = []
        base = floor
        for tip in reversed(chain):
            fresh = self.reach(tip) - self.reach(base) - self.reach(floor) - before
            if fresh:
                steps.append((base, tip, fresh, {x for x in fresh if base is not None and base in self.reach(x)}))
            base = tip
        return steps


def told(graph: Graph, found: list[Segment]) -> list[tuple[ObjectId | None, ObjectId, set[ObjectId], set[ObjectId]]]:
    for step in found:
        place = {oid: number for number, oid in enumerate(step.new)}
        assert len(place) == len(step.new)
        assert all(place.get(p, -1) < place[x] for x in step.new for p in graph.parents[x])
    return [(s.base, s.tip, set(s.new), set(s.with_base)) for s in found]


def world_of(repo: Plain, graph: Graph, intro: ObjectId | None, *commits: ObjectId | None) -> World:
    world = World(repo.store(), intro)
    for oid in graph.all:  # trees are empty here: what a policy in a tree would say is said instead
        world._rooted[oid] = intro is not None and intro in graph.reach(oid)
    assert all(c is None or c in graph.parents for c in commits)
    return world


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    size=st.integers(2, 24),
    kind=st.sampled_from(["moved", "born", "first"]),
    pinned=st.booleans(),
)
def test_steps_are_those_of_the_definition(repo: Plain, seed: int, size: int, kind: str, pinned: bool) -> None:  # noqa: FBT001
    graph = Graph(repo, seed, size)
    new = graph.all[-1]
    below = sorted(graph.reach(new) - {new})
    intro = graph.chance.choice([*below, new]) if pinned else None
    old: ObjectId | None = None
    floor: ObjectId | None = None
    if kind == "moved":
        if not below:
            return
        floor = old = graph.chance.choice(below)
    elif kind == "born":
        floor = graph.chance.choice(graph.all[:-1])
    world = world_of(repo, graph, intro, old, floor)
    with world.store:
        assert told(graph, list(segments(world, old, new, floor))) == graph.naive(old, new, floor, intro)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(3, 24), parts=st.integers(1, 6))
def test_a_branch_that_moves_in_several_pushes_makes_the_same_steps(
    repo: Plain, seed: int, size: int, parts: int
) -> None:
    graph = Graph(repo, seed, size)
    line = [graph.all[-1]]
    while graph.parents[line[-1]]:
        line.append(graph.parents[line[-1]][0])
    line.reverse()
    if len(line) < 2:
        return
    cuts = sorted(graph.chance.sample(range(1, len(line) - 1), min(parts, len(line) - 2))) if len(line) > 2 else []
    world = world_of(repo, graph, line[0])
    with world.store:
        whole = list(segments(world, line[0], line[-1], line[0]))
        pieces: list[Segment] = []
        start = 0
        for stop in [*cuts, len(line) - 1]:
            pieces += segments(world, line[start], line[stop], line[start])
            start = stop
        assert told(graph, pieces) == told(graph, whole)
