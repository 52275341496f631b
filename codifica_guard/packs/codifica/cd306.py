"""What a task depends on exists.

Why: a dependency that nobody can finish keeps the task waiting for ever, or lets it start too early.

Refused: a new or changed `depends_on` that names no task; a claim of a task that has such a dependency.

Accepted: old dangling names, until somebody claims the task.

Do: correct the id, or take the dependency out. Who wanted to claim the task takes another one: `git codifica claim --next`.
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId
from codifica_guard.model.value import replace
from codifica_guard.rules.advice import instead, mend
from codifica_guard.rules.commands import CLAIM_NEXT, edit
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD306", "unknown-dependency", "Codifica 0.2, 5.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def standing(record: Record, task: Task, snapshot: Snapshot, _: CommitView) -> Iterator[Breach]:
    """Dependencies that no document has."""
    for name in task.texts("depends_on"):
        if TaskId(name) not in snapshot.records:
            yield Breach(
                found=f"depends_on: {name}, and there is no such task",
                expected="ids of tasks",
                line=record.line + task.lines.get("depends_on", 1) - 1,
            )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge dependencies that are new, and those of a claimed task."""
    if view.actor is None or change.after is None or change.new is None:
        return
    do = mend(view, "correct depends_on")
    if change.is_claim:
        do = instead(view, change, CLAIM_NEXT, f"or a human corrects depends_on: {edit(change.id)}")
    if change.born or change.is_claim or change.changed("depends_on"):
        for breach in standing(change.after, change.new, view.after, view):
            yield replace(breach, do=do)
