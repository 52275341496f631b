"""What a key has left behind: commits that it signed, merged and not, and tasks that its principals hold in progress."""

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from codifica_guard.cli.last_used import newest_commits, signing_keys
from codifica_guard.clone.desk import Desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import GuardError
from codifica_guard.identity.allowed_signers import names, valid_at
from codifica_guard.limits import KEY_USE_COMMITS
from codifica_guard.model.document import Task
from codifica_guard.model.ids import KeyBlob, ObjectId, Principal, show_path
from codifica_guard.model.policy import Policy
from codifica_guard.verbs.board import Board

_BRANCHES: Final = 500
"""Branches that are looked at for what is not merged, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmerged:
    """Commits of one branch that the coordination branch lacks.

    Attributes:
        branch: the branch, without the remote's name.
        here: whether it is one of this clone's own, and not the remote's.
        commits: how many carry a signature by the key.
    """

    branch: str
    here: bool
    commits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What some keys have left behind.

    Attributes:
        merged: commits of the coordination branch that carry a signature by one of them.
        whole: whether all commits were looked at: those since the introduction, and those that are not merged.
        unmerged: branches with others, as this clone knows them.
        held: tasks in progress whose owner signs with one of them.
        stay: owners of such tasks who have another key that is valid.
    """

    merged: int
    whole: bool
    unmerged: tuple[Unmerged, ...]
    held: tuple[Task, ...]
    stay: frozenset[Principal]


def traces_of(board: Board, keys: Collection[KeyBlob]) -> Traces:
    """What keys have left behind, seen from a board whose desk is open."""
    desk, wanted = board.desk, frozenset(keys)
    newest, whole = newest_commits(desk, board.tip)
    unmerged, all_branches = _unmerged(board, wanted)
    owners = owners_of(board.policy, wanted)
    held = tuple(task for task in board.snapshot.running if task.owner in owners)
    return Traces(
        merged=_signed(board, newest, wanted),
        whole=whole and all_branches,
        unmerged=unmerged,
        held=held,
        stay=frozenset(
            owner
            for owner in owners
            if any(task.owner == owner for task in held) and _has_other(board.policy, owner, wanted, board.now)
        ),
    )


def owners_of(policy: Policy, keys: Collection[KeyBlob]) -> tuple[Principal, ...]:
    """The principals that a policy lists for keys, by name."""
    return tuple(dict.fromkeys(name for line in policy.signers if line.key in keys for name in names(line)))


def listed_for(policy: Policy, keys: Collection[KeyBlob]) -> tuple[str, ...]:
    """For whom a policy lists keys, as it is written there, patterns too."""
    return tuple(dict.fromkeys(name for line in policy.signers if line.key in keys for name in line.principals))


def _has_other(policy: Policy, owner: Principal, keys: Collection[KeyBlob], now: int) -> bool:
    return any(
        owner in names(line) and line.key not in keys and line.key not in policy.revoked and valid_at(line, now)
        for line in policy.signers
    )


def _signed(board: Board, commits: Iterable[ObjectId], keys: frozenset[KeyBlob]) -> int:
    """How many commits carry a signature by one of some keys, whether it holds or not."""
    return sum(_carries(board.desk, oid, keys) for oid in commits)


def _carries(desk: Desk, oid: ObjectId, keys: frozenset[KeyBlob]) -> bool:
    try:
        return not keys.isdisjoint(signing_keys(desk, desk.world.store.commit(oid)))
    except GuardError:  # on a branch that nobody judges may lie anything
        return False


def _unmerged(board: Board, keys: frozenset[KeyBlob]) -> tuple[tuple[Unmerged, ...], bool]:
    """Branches that have commits by the keys which the board lacks, and whether all were looked at.

    A commit counts for the first branch that has it, the remote's before the clone's own.
    """
    desk, found = board.desk, list[Unmerged]()
    remote = b"refs/remotes/" + os.fsencode(desk.remote) + b"/"
    told = desk.git(
        "for-each-ref", "--sort=-committerdate", b"--no-merged=" + board.tip, "--format=%(refname)",
        remote.removesuffix(b"/"), HEADS.removesuffix(b"/")
    )  # fmt: skip
    refs = sorted(told.splitlines(), key=lambda name: not name.startswith(remote))
    whole, seen = len(refs) <= _BRANCHES, set[ObjectId]()
    for ref in refs[:_BRANCHES]:
        left = KEY_USE_COMMITS - len(seen)
        listed = desk.git("--no-replace-objects", "rev-list", f"--max-count={left + 1}", ref, b"^" + board.tip, "--")
        fresh = [oid for name in listed.split() if (oid := ObjectId(name)) not in seen]
        whole = whole and len(fresh) <= left
        seen.update(fresh[:left])
        count = _signed(board, fresh[:left], keys)
        if count:
            here = ref.startswith(HEADS)
            branch = show_path(ref.removeprefix(HEADS if here else remote))
            found.append(Unmerged(branch=branch, here=here, commits=count))
    return tuple(found), whole
