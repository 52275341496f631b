"""A running task has an owner.

Why: a task in progress that is nobody's is held by nobody, and looks taken to everybody.

Refused: a commit after which a task it changed is in_progress and unassigned, by anybody.

Accepted: old tasks like that, until somebody changes their state or owner.

Do: write the owner, in the same commit as the state.
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.value import replace
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED
from codifica_guard.rules.advice import mend
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD309", "running-unassigned", "Codifica 0.2, 8.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def standing(record: Record, task: Task, _: Snapshot, __: CommitView) -> Iterator[Breach]:
    """Whether a task runs without an owner."""
    if task.state == "in_progress" and task.owner in {None, "", UNASSIGNED}:
        yield Breach(
            found="in_progress and unassigned",
            expected="an owner, written in the same commit",
            line=record.line + task.lines.get("owner", 1) - 1,
        )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task whose state or owner changed."""
    if view.actor is None or change.after is None or change.new is None:
        return
    if change.is_claim and view.by_agent:
        return  # CD301 tells what a claim lacks
    if change.born or change.changed("state") or change.changed("owner"):
        for breach in standing(change.after, change.new, view.after, view):
            yield replace(breach, do=mend(view, "write its owner"))
