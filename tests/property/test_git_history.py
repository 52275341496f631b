"""The commit graph against brute force and real Git, on random graphs with honest and with hostile dates."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.git.history import is_ancestor, merge_bases, new_commits
from codifica_guard.git.store import Store
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import Plain


@pytest.fixture(scope="module")
def repo() -> Iterator[Plain]:
    with tempfile.TemporaryDirectory() as folder:
        yield Plain(Path(folder) / "repo")


class Graph:
    """A random history: each commit has up to three older ones as parents."""

    def __init__(self, repo: Plain, seed: int, size: int, *, hostile: bool) -> None:
        chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
        self.parents: dict[ObjectId, tuple[ObjectId, ...]] = {}
        made: list[ObjectId] = []
        times: dict[ObjectId, int] = {}
        for number in range(size):
            count = chance.choice((0, 1, 1, 1, 2, 2, 3)) if made else 0
            near = made[-6:] if chance.random() < 0.8 else made
            parents = tuple(chance.sample(near, min(count, len(near))))
            floor = max((times[parent] for parent in parents), default=1000)
            time = (
                chance.choice((0, 1, 1000, 5000, 10**9, 253402300799))
                if hostile
                else floor + chance.choice((0, 0, 1, 9))
            )
            oid = repo.put_commit(parents, time, b"%d %d %d\n" % (seed, number, hostile))
            made.append(oid)
            times[oid] = time
            self.parents[oid] = parents
        self.all = made
        self.pick = chance.sample

    def reach(self, *tips: ObjectId) -> set[ObjectId]:
        seen: set[ObjectId] = set()
        waiting = list(tips)
        while waiting:
            oid = waiting.pop()
            if oid not in seen:
                seen.add(oid)
                waiting.extend(self.parents[oid])
        return seen

    def bases(self, a: ObjectId, b: ObjectId) -> set[ObjectId]:
        common = self.reach(a) & self.reach(b)
        return {oid for oid in common if not any(oid in self.reach(*self.parents[other]) for other in common)}


def in_order(graph: Graph, commits: tuple[ObjectId, ...]) -> bool:
    place = {oid: number for number, oid in enumerate(commits)}
    return all(place.get(parent, -1) < place[oid] for oid in commits for parent in graph.parents[oid])


def check(graph: Graph, store: Store, *, exact: bool) -> None:
    tips, known = graph.pick(graph.all, 2), graph.pick(graph.all, 2)
    got = new_commits(store, tips, known)
    expected = graph.reach(*tips) - graph.reach(*known)
    assert len(set(got)) == len(got)
    assert expected <= set(got) <= graph.reach(*tips)
    assert in_order(graph, got)
    if exact:
        assert set(got) == expected
    for _ in range(4):
        a, b = graph.pick(graph.all, 2)
        assert is_ancestor(store, a, b) == (a in graph.reach(b))
        assert merge_bases(store, a, b) == graph.bases(a, b) == merge_bases(store, b, a)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(4, 40))
def test_with_honest_dates_all_answers_are_exact(repo: Plain, seed: int, size: int) -> None:
    graph = Graph(repo, seed, size, hostile=False)
    with repo.store() as store:
        check(graph, store, exact=True)


@settings(max_examples=35, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(4, 40))
def test_with_hostile_dates_nothing_new_is_left_out_and_ancestry_is_exact(repo: Plain, seed: int, size: int) -> None:
    graph = Graph(repo, seed, size, hostile=True)
    with repo.store() as store:
        check(graph, store, exact=size <= 14)


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_git_says_the_same(repo: Plain, seed: int) -> None:
    graph = Graph(repo, seed, 15, hostile=False)
    a, b = graph.pick(graph.all, 2)
    with repo.store() as store:
        listed = repo.git("rev-list", a.decode(), f"^{b.decode()}").split()
        assert set(new_commits(store, [a], [b])) == set(listed)
        assert merge_bases(store, a, b) == set(repo.run("merge-base", "--all", a.decode(), b.decode()).stdout.split())
        by_git = repo.run("merge-base", "--is-ancestor", a.decode(), b.decode()).returncode == 0
        assert is_ancestor(store, a, b) == by_git
