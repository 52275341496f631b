"""The history that a task carries: each entry says what happened, and none is ever rewritten."""

import pytest

from tests.building import Repo, at
from tests.building.tasks import entry

# -- the history in the task


@pytest.mark.parametrize(
    "wrong",
    [
        entry("todo", "to_be_tested", "agent:builder"),
        entry("in_progress", "done", "agent:builder"),
        entry("in_progress", "to_be_tested", "human:alice"),
        entry("in_progress", "to_be_tested", "agent:writer"),
    ],
    ids=["another from", "another to", "a human's name", "another agent's name"],
)
def test_an_entry_that_does_not_say_what_happened_is_refused(repo: Repo, wrong: dict[str, str]) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", without={"entry"}).append("FEAT-1", "state_transitions", {**wrong, "timestamp": at()})
    builder.commit("FEAT-1: hand in").push().refused({"CD207", "CD203"})


def test_a_transition_without_its_entry_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", without={"entry"}).commit("FEAT-1: hand in").push().refused("CD207")


def test_two_entries_for_one_transition_are_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder").hand_in("FEAT-1")
    builder.append("FEAT-1", "state_transitions", entry("in_progress", "to_be_tested", "agent:builder", reason="Again"))
    builder.commit("FEAT-1: hand in").push().refused("CD207")


def test_an_entry_without_a_transition_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.append("FEAT-1", "state_transitions", entry("in_progress", "to_be_tested", "agent:builder"))
    builder.commit("FEAT-1: entry").push().refused({"CD207", "CD403"})


@pytest.mark.parametrize("by", ["human", "human:alice"])
def test_a_humans_entry_may_say_human_or_the_name(repo: Repo, by: str) -> None:
    repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1", by=by).commit(
        "FEAT-1: approve"
    ).push().accepted()


def test_a_human_may_add_the_entry_that_is_missing(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done", completed_at=at()).commit("FEAT-1: approve").push().accepted(warnings={"CD207"})
    alice.append("FEAT-1", "state_transitions", entry("to_be_tested", "done", "human:alice", reason="Looks good"))
    alice.commit("FEAT-1: the entry that was missing").push().accepted()


@pytest.mark.parametrize("who", ["builder", "alice"])
def test_a_recorded_transition_is_not_rewritten(repo: Repo, who: str) -> None:
    clone = repo.task("FEAT-1", "in_progress").clone(who)
    clone.replace("reason: Starting work", "reason: Starting it").commit("FEAT-1: better words").push().refused("CD208")


@pytest.mark.parametrize("who", ["builder", "alice"])
def test_a_recorded_transition_is_not_removed(repo: Repo, who: str) -> None:
    clone = repo.task("FEAT-1", "in_progress").clone(who)
    clone.edit("FEAT-1", state_transitions=[]).commit("FEAT-1: tidy").push().refused("CD208")


def test_a_migration_by_a_maintainer_may_rewrite_history(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    alice.replace("reason: Starting work", "reason: Starting it")
    alice.commit(
        "FEAT-1: migrate", proof="both", trailers=[("Codifica-Migrate", "Words of version 0.1")]
    ).push().accepted()


def test_a_migration_by_another_human_rewrites_nothing(repo: Repo) -> None:
    bob = repo.task("FEAT-1", "in_progress").clone("bob")
    bob.replace("reason: Starting work", "reason: Starting it")
    bob.commit("FEAT-1: migrate", proof="both", trailers=[("Codifica-Migrate", "Words of version 0.1")]).push().refused(
        {"CD208", "ID109"}
    )
