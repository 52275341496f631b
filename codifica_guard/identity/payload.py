"""What a signature covers: what a commit does, not where it sits.

The grammar: three head lines, then one fact a line, sorted by bytes, each line ended by LF. A fact has its line only where
the values of all parents and of the commit are not all equal, so it stays as it is while others change other things.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from codifica_guard.model.commit import Entry

VERSION: Final = b"codifica-guard-commit-v1"
NAMESPACE: Final = "codifica-guard"
WRITER_NAMESPACE: Final = "codifica-writer"

_ESCAPES: Final[Mapping[int, bytes]] = {
    7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 34: b'\\"', 92: b"\\\\",
}  # fmt: skip
_BARE: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


def quote(value: bytes) -> bytes:
    """A value between quotes, always: printable ASCII as it is, everything else escaped; one value has one form."""
    return (
        b'"' + b"".join(_ESCAPES.get(b) or (bytes((b,)) if 0x20 <= b <= 0x7E else b"\\%03o" % b) for b in value) + b'"'
    )


def digest(data: bytes) -> bytes:
    """SHA-256, 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest().encode("ascii")


def _sides(values: Sequence[bytes | None]) -> tuple[bytes, bytes]:
    """The parents' values, joined, and the commit's; `-` where absent."""
    *before, after = values
    return b",".join(v or b"-" for v in before) or b"-", after or b"-"


def _mode(entry: Entry | None) -> bytes | None:
    return b"%06o" % entry.mode if entry else None


def record(protocol: str, name: str, values: Sequence[bytes | None]) -> bytes:
    """`record` line; values are digests, the commit's last."""
    raw = name.encode("utf-8", "surrogateescape")
    ident = raw if raw and _BARE.issuperset(raw) else quote(raw)
    return b"record %s/%s %s %s" % (protocol.encode("ascii"), ident, *_sides(values))


def place(protocol: str, name: str, values: Sequence[bytes | None]) -> bytes:
    """`place` line; values are paths."""
    raw = name.encode("utf-8", "surrogateescape")
    ident = raw if raw and _BARE.issuperset(raw) else quote(raw)
    return b"place %s/%s %s %s" % (
        protocol.encode("ascii"),
        ident,
        *_sides([v if v is None else quote(v) for v in values]),
    )


def order(path: bytes, values: Sequence[Sequence[str] | None]) -> bytes:
    """`order` line; values are the ids of a document, in order."""
    digests = [
        v if v is None else digest(b"".join(i.encode("utf-8", "surrogateescape") + b"\n" for i in v)) for v in values
    ]
    return b"order %s %s %s" % (quote(path), *_sides(digests))


def frame(path: bytes, values: Sequence[bytes | None]) -> bytes:
    """`frame` line; values are digests of the text outside records."""
    return b"frame %s %s %s" % (quote(path), *_sides(values))


def doc(path: bytes, entries: Sequence[Entry | None]) -> bytes:
    """`doc` line: mode, birth and end of a state document."""
    return b"doc %s %s %s" % (*_sides([_mode(e) for e in entries]), quote(path))


def leaf(path: bytes, entries: Sequence[Entry | None]) -> bytes:
    """`path` line: a leaf that is no state document."""
    modes, mode = _sides([_mode(e) for e in entries])
    oids, oid = _sides([e.id if e else None for e in entries])
    return b"path %s %s %s %s %s" % (modes, oids, mode, oid, quote(path))


def trust(path: bytes, values: Sequence[bytes | None]) -> bytes:
    """`trust` line; values are digests of a trust file's content."""
    return b"trust %s %s %s" % (*_sides(values), quote(path))


def parent(oid: bytes) -> bytes:
    """`parent` line: binds a change of trust to its place in history."""
    return b"parent " + oid


def report(block: bytes) -> bytes:
    """`report` line, of a REPORT block of the message."""
    return b"report " + digest(block)


def trailer(key: bytes, value: bytes) -> bytes:
    """`trailer` line, of a Codifica trailer other than Actor, Signature and Writer."""
    return b"trailer %s %s" % (key, quote(value))


def payload(repository: str, actor: str, facts: Iterable[bytes]) -> bytes:
    """The bytes that a commit's signed trailers cover."""
    head = (VERSION, b"repository " + repository.encode("ascii"), b"actor " + actor.encode("utf-8", "surrogateescape"))
    return b"".join(line + b"\n" for line in (*head, *sorted(facts)))
