"""`policy show`: every key with its value, default or set, who changed it last, and who has which role."""

import json
from typing import Any

import pytest

from tests.building import Clone, Repo
from tests.building.repo import NAMESPACES
from tests.unit.cli_b.ends import GUARD, SIGNERS, changed, exits, on_main

CODIFICA = "codifica.json"


def data(clone: Clone, *words: str) -> dict[str, Any]:
    found = exits(clone.guard("policy", "show", "--json", *words), 0).json["data"]
    assert isinstance(found, dict)
    return found


def key(clone: Clone, name: str, part: str = "keys") -> dict[str, Any]:
    (row,) = [row for row in data(clone)[part] if row["key"] == name]
    assert isinstance(row, dict)
    return row


def by(row: dict[str, Any]) -> tuple[str, str | None]:
    return row["changed"]["commit"], row["changed"]["by"]


def written(clone: Clone, **values: Any) -> str:
    """The policy with some keys changed; those that are None are taken out."""
    guard = {**json.loads(on_main(clone, GUARD)), **values}
    return json.dumps({k: v for k, v in guard.items() if k not in values or v is not None}, indent=2) + "\n"


def edit(clone: Clone, **values: Any) -> str:
    """Such a change, pushed; its commit."""
    changed(clone, GUARD, written(clone, **values))
    return clone.head()


# -- values


def test_each_key_is_shown_with_its_value_and_what_it_means(repo: Repo) -> None:
    alice = repo.clone("alice")
    said = exits(alice.guard("policy", "show"), 0).text.splitlines()
    assert said[0].startswith(f"policy   main {repo.tip()[:7]}, fetched ")
    at = next(n for n, line in enumerate(said) if line.split()[:1] == ["self_approval"])
    assert said[at].split()[1:4] == ["warn", "human:alice", repo.tip()[:7]]
    assert said[at + 1].strip().startswith("What an agent gets")
    assert any(line.split()[:2] == ["protected_branches", "main"] for line in said)
    assert any(line.split()[:2] == ["forge_accounts", "{}"] for line in said)
    assert any(line.split()[:3] == ["$schema", "null", "(default)"] for line in said)


def test_what_is_set_and_what_is_a_default_are_told_apart(repo: Repo) -> None:
    alice = repo.clone("alice")
    edit(alice, self_approval=None, resume_after_minutes=None)
    row = key(alice, "self_approval")
    assert (row["value"], row["set"], row["default"], row["required"]) == ("warn", False, "warn", False)
    assert key(alice, "resume_after_minutes")["value"] is None
    assert key(alice, "mode")["set"] is True
    assert (key(alice, "maintainers")["required"], key(alice, "maintainers")["default"]) == (True, None)


def test_the_settings_of_codifica_are_shown_too(repo: Repo) -> None:
    alice = repo.rules(allowed_agents=["agent:builder"], file_scope={"exclude": ["secret/**"]}).clone("alice")
    assert key(alice, "rules.allowed_agents", "codifica")["value"] == ["agent:builder"]
    assert key(alice, "rules.file_scope.include", "codifica")["set"] is False
    assert key(alice, "rules.file_scope.exclude", "codifica")["value"] == ["secret/**"]
    said = exits(alice.guard("policy", "show"), 0).text
    assert "agent:writer (not in allowed_agents)" in said
    assert "agent:builder (" not in said


def test_rules_that_are_a_word_are_the_mode(repo: Repo) -> None:
    alice = repo.clone("alice")
    row = key(alice, "rules.mode", "codifica")
    assert (row["value"], row["set"]) == ("strict", True)
    settings = json.loads(on_main(alice, CODIFICA))
    changed(alice, CODIFICA, json.dumps({**settings, "rules": {"mode": "strict", "stale_claim_hours": 48}}))
    assert key(alice, "rules.mode", "codifica")["changed"]["judged"] is False
    assert by(key(alice, "rules.stale_claim_hours", "codifica")) == (alice.head(), "human:alice")


# -- who changed it


