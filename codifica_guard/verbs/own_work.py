"""The work that a hand-in is about: a commit, and whether a reviewer can see it."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.program import try_git
from codifica_guard.engine.refs import HEADS
from codifica_guard.git.history import is_ancestor
from codifica_guard.model.document import Task
from codifica_guard.model.ids import ObjectId, RepoPath, show_path
from codifica_guard.packs.codifica.naming import branch_of
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import word
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.branches import switch_command
from codifica_guard.verbs.remote import short_name
from codifica_guard.verbs.stopped import Stopped

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWork:
    """The work that is handed in.

    Attributes:
        commit: the commit; None where nothing lies beyond the coordination branch.
        name: what it is called here, for people: a branch, or what was typed.
        loose: tracked files outside the state documents that have changes which no commit holds.
    """

    commit: ObjectId | None
    name: str
    loose: tuple[RepoPath, ...] = ()


def find_work(board: Board, task: Task, ref: str | None) -> OwnWork:
    """The work that is checked out, or that a revision names; the remote has it, where there is one.

    Args:
        board: the board; its desk is open.
        task: the task that it is for.
        ref: a revision; None for what is checked out.

    Raises:
        UsageError: the revision names no commit.
        Stopped: the remote does not have it, as far as this clone knows.
    """
    desk = board.desk
    commit = desk.head if ref is None else desk.commit_id(ref)
    name, loose = _name(desk, ref), loose_files(board) if ref is None else ()
    if commit is None or (ref is None and is_ancestor(desk.world.store, commit, board.tip)):
        return OwnWork(commit=None, name=name, loose=loose)
    count = _unpushed(board, commit)
    if count:
        told = f"{count} commit{'' if count == 1 else 's'} on {name} {'is' if count == 1 else 'are'} not pushed"
        step = _push_command(board, task, ref)
        text = f"not submitted: {told}; a reviewer could not see {'it' if count == 1 else 'them'}\ndo: {step}"
        raise Stopped(text, next=(step,), as_of=board.as_of, answer=True)
    return OwnWork(commit=commit, name=name, loose=loose)


def check_committed(board: Board, task: Task) -> None:
    """Nothing where no work lies about here: then that on the coordination branch may be all that there is.

    Raises:
        Stopped: there are files that no commit holds.
    """
    loose = loose_files(board, untracked=True)
    if not loose:
        return
    desk = board.desk
    steps = ["git add -A", f"git commit -m {word(f'{task.id}: what was done')}"]
    if desk.branch is None or desk.branch == board.branch:
        steps.insert(0, switch_command(board, branch_of(task, board.codifica)))
    if board.shared:
        steps.append(f"git push -u {shlex.quote(desk.remote)} HEAD")
    step = " && ".join(steps)
    text = f"not submitted: nothing is committed; changed or new here: {names_told(loose)}\ndo: {step}"
    raise Stopped(text, next=(step,), as_of=board.as_of, answer=True)


def loose_told(work: OwnWork) -> tuple[str, ...]:
    """What is not in some work, for people; empty where nothing is missing."""
    if not work.loose:
        return ()
    return (f"not in it: changes that are not committed, in {names_told(work.loose)}",)


def names_told(paths: Sequence[RepoPath]) -> str:
    """Some paths for people, and how many there are more."""
    shown = ", ".join(plain(show_path(path)) for path in paths[:_SHOWN])
    return shown + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")


def _name(desk: Desk, ref: str | None) -> str:
    if ref is not None:
        return plain(ref)
    return plain(short_name(desk.branch)) if desk.branch is not None else "a detached HEAD"


def _unpushed(board: Board, commit: ObjectId) -> int:
    """How many commits of some work no branch of the remote holds; without a remote nothing needs to be pushed."""
    if not board.shared:
        return 0
    return int(board.desk.git("rev-list", "--count", commit, "--not", f"--remotes={board.desk.remote}"))


def _push_command(board: Board, task: Task, ref: str | None) -> str:
    desk, remote = board.desk, shlex.quote(board.desk.remote)
    target = f"refs/heads/{branch_of(task, board.codifica)}"
    if ref is not None:
        heads = desk.git("for-each-ref", "--format=%(refname)", f"refs/heads/{ref}")
        return f"git push {remote} {shlex.quote(ref if heads else f'{ref}:{target}')}"
    if desk.branch is None:
        return f"git push {remote} HEAD:{target}"
    upstream = desk.git("for-each-ref", "--format=%(upstream)", desk.branch)
    # A branch that was begun at origin/main follows that one, and plain `git push` refuses to guess.
    own = f"refs/remotes/{desk.remote}/".encode("utf-8", "surrogateescape") + desk.branch.removeprefix(HEADS)
    return "git push" if upstream == own else f"git push -u {remote} HEAD"


def loose_files(board: Board, *, untracked: bool = False) -> tuple[RepoPath, ...]:
    """The files outside the state documents that have changes which no commit holds.

    Args:
        board: the board.
        untracked: those as well that Git does not know, and does not ignore; of a new folder its name alone.
    """
    wanted = f"--untracked-files={'normal' if untracked else 'no'}"
    told = try_git(board.desk.folder, "--no-optional-locks", "status", "--porcelain", "-z", "--no-renames", wanted)
    if told.code:
        return ()  # a bare repository: nothing is changed where nothing is checked out
    paths = (RepoPath(row[3:]) for row in told.out.split(b"\0") if row)
    return tuple(path for path in paths if path not in board.files)
