"""`post-rewrite`: after an amend the signature is renewed, after a rebase it is checked."""

from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import find_hand
from codifica_guard.clone.renewal import Renewal
from codifica_guard.clone.signing import Draft, holds, rewrite, sign_message, wants_signature
from codifica_guard.engine.facts import deed_of
from codifica_guard.errors import SignatureError
from codifica_guard.hooks.boundary import tell
from codifica_guard.hooks.client import read_input
from codifica_guard.model.commit import SIGNATURE, Commit
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.model.policy import Policy


def run(arguments: list[str], now: int) -> int:
    """Look at each rewritten commit; always 0: the rewriting is over."""
    pairs = [(ObjectId(words[0]), ObjectId(words[1])) for words in read_input() if len(words) > 1]
    with open_desk(now) as desk:
        policy = desk.policy
        if policy is None:
            return 0
        for old, new in pairs:
            commit = desk.world.store.commit(new)
            if not Renewal(desk=desk, policy=policy, hand=None).lacks(commit):
                continue
            if arguments[:1] == ["amend"] and desk.head == new:
                _renew(desk, policy, old, commit)
            else:
                dead = bool(desk.world.trailers(commit).values(SIGNATURE))
                what = "its signature does not fit any more" if dead else "it needs a signature, and none of it holds"
                tell(f"codifica-guard: {short(new)}: {what}; look again, then: git codifica sign {short(new)}\n")
    return 0


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
        desk.git("update-ref", "-m", "codifica-guard: signed again", "HEAD", new, commit.id)
    except SignatureError as error:
        _look_again(commit, str(error))


def _look_again(commit: Commit, why: str) -> None:
    tell(f"codifica-guard: {short(commit.id)} is not signed again: {why}\n  look again, then: git codifica sign HEAD\n")
