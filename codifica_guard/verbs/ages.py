"""Spans of time, as people say them."""

import re
from typing import Final

from codifica_guard.errors import UsageError

MINUTE, HOUR, DAY = 60, 3600, 86400

_SPAN: Final = re.compile(r"(\d{1,6})([smhdw])", re.ASCII)
_UNITS: Final = {"s": 1, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}


def span(seconds: float) -> str:
    """A span in its largest fitting unit: `3 s`, `12 min`, `31 h`, `9 d`; never negative."""
    whole = max(0, int(seconds))
    if whole < MINUTE:
        return f"{whole} s"
    if whole < 2 * HOUR:
        return f"{whole // MINUTE} min"
    if whole < 2 * DAY:
        return f"{whole // HOUR} h"
    return f"{whole // DAY} d"


def ago(seconds: float) -> str:
    """How long ago: `now`, `12 min ago`."""
    return "now" if seconds < 2 else f"{span(seconds)} ago"


def parse_span(text: str) -> int:
    """Seconds of a span such as `90m`, `24h`, `7d`.

    Raises:
        UsageError: it is none.
    """
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is no span of time: 90m, 24h, 7d")
    return int(match[1]) * _UNITS[match[2]]
