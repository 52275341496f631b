"""A task is not closed against a failing review.

Why: `needs_work` is a human's answer to this hand-in; closing over it ignores the human.

Refused: done while `human_review.status` is `needs_work` or `blocked` and no older than the last hand-in.

Accepted: a review of an earlier hand-in; a human who sets `pass` in the same commit.

Do: take the task back to todo, mend it, hand in again; or a human who looked again approves it:

    git codifica return ID -m "why"
    git codifica approve ID                        (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.history import review, review_counts
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import approve, ask, edit, give_back
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD212", "failing-review", "Codifica 0.2, 5 and 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that was closed."""
    if view.actor is None or not change.transition or change.transition[1] != "done" or change.new is None:
        return
    verdict = review(change.new).get("status")
    if verdict in ("needs_work", "blocked") and review_counts(change.new):
        yield Breach(
            found=f"human_review.status is {verdict}, by {review(change.new).get('reviewer')}",
            expected="a review of this hand-in that passes",
            do=instead(view, change, *_mended(change, change.transition, view)),
            line=change.line_of("human_review"),
        )


def _mended(change: TaskChange, move: tuple[str, str], view: CommitView) -> tuple[str, ...]:
    """What answers the review: the work again, or a human's pass."""
    if move[0] != "to_be_tested":
        return (ask(change.id, "change"), f"or a human writes human_review.status: pass: {edit(change.id)}")
    human = approve(change.id)
    return (
        (give_back(change.id), f"or a human, who looked again: {human}")
        if view.by_agent
        else (human, give_back(change.id))
    )
