"""What two trees differ in, and what one tree holds: raw bytes, and only the folders whose ids differ."""

import re
import unicodedata
from binascii import hexlify
from collections.abc import Iterator
from typing import Final

from codifica_guard.errors import LimitExceeded
from codifica_guard.git.raw import check_tree, parse_tree
from codifica_guard.git.store import Store
from codifica_guard.git.treediff import RawEntry, clashes, compare, find
from codifica_guard.limits import CHANGED_PATHS, TREE_DEPTH
from codifica_guard.model.commit import TREE, Delta, Entry
from codifica_guard.model.ids import ObjectId, RepoPath

_IGNORABLE: Final = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Code points that HFS+ leaves out when it compares names."""


def diff(store: Store, before: ObjectId | None, after: ObjectId | None) -> Delta:
    """The leaves that differ between two trees: files, symbolic links and submodules, with their modes.

    A rename is a path that goes and one that comes. A file that becomes a folder goes, and the folder's leaves come.

    Args:
        store: where the trees are.
        before: id of a tree; None for no tree.
        after: id of a tree; None for no tree. All of it that is visited is checked as `raw.parse_tree` does.

    Raises:
        MissingObject: a tree is not there.
        MalformedObject: a tree that readers could read differently.
        LimitExceeded: more than `CHANGED_PATHS` paths, or folders deeper than `TREE_DEPTH`.
    """
    delta: Delta = {}
    waiting: list[tuple[bytes, ObjectId | None, ObjectId | None, int]] = [(b"", before, after, 0)]
    while waiting:
        prefix, old_tree, new_tree, depth = waiting.pop()
        if old_tree == new_tree:
            continue
        if depth > TREE_DEPTH:
            raise LimitExceeded(f"folders more than {TREE_DEPTH} deep")
        removed, added = _changed(store, old_tree, new_tree)
        for name in removed.keys() | added.keys():
            old, new = removed.get(name), added.get(name)
            if old == new:  # an old tree out of order can show one entry on both sides
                continue
            path = RepoPath(prefix + name)
            old_leaf = None if old is None or old.mode == TREE else old
            new_leaf = None if new is None or new.mode == TREE else new
            if old_leaf or new_leaf:
                delta[path] = (old_leaf, new_leaf)
            old_below = None if old is None or old_leaf else old.id
            new_below = None if new is None or new_leaf else new.id
            if old_below or new_below:
                waiting.append((path + b"/", old_below, new_below, depth + 1))
        if len(delta) > CHANGED_PATHS or len(waiting) > CHANGED_PATHS:
            raise LimitExceeded(f"more than {CHANGED_PATHS} changed paths")
    return delta


def _changed(
    store: Store, before: ObjectId | None, after: ObjectId | None
) -> tuple[dict[bytes, Entry], dict[bytes, Entry]]:
    """Entries by name that only one of two trees has; `after` is found sound, and remembered as such."""
    width = store.id_length // 2
    old = b"" if before is None else store.tree(before)
    new = b"" if after is None else store.tree(after)
    # A sound tree before it is what allows the check of only those entries that differ.
    proven = before is None or before in store.sound
    if after is not None and after not in store.sound and not proven:
        check_tree(new, width)
        store.mark_sound(after)
    removed, added = compare(old, new, width)
    if after is not None and after not in store.sound:
        if clashes(new, added):
            check_tree(new, width)
        store.mark_sound(after)
    return _by_name(removed), _by_name(added)


def _by_name(entries: list[RawEntry]) -> dict[bytes, Entry]:
    # Git takes the first of two entries of one name, which only an old tree can still hold.
    return {entry.name: _typed(entry) for entry in reversed(entries)}


def _typed(entry: RawEntry) -> Entry:
    return Entry(int(entry.mode, 8), ObjectId(hexlify(entry.id)))


def entry_at(store: Store, tree: ObjectId, path: bytes) -> Entry | None:
    """What lies at a path, a folder too; None where nothing does. Only the folders on the way are read.

    Raises:
        MissingObject: a tree on the way is not there.
        MalformedObject: a tree on the way is damaged.
        LimitExceeded: the path is deeper than `TREE_DEPTH`.
    """
    parts = path.split(b"/")
    if len(parts) > TREE_DEPTH:
        raise LimitExceeded(f"a path more than {TREE_DEPTH} deep")
    entry = Entry(TREE, tree)
    for part in parts:
        if entry.mode != TREE or not part:
            return None
        found = find(store.tree(entry.id), part, store.id_length // 2)
        if found is None:
            return None
        entry = _typed(found)
    return entry


def leaves(store: Store, tree: ObjectId, below: bytes = b"") -> Iterator[tuple[RepoPath, Entry]]:
    """All leaves of a tree with their full paths, in Git's order; with `below`, those of that folder, or that file.

    Raises:
        MissingObject: a tree is not there.
        MalformedObject: a tree that readers could read differently.
        LimitExceeded: more than `CHANGED_PATHS` leaves, or folders deeper than `TREE_DEPTH`.
    """
    below = below.strip(b"/")
    start = entry_at(store, tree, below) if below else Entry(TREE, tree)
    if start is None:
        return
    waiting = [(below, start)]
    seen = 0
    while waiting:
        path, entry = waiting.pop()
        seen += 1
        if seen > CHANGED_PATHS:
            raise LimitExceeded(f"more than {CHANGED_PATHS} paths")
        if entry.mode != TREE:
            yield RepoPath(path), entry
            continue
        if path.count(b"/") > TREE_DEPTH:
            raise LimitExceeded(f"folders more than {TREE_DEPTH} deep")
        prefix = path + b"/" if path else b""
        entries = parse_tree(store.tree(entry.id), store.id_length // 2)
        waiting.extend((prefix + name, inner) for name, inner in reversed(entries))


def look_alikes(store: Store, tree: ObjectId, path: bytes) -> tuple[RepoPath, ...]:
    """Other entries, on the way to a path and at it, that some file systems take for the same.

    They differ only in case, in Unicode's normal form, or by code points that HFS+ ignores.

    Raises:
        MissingObject: a tree on the way is not there.
        MalformedObject: a tree on the way that readers could read differently.
        LimitExceeded: the path is deeper than `TREE_DEPTH`.
    """
    parts = path.split(b"/")
    if len(parts) > TREE_DEPTH:
        raise LimitExceeded(f"a path more than {TREE_DEPTH} deep")
    found: list[RepoPath] = []
    prefix = b""
    folder: ObjectId | None = tree
    for part in parts:
        if folder is None:
            break
        wanted = _folded(part)
        inner: ObjectId | None = None
        for name, entry in parse_tree(store.tree(folder), store.id_length // 2):
            if name == part:
                inner = entry.id if entry.mode == TREE else None
            elif _folded(name) == wanted:
                found.append(RepoPath(prefix + name))
        prefix += part + b"/"
        folder = inner
    return tuple(found)


def _folded(name: bytes) -> str:
    """What names have in common that a file system may take for one."""
    if name.isascii():
        return name.decode("ascii").lower()
    text = _IGNORABLE.sub("", name.decode("utf-8", "surrogateescape"))
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
