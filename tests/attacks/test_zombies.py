"""A session whose claim was taken away does not go on."""

import pytest

from tests.building import Clone, Repo, at
from tests.building.tasks import note


def reclaimed(repo: Repo, who: str = "builder") -> Clone:
    """builder's session holds the token `old`; alice reclaimed its task, and somebody has claimed it anew."""
    past = [note("agent:builder", "Read the old code", when=at(-175))]
    repo.task("FEAT-0").task("FEAT-1", "in_progress", writer="old", execution_notes=past).task("FEAT-2")
    zombie, alice = repo.clone("builder"), repo.clone("alice")
    alice.reclaim("FEAT-1").commit("FEAT-1: reclaim").push().accepted(perhaps={"CD310"})
    heir = repo.clone(who, "heir").fresh()
    heir.claim("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: claim", tokens=["new"]).push().accepted()
    return zombie


def test_case_28_the_old_token_does_nothing_on_the_newest_tip(repo: Repo) -> None:
    zombie = reclaimed(repo).fresh()
    zombie.note("FEAT-1").commit("FEAT-1: note", tokens=["old"]).push().refused("ID107", "FEAT-1")


@pytest.mark.parametrize("proof", ["git", "trailers"])
def test_case_28_a_zombies_note_is_refused_though_it_merges_clean(repo: Repo, proof: str) -> None:
    zombie = reclaimed(repo).note("FEAT-1").commit("FEAT-1: note", proof=proof, tokens=["old"])  # type: ignore[arg-type]
    zombie.pull().push().refused("ID107", "FEAT-1")


def test_case_28_a_zombies_hand_in_is_refused_whatever_its_merge_takes(repo: Repo) -> None:
    zombie = reclaimed(repo).hand_in("FEAT-1").commit("FEAT-1: hand in", tokens=["old"])
    zombie.pull("-X", "theirs").push().refused("ID107")


def test_case_28_a_zombies_rebased_note_is_refused(repo: Repo) -> None:
    zombie = reclaimed(repo).note("FEAT-1").commit("FEAT-1: note", proof="trailers", tokens=["old"])
    zombie.fetch().git("rebase", "-q", "origin/main")
    zombie.push().refused("ID101")


def test_case_28_a_zombie_learns_who_holds_the_task_now(repo: Repo) -> None:
    zombie = reclaimed(repo, "writer").note("FEAT-1").commit("FEAT-1: note", tokens=["old"])
    zombie.pull().push().refused("ID107", "agent:writer")


def test_the_heir_goes_on_undisturbed(repo: Repo) -> None:
    reclaimed(repo)
    heir = repo.clone("builder", "heir")
    heir.note("FEAT-1").commit("FEAT-1: note", tokens=["new"]).push().accepted()


def test_case_41_after_a_resume_the_old_session_is_a_zombie(repo: Repo) -> None:
    old, new = repo.task("FEAT-1", "in_progress", writer="old").clone("builder"), repo.clone("builder", "new")
    new.resume("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: resume", tokens=["new"]).push().accepted()
    old.note("FEAT-1").commit("FEAT-1: note", tokens=["old"]).pull().push().refused("ID107", "s-90")


def test_case_28_a_refused_note_of_a_zombie_does_not_freshen_the_claim(repo: Repo) -> None:
    zombie = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    heir = repo.clone("builder", "heir")
    push = zombie.note("FEAT-1").commit("FEAT-1: note", tokens=["wrong"]).push("HEAD:build/FEAT-1-topic")
    push.accepted()
    heir.fresh().resume("FEAT-1", writer=repo.keys.line("new")).commit(
        "FEAT-1: resume", tokens=["new"]
    ).push().accepted()


def test_a_session_does_not_move_its_token_to_another_key_without_a_resume(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    line, other = repo.keys.line("old"), repo.keys.line("other")
    builder.replace(line, other).commit("FEAT-1: key", tokens=["other"]).push().refused({"CD208", "ID107"})


def test_the_owner_of_a_returned_task_claims_it_before_it_goes_on(repo: Repo) -> None:
    zombie, alice = repo.task("FEAT-1", "to_be_tested", writer="old").clone("builder"), repo.clone("alice")
    alice.back("FEAT-1").commit("FEAT-1: back").push().accepted()
    zombie.fresh().note("FEAT-1").commit("FEAT-1: note", tokens=["old"])
    zombie.push().refused({"CD404", "CD403", "CD402", "CD203", "ID107"})
