"""What a push was judged to be, kept from `pre-receive` until `post-receive` has made receipts of it.

One file for each update of a judged branch, named by what it updates; written whole or not at all. Only what `pre-receive` let in is
here, and of that some never came in: another push was faster, or another hook refused. The folder is there only while something
is in it, so that the shim of `post-receive` sees whether there is anything to do.
"""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH101, PTH102, PTH105, PTH106, PTH108, PTH116, PTH118, PTH123

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from stat import S_ISREG
from typing import Final

from codifica_guard.audit.receipt_file import read_receipt, write_receipt
from codifica_guard.errors import LimitExceeded, MalformedReceipt, RepositoryError
from codifica_guard.git.location import Location
from codifica_guard.limits import PENDING_FILES, RECEIPT_BYTES
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.value import value

FOLDER: Final = b"codifica-guard"
PENDING: Final = b"pending"
KEPT_SECONDS: Final = 24 * 60 * 60
"""How long a file of a push that never came in stays."""

_NAME: Final = re.compile(rb"[0-9a-f]{64}")
_DRAFT: Final = b"draft-"
_TRIES: Final = 1000
_DIGEST_LINE: Final = 65


@value
class Held:
    """One file that is pending.

    Attributes:
        name: its name in the folder.
        at: when it was written, nanoseconds since the epoch by the file system's clock: tells which of two came later.
        draft: what the receipt will say; None where the file is torn or none of ours.
    """

    name: bytes
    at: int
    draft: Receipt | None


def push_id() -> str:
    """16 hexadecimal digits that no other push has."""
    return os.urandom(8).hex()


def folder(location: Location) -> bytes:
    """The folder of pending files, whether it is there or not."""
    return os.path.join(location.common_dir, FOLDER, PENDING)


def name_of(ref: RefName, old: ObjectId | None, new: ObjectId | None) -> bytes:
    """The file's name of one update: one that is judged again has the same file."""
    null = b"0" * len(old or new or b"")
    return hashlib.sha256(b"%s %s %s" % (old or null, new or null, ref)).hexdigest().encode()


def write(location: Location, drafts: Sequence[Receipt]) -> None:
    """Keep what receipts will say of a push: all of it, or nothing.

    Raises:
        RepositoryError: the file system refuses.
        LimitExceeded: a draft does not fit into a receipt.
    """
    files = [(_name(draft), _bytes(draft)) for draft in drafts]
    done: list[bytes] = []
    try:
        for name, data in files:
            _put(location, name, data)
            done.append(name)
    except OSError as error:
        drop(location, done)
        raise RepositoryError(f"cannot keep what the receipt of the push will say: {error.strerror}") from error
    except BaseException:
        drop(location, done)
        raise


def names(location: Location) -> frozenset[bytes]:
    """The names of all that is in the folder; none where it is not there."""
    try:
        return frozenset(os.listdir(folder(location)))  # noqa: PTH208 - bytes
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()
    except OSError as error:
        raise RepositoryError(f"cannot look for pending receipts: {error.strerror}") from error


def read(location: Location, wanted: Iterable[bytes]) -> tuple[Held, ...]:
    """The files of these names that are ours, the oldest first; of more than `PENDING_FILES` the oldest.

    Those that went away meanwhile, and what is no file, are left out.
    """
    place = folder(location)
    known: list[tuple[int, bytes]] = []
    for name in wanted:
        if _NAME.fullmatch(name) or name.startswith(_DRAFT):
            with suppress(OSError):
                seen = os.lstat(os.path.join(place, name))
                if S_ISREG(seen.st_mode):
                    known.append((seen.st_mtime_ns, name))
    found: list[Held] = []
    for at, name in sorted(known)[:PENDING_FILES]:
        with suppress(OSError), open(os.path.join(place, name), "rb") as file:
            data = file.read(RECEIPT_BYTES + _DIGEST_LINE + 1)
            found.append(Held(name=name, at=at, draft=_draft(name, data)))
    return tuple(found)


def drop(location: Location, gone: Iterable[bytes]) -> None:
    """Take files away, and the folder with the last of them; what cannot be taken away stays."""
    place = folder(location)
    for name in gone:
        with suppress(OSError):
            os.unlink(os.path.join(place, name))
    with suppress(OSError):
        os.rmdir(place)


# -- one file


def _name(draft: Receipt) -> bytes:
    if draft.ref is None:
        raise AssertionError("only an update of a branch is handed over")
    return name_of(draft.ref, draft.old, draft.new)


def _bytes(draft: Receipt) -> bytes:
    body = write_receipt(draft)
    if (
        len(body) > RECEIPT_BYTES // 2
    ):  # the rest is for the branches that the chain knows, and for the signature's sake
        raise LimitExceeded(f"more transitions and warnings than fit into a receipt of {RECEIPT_BYTES} bytes")
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def _put(location: Location, name: bytes, data: bytes) -> None:
    """Write one file; whoever looks sees the whole of it or nothing.

    It is not forced to the disk, as little as Git does that with a ref: both may be gone after a power failure.
    """
    place = folder(location)
    draft = os.path.join(place, b"%s%d-%s" % (_DRAFT, os.getpid(), name))
    handle, rights = _create(place, draft)
    try:
        with open(handle, "wb") as file:
            os.fchmod(file.fileno(), rights & 0o666)
            file.write(data)
        os.replace(draft, os.path.join(place, name))
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _create(place: bytes, path: bytes) -> tuple[int, int]:
    """A new file in the folder, which is made where it is not there; its handle, and the rights that the folder has.

    Somebody else may take the empty folder away between the two steps; then both are taken again.
    """
    for _ in range(_TRIES):
        rights = _make(place)
        with suppress(FileNotFoundError):
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), rights
    raise FileNotFoundError(2, "the folder of pending receipts goes away again and again")


def _make(place: bytes) -> int:
    """The folder, with the rights of the repository, so that one that is shared by a group stays so; the rights."""
    above = os.path.dirname(place)  # noqa: PTH120 - bytes
    rights = os.stat(os.path.dirname(above)).st_mode & 0o7777  # noqa: PTH120 - bytes
    for path in (above, place):
        with suppress(FileExistsError, FileNotFoundError):
            os.mkdir(path)
            os.chmod(path, rights)
    return rights


def _draft(name: bytes, data: bytes) -> Receipt | None:
    digest, _, body = data.partition(b"\n")
    if digest != hashlib.sha256(body).hexdigest().encode():
        return None
    try:
        draft = read_receipt(body)
    except MalformedReceipt:
        return None
    return draft if draft.ref is not None and name == _name(draft) else None