def test_the_commit_that_gave_it_its_value_is_named(repo: Repo) -> None:
    alice = repo.policy(maintainers=["human:alice", "human:bob"]).clone("alice")
    first = repo.tip()
    once = edit(alice, self_approval="refuse")
    bob = repo.clone("bob").fresh()
    twice = edit(bob, mode="report")
    assert by(key(bob, "self_approval")) == (once, "human:alice")
    assert by(key(bob, "mode")) == (twice, "human:bob")
    assert by(key(bob, "ruleset")) == (first, "human:alice")


def test_what_goes_back_was_changed_by_whoever_put_it_back(repo: Repo) -> None:
    alice = repo.clone("alice")
    edit(alice, mode="report")
    back = edit(alice, mode="enforce")
    assert by(key(alice, "mode"))[0] == back


def test_what_was_taken_out_was_changed_by_whoever_did(repo: Repo) -> None:
    alice = repo.clone("alice")
    out = edit(alice, self_approval=None)
    row = key(alice, "self_approval")
    assert (row["set"], row["changed"]["commit"]) == (False, out)
    assert key(alice, "$schema")["changed"] is None


def test_a_merge_changed_nothing_by_itself(repo: Repo) -> None:
    alice = repo.clone("alice").switch("side")
    alice.write(GUARD, written(alice, self_approval="refuse")).commit("Side")
    side = alice.head()
    alice.checkout("main")
    other = edit(alice, mode="report")
    alice.merge("side", proof="git").push().accepted()
    assert by(key(alice, "self_approval"))[0] == side
    assert by(key(alice, "mode"))[0] == other


def test_before_the_guard_nobody_is_proven(repo: Repo) -> None:
    alice = repo.clone("alice")
    assert key(alice, "state", "codifica")["changed"] | {"commit": "", "at": ""} == {
        "commit": "", "at": "", "by": None, "judged": False,
    }  # fmt: skip
    assert "before the guard  " in exits(alice.guard("policy", "show"), 0).text


