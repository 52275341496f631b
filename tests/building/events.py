"""Events as a forge's runner gives them to a job: the file, the variables, and the work tree that checkout leaves."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.building.clone import Clone
from tests.building.inside import inside
from tests.building.machine import Done, run
from tests.building.repo import Repo

ZERO: Final = "0" * 40

HOSTILE: Final = "\"; touch pwned; echo '$(touch pwned)`touch pwned`\n::set-output name=x::y\n##[add-path]/tmp <img src=x> | ${{ github.token }}"
"""What somebody may write into a title, a body or a commit's message."""


def _person(login: str) -> dict[str, Any]:
    return {"login": login, "id": len(login), "type": "User", "site_admin": False}


def _repository(name: str, **more: Any) -> dict[str, Any]:
    owner = name.partition("/")[0]
    return {
        "id": 7,
        "name": name.partition("/")[2],
        "full_name": name,
        "private": False,
        "owner": _person(owner),
        "fork": owner != "acme",
        "clone_url": f"https://git.example.org/{name}.git",
        "default_branch": "main",
        **more,
    }


def pull_request(
    base: str, head: str, *, action: str = "opened", number: int = 41, into: str = "main", **ways: bool
) -> dict[str, Any]:
    """The event of a pull request that comes from a fork; `ways` says which ways to merge the host offers."""
    return {
        "action": action,
        "number": number,
        "pull_request": {
            "number": number,
            "state": "open",
            "locked": False,
            "draft": False,
            "title": HOSTILE,
            "body": HOSTILE,
            "user": _person("mallory"),
            "head": {
                "label": "mallory:main",
                "ref": "main;touch${IFS}pwned",
                "sha": head,
                "user": _person("mallory"),
                "repo": _repository("mallory/shop"),
            },
            "base": {
                "label": f"acme:{into}",
                "ref": into,
                "sha": base,
                "user": _person("acme"),
                "repo": _repository("acme/shop", **ways),
            },
            "merge_commit_sha": None,
            "mergeable": None,
        },
        "repository": _repository("acme/shop"),
        "sender": _person("mallory"),
        **({"before": ZERO, "after": head} if action == "synchronize" else {}),
    }


def push(before: str, after: str, *, ref: str = "refs/heads/main", forced: bool = False) -> dict[str, Any]:
    """The event of a push."""
    return {
        "ref": ref,
        "before": before,
        "after": after,
        "created": not before.strip("0"),
        "deleted": not after.strip("0"),
        "forced": forced,
        "base_ref": None,
        "compare": "https://git.example.org/acme/shop/compare",
        "commits": [{"id": after, "message": HOSTILE, "author": {"name": HOSTILE, "email": "m@example.org"}}],
        "head_commit": None,
        "repository": _repository("acme/shop"),
        "pusher": {"name": "mallory", "email": "m@example.org"},
        "sender": _person("mallory"),
    }


@dataclass(frozen=True, slots=True)
class Runner:
    """A machine of a forge that runs jobs of a repository.

    Attributes:
        repo: the repository.
        folder: where the job works: the work tree that checkout left.
        home: the home of the runner's user.
        temporary: where the event, the summary and what a job leaves lie.
    """

    repo: Repo
    folder: Path
    home: Path
    temporary: Path

    @property
    def summary(self) -> str:
        """The summary of the job so far."""
        path = self.temporary / "summary.md"
        return path.read_text() if path.exists() else ""

    def git(self, *argv: str | Path) -> str:
        """Run git in the work tree."""
        return run(["git", *argv], cwd=self.folder, home=self.home).text

    def variables(self, name: str, event: Mapping[str, Any]) -> dict[str, str]:
        """The variables of a job, and the file of its event."""
        file = self.temporary / "event.json"
        file.write_text(json.dumps(event))
        return {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(file),
            "GITHUB_REPOSITORY": "acme/shop",
            "GITHUB_SERVER_URL": "https://git.example.org",
            "GITHUB_STEP_SUMMARY": str(self.temporary / "summary.md"),
            "GITHUB_WORKSPACE": str(self.folder),
            "RUNNER_TEMP": str(self.temporary),
        }

    def ci(self, name: str, event: Mapping[str, Any], *argv: str | Path, env: Mapping[str, str] | None = None) -> Done:
        """Run the guard's command in this process, as a step of a job."""
        told = {**self.variables(name, event), **(env or {})}
        return inside(["ci", *argv], cwd=self.folder, home=self.home, env=told)


def runner(repo: Repo, *, depth: int = 0, ref: str = "refs/heads/main") -> Runner:
    """A runner whose checkout of a ref has just ended: all branches, or only so many commits."""
    repo.found()
    place = repo.root / "runner"
    folder, home, temporary = place / "work", place / "home", place / "temp"
    for made in (folder, home, temporary):
        made.mkdir(parents=True)
    found = Runner(repo, folder, home, temporary)
    found.git("init", "-q", "--template=", "-b", "work", f"--object-format={repo.object_format}")
    found.git("remote", "add", "origin", f"file://{repo.bare}")
    fetch = ("fetch", "-q", "--no-tags", "--prune")
    if depth:
        found.git(*fetch, f"--depth={depth}", "origin", f"+{ref}:refs/remotes/origin/checked-out")
        found.git("checkout", "-q", "--force", "--detach", "refs/remotes/origin/checked-out")
        return found
    found.git(*fetch, "origin", "+refs/heads/*:refs/remotes/origin/*", f"+{ref}:refs/remotes/pull/checked-out")
    found.git("checkout", "-q", "--force", "--detach", "refs/remotes/pull/checked-out")
    return found


def propose(clone: Clone, number: int = 41, rev: str = "HEAD") -> tuple[str, str]:
    """Let a clone's commits be a pull request, as a fork's are: on a ref of the forge's own. Gives the main branch's tip, and the head."""
    repo = clone.repo
    repo.on_server("fetch", "-q", "--no-tags", str(clone.folder), f"+{clone.head(rev)}:refs/pull/{number}/head")
    return repo.refs()["refs/heads/main"], clone.head(rev)
