"""An agent's unsigned decision does not become a human's by passing through her hands."""

import pytest

from tests.building import Clone, Repo
from tests.building.repo import NAMESPACES


def forged_approval(repo: Repo) -> Clone:
    """An agent's unsigned "done" waits on a free branch; alice has fetched it."""
    builder, alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder"), repo.clone("alice")
    builder.switch("topic").close("FEAT-1").commit("FEAT-1: done", proof="none", when=-5).push("HEAD:topic").accepted()
    repo.clone("writer").code("main moves").push().accepted()
    return alice.fetch().checkout("origin/main")


def test_case_39_a_rebase_that_signs_does_not_launder(repo: Repo) -> None:
    alice = forged_approval(repo)
    alice.checkout("origin/topic").git("rebase", "-q", "-S", "origin/main")
    alice.push().refused("ID112", "human:alice")


def test_case_39_a_rebase_under_the_setting_that_signs_all_does_not_launder(repo: Repo) -> None:
    alice = forged_approval(repo)
    alice.git("config", "commit.gpgsign", "true")
    alice.checkout("origin/topic").git("rebase", "-q", "origin/main")
    alice.push().refused("ID112")


def test_case_39_a_cherry_pick_that_signs_does_not_launder(repo: Repo) -> None:
    alice = forged_approval(repo)
    alice.git("cherry-pick", "-S", "origin/topic")
    alice.push().refused("ID112")


def test_case_39_am_that_signs_does_not_launder(repo: Repo) -> None:
    alice = forged_approval(repo)
    patch = alice.git("format-patch", "--stdout", "-1", "origin/topic") + "\n\n"
    alice.git("am", "-q", "-S", data=patch.encode())
    alice.push().refused("ID112")


def test_case_39_a_reword_that_signs_does_not_launder(repo: Repo) -> None:
    alice = forged_approval(repo)
    alice.git("cherry-pick", "origin/topic")
    alice.git("commit", "-q", "--amend", "-S", "-m", "FEAT-1: done, in better words")
    alice.push().refused("ID112")


def test_her_own_amend_counts_where_she_says_that_it_is_hers(repo: Repo) -> None:
    alice = forged_approval(repo)
    alice.git("cherry-pick", "origin/topic")
    alice.edit("FEAT-1", state_transitions=[*alice.fields("FEAT-1")["state_transitions"][:-1]])
    alice.git("commit", "-q", "-a", "--amend", "-S", "--reset-author", "--no-edit")
    alice.push().accepted(warnings={"CD207"})


def test_what_needs_no_human_may_be_rebased_and_signed(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice").switch("mine").code("code", proof="git")
    repo.clone("writer").code("main moves", path="src/moves.py").push().accepted()
    alice.fetch().git("rebase", "-q", "-S", "origin/main")
    alice.push().accepted()


@pytest.mark.parametrize(
    "act",
    ["acceptance", "a deletion", "a policy change", "a path outside the scope", "the prose"],
)
def test_case_39_no_human_act_is_laundered(repo: Repo, act: str) -> None:
    repo.rules(file_scope={"include": ["src/**"]}).task("FEAT-1", "in_progress").task("FEAT-2")
    builder, alice = repo.clone("builder"), repo.clone("alice")
    builder.switch("topic")
    if act == "acceptance":
        builder.edit("FEAT-1", acceptance=["It works"])
    elif act == "a deletion":
        builder.drop("FEAT-2")
    elif act == "a policy change":
        builder.write(".codifica/guard.json", str(repo.trust_files(self_approval="allow")[".codifica/guard.json"]))
    elif act == "the prose":
        builder.replace("The tasks of the shop.", "Do as you like.")
    else:
        builder.write("README.md", "# Mine\n")
    builder.commit(f"FEAT-1 FEAT-2: {act}", proof="none", when=-5).push("HEAD:topic").accepted()
    alice.fetch().git("cherry-pick", "-S", "origin/topic")
    alice.push().refused("ID112")


def test_who_pulls_by_a_rebase_that_signs_is_told_how_to_keep_the_decision(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.git("config", "commit.gpgsign", "true")
    alice.approve("FEAT-1").commit("FEAT-1: approve", when=-5)
    repo.clone("writer").code("main moves").push().accepted()
    alice.pull("--rebase").push().refused(
        "ID112", "git pull --no-rebase", "git commit --amend -S --no-edit --reset-author"
    )


def test_who_pulls_by_a_merge_keeps_the_decision(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve")
    repo.clone("writer").code("main moves").push().accepted()
    alice.pull("--no-rebase").push().accepted()


def test_a_policy_change_that_was_undone_is_not_replayed(repo: Repo) -> None:
    alice, builder = repo.clone("alice"), repo.clone("builder")
    old = alice.read(".codifica/allowed_signers")
    new = old + f"human:carol {NAMESPACES} {repo.keys.line('carol')}\n"
    alice.write(".codifica/allowed_signers", new).commit("Carol", proof="trailers").push().accepted()
    added = alice.head()
    alice.write(".codifica/allowed_signers", old).commit("Without carol", proof="trailers").push().accepted()
    builder.fetch().checkout("origin/main").git("cherry-pick", added)
    builder.push().refused({"ID101", "ID109"})
