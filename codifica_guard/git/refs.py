"""Refs in files: loose ones, packed ones, symbolic ones; read fail-closed, without loading all of them for one."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH114, PTH115, PTH118, PTH123

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from errno import ENAMETOOLONG
from typing import Final

from codifica_guard.errors import RepositoryError
from codifica_guard.git.location import Location
from codifica_guard.limits import REF_NAME_BYTES, SYMREF_DEPTH
from codifica_guard.model.ids import ObjectId, RefName

_BAD_PART: Final = re.compile(rb"[\0-\x20~^:?*\[\\\x7f]|\.\.|@\{")
_PSEUDO: Final = re.compile(rb"[A-Z][A-Z_]*")
_ID: Final = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_PER_WORKTREE: Final = (b"refs/bisect/", b"refs/worktree/", b"refs/rewritten/")


def resolve(location: Location, ref: bytes) -> tuple[RefName, ObjectId | None]:
    """The ref that a name comes down to once symbolic refs are followed, and its id; None where it is not born.

    Raises:
        RepositoryError: a name that no ref may have, a damaged ref, or symbolic refs deeper than `SYMREF_DEPTH`.
    """
    name = check_name(ref)
    for _ in range(SYMREF_DEPTH + 1):
        target, oid = _loose(location, name)
        if target is None:
            return name, oid or _packed(location, name)
        name = target
    raise RepositoryError(f"the symbolic ref {_show(ref)} is more than {SYMREF_DEPTH} deep")


def tips(location: Location, below: bytes) -> Iterator[ObjectId]:
    """The ids of all refs below a folder such as `refs/heads/`, in no order; a ref that is packed and loose gives both.

    A loose ref that cannot be read is left out: whoever asks for all of them asks for none in particular.

    Raises:
        RepositoryError: the list of packed refs cannot be read.
    """
    for line in _packed_refs(location).split(b"\n"):
        oid, _, name = line.partition(b" ")
        if name.startswith(below) and _ID.fullmatch(oid):
            yield ObjectId(oid)
    for folder, _, names in os.walk(os.path.join(location.common_dir, below)):
        for name in names:
            ref = os.path.relpath(os.path.join(folder, name), location.common_dir)
            with suppress(RepositoryError):
                found = _loose(location, check_name(ref))[1]
                if found is not None:
                    yield found


def names(location: Location, below: bytes) -> frozenset[RefName]:
    """The names of all refs below a folder such as `refs/heads/`, symbolic ones too; of a file whose name no ref may have nothing is told.

    Raises:
        RepositoryError: the list of packed refs cannot be read.
    """
    found = {
        line.partition(b" ")[2] for line in _packed_refs(location).split(b"\n") if not line.startswith((b"#", b"^"))
    }
    for folder, _, files in os.walk(os.path.join(location.common_dir, below)):
        found |= {os.path.relpath(os.path.join(folder, file), location.common_dir) for file in files}
    return frozenset(RefName(name) for name in found if name.startswith(below) and _is_name(name))


def head_branch(location: Location) -> RefName | None:
    """What HEAD names, born or not; None where HEAD is detached.

    Raises:
        RepositoryError: there is no HEAD, or it is damaged.
    """
    target, oid = _loose(location, RefName(b"HEAD"))
    if target is None and oid is None:
        raise RepositoryError("the repository has no HEAD")
    return target


def check_name(ref: bytes) -> RefName:
    """The name, if a ref may have it: below `refs/`, or a name in capitals such as HEAD. No such name leaves the repository.

    Raises:
        RepositoryError: no ref may have it.
    """
    if not _is_name(ref):
        raise RepositoryError(f"no ref can have the name {_show(ref)}")
    return RefName(ref)


def _is_name(ref: bytes) -> bool:
    if len(ref) > REF_NAME_BYTES:
        return False
    if not ref.startswith(b"refs/"):
        return _PSEUDO.fullmatch(ref) is not None
    if _BAD_PART.search(ref) or ref.endswith(b"."):
        return False
    return all(part and not part.startswith(b".") and not part.endswith(b".lock") for part in ref.split(b"/"))


def _loose(location: Location, name: RefName) -> tuple[RefName | None, ObjectId | None]:
    """What a ref's own file says: the ref that it names, or an id; neither where there is no file."""
    own = not name.startswith(b"refs/") or name.startswith(_PER_WORKTREE)
    path = os.path.join(location.git_dir if own else location.common_dir, name)
    try:
        if os.path.islink(path):
            # The old form of a symbolic ref, that Git still reads.
            target = os.readlink(path)
            if target.startswith(b"refs/") and _is_name(target):
                return RefName(target), None
        with open(path, "rb") as file:
            text = file.read(2 * REF_NAME_BYTES)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None, None
    except OSError as error:
        if error.errno == ENAMETOOLONG:
            return None, None
        raise RepositoryError(f"cannot read the ref {_show(name)}: {error.strerror}") from error
    if text.startswith(b"ref:"):
        return check_name(text[4:].strip()), None
    match = _ID.match(text)
    if match is None or text[match.end() : match.end() + 1] not in {b"", b" ", b"\t", b"\r", b"\n"}:
        raise RepositoryError(f"the ref {_show(name)} is damaged")
    return None, ObjectId(match[0])


def _packed(location: Location, name: RefName) -> ObjectId | None:
    data = _packed_refs(location)
    at = data.find(b" " + name + b"\n")
    if at < 0:
        return None
    oid = data[data.rfind(b"\n", 0, at) + 1 : at]
    if not _ID.fullmatch(oid):
        raise RepositoryError(f"the packed ref {_show(name)} is damaged")
    return ObjectId(oid)


def _packed_refs(location: Location) -> bytes:
    try:
        with open(os.path.join(location.common_dir, b"packed-refs"), "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise RepositoryError(f"cannot read packed-refs: {error.strerror}") from error
    if data and not data.endswith(b"\n"):
        raise RepositoryError("packed-refs is cut off")
    return data


def _show(ref: bytes) -> str:
    return ascii(ref[:80].decode("utf-8", "backslashreplace"))
