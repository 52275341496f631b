"""A repository without guard, keys or policy, and its history: told commit by commit with plain Git."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from tests.building import board, tasks
from tests.building.acts import Acts
from tests.building.inside import inside
from tests.building.machine import Done, run
from tests.building.times import at

SETTINGS: Final[Mapping[str, Any]] = {
    "protocol": "codifica", "version": "0.2", "spec": "spec.md", "state": "work.md", "assets": "assets/", "rules": "strict",
}  # fmt: skip
DAVIDE: Final = "Davide D <davide.d@example.org>"
"""Whoever commits where nothing else is said: no task knows him."""


class Tale(Acts):
    """The work tree of somebody who lets agents work in it; acts are an agent's, commits are his."""

    def __init__(self, root: Path, *, object_format: str = "sha1") -> None:
        self.folder = root / "site"
        self.home = root / "home"
        self.principal = "agent:claude"
        self._minutes = -600.0
        self.folder.mkdir(parents=True)
        self.home.mkdir()
        self.git("init", "-q", "--template=", "-b", "main", f"--object-format={object_format}")
        self.git("config", "gc.auto", "0")

    def git(self, *argv: str | Path, data: bytes | None = None, env: Mapping[str, str] | None = None) -> str:
        """Run git, which has to work; its output without the last newline."""
        return run(["git", *argv], cwd=self.folder, home=self.home, data=data, env=env).text

    def by(self, principal: str) -> Self:
        """Let the acts that follow be somebody's."""
        self.principal = principal
        return self

    def settings(self, **settings: Any) -> Self:
        """Write `codifica.json`."""
        return self.write("codifica.json", json.dumps({**SETTINGS, **settings}))

    def tasks(self, *blocks: Mapping[str, Any], path: str = "work.md") -> Self:
        """Write a state document with tasks."""
        return self.write(path, board.document(board.fence(*map(tasks.block, blocks))))

    def begin(self, *blocks: Mapping[str, Any], **settings: Any) -> Self:
        """The first commit: settings and tasks."""
        return self.settings(**settings).tasks(*blocks).commit("Start")

    def commit(
        self, message: str, *, author: str = DAVIDE, when: float | None = None, merges: Sequence[str] = ()
    ) -> Self:
        """Commit the work tree, a minute after the commit before; with `merges` as a merge whose tree it is."""
        self._minutes = self._minutes + 1 if when is None else when
        name, mail = author.rstrip(">").split(" <")
        env = {
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": mail,
            "GIT_COMMITTER_NAME": "Any",
            "GIT_COMMITTER_EMAIL": "a@b",
        }
        env |= {"GIT_AUTHOR_DATE": at(self._minutes), "GIT_COMMITTER_DATE": at(self._minutes)}
        self.git("add", "-A")
        if not merges:
            self.git("commit", "-q", "--allow-empty", "-m", message, env=env)
            return self
        parents = [word for rev in ("HEAD", *merges) for word in ("-p", rev)]
        made = self.git("commit-tree", self.git("write-tree"), *parents, "-m", message, env=env)
        self.git("update-ref", "HEAD", made)
        return self

    def now(self) -> str:
        """A time that a task may hold in the commit that comes next."""
        return at(self._minutes + 1)

    def head(self, rev: str = "HEAD") -> str:
        """The commit that a name means."""
        return self.git("rev-parse", "--verify", rev)

    def guard(self, *argv: str | Path) -> Done:
        """Run the program here."""
        return inside(argv, cwd=self.folder, home=self.home)

    def told(self, *argv: str) -> Any:
        """The data of `simulate`."""
        done = self.guard("simulate", "--json", "-q", *argv)
        assert done.code in {0, 1, 3}, done.said
        return done.json["data"]

    def found(self, *argv: str) -> list[tuple[str, str | None, str]]:
        """What would have been refused: code, task, and the subject of the commit."""
        rows = [row for row in self.told(*argv)["findings"] if row["severity"] == "error"]
        return [(row["code"], row["task"], self.git("log", "-1", "--format=%s", row["commit"])) for row in rows]


def build(ident: str, state: str = "todo", owner: str | None = None, **more: Any) -> tasks.Fields:
    """A task, with the past that its state implies; of an agent that Davide runs."""
    holder = owner or ("unassigned" if state == "todo" else "agent:claude")
    return tasks.task(ident, state, holder, **more)
