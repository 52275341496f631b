"""A repository with two people and an agent, and the program run in it as they would run it."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.cli.main import main
from tests.building.shapes import check_envelope

TASK = """\
- id: {id}
  type: investigate
  state: todo
  owner: unassigned
  title: Look
"""
CODIFICA = {"protocol": "codifica", "version": "0.2", "spec": "codifica-spec.md", "state": "work.md", "rules": "strict"}


def document(*ids: str) -> str:
    return "# Work\n\n```yaml\n" + "".join(TASK.format(id=name) for name in ids) + "```\n"


def environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def git(folder: Path, *words: str | Path, home: Path, data: str | None = None) -> str:
    done = subprocess.run(
        ["git", *map(str, words)],
        cwd=folder,
        env=environment(home),
        input=data,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, f"git {words}: {done.stderr}"
    return done.stdout.removesuffix("\n")


@dataclass(frozen=True)
class Said:
    """What the program came to."""

    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err

    @property
    def json(self) -> dict[str, Any]:
        answer = check_envelope(self.out)
        assert answer["exit"] == self.code
        return answer

    def ok(self) -> "Said":
        assert self.code == 0, self.all
        return self

    def refused(self, *words: str) -> "Said":
        return self._ends(1, words)

    def another(self, *words: str) -> "Said":
        return self._ends(6, words)

    def misused(self, *words: str) -> "Said":
        return self._ends(2, words)

    def _ends(self, code: int, words: tuple[str, ...]) -> "Said":
        assert self.code == code, self.all
        assert "Traceback" not in self.all
        for word in words:
            assert word in self.all
        return self


@dataclass
class Clone:
    """A work tree, the home of who works in it, and the keys that lie about."""

    folder: Path
    home: Path
    keys: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    bare: Path

    def git(self, *words: str | Path, data: str | None = None) -> str:
        return git(self.folder, *words, home=self.home, data=data)

    def guard(self, *words: str | Path, cwd: Path | None = None, variables: Mapping[str, str] | None = None) -> Said:
        """Run the program."""
        with self.monkeypatch.context() as patch:
            patch.chdir(cwd or self.folder)
            for name, value in (variables or {}).items():
                patch.setenv(name, value)
            self.capsys.readouterr()
            try:
                code = main([str(word) for word in words])
            except SystemExit as end:
                code = int(end.code or 0)
            told = self.capsys.readouterr()
        assert all(c.isprintable() or c == "\n" for c in told.out), "standard output is printable"
        return Said(code, told.out, told.err)

    def init(self, *words: str | Path) -> Said:
        return self.guard("init", "--as", "alice", "--key", self.key("alice"), *words)

    def key(self, name: str) -> Path:
        return self.keys / name

    def line(self, name: str) -> str:
        return self.key(f"{name}.pub").read_text().strip()

    def fingerprint(self, name: str) -> str:
        return subprocess.run(
            ["ssh-keygen", "-l", "-f", self.key(f"{name}.pub")], capture_output=True, check=True, text=True
        ).stdout.split()[1]

    def write(self, path: str, text: str) -> "Clone":
        full = self.folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, newline="")
        return self

    def read(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode()

    def commit(self, message: str = "work") -> "Clone":
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", message)
        return self

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def policy(self) -> dict[str, Any]:
        answer = json.loads(self.git("show", "HEAD:.codifica/guard.json"))
        assert isinstance(answer, dict)
        return answer

    def install(self, *words: str | Path) -> None:
        self.guard("install", self.bare, *(words or ("--maintainer", self.key("alice.pub")))).ok()

    def push(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", "push", *(words or ("origin", "HEAD:main"))],
            cwd=self.folder,
            env=environment(self.home),
            capture_output=True,
            check=False,
            text=True,
        )

    def as_bob(self) -> "Clone":
        self.git("config", "codifica.signingKey", self.key("bob"))
        return self
