"""The pause that a server's admin set: until when, and why. Only the repository's own configuration says so."""

from typing import Final

from codifica_guard.git.config import PAUSE_REASON, PAUSED_UNTIL, Config
from codifica_guard.model.times import parse_time
from codifica_guard.model.value import value

_DIGITS: Final = 12
"""Digits of a time in seconds; with more it is some other number."""

_LAST: Final = 253_402_300_799
"""The last second that RFC 3339 can write."""


@value
class Pause:
    """A pause, running or over.

    Attributes:
        until: its end, seconds since the epoch.
        reason: why; may be empty.
    """

    until: int
    reason: str = ""

    def runs(self, now: float) -> bool:
        """Whether it holds at a time: up to the second before its end."""
        return now < self.until


def read_pause(config: Config) -> Pause | None:
    """The pause that is set, running or over; None where none is, or its end is no time: what cannot be read holds nothing off."""
    until = seconds_of(config.get(PAUSED_UNTIL) or "")
    return None if until is None else Pause(until=until, reason=config.get(PAUSE_REASON) or "")


def seconds_of(text: str) -> int | None:
    """Seconds since the epoch of a time in seconds or as RFC 3339 has it; None for anything else."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return min(int(text), _LAST) if len(text) <= _DIGITS else None
    found = parse_time(text)
    return None if found is None else int(found)
