"""Where a repository keeps its objects, refs and configuration: the receive quarantine, forks and worktrees included."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH112, PTH113, PTH114, PTH118, PTH120, PTH123

import os
from collections.abc import Mapping

from codifica_guard.errors import RepositoryError
from codifica_guard.git.quoting import c_unquote, split_path_list
from codifica_guard.limits import ALTERNATE_DEPTH
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.value import value


@value(kw_only=False)
class Location:
    """The folders of one repository.

    Attributes:
        git_dir: the repository, or the private folder of a linked worktree.
        common_dir: what all worktrees share; the same as `git_dir` in an ordinary repository.
        object_dirs: folders of objects, the one that is written to first; each real folder once.
    """

    git_dir: bytes
    common_dir: bytes
    object_dirs: tuple[bytes, ...]


def at(git_dir: bytes, environ: Mapping[bytes, bytes]) -> Location:
    """The repository at a folder, with the object folders that a receive hook's environment adds.

    Args:
        git_dir: the repository's own folder, as `GIT_DIR` names it.
        environ: `GIT_OBJECT_DIRECTORY` and `GIT_ALTERNATE_OBJECT_DIRECTORIES` are read, nothing else.

    Raises:
        RepositoryError: there is no repository, or its list of alternates cannot be read.
    """
    common_dir = _common_dir(git_dir)
    first = environ.get(b"GIT_OBJECT_DIRECTORY") or os.path.join(common_dir, b"objects")
    if not os.path.isfile(os.path.join(git_dir, b"HEAD")) and not os.path.islink(os.path.join(git_dir, b"HEAD")):
        raise RepositoryError(f"no repository at {os.fsdecode(git_dir)}")
    if not os.path.isdir(first):
        raise RepositoryError(f"no objects at {os.fsdecode(first)}")
    given = split_path_list(environ.get(b"GIT_ALTERNATE_OBJECT_DIRECTORIES", b""))
    return Location(git_dir, common_dir, _object_dirs(first, given))


def discover(start: bytes, environ: Mapping[bytes, bytes]) -> Location:
    """The repository that a command started in a folder works on: `GIT_DIR`, else the first one on the way up.

    Raises:
        RepositoryError: there is none, or a `.git` file leads nowhere.
    """
    given = environ.get(b"GIT_DIR")
    if given:
        return at(os.path.join(start, given), environ)
    git_dir, _ = _search(start)
    if git_dir is None:
        raise RepositoryError(f"no repository at {os.fsdecode(start)} or above it")
    return at(git_dir, environ)


def top_level(start: bytes, environ: Mapping[bytes, bytes]) -> bytes | None:
    """The root of the work tree that a command started in a folder works on; None where there is none.

    As in Git, a `GIT_DIR` without `GIT_WORK_TREE` makes the start the root, unless it is the repository itself.
    """
    work_tree = environ.get(b"GIT_WORK_TREE")
    if work_tree:
        return os.path.realpath(os.path.join(start, work_tree))
    given = environ.get(b"GIT_DIR")
    if given:
        inside = os.path.realpath(os.path.join(start, given)) == os.path.realpath(start)
        return None if inside else os.path.realpath(start)
    return _search(start)[1]


def _search(start: bytes) -> tuple[bytes | None, bytes | None]:
    """The nearest repository folder and the root of its work tree."""
    folder = os.path.realpath(start)
    while True:
        inner = os.path.join(folder, b".git")
        if os.path.isfile(inner):
            return os.path.join(folder, _read_link_file(inner)), folder
        if _is_repository(inner):
            return inner, folder
        if _is_repository(folder):
            return folder, None
        above = os.path.dirname(folder)
        if above == folder:
            return None, None
        folder = above


def _is_repository(folder: bytes) -> bool:
    head = os.path.join(folder, b"HEAD")
    if not os.path.isfile(head) and not os.path.islink(head):
        return False
    common_dir = _common_dir(folder)
    return os.path.isdir(os.path.join(common_dir, b"objects")) and os.path.isdir(os.path.join(common_dir, b"refs"))


def _common_dir(git_dir: bytes) -> bytes:
    text = _read(os.path.join(git_dir, b"commondir"))
    return git_dir if text is None else os.path.join(git_dir, text.rstrip(b"\r\n"))


def _read_link_file(path: bytes) -> bytes:
    text = _read(path) or b""
    if not text.startswith(b"gitdir: "):
        raise RepositoryError(f"{os.fsdecode(path)} does not name a repository")
    return text[len(b"gitdir: ") :].rstrip(b"\r\n")


def _read(path: bytes) -> bytes | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RepositoryError(f"cannot read {os.fsdecode(path)}: {error.strerror}") from error
    if b"\0" in data:
        raise RepositoryError(f"{os.fsdecode(path)} holds a NUL, so it names no path")
    return data


def _object_dirs(first: bytes, given: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """All object folders, each once, as deep as Git follows `info/alternates`."""
    found: list[bytes] = []
    seen: set[bytes] = set()
    waiting = [(first, -1), *((path, 0) for path in given)]
    while waiting:
        path, depth = waiting.pop(0)
        real = os.path.realpath(path)
        # Git, too, passes over alternates that are not there, come round again, or are nested too deep.
        if real in seen or depth > ALTERNATE_DEPTH or not os.path.isdir(path):
            continue
        seen.add(real)
        found.append(path)
        for line in (_read(os.path.join(path, b"info", b"alternates")) or b"").split(b"\n"):
            if line and not line.startswith(b"#"):
                named = c_unquote(line) if line.startswith(b'"') else line
                if b"\0" in named:
                    raise RepositoryError(f"an alternate of {os.fsdecode(path)} holds a NUL, so it is no path")
                waiting.append((os.path.join(path, named), depth + 1))
    return tuple(found)


def shallow_cuts(location: Location) -> frozenset[ObjectId]:
    """Commits whose parents a shallow clone left out; none where the list cannot be read."""
    try:
        with open(os.path.join(location.common_dir, b"shallow"), "rb") as file:
            return frozenset(ObjectId(line) for line in file.read().split())
    except OSError:
        return frozenset()
