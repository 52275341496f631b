"""A build task goes through to_be_tested before it is done.

Why: what was built is looked at by somebody before it counts.

Refused: in_progress -> done of a task of type build, or of a custom type.

Accepted: in_progress -> done of test, investigate and followup tasks.

Do: hand in to to_be_tested first:

    git codifica submit ID --summary "one line"
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import by_hand, instead
from codifica_guard.rules.commands import submit
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD204", "testing-skipped", "Codifica 0.2, 6 and 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that is closed from in_progress."""
    if (
        view.actor is not None
        and change.transition == ("in_progress", "done")
        and change.old
        and view.follows_build(change.old)
    ):
        yield Breach(
            found=f"in_progress -> done of a task of type {change.old.type}",
            expected="in_progress -> to_be_tested -> done",
            do=instead(
                view,
                change,
                submit(change.id),
                by_hand(view, "set `state: to_be_tested`, with the entry that says so"),
            ),
            line=change.line_of("state"),
        )
