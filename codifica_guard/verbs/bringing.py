"""Commits of others, brought into a clone to be looked at: as objects, and nothing of them is checked out or run."""

import base64
import os
from collections.abc import Iterable, Mapping
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.program import Done, try_git
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import RepositoryError
from codifica_guard.limits import CI_SECONDS
from codifica_guard.model.ids import ObjectId, RefName, short, show_path
from codifica_guard.report.plain import plain

_QUIET: Final = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "submodule.recurse=false",
    "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "color.ui=false",
)  # fmt: skip
"""What a fetch could set off beside it; attributes, filters and submodules take part in checkouts only."""

_FETCH: Final = (
    "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-show-forced-updates"
)  # fmt: skip


def bring_branch(desk: Desk, branch: RefName, login: Mapping[str, str]) -> None:
    """Have the remote's tip of a branch as the remote has it now.

    Args:
        desk: the clone.
        branch: the branch.
        login: environment for a second try, where the remote asks who is there; empty where there is none.

    Raises:
        RepositoryError: the remote is not reached, or has no such branch.
    """
    there = b"refs/remotes/" + os.fsencode(desk.remote) + b"/" + branch[len(HEADS) :]
    done = _fetch(desk, b"+" + branch + b":" + there, login)
    if done.code:
        raise RepositoryError(
            f"cannot fetch {plain(show_path(branch[len(HEADS) :]))} from {plain(desk.remote)}: {_why(done)}"
        )


def bring_commits(desk: Desk, commits: Iterable[ObjectId], also: RefName | None, login: Mapping[str, str]) -> None:
    """Have the objects of commits; those that are here already are not asked for.

    Args:
        desk: the clone; it does not see what came until it is opened again.
        commits: the commits.
        also: a ref that held them a moment ago, for remotes that give out no commit by its id.
        login: as for `bring_branch`.

    Raises:
        RepositoryError: the remote is not reached, or gives out neither.
    """
    for oid in commits:
        if desk.world.store.has(oid):
            continue
        done = _fetch(desk, oid, login)
        if done.code and also is not None:
            done = _fetch(desk, also, login)
        if done.code:
            raise RepositoryError(f"cannot fetch commit {short(oid)} from {plain(desk.remote)}: {_why(done)}")


def login_of(server: str | None, token: str | None) -> Mapping[str, str]:
    """What lets Git log in at one server, and nowhere else, by a token of the run; it stands on no command line."""
    if not server or not token or not server.startswith("https://") or not token.isprintable():
        return {}
    count = os.environ.get("GIT_CONFIG_COUNT", "0")
    number = int(count) if count.isdecimal() else 0
    word = base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")
    return {
        "GIT_CONFIG_COUNT": str(number + 1),
        f"GIT_CONFIG_KEY_{number}": f"http.{server.rstrip('/')}/.extraheader",
        f"GIT_CONFIG_VALUE_{number}": f"AUTHORIZATION: basic {word}",
    }


def _fetch(desk: Desk, what: bytes, login: Mapping[str, str]) -> Done:
    environ = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
    words = (*_QUIET, *_FETCH, "--", desk.remote, what)
    done = try_git(desk.folder, *words, environ=environ, seconds=CI_SECONDS)
    if done.code and login:
        done = try_git(desk.folder, *words, environ={**environ, **login}, seconds=CI_SECONDS)
    return done


def _why(done: Done) -> str:
    return plain(done.last, 400)
