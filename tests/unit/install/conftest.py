"""Real repositories, and an interpreter that only writes down how it was called."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.unit.install.places import Git, Interpreter


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(("GIT_", "XDG_", "CODIFICA_")):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n")
    monkeypatch.setenv("HOME", str(home))


@pytest.fixture
def git(tmp_path: Path) -> Git:
    def call(*arguments: object, cwd: Path = tmp_path, check: bool = True) -> str:
        done = subprocess.run(["git", *map(str, arguments)], cwd=cwd, capture_output=True, check=False, text=True)
        if check:
            assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return call


@pytest.fixture(scope="session")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty bare repository, and one with a clone and a commit, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("seed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    identity = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for line in (
        "-c init.defaultBranch=main init -q --bare --template= empty.git",
        "-c init.defaultBranch=main init -q --bare --template= full.git",
        "-c init.defaultBranch=main clone -q --template= full.git clone",
        "-C clone commit -q --allow-empty -m first",
        "-C clone push -q origin HEAD:main",
    ):
        subprocess.run(
            ["git", *line.split()], cwd=folder, env=environment | identity, check=True, stderr=subprocess.DEVNULL
        )
    for path in ("empty.git", "full.git", "clone/.git"):
        (folder / path / "hooks").mkdir()
    return folder


@pytest.fixture
def bare(tmp_path: Path, seed: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "srv" / "the shop.git"
    shutil.copytree(seed / ("full.git" if "clone" in request.fixturenames else "empty.git"), path)
    return path


@pytest.fixture
def clone(tmp_path: Path, seed: Path, bare: Path) -> Path:
    path = tmp_path / "work copy"
    shutil.copytree(seed / "clone", path)
    config = path / ".git" / "config"
    config.write_text(config.read_text().replace(str(seed / "full.git"), str(bare)))
    return path


@pytest.fixture
def python(tmp_path: Path) -> Interpreter:
    folder = tmp_path / "it's a $HOME" / "bin"
    folder.mkdir(parents=True)
    found = Interpreter(path=folder / "python", log=folder / "log", code=folder / "code")
    found.ends_with(0)
    found.says("")
    found.loads(0)
    found.path.write_text(
        "#!/bin/sh\n"
        "here=${0%/*}\n"
        '[ "$2" != -c ] || { cat "$here/says"; exit "$(cat "$here/loads")"; }\n'
        '{ printf "%s: %s\\n" "$0" "$*"; cat; } >>"$here/log"\n'
        'cat "$here/says"; echo "guard: code $(cat "$here/code")" >&2\n'
        'exit "$(cat "$here/code")"\n'
    )
    found.path.chmod(0o755)
    return found
