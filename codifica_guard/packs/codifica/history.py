"""What a task's own history says: its last claim, its last hand-in, its review."""

from collections.abc import Mapping
from typing import Any

from codifica_guard.model.document import Task
from codifica_guard.model.times import parse_time

CLOSED_AT_ONCE = ("in_progress", "done")
"""What needs no testing is handed in and closed in one step."""

_CLOSED = ("done", "rejected")


def last_entry(task: Task, to: str, not_from: tuple[str, ...] = ()) -> Mapping[str, Any] | None:
    """The newest recorded transition to a state."""
    entries: tuple[Mapping[str, Any], ...] = task.entries("state_transitions")
    return next((e for e in reversed(entries) if e.get("to") == to and e.get("from") not in not_from), None)


def last_claim(task: Task) -> Mapping[str, Any] | None:
    """The entry of the newest claim (a resume or an unblocking counts as none)."""
    return last_entry(task, "in_progress", not_from=("in_progress", "blocked"))


def handed_in_at(task: Task) -> float | None:
    """When it was handed in last, for testing or as done, seconds since the epoch; None where its history does not say."""
    entries: tuple[Mapping[str, Any], ...] = task.entries("state_transitions")
    handed_in = [e for e in entries if e.get("to") == "to_be_tested" or (e.get("from"), e.get("to")) == CLOSED_AT_ONCE]
    return parse_time(handed_in[-1].get("timestamp")) if handed_in else None


def review(task: Task) -> Mapping[str, Any]:
    """The human review; empty where there is none."""
    value = task.data.get("human_review")
    return value if isinstance(value, dict) else {}


def reopened_since_review(task: Task) -> bool:
    """Whether a task was reopened, once it was closed, after its review; a review without a time counts as later."""
    recorded = parse_time(review(task).get("recorded_at"))
    entries: tuple[Mapping[str, Any], ...] = task.entries("state_transitions")
    times = [parse_time(e.get("timestamp")) for e in entries if e.get("to") == "todo" and e.get("from") in _CLOSED]
    return recorded is not None and any(at is not None and at >= recorded for at in times)


def review_counts(task: Task) -> bool:
    """Whether the review is no older than the last hand-in; a review without a time counts as later."""
    recorded, handed_in = parse_time(review(task).get("recorded_at")), handed_in_at(task)
    return recorded is None or handed_in is None or recorded >= handed_in
