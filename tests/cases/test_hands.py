"""Whose hand it was: decisions that pass through others' hands, dead sessions, first policies, plain editing."""

from collections.abc import Callable

import pytest

from tests.building import Clone, Repo, at
from tests.building.repo import NAMESPACES
from tests.building.tasks import review

Act = Callable[[Clone], object]


# -- 39: laundering


WAYS: dict[str, Act] = {
    "rebase": lambda alice: alice.checkout("origin/topic").git("rebase", "-q", "-S", "origin/main"),
    "rebase --apply": lambda alice: alice.checkout("origin/topic").git("rebase", "-q", "--apply", "-S", "origin/main"),
    "rebase -i": lambda alice: alice.checkout("origin/topic").git(
        "rebase", "-q", "-i", "-S", "origin/main", env={"GIT_SEQUENCE_EDITOR": "sed -i s/^pick/reword/"}
    ),
    "cherry-pick": lambda alice: alice.git("cherry-pick", "-S", "origin/topic"),
    "cherry-pick -x": lambda alice: alice.git("cherry-pick", "-x", "-s", "-S", "origin/topic"),
    "am": lambda alice: alice.git("am", "-q", "-S", data=_patch(alice)),
    "amend": lambda alice: (
        alice.git("cherry-pick", "origin/topic"),
        alice.git("commit", "-q", "--amend", "-S", "-m", "FEAT-1: done"),
    ),
    "commit -C": lambda alice: (
        alice.git("cherry-pick", "-n", "origin/topic"),
        alice.git("commit", "-q", "-S", "-C", "origin/topic"),
    ),
}


def _patch(alice: Clone) -> bytes:
    return (alice.git("format-patch", "--stdout", "-1", "origin/topic") + "\n\n").encode()


def parked(repo: Repo) -> Clone:
    """An agent's unsigned "done" waits on a free branch, and main has moved; alice's clone, at main."""
    builder, alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder"), repo.clone("alice")
    builder.switch("topic").close("FEAT-1").commit("FEAT-1: done", proof="none", when=-5).push("HEAD:topic").accepted()
    repo.clone("writer").code("main moves").push().accepted()
    return alice.fetch().checkout("origin/main")


@pytest.mark.parametrize("way", WAYS)
def test_case_39_what_goes_through_her_hands_is_not_hers_until_she_says_so(repo: Repo, way: str) -> None:
    alice = parked(repo)
    WAYS[way](alice)
    alice.push().refused("ID112", "human:alice", "git commit --amend -S --no-edit --reset-author")
    # It says "by: agent:builder" still, which is not what she did.
    alice.edit("FEAT-1", state_transitions=alice.fields("FEAT-1")["state_transitions"][:-1])
    alice.git("commit", "-q", "-a", "--amend", "-S", "--no-edit", "--reset-author")
    alice.push().accepted(warnings={"CD207"})


@pytest.mark.guard
@pytest.mark.parametrize("way", ["cherry-pick", "rebase"])
def test_case_39_the_verb_that_signs_does_not_launder_and_the_verb_that_approves_is_an_approval(
    repo: Repo, way: str
) -> None:
    alice = parked(repo)
    if way == "rebase":
        alice.checkout("origin/topic").git("rebase", "-q", "origin/main")
    else:
        alice.git("cherry-pick", "origin/topic")
    unsigned = alice.head()
    done = alice.guard("sign", "origin/main..HEAD")
    assert (done.code, alice.head()) == (1, unsigned), done.said
    assert "ID112" in done.said
    alice.push().refused("ID106", "FEAT-1")
    alice.fresh()
    assert alice.guard("approve", "FEAT-1").code == 0
    assert repo.fields("FEAT-1")["state"] == "done"


# -- 41: a session died


@pytest.mark.parametrize("what", ["approves", "returns"])
def test_case_41_a_human_decides_about_a_task_whose_session_died(repo: Repo, what: str) -> None:
    alice = repo.policy(writer_tokens="required").task("FEAT-1", "to_be_tested", writer="lost").clone("alice")
    if what == "approves":
        alice.approve("FEAT-1").commit("FEAT-1: approve").push().accepted()
        return
    alice.back("FEAT-1", human_review=review("needs_work", "human:alice")).commit("FEAT-1: back").push().accepted()
    builder = repo.clone("builder").fresh()
    builder.claim("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: claim", tokens=["new"]).push().accepted()


