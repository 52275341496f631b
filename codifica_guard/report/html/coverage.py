"""How much is proven: all transitions in one bar, and a bar for each week; what no receipt saw is hatched."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from codifica_guard.model.act import Act, Mark
from codifica_guard.model.audited import Audit
from codifica_guard.report.audit_figures import marks, weeks
from codifica_guard.report.html.axis import MONTHS, percent
from codifica_guard.report.html.marks import WORDS, chip
from codifica_guard.report.html.slots import ERA, Slot, place, slots_of
from codifica_guard.report.html.text import branch, commit, count, day, left, number, share, when

GAPS: Final = 500
"""Gaps that are shown."""

HEIGHT: Final = 110
"""Pixels of the highest bar."""


def coverage(audit: Audit) -> Iterator[str]:
    """The section."""
    steps = counted(audit)
    if not steps:
        yield "<p>No task was moved, so there is nothing to prove.</p>"
        return
    yield '<p class="lead">Each transition by how it is known who made it. This is what you sign: everything else follows from it.</p>'
    yield from _whole(audit)
    yield from _weekly(audit)
    yield from _gaps(audit)
    unjudged = len(audit.transitions) - len(steps)
    if unjudged:
        yield (
            f"<p>Not counted: {count(unjudged, 'transition')} by commits that no policy held for yet. What they say of "
            "themselves proves nothing.</p>"
        )


def counted(audit: Audit) -> tuple[Act, ...]:
    """The transitions that there was a policy to judge by: those that this section is about."""
    return tuple(act for act in audit.transitions if act.judged)


# -- all of it


def _whole(audit: Audit) -> Iterator[str]:
    known = marks(counted(audit))
    total = sum(known.values())
    said = ", ".join(f"{many} {WORDS[mark][0]}" for mark, many in known.items())
    yield f'<svg class="bar" role="img" aria-labelledby="c1"><title id="c1">All {total} transitions: {said}</title>'
    at = 0.0
    for mark, many in known.items():
        width = many * 100 / total
        if many:
            yield _block(mark, at, 0, width, 26, lettered=width > 2)
        at += width
    yield '</svg><div class="scroll"><table class="k"><caption class="soft">How it is known who made a transition</caption><thead><tr>'
    yield '<th scope="col">Mark</th><th scope="col">Means</th><th scope="col" class="n">Transitions</th><th scope="col" class="n">Share</th></tr></thead><tbody>'
    for mark, many in known.items():
        bad = ' class="n bad"' if mark is Mark.UNPROVEN and many else ' class="n"'
        yield (
            f'<tr><th scope="row">{chip(mark)} {WORDS[mark][0]}</th><td>{WORDS[mark][1]}</td>'
            f'<td{bad}>{number(many)}</td><td class="n">{share(many, total)}</td></tr>'
        )
    proven = total - known[Mark.UNPROVEN]
    yield f'<tr><th scope="row">Somebody is proven</th><td>S, T, H or A</td><td class="n">{number(proven)}</td><td class="n">{share(proven, total)}</td></tr>'
    yield "</tbody></table></div>"


# -- week by week


def _weekly(audit: Audit) -> Iterator[str]:
    steps = counted(audit)
    dated = [act for act in steps if act.at in ERA]
    if len(dated) < len(steps):
        yield f"<p>{count(len(steps) - len(dated), 'transition lies', 'transitions lie')} outside every calendar, and in no week below.</p>"
    if not dated:
        return
    slots = slots_of(audit, weeks(dated))
    most = max(sum(slot.marks.values()) for slot in slots)
    top = _round(most)
    each = slots[-1].weeks
    what = "each week" if each == 1 else f"each {each} weeks"
    yield f"<h3>Bars for {what}</h3>"
    yield f'<svg class="cov" width="100%" height="{HEIGHT + 34}" role="img" aria-labelledby="c2 c3">'
    yield f'<title id="c2">Transitions of {what}, by how they are known</title><desc id="c3">From {day(slots[0].start)} to {day(slots[-1].start)}, at most {most}. The table below has the numbers.</desc>'
    for value_ in dict.fromkeys((top, top // 2)) if top > 1 else (top,):
        y = HEIGHT + 10 - value_ * HEIGHT / top
        yield f'<line x1="0" x2="100%" y1="{y:g}" y2="{y:g}" class="hair"/><text x="100%" y="{y - 3:g}" class="end">{value_}</text>'
    pitch = 100 / max(len(slots), 6)
    yield from _hatched(audit, slots, pitch)
    thin = max(1, -(-len(slots) // 10))
    for at, slot in enumerate(slots):
        yield from _bar(slot, at * pitch, pitch, top)
        if at % thin == 0 or slot.start is None:
            yield _label(slot, at * pitch + pitch / 2, wide=at // thin % 2 == 1)
    yield f'<line x1="0" x2="100%" y1="{HEIGHT + 10}" y2="{HEIGHT + 10}" class="hair"/></svg>'
    yield from _table(slots, what)


def _bar(slot: Slot, left: float, pitch: float, top: int) -> Iterator[str]:
    width = min(pitch * 0.72, 4.5)
    x, y = left + (pitch - width) / 2, float(HEIGHT + 10)
    for mark in Mark:
        many = slot.marks.get(mark, 0)
        if not many:
            continue
        high = many * HEIGHT / top
        y -= high
        yield _block(mark, x, y, width, high, lettered=high >= 13 and width >= 1.4)


def _block(mark: Mark, x: float, y: float, width: float, height: float, *, lettered: bool) -> str:
    """A part of a bar: its colour, its stripes, its letter where there is room."""
    inside = (
        f'<text x="{percent(x + width / 2)}" y="{y + height / 2 + 4:.1f}" class="in">{mark.value}</text>'
        if lettered
        else ""
    )
    box = f'x="{percent(x)}" y="{y:.1f}" width="{percent(width)}" height="{height:.1f}"'
    return f'<g class="{mark.value}"><rect {box}/>{"" if mark is Mark.SIGNED else _striped(f"p{mark.value}", box)}{inside}</g>'


def _striped(kind: str, box: str) -> str:
    return f'<svg class="h" {box}><use href="#{kind}"/></svg>'


def _label(slot: Slot, middle: float, *, wide: bool) -> str:
    if slot.start is None:
        return f'<text x="{percent(middle)}" y="{HEIGHT + 4}" class="mid">\u2026</text><text x="{percent(middle)}" y="{HEIGHT + 26}" class="mid wide">{slot.weeks} wk</text>'
    at = datetime.fromtimestamp(slot.start, UTC)
    said = f"{at.day} {MONTHS[at.month - 1]}" if slot.weeks < 13 else f"{MONTHS[at.month - 1]} {at.year}"
    return f'<text x="{percent(middle)}" y="{HEIGHT + 26}" class="mid{" wide" if wide else ""}">{said}</text>'


def _hatched(audit: Audit, slots: Sequence[Slot], pitch: float) -> Iterator[str]:
    """Where commits came in without a receipt."""
    for gap in audit.chain.gaps[:GAPS]:
        start = place(gap.since, slots, 0) * pitch
        end = place(gap.until, slots, len(slots)) * pitch
        yield _striped(
            "pG", f'x="{percent(start)}" y="4" width="{percent(max(end - start, 0.4))}" height="{HEIGHT + 6}"'
        )


def _round(most: int) -> int:
    """The end of the scale: the next number that is easily halved."""
    size = 1
    while True:
        for step in (1, 2, 4, 6, 8, 12, 16):
            if step * size >= most:
                return step * size
        size *= 10


def _table(slots: Sequence[Slot], what: str) -> Iterator[str]:
    rows = [slot for slot in slots if slot.marks]
    yield f'<details><summary>The numbers of {what}</summary><div class="scroll"><table><thead><tr><th scope="col">From</th>'
    yield "".join(f'<th scope="col" class="n">{mark.value} {WORDS[mark][0]}</th>' for mark in Mark)
    yield '<th scope="col" class="n">All</th></tr></thead><tbody>'
    for slot in rows:
        cells = "".join(f'<td class="n">{number(slot.marks.get(mark, 0))}</td>' for mark in Mark)
        yield f'<tr><th scope="row">{day(slot.start)}</th>{cells}<td class="n">{number(sum(slot.marks.values()))}</td></tr>'
    yield "</tbody></table></div></details>"


def _gaps(audit: Audit) -> Iterator[str]:
    if not audit.chain.gaps:
        return
    yield '<h3>Hatched: commits without a receipt</h3><div class="scroll"><table><thead><tr><th scope="col">Branch</th><th scope="col">After</th><th scope="col">Before</th>'
    yield '<th scope="col">From commit</th><th scope="col">To commit</th><th scope="col" class="n">Commits</th></tr></thead><tbody>'
    for gap in audit.chain.gaps[:GAPS]:
        yield (
            f'<tr><td>{branch(gap.ref)}</td><td class="t">{when(gap.since)}</td><td class="t">{when(gap.until)}</td>'
            f'<td>{commit(gap.old)}</td><td>{commit(gap.new)}</td><td class="n">{number(gap.commits)}</td></tr>'
        )
    yield f"</tbody></table></div>{left(len(audit.chain.gaps), GAPS)}"
