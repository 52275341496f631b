"""`policy set` and `policy upgrade`: one signed commit of `guard.json`, of a maintainer, checked by the schema."""

import json
from typing import Any

import pytest

from codifica_guard.cli.policy_change import value_of
from codifica_guard.policy import schema
from tests.building import Clone, Repo
from tests.unit.cli_b.ends import GUARD, SIGNERS, changed, exits, on_main


def guard(clone: Clone) -> dict[str, Any]:
    found = json.loads(on_main(clone, GUARD))
    assert isinstance(found, dict)
    return found


# -- set


@pytest.mark.parametrize(
    ("key", "words", "value"),
    [
        ("mode", ["report"], "report"),
        ("self_approval", ['"refuse"'], "refuse"),
        ("resume_after_minutes", ["15"], 15),
        ("resume_after_minutes", ["null"], None),
        ("protected_branches", ["main", "release/*"], ["main", "release/*"]),
        ("protected_branches", ["release/*"], ["release/*"]),
        ("protected_branches", ['["release/*"]'], ["release/*"]),
        ("protected_branches", ["null"], None),
        ("maintainers", ["human:bob", "human:alice"], ["human:bob", "human:alice"]),
        ("forge_accounts", ['{"alice@forge": "human:alice"}'], {"alice@forge": "human:alice"}),
        ("$schema", ["./guard.schema.json"], "./guard.schema.json"),
    ],
)
def test_a_key_gets_a_value_and_every_other_line_stays(repo: Repo, key: str, words: list[str], value: Any) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    before = guard(alice)
    done = exits(alice.guard("policy", "set", key, *words, "--json"), 0, "signed by human:alice, pushed", f'"{key}"')
    assert guard(alice) == {**before, key: value}
    assert repo.on_server("diff", "--name-only", start, "main") == GUARD
    assert done.json["data"] == {"changed": [key], "branch": "main", "commit": repo.tip(), "pushed": True}
    again = exits(alice.guard("policy", "set", key, *words, "--json"), 0, f"{key} is ", "already")
    assert again.json["data"] == {"changed": [], "branch": "main", "commit": None, "pushed": False}
    assert repo.tip() == done.json["data"]["commit"]


def test_a_long_value_does_not_stand_in_the_subject(repo: Repo) -> None:
    alice = repo.clone("alice")
    exits(alice.guard("policy", "set", "protected_branches", "main", "x" * 150), 0)
    assert repo.on_server("log", "-1", "--format=%s", "main") == "codifica: policy protected_branches changed"


def test_a_dry_run_shows_the_lines_and_changes_nothing(repo: Repo) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    said = exits(alice.guard("policy", "set", "mode", "report", "--dry-run"), 0, "nothing was changed").text
    assert '-  "mode": "enforce",\n+  "mode": "report",\n' in said
    assert repo.tip() == start


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mode", "lenient"), "mode is to be 'enforce' or 'report'"),
        (("mode", "report", "enforce"), "mode takes one value"),
        (("resume_after_minutes", "soon"), "is to be a whole number"),
        (("resume_after_minutes", "-1"), "at least 0"),
        (("ruleset", "99"), "is not known to this guard"),
        (("maintainers", "agent:builder"), "is to have the form"),
        (("maintainers", "[]"), "is not to be empty"),
        (("maintainers", "human:alice", "human:bob", "human:alice"), "maintainers names human:alice twice"),
        (("maintainers", '["human:alice", "human:alice"]'), "maintainers names human:alice twice"),
        (("protected_branches", "main", "main"), "protected_branches names main twice"),
        (("maintainers", "[1, 1]"), "maintainers names 1 twice"),
        (("protected_branches", "["), "the file ends too early"),
        (("forge_accounts", '{"a": 1, "a": 2}'), "stands twice"),
        (("openclaw", "true"), "not supported yet"),
        (("modus", "x"), "is no key of guard.json: $schema, "),
        (("rules.mode", "permissive"), "codifica.json, which is changed by hand"),
        (("mode",), "VALUE"),
    ],
)
def test_a_wrong_call_is_wrong_usage(repo: Repo, words: tuple[str, ...], told: str) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    exits(alice.guard("policy", "set", *(("--", *words) if "-1" in words else words)), 2, told)
    assert repo.tip() == start


def test_what_never_changes_is_refused_by_the_judge(repo: Repo) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    for words, told in (
        (("repository", "77" * 16), "repository is another one than before"),
        (("coordination_branch", "other"), "coordination_branch is other"),
    ):
        exits(alice.guard("policy", "set", *words), 1, "ID109", told)
    assert repo.tip() == start


@pytest.mark.parametrize(
    ("key", "value"),
    [("human_presence", "hardware-key"), ("maintainers", "human:dora"), ("maintainers", "human:expired")],
)
def test_nobody_locks_everybody_out(repo: Repo, key: str, value: str) -> None:
    alice = repo.signer("human:expired", "spare", 'namespaces="git,codifica-guard",valid-before="20200101"').clone(
        "alice"
    )
    start = repo.tip()
    exits(alice.guard("policy", "set", key, value), 1, "nobody could change the policy any more", "do: ")
    assert repo.tip() == start


def test_a_proof_that_no_key_can_give_locks_out_too(repo: Repo) -> None:
    repo.signer("human:bob", "spare", 'namespaces="git"').policy(maintainers=["human:alice", "human:bob"])
    alice = repo.without_signer("human:bob", "bob").clone("alice")
    exits(alice.guard("policy", "set", "maintainers", "human:bob"), 0)


