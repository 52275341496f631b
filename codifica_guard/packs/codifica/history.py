"""What a task's own history says: its last claim, its last hand-in, its review."""

from collections.abc import Mapping
from typing import Any

from codifica_guard.model.document import Task
from codifica_guard.model.times import parse_time


def last_entry(task: Task, *to: str, not_from: str | None = None) -> Mapping[str, Any] | None:
    """The newest recorded transition to one of some states."""
    entries: tuple[Mapping[str, Any], ...] = task.entries("state_transitions")
    fitting = [e for e in entries if e.get("to") in to and (not_from is None or e.get("from") != not_from)]
    return fitting[-1] if fitting else None


def last_claim(task: Task) -> Mapping[str, Any] | None:
    """The entry of the newest claim (a resume or an unblocking counts as none)."""
    return last_entry(task, "in_progress", not_from="in_progress")


def handed_in_at(task: Task) -> float | None:
    """When it was handed in last, seconds since the epoch; None where its history does not say."""
    entry = last_entry(task, "to_be_tested")
    return parse_time(entry.get("timestamp")) if entry else None


def review(task: Task) -> Mapping[str, Any]:
    """The human review; empty where there is none."""
    value = task.data.get("human_review")
    return value if isinstance(value, dict) else {}


def review_counts(task: Task) -> bool:
    """Whether the review is no older than the last hand-in; a review without a time counts as later."""
    recorded, handed_in = parse_time(review(task).get("recorded_at")), handed_in_at(task)
    return recorded is None or handed_in is None or recorded >= handed_in
