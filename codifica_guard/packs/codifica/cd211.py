"""Review tasks are judged by people.

Why: a task of type review asks for a human's eye; an agent that answers it defeats its purpose.

Refused: an agent that claims, hands in or closes a task of type review.

Accepted: an agent that files one; a human who takes it.

Do: take another task: `git codifica claim --next`.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD211", "review-by-agent", "Codifica 0.2, 6"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's transition of a review task."""
    if view.by_agent and change.transition and change.old and change.old.type == "review":
        yield Breach(
            found=f"{change.transition[0]} -> {change.transition[1]} of a review task by {view.actor}",
            expected="reviews are made by humans",
            do=instead(view, change, CLAIM_NEXT),
            line=change.line_of("state"),
        )
