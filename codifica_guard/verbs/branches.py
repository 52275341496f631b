"""The branch that the work on a task lives on, named by `rules.branch_pattern`."""

import os
from contextlib import suppress
from dataclasses import dataclass

from codifica_guard.clone.program import try_git
from codifica_guard.engine.refs import HEADS
from codifica_guard.git.history import new_commits
from codifica_guard.git.refs import resolve
from codifica_guard.model.document import Task
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.packs.codifica.naming import branch_of
from codifica_guard.rules.commands import word
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.remote import fetch
from codifica_guard.verbs.stopped import Stopped


def pushed_tip(board: Board, branch: str) -> ObjectId | None:
    """Where the remote has a branch, as last fetched; None where it has none, or where there is no remote."""
    ref = b"refs/remotes/" + os.fsencode(board.desk.remote) + b"/" + branch.encode("ascii")
    return resolve(board.desk.location, ref)[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedWork:
    """What the remote has on a task's branch, as last fetched.

    Attributes:
        tip: the branch's tip.
        commits: how many commits lie beyond the coordination branch.
        last: when the tip was made, seconds since the epoch.
    """

    tip: ObjectId
    commits: int
    last: int


def pushed_work(board: Board, branch: str) -> PushedWork | None:
    """What was pushed to a branch; None where nothing was. The board's desk is open."""
    tip = pushed_tip(board, branch)
    if tip is None:
        return None
    store = board.desk.world.store
    return PushedWork(
        tip=tip, commits=len(new_commits(store, (tip,), (board.tip,))), last=store.commit(tip).committer_time
    )


def fetch_branch(board: Board, task: Task) -> None:
    """Let this clone know the branch of a task that was begun before; without the remote, or such a branch, nothing happens."""
    if not board.shared or not task.entries("state_transitions"):
        return
    # What the task is claimed for does not depend on it.
    with suppress(Stopped):
        fetch(board.desk, RefName(HEADS + branch_of(task, board.codifica).encode("ascii")))


def switch_command(board: Board, branch: str) -> str:
    """What leads to a task's branch: the one that is there, here or on the remote as last fetched, else a new one.

    A new branch follows none: behind one that follows the coordination branch, a plain `git push` fails, or goes there.
    """
    here = resolve(board.desk.location, HEADS + branch.encode("ascii"))[1]
    if here is not None:
        return f"git switch {branch}"
    if pushed_tip(board, branch) is None:
        return f"git switch --no-track -c {branch} {word(board.ref)}"
    if _is_guessed(board):
        return f"git switch {branch}"
    return f"git switch --no-track -c {branch} {word(f'{board.desk.remote}/{branch}')}"


def _is_guessed(board: Board) -> bool:
    """Whether `git switch` makes a branch of the remote's: where it fetches all branches, and is the only remote."""
    told = try_git(board.desk.folder, "config", "--get-regexp", r"^remote\..*\.fetch$").out.decode("utf-8", "replace")
    usual = f"+refs/heads/*:refs/remotes/{board.desk.remote}/*"
    return [row.partition(" ")[2] for row in told.splitlines()] == [usual]
