"""`prime`: one manual for whoever works here, whatever key he has."""

import json
import shutil

import pytest

from tests.unit.cli_a.places import Clone
from tests.unit.cli_a.test_key import SIGNERS, change


def push(shop: Clone) -> Clone:
    shop.git("push", "-q", "--no-verify", "origin", "HEAD:main")
    return shop


def as_agent(shop: Clone) -> dict[str, str]:
    return {"CODIFICA_SIGNING_KEY": str(shop.key("builder"))}


def test_an_agent_gets_its_manual_in_few_words(shop: Clone) -> None:
    said = shop.guard("prime", variables=as_agent(shop)).ok()
    assert said.out.startswith("You are agent:builder in shop. Tasks live in work.md on main. Never edit")
    assert "git switch --no-track -c build/ID-slug origin/main" in said.out
    assert len(said.out) <= 1150
    assert said.err == ""
    answer = shop.guard("prime", "--json", variables=as_agent(shop)).ok().json
    assert answer["data"] == {"text": said.out, "actor": "agent:builder"}


def test_a_person_gets_hers(shop: Clone) -> None:
    said = shop.guard("prime").ok()
    assert said.out.startswith("You are human:alice in shop, maintainer. Tasks live in work.md on main.\n")
    assert "git codifica approve ID" in said.out
    assert len(said.out) <= 1150


def test_the_policy_of_the_remote_branch_counts(shop: Clone) -> None:
    rules = {"max_concurrent_tasks_per_agent": 3, "branch_pattern": "w/{id}", "file_scope": {"include": ["src/**"]}}
    change(shop, "codifica.json", json.dumps({**json.loads(shop.read("codifica.json")), "rules": rules}))
    assert "3 tasks" not in shop.guard("prime", variables=as_agent(shop)).ok().out
    said = push(shop).guard("prime", variables=as_agent(shop)).ok()
    for words in ("You may hold 3 tasks at once", "git switch --no-track -c w/ID origin/main; work only in: src/**"):
        assert words in said.out


def test_somebody_whose_key_is_not_listed_learns_what_to_ask_for(shop: Clone) -> None:
    answer = shop.as_bob().guard("prime", "--json").ok().json["data"]
    assert answer["actor"] is None
    lines = answer["text"].splitlines()
    assert lines[0] == "The tasks of shop live in work.md on main."
    assert lines[1].startswith(f"Your key {shop.fingerprint('bob')} is not listed here, so you may read and push code")
    assert "A maintainer (human:alice) runs:" in lines[1]
    assert lines[2] == f"  git codifica key add agent:NAME '{' '.join(shop.line('bob').split()[:2])}'"
    assert "  git codifica claim ID" in answer["text"]


def test_somebody_without_a_key_learns_how_one_is_named(shop: Clone) -> None:
    shop.git("config", "--unset", "codifica.signingKey")
    said = shop.guard("prime").ok()
    for words in (
        "No key of yours can sign here",
        "there is no key to sign with",
        "CODIFICA_SIGNING_KEY=FILE",
        "git codifica ready",
    ):
        assert words in said.out


def test_a_key_of_several_principals_has_to_be_told_apart(shop: Clone) -> None:
    push(change(shop, SIGNERS, shop.read(SIGNERS) + f"human:bob,human:robert {shop.line('bob')}\n"))
    assert "Who you are is not clear" in shop.as_bob().guard("prime").ok().out
    said = shop.guard("prime", variables={"CODIFICA_ACTOR": "robert"}).ok()
    assert said.out.startswith("You are human:robert in shop. ")


@pytest.mark.parametrize(
    ("options", "word"), [('valid-before="20200101" ', "EXPIRED"), ('valid-after="20990101" ', "NOT YET")]
)
def test_a_key_out_of_its_time_is_told(shop: Clone, options: str, word: str) -> None:
    push(change(shop, SIGNERS, shop.read(SIGNERS) + f"human:bob {options}{shop.line('bob')}\n"))
    said = shop.as_bob().guard("prime").ok()
    assert f"But your key is {word}: what it signs now is refused. Ask a maintainer (human:alice)." in said.out


def test_a_revoked_key_is_told(shop: Clone) -> None:
    push(change(shop, ".codifica/revoked_keys", f"{shop.line('builder')}\n"))
    assert "REVOKED" in shop.guard("prime", variables=as_agent(shop)).ok().out


def test_a_server_is_told_that_it_acts_on_nothing(shop: Clone) -> None:
    push(change(shop, SIGNERS, shop.read(SIGNERS) + f"server:git {shop.line('bob')}\n"))
    said = shop.as_bob().guard("prime").ok()
    assert "A server only keeps records" in said.out
    assert "git codifica" not in said.out


def test_nothing_is_fetched_or_written(shop: Clone) -> None:
    shutil.move(shop.bare, shop.bare.with_name("gone.git"))
    before = {path: path.stat().st_mtime_ns for path in shop.folder.rglob("*") if "codifica-guard" not in path.parts}
    shop.guard("prime", variables=as_agent(shop)).ok()
    after = {path: path.stat().st_mtime_ns for path in shop.folder.rglob("*") if "codifica-guard" not in path.parts}
    assert {path for path in after if path.is_file() and before.get(path) != after[path]} == set()


def test_without_a_policy_the_way_to_one_is_told(plain: Clone) -> None:
    for words in (["prime"], ["prime", "--section"]):
        plain.guard(*words).misused("no policy yet", "init")


# -- the section


def test_the_section_needs_no_key_and_names_nobody(shop: Clone) -> None:
    shop.git("config", "--unset", "codifica.signingKey")
    answer = shop.guard("prime", "--section", "--json").ok().json["data"]
    assert answer["actor"] is None
    lines = answer["text"].splitlines()
    assert len(lines) <= 24
    assert lines[0].startswith("<!-- codifica-guard: begin")
    assert lines[-1].startswith("<!-- codifica-guard: end")
    assert "work.md on main" in answer["text"]
    assert shop.guard("prime", "--section").ok().out == answer["text"]
    for name in ("alice", "builder", "SHA256"):
        assert name not in answer["text"]


def test_the_section_needs_a_protocol(shop: Clone) -> None:
    change(shop, "codifica.json", "{}")
    shop.guard("prime", "--section").misused("codifica.json is missing here")
