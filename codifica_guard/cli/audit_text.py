"""The report of `audit` for a screen: what it stands on, findings, signature coverage, who did what. ASCII, pushed text escaped."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from codifica_guard.cli.audit_findings import findings
from codifica_guard.cli.rows import MORE, cut, table
from codifica_guard.model.act import Act, Deed, Mark
from codifica_guard.model.audited import Audit, Branch, Gap, Pause
from codifica_guard.model.ids import is_agent, is_human, short
from codifica_guard.model.receipt import PAUSE
from codifica_guard.model.times import show_time
from codifica_guard.report.audit_figures import (
    NOBODY,
    Doer,
    Week,
    by_actor,
    columns,
    doers,
    marks,
    name_of,
    week_of,
    weeks,
)
from codifica_guard.report.escape import escape, escape_words
from codifica_guard.report.terminal import wrap

LABEL: Final = 10
"""Columns of the words on the left."""

WIDTH: Final = 100

BAR: Final = 40
"""Characters of the bar of the busiest week."""

WEEKS: Final = 60
"""Weeks that are shown, the newest: more than a year."""

ROWS: Final = 40
"""Principals that are shown."""

NAME: Final = 40
"""Characters of a principal's name."""

LISTED: Final = 10
"""Gaps, pauses and notes that are shown."""

PROOFS: Final = {
    Mark.SIGNED: "signed",
    Mark.TOKEN: "signed with the writer token",
    Mark.TOUCHED: "signed by touch",
    Mark.ATTESTED: "attested by the server",
    Mark.UNPROVEN: "unproven",
}
"""What the letters of the marks mean."""


def page(shown: Audit, whole: Audit, *, command: str = "git codifica audit", weekly: bool = False) -> Iterator[str]:
    """All of it.

    Args:
        shown: what was asked for.
        whole: the same audit, not narrowed: the verdict is always that of the whole.
        command: what is typed for an audit of this repository.
        weekly: whether to tell who did what week by week.
    """
    yield from _head(shown, whole, command)
    yield ""
    yield from _figures(shown)
    yield ""
    yield from findings(shown)
    covered = _counted(shown.acts)
    if covered:
        yield ""
        yield from _coverage(covered, shown.chain.gaps)
        yield ""
        yield from _who(shown, weekly=weekly)
    yield from _ends(shown)


# -- what it stands on


def _head(shown: Audit, whole: Audit, command: str) -> Iterator[str]:
    branch = whole.branches[0] if whole.branches else None
    at = f"  {_name(branch)} {short(branch.tip)}" if branch is not None else ""
    preview = " (a preview: not the one that the policy names)" if whole.preview else ""
    yield f"{escape(shown.name)}{at}   guard {escape(whole.guard)}, ruleset {whole.ruleset}{preview}"
    yield from _row("verdict", _verdict(whole))
    anchor = whole.anchor
    yield from _row(
        "trust", f"introduction {short(anchor.commit)} by {escape(anchor.by)} {escape(anchor.key)}".rstrip()
    )
    if anchor.pinned:
        yield from _row("", "pinned: you, or this clone, had named it before")
    else:
        told = "taken from the repository itself, not pinned by you. If you know it from elsewhere:"
        yield from _row("", told)
        yield f"{'':<{LABEL}}{command} --introduction {anchor.commit.decode('ascii')}"
    yield from _receipts(shown)
    for words in shown.filters.items():
        yield from _row("narrowed", " ".join(map(escape, words)).strip())


def _verdict(whole: Audit) -> str:
    errors, warnings = len(whole.errors), len(whole.warnings)
    also = f", {_many(warnings, 'warning')}" if warnings else ""
    return (f"{_many(errors, 'error')}" if errors else "clean: no errors") + also


def _receipts(shown: Audit) -> Iterator[str]:
    chain = shown.chain
    if not chain.last:
        none = "none" if chain.held else "none that is believed"
        yield from _row("receipts", f"{none}: order from first parents, times as committers say them")
        return
    servers = ", ".join(f"{escape(who)} {escape(key)}" for who, key in chain.servers)
    state = "all hold" if chain.held else "not all of them hold: see the findings"
    yield from _row("receipts", f"{chain.first}-{chain.last}, {state}, signed by {servers or 'nobody'}")
    yield from _capped([f"gap  {_gap(gap)}" for gap in chain.gaps])


