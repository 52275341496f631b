"""`key rotate`: a new key beside the old one, the caller's own ones and others', and what may not be."""

import re
import time
from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.machine import environment, run
from tests.building.repo import NAMESPACES
from tests.unit.cli_a.terminals import at_terminal
from tests.unit.cli_b.ends import SIGNERS, changed, exits, fingerprint, on_main
from tests.unit.identity.sshkit import real_agent

DAY = 86400


def rotate(clone: Clone, *words: str | Path, who: str = "human:alice", new: str = "carol") -> tuple[str | Path, ...]:
    return ("key", "rotate", who, "--new", clone.repo.keys.public(new), *words)


def stamp(days: float) -> str:
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * DAY))


def signed_with(clone: Clone, name: str) -> dict[str, str]:
    """The environment of somebody who signs with another key."""
    return {"CODIFICA_SIGNING_KEY": str(clone.repo.keys.private(name))}


# -- one's own


def test_both_keys_are_valid_for_a_while_and_the_new_one_signs_here(repo: Repo) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    before = on_main(alice, SIGNERS).splitlines()
    done = exits(alice.guard(*rotate(alice), "--json"), 0)
    after = on_main(alice, SIGNERS).splitlines()
    ended = re.fullmatch(r'human:alice namespaces="git,codifica-guard",valid-before="(\d{14})Z" (.*)', after[0])
    assert ended
    assert ended[2] == repo.keys.line("alice")
    assert after[1:-1] == before[1:]
    assert re.fullmatch(
        rf'human:alice namespaces="git,codifica-guard",valid-after="\d{{8}}Z" {re.escape(repo.keys.line("carol"))} carol',
        after[-1],
    )
    assert repo.on_server("diff", "--name-only", start, "main") == SIGNERS
    data = done.json["data"]
    assert (data["principal"], data["pushed"], data["commit"]) == ("human:alice", True, repo.tip())
    assert (data["old"], data["new"]) == (fingerprint(alice, "alice"), fingerprint(alice, "carol"))
    assert re.sub(r"[-:T]", "", data["until"]) == f"{ended[1]}Z"
    assert data["signing_key"] == str(repo.keys.public("carol")) == alice.git("config", "codifica.signingKey")
    assert fingerprint(alice, "carol") in exits(alice.guard("whoami"), 0, "human:alice").said


def test_it_is_told_what_happens_when(repo: Repo) -> None:
    alice = repo.clone("alice")
    said = exits(
        alice.guard(*rotate(alice)), 0, "valid until 20", "signed by human:alice with the old key, pushed"
    ).text
    assert said.splitlines()[1] == f"new      {fingerprint(alice, 'carol')}   valid now"
    assert f"here     git config codifica.signingKey {repo.keys.public('carol')}   (set)" in said
    assert f"git commit -S signs with the old key still: git config user.signingkey {repo.keys.public('carol')}" in said
    assert "other machines" in said


def test_the_overlap_is_what_was_said(repo: Repo) -> None:
    alice = repo.clone("alice")
    exits(alice.guard(*rotate(alice, "--overlap", "3d")), 0)
    end = re.search(r'valid-before="(\d{8})\d{6}Z"', on_main(alice, SIGNERS))
    assert end
    assert end[1] in {stamp(3)[:8], stamp(3 - 1 / 24)[:8]}


def test_without_an_overlap_the_old_key_ends_at_once(repo: Repo) -> None:
    alice = repo.clone("alice")
    said = exits(alice.guard(*rotate(alice, "--overlap", "0")), 0, "ends now", "with the old key, pushed").text
    assert "other machines" not in said
    time.sleep(1.1)
    exits(alice.guard("policy", "set", "mode", "report", env=signed_with(alice, "alice")), 1, "ID104")
    exits(alice.guard("policy", "set", "mode", "report"), 0)


