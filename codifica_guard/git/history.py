"""Questions to the commit graph, answered from raw parents; dates only choose the order in which it is walked."""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from typing import Final

from codifica_guard.errors import LimitExceeded
from codifica_guard.git.store import Store
from codifica_guard.limits import COMMITS, HISTORY_WALK
from codifica_guard.model.ids import ObjectId

_NEW: Final = 1
_OLD: Final = 2
_BOTH: Final = 3
_STALE: Final = 4
_WRONG: Final = _BOTH | _STALE
_SLOP: Final = 16
"""Older commits that are looked at once nothing new is left, since a clock may have been wrong."""


class _Walk:
    """A queue of commits, newest first, that paints flags down to the parents.

    A commit whose flags grow after it was visited is visited again, so flags are right whatever the dates say.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.flags: dict[ObjectId, int] = {}
        self._heap: list[tuple[int, ObjectId]] = []
        self._queued: set[ObjectId] = set()
        self._waiting = [0] * 8

    def paint(self, oid: ObjectId, flags: int) -> None:
        """Add flags to a commit, and queue it where that is news."""
        before = self.flags.get(oid, 0)
        after = before | flags
        if after == before:
            return
        self.flags[oid] = after
        if oid in self._queued:
            self._waiting[before] -= 1
        else:
            self._queued.add(oid)
            heappush(self._heap, (-self.store.commit(oid).committer_time, oid))
        self._waiting[after] += 1

    def pop(self) -> ObjectId:
        """The newest commit in the queue."""
        oid = heappop(self._heap)[1]
        self._queued.remove(oid)
        self._waiting[self.flags[oid]] -= 1
        return oid

    def newest(self) -> int:
        """The time of the newest commit in the queue."""
        return -self._heap[0][0]

    def waiting(self, *flags: int) -> int:
        """How many commits with exactly one of these combinations of flags are in the queue."""
        return sum(self._waiting[flag] for flag in flags)


def new_commits(
    store: Store, tips: Iterable[ObjectId], known: Iterable[ObjectId], *, bounded: bool = True
) -> tuple[ObjectId, ...]:
    """The commits that the tips reach and the known ones do not, parents before children; none is ever left out.

    Where commits in old history are dated long before their parents, some old ones may be among them. The walk ends
    where both sides have met, so a small push into a long history costs little.

    Args:
        store: the objects.
        tips: whose history is looked at.
        known: whose history is left out.
        bounded: whether there may be no more than `COMMITS` of them, since somebody pushes them.

    Raises:
        MissingObject: a tip, a known commit or a parent on the way is not there.
        LimitExceeded: there are more.
    """
    tips = tuple(tips)
    walk = _Walk(store)
    for oid in known:
        walk.paint(oid, _OLD)
    for oid in tips:
        walk.paint(oid, _NEW)
    new: set[ObjectId] = set()
    oldest = 0
    slop, patience = _SLOP, HISTORY_WALK
    while walk.waiting(_NEW, _WRONG) or (new and slop and patience and walk.waiting(_OLD, _BOTH)):
        if not walk.waiting(_NEW, _WRONG):
            # An old commit that is dated before all new ones could reach one of them only by a wrong clock.
            if walk.newest() < oldest:
                slop -= 1
            else:
                patience -= 1
        oid = walk.pop()
        flags = walk.flags[oid]
        if flags == _NEW:
            time = store.commit(oid).committer_time
            oldest = min(oldest, time) if new else time
            new.add(oid)
            if bounded and len(new) > COMMITS:
                raise LimitExceeded(f"more than {COMMITS} new commits")
        elif flags == _WRONG:
            new.discard(oid)
        for parent in store.commit(oid).parents:
            # One that was taken for new, and turns out old, is put right before the walk may end.
            walk.paint(parent, _WRONG if flags & _OLD and parent in new else flags & _BOTH)
    return _parents_first(store, tips, new)


def _parents_first(store: Store, tips: tuple[ObjectId, ...], chosen: set[ObjectId]) -> tuple[ObjectId, ...]:
    done: dict[ObjectId, None] = {}
    entered: set[ObjectId] = set()
    for tip in tips:
        stack = [tip]
        while stack:
            oid = stack[-1]
            if oid in done or oid not in chosen:
                stack.pop()
            elif oid in entered:
                done[stack.pop()] = None
            else:
                entered.add(oid)
                stack.extend(parent for parent in reversed(store.commit(oid).parents) if parent not in done)
    return tuple(done)


def is_ancestor(store: Store, ancestor: ObjectId, descendant: ObjectId) -> bool:
    """Whether a commit is reached from another one, or is the same: exact, whatever the dates are.

    Raises:
        MissingObject: one of them, or a parent on the way, is not there.
    """
    return _reaches_any(store, {ancestor}, {descendant}, ancestor)


def _reaches_any(store: Store, below: set[ObjectId], above: set[ObjectId], wanted: ObjectId) -> bool:
    """Whether `wanted`, one of `below`, is reached from `above`.

    What lies between the two is no ancestor of `wanted`, so it never gets the colour of `below`; and the walk goes on as
    long as anything that has the colour of `above` alone is in the queue.
    """
    walk = _Walk(store)
    for oid in below:
        walk.paint(oid, _NEW)
    for oid in above:
        walk.paint(oid, _OLD)
    while walk.flags[wanted] != _BOTH and walk.waiting(_OLD):
        oid = walk.pop()
        for parent in store.commit(oid).parents:
            walk.paint(parent, walk.flags[oid])
    return walk.flags[wanted] == _BOTH


def merge_bases(store: Store, a: ObjectId, b: ObjectId) -> frozenset[ObjectId]:
    """All best common ancestors of two commits: exact, whatever the dates are; empty where they share no history.

    Raises:
        MissingObject: one of them, or a parent on the way, is not there.
    """
    walk = _Walk(store)
    walk.paint(a, _NEW)
    walk.paint(b, _OLD)
    common: set[ObjectId] = set()
    while walk.waiting(_NEW, _OLD, _BOTH):
        oid = walk.pop()
        flags = walk.flags[oid]
        if flags == _BOTH:
            common.add(oid)
            flags |= _STALE
        for parent in store.commit(oid).parents:
            walk.paint(parent, flags)
    best = {oid for oid in common if not walk.flags[oid] & _STALE}
    if len(best) > 1:
        best = {oid for oid in best if not _reaches_any(store, {oid}, best - {oid}, oid)}
    return frozenset(best)


def first_parents(store: Store, tip: ObjectId) -> Iterator[ObjectId]:
    """The tip, its first parent, that one's first parent, and so on to the root; how far is the caller's choice.

    Raises:
        MissingObject: one of them is not there.
    """
    oid: ObjectId | None = tip
    while oid is not None:
        yield oid
        parents = store.commit(oid).parents
        oid = parents[0] if parents else None
