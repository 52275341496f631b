"""One task where histories meet: one side's version where it goes on, else field by field; pure and without a first side."""

import heapq
import json
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.times import parse_time
from codifica_guard.model.value import EMPTY, replace, value
from codifica_guard.state.comments import Comments, comments_of, join_comments
from codifica_guard.state.winner import Old, Value, winner
from codifica_guard.state.yaml import read_block

LIFE: Final = (
    "state",
    "owner",
    "claimed_at",
    "completed_at",
    "blocked_reason",
    "blocked_by",
    "human_review",
    "state_transitions",
)
"""Fields that go on together or not at all: two histories of one task never join."""

JOINED: Final = ("execution_notes", "artifacts", "labels")
"""Lists that several sides may have appended to."""

Version = tuple[tuple[bytes, RepoPath], ...]
"""The bytes of a task and the document it stands in, as one side has it; more than one where the id stands twice."""

Olds = Callable[[int, int], frozenset[Version | None]]
"""The versions in all merge bases of two sides, the smaller number first; the absent one alone where there is no base."""

Data = Mapping[str, Any]

_UNKNOWN: Final = ("unknown",)
"""A field of a version that is not there or cannot be read: equal to no field that is."""


@value
class Merged:
    """What the versions of a task come to.

    Attributes:
        side: the number of a side whose version goes on whole, bytes and place.
        data: the fields that the sides come to together; None where a side goes on whole, or where nothing does.
        comments: the comments that they come to together.
        clash: what nobody may settle but a human: names of fields; `state` stands for all of `LIFE`, `task` for presence, place or
            what cannot be read.
        twice: whether the task was born on several sides.
    """

    side: int | None = None
    data: Data | None = None
    comments: Comments = EMPTY
    clash: tuple[str, ...] = ()
    twice: bool = False

    @property
    def conflict(self) -> bool:
        """Whether nothing goes on by itself."""
        return self.side is None and self.data is None


def merge_task(sides: Sequence[Version | None], old: Olds) -> Merged:
    """What two or more versions of a task come to, by what its merge bases had; the order of the sides plays no part.

    A version wins whole where every side yields to it. Else the task has to be there once on every side, at the same place and
    readable, and in some merge base; then each field is the winner's, `LIFE` as one, and lists that all sides only appended to are
    joined: equal entries once, by time, each side's order kept. Comments join as well; where both sides changed one, all stay.

    Args:
        sides: each side's version; None where the task is absent.
        old: what merge bases had.
    """
    won, best = winner(tuple(sides), old)
    if won:
        return Merged(side=list(sides).index(_version(best)))
    pairs = [(i, j) for j in range(len(sides)) for i in range(j)]
    if None not in sides and all(old(i, j) <= {None} for i, j in pairs):
        return Merged(clash=("task",), twice=True)
    datas = [data_of(side) for side in sides]
    if any(data is None for data in datas) or len({side[0][1] for side in sides if side}) != 1:
        return Merged(clash=("task",))
    merged = _fields([data for data in datas if data is not None], old, pairs)
    return replace(merged, comments=_comments(sides, old)) if merged.data is not None else merged


def data_of(version: Version | None) -> Data | None:
    """The fields of a version that stands once and can be read."""
    if version is None or len(version) != 1:
        return None
    task = read_block(version[0][0])
    return task.data if isinstance(task, Task) else None


def same(one: Data, other: Data) -> bool:
    """Whether two tasks say the same, however they are written."""
    return frozen(one) == frozen(other)


def frozen(part: Any) -> Hashable:
    """A value as something to compare and to look up; the order of a mapping's keys plays no part, types do."""
    if isinstance(part, Mapping):
        return ("map", frozenset((key, frozen(inner)) for key, inner in part.items()))
    if isinstance(part, (list, tuple)):
        return ("list", tuple(frozen(item) for item in part))
    return (type(part).__name__, part)


def _comments(sides: Sequence[Version | None], old: Olds) -> Comments:
    def olds(i: int, j: int) -> list[Comments]:
        return [comments_of(version[0][0]) if version else {} for version in old(i, j)]

    return join_comments([comments_of(side[0][0]) if side else {} for side in sides], olds)


# -- fields


def _version(best: Value) -> Version | None:
    return best if isinstance(best, tuple) else None


