"""A new task's id is well formed and looks like no other.

Why: ids are typed into commands, branch names and messages; `feat-1` beside `FEAT-1` is a trap.

Refused: `id: "FEAT 1"`, `id: -x`, ids of more than 64 characters, a new `feat-1` where `FEAT-1` exists.

Accepted: letters, digits, dot, underscore and hyphen, starting with a letter or digit. Old ids stay as they are.

Do: choose another id before anybody refers to it.
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TASK_ID
from codifica_guard.model.value import replace
from codifica_guard.rules.advice import mend
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD103", "task-id", "Codifica 0.2, 4.1"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def standing(record: Record, _: Task, snapshot: Snapshot, __: CommitView) -> Iterator[Breach]:
    """What is wrong with an id as it stands."""
    name = record.block.id
    if not TASK_ID.fullmatch(name):
        yield Breach(
            found=f"id: {name}",
            expected="letters, digits, dot, underscore, hyphen; 64 at most; a letter or digit first",
            line=record.line,
        )
    twin = next((other for other in snapshot.lookalikes[name.casefold()] if other != name), None)
    if twin is not None:
        yield Breach(
            found=f"{name} differs from {twin} only by case",
            expected="ids that nobody mistakes for one another",
            line=record.line,
        )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge the id of a task that was born."""
    if view.actor is not None and change.born and change.after is not None and change.new is not None:
        for breach in standing(change.after, change.new, view.after, view):
            yield replace(breach, do=mend(view, "choose another id"))
