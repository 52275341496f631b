"""A time axis: where a moment lies between its ends, in percent, and which days or months are named below."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from codifica_guard.model.value import value

DAY: Final = 86_400

_YEARS: Final = (-62_135_596_800, 253_402_300_799)
"""First and last second of the calendar: the years 1 to 9999."""

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_HOURLY: Final = 3
"""Days up to which the time of the day is named, too."""

_CLOCK: Final = (1, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200)
"""Seconds between the times that are named then."""

_LABELS: Final = 12
"""Names that fit below an axis."""

_FAR: Final = 4
"""How many times as long as all else an empty stretch is, before a few strays beyond it lie off the axis."""

_FAR_DAYS: Final = 730
"""Days that it is at least: dates that a wrong or lying clock made are years away."""

_STRAYS: Final = 20
"""One in so many moments may be a stray."""


@value
class Axis:
    """A span of time.

    Attributes:
        first, last: its ends, seconds since the epoch.
        off: how many moments lie outside: dates that a wrong or lying clock made.
    """

    first: int
    last: int
    off: int = 0

    def at(self, moment: float) -> float:
        """The place of a moment, 0 to 100; what lies outside is put to the nearer end."""
        return min(100.0, max(0.0, (moment - self.first) * 100 / (self.last - self.first)))

    def holds(self, moment: float) -> bool:
        """Whether a moment lies on it."""
        return self.first <= moment <= self.last

    def labels(self) -> Iterator[tuple[float, str]]:
        """Places and names of times, days, months or years that begin on it, a dozen at most."""
        days = (self.last - self.first) / DAY
        if days < _HOURLY:
            yield from self._clock(next(s for s in _CLOCK if days * DAY / s <= _LABELS))
            return
        step = next((s for s in (1, 2, 7, 14) if days / s <= _LABELS), None)
        yield from self._days(step) if step is not None else self._months(days / 30.4)

    def _clock(self, step: int) -> Iterator[tuple[float, str]]:
        at = -(-self.first // step) * step
        before = None
        while at < self.last:
            moment = datetime.fromtimestamp(at, UTC)
            clock = f"{moment:%H:%M:%S}" if step < 60 else f"{moment:%H:%M}"
            new = before != moment.date()
            yield self.at(at), f"{moment.day} {MONTHS[moment.month - 1]}, {clock}" if new else clock
            before = moment.date()
            at += step

    def _days(self, step: int) -> Iterator[tuple[float, str]]:
        at = -(-self.first // DAY) * DAY
        if step >= 7:
            at += -((at // DAY - 4) % 7) % 7 * DAY  # a Monday
        while at < self.last:
            if _in_calendar(at):
                moment = datetime.fromtimestamp(at, UTC)
                yield self.at(at), f"{moment.day} {MONTHS[moment.month - 1]}"
            at += step * DAY

    def _months(self, months: float) -> Iterator[tuple[float, str]]:
        steps = (1, 2, 3, 6, 12, 24, 60, 120, 600, 1200, 12_000)
        step = next((s for s in steps if months / s <= _LABELS), steps[-1])
        begin = datetime.fromtimestamp(max(self.first, _YEARS[0]), UTC)
        total = max(begin.year * 12 // step, 1) * step
        while total // 12 <= 9999:
            year, month = total // 12, total % 12 + 1
            at = int((datetime(year, month, 1, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1))
            if at >= self.last:
                return
            if at >= self.first:
                yield self.at(at), str(year) if step >= 12 else f"{MONTHS[month - 1]} {year}"
            total += step


def axis(moments: Iterable[int], *, last: int | None = None) -> Axis | None:
    """The axis that some moments lie on, with a little air at both ends; None where there are none in the calendar.

    Args:
        moments: what has to lie on it, but for a few that are so far off that nothing else could be told apart.
        last: a time that it reaches at least, unless that is far off as well.
    """
    told = sorted(moments)
    kept = [moment for moment in told if _in_calendar(moment)]
    if not kept:
        return None
    kept = _without_strays(kept)
    first, end = kept[0], kept[-1]
    if last is not None and _in_calendar(last) and end < last <= end + max(end - first, 60 * DAY):
        end = last
    air = max((end - first) // 50, 1) if end > first else 1_800
    return Axis(first=first - air, last=end + air, off=len(told) - len(kept))


def _without_strays(moments: list[int]) -> list[int]:
    """Sorted moments without the few that lie years away from all others, at either end."""
    few = max(1, len(moments) // _STRAYS)
    if len(moments) < 2 * few + 1:
        return moments
    core = moments[-1 - few] - moments[few]
    far = max(_FAR_DAYS * DAY, _FAR * core)
    first = next((n for n in range(few, 0, -1) if moments[n] - moments[n - 1] > far), 0)
    end = len(moments)
    last = next((n for n in range(end - few, end) if moments[n] - moments[n - 1] > far), end)
    return moments[first:last]


def _in_calendar(moment: float) -> bool:
    return _YEARS[0] <= moment <= _YEARS[1]


def percent(place: float) -> str:
    """A place as SVG takes it, to a tenth, without zeros that say nothing."""
    return f"{place:.1f}".rstrip("0").rstrip(".") + "%"
