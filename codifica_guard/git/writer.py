"""New objects: loose, whole or not there at all."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH101, PTH102, PTH105, PTH108, PTH110, PTH116, PTH118

import os
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from codifica_guard.errors import RepositoryError
from codifica_guard.git.location import Location
from codifica_guard.git.raw import parse_tree, sort_key
from codifica_guard.git.store import Store
from codifica_guard.limits import TREE_DEPTH
from codifica_guard.model.commit import TREE, Entry
from codifica_guard.model.ids import ObjectId

_HEADER_VALUE: Final = re.compile(rb"[^\0\n]+")


def write_object(location: Location, object_format: Literal["sha1", "sha256"], kind: str, data: bytes) -> ObjectId:
    """Write one loose object and give its id; after a crash at any point it is there whole, or not at all.

    Args:
        location: its first object folder is written to.
        object_format: `sha1` or `sha256`.
        kind: `commit`, `tree`, `blob` or `tag`.
        data: the object's bytes without Git's own object header.

    Raises:
        RepositoryError: the file system refuses.
    """
    # Only few hooks and commands write; the others do not pay for these.
    import hashlib  # noqa: PLC0415
    import tempfile  # noqa: PLC0415
    import zlib  # noqa: PLC0415

    whole = b"%s %d\0%s" % (kind.encode("ascii"), len(data), data)
    oid = hashlib.new(object_format, whole, usedforsecurity=False).hexdigest().encode("ascii")
    objects = location.object_dirs[0]
    folder = os.path.join(objects, oid[:2])
    path = os.path.join(folder, oid[2:])
    if os.path.exists(path):
        return ObjectId(oid)
    try:
        _make_folder(folder, objects)
        handle, temporary = tempfile.mkstemp(prefix=b"tmp_obj_", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(zlib.compress(whole, 1))
                file.flush()
                os.fsync(file.fileno())
                os.fchmod(file.fileno(), 0o444)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise RepositoryError(f"cannot write an object: {error.strerror}") from error
    return ObjectId(oid)


def _make_folder(folder: bytes, objects: bytes) -> None:
    """A folder with the rights of the one above it, so that a repository shared by a group stays so."""
    try:
        os.mkdir(folder)
    except FileExistsError:
        return
    os.chmod(folder, os.stat(objects).st_mode & 0o7777)


def edit_tree(
    store: Store, location: Location, base: ObjectId | None, changes: Mapping[bytes, Entry | None]
) -> ObjectId:
    """Write the trees that a tree needs once leaves are put in (an `Entry`) or taken out (None); give the new root's id.

    Folders that are empty afterwards are gone; a file in the way of a folder is replaced by it.

    Raises:
        RepositoryError: a path that no tree may hold, two changes that exclude each other, or a failed write.
        MissingObject: a tree of the base is not there.
        MalformedObject: a tree of the base that readers could read differently.
    """
    return _edit(store, location, base, dict(changes), 0) or write_object(location, store.object_format, "tree", b"")


def _edit(
    store: Store, location: Location, base: ObjectId | None, changes: dict[bytes, Entry | None], depth: int
) -> ObjectId | None:
    """Id of the edited tree; None where nothing is left in it."""
    if depth > TREE_DEPTH:
        raise RepositoryError(f"folders more than {TREE_DEPTH} deep")
    entries = {} if base is None else dict(parse_tree(store.tree(base), store.id_length // 2))
    for name, below in _put_here(entries, changes).items():
        old = entries.get(name)
        tree = _edit(store, location, old.id if old and old.mode == TREE else None, below, depth + 1)
        if tree is not None:
            entries[name] = Entry(TREE, tree)
        elif old is not None and old.mode == TREE:
            del entries[name]
    if not entries:
        return None
    return write_object(location, store.object_format, "tree", _tree_bytes(entries))


def _put_here(
    entries: dict[bytes, Entry], changes: dict[bytes, Entry | None]
) -> dict[bytes, dict[bytes, Entry | None]]:
    """Make the changes of one folder's own entries, and give those further down by the folder's name."""
    inner: dict[bytes, dict[bytes, Entry | None]] = {}
    for path, entry in changes.items():
        name, slash, rest = path.partition(b"/")
        if not name or name in {b".", b".."} or name.lower() == b".git" or b"\0" in name:
            raise RepositoryError(f"no tree may hold the path {path[:80]!r}")
        if slash:
            inner.setdefault(name, {})[rest] = entry
        elif entry is None:
            entries.pop(name, None)
        else:
            entries[name] = entry
    for name in inner:
        if changes.get(name) is not None:
            raise RepositoryError(f"a file and a folder are both put at {name[:80]!r}")
    return inner


def _tree_bytes(entries: Mapping[bytes, Entry]) -> bytes:
    rows = [(b"%o" % entry.mode, name, bytes.fromhex(entry.id.decode("ascii"))) for name, entry in entries.items()]
    rows.sort(key=lambda row: sort_key(row[0], row[1]))
    return b"".join(b"%s %s\0%s" % row for row in rows)


def commit_bytes(
    tree: ObjectId,
    parents: Sequence[ObjectId],
    author: bytes,
    committer: bytes,
    message: bytes,
    signature: str | None = None,
    id_length: int = 40,
) -> bytes:
    """The bytes of a commit; without a signature they are what Git's signature covers.

    Args:
        tree: id of its tree.
        parents: ids of its parents, in order.
        author: `Name <mail> seconds zone`.
        committer: the same.
        message: all of the message, its final line end included.
        signature: armoured SSH signature of the commit without it.
        id_length: 40 or 64 digits, which decides the signature header's name.

    Raises:
        RepositoryError: a person that does not fit into one header line.
    """
    for person in (author, committer):
        if not _HEADER_VALUE.fullmatch(person):
            raise RepositoryError(f"no person of a commit: {person[:80]!r}")
    lines = [b"tree " + tree, *(b"parent " + parent for parent in parents)]
    lines += [b"author " + author, b"committer " + committer]
    if signature is not None:
        name = b"gpgsig" if id_length == 40 else b"gpgsig-sha256"
        lines.append(name + b" " + signature.strip("\n").encode("utf-8").replace(b"\n", b"\n "))
    return b"\n".join(lines) + b"\n\n" + message