def test_a_dry_run_shows_the_lines_and_changes_nothing(repo: Repo) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    said = exits(alice.guard(*rotate(alice, "--dry-run")), 0, "nothing was changed").text
    assert re.search(rf'^\+human:alice .*valid-before="\d+Z" {re.escape(repo.keys.line("alice"))}$', said, re.MULTILINE)
    assert repo.tip() == start
    assert alice.try_git("config", "codifica.signingKey").code == 1
    assert exits(alice.guard(*rotate(alice, "--dry-run", "--json")), 0).json["data"]["commit"] is None


def test_a_key_that_is_not_at_hand_does_not_sign_here(repo: Repo) -> None:
    alice = repo.clone("alice")
    said = exits(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.line("carol")), 0)
    assert "the private half of the new key is not here" in said.said
    assert alice.try_git("config", "codifica.signingKey").code == 1


def test_a_public_file_alone_is_not_at_hand_either(repo: Repo, tmp_path: Path) -> None:
    alice = repo.clone("alice")
    for name, text in (("k.pub", repo.keys.line("carol")), ("other.pub", repo.keys.line("carol")), ("odd", "no key")):
        (tmp_path / name).write_text(f"{text}\n")
    (tmp_path / "other").write_bytes(repo.keys.private("bob").read_bytes())
    (tmp_path / "odd.pub").write_text(f"{repo.keys.line('carol')}\n")
    for name in ("k.pub", "other.pub", "odd.pub"):
        words = ("key", "rotate", "human:alice", "--new", tmp_path / name, "--overlap", "0")
        exits(alice.guard(*words), 1, "the private half", "--overlap 14d")


def test_a_key_of_the_agent_signs_here_by_its_name(repo: Repo, tmp_path: Path) -> None:
    alice = repo.clone("alice")
    with real_agent(tmp_path) as held:
        run(["ssh-add", "-q", repo.keys.private("carol")], cwd=tmp_path, home=alice.home, env=held)
        exits(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.line("carol"), env=held), 0, "(set)")
        assert alice.git("config", "codifica.signingKey") == f"key::{repo.keys.line('carol')}"
        exits(alice.guard("policy", "set", "mode", "report", env=held), 0)
    exits(alice.guard("policy", "set", "mode", "enforce"), 1, "ssh-agent")


