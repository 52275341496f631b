"""The shims: small sh files in a hooks folder that start the guard, and how they are told from other people's hooks."""

import os
import re
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from codifica_guard.errors import GuardError, UsageError

SERVER: Final = ("post-receive", "pre-receive")
"""Hooks of a bare repository, in the order they are written: the one that judges comes last, when all is in place."""

CLIENT: Final = ("commit-msg", "post-rewrite", "pre-push", "post-merge")
"""Hooks of a clone."""

KEPT: Final = ".codifica-guard-kept"
"""What is appended to the name of a hook that was there before."""

LEGACY: Final = ".legacy"
"""What the pre-commit framework appends to the name of a hook that it found, and calls."""

MODE: Final = 0o755
"""Mode of a shim: without the x bit Git skips it, and accepts every push."""

_MARKER: Final = re.compile(rb"\A#![^\n]*\n# codifica-guard shim (\d{1,6}): ([a-z-]+)\.")
_SHIM_BYTES: Final = 64 * 1024  # a marker stands in the second line; a larger file is none of ours


class Whose(Enum):
    """Whose file lies at a hook's place."""

    NOBODY = "absent"
    OURS = "ours"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What lies at a hook's place.

    Attributes:
        whose: nobody's, ours or foreign; a link is foreign, wherever it points.
        data: the bytes of a file of ours; empty otherwise.
        executable: whether Git would run it.
        version: the shim's version, 0 where it is not ours.
    """

    whose: Whose
    data: bytes = b""
    executable: bool = False
    version: int = 0


def source(name: str) -> bytes:
    """The text of a shim as it is kept, with its placeholder, from the wheel or from the checkout.

    Raises:
        GuardError: the package is incomplete.
    """
    package = Path(__file__).parent
    for folder in (package / "shims", package.parent.parent / "hooks"):
        try:
            return (folder / name).read_bytes()
        except OSError:
            continue
    raise GuardError(f"this copy of codifica-guard is incomplete: the shim {name} is missing; install it again")


def render(name: str, python: str) -> bytes:
    """A shim that starts `python`, quoted so that any path is one word of sh.

    Raises:
        UsageError: the interpreter's path is not absolute.
    """
    if not Path(python).is_absolute() or "\0" in python:
        raise UsageError(f"the interpreter's path has to be absolute: {python!r}")
    quoted = b"'" + os.fsencode(python).replace(b"'", b"'\\''") + b"'"
    return source(name).replace(b"@PYTHON@", quoted)


def interpreter() -> str:
    """The interpreter that a shim has to start, through the link `current` where one points at this environment.

    So a shim stays as it is when an upgrade flips that link.
    """
    prefix = Path(sys.prefix)
    current = prefix.parent / "current"
    executable = Path(os.path.abspath(sys.executable))  # noqa: PTH100 - resolve() would leave the virtual environment
    if prefix.name != "current" and current.is_symlink() and current.resolve() == prefix.resolve():
        return str(current / "bin" / executable.name)
    return str(executable)


def interpreter_of(data: bytes) -> str | None:
    """The interpreter that a rendered shim starts; None where it names none."""
    match = re.search(rb"^guard_python='((?:[^']|'\\'')*)'$", data, re.MULTILINE)
    return os.fsdecode(match[1].replace(b"'\\''", b"'")) if match else None


def runs(python: str) -> bool:
    """Whether there is an executable file at an interpreter's path."""
    return Path(python).is_file() and os.access(python, os.X_OK)


def version_of(data: bytes, name: str) -> int:
    """The version in a file's marker line; 0 where it is no shim of ours for this hook."""
    match = _MARKER.match(data)
    return int(match[1]) if match and match[2] == name.encode() else 0


def look(path: Path, name: str) -> Found:
    """What lies at `path`, read without following links.

    Raises:
        GuardError: it cannot be read.
    """
    if path.is_symlink():
        return Found(whose=Whose.FOREIGN, executable=os.access(path, os.X_OK))
    try:
        with path.open("rb") as file:
            data = file.read(_SHIM_BYTES + 1)
    except FileNotFoundError:
        return Found(whose=Whose.NOBODY)
    except OSError as error:
        raise GuardError(f"{path} cannot be read: {error.strerror}") from error
    executable = os.access(path, os.X_OK)
    version = version_of(data, name)
    if version and len(data) <= _SHIM_BYTES:
        return Found(whose=Whose.OURS, data=data, executable=executable, version=version)
    return Found(whose=Whose.FOREIGN, executable=executable)
