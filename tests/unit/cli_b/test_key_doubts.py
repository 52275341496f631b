"""`doctor` in a clone: what will go wrong with the key that signs there."""

import time

import pytest

from tests.building import Clone, Repo
from tests.building.repo import NAMESPACES
from tests.unit.cli_b.ends import exits, fingerprint

DAY = 86400


def stamp(days: float) -> str:
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * DAY))


def doubts(clone: Clone) -> list[tuple[str, list[str]]]:
    checks = clone.guard("doctor", "--json").json["data"]["checks"]
    return [(check["text"], check["do"]) for check in checks if check["name"] == "key" and check["level"] == "warn"]


def bob_until(repo: Repo, options: str) -> Clone:
    return repo.without_signer("human:bob", "bob").signer("human:bob", "bob", f"{NAMESPACES},{options}").clone("bob")


@pytest.mark.parametrize(("days", "told"), [(29, 1), (31, 0)])
def test_a_key_that_ends_within_thirty_days_is_told_with_the_way_out(repo: Repo, days: int, told: int) -> None:
    bob = bob_until(repo, f'valid-before="{stamp(days)}"')
    found = doubts(bob)
    assert len(found) == told
    for text, do in found:
        assert text.startswith(f"{fingerprint(bob, 'bob')} ends at 20")
        assert do == ["a maintainer runs: git codifica key rotate human:bob --new FILE.pub"]


def test_where_a_newer_key_is_listed_that_one_is_named(repo: Repo) -> None:
    bob = bob_until(repo.signer("human:bob", "carol"), f'valid-before="{stamp(5)}"')
    ((_, do),) = doubts(bob)
    assert do == [f"git config codifica.signingKey FILE.pub   ({fingerprint(bob, 'carol')} is valid without an end)"]


@pytest.mark.parametrize(
    ("dates", "word"),
    [('valid-before="20200101"', "EXPIRED"), ('valid-after="20990101"', "NOT YET"), (None, "REVOKED")],
)
def test_a_key_that_does_not_count_is_told(repo: Repo, dates: str | None, word: str) -> None:
    bob = bob_until(repo, dates) if dates is not None else repo.revoked("bob").clone("bob")
    ((text, do),) = doubts(bob)
    assert text == f"{fingerprint(bob, 'bob')} is {word}: what it signs now is refused"
    assert do == ["a maintainer runs: git codifica key add human:bob FILE.pub"]


def test_one_line_without_an_end_is_enough(repo: Repo) -> None:
    alice = repo.clone("alice")
    line = f'human:bob namespaces="git,codifica-guard",valid-before="{stamp(5)}" {repo.keys.line("bob")}\n'
    path = ".codifica/allowed_signers"
    alice.write(path, alice.read(path) + line).commit("Twice").push().accepted()
    assert doubts(repo.clone("bob").fresh()) == []


def test_after_a_rotation_another_machine_is_told(repo: Repo) -> None:
    alice, laptop = repo.policy(maintainers=["human:alice", "human:bob"]).clone("alice"), repo.clone("alice", "laptop")
    exits(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.public("carol")), 0)
    assert doubts(laptop) == []
    ((text, do),) = doubts(laptop.fetch())
    assert "ends at" in text
    assert fingerprint(alice, "carol") in do[0]
    assert doubts(alice) == []


def test_one_key_that_all_depends_on_is_told_to_its_owner(repo: Repo) -> None:
    alice = repo.clone("alice")
    ((text, do),) = doubts(alice)
    assert text.startswith("human:alice alone can change the policy, with one key")
    assert do == ["git codifica key add human:alice SPARE.pub   (a second key, kept offline)"]
    assert doubts(repo.clone("bob")) == []
    exits(alice.guard("key", "add", "human:alice", repo.keys.line("carol")), 0)
    assert doubts(alice) == []


def test_a_second_maintainer_is_enough(repo: Repo) -> None:
    assert doubts(repo.policy(maintainers=["human:alice", "human:bob"]).clone("alice")) == []


def test_a_second_maintainer_without_a_key_is_not(repo: Repo) -> None:
    assert len(doubts(repo.policy(maintainers=["human:alice", "human:dora"]).clone("alice"))) == 1


def test_without_a_policy_nothing_can_go_wrong(repo: Repo) -> None:
    assert doubts(repo.not_introduced().clone("alice")) == []


def test_a_key_that_is_not_listed_is_told_once(repo: Repo) -> None:
    ((text, _),) = doubts(repo.clone("stranger"))
    assert "nobody's here" in text
