"""Names, words and dates that anybody can write prove nothing."""

import pytest

from tests.building import Repo, at
from tests.building.tasks import review


def test_a_humans_name_as_the_author_proves_nothing(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.approve("FEAT-1", by="human:alice").commit(
        "FEAT-1: approve", proof="none", author="Alice <alice@example.org>", options=["--no-verify"]
    )
    builder.push(options=["--no-verify"]).refused("ID106")


def test_an_agents_signature_under_a_humans_name_is_the_agents(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1", by="human:alice", human_review=review("pass", "human:alice"))
    builder.commit("FEAT-1: approve", author="Alice <alice@example.org>").push().refused({"CD401", "CD207", "CD213"})


def test_an_actor_who_is_not_the_keys_principal_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.approve("FEAT-1", by="human:alice").commit("FEAT-1: approve", proof="trailers", actor="human:alice")
    builder.push().refused("ID103", "human:alice")


def test_an_actor_without_a_signature_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.approve("FEAT-1", by="human:alice").commit("FEAT-1: approve\n\nCodifica-Actor: human:alice", proof="none")
    builder.push().refused({"ID103", "ID106", "ID114"})


def test_an_actor_beside_the_agents_own_signature_of_git_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.approve("FEAT-1", by="human:alice").commit("FEAT-1: approve\n\nCodifica-Actor: human:alice", proof="git")
    builder.push().refused({"ID103", "ID101"})


def test_a_key_of_the_agents_own_under_a_humans_name_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.approve("FEAT-1", by="human:alice").commit("FEAT-1: approve", key="mallory").push().refused("ID102")


@pytest.mark.parametrize(
    "name", ["server:git", "human:nobody", "agent:writer", "alice", "human:alice,agent:builder", "human:*"]
)
def test_no_other_actor_helps(repo: Repo, name: str) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: approve", proof="trailers", actor=name).push().refused(
        {"ID103", "ID101", "ID102", "ID114"}
    )


def test_a_signature_for_another_purpose_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1")
    builder.git("add", "-A")
    data = builder.payload(builder.git("write-tree"), [builder.head()], "human:alice")
    proof = repo.keys.signature("alice", data, "git")
    builder.commit(
        f"FEAT-1: approve\n\nCodifica-Actor: human:alice\nCodifica-Signature: {proof}", proof="none"
    ).push().refused("ID101")


def test_a_writer_signature_is_no_signature_of_the_actor(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1")
    builder.git("add", "-A")
    data = builder.payload(builder.git("write-tree"), [builder.head()], "human:alice")
    proof = repo.keys.signature("alice", data, "codifica-writer")
    builder.commit(f"FEAT-1: approve\n\nCodifica-Writer: {proof}", proof="none").push().refused({"ID106", "ID101"})


def test_a_humans_signed_commit_under_another_parent_is_refused(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("builder")
    alice.approve("FEAT-1").commit("FEAT-1: approve")
    alice.push("HEAD:topic").accepted()
    builder.code("main moves").push().accepted()
    raw = builder.fetch().git("cat-file", "commit", "origin/topic") + "\n"
    old = builder.head("origin/topic^")
    moved = builder.object("commit", raw.replace(f"parent {old}", f"parent {builder.head()}").encode())
    builder.at(moved).push().refused({"ID101", "ID106"})


def test_a_signature_header_taken_from_another_commit_is_refused(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("builder")
    alice.code("code", proof="git").push().accepted()
    header = alice.git("cat-file", "commit", "HEAD").split("gpgsig ", 1)[1].split("\n\n")[0]
    builder.fresh().close("FEAT-1").commit("FEAT-1: done", proof="none")
    oid = builder.raw_commit(parents=[builder.head("HEAD^")], extra=[("gpgsig", header)], message=b"FEAT-1: done\n")
    builder.at(oid).push().refused({"ID101", "ID106"})


@pytest.mark.parametrize(
    "subject",
    [
        "fixup! FEAT-1: claim",
        "amend! FEAT-1: claim",
        "squash! FEAT-1",
        "Merge branch 'main'",
        'Revert "FEAT-1: done"',
        "FEAT-1\n\nThis reverts commit 0123456789012345678901234567890123456789.",
    ],
)
def test_case_08_no_words_of_a_message_are_an_exemption(repo: Repo, subject: str) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1").commit(subject, proof="none").push().refused("ID106")


def test_case_06_a_squash_that_buries_the_trailers_is_refused_with_the_advice_to_merge(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").switch("topic")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers").code("FEAT-1: work").hand_in("FEAT-1").commit(
        "FEAT-1: hand in", proof="trailers"
    )
    builder.checkout("main").git("merge", "-q", "--squash", "topic")
    message = builder.git("log", "--format=%B", "main..topic")
    builder.git("commit", "-q", "-m", f"FEAT-1: login (squashed)\n\n{message}\n\nAll of it.")
    builder.push().refused("ID106", "merge")


def test_dates_in_a_task_do_not_make_a_claim_stale(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", when=at(-60 * 24 * 30), writer=repo.keys.line("old")).commit(
        "FEAT-1: claim", tokens=["old"]
    )
    builder.push().accepted()
    builder.resume("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: resume", tokens=["new"]).push().refused(
        "CD314"
    )
