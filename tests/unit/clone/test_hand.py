"""Whose hand a clone is in."""

import io
import os
import sys
from pathlib import Path

import pytest

from codifica_guard.clone.hand import asker, find_hand, find_key, name_actor, principals, token_folder
from codifica_guard.errors import KeyUnavailable, NeedsTerminal
from codifica_guard.identity.keys import public_line
from tests.building import Repo
from tests.building.machine import run
from tests.unit.clone.conftest import Open


def test_the_only_principal_of_the_key_acts(repo: Repo, opened: Open) -> None:
    with opened(repo.clone("builder")) as desk:
        hand = find_hand(desk)
        assert hand.actor == "agent:builder"
        assert principals(desk.needs_policy(), hand.signer) == ("agent:builder",)


@pytest.mark.parametrize("name", ["builder", "agent:builder"])
def test_a_name_may_be_short(repo: Repo, opened: Open, name: str) -> None:
    with opened(repo.clone("builder")) as desk:
        assert find_hand(desk, wanted=name).actor == "agent:builder"


@pytest.mark.parametrize("name", ["writer", "human:builder", "x y", "server:builder"])
def test_a_name_that_is_not_the_keys_is_refused(repo: Repo, opened: Open, name: str) -> None:
    with opened(repo.clone("builder")) as desk, pytest.raises(KeyUnavailable, match="listed for agent:builder"):
        find_hand(desk, wanted=name)


def test_a_key_of_several_asks_for_a_name(repo: Repo, opened: Open) -> None:
    builder = repo.signer("agent:helper", "builder").clone("builder")
    with opened(builder) as desk:
        with pytest.raises(KeyUnavailable, match=r"git config codifica\.actor NAME"):
            find_hand(desk)
        signer, policy = find_key(desk), desk.needs_policy()
        assert name_actor(desk, policy, signer, environ={"CODIFICA_ACTOR": "helper"}) == "agent:helper"
        desk.git("config", "codifica.actor", "builder")
        assert name_actor(desk, policy, signer, environ={}) == "agent:builder"


def test_a_strangers_key_says_what_a_maintainer_has_to_run(repo: Repo, opened: Open) -> None:
    with opened(repo.clone("stranger")) as desk:
        with pytest.raises(KeyUnavailable, match="git codifica key add human:NAME 'ssh-ed25519 "):
            find_hand(desk)
        with pytest.raises(KeyUnavailable, match="listed for nobody"):
            find_hand(desk, wanted="human:alice")


def test_gits_key_counts_only_if_git_signs_by_ssh(repo: Repo, opened: Open) -> None:
    builder = repo.clone("builder")
    builder.git("config", "gpg.format", "openpgp")
    with opened(builder) as desk:
        with pytest.raises(KeyUnavailable, match="no key to sign with"):
            find_key(desk)
        desk.git("config", "codifica.signingKey", str(repo.keys.private("builder")))
        assert " ".join(public_line(find_key(desk).key).split()[:2]) == repo.keys.line("builder")


def test_a_passphrase_is_asked_for_where_somebody_sits_and_never_in_quiet(
    repo: Repo, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "locked"
    run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", path], cwd=tmp_path, home=tmp_path)
    with opened(repo.clone("builder")) as desk:
        with pytest.raises(KeyUnavailable, match="is encrypted"):
            find_key(desk, explicit=str(path))
        ours, theirs = os.openpty()
        with os.fdopen(theirs, "w") as terminal:
            monkeypatch.setattr(sys, "stderr", terminal)
            monkeypatch.setattr("getpass.getpass", lambda _: "secret")
            assert find_key(desk, explicit=str(path)).source == str(path)
            with pytest.raises(KeyUnavailable, match="is encrypted"):
                find_key(desk, explicit=str(path), quiet=True)
        os.close(ours)


def test_a_question_that_nobody_answers_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(prompt: str) -> str:
        raise EOFError(prompt)

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr("getpass.getpass", ended)
    ask = asker()
    assert ask is not None
    with pytest.raises(NeedsTerminal):
        ask("Passphrase: ")


def test_writer_tokens_lie_in_the_common_folder_or_where_the_config_says(repo: Repo, opened: Open) -> None:
    builder = repo.clone("builder")
    builder.git("worktree", "add", "-q", str(builder.folder.parent / "tree"), "-b", "t")
    with opened(builder) as desk:
        assert token_folder(desk) == builder.folder.resolve() / ".git" / "codifica-guard" / "tokens"
        desk.git("config", "codifica.tokenDir", "~/tokens")
        assert token_folder(desk) == builder.home / "tokens"
