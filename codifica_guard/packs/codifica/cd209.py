"""A task that is closed says when.

Why: how long work took, and what is finished since when, is read from `completed_at`.

Refused: an agent's commit that sets done without setting `completed_at`.

Accepted: for people, and under version 0.1, it is only told.

Do: add `completed_at: <time>` in the same commit.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD209", "completed-at", "Codifica 0.2, 6 and 12.3"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that was closed."""
    if (
        view.actor is None
        or not change.transition
        or change.transition[1] not in {"done", "rejected"}
        or change.new is None
    ):
        return
    if change.new.text("completed_at") and change.changed("completed_at"):
        return
    lenient = view.by_human or view.codifica.version == "0.1"
    missing = not change.new.text("completed_at")
    yield Breach(
        found="completed_at is missing" if missing else "completed_at is that of an earlier closing",
        expected="the time of closing, written in the same commit",
        do=("add `completed_at: ...`; now: date -u +%Y-%m-%dT%H:%M:%SZ",),
        line=change.line_of("state"),
        severity=Severity.WARNING if lenient else None,
    )
