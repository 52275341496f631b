"""Dependencies form no circle.

Why: tasks in a circle can never start.

Refused: a `depends_on` that leads back to the task itself, over any number of tasks.

Accepted: a task that several others depend on.

Do: take one of the named dependencies out.
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.value import replace
from codifica_guard.rules.advice import mend
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD308", "dependency-cycle", "Codifica 0.2, 5.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


SHOWN, LONG = 8, 100
"""Names that are told of a circle, and tasks of a circle that is told by name at all."""


def standing(record: Record, task: Task, snapshot: Snapshot, _: CommitView) -> Iterator[Breach]:
    """Whether a task's dependencies lead back to it."""
    name = record.block.id
    around = snapshot.circles.around(name)
    if not around:
        return
    long = f"{len(around)} tasks around {name} that wait for one another"
    yield Breach(
        found="a circle: " + (long if len(around) > LONG else " -> ".join(snapshot.circles.way(name)[:SHOWN])),
        expected="dependencies that come to an end",
        line=record.line + task.lines.get("depends_on", 1) - 1,
    )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge dependencies that are new."""
    if (
        view.actor is not None
        and change.after is not None
        and change.new is not None
        and (change.born or change.changed("depends_on"))
    ):
        for breach in standing(change.after, change.new, view.after, view):
            yield replace(breach, do=mend(view, "take one of them out of depends_on"))
