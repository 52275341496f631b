"""Only the owner hands in and closes; a human may approve or return, where the policy lets him.

Why: the owner answers for the work; nobody else can say that it is ready.

Refused: an agent that hands in, closes or returns another's task; a human who hands in work that is not his.

Accepted: the owner's own steps; a human who approves or returns under `review_by: human-or-owner`.

Do: leave the step to the owner, or for approving and returning to a human; an agent takes another task meanwhile:

    git codifica submit ID --summary "one line"    (the owner)
    git codifica approve ID                        (a human)
    git codifica claim --next
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import is_agent
from codifica_guard.packs.codifica.vocabulary import TABLE, Who, owns
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, of_move, reclaim
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD203", "not-the-owner", "Codifica 0.2, 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a transition that is the owner's."""
    move = change.transition
    if view.actor is None or move is None or change.old is None or owns(change.old.owner, view.actor):
        return
    who = TABLE.get(move)
    reviewing = who is Who.OWNER_OR_HUMAN and view.by_human and view.policy.guard.review_by == "human-or-owner"
    if who in {Who.OWNER, Who.OWNER_OR_HUMAN} and not reviewing:
        yield Breach(
            found=f"{move[0]} -> {move[1]} by {view.actor}; the owner is {change.old.owner}",
            expected="the owner"
            if who is Who.OWNER or view.policy.guard.review_by == "owner"
            else "the owner, or a human",
            do=instead(view, change, *_left(change, move, view)),
            line=change.line_of("state"),
        )


def _left(change: TaskChange, move: tuple[str, str], view: CommitView) -> Iterator[str]:
    """Who takes the step, how, and what the signer does meanwhile."""
    owner = change.old.owner if change.old is not None else None
    reviewed = TABLE[move] is Who.OWNER_OR_HUMAN and view.policy.guard.review_by == "human-or-owner"
    if reviewed:
        yield f"a human: {of_move(move, change.id, agent=False)}"
    else:
        yield f"{owner or 'the owner'}: {of_move(move, change.id, agent=is_agent(owner))}"
    if view.by_agent:
        yield CLAIM_NEXT
    elif move[0] == "in_progress":
        yield f"or take the claim back: {reclaim(change.id)}"
