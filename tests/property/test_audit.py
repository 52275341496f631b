"""An audit tells what the judge told when the pushes came in: of every commit, however they were cut, and however often it is asked."""

import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.audit import replay
from codifica_guard.audit.replayed import Replayed
from codifica_guard.model.finding import Finding
from codifica_guard.model.value import replace
from tests.property.tales import POLICY, Tale
from tests.unit.audit.bench import MAIN, Bench, Update, codes

SEEDS = st.integers(0, 2**32)
RELEASE = "refs/heads/release/1"


def pushes(bench: Bench, tale: Tale, seed: int) -> Iterator[list[Update]]:
    """A tale's commits in pushes as long as chance has it, to one or two branches; some go back, and are forced."""
    chance, place, last = random.Random(seed), 0, len(tale.commits) - 1  # noqa: S311 - seeded, to be the same every time
    while place < last:
        place = min(last, place + chance.choice((0, 1, 1, 2, 3, 5)))
        rows: list[Update] = []
        if chance.random() < 0.85:
            rows.append((MAIN, bench.at("main"), tale.commits[place]))
        if chance.random() < 0.25:
            rows.append((RELEASE, bench.at("release/1"), chance.choice(tale.commits[: place + 1])))
        if chance.random() < 0.3:
            rows.reverse()
        moved = [row for row in rows if row[1] != row[2]]
        if moved:
            yield moved


def by_judge(found: Replayed) -> set[Finding]:
    return {noted.finding for noted in found.findings if not noted.finding.code.startswith("AU")}


def timeless(found: Iterable[Finding]) -> set[Finding]:
    """Findings without what depends on when a side commit came in (how far a time lies ahead), and on how often a file did (ID108)."""
    return {replace(f, found="") if f.code == "CD108" else f for f in found if f.code != "ID108"}


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=SEEDS, length=st.integers(1, 24))
def test_an_audit_tells_what_the_judge_told(seed: int, length: int) -> None:
    """What was refused is forced in, with a receipt as if it had been accepted."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "repo", **POLICY)
        for rows in pushes(bench, Tale(bench, seed, length), seed):
            bench.receive(*rows)
        found = bench.audit(cached=False)
        told = {finding for verdict in bench.told for finding in verdict.findings}
        assert by_judge(found) == told
        # The introduction came in before there was a server, though it lists one.
        assert {code for code in codes(found) if code.startswith("AU")} <= {"AU103"}
        assert all(noted.receipt is not None for noted in found.findings if bench.receipts)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=SEEDS, length=st.integers(1, 20))
def test_what_was_kept_changes_nothing(seed: int, length: int) -> None:
    """After each push, with receipts and without, some of them paused, some behind the hook."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "repo", **POLICY)
        chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
        served, few = chance.random() < 0.7, chance.choice((0, 0, 2, replay.FEW))
        for rows in pushes(bench, Tale(bench, seed, length), seed):
            paused = "a purge" if chance.random() < 0.15 else None
            bench.receive(*rows, receipt=served and chance.random() < 0.85, paused=paused)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(replay, "FEW", few)
                assert bench.audit() == bench.audit(cached=False)


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_how_objects_are_packed_changes_nothing(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "repo", **POLICY)
        for rows in pushes(bench, Tale(bench, seed, 12), seed):
            bench.receive(*rows)
        loose = bench.audit(cached=False)
        bench.plain.git("repack", "-q", "-a", "-d", "--depth=50")
        bench.plain.git("pack-refs", "--all")
        assert bench.audit(cached=False) == loose


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=SEEDS, length=st.integers(1, 16))
def test_without_receipts_the_verdict_is_that_of_a_push_for_each_first_parent(seed: int, length: int) -> None:
    """As if main had been pushed step by step, each at the time of its commit."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "repo", **POLICY)
        tale = Tale(bench, seed, length)
        line = [tale.commits[-1]]
        while line[-1] != tale.intro:
            line.append(bench.parents[line[-1]][0])
        for new in reversed(line[:-1]):
            bench.main(new, receipt=False, now=bench.times[new])
        found = bench.audit(cached=False)
        assert found.chain.last == 0
        assert found.branches[0].order == "first parents"
        assert any("order from first parents" in note for note in found.notes) or not found.branches[0].commits
        told = [finding for verdict in bench.told for finding in verdict.findings]
        assert timeless(by_judge(found)) == timeless(told)
