"""Migrations: what a maintainer may rewrite once, by saying why, and what stays even then."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.building import Clone, Repo, at
from tests.building.clone import Proof
from tests.building.tasks import block, entry, note, task

WHY = [("Codifica-Migrate", "words of the old board")]


def site(repo: Repo) -> Repo:
    """A repository with a running task, a finished one, and one that waits."""
    past: dict[str, Any] = {"execution_notes": [note("agent:builder", "A long story", when=at(-100))]}
    return repo.task("FEAT-1", "in_progress", **past).task("FEAT-2", "done").task("FEAT-3", derived_from="FEAT-2")


def rewritten(clone: Clone) -> Clone:
    """Other words for the reason of a recorded transition."""
    first, *rest = clone.fields("FEAT-1")["state_transitions"]
    return clone.edit("FEAT-1", state_transitions=[{**first, "reason": "Begin"}, *rest])


ACTS: dict[str, tuple[str, Callable[[Clone], object]]] = {
    "an id of another form": ("CD103", lambda c: c.rewrite(lambda board: board.add(block(task("OLD 9"))))),
    "a task that goes": ("CD105", lambda c: c.drop("FEAT-2")),
    "another id": ("CD105", lambda c: c.replace("- id: FEAT-1", "- id: BUILD-1")),
    "a step that there is not": ("CD201", lambda c: c.move("FEAT-3", "done", completed_at=at())),
    "a transition rewritten": (
        "CD208",
        rewritten,
    ),
    "a note taken away": ("CD208", lambda c: c.edit("FEAT-1", execution_notes=[])),
    "a note for an agent": ("CD402", lambda c: c.append("FEAT-1", "execution_notes", note("agent:builder", "Moved"))),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("proof", ["git", "trailers"])
def test_a_maintainer_who_says_why_may_do_what_nobody_may(repo: Repo, act: str, proof: Proof) -> None:
    alice = site(repo).clone("alice")
    code, do = ACTS[act]
    do(alice)
    alice.commit("FEAT-1 FEAT-2 FEAT-3 OLD 9: as before", proof=proof).push().refused(code)
    alice.git("reset", "-q", "--soft", "HEAD^")
    alice.commit("FEAT-1 FEAT-2 FEAT-3 OLD 9: migrate", proof=proof, trailers=WHY).push().accepted()


@pytest.mark.parametrize("act", ["a task that goes", "a transition rewritten"])
def test_who_is_no_maintainer_migrates_nothing(repo: Repo, act: str) -> None:
    bob = site(repo).clone("bob")
    code, do = ACTS[act]
    do(bob)
    bob.commit("FEAT-1 FEAT-2: migrate", trailers=WHY).push().refused(code)


def test_an_agent_migrates_nothing(repo: Repo) -> None:
    builder = site(repo).clone("builder")
    builder.replace("note: A long story", "note: A story").commit("FEAT-1: migrate", trailers=WHY)
    builder.push().refused("CD208")


def test_nobody_unsigned_migrates_anything(repo: Repo) -> None:
    alice = site(repo).clone("alice")
    alice.drop("FEAT-2").commit("FEAT-2: migrate", proof="none", trailers=WHY).push().refused("ID106")


def test_a_migration_without_a_reason_is_none(repo: Repo) -> None:
    alice = site(repo).clone("alice").drop("FEAT-2")
    alice.commit("FEAT-2: migrate", trailers=[("Codifica-Migrate", "")]).push().refused("CD105")


KEPT: dict[str, tuple[str, dict[str, Any] | Callable[[Clone], object]]] = {
    "yaml that does not parse": ("ST101", lambda c: c.replace("title: Task FEAT-3", "title: `x`")),
    "a key twice": ("ST102", lambda c: c.replace("title: Task FEAT-3", "title: x\n  title: y")),
    "an id twice": ("CD104", lambda c: c.rewrite(lambda board: board.add(block(task("FEAT-3"))))),
    "no title": ("CD101", {"title": None}),
    "a state that is none": ("CD102", {"state": "doing"}),
    "a dependency that is not there": ("CD306", {"depends_on": ["NONE-1"]}),
    "a circle": ("CD308", {"depends_on": ["FEAT-3"]}),
    "a time that is none": ("CD108", {"completed_at": "soon"}),
    "running and nobody's": ("CD309", {"state": "in_progress", "owner": "unassigned"}),
}


@pytest.mark.parametrize("act", KEPT)
def test_what_stays_even_in_a_migration(repo: Repo, act: str) -> None:
    alice = site(repo).clone("alice")
    code, do = KEPT[act]
    if callable(do):
        do(alice)
    else:
        alice.edit("FEAT-3", **do)
    alice.commit("FEAT-3: migrate", trailers=WHY).push().refused(code)


def test_a_merge_migrates_nothing(repo: Repo) -> None:
    alice, bob = site(repo).clone("alice"), repo.clone("bob")
    bob.edit("FEAT-3", priority="high").commit("FEAT-3: sooner").push().accepted()
    alice.code("code", proof="git").git("fetch", "-q")
    alice.git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    alice.drop("FEAT-2").commit("Merge", trailers=WHY).push().refused({"CD501", "CD105"})


def test_a_migration_is_a_humans_act(repo: Repo) -> None:
    alice = site(repo).clone("alice").drop("FEAT-3")
    alice.commit("FEAT-3: migrate", author_when=-60, trailers=WHY).push().refused("ID112", "it is a migration")


def test_log_tells_migrations_and_why(repo: Repo) -> None:
    alice = site(repo).clone("alice")
    rewritten(alice)
    alice.commit("FEAT-1: migrate", trailers=WHY).push().accepted()
    alice.edit("FEAT-1", title="Other words").commit("FEAT-1: title", trailers=WHY).push().accepted()
    alice.edit("FEAT-1", priority="low").commit("FEAT-1: later").push().accepted()
    later, titled, migrated = alice.guard("log", "FEAT-1", "--json").json["data"]["steps"][:-4:-1]
    assert [step["migration"] for step in (later, titled, migrated)] == [None, WHY[0][1], WHY[0][1]]
    assert [step["edited"] for step in (later, titled, migrated)] == [["priority"], ["title"], []]
    told = alice.guard("log", "FEAT-1").said.splitlines()
    assert any("migrated " in line and f'migration "{WHY[0][1]}"' in line for line in told)
    assert any("migrated, edited title" in line for line in told)
    assert sum("migrat" in line for line in told) == 2


def test_the_entry_of_an_old_transition_is_put_in_by_a_migration(repo: Repo) -> None:
    alice = site(repo).clone("alice")
    row = entry("todo", "in_progress", "agent:builder", when=at(-300), reason="Before the board")
    before = alice.fields("FEAT-1")["state_transitions"]
    alice.edit("FEAT-1", state_transitions=[row, *before]).commit("FEAT-1: migrate", trailers=WHY).push().accepted()
