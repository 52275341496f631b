"""Whose keys counted, from when, until when, and what they were used for."""

from collections.abc import Iterator

from codifica_guard.model.audited import Audit, Key
from codifica_guard.model.ids import is_agent, is_human
from codifica_guard.report.html.text import commit, day, fingerprint, name, number, until


def keys(audit: Audit) -> Iterator[str]:
    """The section."""
    if not audit.keys:
        yield "<p>No key is listed.</p>"
        return
    yield (
        '<p class="lead">Every key that the policy ever listed in this time. Compare the fingerprints with their owners, by another '
        "way than this repository. Uses are the commits that it proved.</p>"
    )
    yield '<div class="scroll"><table><caption class="soft">People first, then agents, then servers</caption><thead><tr>'
    yield "".join(
        f'<th scope="col">{head}</th>' for head in ("Principal and key", "Valid", "Listed by", "State", "Used")
    )
    yield '<th scope="col" class="n">Uses</th></tr></thead><tbody>'
    for key in sorted(audit.keys, key=_place):
        role = ' <span class="chip">maintainer</span>' if key.maintainer else ""
        listed = commit(key.listed) if key.listed is not None else "introduction"
        yield (
            f'<tr><th scope="row">{name(key.principal)}{role}<span class="fp">{fingerprint(key.fingerprint)}</span></th>'
            f'<td class="t">{_valid(key)}</td><td>{listed}</td><td>{_state(key)}</td>'
            f'<td class="t">{_used(key)}</td><td class="n">{number(key.uses)}</td></tr>'
        )
    yield "</tbody></table></div>"


def _valid(key: Key) -> str:
    if key.since is None and key.until is None:
        return "always"
    ends = [
        f"from {until(key.since)}" if key.since is not None else "",
        f"until {until(key.until)}" if key.until is not None else "",
    ]
    return "<br>".join(end for end in ends if end)


def _used(key: Key) -> str:
    first, last = day(key.first), day(key.last)
    return "never" if key.first is None and key.last is None else first if first == last else f"{first}<br>to {last}"


def _state(key: Key) -> str:
    if key.revoked is not None:
        by = f" by {name(key.revoker)}" if key.revoker else ""
        return f'<span class="bad">&#10007; revoked</span> in {commit(key.revoked)}{by}'
    return "no longer listed" if key.gone else '<span class="good">&#10003; listed</span>'


def _place(key: Key) -> int:
    return 0 if is_human(key.principal) else 1 if is_agent(key.principal) else 2
