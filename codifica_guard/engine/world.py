"""What the judge reads: commits, policies, states. Everything is read once and kept, as far as there is room, for one push."""

from collections.abc import Iterable, Iterator
from typing import Final

from codifica_guard.engine.difference import Difference, difference
from codifica_guard.engine.kept import Kept
from codifica_guard.engine.resplit import resplit
from codifica_guard.errors import GuardError, LimitExceeded
from codifica_guard.git.changes import diff, entry_at, leaves
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.store import Store
from codifica_guard.limits import DOCUMENT_BYTES, POLICY_BYTES, STATE_DOCUMENTS, TASKS
from codifica_guard.model.commit import Commit, Delta, Entry, Trailers
from codifica_guard.model.document import Document, Fault
from codifica_guard.model.ids import ObjectId, RepoPath
from codifica_guard.model.policy import CODIFICA_FILE, GUARD_FILE, REVOKED_FILE, SIGNERS_FILE, Globs, Policy
from codifica_guard.model.value import value
from codifica_guard.policy.cache import PolicyCache
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.state.blocks import split

_DOCUMENT_BYTES: Final = 20 * 1024 * 1024
"""Bytes of the state documents that are kept, split: two of the largest, which is a commit and its parent."""

_DELTA_PATHS: Final = 200_000
"""Changed paths that are kept."""

_VALUES: Final = 20_000
"""Small values of one kind that are kept."""


@value(kw_only=False)
class StateFiles:
    """Which paths are state documents: those that any of some policies names; a spec never is one."""

    globs: tuple[Globs, ...]
    specs: tuple[RepoPath, ...] = ()

    def __contains__(self, path: RepoPath) -> bool:
        """Whether a path is a state document."""
        return path not in self.specs and any(g.match(path) for g in self.globs)

    def literal(self) -> tuple[RepoPath, ...] | None:
        """The paths themselves, where no pattern has a wildcard; None where one has."""
        names = [p for g in self.globs for p in g.patterns]
        if any(c in name for name in names for c in "*?[{!(+@\\"):
            return None
        paths = (RepoPath(name.encode("utf-8", "surrogateescape")) for name in names)
        return tuple(path for path in paths if path not in self.specs)


def state_files(policies: tuple[Policy, ...]) -> StateFiles:
    """The state documents that some policies name, together."""
    configs = [p.codifica for p in policies if p.codifica is not None]
    return StateFiles(tuple(dict.fromkeys(c.state for c in configs)), tuple(dict.fromkeys(c.spec for c in configs)))