def test_a_change_that_nobody_is_proven_to_have_made_is_told(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.write(GUARD, written(alice, mode="report")).commit("Around the guard", proof="none")
    repo.on_server("fetch", "-q", str(alice.folder), "main:main")
    alice.fetch()
    row = key(alice, "mode")
    assert (row["changed"]["by"], row["changed"]["judged"]) == (None, True)
    assert "nobody proven  " in exits(alice.guard("policy", "show"), 0).text


def test_an_earlier_file_that_could_not_be_read_says_nothing(repo: Repo) -> None:
    alice = repo.clone("alice")
    good = on_main(alice, GUARD)
    for text in ('{"mode": ', "[]", good):
        alice.write(GUARD, text).commit("Around the guard", proof="none")
    repo.on_server("fetch", "-q", str(alice.folder), "main:main")
    alice.fetch()
    assert by(key(alice, "mode"))[0] == alice.head()


def test_an_earlier_link_in_its_place_says_nothing(repo: Repo) -> None:
    alice = repo.clone("alice")
    good, place = on_main(alice, GUARD), alice.folder / GUARD
    place.unlink()
    place.symlink_to("allowed_signers")
    alice.commit("Around the guard", proof="none")
    place.unlink()
    alice.write(GUARD, good).commit("Around the guard", proof="none")
    repo.on_server("fetch", "-q", str(alice.folder), "main:main")
    assert by(key(alice.fetch(), "mode")) == (alice.head(), None)


def test_in_a_shallow_clone_what_lies_deeper_is_not_told(repo: Repo) -> None:
    alice = repo.clone("alice")
    changing = edit(alice, mode="report")
    edit(alice, mode="enforce")
    last = edit(alice, self_approval="refuse")
    alice.git("fetch", "-q", "--depth=2", "origin", "main")
    assert by(key(alice, "self_approval"))[0] == last
    assert key(alice, "ruleset")["changed"] is None
    assert changing not in json.dumps(data(alice))


# -- roles


def test_who_has_which_role_is_told_and_who_has_no_key(repo: Repo) -> None:
    repo.policy(maintainers=["human:alice", "human:dora"]).revoked("writer").signer("server:git", "stranger")
    alice = repo.signer("human:alice", "spare").clone("alice")
    roles = {role["role"]: role["members"] for role in data(alice)["roles"]}
    assert roles["maintainers"] == [
        {"principal": "human:alice", "keys": 2, "allowed": True},
        {"principal": "human:dora", "keys": 0, "allowed": True},
    ]
    assert [m["principal"] for m in roles["agents"]] == ["agent:builder", "agent:writer"]
    assert [m["keys"] for m in roles["agents"]] == [1, 0]
    assert [m["principal"] for m in roles["people"]] == ["human:alice", "human:bob"]
    said = exits(alice.guard("policy", "show"), 0).text
    assert "human:dora (no valid key)" in said
    assert "server:git" in said
    assert "is a maintainer, and no line lists a key" in said


# -- where it is


def test_anybody_may_look_also_without_a_key(repo: Repo) -> None:
    stranger = repo.clone("stranger")
    stranger.git("config", "user.signingkey", "/nowhere")
    assert data(stranger)["branch"] == "main"


def test_what_counts_is_the_branch_that_holds_it_as_last_fetched(repo: Repo) -> None:
    alice, bob = repo.clone("alice"), repo.clone("bob").switch("topic")
    bob.write(GUARD, written(bob, mode="report")).commit("Mine")
    assert key(bob, "mode")["value"] == "enforce"
    edit(alice, self_approval="refuse")
    assert key(bob, "self_approval")["value"] == "warn"
    assert data(bob, "--fetch")["keys"] != []
    assert key(bob, "self_approval")["value"] == "refuse"


def test_before_the_first_push_the_clones_own_policy_is_shown(repo: Repo) -> None:
    alice = repo.not_introduced().clone("alice")
    exits(alice.guard("policy", "show"), 2, "no policy yet")
    exits(alice.guard("init", "--yes", "--as", "alice", "--key", repo.keys.private("alice")), 0)
    assert exits(alice.guard("policy", "show"), 0).text.startswith(f"policy   main {alice.head()[:7]}, no remote")


def test_without_a_remote_the_own_branch_is_fetched_from_nowhere(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.git("remote", "remove", "origin")
    assert data(alice, "--fetch")["branch"] == "main"


def test_a_policy_that_cannot_be_taken_is_shown_with_what_is_wrong(repo: Repo) -> None:
    alice = repo.clone("alice")
    for path, text, told in (
        (GUARD, '{"version": 1, "mode": "\x1b"}', "ID109 .codifica/guard.json"),
        (CODIFICA, '{"protocol": "codifica"}', "CD110 codifica.json"),
        (SIGNERS, f"nonsense\nhuman:alice {NAMESPACES} {repo.keys.line('alice')}\n", f"ID109 {SIGNERS}:1"),
    ):
        alice.write(path, text).commit("Around the guard", proof="none")
        repo.on_server("fetch", "-q", str(alice.folder), "main:main")
        alice.fetch()
        done = exits(alice.guard("policy", "show", "--json"), 1, f"FAULT    {told}")
        assert any(told in text for text in done.json["data"]["faults"])
        assert "missing" in exits(alice.guard("policy", "show"), 1).text


@pytest.mark.parametrize("removed", [CODIFICA, GUARD])
def test_a_file_that_is_gone_has_no_keys(repo: Repo, removed: str) -> None:
    alice = repo.clone("alice")
    alice.write(removed, None if removed == CODIFICA else "nothing").commit("Around the guard", proof="none")
    repo.on_server("fetch", "-q", str(alice.folder), "main:main")
    done = alice.fetch().guard("policy", "show", "--json")
    part = "codifica" if removed == CODIFICA else "keys"
    assert all(not row["set"] for row in done.json["data"][part])


def test_what_is_hardly_meant_is_told(repo: Repo) -> None:
    alice = repo.clone("alice")
    edit(alice, surprise=1)
    done = exits(alice.guard("policy", "show", "--json"), 0, "warn     surprise: is not known")
    assert len(done.json["data"]["warnings"]) == 1
