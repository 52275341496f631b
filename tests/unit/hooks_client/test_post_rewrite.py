"""`post-rewrite`, run by real amends and rebases."""

import pytest

from tests.building import Clone, Repo
from tests.unit.hooks_client.conftest import Hooked

pytestmark = pytest.mark.cold


def message(clone: Clone) -> str:
    return clone.git("log", "-1", "--format=%B")


def test_an_amend_that_changes_what_was_signed_is_signed_again(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress")
    builder = hooked("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", proof="none")
    builder.note("FEAT-1", "One more").git("add", "-A")
    first = message(builder)
    builder.git("commit", "-q", "--amend", "--no-edit")
    assert message(builder) != first
    assert builder.guard("check").code == 0
    assert "codifica-guard: signed again" in builder.git("reflog", "-1")
    builder.push().accepted()


def test_an_amend_of_an_unsigned_commit_of_code_is_signed_where_it_now_needs_it(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress")
    builder = hooked("builder")
    builder.write("src/a.py", "x\n").commit("FEAT-1: code", proof="none")
    builder.note("FEAT-1").git("add", "-A")
    builder.git("commit", "-q", "--amend", "--no-edit")
    assert builder.guard("check").code == 0
    builder.push().accepted()


def test_an_amend_that_loses_the_trailers_with_the_message_is_signed_again(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    builder.git("commit", "-q", "--amend", "-m", "FEAT-1: claim it")
    assert message(builder).startswith("FEAT-1: claim it\n\nCodifica-Actor: agent:builder\n")
    builder.push().accepted()


def test_an_amend_that_git_signs_late_gets_the_trailer_that_a_human_needs(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="none", author_when=-5)
    alice.git("commit", "-q", "--amend", "-S", "-m", "FEAT-1: approve it")
    assert "Codifica-Actor: human:alice" in message(alice)
    alice.push().accepted()


def test_anothers_commit_is_not_signed_again(repo: Repo, hooked: Hooked) -> None:
    writer, builder = repo.task("FEAT-1").clone("writer"), hooked("builder")
    writer.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers")
    builder.git("pull", "-q", "--ff-only", str(writer.folder), "main")
    builder.edit("FEAT-1", priority="low").git("add", "-A")
    done = builder.try_git("commit", "-q", "--amend", "--no-edit", "--no-verify")
    assert done.code == 0
    assert "is not signed again: the commit before it is not agent:builder's" in done.said
    assert "git codifica sign HEAD" in done.said
    assert builder.guard("check").code == 1


def test_without_a_key_it_is_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    builder.note("FEAT-1").git("add", "-A")
    done = builder.try_git("-c", "gpg.format=openpgp", "commit", "-q", "--amend", "--no-edit", "--no-verify")
    assert "is not signed again: there is no key" in done.said


def test_without_a_policy_nothing_happens(repo: Repo, hooked: Hooked) -> None:
    repo.not_introduced()
    alice = hooked("alice")
    alice.code("one")
    assert alice.try_git("commit", "-q", "--amend", "-m", "two").said == ""
