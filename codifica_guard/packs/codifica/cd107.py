"""A followup names the task that it follows.

Why: a followup is judged by what it follows; without `derived_from` nobody can tell what for.

Refused: a new followup, or a claim of one, whose `derived_from` is missing, or names no task or itself.

Accepted: old followups that nobody touches.

Do: add `derived_from: <id>`.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId
from codifica_guard.rules.advice import mend
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD107", "followup-origin", "Codifica 0.2, 6"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a followup that was born, is claimed, or whose origin changed."""
    task = change.new
    if view.actor is None or task is None or task.type != "followup":
        return
    if not (change.born or change.is_claim or change.changed("derived_from") or change.changed("type")):
        return
    origin = task.text("derived_from")
    if not origin:
        yield Breach(
            found="derived_from is missing",
            expected="a followup names the task that it follows",
            do=mend(view, "add derived_from"),
            line=change.line_of("type"),
        )
    elif origin == change.id or TaskId(origin) not in view.after.records:
        yield Breach(
            found=f"derived_from: {origin}, and "
            + ("that is the followup itself" if origin == change.id else "there is no such task"),
            expected="the id of another task",
            do=mend(view, "correct derived_from"),
            line=change.line_of("derived_from"),
        )
