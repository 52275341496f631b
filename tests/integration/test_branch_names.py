"""Names of branches: an agent's new one says which task it is for."""

import pytest

from tests.building import Clone, Repo
from tests.building.clone import Proof


def at_work(repo: Repo, who: str = "builder", proof: Proof = "git") -> Clone:
    """A clone with a commit of code for FEAT-1, which builder works on."""
    return (
        repo.task("FEAT-1", "in_progress", title="Login form")
        .task("WEB-1", type="test")
        .clone(who)
        .code("FEAT-1: code", proof=proof)
    )


@pytest.mark.parametrize("proof", ["git", "trailers"])
@pytest.mark.parametrize("name", ["my-branch", "build/FEAT-9-x", "test/FEAT-1-x", "feature/FEAT-1-x", "build/FEAT-1"])
def test_an_agents_branch_of_another_name_is_refused(repo: Repo, name: str, proof: Proof) -> None:
    at_work(repo, proof=proof).push(f"HEAD:{name}").refused(
        "CD408", "{type}/{id}-{slug}", "git push -u origin build/FEAT-1-login-form"
    )


@pytest.mark.parametrize("name", ["build/FEAT-1-login-form", "build/FEAT-1-other.words_2", "test/WEB-1-x"])
def test_an_agents_branch_that_names_its_task_is_accepted(repo: Repo, name: str) -> None:
    at_work(repo).push(f"HEAD:{name}").accepted()


def test_the_way_that_the_refusal_tells_works(repo: Repo) -> None:
    builder = at_work(repo).switch("my-branch")
    builder.push("my-branch:my-branch").refused("CD408")
    builder.git("branch", "-m", "build/FEAT-1-login-form")
    builder.push("build/FEAT-1-login-form:build/FEAT-1-login-form").accepted()


def test_the_branch_that_claim_tells_is_accepted(repo: Repo) -> None:
    builder = repo.task("FEAT-1", title="Reset the Password!").clone("builder")
    told = builder.guard("claim", "FEAT-1").said
    assert "build/FEAT-1-reset-the-password" in told
    builder.fresh().code("FEAT-1: code", proof="git").push("HEAD:build/FEAT-1-reset-the-password").accepted()


@pytest.mark.parametrize(("who", "proof"), [("alice", "git"), ("builder", "none")])
def test_people_and_unsigned_commits_name_branches_as_they_like(repo: Repo, who: str, proof: Proof) -> None:
    at_work(repo, who, proof).push("HEAD:my-branch").accepted()


def test_a_branch_that_is_there_stays_whatever_its_name_is(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder").code("one")
    builder.push("HEAD:my-branch").accepted()
    builder.code("FEAT-1: two", proof="git", path="src/two.py").push("HEAD:my-branch").accepted()


def test_main_and_protected_branches_are_no_branches_for_a_task(repo: Repo) -> None:
    builder = at_work(repo.policy(protected_branches=["main", "release/*"]))
    builder.push("HEAD:release/1").accepted()
    builder.push().accepted()


def test_a_branch_off_what_agents_did_is_whose_it_is(repo: Repo) -> None:
    builder, alice = at_work(repo), repo.clone("alice")
    builder.push("HEAD:build/FEAT-1-x").accepted()
    alice.fetch().switch("look", "origin/build/FEAT-1-x")
    alice.push("HEAD:look").accepted()
    alice.code("tried it", path="src/look.py").push("HEAD:look-2").accepted()


def test_tags_and_other_refs_have_any_name(repo: Repo) -> None:
    at_work(repo).push("HEAD:refs/tags/v1", "HEAD:refs/notes/mine").accepted()


def test_one_branch_of_a_wrong_name_refuses_the_whole_push(repo: Repo) -> None:
    at_work(repo).push("HEAD:build/FEAT-1-x", "HEAD:my-branch").refused("CD408", "my-branch")


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        ("agents/{id}", "agents/FEAT-1", "agents/FEAT-2"),
        ("agents/{slug}", "agents/x", "x"),
        ("{feat,fix}/{id}-{slug}", "fix/FEAT-1-x", "chore/FEAT-1-x"),
        ("**/{id}", "any/where/FEAT-1", "FEAT-1/x"),
    ],
)
def test_the_settings_say_how_branches_are_named(repo: Repo, pattern: str, good: str, bad: str) -> None:
    builder = at_work(repo.rules(branch_pattern=pattern))
    builder.push(f"HEAD:{bad}").refused("CD408", pattern)
    builder.push(f"HEAD:{good}").accepted()


def test_permissive_settings_only_warn(repo: Repo) -> None:
    at_work(repo.settings(rules="permissive")).push("HEAD:my-branch").accepted(warnings={"CD408"})


def test_the_hook_of_the_clone_says_it_before_the_push(repo: Repo) -> None:
    builder = at_work(repo)
    builder.guard("install")
    done = builder.try_git("push", "origin", "HEAD:refs/heads/my-branch")
    assert done.code == 1
    assert "this push would be refused, 1 error: CD408" in done.said
    assert builder.try_git("push", "origin", "HEAD:refs/heads/build/FEAT-1-x").code == 0
