"""Which session holds a task in progress: what its newest entry to in_progress says."""

from collections.abc import Iterable, Mapping
from typing import Any

from codifica_guard.model.document import Task


def latest_start(entries: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The last entry to in_progress: a claim, a resume or an unblocking; empty where there is none."""
    return next((entry for entry in reversed(tuple(entries)) if entry.get("to") == "in_progress"), {})


def writer_of(entry: Mapping[str, Any]) -> str | None:
    """The public writer key that an entry brings; None where it brings none."""
    return _said(entry, "writer")


def session_of(entry: Mapping[str, Any]) -> str | None:
    """The name of the session that made an entry; None where it says none."""
    return _said(entry, "session_id")


def fence_of(task: Task) -> str | None:
    """The public writer key that changes of a running task have to be signed with; None where there is none."""
    return writer_of(latest_start(task.entries("state_transitions")))


def _said(entry: Mapping[str, Any], name: str) -> str | None:
    provenance = entry.get("provenance")
    value = provenance.get(name) if isinstance(provenance, dict) else None
    return value if isinstance(value, str) and value else None
