"""`approve`: several at once, and what moved after the hand-in."""

import pytest

from tests.building import Clone, Repo
from tests.unit.cli_human.story import exits


def test_several_are_approved_in_one_call_with_one_commit_each(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").task("FEAT-3", "to_be_tested")
    alice = repo.clone("alice")
    exits(alice.guard("approve", "FEAT-1", " FEAT-2 ", "FEAT-3", "FEAT-1"), 0)
    told = repo.on_server("log", "-3", "--format=%s", "main").splitlines()
    assert told == ["FEAT-3: approve", "FEAT-2: approve", "FEAT-1: approve"]


@pytest.mark.parametrize(
    ("second", "code", "text"),
    [("FEAT-2", 1, "FEAT-2 is todo, not to_be_tested"), ("FEAT-9", 2, "there is no task FEAT-9")],
)
def test_the_first_that_fails_ends_it_and_says_what_was_done(repo: Repo, second: str, code: int, text: str) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2").task("FEAT-3", "to_be_tested").task("FEAT-4", "to_be_tested")
    alice = repo.clone("alice")
    rest = f"approved: FEAT-1; not: {second}, FEAT-3"
    done = exits(alice.guard("approve", "FEAT-1", second, "FEAT-3"), code, text, rest, "FEAT-1  to_be_tested -> done")
    assert done.said.count("to_be_tested -> done") == 1
    assert [repo.fields(name)["state"] for name in ("FEAT-1", "FEAT-3")] == ["done", "to_be_tested"]
    answer = alice.guard("approve", "FEAT-4", second, "FEAT-3", "--json", "-q").json
    assert answer["exit"] == code
    assert [row["task"] for row in answer["data"]["approved"]] == ["FEAT-4"]
    assert answer["data"]["left"] == [second, "FEAT-3"]
    assert text in answer["error"]


def handed_in(repo: Repo, branch: str) -> tuple[Clone, Clone, str]:
    """A task that the builder handed in with a branch; both clones and the work's commit."""
    builder = repo.task("FEAT-1", "in_progress", title="Password reset").clone("builder").switch(branch).code("work")
    builder.git("push", "-q", "-u", "origin", "HEAD")
    exits(builder.guard("submit", "FEAT-1", "--summary", "It is done"), 0)
    return repo.clone("alice"), builder, builder.head()


@pytest.mark.parametrize("branch", ["build/FEAT-1-password-reset", "build/FEAT-1-other"])
def test_a_branch_that_moved_after_the_hand_in_is_looked_at_again(repo: Repo, branch: str) -> None:
    alice, builder, old = handed_in(repo, branch)
    builder.code("more", path="src/more.py").git("push", "-q")
    new = builder.head()
    look = f"git diff {old[:7]}..{new[:7]}"
    moved = f"FEAT-1: {branch} moved after the hand-in, {old[:7]} -> {new[:7]}"
    exits(alice.guard("approve", "FEAT-1"), 1, moved, f"do: {look}", "then: git codifica approve FEAT-1 --anyway")
    answer = alice.guard("approve", "FEAT-1", "--json", "-q").json
    assert answer["next"] == [look, "git codifica approve FEAT-1 --anyway"]
    assert "more.py" in alice.git(*look.split()[1:])
    assert repo.fields("FEAT-1")["state"] == "to_be_tested"
    exits(alice.guard("approve", "FEAT-1", "--anyway"), 0, f"merge     {branch} @ {new[:7]} is not in main yet")
    assert repo.fields("FEAT-1")["state"] == "done"


def test_a_branch_that_was_rewritten_after_the_hand_in_moved_too(repo: Repo) -> None:
    alice, builder, old = handed_in(repo, "build/FEAT-1-password-reset")
    alice.fetch()
    builder.git("commit", "-q", "--amend", "-m", "another")
    builder.git("push", "-q", "-f")
    exits(alice.guard("approve", "FEAT-1"), 1, f"{old[:7]} -> {builder.head()[:7]}", "git diff")
    late = repo.clone("bob", "late")
    late.git("prune", "--expire=now")
    exits(late.guard("approve", "FEAT-1"), 1, "git log origin/build/FEAT-1-password-reset")


def test_a_branch_that_stays_is_approved_without_a_question(repo: Repo) -> None:
    alice, _, old = handed_in(repo, "build/FEAT-1-password-reset")
    exits(alice.guard("approve", "FEAT-1"), 0, f"merge     build/FEAT-1-password-reset @ {old[:7]} is not in main yet")


def test_work_that_was_merged_and_whose_branch_is_gone_is_approved_without_a_question(repo: Repo) -> None:
    alice, builder, _ = handed_in(repo, "build/FEAT-1-password-reset")
    alice.fresh().merge("origin/build/FEAT-1-password-reset").push().accepted()
    builder.git("push", "-q", "origin", ":build/FEAT-1-password-reset")
    alice.git("fetch", "-q", "--prune", "origin")
    done = exits(alice.guard("approve", "FEAT-1"), 0)
    assert "not in main" not in done.said