def test_what_goes_before_the_setting_is_told(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.git("config", "--global", "gpg.format", "openpgp")
    said = exits(alice.guard(*rotate(alice), env=signed_with(alice, "alice")), 0, "CODIFICA_SIGNING_KEY is set").said
    assert "git commit -S" not in said


def test_another_setting_that_goes_before_it_is_told(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.git("config", "extensions.worktreeConfig", "true")
    alice.git("config", "--worktree", "codifica.signingKey", str(repo.keys.private("alice")))
    exits(alice.guard(*rotate(alice)), 0, "another codifica.signingKey goes before it")


def test_a_setting_that_cannot_be_written_is_told(repo: Repo) -> None:
    alice = repo.clone("alice")
    (alice.folder / ".git" / "config.lock").write_text("")
    exits(alice.guard(*rotate(alice)), 0, "not set (", "git config codifica.signingKey")


def test_a_key_that_git_cannot_find_is_no_news(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.git("config", "codifica.signingKey", str(repo.keys.private("alice")))
    alice.git("config", "user.signingkey", "/nowhere")
    said = exits(alice.guard(*rotate(alice)), 0, "(set)").said
    assert "git commit -S" not in said


def test_a_second_rotation_ends_the_key_that_signs(repo: Repo) -> None:
    alice = repo.clone("alice")
    exits(alice.guard(*rotate(alice)), 0)
    done = exits(alice.guard(*rotate(alice, "--json", new="spare")), 0)
    assert done.json["data"]["old"] == fingerprint(alice, "carol")
    assert on_main(alice, SIGNERS).count("valid-before") == 2


def test_a_spare_key_of_ones_own_rotates_the_other(repo: Repo) -> None:
    alice = repo.signer("human:alice", "spare").clone("alice")
    words = rotate(alice, "--old", fingerprint(alice, "alice"))
    said = exits(alice.guard(*words, env=signed_with(alice, "spare")), 0, "signed by human:alice, pushed").said
    assert "(set)" not in said
    assert f"{fingerprint(alice, 'alice')}   valid until" in said


# -- others'


def test_another_persons_key_is_rotated_once_he_told_its_fingerprint(repo: Repo) -> None:
    alice = repo.clone("alice")
    exits(alice.guard(*rotate(alice, who="human:bob")), 2, fingerprint(alice, "carol"), "--yes")
    said = exits(alice.guard(*rotate(alice, "--yes", who="human:bob")), 0).said
    assert "next     human:bob, by 20" in said
    assert "(set)" not in said
    assert alice.try_git("config", "codifica.signingKey").code == 1


@pytest.mark.parametrize(("answer", "code"), [("yes", 0), ("no", 1)])
def test_its_fingerprint_can_be_answered_for(repo: Repo, answer: str, code: int) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    done = at_terminal(rotate(alice, who="human:bob"), [answer], folder=alice.folder, environ=environment(alice.home))
    assert done.code == code, done.screen
    assert (repo.tip() == start) is bool(code)


def test_an_agents_key_is_rotated_without_a_question(repo: Repo) -> None:
    alice = repo.clone("alice")
    said = exits(alice.guard(*rotate(alice, "--overlap", "0", who="agent:builder")), 0).said
    assert f"next     agent:builder, now: CODIFICA_SIGNING_KEY={repo.keys.private('carol')}" in said
    line = on_main(alice, SIGNERS).splitlines()[-1]
    assert line.startswith(f"agent:builder {NAMESPACES},valid-after=")
    (alice.folder / "line.pub").write_text(repo.keys.line("stranger"))
    exits(alice.guard("key", "rotate", "agent:writer", "--new", "line.pub"), 0, "CODIFICA_SIGNING_KEY=FILE")


def test_a_key_that_ends_already_is_not_the_one_that_is_meant(repo: Repo) -> None:
    repo.signer("human:bob", "spare", f'{NAMESPACES},valid-before="{stamp(3)}"')
    alice = repo.clone("alice")
    said = exits(alice.guard(*rotate(alice, "--yes", "--json", who="human:bob")), 0)
    assert said.json["data"]["old"] == fingerprint(alice, "bob")
    assert f'valid-before="{stamp(3)[:8]}' in on_main(alice, SIGNERS)


def test_a_key_that_ends_sooner_keeps_its_end(repo: Repo) -> None:
    repo.without_signer("human:bob", "bob").signer("human:bob", "bob", f'{NAMESPACES},valid-before="{stamp(3)}"')
    alice = repo.clone("alice")
    done = exits(alice.guard(*rotate(alice, "--yes", "--json", who="human:bob")), 0)
    assert re.sub(r"[-:T]", "", done.json["data"]["until"])[:8] == stamp(3)[:8]
    again = alice.guard(*rotate(alice, "--yes", "--old", fingerprint(alice, "bob"), who="human:bob"))
    exits(again, 1, "has both keys already")


def test_a_key_that_was_added_before_only_ends_the_other(repo: Repo) -> None:
    alice = repo.signer("human:bob", "carol").clone("alice")
    before = on_main(alice, SIGNERS).splitlines()
    exits(alice.guard(*rotate(alice, "--yes", who="human:bob")), 0)
    assert len(on_main(alice, SIGNERS).splitlines()) == len(before)
    assert on_main(alice, SIGNERS).count("valid-before") == 1


def test_all_lines_of_a_key_end(repo: Repo) -> None:
    alice = repo.clone("alice")
    text = (
        on_main(alice, SIGNERS) + f'\nhuman:bob namespaces="git",valid-after="20200101" {repo.keys.line("bob")} again'
    )
    changed(alice, SIGNERS, text + f'\nhuman:bob valid-before="20200101" {repo.keys.line("bob")}\n')
    exits(alice.guard(*rotate(alice, "--yes", who="human:bob")), 0)
    lines = [line for line in on_main(alice, SIGNERS).splitlines() if line.startswith("human:bob")]
    assert ["valid-before" in line for line in lines] == [True, True, True, False]
    assert 'valid-before="20200101"' in lines[2]


@pytest.mark.parametrize(
    ("first", "second", "made"),
    [
        ('namespaces="git"', 'namespaces="git,file"', 'namespaces="git,file"'),
        ('namespaces="git"', 'valid-after="20200101"', 'namespaces="git,codifica-guard"'),
    ],
)
def test_the_new_key_signs_what_the_old_one_did(repo: Repo, first: str, second: str, made: str) -> None:
    alice = repo.clone("alice")
    kept = [line for line in on_main(alice, SIGNERS).splitlines() if not line.startswith("human:bob")]
    lines = [f"human:bob {options} {repo.keys.line('bob')}" for options in (first, second)]
    changed(alice, SIGNERS, "\n".join([*kept, *lines]) + "\n")
    exits(alice.guard(*rotate(alice, "--yes", who="human:bob")), 0)
    assert on_main(alice, SIGNERS).splitlines()[-1].startswith(f"human:bob {made},valid-after=")


# -- what may not be


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("human:bob", "--new", "KEY:carol"), "human:bob has several keys"),
        (("human:bob", "--new", "KEY:carol", "--old", "SHA256:x"), "no such key"),
        (("human:bob", "--new", "KEY:carol", "--old", "LINE:alice"), "no such key; SHA256:"),
        (("human:bob", "--new", "KEY:bob", "--old", "LINE:bob"), "the same"),
        (("bob", "--new", "KEY:carol"), "human:bob or agent:bob"),
        (("human:alice", "--new", "/nowhere"), "No such file"),
        (("human:alice", "--new", "~nobody-here/k.pub"), "cannot read a public key from ~nobody-here"),
        (("human:alice", "--new", "KEY:carol", "--overlap", "soon"), "no span"),
        (("human:alice", "--new", "KEY:carol", "--overlap", "-1d"), "--overlap"),
        (("human:alice", "--new", "KEY:carol", "--overlap", "99999w"), "ten years"),
        (("human:alice",), "--new"),
    ],
)
def test_a_wrong_call_is_wrong_usage(repo: Repo, words: tuple[str, ...], told: str) -> None:
    alice = repo.signer("human:bob", "spare").clone("alice")
    start = repo.tip()
    full = [
        repo.keys.public(word[4:]) if word.startswith("KEY:") else repo.keys.line(word[5:]) if word.startswith("LINE:") else word
        for word in words
    ]  # fmt: skip
    exits(alice.guard("key", "rotate", *full, "--yes"), 2, told)
    assert repo.tip() == start


