"""Whether a commit was made on a state of its task that has passed: the lost race and the zombie."""

from collections.abc import Mapping
from typing import Any

from codifica_guard.model.document import Task
from codifica_guard.rules.view import CommitView, TaskChange


def transitions(task: Task | None) -> tuple[Mapping[str, Any], ...]:
    """The recorded transitions of a task; none for no task."""
    return task.entries("state_transitions") if task else ()


def overtaken(change: TaskChange, view: CommitView) -> Task | None:
    """The task at the branch's old tip, where it went on without the commit's author; None where it did not.

    Only for an agent's commit with one parent that does not descend from the old tip: its task is stale where the
    transitions there are no prefix of those at the parent, or are equal while state or owner differ.
    """
    if view.base is None or not view.by_agent or change.before is None:
        return None
    there = view.base.task(change.id)
    if there is None:
        return None
    at_base, at_parent = transitions(there), transitions(change.old)
    if at_parent[: len(at_base)] != at_base:
        return there
    old = change.old
    moved_on = at_base == at_parent and (old is None or (old.state, old.owner) != (there.state, there.owner))
    return there if moved_on else None
