"""The repository that is installed into: what it is, and its config, by the `git` program.

An admin's call, not a push: here `git` itself answers, so that its own reading of config, worktrees and links counts.
"""

import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from codifica_guard.errors import RepositoryError, UnknownFormat, UsageError

_PARTS: Final = ("HEAD", "objects", "config")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One repository on disk.

    Attributes:
        git_dir: its folder (in a linked worktree: the one of the main repository), absolute, links resolved.
        bare: whether it is a server's.
        object_format: `sha1` or `sha256`.
        work_tree: the work tree that was named; None for a bare one.
    """

    git_dir: Path
    bare: bool
    object_format: str
    work_tree: Path | None = None

    @property
    def hooks(self) -> Path:
        """The folder of its hooks, where `core.hooksPath` is not set."""
        return self.git_dir / "hooks"

    @property
    def config(self) -> Path:
        """Its own config file: the only one whose `codifica.*` values count on a server."""
        return self.git_dir / "config"

    @property
    def folder(self) -> Path:
        """What the guard keeps here: on a server its key, checked policies and the log; in a clone shims and tokens."""
        return self.git_dir / "codifica-guard"

    @property
    def quoted(self) -> str:
        """Its folder, as a word of sh, for commands that are shown."""
        return shlex.quote(str(self.git_dir))

    @property
    def at(self) -> tuple[str, ...]:
        """Options that make `git` work here: in the named work tree, so that its own HEAD and config count."""
        return (f"--git-dir={self.git_dir}",) if self.work_tree is None else ("-C", str(self.work_tree))

    def own(self, key: str) -> str | None:
        """The value of a key in the repository's own config; None where it is not set there."""
        return _value(run("config", "--file", str(self.config), "--get", key), key)

    def own_all(self, key: str) -> tuple[str, ...]:
        """All values of a key in the repository's own config, in order."""
        told = _value(run("config", "--file", str(self.config), "--null", "--get-all", key), key)
        return tuple(told.split("\0")[:-1]) if told is not None else ()

    def hooks_elsewhere(self) -> tuple[str, str] | None:
        """Where `core.hooksPath` points and which file says so; None where Git looks into `hooks`."""
        asked = ("config", "--type=path", "--get", "core.hooksPath")
        path = _value(run(*self.at, *asked), "core.hooksPath")
        # git reads a relative path from the folder that hooks run in
        if path is None or Path(self.work_tree or self.git_dir, path).resolve() == self.hooks.resolve():
            return None
        origin = os.fsdecode(run(*self.at, asked[0], "--show-origin", *asked[1:]).stdout).partition("\t")[0]
        return path, origin.removeprefix("file:")

    def git(self, *arguments: str) -> str | None:
        """What a `git` command prints, without the last line end; None where it fails."""
        done = run(*self.at, *arguments)
        return os.fsdecode(done.stdout).rstrip("\n") if done.returncode == 0 else None

    def head(self) -> str:
        """The branch that HEAD names, short; HEAD's own text where it names none."""
        return self.git("symbolic-ref", "--quiet", "--short", "HEAD") or "HEAD"

    def holds(self, path: str) -> bool:
        """Whether the tree of HEAD's commit holds a path."""
        return self.git("cat-file", "-e", f"HEAD:{path}") is not None

    def commit_id(self, name: str) -> str | None:
        """The full id of the commit that a name stands for; None where there is none."""
        if name.startswith("-"):
            return None
        return self.git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")


def is_bare(path: str) -> bool:
    """Whether the path itself is a repository's own folder, as a server has it; else it may lie in a clone."""
    return all(Path(path, part).exists() for part in _PARTS)


def open_bare(path: str) -> Repository:
    """The bare repository at exactly this path.

    Raises:
        UsageError: there is no bare repository at the path.
        UnknownFormat: its format is unknown to this `git`.
    """
    folder = Path(path).resolve()
    if not is_bare(path):
        if (folder / ".git").exists():
            raise UsageError(f"{path} is a clone with a work tree, no bare repository; there: codifica-guard install")
        raise UsageError(f"{path} is no Git repository")
    found = Repository(git_dir=folder, bare=True, object_format=_object_format(folder))
    bare = found.own("core.bare")
    if folder.name == ".git" if bare is None else bare.lower() not in {"true", "yes", "on", "1", ""}:
        raise UsageError(f"{path} belongs to a clone with a work tree, it is no bare repository")
    return found


def open_clone(path: str) -> Repository:
    """The repository whose work tree holds this path; for a linked worktree the one that all worktrees share.

    Raises:
        UsageError: the path lies in no work tree.
        UnknownFormat: its format is unknown to this `git`.
    """
    if not Path(path).is_dir():
        raise UsageError(f"{path} is no folder")
    asked = run("-C", path, "rev-parse", "--show-toplevel", "--git-common-dir")
    if asked.returncode != 0:
        text = os.fsdecode(asked.stderr)
        _refuse_unknown(path, text)
        reason = text.strip().splitlines()[-1] if text.strip() else "not a git repository"
        raise UsageError(f"{path} lies in no clone: {reason}")
    top, _, common = os.fsdecode(asked.stdout).removesuffix("\n").rpartition("\n")
    git_dir = Path(path, common).resolve()
    return Repository(git_dir=git_dir, bare=False, object_format=_object_format(git_dir), work_tree=Path(top))


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run `git` without the `GIT_*` of the environment, and read what it prints.

    Raises:
        RepositoryError: there is no `git` program.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(
            ["git", *arguments],
            env=environment | {"LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise RepositoryError(f"the program git cannot be started: {error.strerror}") from error


def _value(done: subprocess.CompletedProcess[bytes], key: str) -> str | None:
    # 1: not set. 2: set more than once, the last one is printed. Else the file cannot be read.
    if done.returncode == 0:
        return os.fsdecode(done.stdout).removesuffix("\n")
    if done.returncode == 1:
        return None
    raise RepositoryError(f"the config cannot be read for {key}: {os.fsdecode(done.stderr).strip()}")


def _object_format(git_dir: Path) -> str:
    asked = run(f"--git-dir={git_dir}", "rev-parse", "--show-object-format")
    text = os.fsdecode(asked.stderr).strip()
    if asked.returncode == 0:
        return os.fsdecode(asked.stdout).strip()
    _refuse_unknown(str(git_dir), text)
    raise UsageError(f"{git_dir} is no repository that git can read: {text}")


def _refuse_unknown(path: str, text: str) -> None:
    if "unknown repository extension" in text or "repo version" in text:
        raise UnknownFormat(f"{path}: {' '.join(text.split()).removeprefix('fatal: ')}")
