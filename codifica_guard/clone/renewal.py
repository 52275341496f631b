"""Commits that are there already, made anew with signed trailers, or without dead ones; what stands behind them moves along."""

from collections.abc import Mapping
from dataclasses import dataclass

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.fresh import act_of, foreign, refusal
from codifica_guard.clone.hand import Hand
from codifica_guard.clone.signing import (
    OURS,
    Draft,
    holds,
    rewrite,
    sign_message,
    wants_signature,
)
from codifica_guard.engine.facts import Deed
from codifica_guard.errors import SignatureError
from codifica_guard.git.message import add_trailers, parse_trailers
from codifica_guard.model.commit import ACTOR, SIGNATURE, WRITER, Commit, Trailer
from codifica_guard.model.finding import Finding
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import ObjectId, Principal, is_agent, short
from codifica_guard.model.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """One commit that was made anew.

    Attributes:
        old, new: its ids.
        how: `signed`, `dropped` (dead trailers were taken away), or `moved` (only its parents are others).
        actor: who signed it now; None where nobody did.
        lost: whose signature, made by Git and needed by nobody, is gone; None where none is.
    """

    old: ObjectId
    new: ObjectId
    how: str
    actor: Principal | None = None
    lost: Principal | None = None


class NotFresh(SignatureError):
    """A human's trailer was to be put on a human's act in a commit that is not freshly his.

    Attributes:
        finding: ID112.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.found)
        self.finding = finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """What makes commits anew.

    Attributes:
        desk: the clone.
        policy: the policy that counts.
        hand: who is here, and signs again what would lose its signature; None where nobody is.
        vouched: commits whose own signer signed just that before Git made them anew: nothing about them is new to him.
    """

    desk: Desk
    policy: Policy
    hand: Hand | None
    vouched: frozenset[ObjectId] = frozenset()

    def lacks(self, commit: Commit) -> bool:
        """Whether a commit needs a signature that it does not have, or carries a dead one."""
        seen = holds(self.desk, commit, self.policy)
        if seen.actor is not None:
            return self._too_little(commit, seen, seen.actor)
        if self.desk.world.trailers(commit).values(SIGNATURE):
            return True
        return wants_signature(self.desk, commit, self.policy) is not None

    def _too_little(self, commit: Commit, seen: Attribution, actor: Principal) -> bool:
        """Whether only Git's signature stands where the policy asks a human for the trailer, or where it is not fresh."""
        doubtful = seen.proof is Proof.GIT and (not seen.fresh or self.policy.guard.human_proof == "trailer")
        return doubtful and act_of(self.desk, commit, self.policy, actor) is not None

    def open(self, commit: Commit) -> bool:
        """Whether a commit that is named by itself can be signed, needed or not."""
        seen = holds(self.desk, commit, self.policy)
        return seen.actor is None or self._too_little(commit, seen, seen.actor)

    def is_dead(self, commit: Commit) -> bool:
        """Whether a commit carries a proof, and none that holds."""
        trailers = self.desk.world.trailers(commit)
        carries = commit.signature is not None or any(trailers.values(key) for key in (ACTOR, SIGNATURE, WRITER))
        return carries and holds(self.desk, commit, self.policy).actor is None

    def sign(self, line: tuple[ObjectId, ...], wanted: frozenset[ObjectId], hand: Hand) -> tuple[Renewed, ...]:
        """Sign some commits, and make anew what stands on them.

        Args:
            line: commits up to the tip, parents first.
            wanted: those of them that are to be signed.
            hand: who signs them.

        Raises:
            NotFresh: one is a human's act that is not freshly his (ID112).
            SignatureError: one is another principal's, or would lose the signature that Git made.
        """
        return self._all(line, wanted, hand)

    def drop(self, line: tuple[ObjectId, ...], wanted: frozenset[ObjectId]) -> tuple[Renewed, ...]:
        """Take the dead trailers of some commits away, and make anew what stands on them.

        Raises:
            SignatureError: what stands on one would lose its signature, and is not to be signed by who is here.
        """
        return self._all(line, wanted, None)

    def _all(self, line: tuple[ObjectId, ...], wanted: frozenset[ObjectId], by: Hand | None) -> tuple[Renewed, ...]:
        world, made, parents = self.desk.world, list[Renewed](), dict[ObjectId, ObjectId]()
        for oid in line:
            commit = world.store.commit(oid)
            if oid in wanted:
                done = self._dropped(commit, parents) if by is None else self._signed(commit, parents, by)
            elif any(p in parents for p in commit.parents):
                done = self._moved(commit, parents)
            else:
                continue
            parents[oid] = done.new
            world.root((done.new,))
            made.append(done)
        return tuple(made)

    def _signed(self, commit: Commit, parents: Mapping[ObjectId, ObjectId], hand: Hand) -> Renewed:
        seen = holds(self.desk, commit, self.policy)
        other = seen.actor or seen.claimed
        if other is not None and other != hand.actor:
            raise SignatureError(self._others(commit, other, hand, dead=seen.actor is None))
        # What Git's signature of his proves already, a trailer may say as well, but for a human's act that was not fresh.
        proven = seen.actor is not None and (seen.proof is Proof.TRAILER or seen.fresh)
        if not proven and commit.id not in self.vouched:
            why = foreign(self.desk, commit, self.policy, hand.actor)
            if why is not None:
                raise NotFresh(refusal(self.desk, commit, self.policy, why))
        deed = Deed(tuple(parents.get(p, p) for p in commit.parents), commit.tree, commit.message)
        message = sign_message(self.desk, Draft(deed=deed), hand, self.policy)
        if commit.id in self.vouched:
            message = self._with_writers(commit, message)
        new = rewrite(self.desk, commit, parents, message)
        return Renewed(old=commit.id, new=new, how="signed", actor=hand.actor)

    def _others(self, commit: Commit, other: str, hand: Hand, *, dead: bool) -> str:
        """Why somebody does not sign another's commit, and how it becomes his own, where the other's proof is dead."""
        name = short(commit.id)
        told = f"{name} is {other}'s; {hand.actor} does not sign it"
        if not dead:
            return f"{told}\nask {other} to run: git codifica sign {name}"
        steps = [f"git codifica sign --drop {name}", "git commit --amend -S --no-edit --reset-author"]
        if is_agent(hand.actor):
            steps[1:] = ["git commit --amend --no-gpg-sign --no-edit --reset-author", "git codifica sign HEAD"]
        if commit.id != self.desk.head:
            place = short(commit.parents[0]) if commit.parents else "--root"
            steps[1:1] = [f"git rebase -i {place}, mark it `edit`, and there:"]
            steps.append("git rebase --continue")
        first, *more = (f"  {step}" for step in steps)
        return "\n".join((f"{told}\nto make it {hand.actor}'s own, look at it, and do: {first.strip()}", *more))

    def _with_writers(self, commit: Commit, message: bytes) -> bytes:
        """The message with the writer's signatures that the commit carries: they fit still, and the token may be gone."""
        there = parse_trailers(message).values(WRITER)
        lost = [value for value in self.desk.world.trailers(commit).values(WRITER) if value not in there]
        return add_trailers(message, [Trailer(WRITER, value) for value in lost])

    def _dropped(self, commit: Commit, parents: Mapping[ObjectId, ObjectId]) -> Renewed:
        new = rewrite(self.desk, commit, parents, add_trailers(commit.message, (), drop=OURS))
        return Renewed(old=commit.id, new=new, how="dropped")

    def _moved(self, commit: Commit, parents: Mapping[ObjectId, ObjectId]) -> Renewed:
        seen = holds(self.desk, commit, self.policy)
        new = rewrite(self.desk, commit, parents, commit.message)
        if seen.actor is None or self._still(new, seen):
            return Renewed(old=commit.id, new=new, how="moved")
        # A signature that nobody asked for may go: code that a person signed is as good without.
        if seen.proof is Proof.GIT and wants_signature(self.desk, commit, self.policy) is None:
            return Renewed(old=commit.id, new=new, how="moved", lost=seen.actor)
        if self.hand is None or seen.actor != self.hand.actor:
            raise SignatureError(
                f"{short(commit.id)} stands on it, is signed by {seen.actor}, and would lose that signature: "
                f"{seen.actor} has to do this"
            )
        return self._signed(commit, parents, self.hand)

    def _still(self, new: ObjectId, seen: Attribution) -> bool:
        world = self.desk.world
        world.root((new,))
        return holds(self.desk, world.store.commit(new), self.policy).actor == seen.actor
