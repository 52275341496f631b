"""One folder of objects: its packs through dulwich, its loose objects by hand; each read is bounded."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH110, PTH118, PTH123

import os
import zlib
from typing import TYPE_CHECKING, Final

from codifica_guard.errors import LimitExceeded, MalformedObject
from codifica_guard.model.ids import ObjectId, short

if TYPE_CHECKING:
    from dulwich.object_format import ObjectFormat
    from dulwich.pack import Pack

_KINDS: Final = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_OFS_DELTA: Final = 6
_REF_DELTA: Final = 7
_HEADER_BYTES: Final = 64
_TWO_SIZES: Final = 20
_CHUNK: Final = 1024
_STREAM_HEAD: Final = 64 * 1024
_DELTA_CACHE: Final = 64 * 1024 * 1024
"""Bytes of resolved deltas that are kept for each pack: eight versions of the largest document."""


class ObjectFolder:
    """The objects of one folder, without its alternates, its multi-pack index and its commit graph.

    Those three are hints that Git keeps beside the objects; what they say is never needed, and may be wrong.
    """

    def __init__(self, path: bytes, object_format: "ObjectFormat") -> None:
        # Loading dulwich takes longer than a whole hook that needs no objects.
        from dulwich.object_store import DiskObjectStore  # noqa: PLC0415
        from dulwich.pack import PackFileDisappeared  # noqa: PLC0415

        self._gone = PackFileDisappeared
        self._path = path
        self._disk = DiskObjectStore(
            os.fsdecode(path), object_format=object_format, delta_base_cache_limit=_DELTA_CACHE
        )
        self._files: dict[str, int] = {}
        self._packs: list[Pack] = self._disk.packs

    def close(self) -> None:
        """Close all files; a folder that is left open complains into the push."""
        self._disk.close()
        self._packs = []
        while self._files:
            os.close(self._files.popitem()[1])

    def rescan(self) -> bool:
        """Look for packs that came or went since; say whether any did."""
        before = {id(pack) for pack in self._packs}
        # The first call may still hand out packs that it drops on the way.
        _ = self._disk.packs
        self._packs = self._disk.packs
        return before != {id(pack) for pack in self._packs}

    def packed(self, raw: bytes, limit: int) -> tuple[str, bytes] | None:
        """Kind and bytes of an object in a pack; None where no pack here has it.

        Raises:
            LimitExceeded: it is larger than `limit`; it was not unpacked then.
        """
        for pack in self._packs:
            try:
                offset = pack.index.object_offset(raw)  # type: ignore[arg-type]
                data = pack.data
            except (KeyError, self._gone):
                continue
            if self._size(os.fspath(data.path), offset, len(raw)) > limit:
                raise LimitExceeded(f"object {raw.hex()[:7]} is larger than {limit} bytes")
            kind, chunks = pack.resolve_object(offset, *data.get_object_at(offset))
            return _KINDS[kind], chunks if isinstance(chunks, bytes) else b"".join(chunks)  # type: ignore[arg-type]
        return None

    def has_packed(self, raw: bytes) -> bool:
        """Whether a pack here has the object."""
        for pack in self._packs:
            try:
                pack.index.object_offset(raw)  # type: ignore[arg-type]
            except (KeyError, self._gone):
                continue
            return True
        return False

    def _size(self, path: str | bytes, offset: int, oid_bytes: int) -> int:
        """Bytes of an object in a pack, read from its header without unpacking it."""
        name = os.fsdecode(path)
        if name not in self._files:
            self._files[name] = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        head = os.pread(self._files[name], _HEADER_BYTES + oid_bytes, offset)
        kind = head[0] >> 4 & 7
        size, position = head[0] & 15, 1
        shift = 4
        while head[position - 1] & 128:
            size |= (head[position] & 127) << shift
            shift += 7
            position += 1
        if kind not in {_OFS_DELTA, _REF_DELTA}:
            return size
        if kind == _REF_DELTA:
            position += oid_bytes
        else:
            while head[position] & 128:
                position += 1
            position += 1
        # A delta begins with the size of its base and that of its result.
        delta = self._first_bytes(self._files[name], offset + position, _TWO_SIZES)
        at = _varint(delta, 0)[1]
        return _varint(delta, at)[0]

    @staticmethod
    def _first_bytes(handle: int, offset: int, wanted: int) -> bytes:
        """The first bytes of a deflated stream; fewer where it is shorter, or does not begin within `_STREAM_HEAD`."""
        engine, found = zlib.decompressobj(), b""
        # The tables at a stream's start can have hundreds of bytes before the first byte of content comes out.
        for start in range(offset, offset + _STREAM_HEAD, _CHUNK):
            found += engine.decompress(os.pread(handle, _CHUNK, start), wanted - len(found))
            if len(found) >= wanted or engine.eof:
                break
        return found

    def _loose_path(self, oid: bytes) -> bytes:
        return os.path.join(self._path, oid[:2], oid[2:])

    def has_loose(self, oid: ObjectId) -> bool:
        """Whether the object lies here by itself."""
        return os.path.exists(self._loose_path(oid))

    def loose(self, oid: ObjectId, limit: int) -> tuple[str, bytes] | None:
        """Kind and bytes of an object that lies here by itself; None where it does not.

        Raises:
            LimitExceeded: it is larger than `limit`; at most so much of it was unpacked.
            MalformedObject: its header and its bytes do not agree.
        """
        try:
            with open(self._loose_path(oid), "rb") as file:
                packed = file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        engine = zlib.decompressobj()
        data = engine.decompress(packed, _HEADER_BYTES)
        head, end, _ = data.partition(b"\0")
        kind, blank, size = head.partition(b" ")
        if not end or not blank or not size.isdigit() or kind.decode("latin-1") not in _KINDS.values():
            raise MalformedObject(f"object {short(oid)} has a damaged header")
        if int(size) > limit:
            raise LimitExceeded(f"object {short(oid)} has {int(size)} bytes, more than {limit}")
        data = data[len(head) + 1 :] + engine.decompress(engine.unconsumed_tail, int(size) + 1)
        if len(data) != int(size) or not engine.eof:
            raise MalformedObject(f"object {short(oid)} is cut off or goes on behind its end")
        return kind.decode(), data


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        value |= (byte & 127) << shift
        position += 1
        shift += 7
        if not byte & 128:
            return value, position
