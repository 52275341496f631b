"""A new time is an RFC 3339 time with offset, possible, not ahead of the clock, and not before the entry above it.

Why: times order the record; a wrong clock or an invented time makes it tell another story.

Refused: `2026-11-30 09:15`, `2026-13-45T07:12:00Z`, a time more than five minutes ahead of the server or before the entry above.

Accepted: `2026-11-30T09:15:00Z`, `2026-11-30T10:15:00+01:00`; clocks that differ by up to five minutes.

Do: set the machine's clock, or write the time of now: date -u +%Y-%m-%dT%H:%M:%SZ. The verbs (`git codifica claim`,
`git codifica submit` and the others) write their times themselves.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from codifica_guard.model.finding import Severity
from codifica_guard.model.times import SKEW, parse_time, show_time
from codifica_guard.packs.codifica.history import review
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD108", "timestamp", "Codifica 0.2, 5; RFC 3339"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

NOW = "now: date -u +%Y-%m-%dT%H:%M:%SZ"


def _ahead(seconds: float, now: int) -> str:
    minutes, rest = divmod(int(seconds - now), 60)
    return f"{minutes} min {rest} s ahead of the clock here; is that machine's clock right?"


def _one(where: str, text: object, now: int, line: int | None) -> Iterator[Breach]:
    """Judge one new time; absent ones are other rules' matter."""
    if text is None:
        return
    seconds = parse_time(text)
    if seconds is None:
        yield Breach(
            found=f"{where}: {text}",
            expected="an RFC 3339 time with offset, such as 2026-11-30T09:15:00Z",
            do=(NOW,),
            line=line,
        )
    elif seconds > now + SKEW:
        yield Breach(
            found=f"{where}: {text} is {_ahead(seconds, now)}", expected="a time that has come", do=(NOW,), line=line
        )


def _order(where: str, entries: tuple[Mapping[str, Any], ...], fresh: int, line: int | None) -> Iterator[Breach]:
    """New entries are not older than those above them, but for what clocks may differ."""
    for above, entry in list(pairwise(entries))[max(0, len(entries) - fresh - 1) :]:
        before, after = parse_time(above.get("timestamp")), parse_time(entry.get("timestamp"))
        if before is not None and after is not None and after < before - SKEW:
            yield Breach(
                found=f"{where}: {entry.get('timestamp')} comes below {show_time(before)}",
                expected="entries in the order of their times",
                do=(NOW,),
                line=line,
            )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge the times that the commit wrote."""
    task = change.new
    if view.actor is None or task is None:
        return
    for name in ("claimed_at", "completed_at"):
        if change.born or change.changed(name):
            yield from _one(name, task.data.get(name), view.now, change.line_of(name))
    recorded = review(task).get("recorded_at")
    if change.born or (change.old is not None and recorded != review(change.old).get("recorded_at")):
        yield from _one("recorded_at", recorded, view.now, change.line_of("human_review"))
    for name in ("execution_notes", "state_transitions"):
        fresh = change.new_entries(name)
        line = change.line_of(name)
        for entry in fresh:
            if entry.get("timestamp") is None and view.by_agent:
                yield Breach(
                    found=f"a new entry of {name} has no timestamp",
                    expected="every entry says when",
                    do=(NOW,),
                    line=line,
                )
            yield from _one(f"{name} timestamp", entry.get("timestamp"), view.now, line)
        yield from _order(name, task.entries(name), len(fresh), line)
