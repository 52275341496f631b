"""What is staged, as the commit that it will be: judged, and signed by the hand that is here."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.fresh import act_of, mail_of, moves, own_mail, picked, settled
from codifica_guard.clone.hand import Hand, find_hand
from codifica_guard.clone.signing import OURS, Draft, holds, sign_message, wants_signature, write_draft
from codifica_guard.engine.facts import Deed
from codifica_guard.errors import GuardError, KeyUnavailable
from codifica_guard.git.message import parse_trailers
from codifica_guard.model.commit import SIGNATURE, Commit, Trailer
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, is_human, short
from codifica_guard.model.policy import Policy

LOOK = "look at it; if you mean it: git commit --amend -S --no-edit --reset-author"

LOOK_AT_MERGE = "look first: git merge --no-commit with the same words, git diff HEAD; if you mean it: git commit"

UNPROVEN = frozenset({"ID106", "ID109", "CD407"})
"""What may be refused for the lack of a proof alone, which Git may still add, with -S."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """What a commit comes to on some parents.

    Attributes:
        commit: it, as an object that no ref names; its author is made up.
        verdict: what the server would say.
        trailers: those that sign it; empty where it is not signed.
        notes: what its maker ought to know.
        unproven: whether it is unsigned, and nothing but that may be wrong with it.
    """

    commit: Commit
    verdict: Verdict
    trailers: tuple[Trailer, ...] = ()
    notes: tuple[str, ...] = ()
    unproven: bool = False


def staged(
    desk: Desk,
    policy: Policy,
    message: bytes,
    *,
    tree: ObjectId | None = None,
    amending: bool = True,
    environ: Mapping[bytes, bytes] | None = None,
) -> Staged:
    """What is staged, behind HEAD; where that breaks a rule, maybe it amends HEAD, which no hook is told.

    Args:
        desk: the clone.
        policy: the policy that counts.
        message: the commit's message as it will be stored.
        tree: what will be committed; None for the index.
        amending: whether it may amend HEAD.
        environ: the environment, where Git tells hooks who the author will be.
    """
    env = os.environb if environ is None else environ
    taken = tree if tree is not None else ObjectId(desk.git("write-tree"))
    head = desk.head
    parents = (*((head,) if head is not None else ()), *_merged(desk))
    made = drafted(desk, policy, Deed(parents, taken, message), _stranger(desk, policy, picked(desk), env))
    if made.verdict.accepted or head is None or len(parents) > 1 or not amending:
        return made
    last = desk.world.store.commit(head)
    if all(desk.world.policy(p) is None for p in last.parents):
        return made  # in place of the introduction nothing would be judged at all
    again = last.id if _author(env) == last.author else None  # with --reset-author it is his who commits
    amended = drafted(desk, policy, Deed(last.parents, taken, message), _stranger(desk, policy, again, env))
    return amended if amended.verdict.accepted else made


Stranger = Callable[[Commit, Hand], tuple[str, ...]]
"""Why a hand may not sign a commit in the making, and what to do about it; empty where it may."""


def drafted(
    desk: Desk, policy: Policy, deed: Deed, stranger: Stranger, *, unproven: frozenset[str] = UNPROVEN
) -> Staged:
    """What a commit comes to: judged, and signed by the hand that is here where it needs that and may be.

    Args:
        desk: the clone.
        policy: the policy that counts.
        deed: its parents, its tree and its message as it will be stored.
        stranger: why the hand that is here may not sign it.
        unproven: codes of what may be wrong with it for the lack of a proof alone.
    """
    commit = write_draft(desk, Draft(deed=deed))
    hand: Hand | None = None
    notes: tuple[str, ...] = ()
    if wants_signature(desk, commit, policy) is not None:
        try:
            hand = find_hand(desk)
        except KeyUnavailable as error:
            notes = (f"not signed: {error}",)
    if hand is not None and _stands(desk, commit, policy, hand):
        hand = None
    if hand is not None and (why := stranger(commit, hand)):
        hand, notes = None, why
    if hand is None:
        judged = desk.judge_one(commit)
        bare = {f.code for f in judged.errors} <= unproven
        return Staged(commit=commit, verdict=judged, notes=notes, unproven=bare)
    signed = sign_message(desk, Draft(deed=deed), hand, policy)
    told = (*settled(desk, commit, policy), *moves(desk, commit, policy)) if is_human(hand.actor) else ()
    commit = write_draft(desk, Draft(deed=Deed(deed.parents, deed.tree, signed)))
    return Staged(
        commit=commit,
        verdict=desk.judge_one(commit),
        trailers=tuple(t for t in parse_trailers(signed).all if t.key in OURS),
        notes=(f"signed as {hand.actor}: {', '.join(told)}",) if told else (),
    )


def _stands(desk: Desk, commit: Commit, policy: Policy, hand: Hand) -> bool:
    """Whether a message came with the signature of somebody else, and it fits: then there is nothing to add."""
    if not desk.world.trailers(commit).values(SIGNATURE):
        return False
    return holds(desk, commit, policy).actor not in {None, hand.actor}


def _stranger(desk: Desk, policy: Policy, again: ObjectId | None, env: Mapping[bytes, bytes]) -> Stranger:
    def stranger(commit: Commit, hand: Hand) -> tuple[str, ...]:
        if len(commit.parents) > 1 and _by_itself(env) and (act := act_of(desk, commit, policy, hand.actor)):
            return (f"not signed: {act}, and Git made the merge by itself: nobody has looked at it", LOOK_AT_MERGE)
        why = _not_own(desk, policy, commit, hand, again, env)
        return () if why is None else (f"not signed: {why}", LOOK)

    return stranger


def _by_itself(env: Mapping[bytes, bytes]) -> bool:
    """Whether `git merge` or `git pull` commits what it made, and no person who was asked to settle something."""
    return env.get(b"GIT_REFLOG_ACTION", b"").split(b" ")[0] in {b"merge", b"pull"}


def _not_own(
    desk: Desk, policy: Policy, commit: Commit, hand: Hand, again: ObjectId | None, env: Mapping[bytes, bytes]
) -> str | None:
    """Why a human's name may not be put to a commit: it carries on what somebody else wrote."""
    act = act_of(desk, commit, policy, hand.actor)
    if act is None:
        return None
    if Path(os.fsdecode(desk.location.git_dir), "SQUASH_MSG").exists():
        return f"{act}: it is squashed from commits of another branch, whoever wrote them (ID112)"
    if again is not None:
        try:
            before = desk.world.store.commit(again)
            ours = holds(desk, before, policy).actor == hand.actor
            if not ours and act_of(desk, before, policy, hand.actor) is not None:
                return f"{act}: it carries on {short(again)}, which is not signed by {hand.actor} (ID112)"
        except GuardError as error:
            return f"{act}: it carries on a commit that cannot be read: {error}"
    author, mail = _author(env), own_mail(desk)
    if author is not None and mail_of(author) != mail:
        return f"{act}: the author is <{mail_of(author).decode('utf-8', 'backslashreplace')}> (ID112)"
    return None


def _author(env: Mapping[bytes, bytes]) -> bytes | None:
    """The author line of the commit in the making, as Git tells it to hooks."""
    name, mail, date = (env.get(b"GIT_AUTHOR_" + part) for part in (b"NAME", b"EMAIL", b"DATE"))
    if name is None or mail is None or date is None:
        return None
    return name + b" <" + mail + b"> " + date.removeprefix(b"@")


def _merged(desk: Desk) -> tuple[ObjectId, ...]:
    """The other parents of a merge that is being committed."""
    try:
        lines = Path(os.fsdecode(desk.location.git_dir), "MERGE_HEAD").read_bytes().split()
    except OSError:
        return ()
    return tuple(ObjectId(line) for line in lines)
