"""An agent holds no more tasks at once than `max_concurrent_tasks_per_agent` allows.

Why: an agent that hoards tasks keeps others from working.

Refused: a claim that gives an agent one task too many, counted over all state documents.

Accepted: hand in first, then claim. A human who unblocks a task into full hands is only told.

Do: hand in a task before claiming the next:

    git codifica submit ID --summary "one line"
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import submit
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD305", "too-many-tasks", "Codifica 0.2, 3.1 and 5.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def standing(record: Record, task: Task, snapshot: Snapshot, view: CommitView) -> Iterator[Breach]:
    """Whether the owner of a running task holds too many."""
    limit, owner = view.codifica.max_concurrent, task.owner
    if limit is None or task.state != "in_progress" or owner is None or not owner.startswith("agent:"):
        return
    held = snapshot.held.get(owner, ())
    if len(held) > limit:
        yield Breach(
            found=f"{owner} would hold {len(held)} tasks: {', '.join(held[:5])}",
            expected=f"at most {limit} at once",
            line=record.line,
        )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that came into somebody's hands."""
    if view.actor is None or change.after is None or change.new is None or change.new.state != "in_progress":
        return
    if not (change.born or change.transition or change.changed("owner")):
        return
    held = view.after.held.get(change.new.owner or "", ())
    step = submit(next((name for name in held if name != change.id), change.id))
    for breach in standing(change.after, change.new, view.after, view):
        yield Breach(
            found=breach.found,
            expected=breach.expected,
            do=(f"{change.new.owner} hands one in first: {step}",) if view.by_human else instead(view, change, step),
            line=change.line_of("owner"),
            severity=Severity.WARNING if view.by_human else None,
        )
