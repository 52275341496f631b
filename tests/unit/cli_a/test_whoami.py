import json
import shutil
from pathlib import Path

import pytest

from tests.unit.cli_a.places import Clone
from tests.unit.cli_a.test_key import SIGNERS, change


def test_a_maintainer_learns_what_she_may_do(shop: Clone) -> None:
    said = shop.guard("whoami").ok()
    for word in (str(shop.key("alice")), shop.fingerprint("alice"), "codifica.signingKey", "human:alice", "maintainer"):
        assert word in said.out
    data = shop.guard("whoami", "--json").ok().json["data"]
    assert (data["actor"], data["maintainer"], data["listed"], data["state"]) == ("human:alice", True, True, "valid")
    assert data["key"]["fingerprint"] == shop.fingerprint("alice")


def test_a_human_who_is_no_maintainer(shop: Clone) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f"human:bob {shop.line('bob')}\n")
    said = shop.as_bob().guard("whoami").ok()
    assert "human:bob" in said.out
    assert "maintainer" not in said.out


def agent(shop: Clone) -> dict[str, str]:
    return {"CODIFICA_SIGNING_KEY": str(shop.key("builder"))}


def test_an_agent_learns_what_it_may_do(shop: Clone) -> None:
    said = shop.guard("whoami", variables=agent(shop)).ok()
    for word in ("from CODIFICA_SIGNING_KEY", "agent:builder", "take tasks,", "change files in **"):
        assert word in said.out


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        ({"max_concurrent_tasks_per_agent": 2, "file_scope": {"include": ["src/**"]}}, "(2 at once)"),
        ({"allowed_agents": ["builder"]}, "take tasks"),
        ({"allowed_agents": ["writer"]}, "not take tasks"),
    ],
)
def test_the_rules_bound_what_an_agent_may_do(shop: Clone, rules: dict[str, object], word: str) -> None:
    change(shop, "codifica.json", json.dumps({**json.loads(shop.read("codifica.json")), "rules": rules}))
    assert word in shop.guard("whoami", variables=agent(shop)).ok().out


def test_without_a_protocol_an_agent_may_still_be_told(shop: Clone) -> None:
    change(shop, "codifica.json", "{}")
    assert "take tasks" in shop.guard("whoami", variables=agent(shop)).ok().out


def test_a_server_acts_on_nothing(shop: Clone) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f"server:git {shop.line('bob')}\n")
    assert "act on nothing" in shop.as_bob().guard("whoami").ok().out


def test_a_stranger_learns_whom_to_ask_for_what(shop: Clone) -> None:
    said = shop.as_bob().guard("whoami").ok()
    command = f"git codifica key add human:alice-smith '{shop.line('bob')}'"
    for word in ("is not listed here", "human:alice", command):
        assert word in said.out
    answer = shop.guard("whoami", "--json").ok().json
    assert (answer["data"]["listed"], answer["data"]["principals"], answer["next"]) == (False, [], [command])
    shop.git("config", "user.name", "\u00c4")
    assert "key add human:NAME" in shop.guard("whoami").ok().out


def test_a_comment_that_is_not_there_or_could_not_be_typed_is_left_out(shop: Clone, tmp_path: Path) -> None:
    bare = " ".join(shop.line("bob").split()[:2])
    shutil.copy(shop.key("bob"), tmp_path / "k")
    shop.git("config", "codifica.signingKey", tmp_path / "k")
    for public in (None, "no key\n", f"{bare} it's\n", f"{bare}\n", f"{shop.line('alice')}\n"):
        if public is not None:
            (tmp_path / "k.pub").write_text(public)
        answer = shop.guard("whoami", "--json").ok().json
        assert answer["next"] == [f"git codifica key add human:alice-smith '{bare}'"]


def test_a_policy_without_maintainers_names_none(shop: Clone) -> None:
    change(shop, ".codifica/guard.json", "{}")
    assert "there is none" in shop.as_bob().guard("whoami").ok().out


def test_no_key_is_told_with_what_to_do(shop: Clone) -> None:
    shop.git("config", "--unset", "codifica.signingKey")
    shop.guard("whoami").refused("codifica.signingKey")


def test_without_a_policy_there_is_no_principal(plain: Clone) -> None:
    plain.git("config", "gpg.format", "ssh")
    plain.git("config", "user.signingkey", plain.key("bob"))
    said = plain.guard("whoami").ok()
    for word in ("none here yet", "user.signingkey", "git codifica init"):
        assert word in said.out
    assert plain.guard("whoami", "--json").ok().json["data"]["policy"] is False


@pytest.mark.parametrize(
    ("options", "word"), [('valid-before="20200101"', "EXPIRED"), ('valid-after="20990101"', "NOT YET")]
)
def test_a_key_out_of_its_time_is_told(shop: Clone, options: str, word: str) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f"human:bob {options} {shop.line('bob')}\n")
    assert word in shop.as_bob().guard("whoami").ok().out


def test_a_revoked_key_is_told(shop: Clone) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f"human:bob {shop.line('bob')}\n")
    change(shop, ".codifica/revoked_keys", f"{shop.line('bob')}\n")
    assert "REVOKED" in shop.as_bob().guard("whoami").ok().out


def test_several_principals_of_a_key_are_told_apart_by_a_setting(shop: Clone) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f"human:bob,human:robert {shop.line('bob')}\n")
    said = shop.as_bob().guard("whoami").ok()
    for word in ("human:bob, human:robert", "codifica.actor"):
        assert word in said.out
    shop.git("config", "codifica.actor", "robert")
    assert shop.guard("whoami", "--json").ok().json["data"]["actor"] == "human:robert"


def test_a_key_for_gits_signatures_alone_is_told(shop: Clone) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f'human:bob namespaces="git" {shop.line("bob")}\n')
    said = shop.as_bob().guard("whoami").ok()
    for word in ("human:bob", "git commit -S alone"):
        assert word in said.out
