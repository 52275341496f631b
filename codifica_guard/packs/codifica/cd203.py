"""Only the owner hands in and closes; a human may approve or return, where the policy lets him.

Why: the owner answers for the work; nobody else can say that it is ready.

Refused: an agent that hands in, closes or returns another's task; a human who hands in work that is not his.

Accepted: the owner's own steps; a human who approves or returns under `review_by: human-or-owner`.

Do: leave the task to its owner.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import TABLE, Who, owns
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
            do=("leave the task to its owner",),
            line=change.line_of("state"),
        )