def _gap(gap: Gap) -> str:
    old = short(gap.old) if gap.old is not None else ""
    ref = escape(gap.ref.decode("utf-8", "surrogateescape").removeprefix("refs/heads/"))
    since = show_time(gap.since) if gap.since is not None else "the beginning"
    until = show_time(gap.until) if gap.until is not None else "now"
    return f"{ref} {old}..{short(gap.new)}  {_many(gap.commits, 'commit')}  {since} to {until}"


# -- numbers


def _figures(shown: Audit) -> Iterator[str]:
    acts = _counted(shown.acts)
    judged = ", ".join(f"{branch.commits:,} on {_name(branch)}" for branch in shown.branches[:LISTED])
    more = f", and {len(shown.branches) - LISTED} more branches" if len(shown.branches) > LISTED else ""
    starts = [branch.first for branch in shown.branches if branch.first is not None]
    since = f" since {show_time(min(starts))}" if starts else ""
    yield from wrap(f"judged: {_commits(shown.branches)} ({judged}{more}){since}", WIDTH)
    yield f"{_many(len(acts), 'transition')} of {_many(len({act.task for act in acts}), 'task')}"
    told = [f"{PROOFS[mark]} {number:,}" for mark, number in marks(acts).items() if number]
    if told:
        yield "  " + ", ".join(told)
    yield from (f"  {line}" for line in wrap(_people(acts), WIDTH - 2) if line)


def _commits(branches: Iterable[Branch]) -> str:
    return _many(sum(branch.commits for branch in branches), "commit")


def _people(acts: Sequence[Act]) -> str:
    """`agents 288 (builder 190, writer 98), humans 53 (alice 47, bob 6), nobody 1`."""
    told: list[str] = []
    rows = by_actor(acts)
    for noun, belongs in (("agents", is_agent), ("humans", is_human), ("others", _is_other)):
        of = [(name, number) for name, number in rows if belongs(name)]
        if of:
            names = [f"{_short(name)} {number:,}" for name, number in of[:ROWS]]
            names += [f"and {len(of) - ROWS} more"] if len(of) > ROWS else []
            told.append(f"{noun} {sum(number for _, number in of):,} ({', '.join(names)})")
    nobody = sum(act.actor is None for act in acts)
    return ", ".join([*told, *([f"{NOBODY} {nobody:,}"] if nobody else [])])


def _short(name: str) -> str:
    """A principal without its kind, where that is told already."""
    return escape(name if _is_other(name) else name.partition(":")[2])


def _is_other(name: str) -> bool:
    return not is_agent(name) and not is_human(name)


# -- signature coverage


def _coverage(acts: Sequence[Act], gaps: Sequence[Gap]) -> Iterator[str]:
    every = weeks(acts)
    shown = every[-WEEKS:]
    yield "SIGNATURE COVERAGE  transitions by week, from Monday (UTC)"
    most = max(week.transitions for week in shown)
    size = len(f"{most:,}")
    if len(every) > len(shown):
        yield f"  and {len(every) - len(shown)} older weeks, {MORE}"
    for week in shown:
        bar = _bar(week, most)
        percent = 100 * week.proven // week.transitions
        gap = "  gap: commits without a receipt" if any(_touches(gap, week.start) for gap in gaps) else ""
        yield f"  {show_time(week.start)[:10]:<10}  [{bar:<{BAR}}] {week.transitions:>{size},}  {percent:>3}% proven{gap}"
    letters = [f"{mark.value} {PROOFS[mark]}" for mark, number in marks(acts).items() if number]
    yield "  " + ", ".join(letters)


