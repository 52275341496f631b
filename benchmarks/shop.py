"""A repository to push to: a guarded one with tasks, or a plain one."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

SERVER = "server:shop"
BOARD = "# Work\n\n```yaml\n{blocks}```\n"
BLOCK = """- id: FEAT-{n}
  type: build
  state: todo
  owner: unassigned
  title: Task number {n} of the shop
  priority: normal
  description: |
    What is to be done here, in a few words that
    make the block as long as blocks are.
  acceptance:
    - It works as the description says
    - It is tested
  depends_on: []
  labels: [web, shop]
  execution_notes: []
  artifacts: []
  human_review: null
  state_transitions: []
"""


def claimed(number: int) -> str:
    """A task's block once builder has claimed it, now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    entry = f"    - from: todo\n      to: in_progress\n      by: agent:builder\n      reason: Starting work\n      timestamp: {now}\n"
    text = BLOCK.format(n=number).replace("state: todo", "state: in_progress")
    text = text.replace("owner: unassigned", "owner: agent:builder")
    text = text.replace("  execution_notes", f"  claimed_at: {now}\n  execution_notes")
    return text.replace("  state_transitions: []\n", "  state_transitions:\n" + entry)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that can be pushed: the branch's tip before it, it, and the branch."""

    old: str
    new: str
    ref: str = "refs/heads/main"


