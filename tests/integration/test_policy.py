"""The policy: who may introduce and change it, and that nobody judges himself by his own."""

import json

import pytest

from tests.building import NewRepo, Repo
from tests.building.repo import NAMESPACES, as_json


def guard_json(repo: Repo, **changes: object) -> str:
    """The text of `guard.json` with some fields changed."""
    return str(repo.trust_files(**changes)[".codifica/guard.json"])


# -- the introduction


def test_until_the_policy_arrives_pushes_pass_as_before(repo: Repo) -> None:
    builder = repo.not_introduced().task("FEAT-1", "to_be_tested").clone("builder")
    builder.edit("FEAT-1", state="done").commit("done", proof="none").push().accepted(silent=True)


def test_the_maintainers_policy_is_taken(repo: Repo) -> None:
    alice = repo.not_introduced().task("FEAT-1").clone("alice")
    alice.write_all(repo.trust_files()).commit("Introduce the guard").push().accepted()
    builder = repo.clone("builder")
    builder.edit("FEAT-1", state="done").commit("done", proof="none").push().refused("ID106")


def test_the_maintainers_policy_is_taken_by_trailers_too(repo: Repo) -> None:
    alice = repo.not_introduced().task("FEAT-1").clone("alice")
    alice.write_all(repo.trust_files()).commit("Introduce the guard", proof="trailers").push().accepted()
    repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_the_first_policy_has_to_name_its_signer_a_maintainer(repo: Repo) -> None:
    alice = repo.not_introduced().clone("alice")
    alice.write_all(repo.trust_files(maintainers=["human:bob"])).commit("Introduce the guard").push().refused(
        {"ID110", "ID109"}
    )


def test_case_42_a_policy_refused_leaves_the_server_waiting(repo: Repo) -> None:
    builder, alice = repo.not_introduced().task("FEAT-1").clone("builder"), repo.clone("alice")
    push = builder.write_all(repo.trust_files()).commit("Introduce the guard")
    if repo.workshop.guarded:
        push.push().refused("ID110")
    alice.code("as before").push().accepted(silent=True)
    alice.write_all(repo.trust_files()).commit("Introduce the guard").push().accepted()


def test_what_lay_before_the_introduction_is_accepted_as_it_is(repo: Repo) -> None:
    alice = repo.not_introduced().task("FEAT-1", "in_progress", "unassigned").task("FEAT-2").clone("alice")
    alice.edit("FEAT-1", state="done").commit("done", proof="none").write_all(repo.trust_files()).commit(
        "Introduce the guard"
    ).push().accepted()
    repo.clone("builder").claim("FEAT-2").commit("FEAT-2: claim").push().accepted()


