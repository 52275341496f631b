"""`commit-msg`: judges what is about to be committed as the server will, and signs it."""

import os
from pathlib import Path

from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.draft_message import cut, stored
from codifica_guard.clone.hand import Hand, find_hand
from codifica_guard.clone.program import setting
from codifica_guard.clone.signing import (
    ACTOR,
    OURS,
    SIGNATURE,
    WRITER,
    Draft,
    look,
    sign_message,
    wants_signature,
    write_draft,
)
from codifica_guard.engine.facts import Deed
from codifica_guard.errors import GuardError, KeyUnavailable
from codifica_guard.git.message import add_trailers, parse_trailers
from codifica_guard.hooks.boundary import tell
from codifica_guard.model.commit import Commit, Trailer
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, is_human
from codifica_guard.model.policy import Policy
from codifica_guard.report.terminal import verdict

UNPROVEN = frozenset({"ID106"})


def run(arguments: list[str], now: int) -> int:
    """Judge and sign the commit whose message is in a file; 1 where the server would refuse it."""
    path = Path(arguments[0])
    with open_desk(now) as desk:
        policy = desk.policy
        if policy is None:
            return 0
        edited = os.environ.get("GIT_EDITOR") != ":"  # Git says so to hooks where no editor was open
        comment = setting(desk.folder, "core.commentString") or setting(desk.folder, "core.commentChar") or "#"
        text, behind = cut(path.read_bytes(), comment, edited=edited)
        tree = ObjectId(desk.git("write-tree"))
        message = stored(text, comment, edited=edited)
        made = _best(desk, policy, tree, message)
        tell(verdict(made.verdict, "commit", "git codifica check --staged"))
        if not made.verdict.accepted and not made.may_pass:
            return 1
        for line in made.notes:
            tell(f"codifica-guard: {line}\n")
        if made.trailers:
            path.write_bytes(add_trailers(text, made.trailers, drop=OURS) + behind)
    return 0


class _Made:
    """What a commit comes to on some parents: its verdict, and the trailers that sign it."""

    def __init__(self, desk: Desk, policy: Policy, deed: Deed) -> None:
        self.trailers: tuple[Trailer, ...] = ()
        self.notes: tuple[str, ...] = ()
        commit = write_draft(desk, Draft(deed=deed))
        why = wants_signature(desk, commit, policy)
        hand = self._hand(desk) if why is not None else None
        if hand is not None:
            signed = sign_message(desk, Draft(deed=deed), hand, policy)
            self.trailers = tuple(t for t in parse_trailers(signed).all if t.key in {ACTOR, SIGNATURE, WRITER})
            self.notes = tuple(_told(desk, policy, commit, hand))
            commit = write_draft(desk, Draft(deed=Deed(deed.parents, deed.tree, signed)))
        self.verdict: Verdict = desk.judge_one(commit)
        # Git may still sign, with -S; what only lacks a proof is told, and left to the push.
        self.may_pass = hand is None and {f.code for f in self.verdict.errors} <= UNPROVEN

    def _hand(self, desk: Desk) -> Hand | None:
        try:
            return find_hand(desk)
        except KeyUnavailable as error:
            tell(f"codifica-guard: not signed: {error}\n")
            return None


def _best(desk: Desk, policy: Policy, tree: ObjectId, message: bytes) -> _Made:
    """What the commit comes to behind HEAD; where that breaks a rule, maybe it amends HEAD, which no hook is told."""
    head = desk.head
    parents = (*((head,) if head is not None else ()), *_merged(desk))
    made = _Made(desk, policy, Deed(parents, tree, message))
    if made.verdict.accepted or head is None or len(parents) > 1:
        return made
    amended = _Made(desk, policy, Deed(desk.world.store.commit(head).parents, tree, message))
    return amended if amended.verdict.accepted else made


def _merged(desk: Desk) -> tuple[ObjectId, ...]:
    """The other parents of a merge that is being committed."""
    try:
        lines = Path(os.fsdecode(desk.location.git_dir), "MERGE_HEAD").read_bytes().split()
    except OSError:
        return ()
    return tuple(ObjectId(line) for line in lines)


def _told(desk: Desk, policy: Policy, commit: Commit, hand: Hand) -> list[str]:
    """The decisions that a human is about to put his name to."""
    if not is_human(hand.actor):
        return []
    try:
        _, view = look(desk, commit, policy)
    except GuardError:
        return []
    moves = [f"{c.id} {c.transition[0]} -> {c.transition[1]}" for c in view.changes if c.transition]
    return [f"signed as {hand.actor}: {', '.join(moves)}"] if moves else []
