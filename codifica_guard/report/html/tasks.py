"""Each task, folded: its steps, what was asked for when it was claimed and what became of that, notes and evidence."""

from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard.model.act import Act
from codifica_guard.model.times import SKEW
from codifica_guard.report.html.axis import Axis
from codifica_guard.report.html.criteria import criteria
from codifica_guard.report.html.findings import IN_FULL, IN_LINES
from codifica_guard.report.html.index import Index, Told
from codifica_guard.report.html.lanes import crowded, lane, own_axis
from codifica_guard.report.html.marks import chip, state, step
from codifica_guard.report.html.text import PROSE, count, digits, line, name, number, prose, when, who
from codifica_guard.report.html.timelines import common

ROWS: Final = 2_000
"""Steps of one task that are shown."""

NOTES: Final = 500
"""Notes of one task that are shown."""

ITEMS: Final = 200
"""Criteria or artifacts of one task that are shown."""

_ITEM: Final = 600


def tasks(index: Index) -> Iterator[str]:
    """The section of the first page: every task in full, or a list of them."""
    if not index.tasks:
        yield "<p>There is no task.</p>"
        return
    if index.whole:
        yield '<p class="lead">By their place in the documents; those that are gone come last. Open one to see who did what to it, and what it asks for. Names and times of notes are the task\u2019s own words.</p>'
        span = common(index)
        for told in index.tasks:
            yield from task(index, told, span)
        return
    where = (
        "Each is on a sheet of its own folder."
        if index.folder
        else "There are too many to hold them all in one page: steps, criteria, notes and evidence of each are left out here. "
        "<code>git codifica audit --html FOLDER/</code> writes a folder with all of it."
    )
    yield f'<p class="lead">{count(len(index.tasks), "task")}. {where}</p>'
    yield from _list(index)


def task(index: Index, told: Told, span: Axis | None, *, back: str = "") -> Iterator[str]:
    """One task, folded.

    Args:
        index: the audit.
        told: the task.
        span: the axis that its lane was drawn on already; None where it was not.
        back: where the page of its findings is; empty where it is this one.
    """
    now = told.now
    title = f" {line(now.title)}" if now is not None and now.title else ""
    owner = f", {name(told.owner)}" if told.owner else ""
    wrong = sum(noted.is_error for _, noted in told.findings)
    bad = f', <span class="bad">! {count(wrong, "error")}</span>' if wrong else ""
    gone = "" if now is not None else ", not on the branch now"
    yield (
        f'<details class="task" id="t{told.number}"><summary><h3>{name(told.task) or "?"}</h3>{title} '
        f'<span class="state">{state(told.state)}{owner}, {count(len(told.acts), "act")}{gone}{bad}</span></summary><div>'
    )
    yield from _wrong(told, back)
    if told.acts:
        own = own_axis(told)
        if own is not None and len(told.acts) > 1 and (span is None or (index.roomy and crowded(told, span))):
            yield lane(told, own, index.audit.stale_hours, own=True)
        yield from _steps(told.acts)
    else:
        yield "<p>Nothing was done to it in this time.</p>"
    yield from criteria(told)
    yield from _notes(told, PROSE if index.roomy else _ITEM)
    yield from _artifacts(told)
    yield "</div></details>"


def _wrong(told: Told, back: str) -> Iterator[str]:
    for at, noted in told.findings[:ITEMS]:
        kind = "bad" if noted.is_error else "warn"
        code = name(noted.finding.code, 20)
        link = f'<a href="{back}#f{at}">{code}</a>' if at <= IN_FULL + IN_LINES else code
        yield f'<p><span class="{kind}">{"Error" if noted.is_error else "Warning"}</span> {link}: {line(noted.finding.found)}</p>'


def _steps(acts: Sequence[Act]) -> Iterator[str]:
    """The table; a step is as short as it can be, since there are thousands of them."""
    yield '<div class="scroll"><table class="st"><thead><tr>'
    yield "".join(
        f'<th scope="col">{head}</th>' for head in ("When", "Step", "Who", "Known", "Commit", "Receipt", "Words")
    )
    yield "</tr></thead><tbody>"
    for act in acts[:ROWS]:
        yield (
            f"<tr><td>{when(act.at)}<td>{step(act)}<td>{who(act.actor, act.claimed)}<td>{chip(act.mark)}"
            f"<td>{digits(act.commit)}<td>{act.receipt if act.receipt is not None else '&ndash;'}<td>{_words(act)}</tr>"
        )
    yield "</tbody></table></div>"
    if len(acts) > ROWS:
        yield f"<p>And {len(acts) - ROWS:,} later ones, which this page leaves out.</p>"


def _words(act: Act) -> str:
    said = [
        line(act.summary, _ITEM) if act.summary else "",
        line(act.reason, _ITEM) if act.reason else "",
        f"review: {line(act.review, 40)}" if act.review else "",
        f"changed: {', '.join(name(field, 40) for field in act.edited[:20])}" if act.edited else "",
        f'<b class="warn">migration</b>: {line(act.migration, _ITEM)}' if act.migration else "",
        f"session {name(act.session)}" if act.session else "",
        '<span class="warn">no policy held yet</span>' if not act.judged else "",
        f"its committer says {when(act.dated)}" if act.receipt is not None and abs(act.at - act.dated) > SKEW else "",
    ]
    return "; ".join(word for word in said if word)


def _notes(told: Told, limit: int) -> Iterator[str]:
    notes = told.now.notes if told.now is not None else ()
    if not notes:
        return
    yield '<p class="h">Notes</p><ul>'
    for by, written, said in notes[:NOTES]:
        yield f'<li>{name(by) or "?"} <span class="soft">{name(written, 40)}</span> <span class="pre">{prose(said, limit)}</span></li>'
    yield "</ul>"
    if len(notes) > NOTES:
        yield f"<p>And {len(notes) - NOTES:,} later ones, which this page leaves out.</p>"


def _artifacts(told: Told) -> Iterator[str]:
    artifacts = told.now.artifacts if told.now is not None else ()
    if not artifacts:
        return
    yield '<p class="h">Evidence</p><ul>'
    for found in artifacts[:ITEMS]:
        there = (
            '<span class="good">&#10003; there</span>' if found.present else '<span class="bad">&#10007; missing</span>'
        )
        kind = f' <span class="soft">{line(found.kind, 40)}</span>' if found.kind else ""
        yield f"<li>{there} <code>{line(found.path)}</code>{kind}</li>"
    yield "</ul>"
    if len(artifacts) > ITEMS:
        yield f"<p>and {len(artifacts) - ITEMS:,} more</p>"


def _list(index: Index) -> Iterator[str]:
    yield '<div class="scroll"><table><thead><tr>'
    yield "".join(f'<th scope="col">{head}</th>' for head in ("Task", "Title", "State", "Owner", "Last moved"))
    yield '<th scope="col" class="n">Acts</th></tr></thead><tbody>'
    for told in index.tasks:
        title = line(told.now.title, 80) if told.now is not None else "not on the branch now"
        own = index.link(told.task) if index.folder else name(told.task)
        anchor = "" if index.folder else f' id="t{told.number}"'
        yield (
            f"<tr{anchor}><td>{own or '?'}</td><td>{title}</td><td>{state(told.state)}</td>"
            f"<td>{name(told.owner or '', 40)}</td><td>{when(told.acts[-1].at) if told.acts else '&ndash;'}</td>"
            f'<td class="n">{number(len(told.acts))}</td></tr>'
        )
    yield "</tbody></table></div>"
