"""A small world in a temporary folder: a guarded bare repository, a human, two agents, their keys and clones.

Nothing outside the folder is read or written: the user's own Git settings, hooks and keys play no part.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from codifica_guard.audit.server_key import KEY_FILE
from codifica_guard.cli.key_files import new_key, write_key
from codifica_guard.cli.signer_lines import signer_line
from codifica_guard.cli.spec_page import SPEC
from codifica_guard.errors import RepositoryError
from codifica_guard.identity.keys import parse_public
from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, RepoPath
from codifica_guard.policy.defaults import minimal_codifica, new_guard, new_repository_id
from codifica_guard.state.blocks import split
from codifica_guard.state.edit import edit_block, render_task
from codifica_guard.state.yaml import read_block

SECONDS: Final = 120
"""How long one process may take."""

PEOPLE: Final[dict[str, Principal]] = {
    "alice": Principal("human:alice"),
    "builder": Principal("agent:builder"),
    "writer": Principal("agent:writer"),
}

SERVER: Final = Principal("server:shop")

_SIGNER: Final = """\
import sys
from pathlib import Path
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.sshsig import armour
words, file = sys.argv[1:], Path(sys.argv[-1])
signer = Signer.from_file(words[words.index("-f") + 1], None)
armoured = armour(signer.sign(file.read_bytes(), words[words.index("-n") + 1]))
file.with_name(file.name + ".sig").write_text(armoured)
"""
"""What Git calls instead of `ssh-keygen -Y sign`: the demo needs no OpenSSH."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a process came to: exit code, and all that it printed."""

    code: int
    said: str

    @property
    def remote(self) -> tuple[str, ...]:
        """What the server said, as Git shows it."""
        return tuple(line.rstrip() for line in self.said.splitlines() if line.startswith("remote:"))


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The world.

    Attributes:
        root: its folder, empty at first.
        environment: all that its processes are told.
    """

    root: Path
    environment: Mapping[str, str] = field(repr=False)

    @classmethod
    def at(cls, root: Path) -> "Sandbox":
        """The world of a folder, not built yet."""
        home = root / "home"
        home.mkdir(parents=True)
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT") if name in os.environ}
        return cls(
            root,
            {
                **kept,
                "HOME": str(home),
                "XDG_CONFIG_HOME": str(home),
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_TERMINAL_PROMPT": "0",
                "GIT_EDITOR": "true",
                "LC_ALL": "C",
                "TZ": "UTC",
            },
        )

    # -- processes

    def run(self, argv: Sequence[str | Path], folder: Path) -> Done:
        """Run a program, whatever it comes to.

        Raises:
            RepositoryError: it cannot be started, or does not end.
        """
        try:
            done = subprocess.run(
                [str(word) for word in argv],
                cwd=folder,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RepositoryError(f"cannot run {argv[0]}: {error}") from error
        return Done(done.returncode, done.stdout.decode("utf-8", "replace"))

    def must(self, argv: Sequence[str | Path], folder: Path) -> str:
        """Run a program that has to work; what it printed.

        Raises:
            RepositoryError: it fails.
        """
        done = self.run(argv, folder)
        if done.code:
            raise RepositoryError(f"{' '.join(map(str, argv[:4]))}: {done.said.strip() or done.code}")
        return done.said.rstrip("\n")

    def git(self, who: str, *words: str) -> str:
        """Run git in somebody's clone; it has to work."""
        return self.must(["git", *words], self.root / who)

    def guard(self, who: str, *words: str) -> str:
        """Run this program in somebody's clone; it has to work."""
        return self.must([sys.executable, "-I", "-m", "codifica_guard", *words], self.root / who)

    def try_guard(self, who: str, *words: str) -> Done:
        """Run this program in somebody's clone, whatever it comes to."""
        return self.run([sys.executable, "-I", "-m", "codifica_guard", *words], self.root / who)

    def at_once(self, calls: Sequence[tuple[str, Sequence[str]]]) -> tuple[Done, ...]:
        """Run this program in several clones at the same time."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - only where a race is played

        with ThreadPoolExecutor(len(calls)) as pool:
            return tuple(pool.map(lambda call: self.try_guard(call[0], *call[1]), calls))

    def push(self, who: str, what: str = "HEAD:main") -> Done:
        """Push by plain Git, past the hooks of the clone: here only the server says no."""
        return self.run(["git", "push", "--no-verify", "origin", what], self.root / who)

    # -- people

    def key(self, name: str) -> Path:
        """The file of a private key, made when it is first asked for."""
        path = self.root / "keys" / name
        if not path.exists():
            write_key(new_key(PEOPLE.get(name, Principal(f"human:{name}")), path))
        return path

    def public(self, name: str) -> str:
        """A public key in one line."""
        return self.key(name).with_name(name + ".pub").read_text(encoding="ascii").strip()

    def listed(self, principal: Principal, name: str) -> str:
        """A line of `.codifica/allowed_signers`."""
        return signer_line(principal, parse_public(" ".join(self.public(name).split()[:2]))) + "\n"

    def settle(self, who: str) -> None:
        """Tell a clone whose it is."""
        own = self.key(who)
        signer = self.root / "keys" / "sign"
        if not signer.exists():
            program = self.root / "keys" / "sign.py"
            program.write_text(_SIGNER, encoding="ascii")
            signer.write_text(
                f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I {shlex.quote(str(program))} "$@"\n', encoding="utf-8"
            )
            signer.chmod(0o700)
        settings = {
            "user.name": who.capitalize(),
            "user.email": f"{who}@example.org",
            "user.signingkey": str(own),
            "gpg.format": "ssh",
            "gpg.ssh.program": str(signer),
            "advice.detachedHead": "false",
            "gc.auto": "0",
        }
        for name, value in settings.items():
            self.git(who, "config", name, value)

    def fresh(self, who: str) -> None:
        """Let a clone be where the server is, and nowhere else."""
        self.git(who, "fetch", "-q", "origin")
        self.git(who, "checkout", "-q", "-f", "-B", "main", "origin/main")

    # -- building it

    def build(self) -> None:
        """Make the repository, introduce the guard, give everybody a clone with its hooks."""
        alice, bare = self.root / "alice", self.root / "shop.git"
        self.must(["git", "-c", "init.defaultBranch=main", "init", "-q", "--bare", "--template=", bare], self.root)
        self.must(["git", "--git-dir", bare, "symbolic-ref", "HEAD", "refs/heads/main"], self.root)
        alice.mkdir()
        self.must(["git", "init", "-q", "--template=", alice], self.root)
        self.git("alice", "symbolic-ref", "HEAD", "refs/heads/main")
        self.git("alice", "remote", "add", "origin", str(bare))
        self.settle("alice")
        self._write_first(alice)
        self.commit("alice", "The shop, and its tasks")
        self.must(["git", "--git-dir", bare, "config", "codifica.server", SERVER], self.root)
        maintainer = self.key("alice").with_name("alice.pub")
        self.must(
            [sys.executable, "-I", "-m", "codifica_guard", "install", bare, "--maintainer", maintainer], self.root
        )
        self._write_policy(alice)
        self.commit("alice", "codifica: introduce the guard", "-S")
        done = self.push("alice")
        if done.code:
            raise RepositoryError(f"the introduction was refused: {done.said}")
        self.git("alice", "fetch", "-q", "origin")
        self.git("alice", "branch", "-q", "--set-upstream-to=origin/main")
        for who in PEOPLE:
            if who != "alice":
                self.must(["git", "clone", "-q", "--template=", bare, self.root / who], self.root)
                self.settle(who)
            self.guard(who, "install")

    def _write_first(self, folder: Path) -> None:
        agents = tuple(name for name in PEOPLE.values() if name.startswith("agent:"))
        tasks = b"\n".join(map(render_task, first_tasks()))
        files = {
            "README.md": b"# Shop\n",
            "src/shop.py": b"print('shop')\n",
            "codifica-spec.md": SPEC.encode(),
            "codifica.json": _json(minimal_codifica(agents=agents)),
            "work.md": b"# Work\n\n```yaml\n" + tasks + b"```\n",
        }
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)

    def _write_policy(self, folder: Path) -> None:
        trust = folder / ".codifica"
        trust.mkdir()
        guard = new_guard(new_repository_id(), PEOPLE["alice"], self_approval="refuse")
        (trust / "guard.json").write_bytes(_json(guard))
        lines = "".join(self.listed(principal, who) for who, principal in PEOPLE.items())
        server = parse_public((self.root / "shop.git" / f"{KEY_FILE}.pub").read_text(encoding="ascii"))
        (trust / "allowed_signers").write_text(f"{lines}{signer_line(SERVER, server)}\n", encoding="ascii")
        (trust / "revoked_keys").write_bytes(b"")

    # -- tasks

    def commit(self, who: str, message: str, *options: str) -> None:
        """Commit all that changed, past the hooks of the clone."""
        self.git(who, "add", "-A")
        self.git(who, "commit", "-q", "--no-verify", "-m", message, *options)

    def commit_signed(self, who: str, message: str) -> None:
        """Commit all that changed, through the hooks of the clone, which sign."""
        self.git(who, "add", "-A")
        self.git(who, "commit", "-q", "-m", message)

    def task(self, who: str, name: str, commit: str | None = None) -> Task:
        """A task, as somebody's clone has it: in the work tree, or in a commit."""
        data = (
            (self.root / who / "work.md").read_bytes()
            if commit is None
            else self.git(who, "show", f"{commit}:work.md").encode()
        )
        document = split(RepoPath(b"work.md"), data)
        read = next(read_block(block.raw) for block in document.blocks if block.id == name)
        if not isinstance(read, Task):
            raise RepositoryError(f"{name} cannot be read: {read.found}")
        return read

    def edit(self, who: str, name: str, **change: Any) -> None:
        """Edit a task in somebody's clone: `sets`, `drop`, `append` of `edit_block`."""
        path = self.root / who / "work.md"
        data = path.read_bytes()
        block = next(b for b in split(RepoPath(b"work.md"), data).blocks if b.id == name)
        path.write_bytes(data.replace(block.raw, edit_block(block.raw, **change)))

    def entry(self, who: str, name: str, target: str, reason: str, **more: Any) -> dict[str, Any]:
        """An entry of `state_transitions`, from where the task stands."""
        source = self.task(who, name).state
        row = {"from": source, "to": target, "by": PEOPLE[who], "reason": reason, "timestamp": now()}
        return {**row, **more}


def now(minutes: float = 0) -> str:
    """The time as tasks hold it, some minutes off."""
    return (datetime.now(UTC) + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def first_tasks() -> tuple[dict[str, Any], ...]:
    """What stands in `work.md` at first: three tasks that nobody has, one of which waits for another."""
    plain: Callable[[str, str, str], dict[str, Any]] = lambda name, title, priority: {  # noqa: E731 - a row of a table
        "id": name, "type": "build", "state": "todo", "owner": "unassigned", "title": title, "priority": priority,
        "acceptance": ["It works", "It is tested"], "depends_on": [], "execution_notes": [], "artifacts": [],
        "human_review": None, "state_transitions": [],
    }  # fmt: skip
    return (
        plain("FEAT-102", "Login form", "critical"),
        {**plain("FEAT-103", "Stay logged in", "normal"), "depends_on": ["FEAT-102"]},
        plain("FEAT-104", "Password reset", "high"),
    )


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()
