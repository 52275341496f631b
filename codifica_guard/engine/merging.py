"""What a merge decided itself: what the three-way merge of its sides does not give."""

from collections.abc import Callable, Iterable, Mapping

from codifica_guard.engine.facts import Sides
from codifica_guard.engine.world import StateFiles, World
from codifica_guard.git.history import merge_bases
from codifica_guard.model.commit import Commit, Entry
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.model.policy import REVOKED_FILE, Policy
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.rules.view import MergeItem
from codifica_guard.state.comments import comments_of
from codifica_guard.state.merge import Merged, Version, data_of, merge_task, same
from codifica_guard.state.winner import Old, Value, winner


class Merging:
    """One merge under one policy's classes of paths."""

    def __init__(
        self, world: World, commit: Commit, policy: Policy, files: StateFiles, sides: Mapping[RepoPath, Sides]
    ) -> None:
        self._world = world
        self._commit = commit
        self._policy = policy
        self._files = files
        self._sides = sides
        self._trees = [world.store.commit(p).tree for p in commit.parents]
        self._bases: dict[tuple[int, int], frozenset[ObjectId]] = {}

    def decided(self) -> tuple[MergeItem, ...]:
        """Items whose value in the merge is not the winner's, or that nobody wins; in the order of kinds and names."""
        parents = [self._world.snapshot(t, self._files) for t in self._trees]
        own = self._world.snapshot(self._commit.tree, self._files)
        return (*self._of_paths(), *self._of_frames(parents, own), *self._of_records(parents, own))

    # -- what was old on two sides

    def _bases_of(self, i: int, j: int) -> frozenset[ObjectId]:
        if (i, j) not in self._bases:
            first, second = self._commit.parents[i], self._commit.parents[j]
            self._bases[i, j] = merge_bases(self._world.store, first, second)
        return self._bases[i, j]

    def _old(self, value_at: Callable[[ObjectId], Value]) -> Old:
        def old(i: int, j: int) -> frozenset[Value]:
            return frozenset(value_at(b) for b in self._bases_of(i, j)) or frozenset({None})

        return old

    def _snapshot(self, base: ObjectId) -> Snapshot:
        return self._world.snapshot(self._world.store.commit(base).tree, self._files)

    # -- paths outside state documents

    def _guarded(self, path: RepoPath) -> str | None:
        config = self._policy.codifica
        if self._policy.is_trust(path):
            return "trust"
        if config is not None and (not config.scope.match(path) or path.startswith(config.assets)):
            return "path"
        return None

    def _of_paths(self) -> Iterable[MergeItem]:
        for path in sorted(self._sides):
            kind = None if path in self._files else self._guarded(path)
            if kind is not None:
                *values, own = self._sides[path]
                yield from self._one(
                    kind,
                    path.decode("utf-8", "surrogateescape"),
                    path,
                    tuple(values),
                    own,
                    self._old(self._entry_at(path)),
                )

        if REVOKED_FILE in self._sides and self._forgets():
            yield MergeItem(kind="revoked", name=REVOKED_FILE.decode(), path=REVOKED_FILE, conflict=False)

    def _forgets(self) -> bool:
        """Whether a key that a side revoked is not revoked any more, whichever side the merge takes."""
        own = self._world.policy_of_tree(self._commit.tree)
        sides = (self._world.own_policy(parent) for parent in self._commit.parents)
        return own is not None and any(side is not None and not side.revoked <= own.revoked for side in sides)

    def _entry_at(self, path: RepoPath) -> Callable[[ObjectId], Value]:
        def at(base: ObjectId) -> Value:
            tree = self._world.store.commit(base).tree
            delta = self._world.delta(tree, self._commit.tree)
            return delta[path][0] if path in delta else self._sides[path][-1]

        return at

    @staticmethod
    def _one(
        kind: str, name: str, path: RepoPath, values: tuple[Value, ...], own: Value, old: Old
    ) -> Iterable[MergeItem]:
        if len(set(values)) == 1:
            won, value = True, values[0]
        else:
            won, value = winner(values, old)
        if not won or own != value:
            yield MergeItem(kind=kind, name=name, path=path, conflict=not won)

    # -- text around tasks

    def _of_frames(self, parents: list[Snapshot], own: Snapshot) -> Iterable[MergeItem]:
        for path in sorted(p for p in self._sides if p in self._files):
            values = tuple(self._frame(s, path) for s in parents)
            name = path.decode("utf-8", "surrogateescape")

            def at(base: ObjectId, path: RepoPath = path) -> Value:
                return self._frame(self._snapshot(base), path)

            yield from self._one("frame", name, path, values, self._frame(own, path), self._old(at))
            if _reordered([_ids(s, path) for s in parents], _ids(own, path)) or _refenced(parents, own, path):
                yield MergeItem(kind="order", name=name, path=path, conflict=False)

    def _frame(self, snapshot: Snapshot, path: RepoPath) -> Value:
        """The text of a document outside its tasks; of one that cannot be split, what its tree names."""
        entry: Entry | None = snapshot.entries.get(path)
        if entry is None:
            return None
        return (snapshot.documents[path].frame, entry.mode) if self._world.sound(path, entry) else entry

    # -- tasks

    def _of_records(self, parents: list[Snapshot], own: Snapshot) -> Iterable[MergeItem]:
        every = [*parents, own]
        for name in sorted(self._differing(parents, own)):
            sides = tuple(_record(s, name) for s in parents)
            mine = _record(own, name)
            if len({*sides, mine}) == 1:
                continue

            def old(i: int, j: int, name: TaskId = name) -> frozenset[Version | None]:
                return frozenset(_record(self._snapshot(b), name) for b in self._bases_of(i, j)) or frozenset({None})

            merged = merge_task(sides, old)
            if merged.conflict or not _is(mine, merged, sides):
                yield MergeItem(
                    kind="record",
                    name=name,
                    path=_path_of(name, every),
                    conflict=merged.conflict,
                    twice=merged.twice,
                    clash=merged.clash,
                    together=merged.data,
                    sides=tuple(s.record(name) for s in parents),
                    own=own.record(name),
                )

    def _differing(self, parents: list[Snapshot], own: Snapshot) -> set[TaskId]:
        """Ids of tasks that may not be the same on all sides: those of changed documents that are not the same there."""
        found: set[TaskId] = set()
        for path in (p for p in self._sides if p in self._files):
            for side in parents:
                found |= self._world.difference(path, side.entries.get(path), own.entries.get(path)).ids
        return found


