"""Objects by id, from all folders of a repository; the quarantine of a push is one of them."""

import re
from binascii import unhexlify
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Literal, Self, TypeVar

from codifica_guard.errors import GuardError, LimitExceeded, MalformedObject, MissingObject
from codifica_guard.git.location import Location
from codifica_guard.git.packs import ObjectFolder
from codifica_guard.git.raw import parse_commit
from codifica_guard.limits import COMMIT_BYTES, TAG_DEPTH
from codifica_guard.model.commit import Commit
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.model.value import replace

ObjectFormat = Literal["sha1", "sha256"]
T = TypeVar("T")

EMPTY_TREE: Final = {
    40: ObjectId(b"4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
    64: ObjectId(b"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"),
}
"""The tree without entries, which Git knows even where it is not stored."""

OBJECT_BYTES: Final = 512 * 1024 * 1024
"""Bytes of an object that is read where no smaller limit is given: Git streams larger ones."""

_RESCANS: Final = 5
_COMMITS_KEPT: Final = 20_000
_TREE_BYTES_KEPT: Final = 16 * 1024 * 1024
_BLOBS_KEPT: Final = 4
"""Files that are kept: a commit's are split into tasks, and then searched for secrets."""
_BLOB_BYTES_KEPT: Final = 1024 * 1024
_SOUND_KEPT: Final = 50_000
_ID: Final = {40: re.compile(rb"[0-9a-f]{40}"), 64: re.compile(rb"[0-9a-f]{64}")}
_TAG: Final = re.compile(rb"object ([0-9a-f]+)\ntype (?:commit|tree|blob|tag)\n")


def open_store(
    location: Location, object_format: ObjectFormat, cuts: frozenset[ObjectId] = frozenset(), *, hashed: bool = False
) -> "Store":
    """A store over all object folders of a repository. Close it, or use it as a context manager.

    Args:
        location: the repository.
        object_format: of its ids.
        cuts: commits that are read as if they had no parents: where a shallow clone is cut. A server has none.
        hashed: whether the bytes of each object are held against its id. Git does so when objects come in, not when they are read: who
            may write the files could have changed them since.
    """
    from dulwich.object_format import get_object_format  # noqa: PLC0415 - dulwich is slow to load

    known = get_object_format(object_format)
    return Store([ObjectFolder(path, known) for path in location.object_dirs], object_format, cuts, hashed=hashed)


class Store:
    """Raw objects by id. Grafts, replace refs, shallow files and commit graphs play no part.

    Attributes:
        object_format: `sha1` or `sha256`.
        id_length: digits of an object id, 40 or 64.
        sound: ids of trees that passed `raw.check_tree`, as far as they are remembered.
    """

    def __init__(
        self,
        folders: list[ObjectFolder],
        object_format: ObjectFormat,
        cuts: frozenset[ObjectId] = frozenset(),
        *,
        hashed: bool = False,
    ) -> None:
        self._cuts = cuts
        self._hashed = hashed
        self.object_format: ObjectFormat = object_format
        self.id_length: int = 40 if object_format == "sha1" else 64
        self.sound: set[ObjectId] = set()
        self._folders = folders
        self._commits: dict[ObjectId, Commit] = {}
        self._trees: dict[ObjectId, bytes] = {}
        self._tree_bytes = 0
        self._blobs: dict[ObjectId, bytes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all files."""
        with ExitStack() as stack:
            for folder in self._folders:
                stack.callback(folder.close)
        self._folders = []

    def has(self, oid: ObjectId) -> bool:
        """Whether the object is there; what has not the form of an id never is."""
        if oid in self._commits:
            return True
        if not self._is_id(oid):
            return False
        raw = unhexlify(oid)

        def look(folder: ObjectFolder) -> bool | None:
            return folder.has_packed(raw) or folder.has_loose(oid) or None

        return oid == EMPTY_TREE[self.id_length] or bool(self._search(oid, look))

    def raw(self, oid: ObjectId, limit: int = OBJECT_BYTES) -> tuple[str, bytes]:
        """Kind (`commit`, `tree`, `blob`, `tag`) and bytes of an object.

        Raises:
            MissingObject: it is not there, or the id has not the form of one.
            MalformedObject: it is damaged.
            LimitExceeded: it is larger than `limit` bytes; it was not unpacked then.
        """
        if not self._is_id(oid):
            raise MissingObject(f"{oid[:80]!r} is no object id of this repository")
        raw = unhexlify(oid)

        def read(folder: ObjectFolder) -> tuple[str, bytes] | None:
            return folder.packed(raw, limit) or folder.loose(oid, limit)

        found = self._search(oid, read)
        if found is None:
            raise MissingObject(f"object {short(oid)} is not there")
        if self._hashed:
            self._check_hash(oid, *found)
        return found

    def _check_hash(self, oid: ObjectId, kind: str, data: bytes) -> None:
        import hashlib  # noqa: PLC0415 - Git has checked what a push brings

        hashed = hashlib.new(self.object_format, b"%s %d\0" % (kind.encode("ascii"), len(data)), usedforsecurity=False)
        hashed.update(data)
        if hashed.hexdigest().encode("ascii") != oid:
            raise MalformedObject(f"object {short(oid)} is not what its id says, somebody changed its file: git fsck")

    def blob(self, oid: ObjectId, limit: int) -> bytes:
        """A file's bytes.

        Raises:
            MissingObject: it is not there.
            MalformedObject: it is damaged, or no blob.
            LimitExceeded: it is larger than `limit` bytes; it was not unpacked then.
        """
        known = self._blobs.get(oid)
        if known is not None and len(known) <= limit:
            return known
        kind, data = self.raw(oid, limit)
        if kind != "blob":
            raise MalformedObject(f"object {short(oid)} is a {kind}, not a blob")
        if len(data) <= _BLOB_BYTES_KEPT:
            self._blobs[oid] = data
            if len(self._blobs) > _BLOBS_KEPT:
                del self._blobs[next(iter(self._blobs))]
        return data

    def commit(self, oid: ObjectId) -> Commit:
        """A commit, read from its raw bytes; asked again, the same value.

        Raises:
            MissingObject: it is not there.
            MalformedObject: it is damaged, or no commit.
            LimitExceeded: it is larger than `COMMIT_BYTES`.
        """
        known = self._commits.get(oid)
        if known is not None:
            return known
        kind, data = self.raw(oid, COMMIT_BYTES)
        if kind != "commit":
            raise MalformedObject(f"object {short(oid)} is a {kind}, not a commit")
        commit = parse_commit(oid, data)
        if oid in self._cuts:
            commit = replace(commit, parents=())
        if len(self._commits) >= _COMMITS_KEPT:
            self._commits.clear()
        self._commits[oid] = commit
        return commit

    def tree(self, oid: ObjectId) -> bytes:
        """A tree's raw bytes, not checked.

        Raises:
            MissingObject: it is not there.
            MalformedObject: it is damaged, or no tree.
        """
        known = self._trees.get(oid)
        if known is not None:
            return known
        if oid == EMPTY_TREE[self.id_length]:
            return b""
        kind, data = self.raw(oid)
        if kind != "tree":
            raise MalformedObject(f"object {short(oid)} is a {kind}, not a tree")
        self._trees[oid] = data
        self._tree_bytes += len(data)
        while self._tree_bytes > _TREE_BYTES_KEPT:
            self._tree_bytes -= len(self._trees.pop(next(iter(self._trees))))
        return data

    def mark_sound(self, oid: ObjectId) -> None:
        """Remember that a tree passed its check."""
        if len(self.sound) >= _SOUND_KEPT:
            self.sound.clear()
        self.sound.add(oid)

    def peel(self, oid: ObjectId) -> tuple[str, ObjectId]:
        """Kind and id of what an object is once all tags are taken off it.

        Raises:
            MissingObject: it, or what a tag names, is not there.
            MalformedObject: a tag that names no object.
            LimitExceeded: tags of tags, deeper than `TAG_DEPTH`.
        """
        for _ in range(TAG_DEPTH + 1):
            if oid in self._commits:
                return "commit", oid
            kind, data = self.raw(oid)
            if kind != "tag":
                return kind, oid
            match = _TAG.match(data)
            if match is None:
                raise MalformedObject(f"tag {short(oid)} names no object")
            oid = ObjectId(match[1])
        raise LimitExceeded(f"tags of tags, more than {TAG_DEPTH} deep")

    def _is_id(self, oid: bytes) -> bool:
        return _ID[self.id_length].fullmatch(oid) is not None

    def _search(self, oid: ObjectId, look: Callable[[ObjectFolder], T | None]) -> T | None:
        """The first thing that a look into the folders finds; a second look follows where packs came or went."""
        try:
            for _ in range(_RESCANS):
                for folder in self._folders:
                    found = look(folder)
                    if found is not None:
                        return found
                # Git may repack at any time; every folder is rescanned, whatever the first one says.
                if sum(folder.rescan() for folder in self._folders) == 0:
                    break
        except GuardError:
            raise
        except Exception as error:  # the one place where a damaged store shows, and it does so in many shapes
            raise MalformedObject(f"object {short(oid)} cannot be read: {type(error).__name__}") from error
        return None