def _fields(datas: list[Data], old: Olds, pairs: list[tuple[int, int]]) -> Merged:
    bases = {pair: [data_of(version) for version in old(*pair)] for pair in pairs}
    names = dict.fromkeys(name for data in datas for name in data)
    data: dict[str, Any] = {}
    clash: list[str] = []
    life = _goes_on([_life(d) for d in datas], _old({p: [_life(b) for b in found] for p, found in bases.items()}))
    if life is None:
        clash.append("state")
    for name in names:
        if name in LIFE:
            source = datas[life] if life is not None else {}
            if name in source:
                data[name] = source[name]
            continue
        values = [_field(d, name) for d in datas]
        number = _goes_on(values, _old({p: [_field(b, name) for b in found] for p, found in bases.items()}))
        if number is not None:
            if name in datas[number]:
                data[name] = datas[number][name]
        elif name in JOINED and (joined := _join(name, datas, bases)) is not None:
            data[name] = joined
        else:
            clash.append(name)
    return Merged(clash=tuple(clash)) if clash else Merged(data=data)


def _goes_on(values: Sequence[Value], old: Old) -> int | None:
    """The number of a side whose value wins."""
    won, best = winner(tuple(values), old)
    return list(values).index(best) if won else None


def _old(found: Mapping[tuple[int, int], Iterable[Value]]) -> Old:
    olds = {pair: frozenset(values) for pair, values in found.items()}
    return lambda i, j: olds[i, j]


def _field(data: Data | None, name: str) -> Value:
    if data is None:
        return _UNKNOWN
    return frozen(data[name]) if name in data else None


def _life(data: Data | None) -> Value:
    return _UNKNOWN if data is None else tuple(_field(data, name) for name in LIFE)


# -- lists


def _join(name: str, datas: Sequence[Data], bases: Mapping[tuple[int, int], Sequence[Data | None]]) -> list[Any] | None:
    """The entries of all sides, where each side only appended to what its merge bases had; None where one did not."""
    sides = [_entries(data, name) for data in datas]
    olds = [(pair, _entries(base, name)) for pair, found in bases.items() for base in found]
    if None in sides or any(base is None for _, base in olds):
        return None
    known: dict[str, Any] = {}
    lists = [_texts(side or (), known) for side in sides]
    common = _common([_texts(base or (), known) for _, base in olds])
    if any(side[: len(common)] != common for side in lists):
        return None
    if any(not _within(_texts(base or (), known), lists[number]) for pair, base in olds for number in pair):
        return None
    rest = _in_time([side[len(common) :] for side in lists], known)
    return None if rest is None else [known[text] for text in (*common, *rest)]


def _entries(data: Data | None, name: str) -> Sequence[Any] | None:
    """A list field's entries, none where it is absent or null; None where it is no list."""
    found = None if data is None else data.get(name, ())
    if data is not None and found is None:
        return ()
    return found if isinstance(found, (list, tuple)) else None


def _texts(entries: Iterable[Any], known: dict[str, Any]) -> list[str]:
    """Entries as texts that are equal where they say the same; what each text stands for goes into `known`."""
    texts = []
    for entry in entries:
        texts.append(json.dumps(entry, sort_keys=True))
        known.setdefault(texts[-1], entry)
    return texts


def _common(lists: Sequence[list[str]]) -> list[str]:
    """What all lists begin with."""
    shortest = min(lists, key=len)
    return next((shortest[:n] for n, text in enumerate(shortest) if any(o[n] != text for o in lists)), shortest)


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether all entries of a list stand in another, in their order."""
    rest = iter(whole)
    return all(any(entry == other for other in rest) for entry in part)


def _in_time(lists: Sequence[Sequence[str]], known: Mapping[str, Any]) -> list[str] | None:
    """The entries of several lists, equal ones once, by time, each list's order kept; None where two orders contradict."""
    behind: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for entries in lists:
        row = list(_numbered(entries))
        for entry in row:
            behind.setdefault(entry, set())
        for entry, follower in pairwise(row):
            behind[entry].add(follower)
    waits = dict.fromkeys(behind, 0)
    for followers in behind.values():
        for follower in followers:
            waits[follower] += 1

    def rank(entry: tuple[str, int]) -> tuple[float, tuple[str, int]]:
        held = known[entry[0]]
        moment = parse_time(held.get("timestamp")) if isinstance(held, Mapping) else None
        return (-math.inf if moment is None else moment, entry)

    ready = [rank(entry) for entry, count in waits.items() if not count]
    heapq.heapify(ready)
    found: list[str] = []
    while ready:
        _, entry = heapq.heappop(ready)
        found.append(entry[0])
        for follower in behind[entry]:
            waits[follower] -= 1
            if not waits[follower]:
                heapq.heappush(ready, rank(follower))
    return found if len(found) == len(waits) else None


def _numbered(entries: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each entry with the number of equal ones before it."""
    seen: dict[str, int] = {}
    for entry in entries:
        number = seen.get(entry, 0)
        seen[entry] = number + 1
        yield entry, number
