"""A shared repository with a guard on it, told by a test and built when it is first needed."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Self

from tests.building import board, tasks
from tests.building.clone import Clone
from tests.building.keys import Keys
from tests.building.machine import Done, guard, run
from tests.building.people import PEOPLE, REPOSITORY_ID
from tests.building.warm import Warm

POLICY: Final[Mapping[str, Any]] = {
    "version": 1,
    "repository": REPOSITORY_ID,
    "coordination_branch": "main",
    "protected_branches": ["main"],
    "mode": "enforce",
    "maintainers": ["human:alice"],
    "require_signatures": "transitions",
    "ruleset": 1,
    "writer_tokens": "optional",
    "resume_after_minutes": 60,
    "review_by": "human-or-owner",
    "self_approval": "warn",
    "human_proof": "fresh-or-trailer",
    "human_presence": "any",
    "web_edits": "refuse",
    "forge_accounts": {},
    "openclaw": None,
    "codex_workflow": None,
}

SETTINGS: Final[Mapping[str, Any]] = {
    "protocol": "codifica",
    "version": "0.2",
    "spec": "codifica-spec.md",
    "state": "work.md",
    "assets": "assets/",
    "rules": "strict",
}

FILES: Final[Mapping[str, str]] = {
    "README.md": "# Shop\n",
    "src/app.py": "print('shop')\n",
    "docs/guide.md": "# Guide\n",
    "codifica-spec.md": "# How we work\n\nTasks live in the state documents.\n",
}

NAMESPACES: Final = 'namespaces="git,codifica-guard"'


def as_json(value: object) -> str:
    """JSON as people write it into files."""
    return json.dumps(value, indent=2) + "\n"


def copy_folder(source: str | Path, target: str | Path) -> None:
    """Copy a folder's files with their modes, in a third of the time of `shutil.copytree`; the target may be there."""
    os.makedirs(target, exist_ok=True)  # noqa: PTH103 - thousands of small files are copied in a run, and paths as text take half the time
    with os.scandir(source) as entries:
        for entry in entries:
            place = f"{target}/{entry.name}"
            if entry.is_symlink():
                Path(place).symlink_to(Path(entry.path).readlink())
            elif entry.is_dir():
                copy_folder(entry.path, place)
            else:
                shutil.copyfile(entry.path, place)
                os.chmod(place, entry.stat().st_mode & 0o7777)  # noqa: PTH101 - as above


class Workshop:
    """What all repositories of a run share: keys, and templates that are copied instead of built again."""

    def __init__(self, folder: Path, *, guarded: bool = True, cold: bool = False) -> None:
        self.folder = folder
        self.guarded = guarded
        self.warm = Warm(folder / "warm") if Warm.is_possible() and not cold else None
        self.keys = Keys(folder / "keys")
        self._templates: dict[str, Path] = {}
        self._numbers = itertools.count()

    def copy(self, key: str, build: Callable[[Path], None], target: Path) -> None:
        """Fill a folder with a copy of what `build` makes; it is built once for each key."""
        if key not in self._templates:
            made = self.folder / "templates" / str(next(self._numbers))
            made.mkdir(parents=True)
            build(made)
            self._templates[key] = made
        copy_folder(self._templates[key], target)

    def close(self) -> None:
        """End what runs beside the tests."""
        if self.warm is not None:
            self.warm.stop()


