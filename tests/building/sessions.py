"""What tests about agents' sessions have in common: volumes for tokens, pushed work, tasks as the server has them."""

from collections.abc import Mapping
from typing import Any

from tests.building.clone import Clone
from tests.building.machine import Done
from tests.building.repo import Repo


def session(repo: Repo, name: str) -> dict[str, str]:
    """The environment of a session that keeps its tokens on a volume of its own."""
    return {"CODIFICA_SESSION": name, "CODIFICA_TOKEN_DIR": str(repo.root / "tokens" / name)}


def pushed(clone: Clone, branch: str = "build/FEAT-1-task-feat-1", *, count: int = 1) -> Clone:
    """Work on a branch that the remote has."""
    clone.fetch().git("switch", "-q", "-c", branch, "origin/main")
    for number in range(count):
        clone.code(f"FEAT-1: part {number}", path=f"src/part{number}.py")
    clone.git("push", "-q", "-u", "origin", "HEAD")
    return clone


def fields(repo: Repo, ident: str = "FEAT-1") -> Mapping[str, Any]:
    """A task as the server has it."""
    return repo.clone("bob").fresh().fields(ident)


def entry(repo: Repo, name: str = "state_transitions", ident: str = "FEAT-1") -> dict[str, Any]:
    """The newest entry of a task's list."""
    rows = fields(repo, ident)[name]
    assert isinstance(rows, list)
    return dict(rows[-1])


def ended(done: Done, code: int, *texts: str) -> None:
    """A command ended with a code, and in these words."""
    assert done.code == code, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
