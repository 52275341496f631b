"""Who did it: Git's own signatures, and the tokens of claims."""

import pytest

from tests.building import Repo, at
from tests.building.times import seconds

# -- Git's own signature


def test_the_signature_of_git_is_enough(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_other_kinds_of_keys_count_as_well(repo: Repo, kind: str) -> None:
    repo.keys.private(f"carol-{kind}", kind)
    carol = repo.task("FEAT-1", "to_be_tested").signer("human:carol", f"carol-{kind}").clone("carol")
    carol.approve("FEAT-1").commit("FEAT-1: approve", key=f"carol-{kind}").push().accepted()
    carol.back("FEAT-1", reason="Not yet").commit(
        "FEAT-1: reopen", key=f"carol-{kind}", proof="trailers"
    ).push().accepted()


def test_a_signature_of_other_bytes_is_refused(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve")
    raw = alice.git("cat-file", "commit", "HEAD") + "\n"
    alice.at(alice.object("commit", raw.replace("FEAT-1: approve", "FEAT-1: approved").encode())).push().refused(
        "ID101"
    )


def test_a_key_that_nobody_listed_is_refused_and_shown_to_a_maintainer(repo: Repo) -> None:
    carol = repo.task("FEAT-1", "to_be_tested").clone("carol").approve("FEAT-1").commit("FEAT-1: approve")
    carol.push().refused("ID102", "SHA256:", "key add", repo.keys.line("carol")[:40])


def test_code_with_a_key_that_nobody_listed_passes_with_a_warning(repo: Repo) -> None:
    repo.clone("carol").code(proof="git").push().accepted(warnings={"ID102"})


def test_a_key_for_another_namespace_is_not_taken(repo: Repo) -> None:
    repo.signer("human:carol", "carol", 'namespaces="file"').task("FEAT-1", "to_be_tested")
    repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve").push().refused({"ID102", "ID104", "ID101", "ID103"})


@pytest.mark.parametrize("kind", ["PGP SIGNATURE", "SIGNED MESSAGE"])
def test_other_kinds_of_signatures_are_no_identity(repo: Repo, kind: str) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve", proof="none")
    armour = f"-----BEGIN {kind}-----\n \n iQEzBAABCAAdFiEE\n -----END {kind}-----"
    tree, parent = alice.head("HEAD^{tree}"), alice.head("HEAD^")
    alice.at(alice.raw_commit(tree=tree, parents=[parent], extra=[("gpgsig", armour)], message=b"FEAT-1: approve\n"))
    alice.push().refused({"ID101", "ID102", "ID106"}, "SSH")


def test_a_key_before_its_time_is_refused(repo: Repo) -> None:
    start = at(60 * 24 * 30)[:10].replace("-", "")
    repo.signer("human:carol", "carol", f'namespaces="git,codifica-guard",valid-after="{start}"').task(
        "FEAT-1", "to_be_tested"
    )
    repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID104")


def test_the_servers_clock_ends_a_keys_time(repo: Repo) -> None:
    end = at(60 * 24 * 2)[:10].replace("-", "")
    repo.signer("human:carol", "carol", f'namespaces="git,codifica-guard",valid-before="{end}"').task(
        "FEAT-1", "to_be_tested"
    ).task("FEAT-2", "to_be_tested")
    carol = repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve")
    carol.push().accepted()
    repo.clock(60 * 24 * 3)
    carol.approve("FEAT-2").commit("FEAT-2: approve").push().refused("ID104")


def test_a_revoked_key_moves_nothing(repo: Repo) -> None:
    bob = repo.task("FEAT-1", "to_be_tested").revoked("bob").clone("bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID105", "human:bob")


def test_a_revoked_key_brings_not_even_code(repo: Repo) -> None:
    repo.revoked("bob").clone("bob").code(proof="git").push().refused("ID105")


def test_what_a_revoked_key_did_before_stands(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve").push().accepted()
    alice.pull().write(".codifica/revoked_keys", f"{repo.keys.line('bob')}\n").commit("Revoke bob").push().accepted()
    alice.code(path="src/later.py").push().accepted()


def test_a_key_of_two_principals_needs_a_name(repo: Repo) -> None:
    repo.signer("human:carol", "carol").signer("human:carla", "carol").task("FEAT-1", "to_be_tested").task(
        "FEAT-2", "to_be_tested"
    )
    carol = repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    carol.push().accepted()
    carol.approve("FEAT-2").commit("FEAT-2: approve").push().refused("ID103", "human:carla")


def test_a_pattern_of_principals_is_understood(repo: Repo) -> None:
    builder = (
        repo.without_signer("agent:builder", "builder")
        .signer("agent:b*,!agent:bad", "builder")
        .task("FEAT-1")
        .clone("builder")
    )
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers").push().accepted()


def test_where_all_has_to_be_signed_unsigned_code_is_refused(repo: Repo) -> None:
    builder = repo.policy(require_signatures="all").clone("builder")
    builder.code(proof="git").push().accepted()
    builder.code(path="src/b.py").push().refused("ID106")


def test_where_presence_is_asked_for_a_plain_key_approves_nothing(repo: Repo) -> None:
    alice = repo.policy(human_presence="hardware-key").task("FEAT-1", "to_be_tested").clone("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID111")


def test_where_presence_is_asked_for_agents_work_as_before(repo: Repo) -> None:
    repo.policy(human_presence="hardware-key").task("FEAT-1").clone("builder").claim("FEAT-1").commit(
        "FEAT-1: claim"
    ).push().accepted()


def test_where_only_trailers_prove_a_human_the_signature_of_git_does_not(repo: Repo) -> None:
    alice = (
        repo.policy(human_proof="trailer").task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").clone("alice")
    )
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers").push().accepted()
    alice.approve("FEAT-2").commit("FEAT-2: approve").push().refused({"ID112", "ID106"})


# -- tokens of claims


def test_the_holder_of_the_token_goes_on(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=["token"]).hand_in("FEAT-1").commit(
        "FEAT-1: hand in", proof="trailers", tokens=["token"]
    ).push().accepted()


@pytest.mark.parametrize("tokens", [[], ["other"]])
def test_without_the_token_the_same_agent_does_not_go_on(repo: Repo, tokens: list[str]) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=tokens).push().refused("ID107", "FEAT-1", "session s-1")


def test_after_the_hand_in_the_owners_own_signature_is_enough(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note").push().accepted()


def test_notes_on_two_tasks_need_both_tokens(repo: Repo) -> None:
    builder = (
        repo.task("FEAT-1", "in_progress", writer="one").task("FEAT-2", "in_progress", writer="two").clone("builder")
    )
    builder.note("FEAT-1").note("FEAT-2").commit("FEAT-1 FEAT-2: notes", tokens=["one", "two"]).push().accepted()
    builder.note("FEAT-1").note("FEAT-2").commit("FEAT-1 FEAT-2: notes", tokens=["one"]).push().refused(
        "ID107", "FEAT-2"
    )


def test_people_need_no_token(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress", writer="token").clone("alice").block("FEAT-1").commit(
        "FEAT-1: block"
    ).push().accepted()


def test_times_of_commits_do_not_matter_to_tokens(repo: Repo) -> None:
    assert seconds(-1) < seconds()
    builder = repo.task("FEAT-1", "in_progress", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=["token"], when=-60 * 24 * 400).push().accepted()


def test_code_with_an_expired_key_counts_as_unsigned_and_warns(repo: Repo) -> None:
    repo.signer("human:carol", "carol", 'namespaces="git,codifica-guard",valid-before="20200101"')
    repo.clone("carol").code(proof="git").push().accepted(warnings={"ID104"})


def test_an_expired_key_does_not_go_outside_the_scope(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**"]}).signer(
        "human:carol", "carol", 'namespaces="git,codifica-guard",valid-before="20200101"'
    )
    repo.clone("carol").code(path="README.md", proof="git").push().refused({"ID104", "CD407"})


def test_presence_is_not_asked_for_on_the_way_out_of_the_scope(repo: Repo) -> None:
    repo.policy(human_presence="hardware-key").rules(file_scope={"include": ["src/**"]})
    repo.clone("alice").code(path="README.md", proof="git").push().accepted()
