"""The page of `simulate`: what would have been refused, by rule, by actor, by task; then commit by commit."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from codifica_guard.cli.rows import MORE, one, table
from codifica_guard.engine.replay import KEYED, Told
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import short
from codifica_guard.model.times import show_time
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.terminal import place, wrap
from codifica_guard.verbs.simulation import UNSHALLOW, Simulation, counted

KEYED_RULES: Final = tuple(rule.code for rule in REGISTRY.all() if rule.code.startswith(KEYED))
"""The rules that are left out."""

HONEST: Final = (
    "Identities are as claimed, nothing is proven: who acted is what commits and tasks say.",
    "Left out is what needs keys, refs or a server: ID, GT and GD rules, and writer tokens (CD314).",
    "Each commit is judged as if all before it had been let in.",
)

NAMED_BY: Final = {"author": "the author line", "unnamed author": "the author line alone, no task knows the name"}
"""What names an actor, where that is no field of a task."""

COMMITS_SHOWN: Final = 200
"""Commits of which findings are listed for people."""

WIDTH: Final = 94
"""Columns of what was found."""


def page(found: Simulation, *, ruled: bool) -> Iterator[str]:
    """All of it, for people.

    Args:
        found: what the replay came to.
        ruled: whether the repository has a policy, too.
    """
    yield from _head(found)
    yield ""
    yield from HONEST
    yield from _doubts(found)
    yield ""
    refused = found.refused
    if not refused:
        yield "nothing would have been refused" + (", of what could be judged" if found.doubtful else "")
    else:
        yield f"would have been refused: {_many(len({t.finding.commit for t in refused}), 'commit')}"
        yield from _tables(refused)
    yield from _warnings(found)
    if refused:
        yield ""
        yield from _list(refused)
        yield ""
        yield "why: git codifica explain " + refused[0].finding.code
    if ruled:
        yield "this repository has a policy, and signatures: git codifica check judges by them"
    elif refused:
        yield "to have it refused from now on: git codifica init"


def _head(found: Simulation) -> Iterator[str]:
    wanted = found.wanted
    time = "".join(
        f", {word} {show_time(moment)}"
        for word, moment in (("since", wanted.since), ("until", wanted.until))
        if moment is not None
    )
    yield f"{plain(wanted.text)} {short(wanted.tip)}{time}: {_many(found.commits, 'commit')}, {found.judged} judged"
    if found.first is not None:
        brought = f"{short(found.first.id)} ({show_time(found.first.committer_time)})"
        yield f"codifica.json comes with {brought}: that commit is taken as it is, and what lies behind it is judged"


def _doubts(found: Simulation) -> Iterator[str]:
    if found.blind:
        yield f"not judged: {_many(len(found.blind), 'commit')} behind a codifica.json that cannot be read, from {short(found.blind[0])} on"
    if found.failed:
        oid, why = found.failed[0]
        yield f"not judged: {_many(len(found.failed), 'commit')}, from {short(oid)} on: {one(why)}"
        yield f"(an object that is not there: {UNSHALLOW}; a partial clone: clone again without --filter)"
    for name, number in list(found.unknown.items())[:10]:
        yield f"not judged: {_many(number, 'change')} of {plain(name)} while it could not be read"
    if len(found.unknown) > 10:
        yield f"not judged: changes of {len(found.unknown) - 10} more that could not be read, {MORE}"


def _tables(refused: Sequence[Told]) -> Iterator[str]:
    names = {told.finding.code: told.finding.name for told in refused}
    rules = counted(told.finding.code for told in refused)
    yield from ("", "by rule", *table([(code, names[code], str(n)) for code, n in rules], indent=2))
    sources: dict[str, dict[str, None]] = {}
    for told in refused:
        sources.setdefault(told.finding.actor or "", {})[told.source] = None
    actors = counted(told.finding.actor or "" for told in refused)
    rows = [
        (plain(actor), str(n), f"named by {', '.join(NAMED_BY.get(s, s) for s in sources[actor])}")
        for actor, n in actors
    ]
    yield from ("", "by actor, as claimed", *table(rows[:20], indent=2))
    tasks = counted(told.finding.task for told in refused if told.finding.task is not None)
    if tasks:
        yield from ("", "by task", *table([(plain(task), str(n)) for task, n in tasks[:20]], indent=2))
    if len(rows) > 20 or len(tasks) > 20:
        yield f"  and more, {MORE}"


def _warnings(found: Simulation) -> Iterator[str]:
    warned = counted(told.finding.code for told in found.only_told)
    if warned:
        listed = ", ".join(f"{code} {number}" for code, number in warned)
        yield from ("", *wrap(f"told, and let in: {listed} ({MORE})", WIDTH))


def _list(refused: Sequence[Told]) -> Iterator[str]:
    groups = [list(rows) for _, rows in groupby(refused, key=lambda told: told.finding.commit)]
    for rows in groups[:COMMITS_SHOWN]:
        yield f"{short(rows[0].finding.commit or b'')}  {show_time(rows[0].at)}"
        for told in rows:
            yield from _row(told.finding, also=not told.first)
    if len(groups) > COMMITS_SHOWN:
        yield f"and {len(groups) - COMMITS_SHOWN} more commits, {MORE}"


def _row(finding: Finding, *, also: bool) -> Iterator[str]:
    about = "  ".join(text for text in (plain(finding.task or ""), place(finding)) if text)
    head = f"{'also ' if also else ''}{finding.code}  {about}{': ' if about else ''}{plain_words(finding.found)}"
    for number, line in enumerate(wrap(head, WIDTH)):
        yield ("  " if number == 0 else "    ") + line


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
