"""An id stands for one task over all state documents.

Why: two tasks with one id have one history; a claim of one would be a claim of the other.

Refused: a new task whose id stands in any state document already.

Accepted: doubles from before the introduction, as long as nobody adds to them.

Do: take the free id that the message proposes; `git codifica new` takes one by itself.
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId, show_path
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot, numbered
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD104", "duplicate-id", "Codifica 0.2, 3.2 and 4.1"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, False


def free_id(snapshot: Snapshot, taken: TaskId) -> str:
    """An id of the same kind that no task has."""
    stem, digits = numbered(taken)
    if not digits:
        stem = f"{taken}-"
    return f"{stem}{snapshot.highest.get(stem, 1) + 1:0{len(digits)}d}"


def standing(record: Record, _: Task, snapshot: Snapshot, __: CommitView) -> Iterator[Breach]:
    """Whether an id stands twice."""
    places = snapshot.records[record.block.id]
    if len(places) > 1:
        told = " and ".join(f"{show_path(r.path)}:{r.line}" for r in places[:3])
        yield Breach(
            found=f"{record.block.id} stands {len(places)} times: {told}",
            expected="one task an id, over all state documents",
            do=(f"a free id: {free_id(snapshot, record.block.id)}",),
            line=places[-1].line,
            path=places[-1].path,
        )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an id that stands more often than before."""
    after, before = view.after.records.get(change.id, ()), view.before.records.get(change.id, ())
    if view.actor is not None and change.after is not None and change.new is not None and len(after) > len(before):
        yield from standing(change.after, change.new, view.after, view)
