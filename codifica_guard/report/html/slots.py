"""The places of bars below each other's weeks: which weeks a bar stands for, and where empty ones are left out."""

from collections.abc import Sequence
from typing import Final

from codifica_guard.model.act import Mark
from codifica_guard.model.audited import Audit
from codifica_guard.model.value import value
from codifica_guard.report.audit_figures import WEEK, Week, week_of

BARS: Final = 110
"""Bars that stand side by side; with more weeks, a bar stands for several of them."""

EMPTY: Final = 6
"""Empty bars in a row that are still drawn; more of them are a gap with a number."""

ERA: Final = range(-62_135_596_800, 253_402_300_799)
"""The years that have a date."""


@value
class Slot:
    """The place of a bar.

    Attributes:
        start: the first second; None where empty weeks were left out.
        weeks: how many weeks it stands for.
        marks: how many transitions are known how; empty where there is none.
    """

    start: int | None
    weeks: int
    marks: dict[Mark, int]


def slots_of(audit: Audit, found: Sequence[Week]) -> list[Slot]:
    """A slot for each week of the audit, or for each so many weeks that all fit; long empty stretches are one slot.

    Args:
        audit: whose first and last week are told, though nothing was done in them.
        found: the weeks in which something was done, at least one, the oldest first.
    """
    every = _framed(audit, found)
    for merged in (1, 4, 13, 52, 520):
        slots = _merged(every, merged)
        if len(slots) <= BARS:
            return slots
    return _merged(every, 5_200)


def place(moment: int | None, slots: Sequence[Slot], unknown: int) -> float:
    """Where a moment lies among the slots, in slots; `unknown` where there is none."""
    if moment is None:
        return unknown
    at = 0.0
    for number, slot in enumerate(slots):
        if slot.start is not None and slot.start <= moment:
            at = number + min(1.0, (moment - slot.start) / (WEEK * slot.weeks))
    return at


def _framed(audit: Audit, found: Sequence[Week]) -> Sequence[Week]:
    """The weeks, with those that the first and the last judged commit lie in, so that the ends are told as well."""
    ends = [at for told in audit.branches for at in (told.first, told.last) if at is not None and at in ERA]
    more = {week_of(at) for at in (min(ends), max(ends))} if ends else set()
    there = {week.start for week in found}
    return sorted((*found, *(Week(start=at, marks={}) for at in more - there)), key=lambda week: week.start)


def _merged(found: Sequence[Week], merged: int) -> list[Slot]:
    span = WEEK * merged
    base = found[0].start
    sums: dict[int, dict[Mark, int]] = {}
    for week in found:
        row = sums.setdefault((week.start - base) // span, {})
        for mark, many in week.marks.items():
            row[mark] = row.get(mark, 0) + many
    slots: list[Slot] = []
    before = -1
    for place in sorted(sums):
        missing = range(before + 1, place)
        if len(missing) > EMPTY:
            slots.append(Slot(start=None, weeks=len(missing) * merged, marks={}))
        else:
            slots += [Slot(start=base + empty * span, weeks=merged, marks={}) for empty in missing]
        slots.append(Slot(start=base + place * span, weeks=merged, marks=sums[place]))
        before = place
    return slots
