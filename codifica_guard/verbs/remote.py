"""The remote, through the `git` program and the user's own configuration: fetching a branch, pushing one commit."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH118

import os
import re
import shlex
import sys
import time
from dataclasses import dataclass
from enum import Enum
from typing import Final

from codifica_guard.clone.desk import REMOTE, Desk
from codifica_guard.clone.program import Done, try_git
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.limits import NETWORK_SECONDS
from codifica_guard.model.ids import ObjectId, RefName, show_path
from codifica_guard.report.plain import plain_words
from codifica_guard.report.printing import LONGEST
from codifica_guard.verbs.stopped import CANNOT_TELL, LATER, Stopped

_QUIET: Final = ("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "color.ui=false")
"""A verb is no moment to tidy up."""

_STALLED: Final = ("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=30")
"""A server that accepts and says nothing is given up after 30 seconds."""

_MOVED: Final = re.compile(
    r"\[rejected\] \((?:fetch first|non-fast-forward|stale info)\)|failed to update ref|cannot lock ref|"
    r"incorrect old value|reference already exists|failed to lock|remote ref updated since checkout",
    re.ASCII,
)
_BUSY: Final = re.compile(r"cannot lock ref|unable to update local ref|\.lock': File exists|shallow\.lock")

_PAUSES: Final = (0.2, 1.0)
"""Seconds before what is busy is tried again."""

_AMBIGUOUS: Final = re.compile(r"^error: dst refspec (?P<name>.+) matches more than one", re.MULTILINE)
"""Git stays here: on the remote another ref's name ends in the whole name of the branch."""


class Came(Enum):
    """What came of a push."""

    TAKEN = "taken"
    MOVED = "the branch has moved"
    REFUSED = "refused"