def _bar(week: Week, most: int) -> str:
    """Letters in proportion to the busiest week; what is there at all has one letter at least."""
    room = max(1, BAR * week.transitions // most)
    there = [(mark, week.marks.get(mark, 0)) for mark in Mark if week.marks.get(mark, 0)]
    sizes = {mark: max(1, room * number // week.transitions) for mark, number in there}
    largest = max(there, key=lambda row: row[1])[0]
    sizes[largest] = max(1, sizes[largest] + room - sum(sizes.values()))
    return "".join(mark.value * size for mark, size in sizes.items())[:BAR]


def _touches(gap: Gap, start: int) -> bool:
    """Whether commits came in without a receipt in a week; where no time is known, nothing is said of it."""
    if gap.since is None and gap.until is None:
        return False
    first, last = gap.since if gap.since is not None else gap.until, gap.until if gap.until is not None else gap.since
    return first is not None and last is not None and week_of(first) <= start <= week_of(last)


# -- who did what


def _who(shown: Audit, *, weekly: bool) -> Iterator[str]:
    yield "WHO DID WHAT  . what the protocol lets nobody of that kind do, [1] done all the same"
    if not weekly:
        yield from _matrix(doers(shown.acts, shown.policies))
        return
    starts = sorted({week_of(act.at) for act in shown.acts} | {week_of(change.at) for change in shown.policies})
    for start in starts[-WEEKS:]:
        yield f"  week of {show_time(start)[:10]}"
        acts = (act for act in shown.acts if week_of(act.at) == start)
        yield from _matrix(doers(acts, (change for change in shown.policies if week_of(change.at) == start)))


def _matrix(rows: Sequence[Doer]) -> Iterator[str]:
    deeds = columns(rows)
    head = ("", *(name_of(deed) for deed in deeds))
    body = [(cut(escape(row.name), NAME), *(_cell(row, deed) for deed in deeds)) for row in rows[:ROWS]]
    yield from table([head, *body], indent=2)
    if len(rows) > ROWS:
        yield f"  and {len(rows) - ROWS} more, {MORE}"


def _cell(row: Doer, deed: Deed | str) -> str:
    number = row.deeds.get(deed, 0)
    if row.allowed(deed):
        return f"{number}" if number else "-"
    return f"[{number}]" if number else "."


# -- the rest


def _ends(shown: Audit) -> Iterator[str]:
    rest = [
        *(_pause(pause) for pause in shown.pauses),
        *_moved(shown),
        *_migrations(shown.acts),
        *(escape_words(note) for note in shown.notes),
    ]
    if rest:
        yield ""
        yield "NOTES"
        for text in rest[: 3 * LISTED]:
            for number, line in enumerate(wrap(text, WIDTH - 4)):
                yield ("  " if number == 0 else "    ") + line
        if len(rest) > 3 * LISTED:
            yield f"  and {len(rest) - 3 * LISTED} more, {MORE}"


def _pause(pause: Pause) -> str:
    receipt = pause.receipt
    when, why = show_time(receipt.time), f": {escape_words(receipt.reason)}" if receipt.reason else ""
    until = f" until {show_time(receipt.until)}" if receipt.until is not None else ""
    if receipt.kind == PAUSE:
        return f"{when}  receipt {receipt.number}: the admin paused the guard{until}{why}" if receipt.paused else (
            f"{when}  receipt {receipt.number}: the admin ended the pause{why}"
        )  # fmt: skip
    codes = (
        f", which would have been refused by {', '.join(map(escape, receipt.refused[:LISTED]))}"
        if receipt.refused
        else ""
    )
    what = _many(pause.commits, "commit") if pause.commits else "something was"
    who = f" by {escape(receipt.pusher.name)} ({escape(receipt.pusher.by)})" if receipt.pusher.name else ""
    return f"{when}  receipt {receipt.number}: {what} pushed{who} in a pause{codes}{why}"


def _moved(shown: Audit) -> Iterator[str]:
    for receipt in shown.introductions:
        to = short(receipt.introduction) if receipt.introduction is not None else "nothing"
        why = f": {escape_words(receipt.reason)}" if receipt.reason else ""
        yield f"{show_time(receipt.time)}  receipt {receipt.number}: the admin moved the introduction to {to}{why}"


def _migrations(acts: Iterable[Act]) -> Iterator[str]:
    """The commits that rewrote what was recorded, each once."""
    found: dict[bytes, list[Act]] = {}
    for act in acts:
        if act.migration is not None:
            found.setdefault(act.commit, []).append(act)
    for group in found.values():
        act = group[0]
        who = escape(act.actor) if act.actor is not None else NOBODY
        told = f"migration {short(act.commit)} of {_many(len(group), 'task')} by {who}"
        yield f"{show_time(act.at)}  {told}: {escape_words(act.migration or '')}"


# -- words


def _row(label: str, text: str) -> Iterator[str]:
    for number, line in enumerate(wrap(text, WIDTH - LABEL)):
        yield f"{label if number == 0 else '':<{LABEL}}{line}"


def _capped(texts: Sequence[str]) -> Iterator[str]:
    for text in texts[:LISTED]:
        yield from _row("", text)
    if len(texts) > LISTED:
        yield from _row("", f"and {len(texts) - LISTED} more, {MORE}")


def _counted(acts: Iterable[Act]) -> tuple[Act, ...]:
    """The acts that are counted: transitions that there was a policy to judge by."""
    return tuple(act for act in acts if act.is_transition and act.judged)


def _name(branch: Branch) -> str:
    return escape(branch.ref.decode("utf-8", "surrogateescape").removeprefix("refs/heads/"))


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