class Shop:
    """A bare repository and a clone of it, below a folder of their own; `tasks` is None for a repository without protocol."""

    def __init__(self, root: Path, tasks: int | None) -> None:
        root.mkdir(parents=True)
        self.root, self.bare, self.clone = root, root / "shop.git", root / "clone"
        self.run("git", "init", "-q", "--bare", "-b", "main", str(self.bare), cwd=root)
        self.run("git", "clone", "-q", str(self.bare), str(self.clone), cwd=root)
        for name in ("alice", "builder"):
            self.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(root / name), cwd=root)
        for key, value in {
            "gpg.format": "ssh",
            "user.name": "Shop",
            "user.email": "shop@example.org",
            "gc.auto": "0",
        }.items():
            self.git("config", key, value)
        self._fill(tasks)

    @classmethod
    def at(cls, root: Path, bare: Path) -> Self:
        """The same shop with another bare repository, a copy."""
        found = cls.__new__(cls)
        found.root, found.bare, found.clone = root, bare, root / "clone"
        return found

    def _fill(self, tasks: int | None) -> None:
        for number in range(200):
            self._write(f"src/part{number % 10}/file{number}.py", f"x = {number}\n")
        self._write("README.md", "# Shop\n")
        if tasks is not None:
            self._write(
                "codifica.json",
                json.dumps(
                    {"protocol": "codifica", "version": "0.2", "spec": "spec.md", "state": "work.md", "rules": "strict"}
                ),
            )
            self._write("spec.md", "# How we work\n")
            self._write("work.md", BOARD.format(blocks="\n".join(BLOCK.format(n=n) for n in range(tasks))))
        self._commit("Start", None)
        self.git("push", "-q", "origin", "HEAD:main")
        if tasks is None:
            return
        self.guard("install", str(self.bare), "--maintainer", str(self.root / "alice.pub"))
        self.on_server("config", "codifica.server", SERVER)
        self._write(".codifica/guard.json", json.dumps(GUARD))
        self._write(
            ".codifica/allowed_signers",
            self._signer("human:alice", "alice") + self._signer("agent:builder", "builder") + self._receipts_key(),
        )
        self._write(".codifica/revoked_keys", "")
        self._commit("Introduce the guard", "alice")
        self.git("push", "-q", "origin", "HEAD:main")
        self._write("src/first.py", "x = 1\n")
        self._commit("first", None)
        self.git("push", "-q", "origin", "HEAD:main")  # pins the introduction, fills the cache

    # -- commits

    def code(self) -> Commit:
        """One unsigned commit of code on the branch's tip."""
        return self._ready(lambda: self._write("src/part1/file1.py", "x = 'changed'\n"), None)

    def free(self) -> Commit:
        """One commit of code that goes to a branch that nothing is asked of."""
        made = self.code()
        return Commit(made.old, made.new, "refs/heads/free")

    def claim(self) -> Commit:
        """One signed claim on the branch's tip."""
        return self._ready(self._claim, "builder")

    def _claim(self) -> None:
        path = self.clone / "work.md"
        path.write_text(path.read_text().replace(BLOCK.format(n=5), claimed(5)))

    def _ready(self, change: Callable[[], None], key: str | None) -> Commit:
        """A commit whose objects the server has already, so that the hook can be run on it as often as wanted."""
        old = self.git("rev-parse", "origin/main")
        self.git("checkout", "-q", "-f", "--detach", old)
        change()
        self._commit("FEAT-5: a step", key)
        new = self.git("rev-parse", "HEAD")
        self.run("git", "fetch", "-q", str(self.clone), new, cwd=self.bare)
        return Commit(old, new)

    # -- what is measured

    def hook(self, program: list[str], commit: Commit) -> Callable[[], None]:
        """Run a program as `pre-receive` of a push of one commit."""
        line = f"{commit.old} {commit.new} {commit.ref}\n".encode()
        env = {**ENVIRONMENT, "HOME": str(self.root), "GIT_DIR": "."}

        def run() -> None:
            subprocess.run(program, cwd=self.bare, env=env, input=line, check=True, capture_output=True)

        return run

    def push(self, commit: Commit, program: list[str], after: list[str] | None = None) -> Callable[[], None]:
        """Push one commit for real, over a path, with a program as the server's only hook, or with one `after` it as well."""

        def run() -> None:
            self.set_hook("pre-receive", program)
            self.set_hook("post-receive", after)
            self.on_server("update-ref", "refs/heads/main", commit.old)
            self.git("push", "-q", "origin", f"{commit.new}:main")

        return run

    def set_hook(self, name: str, program: list[str] | None) -> None:
        """Let a program be a hook of the server; None for no such hook."""
        hook = self.bare / "hooks" / name
        hook.unlink(missing_ok=True)
        if program is not None:
            hook.write_text("#!/bin/sh\nexec " + shlex.join(program) + "\n")
            hook.chmod(0o755)

    # -- plumbing

    def git(self, *arguments: str) -> str:
        """Run git in the clone; its output."""
        return self.run("git", *arguments, cwd=self.clone)

    def on_server(self, *arguments: str) -> str:
        """Run git in the bare repository; its output."""
        return self.run("git", *arguments, cwd=self.bare)

    def guard(self, *arguments: str) -> str:
        """Run the guard's program as the server's admin; its output."""
        return self.run(sys.executable, "-I", "-m", "codifica_guard", *arguments, cwd=self.root)

    def _receipts_key(self) -> str:
        path = self.bare / "codifica-guard" / "receipt_ed25519.pub"
        return f'{SERVER} namespaces="git" {" ".join(path.read_text().split()[:2])}\n'

    def _write(self, name: str, text: str) -> None:
        path = self.clone / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _signer(self, principal: str, name: str) -> str:
        return f'{principal} namespaces="git,codifica-guard" {(self.root / f"{name}.pub").read_text()}'

    def _commit(self, message: str, key: str | None) -> None:
        self.git("add", "-A")
        sign = ["--no-gpg-sign"] if key is None else [f"-S{self.root / key}"]
        self.git("commit", "-q", *sign, "-m", message)

    def run(self, *command: str, cwd: Path) -> str:
        """Run a program that has to work; its output."""
        env = {**ENVIRONMENT, "HOME": str(self.root)}
        return subprocess.run(command, cwd=cwd, env=env, check=True, capture_output=True, text=True).stdout.strip()


ENVIRONMENT = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
GUARD = {
    "version": 1,
    "repository": "0123456789abcdef0123456789abcdef",
    "coordination_branch": "main",
    "protected_branches": ["main"],
    "maintainers": ["human:alice"],
    "writer_tokens": "optional",
}
