"""Two raw trees, compared without parsing what they have in common."""

import re
from typing import Final, NamedTuple

from codifica_guard.errors import MalformedObject
from codifica_guard.git.raw import check_name, sort_key

_STEP: Final = 4096
_ENTRY: Final = {w: re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % w, re.DOTALL) for w in (20, 32)}
_STRICT: Final = {
    w: re.compile(rb"(40000|100644|100755|100664|120000|160000) ([^\0/]+)\0(.{%d})" % w, re.DOTALL) for w in (20, 32)
}
_RUN: Final = {w: re.compile(rb"(?:([0-7]+) ([^\0]+)\0.{%d})*" % w, re.DOTALL) for w in (20, 32)}


class RawEntry(NamedTuple):
    """One entry: mode in octal digits, name, id in 20 or 32 bytes."""

    mode: bytes
    name: bytes
    id: bytes


def compare(before: bytes, after: bytes, width: int) -> tuple[list[RawEntry], list[RawEntry]]:
    """The entries that only `before` has, and those that only `after` has.

    Where `before` is sound, `after` is checked as `raw.check_tree` does, but for two entries of one name that are a file
    and a folder (`clashes` finds those), at the price of what differs.

    Args:
        before: raw bytes of a tree.
        after: raw bytes of a tree.
        width: bytes of an id, 20 or 32.

    Raises:
        MalformedObject: one of them cannot be taken apart, or `after` is not sound.
    """
    removed: list[RawEntry] = []
    added: list[RawEntry] = []
    left = right = 0
    last = b""
    while left < len(before) or right < len(after):
        common = _common(before, after, left, right)
        run = _RUN[width].match(before, left, left + common)
        if run is not None and run.end() > left:
            # What is common follows what was added in order, since it follows in a sound `before`.
            last = sort_key(run[1], run[2])
            right += run.end() - left
            left = run.end()
        old = _entry(_ENTRY[width], before, left) if left < len(before) else None
        new = _entry(_STRICT[width], after, right) if right < len(after) else None
        if old is None and new is None:
            break
        old_key = sort_key(old.mode, old.name) if old else None
        new_key = sort_key(new.mode, new.name) if new else None
        if old is not None and (new_key is None or (old_key is not None and old_key <= new_key)):
            removed.append(old)
            left += len(old.mode) + len(old.name) + 2 + width
        if new is not None and (old_key is None or (new_key is not None and new_key <= old_key)):
            check_name(new.name)
            last = _in_order(last, new)
            added.append(new)
            right += len(new.mode) + len(new.name) + 2 + width
    return removed, added


def clashes(after: bytes, added: list[RawEntry]) -> bool:
    """Whether an added entry may share its name with another one; False is certain."""
    return len(added) > 64 or any(after.count(b" " + entry.name + b"\0") > 1 for entry in added)


def find(tree: bytes, name: bytes, width: int) -> RawEntry | None:
    """The first entry of a name in a raw tree, without parsing the others; None where there is none."""
    needle = b" " + name + b"\0"
    boundary = 0
    at = tree.find(needle)
    while at >= 0:
        # An id may hold the same bytes by chance or on purpose, so what was found must begin where an entry begins.
        for digits in (6, 5):
            entry = _ENTRY[width].match(tree, at - digits) if at >= digits else None
            if entry is not None and entry[2] == name:
                run = _RUN[width].match(tree, boundary, at - digits)
                boundary = run.end() if run else boundary
                if boundary == at - digits:
                    return RawEntry(*entry.groups())
        at = tree.find(needle, at + 1)
    return None


def _common(before: bytes, after: bytes, left: int, right: int) -> int:
    """Length of the bytes that both have from these places on."""
    size = min(len(before) - left, len(after) - right)
    at, step = 0, _STEP
    while at < size and before[left + at : left + at + step] == after[right + at : right + at + step]:
        at += step
        step *= 2
    if at >= size:
        return size
    low, high = at, min(at + step, size)
    while high > low:
        middle = (low + high + 1) // 2
        if before[left + low : left + middle] == after[right + low : right + middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _entry(form: re.Pattern[bytes], tree: bytes, at: int) -> RawEntry:
    match = form.match(tree, at)
    if match is None:
        raise MalformedObject("a tree with an entry that is cut off, or has an unknown mode or a bad name")
    return RawEntry(*match.groups())


def _in_order(last: bytes, entry: RawEntry) -> bytes:
    key = sort_key(entry.mode, entry.name)
    if key <= last:
        raise MalformedObject("a tree whose entries are not in order, or with two entries of one name")
    return key
