"""A blocked task says why.

Why: nobody can lift a block whose reason is unknown.

Refused: a transition to blocked with `blocked_reason` missing or empty.

Accepted: any text that says what is missing.

Do: say why, or add `blocked_reason: ...` to the task by hand:

    git codifica block ID -m "why"
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import by_hand, instead
from codifica_guard.rules.commands import of_move
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD205", "block-without-reason", "Codifica 0.2, 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that was blocked."""
    if (
        view.actor is not None
        and change.transition
        and change.transition[1] == "blocked"
        and not (change.new and (change.new.text("blocked_reason") or "").strip())
    ):
        yield Breach(
            found="blocked_reason is missing",
            expected="what the task waits for",
            do=instead(
                view,
                change,
                of_move(change.transition, change.id, agent=view.by_agent),
                by_hand(view, "add `blocked_reason: ...`"),
            ),
            line=change.line_of("state"),
        )
