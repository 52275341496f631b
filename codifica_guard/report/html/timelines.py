"""The timelines of all tasks: one axis, one lane a task."""

from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard.report.html.axis import Axis, axis, percent
from codifica_guard.report.html.coverage import GAPS
from codifica_guard.report.html.index import Index, Told
from codifica_guard.report.html.lanes import lane
from codifica_guard.report.html.text import bare, count, day

LANES: Final = 2_000
"""Lanes of one page: beyond that, those of the tasks that moved last."""

CHUNK: Final = 60
"""Lanes that are shown at once; further ones are folded, as many at a time."""


def timelines(index: Index) -> Iterator[str]:
    """The section: one axis, one lane a task."""
    moved = [told for told in index.tasks if told.acts]
    span = common(index)
    if span is None:
        yield "<p>No task was moved.</p>"
        return
    limit = index.audit.stale_hours
    silent = f" (more than {limit:g} h without a step or a note)" if limit is not None else ""
    yield (
        '<p class="lead">One lane a task, on one axis. A tick is what somebody did, its letter how he is known; small letters '
        f"changed the text of a task and not its state. Hatched: the claim was silent{silent}; a cross: an error about the task."
        f"{' A grey band: commits came in without a receipt.' if index.audit.chain.gaps else ''}</p>"
    )
    yield legend()
    if span.off:
        yield f"<p>{count(span.off, 'moment lies', 'moments lie')} so far off that nothing else could be told apart; they stand at the end of their lanes.</p>"
    still = len(index.tasks) - len(moved)
    if still:
        yield f"<p>{count(still, 'task', 'tasks')} did not move in this time and {'has' if still == 1 else 'have'} no lane.</p>"
    shown = sorted(moved, key=lambda told: (min(act.at for act in told.acts), told.number))
    if len(shown) > LANES:
        newest = sorted(shown, key=lambda told: max(act.at for act in told.acts))[-LANES:]
        kept = {told.number for told in newest}
        shown = [told for told in shown if told.number in kept]
        yield f"<p>Shown are the {LANES:,} tasks that moved last, of {len(moved):,}.</p>"
    yield f'<div class="scroll">{_grid(index, span)}'
    yield from _chunks(index, span, shown)
    yield "</div>"


def common(index: Index) -> Axis | None:
    """The axis of all tasks; None where nothing was done."""
    ends = [told.last for told in index.audit.branches if told.last is not None]
    return axis((act.at for act in index.audit.acts), last=max(ends, default=None))


def legend() -> str:
    """What the bars mean."""
    rows = (
        ("t", "todo"),
        ("i", "in progress"),
        ("iq", "silent claim"),
        ("b", "to be tested"),
        ("d", "done"),
        ("x", "blocked"),
        ("r", "rejected"),
    )
    items = "".join(f"<li>{_sample(kinds)}{said}</li>" for kinds, said in rows)
    return f'<ul class="legend">{items}</ul>'


def _sample(kinds: str) -> str:
    lines = "".join(f'<line class="{kind} p" x1="0" x2="34"/>' for kind in kinds)
    return f'<svg class="lane key" aria-hidden="true" focusable="false"><g>{lines}</g></svg>'


def _grid(index: Index, span: Axis) -> str:
    """The names below the axis, and the lines that all lanes share."""
    named = list(span.labels())
    lines = "".join(f'<line x1="{percent(x)}" x2="{percent(x)}" y1="0" y2="38" class="hair"/>' for x, _ in named)
    for gap in index.audit.chain.gaps[:GAPS]:
        left = span.at(gap.since) if gap.since is not None else 0.0
        right = span.at(gap.until) if gap.until is not None else 100.0
        lines += f'<rect x="{percent(left)}" width="{percent(max(right - left, 0.3))}" height="38" class="band"/>'
    words = "".join(f'<text x="{percent(x)}" y="14"{_anchored(x)}>{said}</text>' for x, said in named)
    first = f"{day(span.first)} to {day(span.last)}"
    return (
        f'<svg class="defs" aria-hidden="true" focusable="false"><symbol id="g">{lines}</symbol></svg>'
        f'<div class="axis"><span class="soft">Task</span><svg width="100%" height="20" role="img"><title>Time, {first}</title>{words}</svg></div>'
    )


def _chunks(index: Index, span: Axis, shown: Sequence[Told]) -> Iterator[str]:
    stale = index.audit.stale_hours
    for start in range(0, len(shown), CHUNK):
        chunk = shown[start : start + CHUNK]
        if start:
            errors = sum(1 for told in chunk if any(noted.is_error for _, noted in told.findings))
            wrong = f', <span class="bad">{count(errors, "task")} with errors</span>' if errors else ""
            yield f"<details><summary>{start + 1:,} to {start + len(chunk):,}: from {_margin(chunk[0])} to {_margin(chunk[-1])}{wrong}</summary>"
        yield '<ul class="lanes">'
        for told in chunk:
            yield f'<li><a class="id" href="{index.href(told)}">{_margin(told)}</a>{lane(told, span, stale)}</li>'
        yield "</ul>"
        if start:
            yield "</details>"


def _margin(told: Told) -> str:
    """A task's id, short enough for the margin."""
    return bare(told.task, 24) or "?"


def _anchored(x: float) -> str:
    return "" if x <= 3 else ' class="end"' if x >= 97 else ' class="mid"'
