"""The head of the page: what was audited, what it came to, and what that stands on."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.audited import Audit, Branch
from codifica_guard.model.receipt import PUSH
from codifica_guard.report.audit_figures import marks
from codifica_guard.report.html.coverage import counted
from codifica_guard.report.html.marks import WORDS, chip
from codifica_guard.report.html.text import (
    branch,
    commit,
    count,
    day,
    fingerprint,
    full,
    left,
    line,
    name,
    number,
    when,
)

BRANCHES, NOTES, SERVERS = 200, 100, 20
"""Judged branches, notes and keys of servers that the head shows."""

_SIGNS: Final = {
    "is-bad": '<path d="M7 7 17 17M17 7 7 17"/>',
    "is-warn": '<path d="M12 6V13M12 16.5V18"/>',
    "is-good": '<path d="M6.5 12.5 10.5 16.5 17.5 8"/>',
}


def head(audit: Audit, whole: Audit) -> Iterator[str]:
    """Title, verdict, trust and branches; the verdict is always that of the whole audit."""
    of = branch(audit.branches[0].ref) if audit.branches else "no branch"
    tip = f" at {commit(audit.branches[0].tip)}" if audit.branches else ""
    others = f" and {count(len(audit.branches) - 1, 'other branch', 'other branches')}" if audit.branches[1:] else ""
    yield f'<header><p class="kicker">Audit of who moved which task</p><h1>{line(audit.name, 120)}</h1>'
    yield f'<p class="sub">{of}{tip}{others}{_span(audit.branches)} &middot; codifica-guard {line(audit.guard, 40)}, ruleset {audit.ruleset}</p>'
    yield from _narrowed(audit)
    yield from _verdict(audit, whole)
    yield '<dl class="facts">'
    yield f"<dt>Introduction</dt><dd>{_anchor(audit)}</dd>"
    yield f"<dt>Receipts</dt><dd>{_receipts(audit)}</dd>"
    beside = _beside(audit)
    if beside:
        yield f"<dt>Beside the rules</dt><dd>{beside}</dd>"
    yield f"<dt>Judged</dt><dd>{'<br>'.join(_branch(told) for told in audit.branches[:BRANCHES]) or 'no branch'}{left(len(audit.branches), BRANCHES)}</dd>"
    if audit.notes:
        yield f"<dt>Notes</dt><dd>{'<br>'.join(line(note, 600) for note in audit.notes[:NOTES])}{left(len(audit.notes), NOTES)}</dd>"
    yield "</dl>"


def verdict(audit: Audit) -> str:
    """What it came to, in a few words."""
    errors, warnings = len(audit.errors), len(audit.warnings)
    if errors:
        return count(errors, "error") + (f", {count(warnings, 'warning')}" if warnings else "")
    if warnings:
        return f"No error, {count(warnings, 'warning')}"
    return "No error outside pauses" if any(pause.findings for pause in audit.pauses) else "Nothing is broken"


def _span(branches: tuple[Branch, ...]) -> str:
    first = [told.first for told in branches if told.first is not None]
    last = [told.last for told in branches if told.last is not None]
    if not first or not last:
        return ""
    ends = day(min(first)), day(max(last))
    return f" &middot; {ends[0]}" if ends[0] == ends[1] else f" &middot; {ends[0]} to {ends[1]}"


def _narrowed(audit: Audit) -> Iterator[str]:
    if audit.filters:
        words = " ".join(f"{line(option, 40)} {line(value, 120)}".strip() for option, value in audit.filters.items())
        yield (
            f'<div class="narrowed is-warn"><b>This report is narrowed down:</b> <code>{words}</code>. '
            "What that leaves out is neither shown nor counted below; the verdict is that of the whole.</div>"
        )
    if audit.preview:
        yield (
            f'<div class="narrowed is-warn"><b>A preview:</b> history is judged by ruleset {audit.ruleset}, which is not '
            "the one that the repository has chosen.</div>"
        )


def _verdict(audit: Audit, whole: Audit) -> Iterator[str]:
    kind = "is-bad" if whole.errors else "is-warn" if whole.warnings else "is-good"
    yield (
        f'<div class="verdict {kind}"><svg class="sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false" '
        'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">'
        f'<circle cx="12" cy="12" r="10.5"/>{_SIGNS[kind]}</svg>'
        f'<p class="says">{verdict(whole)}</p><p>{_tally(audit)}</p></div>'
    )


def _tally(audit: Audit) -> str:
    steps = counted(audit)
    if not steps:
        return "No task was moved."
    told = [f"{chip(mark)} {number(many)} {WORDS[mark][0]}" for mark, many in marks(steps).items() if many]
    tasks = len({act.task for act in steps})
    return f"{count(len(steps), 'transition')} of {count(tasks, 'task')}: {' &middot; '.join(told)}"


def _anchor(audit: Audit) -> str:
    anchor = audit.anchor
    told = f"{full(anchor.commit)}<br>signed by {name(anchor.by)} {fingerprint(anchor.key)}<br>"
    if anchor.pinned:
        return told + '<span class="good">&#10003; the one that you named, or that your clone had pinned</span>'
    return told + (
        '<span class="warn">! not pinned by you:</span> it was taken from the repository itself. Whoever made the repository '
        "chose it. Ask a maintainer for the id by another way, and compare; or audit with <code>--introduction</code>."
    )


def _receipts(audit: Audit) -> str:
    chain = audit.chain
    if not chain.last:
        none = "none" if chain.held else '<span class="bad">&#10007; none of those that are there is believed</span>'
        return f"{none}: the order of pushes is taken from first parents, times are what committers say"
    keys = "; ".join(f"{name(server)} {fingerprint(key)}" for server, key in chain.servers[:SERVERS])
    held = (
        '<span class="good">&#10003; one whole chain</span>'
        if chain.held
        else '<span class="bad">&#10007; what follows them is not believed, see the findings</span>'
    )
    told = f"{number(chain.first)} to {number(chain.last)}, {held}<br>signed by {keys or 'nobody who is listed'}"
    if chain.before:
        told += f"<br>{count(chain.before, 'commit')} between the introduction and the first receipt: times are what committers say"
    missed = sum(gap.commits for gap in chain.gaps)
    if chain.gaps:
        told += f'<br><span class="bad">&#10007; {count(missed, "commit")} came in without one, in {count(len(chain.gaps), "gap")}</span>'
    return told


def _beside(audit: Audit) -> str:
    """What passed while the rules rested, and what moved below them; empty where nothing did."""
    passed = sum(pause.receipt.kind == PUSH for pause in audit.pauses)
    moved = len(audit.introductions)
    migrated = len({act.commit for act in audit.acts if act.migration is not None})
    told = [
        f"{count(passed, 'push', 'pushes')} passed unjudged in a pause" if passed else "",
        f"the introduction was moved {count(moved, 'time')}" if moved else "",
        count(migrated, "migration") if migrated else "",
    ]
    said = ", ".join(words for words in told if words)
    return f'<span class="warn">! {said}</span>: <a href="#s9">section 9</a>' if said else ""


def _branch(told: Branch) -> str:
    ends = "" if told.first is None else f", {when(told.first)} to {when(told.last)}"
    order = "" if told.order == "receipts" else ", order from first parents"
    return f"{branch(told.ref)}: {count(told.commits, 'commit')} up to {full(told.tip)}{ends}{order}"