def refused(repo: Repo, told: str, *words: str, who: str = "human:bob", new: str = "carol") -> None:
    alice = repo.clone("alice")
    start = repo.tip()
    exits(alice.guard(*rotate(alice, "--yes", *words, who=who, new=new)), 1, told)
    assert repo.tip() == start


def test_a_revoked_key_is_no_new_one(repo: Repo) -> None:
    refused(repo.revoked("carol"), "revoked, for good")


@pytest.mark.parametrize("new", ["alice", "builder"])
def test_a_key_of_another_is_no_new_one(repo: Repo, new: str) -> None:
    refused(repo, f"is listed for {'human:alice' if new == 'alice' else 'agent:builder'} already", new=new)


def test_the_only_key_is_no_new_one(repo: Repo) -> None:
    refused(repo, "has this key already, and no other one", new="bob")


@pytest.mark.parametrize("dates", ['valid-before="20200101"', 'valid-after="20990101"', 'valid-before="20990101"'])
def test_a_key_that_is_listed_with_dates_is_no_new_one(repo: Repo, dates: str) -> None:
    refused(repo.signer("human:bob", "carol", f"{NAMESPACES},{dates}"), "with dates of its own")


def test_whose_key_has_ended_gets_another_by_key_add(repo: Repo) -> None:
    repo.without_signer("human:bob", "bob").signer("human:bob", "bob", f'{NAMESPACES},valid-before="20200101"')
    refused(repo, "do: git codifica key add human:bob 'ssh-ed25519 ")
    refused(repo, "do: git codifica key add human:dora 'ssh-ed25519 ", who="human:dora")


