"""One repository is built a run, and copied for each test."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli_a.places import CODIFICA, Clone, document, environment, git


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(("GIT_", "XDG_", "CODIFICA_", "SSH_", "EMAIL")):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)
    (home / ".gitconfig").write_text(
        "[user]\nname = Alice Smith\nemail = alice@example.org\n[init]\ndefaultBranch = main\n[core]\nautocrlf = false\n"
    )


@pytest.fixture(scope="session")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keys, a bare repository with a clone that has tasks, and the same once alice has introduced the guard."""
    folder = tmp_path_factory.mktemp("cli-seed")
    (folder / ".gitconfig").write_text("[user]\nname = Alice Smith\nemail = alice@example.org\n")
    (folder / "keys").mkdir()
    for name in ("alice", "bob", "builder"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"{name}@pc", "-f", str(folder / "keys" / name)]
        subprocess.run(command, check=True)
    plain = folder / "plain"
    plain.mkdir()
    git(plain, "-c", "init.defaultBranch=main", "init", "-q", "--bare", "--template=", "shop.git", home=folder)
    git(plain, "-c", "init.defaultBranch=main", "clone", "-q", "--template=", "shop.git", "shop", home=folder)
    shop = plain / "shop"
    (shop / "codifica.json").write_text(json.dumps(CODIFICA))
    (shop / "codifica-spec.md").write_text("# How we work\n")
    (shop / "work.md").write_text(document("SHOP-1", "SHOP-2"))
    (shop / "app.py").write_text("x = 1\n")
    git(shop, "add", "-A", home=folder)
    git(shop, "commit", "-q", "-m", "Start", home=folder)
    git(shop, "push", "-q", "origin", "HEAD:main", home=folder)
    git(shop, "remote", "set-head", "origin", "main", home=folder)
    git(shop, "remote", "set-url", "origin", "../shop.git", home=folder)
    shutil.copytree(plain, folder / "introduced")
    words = "init --yes --as alice --no-hooks --agent builder=../../keys/builder.pub --key ../../keys/alice"
    done = subprocess.run(
        [sys.executable, "-m", "codifica_guard", *words.split()],
        cwd=folder / "introduced" / "shop",
        env=environment(folder),
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    git(folder / "introduced" / "shop", "push", "-q", "origin", "HEAD:main", home=folder)
    return folder


def _copy(
    seed: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Clone:
    shutil.copytree(seed / name, tmp_path / "site")
    site = tmp_path / "site"
    found = Clone(
        folder=site / "shop",
        home=tmp_path / "home",
        keys=seed / "keys",
        monkeypatch=monkeypatch,
        capsys=capsys,
        bare=site / "shop.git",
    )
    if name == "introduced":
        found.git("config", "codifica.signingKey", found.key("alice"))
    return found


@pytest.fixture
def plain(seed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Clone:
    """A clone of a repository that has tasks and no policy."""
    return _copy(seed, "plain", tmp_path, monkeypatch, capsys)


@pytest.fixture
def shop(seed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Clone:
    """A clone in which alice has introduced the guard, pushed."""
    return _copy(seed, "introduced", tmp_path, monkeypatch, capsys)