class Repo:
    """A bare repository, and the people and agents who share it.

    A test says first what is there (`task`, `document`, `policy`, ...); the first clone, push or look at the server
    founds it: a first commit that knows no guard, then `install`, then the policy, introduced by alice.
    """

    def __init__(
        self, workshop: Workshop, root: Path, *, object_format: str = "sha1", name: str = "shop.git", cold: bool = False
    ) -> None:
        self.workshop = workshop
        self.cold = cold or workshop.warm is None
        self.keys = workshop.keys
        self.root = root
        self.bare = root / name
        self.object_format = object_format
        self._founded = False
        self._plan: dict[str, Any] = {
            "format": object_format, "name": name, "guarded": workshop.guarded, "installed": True, "introduced": True, "fsck": True,
            "settings": dict(SETTINGS), "policy": dict(POLICY), "files": dict(FILES), "tasks": {}, "documents": {},
            "signers": {}, "revoked": [], "server": {}, "cold": self.cold,
        }  # fmt: skip
        for who in ("alice", "bob", "builder", "writer"):
            self.signer(PEOPLE[who], who)
        self.clones: dict[str, Clone] = {}

    # -- what is there from the start

    def _tell(self, part: str, key: str, value: object) -> Self:
        assert not self._founded, "the repository stands already"
        self._plan[part][key] = value
        return self

    def task(
        self, ident: str, state: str = "todo", owner: str | None = None, *, document: str = "work.md", **more: Any
    ) -> Self:
        """A task, with the past that its state implies; `writer` names the key that its claim brought."""
        if "writer" in more:
            more["writer"] = self.keys.line(more["writer"])
        self._plan["tasks"].setdefault(document, []).append(tasks.block(tasks.task(ident, state, owner, **more)))
        assert not self._founded, "the repository stands already"
        return self

    def document(self, path: str, text: str) -> Self:
        """A state document, as it is."""
        return self._tell("documents", path, text)

    def file(self, path: str, text: str | None) -> Self:
        """Another file of the first commit; None for one that is not there."""
        return self._tell("files", path, text)

    def settings(self, **settings: Any) -> Self:
        """Fields of `codifica.json`."""
        for key, value in settings.items():
            self._tell("settings", key, value)
        return self

    def rules(self, **rules: Any) -> Self:
        """The `rules` of `codifica.json`."""
        return self.settings(rules={"mode": "strict", **rules})

    def policy(self, **policy: Any) -> Self:
        """Fields of `.codifica/guard.json`."""
        for key, value in policy.items():
            self._tell("policy", key, value)
        return self

    def signer(self, principal: str, key: str, options: str = NAMESPACES) -> Self:
        """A line of `.codifica/allowed_signers`; the last word on a principal and key counts."""
        return self._tell("signers", f"{principal} {key}", options)

    def without_signer(self, principal: str, key: str) -> Self:
        """A key that is not listed."""
        self._plan["signers"].pop(f"{principal} {key}")
        return self

    def revoked(self, key: str) -> Self:
        """A key that is revoked from the start."""
        self._plan["revoked"].append(key)
        return self

    def server(self, **config: str) -> Self:
        """Git's settings on the server; `receive_denyDeletes` means `receive.denyDeletes`."""
        for key, value in config.items():
            self._tell("server", key.replace("_", ".", 1), value)
        return self

    def not_installed(self) -> Self:
        """A server without the guard."""
        self._plan["installed"] = False
        return self.not_introduced()

    def not_introduced(self) -> Self:
        """The guard is installed, but nobody has brought a policy yet."""
        self._plan["introduced"] = False
        return self

    def without_protocol(self) -> Self:
        """A repository that knows nothing of tasks."""
        self._plan["settings"] = {}
        self._plan["introduced"] = False
        return self

    def without_fsck(self) -> Self:
        """A server that may not be told to look at objects itself, so that the guard has to."""
        self._plan["fsck"] = False
        return self

    # -- founding

    def found(self) -> Self:
        """Build the repository, unless it stands already."""
        if not self._founded:
            self._founded = True
            self.workshop.copy(json.dumps(self._plan, sort_keys=True), self._build, self.root)
            self.clones["alice"] = Clone(self, "alice")
        return self

    def _build(self, folder: Path) -> None:
        site = self._elsewhere(folder)
        site._plan, site._founded = self._plan, True
        kind = json.dumps([self._plan[part] for part in ("format", "name", "installed", "cold")])
        self.workshop.copy(f"bare {kind}", site._bare, folder)
        for key, value in self._plan["server"].items():
            site.on_server("config", key, value)
        if not self._plan["fsck"]:
            site.on_server("config", "receive.fsckObjects", "false")
        alice = Clone(site, "alice")
        self.workshop.copy(f"work tree {kind}", alice.begin, alice.folder)
        alice.write_all(site.first_files()).commit("Start of the shop", proof="none", when=-180)
        if self._plan["introduced"]:
            alice.write_all(site.trust_files()).commit("Introduce the guard", when=-179)
        # Fetched, not pushed: what stands before a test begins is no push of that test.
        # As one pack: a hundred small files and folders less to copy and to clone.
        site.on_server("-c", "fetch.unpackLimit=1", "fetch", "-q", str(alice.folder), "main:main")
        alice.git("fetch", "-q", "origin")

    def _elsewhere(self, folder: Path) -> Repo:
        return Repo(self.workshop, folder, object_format=self.object_format, name=self.bare.name, cold=self.cold)

    def _bare(self, folder: Path) -> None:
        bare = folder / self.bare.name
        home = self._home("admin")
        run(
            ["git", "init", "-q", "--bare", "--template=", "-b", "main", f"--object-format={self.object_format}", bare],
            cwd=folder,
            home=home,
        )
        for key, value in {
            "receive.denyDeleteCurrent": "ignore",
            "receive.advertisePushOptions": "true",
            "receive.autogc": "false",
            "gc.auto": "0",
        }.items():
            run(["git", "config", key, value], cwd=bare, home=home)
        if self.workshop.guarded and self._plan["installed"]:
            done = self._elsewhere(folder).install()
            assert done.code == 0, f"install failed:\n{done.said}"

    def first_files(self) -> dict[str, str | None]:
        """The files of the first commit."""
        plan = self._plan
        files: dict[str, str | None] = dict(plan["files"])
        if plan["settings"]:
            files["codifica.json"] = as_json(plan["settings"])
            if not plan["documents"] and not plan["tasks"]:
                files["work.md"] = board.document(board.fence(tasks.block(tasks.task("FEAT-1"))))
        files |= {path: board.document(board.fence(*blocks)) for path, blocks in plan["tasks"].items()}
        return {**files, **plan["documents"]}

    def trust_files(self, **policy: Any) -> dict[str, str | None]:
        """The files of `.codifica/`; `policy` changes fields of `guard.json`."""
        rows = (f"{principal} {options} {self.keys.line(key)}\n" for (principal, key), options in self._signers())
        return {
            ".codifica/guard.json": as_json({**self._plan["policy"], **policy}),
            ".codifica/allowed_signers": "".join(row.replace("  ", " ") for row in rows),
            ".codifica/revoked_keys": "".join(f"{self.keys.line(key)}\n" for key in self._plan["revoked"]),
        }

    def _signers(self) -> list[tuple[tuple[str, str], str]]:
        return [((name.split(" ")[0], name.split(" ")[1]), options) for name, options in self._plan["signers"].items()]

    # -- the guard

    @property
    def python(self) -> Path:
        """The interpreter of the guard's processes: a real one where the test is about the process itself."""
        return Path(sys.executable) if self.cold or self.workshop.warm is None else self.workshop.warm.start()

    def guard(
        self,
        *argv: str | Path,
        cwd: Path | None = None,
        data: bytes | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Done:
        """Run the program itself, as the server's admin."""
        return guard(argv, cwd=cwd or self.root, home=self._home("admin"), data=data, env=env, python=self.python)

    def install(self, *options: str | Path) -> Done:
        """Install the guard on the bare repository; without options, to wait for a policy of alice's."""
        return self.guard("install", self.bare, *(options or ("--maintainer", self.keys.public("alice"))))

    def hook(self, name: str, data: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
        """Run an installed hook as Git does, with `data` for its standard input."""
        own = {"GIT_DIR": ".", **(env or {})}
        return run(
            [self.bare / "hooks" / name], cwd=self.bare, home=self._home("admin"), data=data, env=own, check=False
        )

    def clock(self, minutes: float) -> Self:
        """Let the server's clock be so many minutes ahead: a hook of the test's own calls the guard with another clock."""
        self.found()
        if self.workshop.guarded:
            shim = self.bare / "hooks" / "pre-receive"
            shim.unlink(missing_ok=True)
            shim.write_text(
                f"#!{sys.executable} -I\n"
                "import sys\n"
                "import time\n"
                "from codifica_guard.hooks.server import main\n"
                f"sys.exit(main(['pre-receive'], clock=lambda: time.time() + {60 * minutes}))\n"
            )
            shim.chmod(0o755)
        return self

    # -- people and the server

    def _home(self, who: str) -> Path:
        home = self.root / "homes" / who
        home.mkdir(parents=True, exist_ok=True)
        return home

    def clone(self, who: str, again: str = "") -> Clone:
        """The clone of a person or agent, made when it is first asked for; `again` names further ones."""
        self.found()
        name = f"{who}-{again}" if again else who
        if name not in self.clones:
            self.clones[name] = Clone(self, who, name)
            self.clones[name].fetch_all()
        return self.clones[name]

    def on_server(self, *argv: str | Path, data: bytes | None = None) -> str:
        """Run git in the bare repository, as its admin."""
        self.found()
        return run(["git", *argv], cwd=self.bare, home=self._home("admin"), data=data).text

    def fields(self, ident: str, path: str = "work.md") -> tasks.Fields:
        """The fields of a task, as the server's main has it."""
        return board.Board(self.on_server("show", f"main:{path}")).fields(ident)

    def refs(self) -> dict[str, str]:
        """The server's refs and where they are."""
        rows = self.on_server("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        pairs = (row.partition(" ") for row in rows)
        return {name: oid for name, _, oid in pairs}

    def set_back(self, refs: Mapping[str, str]) -> Self:
        """Let the server's refs be where they once were; symbolic ones follow theirs."""
        rows = self.on_server("for-each-ref", "--format=%(refname) %(symref)").splitlines()
        symbolic = {name for name, _, target in (row.partition(" ") for row in rows) if target}
        gone = [f"delete {name}\n" for name in self.refs() if name not in refs]
        there = [f"update {name} {oid}\n" for name, oid in refs.items() if name not in symbolic]
        self.on_server("update-ref", "--stdin", data="".join([*gone, *there]).encode())
        return self

    def tip(self, branch: str = "main") -> str:
        """The commit of a branch on the server."""
        return self.on_server("rev-parse", "--verify", f"refs/heads/{branch}")


NewRepo = Callable[..., Repo]
"""Makes repositories: `new_repo(object_format="sha256", name="other.git")`."""
