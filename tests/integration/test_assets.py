"""Evidence below `assets/`: who adds it where, and that nobody exchanges it."""

import pytest

from tests.building import Clone, Repo
from tests.building.clone import Proof

SHOT = "assets/FEAT-1/shot.txt"


def evidence(repo: Repo, who: str) -> Clone:
    """A clone of a repository in which builder works on FEAT-1, that has evidence already."""
    return (
        repo.task("FEAT-1", "in_progress")
        .task("FEAT-2")
        .file(SHOT, "first\n")
        .file("assets/logo.txt", "x\n")
        .clone(who)
    )


@pytest.mark.parametrize("proof", ["git", "trailers", "none"])
def test_an_agent_adds_evidence_of_its_task(repo: Repo, proof: Proof) -> None:
    evidence(repo, "builder").code("FEAT-1: evidence", path="assets/FEAT-1/after.txt", proof=proof).push().accepted()


@pytest.mark.parametrize("path", [SHOT, "assets/logo.txt"])
@pytest.mark.parametrize("text", ["second\n", None], ids=["changed", "deleted"])
@pytest.mark.parametrize(("who", "proof"), [("builder", "git"), ("builder", "none"), ("alice", "none")])
def test_evidence_is_not_exchanged(repo: Repo, who: str, proof: Proof, text: str | None, path: str) -> None:
    clone = evidence(repo, who).write(path, text).commit("FEAT-1: evidence", proof=proof)
    clone.push().refused("CD406", path, without={"CD407"})


@pytest.mark.parametrize("text", ["second\n", None], ids=["changed", "deleted"])
def test_a_human_who_signs_arranges_evidence(repo: Repo, text: str | None) -> None:
    evidence(repo, "alice").write(SHOT, text).commit("FEAT-1: evidence").push().accepted()


def test_evidence_is_not_renamed_by_an_agent(repo: Repo) -> None:
    builder = evidence(repo, "builder")
    builder.git("mv", SHOT, "assets/FEAT-1/old.txt")
    builder.commit("FEAT-1: tidy").push().refused("CD406", "deletes a file below assets/")


def test_evidence_is_not_made_executable_by_an_agent(repo: Repo) -> None:
    builder = evidence(repo, "builder")
    builder.git("update-index", "--chmod=+x", SHOT)
    builder.commit("FEAT-1: run it", only_index=True).push().refused("CD406")


@pytest.mark.parametrize("mode", ["120000", "160000"], ids=["link", "submodule"])
@pytest.mark.parametrize("path", ["assets/FEAT-1/shown.txt", SHOT])
def test_evidence_is_no_link_to_something_else(repo: Repo, mode: str, path: str) -> None:
    builder = evidence(repo, "builder")
    target = builder.head() if mode == "160000" else builder.git("hash-object", "-w", "--stdin", data=b"../../src/a.py")
    builder.git("update-index", "--add", "--cacheinfo", f"{mode},{target},{path}")
    builder.commit("FEAT-1: evidence", only_index=True).push().refused("CD406", path)


@pytest.mark.parametrize("path", ["assets/new.txt", "assets/NONE-1/a.txt", "assets/FEAT-1", "assets/feat-2/a.txt"])
def test_an_agent_adds_evidence_of_tasks_only(repo: Repo, path: str) -> None:
    builder = repo.task("FEAT-1", "in_progress").task("FEAT-2").clone("builder")
    builder.code("FEAT-1: evidence", path=path, proof="git").push().refused("CD406", "assets/<task id>/")


def test_a_human_adds_to_the_folder_what_is_no_tasks(repo: Repo) -> None:
    evidence(repo, "alice").code("Logo", path="assets/icon.txt", proof="git").push().accepted()


def test_the_folder_may_have_another_name(repo: Repo) -> None:
    repo.settings(assets="proof").file("proof/FEAT-1/a.txt", "x\n").file(SHOT, "x\n").task("FEAT-1", "in_progress")
    builder = repo.clone("builder")
    builder.write(SHOT, "y\n").commit("FEAT-1: code").push().accepted()
    builder.write("proof/FEAT-1/a.txt", "y\n").commit("FEAT-1: evidence").push().refused("CD406", "proof/<task id>/")


# -- beside the scope


def test_the_owners_evidence_is_in_scope_and_anothers_is_not(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**"]}).task("FEAT-1", "in_progress").task(
        "WEB-1", "in_progress", "agent:writer"
    )
    builder = repo.clone("builder").code("FEAT-1: evidence", path=SHOT, proof="git")
    builder.push().accepted()
    builder.code("FEAT-1: evidence", path="assets/WEB-1/a.txt", proof="git").push().refused("CD407", without={"CD406"})


def test_evidence_that_the_scope_excludes_is_out_of_it(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**"], "exclude": ["assets/**/*.exe"]}).task("FEAT-1", "in_progress")
    builder = repo.clone("builder").code("FEAT-1: evidence", path="assets/FEAT-1/a.txt", proof="git")
    builder.push().accepted()
    builder.code("FEAT-1: evidence", path="assets/FEAT-1/a.exe", proof="git").push().refused("CD407", "a.exe")


# -- merges


def test_a_merge_brings_the_evidence_of_both_sides(repo: Repo) -> None:
    builder, alice = evidence(repo, "builder"), repo.clone("alice")
    builder.code("FEAT-1: evidence", path="assets/FEAT-1/after.txt")
    alice.write(SHOT, "second\n").commit("FEAT-1: a better shot").push().accepted()
    builder.pull().push().accepted()


def test_an_agents_merge_does_not_undo_evidence(repo: Repo) -> None:
    builder, alice = evidence(repo, "builder"), repo.clone("alice")
    builder.code("FEAT-1: code")
    alice.write(SHOT, "second\n").commit("FEAT-1: a better shot").push().accepted()
    builder.fetch().merge("origin/main", options=["-s", "ours"]).push().refused("CD406", SHOT)


# -- whose hands


def test_a_humans_change_of_evidence_is_the_humans_own(repo: Repo) -> None:
    alice = evidence(repo, "alice").write(SHOT, "second\n").commit("FEAT-1: evidence", author_when=-60)
    alice.push().refused("ID112")
