"""What is wrong: each finding with its place, and how to look at it by hand."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.audited import Noted
from codifica_guard.report.html.index import Index, ordered
from codifica_guard.report.html.text import branch, commit, count, full, line, name, path, prose, when

IN_FULL: Final = 200
"""Findings that are shown with all that is known of them; the others have a line each."""

IN_LINES: Final = 5_000
"""Findings that have a line."""

_SAID: Final = 600
"""Characters of a sentence about what was found."""


def findings(index: Index) -> Iterator[str]:
    """All findings: errors, then warnings; in the order of history."""
    every = ordered(index.audit)
    if not every:
        yield (
            "<p>Nothing that the server had not let through by its admin's wish: what passed in a pause, and what would have "
            "refused it, stands in section 9.</p>"
            if any(pause.findings for pause in index.audit.pauses)
            else "<p>Nothing. Every commit that is named above was judged again, by the rules of its own time, and none broke "
            "a rule that the guard knows.</p>"
        )
        return
    yield (
        '<p class="lead">What breaks a rule today, the errors first. The commands below a finding show the same without '
        f"the guard; what a rule asks for, and why: <code>git codifica explain {name(every[0].finding.code, 20)}</code>.</p>"
    )
    for number, noted in enumerate(every[:IN_FULL], 1):
        yield from _full(index, number, noted)
    if every[IN_FULL:]:
        yield from _lines(index, every)


def _full(index: Index, number: int, noted: Noted) -> Iterator[str]:
    found = noted.finding
    kind, tag = ("", "Error") if noted.is_error else (" w", "Warning")
    yield (
        f'<article class="find{kind}" id="f{number}"><h3><span class="tag">{tag}</span>{name(found.code, 20)} '
        f'<span class="soft">{name(found.name, 60)}</span></h3><p class="what">{line(found.found, _SAID)}</p>'
    )
    if found.expected:
        yield f'<p class="soft">Expected: {line(found.expected, _SAID)}</p>'
    yield '<dl class="row">'
    for term, said in _facts(index, noted):
        yield f"<div><dt>{term}</dt><dd>{said}</dd></div>"
    yield "</dl>"
    if found.do:
        rows = "".join(f"<li><code>{line(step, _SAID)}</code></li>" for step in found.do)
        yield f'<p class="soft">To mend:</p><ul>{rows}</ul>'
    if noted.check:
        rows = "\n".join(prose(command, _SAID) for command in noted.check)
        yield f'<p class="soft">The same by hand:</p><pre>{rows}</pre>'
    yield "</article>"


def _facts(index: Index, noted: Noted) -> Iterator[tuple[str, str]]:
    found = noted.finding
    if found.task is not None:
        yield "Task", index.link(found.task)
    if found.commit is not None:
        yield "Commit", full(found.commit)
    if found.path is not None:
        numbers = "".join(f":{n}" for n in (found.line, found.column) if n is not None)
        yield "Place", f"<code>{path(found.path)}{numbers}</code>"
    if noted.ref is not None or found.ref is not None:
        yield "Branch", branch(noted.ref or found.ref or b"")
    if noted.at is not None:
        yield "When", when(noted.at)
    if found.actor is not None:
        yield "Who", name(found.actor)
    if noted.receipt is not None:
        yield "Receipt", str(noted.receipt)


def _lines(index: Index, every: tuple[Noted, ...]) -> Iterator[str]:
    yield f'<h3>{count(len(every) - IN_FULL, "further finding")}</h3><div class="scroll"><table><thead><tr>'
    yield "".join(
        f'<th scope="col">{head}</th>' for head in ("Kind", "Rule", "Found", "Task", "Commit", "When", "Receipt")
    )
    yield "</tr></thead><tbody>"
    for number, noted in enumerate(every[IN_FULL : IN_FULL + IN_LINES], IN_FULL + 1):
        found = noted.finding
        yield (
            f'<tr id="f{number}"><td>{"error" if noted.is_error else "warning"}</td><td>{name(found.code, 20)}</td>'
            f"<td>{line(found.found, 120)}</td><td>{index.link(found.task) if found.task is not None else ''}</td>"
            f"<td>{commit(found.commit)}</td><td>{when(noted.at)}</td><td>{noted.receipt or ''}</td></tr>"
        )
    yield "</tbody></table></div>"
    left = len(every) - IN_FULL - IN_LINES
    if left > 0:
        yield f"<p>And {count(left, 'more', 'more')}, which this page leaves out: <code>git codifica audit --json</code> has them all.</p>"