def test_a_second_introduction_is_refused(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.git("checkout", "-q", "-b", "again", "HEAD^")
    alice.write_all(repo.trust_files(maintainers=["human:alice", "human:bob"])).commit("Introduce the guard again")
    alice.merge("main", options=["-X", "ours"], proof="git").push().refused({"ID110", "ID109", "CD501"})


def test_after_a_founding_by_fetch_the_server_stands_where_a_push_would_leave_it(new_repo: NewRepo) -> None:
    pushed, fetched = new_repo().not_introduced().task("FEAT-1"), new_repo().task("FEAT-1")
    alice = pushed.clone("alice")
    alice.write_all(pushed.trust_files()).commit("Introduce the guard").push().accepted()
    for repo in (pushed, fetched):
        builder = repo.clone("builder")
        builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    if pushed.workshop.guarded:
        for repo in (pushed, fetched):
            introduction = repo.on_server("log", "--format=%H", "--diff-filter=A", "main", "--", ".codifica/guard.json")
            assert repo.on_server("config", "codifica.introduction") == introduction


# -- changes


def test_a_maintainer_changes_the_policy(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    alice.write(".codifica/guard.json", guard_json(repo, self_approval="refuse")).commit("Policy").push().accepted()
    bob.fresh().approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


@pytest.mark.parametrize("who", ["bob", "builder"])
@pytest.mark.parametrize(
    "path",
    [
        ".codifica/guard.json",
        ".codifica/allowed_signers",
        ".codifica/revoked_keys",
        ".codifica/other",
        "codifica.json",
        "codifica-spec.md",
    ],
)
def test_nobody_else_changes_a_file_that_carries_trust(repo: Repo, who: str, path: str) -> None:
    clone = repo.clone(who)
    old = clone.read(path) if (clone.folder / path).exists() else ""
    clone.write(path, old + "\n").commit("Policy").push().refused("ID109", path, "human:alice")


@pytest.mark.parametrize(
    "path", [".codifica/guard.json", "codifica.json", "codifica-spec.md", ".codifica/revoked_keys"]
)
def test_nobody_unsigned_changes_or_deletes_a_file_that_carries_trust(repo: Repo, path: str) -> None:
    repo.clone("alice").write(path, None).commit("Away", proof="none").push().refused({"ID109", "ID106"})


def test_an_agent_is_told_how_to_undo_its_change_of_the_policy(repo: Repo) -> None:
    builder = repo.clone("builder").write(".codifica/guard.json", guard_json(repo, self_approval="allow"))
    builder.commit("Policy").push().refused("ID109", "git restore --source=origin/main --staged --worktree .codifica")


def test_an_agent_does_not_delete_a_state_document(repo: Repo) -> None:
    repo.task("FEAT-1").clone("builder").write("work.md", None).commit("Away").push().refused(
        {"ID109", "CD409", "CD405", "ST111"}
    )


def test_a_second_maintainer_changes_the_policy(repo: Repo) -> None:
    repo.policy(maintainers=["human:alice", "human:bob"]).clone("bob").write(
        ".codifica/guard.json", guard_json(repo, self_approval="allow")
    ).commit("Policy").push().accepted()


def test_a_new_maintainer_is_one_only_after_the_commit_that_names_him(repo: Repo) -> None:
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.write(".codifica/guard.json", guard_json(repo, maintainers=["human:alice", "human:bob"])).commit(
        "Bob too"
    ).push().accepted()
    bob.fresh().write(
        ".codifica/guard.json", guard_json(repo, maintainers=["human:alice", "human:bob"], self_approval="allow")
    ).commit("Policy").push().accepted()


def test_a_maintainer_adds_a_key_and_it_counts_from_then_on(repo: Repo) -> None:
    alice, carol = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("carol")
    signers = alice.read(".codifica/allowed_signers") + f"human:carol {NAMESPACES} {repo.keys.line('carol')}\n"
    alice.write(".codifica/allowed_signers", signers).commit("Carol").push().accepted()
    carol.pull().approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


def test_a_human_who_rebases_the_policy_change_of_a_maintainer_does_not_sign_it(repo: Repo) -> None:
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.switch("mine").write(".codifica/guard.json", guard_json(repo, self_approval="allow")).commit(
        "Policy", proof="trailers"
    ).push("HEAD:mine").accepted()
    bob.code("main moves", proof="git").push().accepted()
    bob.fetch().git("cherry-pick", "origin/mine")
    bob.push().refused({"ID101", "ID109"})


@pytest.mark.parametrize(
    "text",
    ['{"version": 1', "[]", as_json({"version": 1}), "{}"],
    ids=["no json", "a list", "nearly empty", "empty"],
)
def test_a_policy_that_cannot_be_taken_never_lands(repo: Repo, text: str) -> None:
    repo.clone("alice").write(".codifica/guard.json", text).commit("Policy").push().refused("ID109", "guard.json")


@pytest.mark.parametrize(
    "change",
    [
        {"maintainers": []},
        {"mode": "lenient"},
        {"version": 99},
        {"repository": "77" * 16},
        {"maintainers": ["agent:builder"]},
        {"writer_tokens": "never"},
        {"coordination_branch": "other"},
    ],
    ids=["nobody", "mode", "version", "another repository", "an agent", "tokens", "another branch"],
)
def test_a_policy_of_values_that_cannot_be_never_lands(repo: Repo, change: dict[str, object]) -> None:
    repo.clone("alice").write(".codifica/guard.json", guard_json(repo, **change)).commit("Policy").push().refused(
        "ID109"
    )


def test_a_key_of_a_human_and_an_agent_is_refused_in_the_policy(repo: Repo) -> None:
    alice = repo.clone("alice")
    signers = alice.read(".codifica/allowed_signers") + f"agent:helper {NAMESPACES} {repo.keys.line('alice')}\n"
    alice.write(".codifica/allowed_signers", signers).commit("Helper").push().refused("ID113", "SHA256:")


def test_a_pattern_that_covers_a_human_and_an_agent_is_refused(repo: Repo) -> None:
    alice = repo.clone("alice")
    signers = alice.read(".codifica/allowed_signers") + f"* {NAMESPACES} {repo.keys.line('carol')}\n"
    alice.write(".codifica/allowed_signers", signers).commit("All").push().refused("ID113")


def test_a_key_of_two_agents_is_fine(repo: Repo) -> None:
    alice = repo.clone("alice")
    signers = alice.read(".codifica/allowed_signers") + f"agent:helper {NAMESPACES} {repo.keys.line('builder')}\n"
    alice.write(".codifica/allowed_signers", signers).commit("Helper").push().accepted()


def test_a_certificate_authority_is_refused_until_it_is_understood(repo: Repo) -> None:
    alice = repo.clone("alice")
    signers = alice.read(".codifica/allowed_signers") + f"human:carol cert-authority {repo.keys.line('carol')}\n"
    alice.write(".codifica/allowed_signers", signers).commit("Authority").push().refused("ID109", "cert-authority")


def test_signers_that_cannot_be_read_never_land(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.write(
        ".codifica/allowed_signers", alice.read(".codifica/allowed_signers") + "human:carol ssh-ed25519 nonsense\n"
    ).commit("Carol").push().refused("ID109")


def test_a_revocation_is_not_taken_back(repo: Repo) -> None:
    alice = repo.revoked("bob").clone("alice")
    alice.write(".codifica/revoked_keys", "").commit("Bob is back").push().refused("ID109", "revoked")


def test_a_maintainer_ends_the_protocol_and_only_identity_stays(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1").clone("alice"), repo.clone("builder")
    alice.write("codifica.json", None).commit("No tasks any more").push().accepted(perhaps={"ST111"})
    builder.fresh().write("codifica.json", "{}\n").commit("Mine").push().refused("ID109")


def test_an_unknown_word_in_the_policy_refuses_nothing(repo: Repo) -> None:
    repo.clone("alice").write(".codifica/guard.json", guard_json(repo, colour="red")).commit("Policy").push().accepted(
        perhaps={"ID109"}
    )


# -- nobody promotes himself


def _settings(repo: Repo, **changes: object) -> str:
    return as_json({**json.loads(repo.clone("alice").read("codifica.json")), **changes})


def test_a_maintainer_who_was_one_on_an_old_base_is_none_any_more(repo: Repo) -> None:
    alice, bob = repo.policy(maintainers=["human:alice", "human:bob"]).clone("alice"), repo.clone("bob")
    bob.write(
        ".codifica/guard.json", guard_json(repo, maintainers=["human:alice", "human:bob"], self_approval="allow")
    ).commit("Policy")
    alice.write("src/main.py", "x = 1\n").write(
        ".codifica/guard.json", guard_json(repo, maintainers=["human:alice"])
    ).commit("Without bob").push().accepted()
    bob.try_git("pull", "-q", "--no-edit", "-X", "theirs")
    bob.push().refused("ID109")
