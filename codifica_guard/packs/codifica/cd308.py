"""Dependencies form no circle.

Why: tasks in a circle can never start.

Refused: a `depends_on` that leads back to the task itself, over any number of tasks.

Accepted: a task that several others depend on.

Do: take one of the named dependencies out.
"""

from collections.abc import Iterator

from codifica_guard.limits import TASKS
from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD308", "dependency-cycle", "Codifica 0.2, 5.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def _way_back(start: TaskId, snapshot: Snapshot) -> list[TaskId]:
    """The shortest way from a task along its dependencies back to itself; empty if there is none."""
    came: dict[TaskId, TaskId] = {}
    queue = [start]
    for here in queue:
        task = snapshot.task(here)
        for name in task.texts("depends_on") if task else ():
            there = TaskId(name)
            if there == start:
                way = [here]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return [*reversed(way), start]
            if there not in came and len(queue) < TASKS:
                came[there] = here
                queue.append(there)
    return []


def standing(record: Record, task: Task, snapshot: Snapshot, _: CommitView) -> Iterator[Breach]:
    """Whether a task's dependencies lead back to it."""
    way = _way_back(record.block.id, snapshot) if task.texts("depends_on") else []
    if way:
        yield Breach(
            found="a circle: " + " -> ".join(way[:8]),
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
        yield from standing(change.after, change.new, view.after, view)
