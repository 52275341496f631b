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


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that can be pushed: the branch's tip before it, and it."""

    old: str
    new: str


class Shop:
    """A bare repository and a clone of it, below a folder of their own; `tasks` is None for a repository without protocol."""

    def __init__(self, root: Path, tasks: int | None) -> None:
        root.mkdir(parents=True)
        self.root, self.bare, self.clone = root, root / "shop.git", root / "clone"
        self._run("git", "init", "-q", "--bare", "-b", "main", str(self.bare), cwd=root)
        self._run("git", "clone", "-q", str(self.bare), str(self.clone), cwd=root)
        for name in ("alice", "builder"):
            self._run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(root / name), cwd=root)
        for key, value in {
            "gpg.format": "ssh",
            "user.name": "Shop",
            "user.email": "shop@example.org",
            "gc.auto": "0",
        }.items():
            self._git("config", key, value)
        self._fill(tasks)

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
        self._git("push", "-q", "origin", "HEAD:main")
        if tasks is None:
            return
        program = [sys.executable, "-m", "codifica_guard"]
        self._run(*program, "install", str(self.bare), "--maintainer", str(self.root / "alice.pub"), cwd=self.root)
        self._write(".codifica/guard.json", json.dumps(GUARD))
        self._write(
            ".codifica/allowed_signers", self._signer("human:alice", "alice") + self._signer("agent:builder", "builder")
        )
        self._write(".codifica/revoked_keys", "")
        self._commit("Introduce the guard", "alice")
        self._git("push", "-q", "origin", "HEAD:main")
        self._write("src/first.py", "x = 1\n")
        self._commit("first", None)
        self._git("push", "-q", "origin", "HEAD:main")  # pins the introduction, fills the cache

    # -- commits

    def code(self) -> Commit:
        """One unsigned commit of code on the branch's tip."""
        return self._ready(lambda: self._write("src/part1/file1.py", "x = 'changed'\n"), None)

    def claim(self) -> Commit:
        """One signed claim on the branch's tip."""
        return self._ready(self._claim, "builder")

    def _claim(self) -> None:
        path = self.clone / "work.md"
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        block = BLOCK.format(n=5)
        claimed = block.replace("state: todo", "state: in_progress").replace(
            "owner: unassigned", "owner: agent:builder"
        )
        claimed = claimed.replace("  execution_notes", f"  claimed_at: {now}\n  execution_notes")
        entry = f"    - from: todo\n      to: in_progress\n      by: agent:builder\n      reason: Starting work\n      timestamp: {now}\n"
        path.write_text(
            path.read_text().replace(
                block, claimed.replace("  state_transitions: []\n", "  state_transitions:\n" + entry)
            )
        )

    def _ready(self, change: Callable[[], None], key: str | None) -> Commit:
        """A commit whose objects the server has already, so that the hook can be run on it as often as wanted."""
        old = self._git("rev-parse", "origin/main")
        self._git("checkout", "-q", "-f", "--detach", old)
        change()
        self._commit("FEAT-5: a step", key)
        new = self._git("rev-parse", "HEAD")
        self._run("git", "fetch", "-q", str(self.clone), new, cwd=self.bare)
        return Commit(old, new)

    # -- what is measured

    def hook(self, program: list[str], commit: Commit) -> Callable[[], None]:
        """Run a program as `pre-receive` of a push of one commit."""
        line = f"{commit.old} {commit.new} refs/heads/main\n".encode()
        env = {**ENVIRONMENT, "HOME": str(self.root), "GIT_DIR": "."}

        def run() -> None:
            subprocess.run(program, cwd=self.bare, env=env, input=line, check=True, capture_output=True)

        return run

    def push(self, commit: Commit, program: list[str]) -> Callable[[], None]:
        """Push one commit for real, over a path, with a program as the server's only hook."""

        def run() -> None:
            hook = self.bare / "hooks" / "pre-receive"
            hook.write_text("#!/bin/sh\nexec " + shlex.join(program) + "\n")
            hook.chmod(0o755)
            self._run("git", "update-ref", "refs/heads/main", commit.old, cwd=self.bare)
            self._git("push", "-q", "origin", f"{commit.new}:main")

        return run

    # -- plumbing

    def _write(self, name: str, text: str) -> None:
        path = self.clone / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _signer(self, principal: str, name: str) -> str:
        return f'{principal} namespaces="git,codifica-guard" {(self.root / f"{name}.pub").read_text()}'

    def _commit(self, message: str, key: str | None) -> None:
        self._git("add", "-A")
        sign = ["--no-gpg-sign"] if key is None else [f"-S{self.root / key}"]
        self._git("commit", "-q", *sign, "-m", message)

    def _git(self, *arguments: str) -> str:
        return self._run("git", *arguments, cwd=self.clone)

    def _run(self, *command: str, cwd: Path) -> str:
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