def test_a_key_that_begins_later_than_it_would_end_is_left_alone(repo: Repo) -> None:
    repo.without_signer("human:bob", "bob").signer("human:bob", "bob", f'{NAMESPACES},valid-after="20990101"')
    refused(repo, "a longer --overlap")


@pytest.mark.parametrize("other", ["human:bob,human:dora", "human:b*"])
def test_a_key_of_several_is_mended_by_hand(repo: Repo, other: str) -> None:
    repo.without_signer("human:bob", "bob").signer(other, "bob")
    refused(repo, "by hand")


def test_where_presence_is_asked_for_a_person_needs_a_hardware_key(repo: Repo) -> None:
    repo.policy(human_presence="hardware-key")
    refused(repo, "human_presence is hardware-key here")


def test_a_policy_that_cannot_be_taken_is_mended_first(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.write(SIGNERS, alice.read(SIGNERS) + "nonsense\n").commit("Broken")
    exits(alice.guard(*rotate(alice, "--no-push")), 1, f"ID109 {SIGNERS}:5", "mend it first")


def test_only_maintainers_rotate_and_the_others_are_told_whom_to_ask(repo: Repo) -> None:
    bob, start = repo.clone("bob"), repo.tip()
    done = exits(bob.guard(*rotate(bob, who="human:bob")), 6, "human:bob is no maintainer", "(human:alice)")
    assert (
        f"ask one to run: git codifica key rotate human:bob --new '{repo.keys.line('carol')}' --overlap 14d"
        in done.said
    )
    assert repo.tip() == start
    exits(repo.clone("stranger").guard(*rotate(bob, who="human:bob")), 1, "nobody's here")


def test_the_last_key_that_counts_is_not_replaced_by_one_that_nobody_has(repo: Repo) -> None:
    alice = repo.clone("alice")
    words = ("key", "rotate", "human:alice", "--new", repo.keys.line("carol"))
    exits(alice.guard(*words, "--overlap", "0"), 1, "nobody else could change the policy", "--overlap 14d")
    exits(alice.guard(*words, "--overlap", "1d"), 0)


def test_beside_another_maintainer_a_key_may_end_at_once(repo: Repo) -> None:
    alice = repo.policy(maintainers=["human:alice", "human:bob"]).clone("alice")
    exits(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.line("carol"), "--overlap", "0"), 0)


def test_a_new_key_that_proves_nothing_is_no_key_of_the_last_maintainer(repo: Repo) -> None:
    repo.without_signer("human:alice", "alice").signer("human:alice", "alice", 'namespaces="git,codifica-guard"')
    repo.signer("human:alice", "spare", 'namespaces="file"')
    alice = repo.clone("alice")
    words = rotate(alice, "--old", fingerprint(alice, "spare"))
    exits(alice.guard(*words), 0)
    alice.fresh()
    ended = on_main(alice, SIGNERS).replace(
        'human:alice namespaces="git,codifica-guard" ', f'human:alice {NAMESPACES},valid-before="{stamp(5)}" '
    )
    changed(alice, SIGNERS, ended)
    exits(
        alice.guard(*rotate(alice, "--old", fingerprint(alice, "carol"), new="stranger")),
        1,
        "nobody could change the policy",
    )
