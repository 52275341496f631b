"""`post-rewrite`: signatures that an amend or a rebase cost are renewed where they are one's own and nothing else changed."""

import os

from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.fresh import moves
from codifica_guard.clone.hand import Hand, find_hand
from codifica_guard.clone.renewal import Renewal
from codifica_guard.clone.rewritten import Loss, base_of, follow, found_pairs, losses, pairs_of
from codifica_guard.clone.signing import Draft, holds, rewrite, sign_message, wants_signature
from codifica_guard.engine.facts import deed_of
from codifica_guard.errors import GuardError, SignatureError
from codifica_guard.hooks.boundary import tell
from codifica_guard.hooks.client import read_input
from codifica_guard.hooks.news import tell_news
from codifica_guard.model.commit import Commit
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.model.policy import Policy

AGAIN = "codifica-guard: signed again"
SHOWN = 3
COMMAND_VARIABLE = "PRE_COMMIT_REWRITE_COMMAND"
"""Where the pre-commit framework says what was done; it gives no arguments."""

Pairs = list[tuple[ObjectId, ObjectId]]


def run(arguments: list[str], now: int) -> int:
    """Look at each rewritten commit; always 0: the rewriting is over."""
    command = (arguments or [os.environ.get(COMMAND_VARIABLE, "")])[0]
    amend = command == "amend"
    with open_desk(now) as desk:
        policy = desk.policy
        if policy is None:
            return 0
        pairs = pairs_of(read_input()) or found_pairs(desk, amend=amend)
        if amend:
            _amended(desk, policy, pairs)
        else:
            _rebased(desk, policy, pairs)
    return 0


# -- an amend


def _amended(desk: Desk, policy: Policy, pairs: Pairs) -> None:
    for old, new in pairs:
        commit = desk.world.store.commit(new)
        if desk.head == new and Renewal(desk=desk, policy=policy, hand=None).lacks(commit):
            _renew(desk, policy, old, commit)


def _renew(desk: Desk, policy: Policy, old: ObjectId, commit: Commit) -> None:
    """Sign an amended commit again, if the one before was the same principal's, or needed nobody's signature."""
    try:
        hand = find_hand(desk)
        before = desk.world.store.commit(old)
        was = holds(desk, before, policy).actor
        if was != hand.actor and (was is not None or wants_signature(desk, before, policy) is not None):
            _look_again(commit, f"the commit before it is not {hand.actor}'s")
            return
        new = rewrite(desk, commit, {}, sign_message(desk, Draft(deed=deed_of(commit)), hand, policy))
        follow(desk, {commit.id: new}, AGAIN, command="amend")
    except SignatureError as error:
        _look_again(commit, str(error))


def _look_again(commit: Commit, why: str) -> None:
    tell(f"codifica-guard: {short(commit.id)} is not signed again: {why}\n  look again, then: git codifica sign HEAD\n")


# -- a rebase


def _rebased(desk: Desk, policy: Policy, pairs: Pairs) -> None:
    lost = losses(desk, policy, pairs)
    if lost:
        _lost(desk, policy, pairs, lost)
    base = base_of(desk, pairs)
    if base is not None:
        tell_news(desk, policy, *base)


def _lost(desk: Desk, policy: Policy, pairs: Pairs, lost: list[Loss]) -> None:
    try:
        hand: Hand | None = find_hand(desk)
    except SignatureError:
        hand = None  # whoever signs then says by which key
    mine = [loss for loss in lost if hand is None or loss.signers == {hand.actor}]
    same = [loss.commit for loss in mine if loss.same]
    moved = _again(desk, policy, pairs, frozenset(same), hand) if hand is not None and same else {}
    changed = [moved.get(loss.commit, loss.commit) for loss in mine if loss.commit not in same or not moved]
    others = {moved.get(loss.commit, loss.commit): loss.signers for loss in lost if loss not in mine}
    if changed:
        _tell_changed(desk, changed, frozenset(others))
    for oid, signers in others.items():
        named = " and ".join(sorted(signers))
        tell(
            f"codifica-guard: {short(oid)}: the signature of {named} does not fit any more, and is not yours to renew; "
            f"as it was: git reset --keep {short(pairs[-1][0])}\n"
        )


def _again(desk: Desk, policy: Policy, pairs: Pairs, same: frozenset[ObjectId], hand: Hand) -> dict[ObjectId, ObjectId]:
    """Sign anew what did not change but for the signature; old id to new id of all that was made anew for it."""
    news = {new for _, new in pairs}
    floor = dict.fromkeys(p for new in news for p in desk.world.store.commit(new).parents if p not in news)
    try:
        if desk.head is None or desk.head not in news:
            return {}
        lines = desk.git("rev-list", "--topo-order", "--reverse", desk.head, *(b"^" + p for p in floor)).split()
        line = tuple(ObjectId(oid) for oid in lines)
        made = Renewal(desk=desk, policy=policy, hand=hand, vouched=same).sign(line, same & frozenset(line), hand)
        moved = {row.old: row.new for row in made}
        follow(desk, moved, AGAIN, command="rebase")
    except GuardError as error:
        tell(f"codifica-guard: not signed again: {error}\n")
        return {}
    signed = [row.new for row in made if row.how == "signed"]
    what = [text for oid in signed for text in moves(desk, desk.world.store.commit(oid), policy)]
    more = f" and {len(what) - SHOWN} more" if len(what) > SHOWN else ""
    told = f": {', '.join(what[:SHOWN])}{more}" if what else ""
    count = "1 commit" if len(signed) == 1 else f"{len(signed)} commits"
    tell(f"codifica-guard: signed again as {hand.actor}, {count}{told}\n")
    return moved


def _tell_changed(desk: Desk, changed: list[ObjectId], others: frozenset[ObjectId]) -> None:
    """Name what has to be looked at, and the one command that signs all of it."""
    if len(changed) == 1:
        oid = short(changed[0])
        tell(f"codifica-guard: {oid}: its signature does not fit any more; look again, then: git codifica sign {oid}\n")
        return
    first, last = changed[0], changed[-1]
    # What is another's in between would not be signed, and nothing with it: then from the last on, one by one.
    lines = desk.git("rev-list", last, b"^" + first).split()
    between = {ObjectId(line) for line in lines}
    named = short(last) if others & between else f"{short(first)}~..{short(last)}"
    shown = ", ".join(short(oid) for oid in changed[:SHOWN])
    more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    tell(
        f"codifica-guard: {shown}{more}: their signatures do not fit any more; look again, then: git codifica sign {named}\n"
    )