def test_case_41_a_resume_is_refused_too_early_taken_in_time_and_the_old_session_is_out(repo: Repo) -> None:
    repo.policy(writer_tokens="required").task("FEAT-1", "in_progress", writer="old")
    old, heir = repo.clone("builder"), repo.clone("builder", "heir")
    old.note("FEAT-1", when=at(-30)).commit("FEAT-1: note", tokens=["old"], when=-30).push().accepted()
    heir.fresh().resume("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: resume", tokens=["new"])
    heir.push().refused("CD314", "FEAT-1")
    repo.clock(35)
    heir.push().accepted()
    old.note("FEAT-1", "I am back").commit("FEAT-1: note", tokens=["old"]).pull().push().refused("ID107", "s-90")
    heir.note("FEAT-1").commit("FEAT-1: note", tokens=["new"]).push().accepted()


# -- 42: the first policy


@pytest.mark.parametrize("proof", ["git", "trailers", "none"])
@pytest.mark.parametrize("names", ["itself", "alice"])
def test_case_42_a_server_that_awaits_a_maintainer_takes_no_first_policy_of_an_agents(
    repo: Repo, proof: str, names: str
) -> None:
    repo.not_introduced().task("FEAT-1")
    builder, alice = repo.clone("builder"), repo.clone("alice")
    mine = repo.trust_files(maintainers=["human:mallory" if names == "itself" else "human:alice"])
    if names == "itself":
        mine[".codifica/allowed_signers"] = f"human:mallory {NAMESPACES} {repo.keys.line('builder')}\n"
    actor = "human:mallory" if names == "itself" else None
    builder.write_all(mine).commit("Introduce the guard", proof=proof, actor=actor)  # type: ignore[arg-type]
    builder.push().refused("ID110")
    builder.push("HEAD:topic").accepted(silent=True)  # nothing is judged there yet
    alice.write_all(repo.trust_files()).commit("Introduce the guard").push().accepted()
    builder.fetch().checkout("origin/topic").merge("origin/main", options=["-X", "theirs"])
    builder.push("HEAD:main").refused({"ID110", "ID109"})


# -- 43: one word by hand


@pytest.mark.guard
def test_case_43_a_word_changed_by_hand_and_signed_warns_and_fix_fills_in_the_rest(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done").commit("FEAT-1: looks good").push().accepted(warnings={"CD207", "CD209"})
    alice.edit("FEAT-2", state="done")
    done = alice.guard("fix", "-m", "Looks good")
    assert done.code == 0, done.said
    entry = alice.fields("FEAT-2")["state_transitions"][-1]
    assert (entry["from"], entry["to"], entry["by"]) == ("to_be_tested", "done", "human:alice")
    assert alice.fields("FEAT-2")["completed_at"]
    alice.commit("FEAT-2: looks good").push().accepted()


def test_case_43_the_same_word_unsigned_is_refused_with_the_two_lines_of_settings(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done").commit("FEAT-1: looks good", proof="none").push().refused(
        "ID106",
        "to_be_tested -> done",
        "git config gpg.format ssh",
        "git config user.signingkey ~/.ssh/id_ed25519.pub",
        "git commit --amend -S --no-edit --reset-author",
    )


# -- 48: a branch by another name, and branches with policies of their own


@pytest.mark.guard
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("way", ["to the alias", "deletes the alias"])
def test_case_48_a_symbolic_ref_that_leads_to_main_is_main(repo: Repo, depth: int, way: str) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder")
    target = "refs/heads/main"
    for number in range(depth):
        repo.on_server("symbolic-ref", f"refs/heads/alias{number}", target)
        target = f"refs/heads/alias{number}"
    last = f"alias{depth - 1}"
    if way == "deletes the alias":
        builder.push_as("origin", f":refs/heads/{last}", wanted={}).refused_by_git()
        return
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    wanted = {"refs/heads/main": builder.head()}
    builder.push_as("origin", f"HEAD:refs/heads/{last}", wanted=wanted).refused("ID106", "FEAT-1")
    builder.fresh().claim("FEAT-2").commit("FEAT-2: claim")
    wanted = {"refs/heads/main": builder.head()}
    builder.push_as("origin", f"HEAD:refs/heads/{last}", wanted=wanted).accepted()