class NoSuchBranch(Stopped):
    """The remote is reached, and has no such branch."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """A push that reached the remote.

    Attributes:
        came: what came of it.
        told: what the remote said, without Git's `remote:`; for `REFUSED` Git's own reason is the last line.
    """

    came: Came
    told: tuple[str, ...] = ()


def is_there(desk: Desk) -> bool:
    """Whether the clone has the remote that verbs work with; False only where it has none at all.

    Raises:
        UsageError: it has others, and which is meant is not known: what is not pushed is claimed by nobody.
    """
    if desk.setting(f"remote.{desk.remote}.url") is not None:
        return True
    named = desk.setting(REMOTE)
    if named is None and not desk.remotes:
        return False
    what = (
        f"codifica.remote names {named}, which is no remote here"
        if named
        else "there are several remotes, and none is origin"
    )
    raise UsageError(f"{what}: git config codifica.remote NAME   (there are: {', '.join(desk.remotes) or 'none'})")


def short_name(branch: RefName) -> str:
    """A branch for people, without refs/heads/."""
    return show_path(branch.removeprefix(HEADS))


def fetch(desk: Desk, branch: RefName) -> None:
    """Let the clone know the remote's tip of a branch; nothing else of the clone changes.

    Raises:
        NoSuchBranch: the remote does not have it; exit code 7.
        Stopped: the remote is not reached; exit code 7.
    """
    name = branch.removeprefix(HEADS)
    spec = b"+" + branch + b":refs/remotes/" + os.fsencode(desk.remote) + b"/" + name
    words: tuple[str | bytes, ...] = (
        *_QUIET, *_STALLED, "fetch", "-q", "--prune", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", desk.remote, spec
    )  # fmt: skip
    done = _network(desk, *words)
    # Another command of this clone holds the ref for a moment: what it fetches is as good.
    if done.code and not _BUSY.search(done.err):
        told = _reason(done)
        if "couldn't find remote ref" in done.err:
            raise NoSuchBranch(
                f"{desk.remote} has no branch {short_name(branch)} yet: git push {desk.remote} {short_name(branch)}",
                exit=LATER,
                next=(f"git push {desk.remote} {short_name(branch)}",),
            )
        raise Stopped(f"{desk.remote} is not reached: {told}", exit=LATER, next=(f"git fetch {desk.remote}",))
    _mark(desk)


def fetch_all(desk: Desk) -> None:
    """Let the clone know all branches of the remote, and the server's receipts, and which are gone; its own branches stay where they are.

    What another command of this clone holds for a moment is tried again: here nothing may stay as it was before.

    Raises:
        Stopped: the remote is not reached, or not all of it can be taken over; exit code 7.
    """
    specs = (b"+" + HEADS + b"*:refs/remotes/" + os.fsencode(desk.remote) + b"/*", b"+refs/codifica/*:refs/codifica/*")
    words: tuple[str | bytes, ...] = (
        *_QUIET, *_STALLED, "fetch", "-q", "--prune", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", desk.remote, *specs
    )  # fmt: skip
    done = _network(desk, *words)
    for pause in _PAUSES:
        if not done.code or not _BUSY.search(done.err):
            break
        time.sleep(pause)
        done = _network(desk, *words)
    if done.code:
        # Where a branch has become a folder of branches, the old one is in the way.
        busy = _BUSY.search(done.err) is not None
        do = f"git fetch --prune {desk.remote}" if busy else f"git fetch {desk.remote}"
        what = "is not taken over whole" if busy else "is not reached"
        raise Stopped(f"{desk.remote} {what}: {_reason(done)}", exit=LATER, next=(do,))
    _mark(desk)


def push(desk: Desk, commit: ObjectId, branch: RefName) -> Pushed:
    """Push one commit to a branch, without force.

    The clone's `pre-push` hooks are passed over: they are made for work that is pushed, and this commit has been judged.

    Raises:
        Stopped: the remote is not reached; exit code 7. Whether it has taken the commit is not known then. Or a ref there
            hides the branch, so that nothing was pushed; exit code 3.
    """
    done = _network(
        desk, *_QUIET, *_STALLED, "push", "--porcelain", "--no-verify", "--recurse-submodules=no", desk.remote, commit + b":" + branch
    )  # fmt: skip
    out = done.out.decode("utf-8", "backslashreplace")
    status = next((line for line in out.splitlines() if "\t" in line and line[0] in "!*= +-"), "")
    told = tuple(
        plain_words(line.removeprefix("remote:").removeprefix(" ").rstrip(), LONGEST)
        for line in done.err.splitlines()
        if line.startswith("remote:")
    )
    if done.code == 0:
        return Pushed(Came.TAKEN, told)
    if not status:
        if (doubled := _AMBIGUOUS.search(done.err)) is not None:
            raise _ambiguous(desk, doubled["name"])
        raise Stopped(f"{desk.remote} is not reached: {_reason(done)}", exit=LATER, next=(f"git fetch {desk.remote}",))
    reason = status.rpartition("\t")[2]
    if _MOVED.search(reason):
        return Pushed(Came.MOVED, told)
    return Pushed(Came.REFUSED, (*told, plain_words(reason, LONGEST)))


def _ambiguous(desk: Desk, name: str) -> Stopped:
    """Why no push to a branch is possible, however often it is tried, and how the ref that is in its way is found."""
    shown = plain_words(name, LONGEST)
    look, away = f"git ls-remote {desk.remote} {shlex.quote(shown)}", shlex.quote(f":refs/heads/{shown}")
    return Stopped(
        f"{desk.remote} has another ref whose name ends in {shown}, so that git refuses every push to that: nothing was pushed\n"
        f"do: {look}   (shows it)\n"
        f"then: git push {desk.remote} {away}   (takes it off the server; a tag is {shlex.quote(f':refs/tags/{shown}')})",
        exit=CANNOT_TELL,
        next=(look,),
    )


def fetched_at(desk: Desk) -> float | None:
    """When the remote was looked at last, seconds since the epoch; None where this clone does not know."""
    # A new clone has no FETCH_HEAD: then what Git wrote when it was made says it.
    common = desk.location.common_dir
    places = (_marker(desk), os.path.join(desk.location.git_dir, b"FETCH_HEAD"), os.path.join(common, b"FETCH_HEAD"))
    times = [os.stat(place).st_mtime for place in places if os.path.exists(place)]  # noqa: PTH110, PTH116 - bytes
    if times:
        return max(times)
    packed = os.path.join(common, b"refs", b"remotes", os.fsencode(desk.remote), b"HEAD")
    return os.stat(packed).st_mtime if os.path.exists(packed) else None  # noqa: PTH110, PTH116 - bytes


def _marker(desk: Desk) -> bytes:
    return os.path.join(desk.location.common_dir, b"codifica-guard", b"fetched")


def _mark(desk: Desk) -> None:
    try:
        os.makedirs(os.path.dirname(_marker(desk)), exist_ok=True)  # noqa: PTH103, PTH120 - bytes
        with open(_marker(desk), "wb"):  # noqa: PTH123 - bytes
            pass
    except OSError:
        return  # only the age of what is shown depends on it


def _network(desk: Desk, *words: str | bytes) -> Done:
    """Run git against the remote; it asks for a password only where somebody is there to type it."""
    silent = {} if sys.stdin.isatty() else {"GIT_TERMINAL_PROMPT": "0"}
    try:
        return try_git(desk.folder, *words, environ={**silent, "LC_ALL": "C"}, seconds=NETWORK_SECONDS)
    except RepositoryError as error:
        raise Stopped(f"{desk.remote} is not reached: {error}", exit=LATER) from error


def _reason(done: Done) -> str:
    """Why git failed, in one line: its own first `fatal:` or `error:` line, not the advice behind it."""
    rows = done.err.splitlines()
    line = next((row for row in rows if row.startswith(("fatal:", "error:", "ssh:"))), done.last)
    return plain_words(line.removeprefix("fatal: ").removeprefix("error: "), LONGEST)