def _ids(snapshot: Snapshot, path: RepoPath) -> tuple[TaskId, ...]:
    document = snapshot.documents.get(path)
    return tuple(b.id for b in document.blocks) if document is not None else ()


def _reordered(parents: list[tuple[TaskId, ...]], own: tuple[TaskId, ...]) -> bool:
    """Whether tasks that stand in one order on all sides stand in another one now."""
    common = set(own).intersection(*parents)
    orders = {tuple(i for i in ids if i in common) for ids in parents}
    return len(orders) == 1 and tuple(i for i in own if i in common) not in orders


def _refenced(parents: list[Snapshot], own: Snapshot, path: RepoPath) -> bool:
    """Whether a task that stands in one fence on all sides stands in another one now, under the same text."""
    sides = [s.documents.get(path) for s in (*parents, own)]
    if len({side.frame if side is not None else None for side in sides}) != 1:
        return False
    places = [{b.id: b.fence for b in side.blocks} for side in sides if side is not None]
    return any(
        len({place.get(name, fence) for place in places[:-1]}) == 1
        and all(name in place for place in places[:-1])
        and places[0][name] != fence
        for name, fence in (places[-1].items() if places else ())
    )


def _record(snapshot: Snapshot, name: TaskId) -> Version | None:
    """A task's bytes and place; None where it is absent."""
    found = snapshot.records.get(name)
    return tuple((r.raw, r.path) for r in found) if found else None


def _is(own: Version | None, merged: Merged, sides: tuple[Version | None, ...]) -> bool:
    """Whether the merge holds what its sides come to: a side's version byte for byte, or what they say together, at their place."""
    if merged.side is not None:
        return own == sides[merged.side]
    data, place = data_of(own), next(side[0][1] for side in sides if side)
    if own is None or data is None or merged.data is None or own[0][1] != place:
        return False
    return same(data, merged.data) and comments_of(own[0][0]) == merged.comments


def _path_of(name: TaskId, snapshots: list[Snapshot]) -> RepoPath:
    return next(record.path for s in reversed(snapshots) if (record := s.record(name)) is not None)
