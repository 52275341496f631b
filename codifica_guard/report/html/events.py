"""What lies beside the rules: pauses, migrations, introductions that were moved."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.act import Act
from codifica_guard.model.audited import Audit, Pause
from codifica_guard.model.receipt import PUSH, Receipt
from codifica_guard.report.html.index import Index
from codifica_guard.report.html.marks import chip
from codifica_guard.report.html.text import branch, commit, count, full, left, line, name, when, who

ROWS: Final = 1_000
"""Pauses, migrations and introductions that are shown of each."""


def events(index: Index) -> Iterator[str]:
    """The section."""
    yield '<p class="lead">Where somebody with the right to it let the rules rest, rewrote what was recorded, or moved what everything stands on.</p>'
    yield "<h3>Pauses</h3>"
    yield from _pauses(index.audit)
    yield "<h3>Migrations</h3>"
    yield from _migrations(index)
    yield "<h3>Re-introductions</h3>"
    yield from _introductions(index.audit)


def _pauses(audit: Audit) -> Iterator[str]:
    if not audit.pauses:
        held = "the server held every push to the rules" if audit.chain.last else "but only receipts would tell of them"
        yield f"<p>None: {held}.</p>"
        return
    yield '<div class="scroll"><table><thead><tr>'
    yield "".join(
        f'<th scope="col">{head}</th>' for head in ("When", "What", "Receipt", "Would have been refused", "Why")
    )
    yield "</tr></thead><tbody>"
    for pause in audit.pauses[:ROWS]:
        seen = pause.receipt
        yield (
            f'<tr><td class="t">{when(seen.time)}</td><td>{_what(pause)}</td><td class="n">{seen.number}</td><td>{_refused(pause)}</td>'
            f"<td>{line(seen.reason) or '&ndash;'}</td></tr>"
        )
    yield f"</tbody></table></div>{left(len(audit.pauses), ROWS)}"


def _what(pause: Pause) -> str:
    seen = pause.receipt
    if seen.kind == PUSH:
        to = f" to {branch(seen.ref)}" if seen.ref is not None else ""
        ends = f", up to {commit(seen.new)}" if seen.new is not None else ""
        return f"a push passed unjudged: {count(pause.commits, 'commit')}{to}{ends}{_pusher(seen)}"
    return f"paused until {when(seen.until)}" if seen.paused else "the pause was ended"


def _pusher(seen: Receipt) -> str:
    return f", pushed by {name(seen.pusher.name)} ({name(seen.pusher.by, 40)})" if seen.pusher.name else ""


def _refused(pause: Pause) -> str:
    codes = [name(code, 20) for code in dict.fromkeys((*pause.receipt.refused, *(f.code for f in pause.findings)))]
    if not codes:
        return "nothing" if pause.receipt.kind == PUSH else "&ndash;"
    said = [f"<br>{name(f.code, 20)}: {line(f.found)}" for f in pause.findings[:20]]
    more = f"<br>and {len(pause.findings) - 20:,} more" if len(pause.findings) > 20 else ""
    return f'<span class="bad">{" ".join(codes)}</span>{"".join(said)}{more}'


def _migrations(index: Index) -> Iterator[str]:
    found = [act for act in index.audit.acts if act.migration is not None]
    if not found:
        yield "<p>None.</p>"
        return
    by_commit: dict[bytes, list[Act]] = {}
    for act in found:
        by_commit.setdefault(act.commit, []).append(act)
    yield "<ul>"
    for oid, acts in list(by_commit.items())[:ROWS]:
        first = acts[0]
        links = ", ".join(index.link(act.task) for act in acts[:40])
        more = f" and {len(acts) - 40:,} more" if len(acts) > 40 else ""
        yield (
            f"<li>{when(first.at)}, {who(first.actor, first.claimed)} {chip(first.mark)}, commit {commit(oid)}: "
            f"{line(first.migration or '') or 'no reason given'} ({links}{more})</li>"
        )
    yield f"</ul>{left(len(by_commit), ROWS)}"


def _introductions(audit: Audit) -> Iterator[str]:
    if not audit.introductions:
        yield "<p>None: the introduction above is the only one.</p>"
        return
    yield "<ul>"
    for seen in audit.introductions[:ROWS]:
        to = full(seen.introduction) if seen.introduction is not None else "none"
        yield f"<li>{when(seen.time)}, receipt {seen.number}: moved to {to}: {line(seen.reason) or 'no reason given'}</li>"
    yield f"</ul>{left(len(audit.introductions), ROWS)}"
