"""`pre-push`, run by a real `git push`: nothing that the server would refuse leaves the clone."""

import pytest

from tests.building import Clone, Repo
from tests.building.machine import Done
from tests.unit.hooks_client.conftest import Hooked

pytestmark = pytest.mark.cold


def push(clone: Clone, *words: str) -> Done:
    return clone.try_git("push", "origin", *words)


def test_what_holds_goes_out(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim")
    builder.push().accepted(silent=True)


def test_what_would_be_refused_stays_here(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    builder = hooked("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none", options=["--no-verify"])
    tip = repo.tip()
    done = push(builder, "HEAD:main")
    assert done.code != 0
    assert "codifica-guard: this push would be refused, 1 error: ID106" in done.said
    assert "remote:" not in done.said
    assert repo.tip() == tip
    assert push(builder, "HEAD:topic").code == 0  # a free branch
    builder.push(options=["--no-verify"]).refused("ID106")


def test_a_protected_branch_is_not_deleted_or_rewound(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.code("one").push().accepted()
    assert "GT102" in push(builder, "--delete", "main").said
    assert "GT101" in push(builder, "--force", "HEAD~1:main").said
    assert push(builder, "HEAD:topic").code == 0
    assert push(builder, "--delete", "topic").code == 0


def test_several_refs_are_judged_together(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    builder = hooked("builder")
    builder.git("tag", "v1")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none", options=["--no-verify"])
    done = push(builder, "v1", "HEAD:topic", "HEAD:main")
    assert done.code != 0
    assert done.said.count("ID106 ") == 1


def test_a_remote_that_moved_is_held_against_what_is_known_of_it(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    repo.clone("writer").code("main moves", path="src/w.py").push().accepted()
    builder.code("mine", path="src/b.py")
    done = push(builder, "HEAD:main")
    assert done.code != 0
    assert "codifica-guard" not in done.said  # Git says it: fetch first


def test_a_warning_goes_out_and_is_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    alice.approve("FEAT-1", without=["entry"]).commit("FEAT-1: approve")
    done = push(alice, "HEAD:main")
    assert done.code == 0
    assert "\ncodifica-guard: this push would be accepted, 1 warning: CD207" in "\n" + done.said


def test_without_a_policy_nothing_happens(repo: Repo, hooked: Hooked) -> None:
    repo.not_introduced()
    alice = hooked("alice")
    alice.drop("FEAT-1").commit("drop", proof="none")
    assert push(alice, "-q", "HEAD:main").said == ""


def test_a_push_that_the_pre_commit_framework_tells_by_variables_is_judged(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    builder = hooked("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none", options=["--no-verify"])
    told = {"LOCAL_BRANCH": "refs/heads/main", "REMOTE_BRANCH": "refs/heads/main", "REMOTE_NAME": "origin"}
    env = {f"PRE_COMMIT_{name}": value for name, value in told.items()}
    for more in ({}, {"PRE_COMMIT_TO_REF": builder.head()}):
        done = builder.guard("hook", "pre-push", env=env | more)
        assert (done.code, "1 error: ID106" in done.said) == (1, True)
    free = {"PRE_COMMIT_REMOTE_BRANCH": "refs/heads/free"}
    assert builder.guard("hook", "pre-push", env=env | free).code == 0
    tag = {"PRE_COMMIT_REMOTE_BRANCH": "refs/tags/v1"}
    assert builder.guard("hook", "pre-push", env=env | tag).code == 0
    behind = {"PRE_COMMIT_TO_REF": builder.head("HEAD~2")}
    assert "GT101" in builder.guard("hook", "pre-push", env=env | behind).said
