"""Which commits took the place of which, after an amend or a rebase; and those of them that lost their signature by it."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.renewal import Renewal
from codifica_guard.clone.signing import covered, holds
from codifica_guard.engine.facts import deed_of
from codifica_guard.errors import GuardError, RepositoryError
from codifica_guard.git.message import subject
from codifica_guard.git.refs import resolve
from codifica_guard.model.commit import Commit
from codifica_guard.model.ids import ObjectId, Principal
from codifica_guard.model.policy import Policy

REBASED = 2_000
"""Commits of a rebase that are looked for where nobody says which they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A commit made anew that lacks a signature, which the commits that it came from had.

    Attributes:
        commit: it.
        signers: whose signatures those were.
        same: whether it does to the same what its only predecessor did: then no more than the signature was lost.
    """

    commit: ObjectId
    signers: frozenset[Principal]
    same: bool


def pairs_of(rows: Iterable[list[bytes]]) -> list[tuple[ObjectId, ObjectId]]:
    """Old id and new id, as Git tells them to `post-rewrite`."""
    return [(ObjectId(words[0]), ObjectId(words[1])) for words in rows if len(words) > 1]


def found_pairs(desk: Desk, *, amend: bool) -> list[tuple[ObjectId, ObjectId]]:
    """Old id and new id, from what Git wrote down; for where a program between Git and the hook kept the input to itself."""
    if desk.head is None:
        return []
    if amend:
        before = desk.git("rev-parse", "--verify", "--quiet", "HEAD@{1}")
        return [(ObjectId(before), desk.head)]
    start = resolve(desk.location, b"ORIG_HEAD")[1]
    if start is None:
        return []
    # A rebase keeps author, author's date and subject.
    olds = {_sign_of(commit): commit.id for commit in _between(desk, desk.head, start)}
    news = ((olds.get(_sign_of(commit)), commit.id) for commit in _between(desk, start, desk.head))
    return [(old, new) for old, new in news if old is not None]


def losses(desk: Desk, policy: Policy, pairs: Iterable[tuple[ObjectId, ObjectId]]) -> list[Loss]:
    """What lost its signature, in the order of the pairs; what had none before has lost none."""
    olds: dict[ObjectId, list[ObjectId]] = {}
    for old, new in pairs:
        olds.setdefault(new, []).append(old)
    renewal = Renewal(desk=desk, policy=policy, hand=None)
    found = (_loss(desk, policy, renewal, new, before) for new, before in olds.items())
    return [loss for loss in found if loss is not None]


def follow(desk: Desk, moved: Mapping[ObjectId, ObjectId], reason: str, *, command: str) -> None:
    """Let HEAD, the branches that a rebase put there, and notes be at commits that were made anew once more.

    Args:
        desk: the clone.
        moved: old id to new id, HEAD's among them.
        reason: for the reflog.
        command: `amend` or `rebase`, whose settings say whether notes come along.
    """
    head = desk.head
    if head is not None and head in moved:
        desk.git("update-ref", "-m", reason, "HEAD", moved[head], head)
    for row in desk.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads").splitlines():
        oid, _, ref = row.partition(b" ")
        if ObjectId(oid) in moved:
            desk.git("update-ref", "-m", reason, ref, moved[ObjectId(oid)], oid)
    _stack(desk, moved)
    rows = b"".join(b"%s %s\n" % pair for pair in moved.items())
    desk.git("notes", "copy", f"--for-rewrite={command}", "--stdin", data=rows)


def _stack(desk: Desk, moved: Mapping[ObjectId, ObjectId]) -> None:
    """The branches of a stack that Git moves once this hook has ended (`rebase --update-refs`): it wrote down where to."""
    path = Path(os.fsdecode(desk.location.git_dir), "rebase-merge", "update-refs")
    try:
        rows = path.read_bytes().split(b"\n")
        path.write_bytes(b"\n".join(moved.get(ObjectId(row), row) for row in rows))
    except OSError:
        return  # no stack is rebased


def _loss(desk: Desk, policy: Policy, renewal: Renewal, new: ObjectId, olds: list[ObjectId]) -> Loss | None:
    commit = desk.world.store.commit(new)
    if not renewal.lacks(commit):
        return None
    signers: dict[Principal, Commit] = {}
    for oid in olds:
        try:
            before = desk.world.store.commit(oid)
            actor = holds(desk, before, policy).actor
            if actor is not None and not renewal.lacks(before):
                signers[actor] = before
        except GuardError:
            continue  # what cannot be read vouches for nothing
    if not signers:
        return None
    same = len(olds) == 1 and all(
        covered(desk, deed_of(before), actor) == covered(desk, deed_of(commit), actor)
        for actor, before in signers.items()
    )
    return Loss(commit=new, signers=frozenset(signers), same=same)


def _between(desk: Desk, behind: ObjectId, tip: ObjectId) -> Iterable[Commit]:
    lines = desk.git("rev-list", "--reverse", f"--max-count={REBASED}", tip, b"^" + behind).split()
    return (desk.world.store.commit(ObjectId(line)) for line in lines)


def _sign_of(commit: Commit) -> tuple[bytes, bytes]:
    return commit.author, subject(commit.message)


def base_of(desk: Desk, pairs: list[tuple[ObjectId, ObjectId]]) -> tuple[ObjectId, ObjectId] | None:
    """What the commits stood on before a rebase, and what they stand on now; None where that did not go forward."""
    try:
        old, new = (desk.world.store.commit(oid).parents for oid in pairs[0])
        merged = desk.git("merge-base", "--is-ancestor", old[0], new[0]) if old and new else None
    except (IndexError, RepositoryError):
        return None
    return (old[0], new[0]) if merged is not None and old[0] != new[0] else None
