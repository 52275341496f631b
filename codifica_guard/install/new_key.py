"""The server's new key: whole or not there at all, for its owner's eyes only, and never written over."""

import os
import tempfile
from pathlib import Path
from typing import Final

from codifica_guard.errors import GuardError
from codifica_guard.identity.keys import public_line
from codifica_guard.identity.new_keys import new_private
from codifica_guard.identity.private_keys import peek_private

PRIVATE_MODE: Final = 0o600
PUBLIC_MODE: Final = 0o644
_FILE_BYTES: Final = 64 * 1024


def make_key(path: Path, comment: str) -> None:
    """An Ed25519 key in OpenSSH's form at a place, and its public half beside it; a file that is there stays as it is.

    Raises:
        GuardError: what lies there is no private key.
        OSError: the file system refuses.
    """
    make_folder(path.parent)
    if not os.path.lexists(path):
        text, _ = new_private()
        _put(path, text, PRIVATE_MODE)
    with path.open("rb") as file:
        key = peek_private(file.read(_FILE_BYTES), str(path)).key
    public = public_path(path)
    if not os.path.lexists(public):
        _put(public, f"{public_line(key)} {comment}\n".encode("ascii"), PUBLIC_MODE)


def public_path(path: Path) -> Path:
    """Where the public half of a key file stands."""
    return path.with_name(f"{path.name}.pub")


def make_folder(folder: Path) -> None:
    """A folder with the rights of the one above it, so that a repository shared by a group stays so."""
    if not folder.is_dir():
        folder.mkdir()
        folder.chmod(folder.parent.stat().st_mode & 0o7777)


def _put(path: Path, data: bytes, mode: int) -> None:
    # Written whole and synced before it gets its name, which a second installer at the same moment may have taken.
    handle, name = tempfile.mkstemp(prefix=".codifica-guard-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            os.fchmod(handle, mode)
            file.flush()
            os.fsync(handle)
        try:
            os.link(name, path)
        except FileExistsError:
            return
        except OSError as error:  # a file system without hard links
            if os.path.lexists(path):
                raise GuardError(f"{path} is there already and stays as it is") from error
            Path(name).rename(path)
    finally:
        Path(name).unlink(missing_ok=True)
