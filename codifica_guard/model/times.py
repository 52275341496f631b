"""Times as task documents write them: RFC 3339 with an offset."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

SKEW: Final = 300
"""Seconds that clocks may differ, both ways (CD108)."""

_RFC3339: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d\d):(\d\d))", re.ASCII
)


def parse_time(text: object) -> float | None:
    """Seconds since the epoch of an RFC 3339 time with offset; None where it is none, or is impossible."""
    match = _RFC3339.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    zone = UTC
    if match[9]:
        away = timedelta(hours=int(match[10]), minutes=int(match[11]))
        if away >= timedelta(hours=24) or int(match[11]) > 59:
            return None
        zone = timezone(away if match[9] == "+" else -away)
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=zone).timestamp()
    except (ValueError, OverflowError):
        return None


def show_time(seconds: float, *, exact: bool = False) -> str:
    """A time for people: `2026-11-30 09:14Z`, with seconds where those count; `?` where it lies outside the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ" if exact else "%Y-%m-%d %H:%MZ")
    except (ValueError, OverflowError, OSError):
        return "?"


def stamp(seconds: float) -> str:
    """A time as new entries hold it: RFC 3339 in UTC, to the second."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
