import os
import shutil
import subprocess

import pytest

from codifica_guard.cli.introduction import verify_introduction
from codifica_guard.errors import SignatureError, UsageError
from tests.unit.cli_a.places import Clone


@pytest.mark.parametrize("digits", [40, 7])
def test_the_introducer_is_named(shop: Clone, digits: int) -> None:
    told = f"human:alice {shop.fingerprint('alice')}"
    assert verify_introduction(str(shop.bare), shop.head()[:digits]) == told
    assert verify_introduction(str(shop.folder), "HEAD") == told


def test_the_full_id_is_pinned_whatever_was_typed(shop: Clone) -> None:
    shop.install("--introduction", shop.head()[:7])
    assert shop.git("--git-dir", shop.bare, "config", "codifica.introduction") == shop.head()


def test_an_unknown_commit_is_wrong_usage(shop: Clone) -> None:
    for name in ("0" * 40, "nowhere", "--all"):
        with pytest.raises(UsageError, match="no such commit"):
            verify_introduction(str(shop.bare), name)


def test_a_commit_without_policy_introduces_nothing(shop: Clone) -> None:
    with pytest.raises(UsageError, match="introduces nothing"):
        verify_introduction(str(shop.bare), f"{shop.head()}^")


def test_a_later_commit_names_the_first(shop: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    first = shop.head()
    shop.git("commit", "-q", "--allow-empty", "-m", "more")
    with pytest.raises(UsageError, match=first[:12]):
        verify_introduction(str(shop.folder), "HEAD")
    monkeypatch.setattr("codifica_guard.engine.past.HISTORY_WALK", 0)
    with pytest.raises(UsageError, match=r"already$"):
        verify_introduction(str(shop.folder), "HEAD")


def by_hand(shop: Clone, *options: str, **files: str) -> None:
    """The introduction, made again with other files."""
    shop.git("reset", "-q", "--soft", "HEAD^")
    for name, text in files.items():
        shop.write(f".codifica/{name.replace('__', '.')}", text)
    shop.git("add", "-A")
    shop.git("-c", "gpg.format=ssh", "commit", "-q", "-m", "Introduce", *options)


def test_an_unsigned_introduction_does_not_hold(shop: Clone) -> None:
    by_hand(shop)
    with pytest.raises(SignatureError, match="not signed by anybody"):
        verify_introduction(str(shop.folder), "HEAD")
    shop.guard("install", shop.bare, "--introduction", f"{shop.head()}").misused("no such commit")


def test_an_introduction_by_a_stranger_does_not_hold(shop: Clone) -> None:
    shop.git("config", "user.signingkey", shop.key("bob"))
    by_hand(shop, "-S")
    with pytest.raises(SignatureError, match="nobody"):
        verify_introduction(str(shop.folder), "HEAD")


def test_an_introduction_by_somebody_who_is_no_maintainer_does_not_hold(shop: Clone) -> None:
    shop.git("config", "user.signingkey", shop.key("builder"))
    by_hand(shop, "-S")
    with pytest.raises(SignatureError, match="ID110"):
        verify_introduction(str(shop.folder), "HEAD")
    shop.git("push", "-q", "-f", "origin", "HEAD:main")
    shop.guard("install", shop.bare, "--introduction", shop.head()).refused("ID110")


def test_a_key_that_ran_out_later_has_introduced_all_the_same(shop: Clone) -> None:
    shop.git("config", "user.signingkey", shop.key("alice"))
    line = shop.read(".codifica/allowed_signers").replace("human:alice ", 'human:alice valid-before="20200601",', 1)
    shop.monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
    shop.write(".codifica/allowed_signers", line)
    shop.git("reset", "-q", "--soft", "HEAD^")
    shop.git("add", "-A")
    tree = shop.git("write-tree")
    done = subprocess.run(
        ["git", "-c", "gpg.format=ssh", "commit-tree", "-S", "-p", "HEAD", "-m", "Introduce", tree],
        cwd=shop.folder,
        env={**os.environ},
        capture_output=True,
        check=True,
        text=True,
    )
    assert verify_introduction(str(shop.folder), done.stdout.strip()).startswith("human:alice")


def test_a_repository_that_is_none_is_wrong_usage(shop: Clone) -> None:
    shutil.rmtree(shop.bare)
    with pytest.raises(UsageError):
        verify_introduction(str(shop.bare), "HEAD")
