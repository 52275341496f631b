"""A clone's own sight of the receipts: the line of its config that has every fetch bring them."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.install.check import Check, Level
from codifica_guard.install.plan import Step, add_value, take_value
from codifica_guard.install.repository import Repository

REFSPEC: Final = "+refs/codifica/*:refs/codifica/*"
_ALL: Final = frozenset({"refs/*:refs/*", REFSPEC[1:]})
_REMOTE: Final = "codifica.remote"


def set_refspec(repository: Repository) -> Iterator[Step]:
    """The step that has receipts fetched, where there is a remote that anything is fetched from."""
    remote = remote_of(repository)
    if remote is not None and not is_fetched(repository, remote):
        yield from add_value(repository, _key(remote), REFSPEC, "every fetch brings the server's receipts")


def unset_refspec(repository: Repository) -> Iterator[Step]:
    """The steps that take the line out again, of every remote that has it."""
    told = repository.git("config", "--local", "--name-only", "--get-regexp", r"^remote\..*\.fetch$") or ""
    for key in dict.fromkeys(told.splitlines()):
        yield from take_value(repository, key, REFSPEC)


def check_refspec(repository: Repository) -> Iterator[Check]:
    """Whether this clone sees the receipts."""
    remote = remote_of(repository)
    if remote is None:
        return
    if is_fetched(repository, remote):
        yield Check(level=Level.OK, name="receipts", text=f"every fetch from {remote} brings them")
    else:
        text = f"git fetch {remote} leaves refs/codifica/* out: what the server signed for each push is not here"
        yield Check(level=Level.WARN, name="receipts", text=text, do=("codifica-guard install",))


def remote_of(repository: Repository) -> str | None:
    """The remote that is worked with; None where there is none, or nothing is fetched from it by itself."""
    remotes = (repository.git("remote") or "").splitlines()
    wanted = repository.git("config", "--get", _REMOTE) or (remotes[0] if len(remotes) == 1 else "origin")
    return wanted if wanted in remotes and repository.own_all(_key(wanted)) else None


def is_fetched(repository: Repository, remote: str) -> bool:
    """Whether a fetch from a remote brings them."""
    return any(line.removeprefix("+") in _ALL for line in repository.own_all(_key(remote)))


def _key(remote: str) -> str:
    return f"remote.{remote}.fetch"
