"""The three-way merge of one task, field by field: what everybody who merges comes to, or no answer.

Symmetric, since no side is first; safe where histories cross, since two old values are a conflict.
"""

import json
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from codifica_guard.engine.winner import winner
from codifica_guard.model.times import parse_time

Fields = Mapping[str, Any]

LIFE: Final = (
    "state", "owner", "claimed_at", "completed_at", "blocked_reason", "blocked_by", "human_review", "state_transitions",
)  # fmt: skip
"""Fields that tell one story: they come from one side, all of them."""

JOINED: Final = frozenset({"execution_notes", "artifacts", "labels"})
"""Lists to which several sides may have added."""

_ABSENT: Final = object()
_EVER: Final = float("-inf")

Bases = Mapping[tuple[int, int], Sequence[Fields | None]]
"""The task in all merge bases of two sides, the smaller number first; None where a base does not hold it."""


def joined(sides: Sequence[Fields], bases: Bases) -> dict[str, Any] | None:
    """The merged fields of a task that all sides hold; None where they conflict.

    Args:
        sides: the task on each side.
        bases: the task in the merge bases of each two sides; at least one base holds it.
    """
    result: dict[str, Any] = {}
    names = {name for side in sides for name in side}
    for group in (LIFE, *((name,) for name in sorted(names - {*LIFE}))):
        won = _won(sides, bases, group)
        if won is not None:
            result |= won
            continue
        added = _added(sides, bases, group[0]) if group[0] in JOINED else None
        if added is None:
            return None
        result[group[0]] = added
    return result


def _won(sides: Sequence[Fields], bases: Bases, group: tuple[str, ...]) -> Fields | None:
    """The fields of a group, of the side whose values win; None where none does."""
    values = tuple(_of(side, group) for side in sides)

    def old(i: int, j: int) -> frozenset[Hashable]:
        return frozenset(_of(base or {}, group) for base in bases[i, j]) or frozenset({_of({}, group)})

    won, value = winner(values, old)
    if not won:
        return None
    side = sides[values.index(value)]
    return {name: side[name] for name in group if name in side}


def _of(fields: Fields, group: tuple[str, ...]) -> Hashable:
    return tuple(_fixed(fields.get(name, _ABSENT)) for name in group)


def _fixed(value: Any) -> Hashable:
    """A value to compare by: equal for equal data, whatever the order of keys."""
    return value if value is _ABSENT else json.dumps(value, sort_keys=True)


def _added(sides: Sequence[Fields], bases: Bases, name: str) -> list[Any] | None:
    """The old list and what all sides added to it, each once, by time; None where a side did more than to add."""
    held = {_fixed(base.get(name) or []): base.get(name) or [] for pair in bases.values() for base in pair if base}
    lists = [side.get(name) or [] for side in sides]
    if len(held) != 1 or not all(isinstance(v, list) for v in (*held.values(), *lists)):
        return None
    (old,) = held.values()
    if any(entries[: len(old)] != old for entries in lists):
        return None
    added = {json.dumps(e, sort_keys=True).encode(): e for entries in lists for e in entries[len(old) :]}
    return [*old, *(added[key] for key in sorted(added, key=lambda key: (_instant(added[key]), key)))]


def _instant(entry: Any) -> float:
    time = parse_time(entry.get("timestamp")) if isinstance(entry, dict) else None
    return _EVER if time is None else time


def pairs(count: int) -> tuple[tuple[int, int], ...]:
    """The numbers of each two of some sides."""
    return tuple(combinations(range(count), 2))
