"""What a task asked for: as it was when the task was claimed, and each change since, with by whom."""

from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard.model.act import Act, Deed
from codifica_guard.model.value import value
from codifica_guard.report.html.index import Told
from codifica_guard.report.html.marks import chip
from codifica_guard.report.html.text import commit, prose, when, who

ITEMS: Final = 200
"""Criteria, or changes of them, that are shown."""

_ITEM: Final = 600


@value
class Version:
    """The criteria at one moment, and what the act changed of them.

    Attributes:
        act: the act that left them so.
        items: the criteria.
        gone, come: what was there before and is not now, and the other way round.
        first: whether nothing is known of what was before.
    """

    act: Act
    items: tuple[str, ...]
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    first: bool = False


def criteria(told: Told) -> Iterator[str]:
    """The part of a task's page; nothing where nothing is known."""
    base, later, claim = frozen(told)
    now = told.now.acceptance if told.now is not None else None
    if base is None:
        if now:
            yield f'<p class="h">Criteria as they stand</p>{_items(now)}'
        return
    if claim is not None:
        yield f'<p class="h">Criteria as frozen at the claim of {when(claim.at)}</p>'
    else:
        yield f'<p class="h">Criteria as of {when(base.act.at)}</p>'
    yield _items(base.items) if base.items else "<p>none</p>"
    for version in later[:ITEMS]:
        yield f"<p>Changed {when(version.act.at)} by {who(version.act.actor, version.act.claimed)} {chip(version.act.mark)} in {commit(version.act.commit)}:</p>"
        yield _changed(version)
    last = later[-1].items if later else base.items
    if now is not None and now != last:
        yield '<p class="warn">At the tip they read otherwise than the last act known here left them:</p>'
        yield _items(now) if now else "<p>none</p>"


def _items(items: Sequence[str]) -> str:
    rows = "".join(f"<li>{prose(item, _ITEM)}</li>" for item in items[:ITEMS])
    more = f"<p>and {len(items) - ITEMS:,} more</p>" if len(items) > ITEMS else ""
    return f"<ol>{rows}</ol>{more}"


def _changed(version: Version) -> str:
    rows = [f'<span class="del">- {prose(item, _ITEM)}</span>' for item in version.gone[:ITEMS]]
    rows += [f'<span class="add">+ {prose(item, _ITEM)}</span>' for item in version.come[:ITEMS]]
    return f'<pre class="diff">{"".join(rows)}</pre>' if rows else "<p>their order</p>"


def versions(told: Told) -> tuple[Version, ...]:
    """What the task asked for, each time that it is known and differs, and at its first claim."""
    found: list[Version] = []
    for act in told.acts:
        if act.acceptance is None:
            continue
        if not found:
            found.append(Version(act=act, items=act.acceptance, first=True))
        elif act.acceptance != found[-1].items:
            before = found[-1].items
            gone = tuple(item for item in before if item not in act.acceptance)
            come = tuple(item for item in act.acceptance if item not in before)
            found.append(Version(act=act, items=act.acceptance, gone=gone, come=come))
    return tuple(found)


def frozen(told: Told) -> tuple[Version | None, tuple[Version, ...], Act | None]:
    """The criteria at the first claim, what changed in them since, and the claim; else the first ones that are known, and None."""
    every = versions(told)
    claim = next((act for act in told.acts if act.deed is Deed.CLAIM), None)
    if not every:
        return None, (), claim
    if claim is None:
        return every[0], every[1:], None
    order = {id(act): place for place, act in enumerate(told.acts)}
    before = sum(order[id(version.act)] <= order[id(claim)] for version in every)
    return every[max(before - 1, 0)], every[max(before, 1) :], claim if before else None