class World:
    """One repository during one push: reads each thing once.

    Attributes:
        store: its objects.
        introduction: the commit from which on the guard judges; None as long as there is none.
    """

    def __init__(self, store: Store, introduction: ObjectId | None, cache: PolicyCache | None = None) -> None:
        self.store = store
        self.introduction = introduction
        self._cache = cache
        self._rooted: dict[ObjectId, bool] = {}
        self._policies: dict[tuple[bytes | None, ...], Policy | None] = {}
        self._ids: dict[ObjectId, tuple[bytes | None, ...]] = {}
        self._documents: Kept[tuple[RepoPath, Entry], Document] = Kept(_DOCUMENT_BYTES)
        self._sizes: Kept[Entry, int] = Kept(_VALUES)
        self._newest: Kept[RepoPath, tuple[bytes, Document]] = Kept(_DOCUMENT_BYTES)
        self._sound: Kept[tuple[RepoPath, Entry], bool] = Kept(_VALUES)
        self._differences: Kept[tuple[RepoPath, Entry | None, Entry | None], Difference] = Kept(_DOCUMENT_BYTES)
        self._trees: Kept[tuple[StateFiles, ObjectId], tuple[tuple[RepoPath, Entry], ...]] = Kept(_VALUES)
        self._snapshots: Kept[tuple[tuple[RepoPath, Entry], ...], Snapshot] = Kept(_DOCUMENT_BYTES)
        self._deltas: Kept[tuple[ObjectId | None, ObjectId], Delta] = Kept(_DELTA_PATHS)
        self._trailers: Kept[ObjectId, Trailers] = Kept(_VALUES)

    # -- policies

    def rooted(self, oid: ObjectId) -> bool:
        """Whether a commit descends from the introduction.

        Of commits that a judged branch had before, a policy in the tree is the sign: the judge let none in that has one
        without descending, so history need not be walked. Where there is none, it is walked.
        """
        known = self._rooted.get(oid)
        if known is None:
            known = self._rooted[oid] = self._descends(oid)
        return known

    def _descends(self, oid: ObjectId) -> bool:
        if self.introduction is None:
            return False
        has_policy = oid == self.introduction or self.trust_ids(oid)[0] is not None
        return has_policy or is_ancestor(self.store, self.introduction, oid)

    def root(self, commits: tuple[ObjectId, ...]) -> None:
        """Say of new commits, parents first, whether they descend from the introduction."""
        for oid in commits:
            self._rooted[oid] = oid == self.introduction or any(self.rooted(p) for p in self.store.commit(oid).parents)

    def forget(self, introduction: ObjectId, strays: Iterable[ObjectId] = ()) -> None:
        """Stand on another introduction: nothing is known any more of what descends from it, but of strays, which do not."""
        self.introduction = introduction
        self._rooted = dict.fromkeys(strays, False)

    def trust_ids(self, oid: ObjectId) -> tuple[bytes | None, ...]:
        """Ids of the trust files in a commit's tree: guard, codifica, signers, revoked; None where absent or no file."""
        known = self._ids.get(oid)
        if known is None:
            known = self._ids[oid] = self._trust_ids_of(self.store.commit(oid).tree)
        return known

    def _trust_ids_of(self, tree: ObjectId) -> tuple[bytes | None, ...]:
        entries = [entry_at(self.store, tree, p) for p in (GUARD_FILE, CODIFICA_FILE, SIGNERS_FILE, REVOKED_FILE)]
        return tuple(e.id if e is not None and e.is_file else None for e in entries)

    def own_policy(self, oid: ObjectId) -> Policy | None:
        """The policy in a commit's tree, whether it counts or not; None where there is no guard.json."""
        return self._policy_by(self.trust_ids(oid))

    def policy_of_tree(self, tree: ObjectId) -> Policy | None:
        """The policy in a tree that need not be a commit's yet."""
        return self._policy_by(self._trust_ids_of(tree))

    def _policy_by(self, ids: tuple[bytes | None, ...]) -> Policy | None:
        if ids not in self._policies:
            guard, codifica, signers, revoked = (self._file(i) for i in ids)
            files = PolicyFiles(guard=guard, codifica=codifica, signers=signers, revoked=revoked, ids=ids)
            self._policies[ids] = load_policy(files, self._cache)
        return self._policies[ids]

    def policy(self, oid: ObjectId) -> Policy | None:
        """The policy that a commit carries: its own, if it descends from the introduction."""
        return self.own_policy(oid) if self.rooted(oid) else None

    def _file(self, oid: bytes | None) -> bytes | None:
        if oid is None:
            return None
        try:
            return self.store.blob(ObjectId(oid), POLICY_BYTES)
        except LimitExceeded:
            return b"\0"  # too long is a fault of the file, told like one that cannot be parsed

    # -- trees

    def delta(self, before: ObjectId | None, after: ObjectId) -> Delta:
        """Changed leaves between two trees."""
        key = (before, after)
        known = self._deltas.get(key)
        if known is None:
            known = diff(self.store, before, after)
            self._deltas.put(key, known, len(known) + 1)
        return known

    def exists(self, commit: ObjectId, path: RepoPath) -> bool:
        """Whether a path is in a commit's tree; False for a commit that is not there."""
        try:
            return entry_at(self.store, self.store.commit(commit).tree, path) is not None
        except GuardError:
            return False

    def trailers(self, commit: Commit) -> Trailers:
        """The trailers of a commit's message."""
        from codifica_guard.git.message import parse_trailers  # noqa: PLC0415 - not needed before a commit is judged

        known = self._trailers.get(commit.id)
        return known if known is not None else self._trailers.put(commit.id, parse_trailers(commit.message))

    # -- states

    def document(self, path: RepoPath, entry: Entry) -> Document:
        """A state document, split; an entry that is no file, or a file past the limit, is one that cannot be split."""
        key = (path, entry)
        known = self._documents.get(key)
        if known is None:
            known = self._split(path, entry)
            self._documents.put(key, known, self._size(entry))
        return known

    def _split(self, path: RepoPath, entry: Entry) -> Document:
        if not entry.is_file:
            return Document(path=path, splittable=False)
        try:
            data = self.store.blob(entry.id, DOCUMENT_BYTES)
        except LimitExceeded:
            fault = Fault(
                code="ST107",
                line=1,
                found=f"more than {DOCUMENT_BYTES // 2**20} MiB",
                expected="several smaller documents",
            )
            return Document(path=path, faults=(fault,), splittable=False)
        self._sizes.put(entry, len(data))
        newest = self._newest.get(path)
        document = resplit(path, *newest, data) if newest is not None else split(path, data)
        self._newest.put(path, (data, document), len(data))
        return document

    def _size(self, entry: Entry) -> int:
        return (self._sizes.get(entry) or 0) + 1

    def sound(self, path: RepoPath, entry: Entry) -> bool:
        """Whether a state document can be split into tasks, each id once."""
        known = self._sound.get((path, entry))
        if known is None:
            document = self.document(path, entry)
            known = document.splittable and len({b.id for b in document.blocks}) == len(document.blocks)
            self._sound.put((path, entry), known)
        return known

    def difference(self, path: RepoPath, before: Entry | None, after: Entry | None) -> Difference:
        """Where two versions of a state document differ; None is no version."""
        key = (path, before, after)
        known = self._differences.get(key)
        if known is None:
            old, new = (self.document(path, e) if e is not None else None for e in (before, after))
            known = difference(old, new)
            weight = sum(len(b.raw) for b in (*known.before, *known.after))
            self._differences.put(key, known, weight + 1)
        return known

    def snapshot(self, tree: ObjectId, files: StateFiles) -> Snapshot:
        """All state documents of a tree.

        Raises:
            LimitExceeded: more documents or tasks than may be.
        """
        entries = self._trees.get((files, tree))
        if entries is None:
            entries = self._entries(tree, files)
            self._trees.put((files, tree), entries, len(entries) + 1)
        known = self._snapshots.get(entries)
        if known is None:
            if len(entries) > STATE_DOCUMENTS:
                raise LimitExceeded(f"more than {STATE_DOCUMENTS} state documents")
            documents = {path: self.document(path, entry) for path, entry in entries}
            if sum(len(d.blocks) for d in documents.values()) > TASKS:
                raise LimitExceeded(f"more than {TASKS} tasks over all state documents")
            known = Snapshot(documents, dict(entries))
            self._snapshots.put(entries, known, sum(self._size(entry) for _, entry in entries) + 1)
        return known

    def _entries(self, tree: ObjectId, files: StateFiles) -> tuple[tuple[RepoPath, Entry], ...]:
        paths = files.literal()
        if paths is not None:
            found = ((p, entry_at(self.store, tree, p)) for p in sorted(set(paths)))
            return tuple((p, e) for p, e in found if e is not None)
        return tuple((p, e) for p, e in self._below(tree, files) if p in files)

    def _below(self, tree: ObjectId, files: StateFiles) -> Iterator[tuple[RepoPath, Entry]]:
        """Leaves below the folders that the patterns name without wildcards."""
        folders = {_fixed_folder(p) for g in files.globs for p in g.patterns}
        if b"" in folders:
            folders = {b""}
        seen: set[RepoPath] = set()
        for folder in sorted(folders):
            for path, entry in leaves(self.store, tree, folder):
                if path not in seen:
                    seen.add(path)
                    yield path, entry


def _fixed_folder(pattern: str) -> bytes:
    """The folder of a pattern up to its first wildcard; empty for the root."""
    fixed = pattern
    for number, char in enumerate(pattern):
        if char in "*?[{!(+@\\":
            fixed = pattern[:number]
            break
    return fixed.rpartition("/")[0].encode("utf-8", "surrogateescape")
