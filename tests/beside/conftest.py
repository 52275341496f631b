"""The tools themselves, from their registries: they lie beside the Python that runs the tests."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.machine import Done, run

BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Place:
    """A clone in which a tool is at work, and what its hooks left behind.

    Attributes:
        clone: builder's.
        env: variables of the tool.
    """

    clone: Clone
    env: dict[str, str] = field(default_factory=dict)

    def tool(self, name: str, *words: str) -> Done:
        """Run the tool itself."""
        done = run(
            [BIN / name, *words], cwd=self.clone.folder, home=self.clone.home, env=self.env | self.path, check=False
        )
        assert done.code == 0, done.said
        return done

    @property
    def path(self) -> dict[str, str]:
        return {"PATH": f"{BIN}:{os.environ['PATH']}"}

    def git(self, *words: str) -> Done:
        """Run git, with the tool on the PATH."""
        return self.clone.try_git(*words, env=self.env | self.path)

    def guard(self, *words: str) -> Done:
        """Run the guard, which has to work."""
        done = self.clone.guard(*words, env=self.env | self.path)
        assert done.code == 0, done.said
        return done

    def exclude(self, *names: str) -> None:
        """Leave files of the tool out of what is committed."""
        info = self.clone.folder / ".git" / "info"
        info.mkdir(exist_ok=True)
        with (info / "exclude").open("a") as file:
            file.write("".join(f"{name}\n" for name in names))

    def ran(self) -> list[str]:
        """What the tool's own hooks wrote down since the last look, a line each."""
        path = self.clone.folder / ".git" / "theirs"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def message(self) -> str:
        """The message of the newest commit."""
        return self.clone.git("log", "-1", "--format=%B")

    def commit(self, message: str, *paths: str) -> Done:
        """Commit what changed in the tasks, or in other files, unsigned by Git itself."""
        self.clone.git("add", *(paths or ("work.md",)))
        return self.git("commit", "-q", "--no-gpg-sign", "-m", message)

    def works(self, *, commit: list[str], push: list[str]) -> None:
        """Their hooks run, and ours sign, refuse and check.

        Args:
            commit: what their hooks write down at a commit.
            push: and at a push.
        """
        clone = self.clone
        self.ran()
        done = self.commit_note()
        assert (done.code, self.ran()) == (0, commit), done.said
        assert "Codifica-Actor: agent:builder" in self.message()
        clone.claim("FEAT-2", without=["owner"])
        head = clone.head()
        done = self.commit("FEAT-2: claim")
        assert (done.code, clone.head()) == (1, head)
        assert "codifica-guard: commit refused, 1 error: CD301" in done.said
        clone.git("reset", "-q", "--", "work.md")
        clone.git("checkout", "-q", "--", "work.md")
        self.ran()
        done = self.git("push", "-q", "origin", "HEAD:main")
        assert (done.code, self.ran()) == (0, push), done.said
        clone.close("FEAT-3").git("add", "work.md")
        clone.commit("FEAT-3: done", proof="none", options=["--no-verify"], only_index=True)
        done = self.git("push", "-q", "origin", "HEAD:main")
        assert done.code != 0
        assert "codifica-guard: this push would be refused, 1 error: ID106" in done.said
        clone.git("reset", "-q", "--mixed", "HEAD~1")
        clone.git("checkout", "-q", "--", "work.md")
        self.ran()

    def works_without_us(self, *, commit: list[str], push: list[str]) -> None:
        """Their hooks run as before, and ours do not."""
        self.ran()
        done = self.commit_note()
        assert (done.code, self.ran()) == (0, commit), done.said
        assert "codifica-guard" not in done.said
        assert "Codifica" not in self.message()
        done = self.git("push", "-q", "origin", "HEAD:free")
        assert (done.code, self.ran()) == (0, push), done.said
        assert "would be refused" not in done.said

    def commit_note(self) -> Done:
        """Commit a note on the task that is at work here."""
        self.clone.note("FEAT-1")
        return self.commit("FEAT-1: note")


@pytest.fixture
def place(repo: Repo) -> Place:
    """builder's clone of a repository with a few tasks."""
    repo.task("FEAT-1", "in_progress").task("FEAT-2").task("FEAT-3", "to_be_tested")
    return Place(repo.clone("builder"))


@pytest.fixture(scope="session")
def husky_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module husky, as npm puts it there."""
    folder = tmp_path_factory.mktemp("npm")
    (folder / "package.json").write_text('{"name": "x", "version": "1.0.0", "private": true}\n')
    words = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-progress", "husky@9"]
    env = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run([BIN / "npm", *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "node_modules" / "husky"
