"""A human review is written by the human who signs.

Why: `human_review` is the people's word; an agent's hand in it makes the word worthless.

Refused: any change of `human_review` by an agent; a review whose `reviewer` is somebody else than the signer.

Accepted: `reviewer: alice` and `reviewer: human:alice` for human:alice. A review that names nobody, or just
`human`, is told.

Do: leave the field to the reviewer; write your own name, as the policy lists it.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.history import review
from codifica_guard.packs.codifica.vocabulary import is_signer
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD401", "review-by-another", "Codifica 0.2, 6.5"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a review that was written or changed."""
    before = change.old.data.get("human_review") if change.old else None
    after = change.new.data.get("human_review") if change.new else None
    if view.actor is None or change.new is None or (before or None) == (after or None):
        return
    line = change.line_of("human_review")
    if view.by_agent:
        yield Breach(
            found=f"{view.actor} writes human_review",
            expected="a human writes it",
            do=("put it back as it was",),
            line=line,
        )
        return
    named = review(change.new)
    if named.get("status") and (named.get("reviewer") == "human" or not is_signer(named.get("reviewer"), view.actor)):
        missing = named.get("reviewer") in (None, "", "human")
        yield Breach(
            found="human_review names no reviewer"
            if missing
            else f"reviewer: {named.get('reviewer')}, signed by {view.actor}",
            expected=f"reviewer: {view.actor}",
            do=(f"write `reviewer: {view.actor}`",),
            line=line,
            severity=Severity.WARNING if missing else None,
        )
