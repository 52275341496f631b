"""Times as tasks write them."""

from datetime import UTC, datetime, timedelta
from typing import Final

STARTED: Final = datetime.now(UTC).replace(microsecond=0)
"""When this run began: the past of all tasks is told from here, so that equal stories are equal text."""


def at(minutes: float = 0) -> str:
    """An RFC 3339 time: so many minutes before the run began (negative), or from now on."""
    origin = STARTED if minutes < 0 else datetime.now(UTC).replace(microsecond=0)
    return (origin + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(minutes: float = 0) -> int:
    """The same as seconds since the epoch."""
    return int(datetime.fromisoformat(at(minutes)).timestamp())
