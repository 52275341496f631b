"""A human review is written by the human who signs.

Why: `human_review` is the people's word; an agent's hand in it makes the word worthless.

Refused: any change of `human_review` by an agent; a review whose `reviewer` is somebody else than the signer.

Accepted: `reviewer: alice` and `reviewer: human:alice` for human:alice. A review that names nobody, or just
`human`, is told.

Do: leave the field to the reviewer, who writes it by a verb, or by hand with the name that the policy lists:

    git codifica approve ID                        (a human)
    git codifica return ID -m "why"                (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.history import review
from codifica_guard.packs.codifica.vocabulary import is_signer
from codifica_guard.rules.advice import NEXT_TIME, by_hand, instead, mend, path_of, put_parts_back
from codifica_guard.rules.commands import approve, give_back
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD401", "review-by-another", "Codifica 0.2, 7.2"
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
            do=(
                *put_parts_back(path_of(change)),
                f"a human's word: {approve(change.id)}",
                f"or: {give_back(change.id)}",
            ),
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
            do=_named(change, view, told=missing),
            line=line,
            severity=Severity.WARNING if missing else None,
        )


def _named(change: TaskChange, view: CommitView, *, told: bool) -> tuple[str, ...]:
    """How a human's review gets its name."""
    verbs = {"done": approve(change.id), "todo": give_back(change.id)}
    verb = verbs.get(change.transition[1]) if change.transition else None
    if told:
        return (f"{NEXT_TIME}{verb or f'write `reviewer: {view.actor}`'}",)
    if verb is None:
        return mend(view, f"write `reviewer: {view.actor}`")
    return instead(view, change, verb, by_hand(view, f"write `reviewer: {view.actor}`"))
