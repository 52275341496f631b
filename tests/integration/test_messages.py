"""Messages: an agent's commit names a task that it changes, and nothing else rests on words."""

import pytest

from tests.building import Repo
from tests.building.clone import Proof

pytestmark = pytest.mark.cold


@pytest.mark.parametrize("proof", ["git", "trailers"])
@pytest.mark.parametrize("message", ["progress", "FEAT-2: progress", "FEAT-10: progress", "X-FEAT-1: progress"])
def test_an_agents_commit_that_names_no_task_of_its_own_is_refused(repo: Repo, message: str, proof: Proof) -> None:
    builder = repo.task("FEAT-1", "in_progress").task("FEAT-2").clone("builder").note("FEAT-1")
    builder.commit(message, proof=proof).push().refused("CD412", "FEAT-1", "git commit --amend")


@pytest.mark.parametrize("message", ["FEAT-1: progress", "Half of feat-1", "Half of it\n\nRefs: FEAT-1"])
def test_an_agents_commit_names_its_task_anywhere(repo: Repo, message: str) -> None:
    repo.task("FEAT-1", "in_progress").clone("builder").note("FEAT-1").commit(message).push().accepted()


def test_one_of_several_tasks_is_enough(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").task("FEAT-2", "in_progress").clone("builder")
    builder.note("FEAT-1").note("FEAT-2").commit("FEAT-2: notes").push().accepted()


def test_a_human_is_told_only(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice").edit("FEAT-1", priority="high")
    alice.commit("What matters").push().accepted(warnings={"CD412"})


def test_the_way_that_the_refusal_tells_works(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder").note("FEAT-1").commit("progress", proof="trailers")
    builder.push().refused("CD412")
    builder.git("commit", "-q", "--amend", "-m", "FEAT-1: progress")
    builder.guard("sign", "HEAD")
    builder.push().accepted()


def test_a_merge_names_nothing(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1", "in_progress").task("FEAT-2").clone("builder"), repo.clone("writer")
    builder.note("FEAT-1").commit("FEAT-1: note")
    writer.code("code").push().accepted()
    builder.pull().push().accepted()


def test_an_older_commit_of_a_push_is_named(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder").note("FEAT-1").commit("progress")
    nameless = builder.head()
    builder.note("FEAT-1", "More").commit("FEAT-1: more").push().refused("CD412", nameless[:7], "git rebase -i")


def test_what_else_is_wrong_with_the_task_is_told_instead(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", "agent:writer").clone("builder")
    builder.hand_in("FEAT-1").commit("done").push().refused("CD203", without={"CD412"})


def test_a_message_is_no_humans_act(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice").add("FEAT-9")
    alice.commit("One more", author_when=-60).push().accepted(warnings={"CD412"})


def test_code_and_the_text_around_tasks_need_no_task(repo: Repo) -> None:
    repo.clone("builder").code("more", proof="git").push().accepted()
    alice = repo.clone("alice").fresh().replace("The tasks of the shop.", "The tasks, week 49.")
    alice.commit("Week 49").push().accepted()
