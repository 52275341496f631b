"""Commits and trees, read from their raw bytes; what two readers could read differently is named or refused."""

import re
from operator import lt
from typing import Final

from codifica_guard.errors import LimitExceeded, MalformedObject
from codifica_guard.limits import COMMIT_BYTES
from codifica_guard.model.commit import Commit, Entry
from codifica_guard.model.ids import ObjectId, short

LATEST: Final = 253_402_300_799
"""Seconds of the last second of the year 9999: later ones no calendar of ours can name."""

_PERSON: Final = re.compile(rb"(?:[^<>\n]* )?<[^<>\n]*> (0|[1-9][0-9]*) [+-](?:0[0-9]|1[0-4])[0-5][0-9]")
_TIME: Final = re.compile(rb"> *([0-9]{1,12}) [+-][0-9]+\Z")
_HEX: Final = {40: re.compile(rb"[0-9a-f]{40}"), 64: re.compile(rb"[0-9a-f]{64}")}
_FAULTS_TOLD: Final = 20
"""Faults of one commit that are told: one is enough to refuse it, and a hostile one has thousands."""

_LEADING: Final = (b"tree", b"parent", b"author", b"committer")
_ONCE: Final = frozenset((b"tree", b"author", b"committer", b"encoding", b"gpgsig", b"gpgsig-sha256"))

_ENTRIES: Final = {
    width: re.compile(rb"(40000|100644|100755|100664|120000|160000) ([^\0/]+)\0(.{%d})" % width, re.DOTALL)
    for width in (20, 32)
}
_SOUND: Final = {
    width: re.compile(rb"(?:(?:40000|1(?:00(?:644|755|664)|20000|60000)) [^\0/]+\0.{%d})*" % width, re.DOTALL)
    for width in (20, 32)
}
_RESERVED: Final = frozenset((b".", b".."))


def parse_commit(oid: ObjectId, data: bytes) -> Commit:
    """A commit, whatever its bytes are; all that Git's readers could read differently stands in its `faults`.

    Args:
        oid: its id; 40 digits mean that `gpgsig` is its signature, 64 that `gpgsig-sha256` is.
        data: the object's bytes without Git's own object header.

    Raises:
        LimitExceeded: it is larger than `COMMIT_BYTES`.
    """
    if len(data) > COMMIT_BYTES:
        raise LimitExceeded(f"commit {short(oid)} has {len(data)} bytes, more than {COMMIT_BYTES}")
    faults: list[str] = []
    head, separator, message = data.partition(b"\n\n")
    if not separator:
        head = head.removesuffix(b"\n")
        faults.append("no blank line ends the headers")
    if b"\0" in data:
        faults.append("a NUL byte")
    headers = _headers(head, faults)
    values: dict[bytes, bytes] = {}
    parents: list[ObjectId] = []
    behind_tree = True
    for name, value in headers:
        if name == b"parent":
            # Git takes the parents that stand right behind the tree, and no others.
            if behind_tree:
                parents.extend(_ids(value, oid, faults))
            continue
        behind_tree = behind_tree and name == b"tree"
        if name not in values:
            values[name] = value
        elif name in _ONCE:
            faults.append(f"two `{name.decode()}` headers")
    _check_order(headers, faults)
    trees = _ids(values[b"tree"], oid, faults) if b"tree" in values else ()
    for name in (b"author", b"committer"):
        _check_person(name, values.get(name), faults)
    committer = values.get(b"committer", b"")
    match = _TIME.search(committer)
    time = int(match[1]) if match else 0
    signature = values.get(b"gpgsig" if len(oid) == 40 else b"gpgsig-sha256")
    return Commit(
        id=oid,
        tree=trees[0] if trees else ObjectId(b"0" * len(oid)),
        parents=tuple(parents),
        author=values.get(b"author", b""),
        committer=committer,
        committer_time=time if time <= LATEST else 0,
        message=message,
        signature=None if signature is None else signature + b"\n",
        signed=_signed(data, head) if b"gpgsig" in head else data,
        faults=tuple(dict.fromkeys(faults))[:_FAULTS_TOLD],
    )