def test_such_a_key_is_none_where_trailers_are_asked_for(repo: Repo) -> None:
    repo.signer("human:bob", "spare", 'namespaces="git"').policy(
        maintainers=["human:alice", "human:bob"], human_proof="trailer"
    )
    alice = repo.without_signer("human:bob", "bob").clone("alice")
    exits(alice.guard("policy", "set", "maintainers", "human:bob"), 1, "nobody could change the policy")


def test_a_maintainer_may_leave_when_another_stays(repo: Repo) -> None:
    alice = repo.policy(maintainers=["human:alice", "human:bob"]).clone("alice")
    exits(alice.guard("policy", "set", "maintainers", "human:bob"), 0)
    exits(alice.guard("policy", "set", "mode", "report"), 6, "only maintainers change the policy (human:bob)")


@pytest.mark.parametrize("who", ["bob", "builder"])
@pytest.mark.parametrize("words", [("set", "mode", "report"), ("upgrade",), ("upgrade", "--ruleset", "1")])
def test_only_maintainers_change_it(repo: Repo, who: str, words: tuple[str, ...]) -> None:
    clone, start = repo.clone(who), repo.tip()
    exits(
        clone.guard("policy", *words),
        6,
        f"{clone.principal} is no maintainer",
        f"git codifica policy {' '.join(words)}",
    )
    assert repo.tip() == start


def test_a_policy_that_cannot_be_taken_is_mended_first(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.write(SIGNERS, alice.read(SIGNERS) + "nonsense\n").commit("Broken")
    exits(alice.guard("policy", "upgrade", "--no-push"), 1, f"{SIGNERS}:5", "mend it first")


@pytest.mark.parametrize(
    ("key", "words", "value"),
    [
        ("mode", ["report"], "report"),
        ("mode", ["07"], "07"),
        ("mode", ["\u00e9"], "\u00e9"),
        ("maintainers", ["human:a"], ["human:a"]),
        ("maintainers", ['["human:a"]'], ["human:a"]),
        ("maintainers", ['["human:a"]', "human:b"], [["human:a"], "human:b"]),
        ("protected_branches", ["null"], None),
        ("resume_after_minutes", ["true"], True),
        ("coordination_branch", ["2026"], "2026"),
        ("protected_branches", ["2026", "main"], ["2026", "main"]),
        ("repository", ["7" * 32], "7" * 32),
    ],
)
def test_a_value_is_json_where_it_is_some(key: str, words: list[str], value: Any) -> None:
    assert value_of(key, words) == value


# -- upgrade


def test_what_is_absent_is_spelt_out_with_what_it_means_so_far(repo: Repo) -> None:
    alice = repo.clone("alice")
    old = guard(alice)
    few = {key: old[key] for key in ("repository", "coordination_branch", "maintainers")}
    changed(alice, GUARD, json.dumps(few, indent=4) + "\n")
    done = exits(alice.guard("policy", "upgrade", "--json"), 0, '+    "mode": "enforce",')
    made = guard(alice)
    assert list(made) == list(schema.GuardFile.model_json_schema()["properties"])
    assert made == {
        **old, "$schema": "guard.schema.json", "protected_branches": None, "resume_after_minutes": None,
        "writer_tokens": "optional",
    }  # fmt: skip
    assert set(done.json["data"]["changed"]) == set(made) - set(few)
    assert on_main(alice, GUARD).startswith('{\n    "$schema": "guard.schema.json",\n    "version": 1,\n')
    exits(alice.guard("policy", "upgrade"), 0, "nothing to do")


def test_a_policy_of_init_has_nothing_to_upgrade(repo: Repo) -> None:
    alice = repo.not_introduced().clone("alice")
    exits(alice.guard("init", "--yes", "--as", "alice", "--key", repo.keys.private("alice")), 0)
    alice.push().accepted(perhaps={"ST111"})
    head = repo.tip()
    exits(alice.guard("policy", "upgrade"), 0, "nothing to do: .codifica/guard.json spells out every key")
    assert repo.tip() == head


@pytest.mark.parametrize(
    ("named", "moves"),
    [("guard.schema.json", False), ("https://example.org/guard.schema.json", False), ("old.json", True)],
)
def test_the_schema_moves_where_it_is_another(repo: Repo, named: str, *, moves: bool) -> None:
    alice = repo.policy(**{"$schema": named}).clone("alice")
    exits(alice.guard("policy", "upgrade"), 0)
    assert guard(alice)["$schema"] == ("guard.schema.json" if moves else named)


def test_a_ruleset_moves_when_that_is_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = repo.policy(**{"$schema": "guard.schema.json"}).clone("alice")
    exits(alice.guard("policy", "upgrade", "--ruleset", "1"), 0, "nothing to do")
    exits(alice.guard("policy", "upgrade", "--ruleset", "2"), 2, "this guard knows 1")
    exits(alice.guard("policy", "upgrade", "--ruleset", "x"), 2, "--ruleset")
    for place in ("codifica_guard.policy.schema", "codifica_guard.cli.policy_change"):
        monkeypatch.setattr(f"{place}.KNOWN_RULESETS", frozenset({1, 2}))
    said = exits(alice.guard("policy", "upgrade", "--ruleset", "2", "--dry-run"), 0).text
    assert '-  "ruleset": 1,\n+  "ruleset": 2,\n' in said
    assert "message: codifica: upgrade the policy to ruleset 2" in said


def test_keys_that_nobody_knows_stay(repo: Repo) -> None:
    alice = repo.policy(surprise={"a": [1]}).clone("alice")
    exits(alice.guard("policy", "upgrade"), 0)
    assert guard(alice)["surprise"] == {"a": [1]}
