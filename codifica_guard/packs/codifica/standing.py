"""Rules about a task as it stands: of what is wrong with it, a commit answers for what was not wrong before."""

from collections.abc import Callable, Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.value import replace
from codifica_guard.rules.advice import mend
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

Standing = Callable[[Record, Task, Snapshot, CommitView], Iterator[Breach]]
"""Yields what is wrong with a task in a snapshot."""


def brought(standing: Standing, change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """What a commit by somebody proven made wrong with a task that it added or edited."""
    if view.actor is None or change.after is None or change.new is None or not (change.born or change.edited):
        return
    known: set[str] = set()
    if change.before is not None and change.old is not None:
        known = {breach.found for breach in standing(change.before, change.old, view.before, view)}
    for breach in standing(change.after, change.new, view.after, view):
        if breach.found not in known:
            yield breach if breach.do else replace(breach, do=mend(view))