def _headers(head: bytes, faults: list[str]) -> list[tuple[bytes, bytes]]:
    """Names and unfolded values, in order."""
    headers: list[tuple[bytes, list[bytes]]] = []
    for line in head.split(b"\n"):
        if line.startswith(b" "):
            if not headers or headers[-1][0] in _LEADING:
                faults.append("a header is folded that may not be")
            if headers:
                headers[-1][1].append(line[1:])
            continue
        name, blank, value = line.partition(b" ")
        if not blank or not name:
            faults.append("a header line without a name or a value")
        elif name.startswith(b"gpgsig") and name not in _ONCE:
            faults.append("an unknown header that starts with `gpgsig`")
        headers.append((name, [value]))
    return [(name, b"\n".join(values)) for name, values in headers]


def _check_order(headers: list[tuple[bytes, bytes]], faults: list[str]) -> None:
    names = [name for name, _ in headers]
    leading = [name for name in names if name in _LEADING]
    needed = (b"tree", b"author", b"committer")
    faults.extend(f"no `{name.decode()}` header" for name in needed if name not in leading)
    if leading != sorted(leading, key=_LEADING.index) or names[: len(leading)] != leading:
        faults.append("headers in another order than tree, parent, author, committer")


def _ids(value: bytes, oid: ObjectId, faults: list[str]) -> tuple[ObjectId, ...]:
    """The id in a header; none where it has not the form. Git reads capital digits, too, so they are followed."""
    if _HEX[len(oid)].fullmatch(value):
        return (ObjectId(value),)
    faults.append(f"a malformed object id {value[:80]!r}")
    return (ObjectId(value.lower()),) if _HEX[len(oid)].fullmatch(value.lower()) else ()


def _check_person(name: bytes, value: bytes | None, faults: list[str]) -> None:
    if value is None:
        return
    match = _PERSON.fullmatch(value)
    if match is None:
        faults.append(f"the `{name.decode()}` header is not `Name <mail> seconds zone`, or its zone does not exist")
    elif len(match[1]) > 12 or int(match[1]) > LATEST:
        faults.append(f"the `{name.decode()}` header has an impossible time")


def _signed(data: bytes, head: bytes) -> bytes:
    """The bytes that Git signs: all headers named `gpgsig...` are taken out, with the lines that go on from them."""
    kept: list[bytes] = []
    inside = False
    for line in head.split(b"\n"):
        inside = line.startswith(b"gpgsig") or (inside and line.startswith(b" "))
        if not inside:
            kept.append(line + b"\n")
    return b"".join(kept) + data[len(head) + 1 :]


def parse_tree(data: bytes, oid_bytes: int) -> tuple[tuple[bytes, Entry], ...]:
    """The entries of a tree that every reader reads alike.

    Args:
        data: the tree's bytes.
        oid_bytes: 20 (SHA-1) or 32 (SHA-256).

    Raises:
        MalformedObject: cut off, an unknown mode, a name that is empty, `.`, `..`, `.git` or holds a `/`, two entries of
            one name, or another order than Git's.
    """
    check_tree(data, oid_bytes)
    return tuple(
        (name, Entry(int(mode, 8), ObjectId(raw.hex().encode())))
        for mode, name, raw in _ENTRIES[oid_bytes].findall(data)
    )


def check_tree(data: bytes, oid_bytes: int) -> None:
    """Raise what `parse_tree` raises, for the price of a scan."""
    sound = _SOUND[oid_bytes].match(data)
    if sound is None or sound.end() != len(data):
        raise MalformedObject("a tree with an entry that is cut off, or has an unknown mode or a bad name")
    entries = _ENTRIES[oid_bytes].findall(data)
    names = [name for _, name, _ in entries]
    keys = [sort_key(mode, name) for mode, name, _ in entries]
    for name in names:
        if len(name) <= 4:
            check_name(name)
    if len(set(names)) != len(names) or not all(map(lt, keys, keys[1:])):
        # The same words as where two trees are compared: which of the two meets a tree depends on what was read before.
        raise MalformedObject("a tree whose entries are not in order, or with two entries of one name")


def check_name(name: bytes) -> None:
    """Raise `MalformedObject` for the names that no tree may hold."""
    if name in _RESERVED or name.lower() == b".git":
        raise MalformedObject(f"a tree with an entry named {name.decode()!r}")


def sort_key(mode: bytes, name: bytes) -> bytes:
    """What Git sorts the entries of a tree by: folders as if their name ended in a slash."""
    return name + b"/" if mode == b"40000" else name
