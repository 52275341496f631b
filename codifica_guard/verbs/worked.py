"""The work on a task as a reviewer sees it: what was handed in, else what its branch holds; how much, and where it is now."""

import os
import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from codifica_guard.clone.program import try_git
from codifica_guard.engine.refs import HEADS
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.refs import resolve
from codifica_guard.model.document import Task
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.packs.codifica.naming import branch_of
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.remote import short_name

_ID: Final = re.compile(r"[0-9a-f]{7,64}")
_STAT: Final = re.compile(r"(\d+) (insertion|deletion)")

Standing = Literal["not handed in", "unmoved", "moved", "rewritten", "branch gone", "not here"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The work on a task, as this clone knows it.

    Attributes:
        named: the commit as the last hand-in names it; None where nothing was handed in.
        commit: the commit; None where it is not in this clone.
        branch: the branch that it is on: the one that the policy's pattern names, else one that holds it; None for none.
        tip: that branch's tip.
        standing: what has become of the branch since the hand-in.
        commits: commits that the coordination branch lacks.
        added, removed: lines that they add and remove, together.
        merged: whether the coordination branch has it all.
        further: commits that the branch has got since.
    """

    named: str | None
    commit: ObjectId | None
    branch: str | None
    tip: ObjectId | None
    standing: Standing
    commits: int = 0
    added: int = 0
    removed: int = 0
    merged: bool = False
    further: int = 0


def work_of(board: Board, task: Task, *, gone: frozenset[str] = frozenset()) -> Work | None:
    """The work on a task, by the remote's branches as last fetched; None where nothing was handed in, and no branch has any.

    While a task is in progress, its branch counts: what was handed in before has been returned. Without a remote, the
    clone's own branches count.

    Args:
        board: the board; its desk is open.
        task: the task.
        gone: branches that the remote has no more.
    """
    named = None if task.state == "in_progress" else handed_in_commit(task)
    usual = branch_of(task, board.codifica)
    tip = None if usual in gone else _tip(board, usual)
    if named is None:
        if tip is None or is_ancestor(board.desk.world.store, tip, board.tip):
            return None
        return _measured(board, Work(named=None, commit=tip, branch=usual, tip=tip, standing="not handed in"))
    commit = commit_of(board, named)
    if commit is None:
        return Work(named=named, commit=None, branch=None if tip is None else usual, tip=tip, standing="not here")
    if tip is not None and is_ancestor(board.desk.world.store, commit, tip):
        return _measured(board, _held(board, Work(named=named, commit=commit, branch=usual, tip=tip, standing="moved")))
    other = _holder(board, commit, gone)
    if other is not None:
        found = Work(named=named, commit=commit, branch=other, tip=_tip(board, other), standing="moved")
        return _measured(board, _held(board, found))
    standing: Standing = "branch gone" if tip is None else "rewritten"
    branch = None if tip is None else usual
    return _measured(board, Work(named=named, commit=commit, branch=branch, tip=tip, standing=standing))


def handed_in_commit(task: Task) -> str | None:
    """What the last hand-in names in `provenance.commit_sha`, which need not be a commit; None where it names nothing."""
    for entry in reversed(task.entries("state_transitions")):
        if entry.get("from") == "in_progress" and entry.get("to") in {"to_be_tested", "done"}:
            provenance = entry.get("provenance")
            found = provenance.get("commit_sha") if isinstance(provenance, dict) else None
            return None if found is None else str(found).strip().lower() or None
    return None


def _space(board: Board) -> bytes:
    return b"refs/remotes/" + os.fsencode(board.desk.remote) + b"/" if board.shared else HEADS


def _tip(board: Board, branch: str) -> ObjectId | None:
    return resolve(board.desk.location, _space(board) + branch.encode("utf-8", "surrogateescape"))[1]


def commit_of(board: Board, named: str) -> ObjectId | None:
    """The commit of a full or shortened id, None where it is not here; a ref that is called so plays no part."""
    if not _ID.fullmatch(named):
        return None
    done = try_git(board.desk.folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{named}^{{commit}}")
    found = done.out.strip()
    return ObjectId(found) if done.code == 0 and found.startswith(named.encode("ascii")) else None


def _holder(board: Board, commit: ObjectId, gone: frozenset[str]) -> str | None:
    """A branch that is not gone, but the coordination branch, that holds a commit: the one that is just there, else the first by name.

    Of a commit that is merged, only a branch that is just there counts: any later branch holds it too.
    """
    space = _space(board)
    told = board.desk.git("for-each-ref", "--contains", commit, "--format=%(objectname) %(refname)", space[:-1])
    rows = [row.partition(b" ")[::2] for row in told.split(b"\n") if row]
    left = {space + b"HEAD", space + board.branch.removeprefix(HEADS)}
    left |= {space + name.encode("utf-8", "surrogateescape") for name in gone}
    others = [row for row in rows if row[1] not in left]
    merged = is_ancestor(board.desk.world.store, commit, board.tip)
    ordered = sorted(others, key=lambda row: (row[0] != commit, row[1]))
    found = next((ref for tip, ref in ordered if tip == commit or not merged), None)
    return None if found is None else short_name(RefName(HEADS + found.removeprefix(space)))


def _held(board: Board, work: Work) -> Work:
    """The work, with what its branch has got since."""
    further = _count(board, work.commit, work.tip)
    return replace(work, standing="moved" if further else "unmoved", further=further)


def _measured(board: Board, work: Work) -> Work:
    """The work, with what it holds that the coordination branch lacks."""
    commit = work.commit
    if commit is None or is_ancestor(board.desk.world.store, commit, board.tip):
        return replace(work, merged=commit is not None)
    # Without a common ancestor there is no such difference, and git says so: then nothing is counted.
    told = try_git(board.desk.folder, "diff", "--shortstat", board.tip + b"..." + commit, environ={"LC_ALL": "C"})
    lines = {kind: int(number) for number, kind in _STAT.findall(told.out.decode("ascii", "replace"))}
    commits = _count(board, board.tip, commit)
    return replace(work, commits=commits, added=lines.get("insertion", 0), removed=lines.get("deletion", 0))


def _count(board: Board, before: ObjectId | None, after: ObjectId | None) -> int:
    return int(board.desk.git("rev-list", "--count", (before or b"") + b".." + (after or b"")))
