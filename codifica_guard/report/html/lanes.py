"""A task's life as a lane: a bar for each state, a tick and a letter for each step, hatched where a claim fell silent."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from codifica_guard.model.act import BORN, GONE, Act
from codifica_guard.model.audited import TaskNow
from codifica_guard.model.times import parse_time
from codifica_guard.model.value import value
from codifica_guard.report.html.axis import Axis, axis, percent
from codifica_guard.report.html.index import Told
from codifica_guard.report.html.marks import lane_class, letter
from codifica_guard.report.html.text import bare, count, day

LETTER: Final = 1.25
"""Percent of a lane that a letter takes where the lane is narrow."""

TOGETHER: Final = 4
"""Letters that stand side by side; more of them at one place are a number and which ones there are."""

_SEVERITY: Final = "UuAaTtHhSs"
_THIN: Final = 0.25


@value
class Stretch:
    """A state, where its bar begins and ends, and whether a step on the lane began it."""

    state: str
    start: float
    end: float
    begun: bool


def lane(told: Told, span: Axis, stale: float | None, *, own: bool = False) -> str:
    """The lane of a task."""
    stretches = list(_stretches(told.acts, span))
    bars = "".join(
        f'<line class="{lane_class(s.state)}{"" if s.begun else " p"}" x1="{percent(s.start)}" x2="{percent(max(s.end, s.start + _THIN))}"/>'
        for s in stretches
    )
    silent = "".join(
        f'<line class="q" x1="{percent(start)}" x2="{percent(end)}"/>' for start, end in _silent(told, span, stale)
    )
    acts = [act for act in told.acts if not own or span.holds(act.at)]
    edits = "".join(f'<use href="#e" x="{percent(span.at(act.at))}"/>' for act in acts if not act.is_transition)
    end = f'<use href="#y" x="{percent(span.at(told.acts[-1].at))}"/>' if told.acts[-1].target == GONE else ""
    crosses = "".join(
        f'<use href="#z" x="{percent(span.at(noted.at))}"/>'
        for _, noted in told.findings
        if noted.is_error and noted.at is not None
    )
    letters = "".join(f'<text x="{percent(x)}"{_class(said, x)}>{said}</text>' for x, said in labels(acts, span))
    said = _words(told)
    grid = "" if own else '<use href="#g"/>'
    return (
        f'<svg class="lane{" own" if own else ""}" role="img"><title>{said}</title>{grid}'
        f"<g>{bars}{silent}{edits}{end}{crosses}</g><g>{letters}</g></svg>"
    )


def labels(acts: Sequence[Act], span: Axis) -> Iterator[tuple[float, str]]:
    """Where letters stand, and which: those that would cover each other stand together."""
    groups: list[tuple[float, list[str]]] = []
    for at, said in sorted(((span.at(act.at), letter(act)) for act in acts), key=lambda pair: pair[0]):
        if groups and at < groups[-1][0] + LETTER * min(len(groups[-1][1]) + 0.2, TOGETHER + 1):
            groups[-1][1].append(said)
        else:
            groups.append((at, [said]))
    for at, letters in groups:
        yield at, "".join(letters) if len(letters) <= TOGETHER else f"{len(letters)}\u00d7{_kinds(letters)}"


def crowded(told: Told, span: Axis) -> bool:
    """Whether letters of a task have to stand together, so that its own lane tells more."""
    return any(len(said) > 1 for _, said in labels(told.acts, span))


def own_axis(told: Told) -> Axis | None:
    """The axis of the steps of one task alone; None where none of them lies in the calendar."""
    return axis(act.at for act in told.acts if act.is_transition)


# -- parts


def _stretches(acts: Sequence[Act], span: Axis) -> Iterator[Stretch]:
    """The states one after the other; a date that runs backwards gives no room."""
    at, state, begun = 0.0, acts[0].source, False
    for act in acts:
        if not act.is_transition:
            continue
        place = max(at, span.at(act.at))
        if state not in {BORN, GONE} and (begun or place > at):
            yield Stretch(state=state, start=at, end=place, begun=begun)
        at, state, begun = place, act.target, True
    if state not in {BORN, GONE}:
        yield Stretch(state=state, start=at, end=100.0, begun=begun)


def _silent(told: Told, span: Axis, stale: float | None) -> Iterator[tuple[float, float]]:
    """Where the task was in progress and nobody gave a sign of life for longer than the policy bears."""
    if stale is None:
        return
    signs = sorted({*(float(act.at) for act in told.acts), *_noted(told.now), float(span.last)})
    for begin, end in _work(told.acts, span.last):
        inside = [begin, *(sign for sign in signs if begin < sign < end), end]
        for start, stop in pairwise(inside):
            if stop - start > stale * 3600:
                left, right = span.at(start + stale * 3600), span.at(stop)
                if right > left:
                    yield left, right


def _work(acts: Sequence[Act], last: int) -> Iterator[tuple[float, float]]:
    """The times in which a task was in progress."""
    begin: int | None = None
    for act in acts:
        if begin is not None and act.target != "in_progress":
            yield begin, max(begin, act.at)
            begin = None
        elif begin is None and act.target == "in_progress":
            begin = act.at
    if begin is not None:
        yield begin, max(begin, last)


def _noted(now: TaskNow | None) -> Iterator[float]:
    for _, written, _ in now.notes if now is not None else ():
        at = parse_time(written)
        if at is not None:
            yield at


def _words(told: Told) -> str:
    """The lane in words."""
    first, last = day(told.acts[0].at), day(told.acts[-1].at)
    return f"{bare(told.task)}: {count(len(told.acts), 'act')}, {first} to {last}, {bare(told.state)}"


def _kinds(letters: Sequence[str]) -> str:
    return "".join(kind for kind in _SEVERITY if kind in letters)


def _class(said: str, x: float) -> str:
    kinds = [*(["bad"] if "U" in said.upper() else []), *(["end"] if x > 97 else [])]
    return f' class="{" ".join(kinds)}"' if kinds else ""
