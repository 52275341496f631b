"""A task is not closed against a failing review.

Why: `needs_work` is a human's answer to this hand-in; closing over it ignores the human.

Refused: done while `human_review.status` is `needs_work` or `blocked` and no older than the last hand-in.

Accepted: a review of an earlier hand-in; a human who sets `pass` in the same commit.

Do: take the task back to todo, mend it, hand in again.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.history import review, review_counts
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD212", "failing-review", "Codifica 0.2, 6.5"
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
            do=("take it back to todo, with the reason, and hand in again",),
            line=change.line_of("human_review"),
        )
