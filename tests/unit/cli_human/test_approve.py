"""`approve`: several at once, and what moved after the hand-in."""

import pytest

from tests.building import Clone, Repo, at, tasks
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
    look = f"git diff {old}..{new}"
    moved = f"FEAT-1: {branch} moved after the hand-in, {old[:7]} -> {new[:7]}"
    exits(alice.guard("approve", "FEAT-1"), 1, moved, f"do: {look}", "then: git codifica approve FEAT-1 --anyway")
    answer = alice.guard("approve", "FEAT-1", "--json", "-q").json
    assert answer["next"] == [look, "git codifica approve FEAT-1 --anyway"]
    assert "more.py" in alice.git(*look.split()[1:])
    assert repo.fields("FEAT-1")["state"] == "to_be_tested"
    exits(alice.guard("approve", "FEAT-1", "--anyway"), 0, f"merge     {branch} @ {new[:7]} is not in main yet")
    assert repo.fields("FEAT-1")["state"] == "done"


@pytest.mark.parametrize("branch", ["build/FEAT-1-password-reset", "build/FEAT-1-other"])
def test_a_branch_that_was_rewritten_after_the_hand_in_moved_too(repo: Repo, branch: str) -> None:
    alice, builder, old = handed_in(repo, branch)
    alice.fetch()
    builder.git("commit", "-q", "--amend", "-m", "another")
    builder.git("push", "-q", "-f")
    done = exits(alice.guard("approve", "FEAT-1"), 1, "git diff", "then: git codifica approve FEAT-1 --anyway")
    usual = branch == "build/FEAT-1-password-reset"
    moved = f"{branch} was rewritten after the hand-in, {old[:7]} -> {builder.head()[:7]}\ndo: git diff {old}.."
    assert (moved if usual else f"no branch of origin has {old[:7]} any more") in done.said
    late = repo.clone("bob", "late")
    late.git("prune", "--expire=now")
    exits(late.guard("approve", "FEAT-1"), 1, f"no branch of origin has {old[:12]}", "nobody can have seen it")
    assert repo.fields("FEAT-1")["state"] == "to_be_tested"


@pytest.mark.parametrize("branch", ["build/FEAT-1-password-reset", "build/FEAT-1-other"])
@pytest.mark.parametrize("known", [True, False])
def test_a_branch_that_is_gone_unmerged_is_no_reason_to_approve(repo: Repo, branch: str, *, known: bool) -> None:
    alice, builder, old = handed_in(repo, branch)
    if known:
        alice.fetch()
    builder.git("push", "-q", "origin", f":{branch}")
    done = exits(alice.guard("approve", "FEAT-1"), 1, "then: git codifica approve FEAT-1 --anyway")
    told = f"no branch of origin has {old[:7]} any more, which was handed in, and main does not have it\ndo: git diff "
    never = (
        f"no branch of origin has {old[:12]}..., which was handed in: nobody can have seen it\ndo: git codifica show"
    )
    assert (told if known else never) in done.said
    answer = alice.guard("approve", "FEAT-1", "--json", "-q").json
    assert answer["next"][1] == "git codifica approve FEAT-1 --anyway"
    look = f"git diff {repo.tip()}...{old}" if known else "git codifica show FEAT-1 --fetch"
    assert answer["next"][0] == look
    assert repo.fields("FEAT-1")["state"] == "to_be_tested"
    exits(alice.guard("approve", "FEAT-1", "--anyway"), 0)


@pytest.mark.parametrize("named", ["1234567", "12345678" * 5, "HEAD", "no commit at all", "\u00e9"])
def test_a_hand_in_that_names_what_nobody_has_is_no_reason_to_approve(repo: Repo, named: str) -> None:
    entries = [
        tasks.entry("todo", "in_progress", "agent:builder", when=at(-90)),
        {
            **tasks.entry("in_progress", "to_be_tested", "agent:builder", when=at(-9)),
            "provenance": {"commit_sha": named},
        },
    ]
    alice = repo.task("FEAT-1", "to_be_tested", state_transitions=entries).clone("alice")
    exits(alice.guard("approve", "FEAT-1"), 1, "nobody can have seen it", "do: git codifica show FEAT-1 --fetch")
    exits(alice.guard("approve", "FEAT-1", "--no-fetch"), 1, "nobody can have seen it")
    assert repo.fields("FEAT-1")["state"] == "to_be_tested"


def test_tags_that_are_called_like_a_branch_or_a_commit_change_nothing_of_what_a_reviewer_sees(repo: Repo) -> None:
    alice, builder, old = handed_in(repo, "build/FEAT-1-password-reset")
    for name in ("origin/main", old[:7], "build/FEAT-1-password-reset", "origin/build/FEAT-1-password-reset"):
        builder.git("push", "-q", "origin", f"main:refs/tags/{name}")
    alice.git("fetch", "-q", "--tags", "origin")
    look = next(row for row in exits(alice.guard("show", "FEAT-1"), 0).text.splitlines() if "git diff" in row).strip()
    assert look == f"git diff {alice.head('refs/remotes/origin/main')}...{old}"
    assert "new.py" in alice.git(*look.split()[1:])


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
