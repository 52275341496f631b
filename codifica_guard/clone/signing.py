"""Signed trailers: which commits need them, making them, renewing them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.hand import Hand
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.facts import Deed, Facts
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.world import World
from codifica_guard.errors import SignatureError
from codifica_guard.git.message import add_trailers, parse_trailers
from codifica_guard.git.writer import commit_bytes, write_object
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.identity.sshsig import to_line
from codifica_guard.model.commit import ACTOR, SIGNATURE, WRITER, Commit, Trailer
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import ObjectId, Principal, is_agent
from codifica_guard.model.policy import Policy
from codifica_guard.packs.codifica import cd406, cd407
from codifica_guard.packs.core.id107 import key_wanted
from codifica_guard.rules.view import CommitView

OURS = frozenset({ACTOR, SIGNATURE, WRITER})
PLACEHOLDER = b"Nobody <nobody@invalid> 0 +0000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A commit that is about to be made, or to be made anew.

    Attributes:
        deed: parents, tree and message.
        author, committer: the header values, where they are known.
    """

    deed: Deed
    author: bytes = PLACEHOLDER
    committer: bytes = PLACEHOLDER


def write_draft(desk: Desk, draft: Draft) -> Commit:
    """A draft as a commit object that no ref names, to be judged."""
    data = commit_bytes(
        draft.deed.tree,
        draft.deed.parents,
        draft.author,
        draft.committer,
        draft.deed.message,
        id_length=desk.world.store.id_length,
    )
    return desk.world.store.commit(write_object(desk.location, desk.world.store.object_format, "commit", data))


def look(
    desk: Desk, commit: Commit, policy: Policy, attribution: Attribution | None = None
) -> tuple[Expansion, CommitView]:
    """A commit as the rules see it, for somebody who has not signed yet."""
    base = commit.parents[0] if commit.parents else None
    step = Segment(base=base, tip=commit.id, new=(commit.id,), with_base=frozenset({commit.id}))
    expansion = Expansion(desk.world, commit, step, desk.now)
    return expansion, expansion.view(policy, attribution or Attribution())


def wants_signature(desk: Desk, commit: Commit, policy: Policy) -> str | None:
    """Why a commit needs the committer's signature: what it touches, or the policy; None where it does not."""
    expansion, view = look(desk, commit, policy)
    if view.is_merge:
        decided = expansion.merge(view).decided
        if decided:
            return f"the merge decides about {decided[0].name}"
    if view.touches_state:
        return "it changes tasks" if view.changes else "it changes the text around tasks"
    if view.trust:
        return "it changes the policy"
    if policy.codifica is not None and (cd407.outside(view) or cd406.guarded(view)):
        return "it changes paths outside file_scope" if cd407.outside(view) else "it changes evidence"
    if policy.guard.require_signatures == "all" and (view.paths or not view.is_merge):
        return "the policy asks for a signature on every commit"
    return None


def sign_message(desk: Desk, draft: Draft, hand: Hand, policy: Policy) -> bytes:
    """The draft's message with the trailers of a hand: who acted, the signature, and the writer tokens that its tasks ask for.

    Raises:
        KeyUnavailable: the key cannot sign.
    """
    bare = add_trailers(draft.deed.message, (), drop=OURS)
    data = covered(desk, draft.deed, hand.actor)
    made = [
        Trailer(ACTOR, hand.actor.encode()),
        Trailer(SIGNATURE, to_line(hand.signer.sign(data, NAMESPACE)).encode("ascii")),
    ]
    made += [Trailer(WRITER, to_line(blob).encode("ascii")) for blob in _writers(desk, draft, hand, policy, data)]
    return add_trailers(bare, made)


def covered(desk: Desk, deed: Deed, actor: Principal) -> bytes:
    """What the signature of a principal covers of a deed, whatever signatures its message carries now."""
    bare = add_trailers(deed.message, (), drop=OURS)
    plain = Deed(deed.parents, deed.tree, bare)
    return Facts(desk.world, plain, parse_trailers(bare), _own(desk.world, deed)).payload(actor)


def _own(world: World, deed: Deed) -> Callable[[], Policy | None]:
    """The policy of a tree that is no commit yet: that of any commit with this tree; only an introduction asks."""

    def own() -> Policy | None:
        return world.policy_of_tree(deed.tree)

    return own


def _writers(desk: Desk, draft: Draft, hand: Hand, policy: Policy, data: bytes) -> list[bytes]:
    if not is_agent(hand.actor):
        return []
    _, view = look(desk, write_draft(desk, draft), policy, Attribution(actor=hand.actor, proof=Proof.TRAILER))
    wanted = dict.fromkeys(line for change in view.changes if (line := key_wanted(change)) is not None)
    held = {_bare(token.public_line): token for token in hand.tokens}
    return [held[_bare(line)].sign(data) for line in wanted if _bare(line) in held]


def _bare(line: str) -> tuple[str, ...]:
    return tuple(line.split()[:2])


def holds(desk: Desk, commit: Commit, policy: Policy) -> Attribution:
    """Who made a commit, under a policy, as it stands right behind its parents."""
    expansion, _ = look(desk, commit, policy)
    return expansion.attribution(policy, policy.revoked.__contains__)


def rewrite(desk: Desk, commit: Commit, parents: Mapping[ObjectId, ObjectId], message: bytes) -> ObjectId:
    """A commit made anew with other parents and another message; Git's own signature, which no longer fits, is left out.

    Raises:
        SignatureError: the commit is not sound enough to be made anew.
    """
    head, blank, _ = commit.signed.partition(b"\n\n")
    if not blank or commit.faults:
        raise SignatureError(f"commit {commit.id[:7].decode()} is malformed and cannot be signed")
    lines = [_moved(line, parents) for line in head.split(b"\n")]
    data = b"\n".join(lines) + b"\n\n" + message
    return write_object(desk.location, desk.world.store.object_format, "commit", data)


def _moved(line: bytes, parents: Mapping[ObjectId, ObjectId]) -> bytes:
    if not line.startswith(b"parent "):
        return line
    oid = ObjectId(line[len(b"parent ") :])
    return b"parent " + parents.get(oid, oid)
