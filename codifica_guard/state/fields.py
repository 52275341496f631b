"""The fields of a task that Codifica names, in the protocol's order."""

import re
from typing import Final

FIELDS: Final = (
    "id", "type", "state", "owner", "title", "description", "priority", "depends_on", "labels", "acceptance", "checklist",
    "derived_from", "context", "claimed_at", "execution_notes", "artifacts", "human_review", "completed_at",
    "blocked_reason", "blocked_by", "state_transitions",
)  # fmt: skip
"""Field names of Codifica 0.2 in the order in which a new task is written."""

PLACE: Final = {name: number for number, name in enumerate(FIELDS)}
"""Where a field stands in that order."""

NAMES: Final = frozenset(FIELDS) | frozenset(
    [
        "from",
        "to",
        "by",
        "reason",
        "timestamp",
        "provenance",
        "session_id",
        "commit_sha",
        "writer",
        "note",
        "notes",
        "summary",
        "path",
        "status",
        "reviewer",
        "recorded_at",
        "files",
        "references",
        "constraints",
    ]
)
"""All field names that mean something at any level of a task."""

SWALLOWED: Final = re.compile(r"(?m)^ *(?:- )?(" + "|".join(FIELDS) + r"):(?=\s|$)")
"""A line of a text that looks like a field (ST110): group 1 is its name."""
