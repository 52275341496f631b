"""Who changed who may do what."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.audited import Audit, PolicyChange
from codifica_guard.report.html.text import count, fingerprint, full, left, line, when, who

LINES: Final = 400
"""Lines of one change that are shown."""

CHANGES: Final = 2_000
"""Changes that are shown."""

ROOM: Final = 1_000_000
"""Characters of all changes together that are shown."""

_LINE: Final = 500


def policies(audit: Audit) -> Iterator[str]:
    """The section: each change with its lines, in the order of history."""
    if not audit.policies:
        yield "<p>The policy did not change in this time.</p>"
        return
    yield '<p class="lead">Each commit that changed the policy, the keys or what the protocol is told, as it changed them.</p>'
    room = ROOM
    for change in audit.policies[:CHANGES]:
        size = sum(min(len(text), _LINE) for text in change.lines[:LINES])
        yield from _change(change, whole=size <= room)
        room -= size
    yield left(len(audit.policies), CHANGES)


def _change(change: PolicyChange, *, whole: bool) -> Iterator[str]:
    seen = f", receipt {change.receipt}" if change.receipt is not None else ", without a receipt"
    key = f" {fingerprint(change.key)}" if change.key is not None else ""
    yield (
        f"<h3>{line(change.subject, 120) or 'without a subject'}</h3><p>{when(change.at)}, {who(change.actor)}{key}{seen}<br>"
        f'<span class="soft">commit {full(change.commit)}</span></p>'
    )
    if not whole:
        yield f"<p>Its {count(len(change.lines), 'line')} {'is' if len(change.lines) == 1 else 'are'} left out: there were many before.</p>"
        return
    rows = "".join(_line(text) for text in change.lines[:LINES])
    if rows:
        yield f'<pre class="diff">{rows}</pre>'
    if len(change.lines) > LINES:
        yield f"<p>And {count(len(change.lines) - LINES, 'more line')}, which this page leaves out.</p>"


def _line(text: str) -> str:
    kind = "add" if text.startswith("+") else "del" if text.startswith("-") else "file"
    return f'<span class="{kind}">{line(text, _LINE)}</span>'
