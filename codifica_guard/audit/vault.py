"""What an audit keeps for the next one, so that nobody else can have written it.

The files lie in the repository, where whoever hands a clone over may have put anything. So each begins with an HMAC-SHA256 by a key that
lies in the auditor's own folder, outside of every repository. What has none, or another one, or is damaged counts as absent.
"""

# Paths are bytes, and may be hostile: they are opened, never followed.
# ruff: noqa: PTH103, PTH105, PTH108, PTH114, PTH118, PTH120, PTH123

import hashlib
import hmac
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from codifica_guard.git.location import Location

FOLDER: Final = (b"codifica-guard", b"audit")
"""Where the files lie, from the repository's common folder."""

KEY: Final = (b"codifica-guard", b"audit.key")
"""Where the key lies, from the auditor's folder for state."""

KEY_BYTES: Final = 32
_LARGEST: Final = 512 * 1024 * 1024
_KEPT: Final = 8
_PRIVATE: Final = 0o077
_DIGEST_LINE: Final = 65


def state_home(environ: Mapping[bytes, bytes]) -> bytes | None:
    """The folder where a user's programs keep their state; None where he has none."""
    named = environ.get(b"XDG_STATE_HOME", b"")
    if named.startswith(b"/"):
        return named
    home = environ.get(b"HOME", b"")
    return os.path.join(home, b".local", b"state") if home.startswith(b"/") else None


class Vault:
    """The kept files of one repository; never raises, at worst it keeps nothing."""

    def __init__(self, location: Location, home: bytes | None) -> None:
        """Nothing is read yet.

        Args:
            location: the repository.
            home: the auditor's folder for state; None where he has none, and nothing is kept.
        """
        self._folder = os.path.join(location.common_dir, *FOLDER)
        self._home = home
        self._known: bytes | None = None

    def path(self, name: bytes) -> str:
        """A file's path, for people."""
        return os.fsdecode(os.path.join(self._folder, name))

    def get(self, name: bytes) -> bytes | None:
        """What was kept under a name; None where nothing was that we wrote ourselves."""
        key = self._key(make=False)
        if key is None:
            return None
        try:
            self._check_folder()
            handle = os.open(os.path.join(self._folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(handle, "rb") as file:
                found = os.fstat(handle)
                if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                    return None
                data = file.read()
        except OSError:
            return None
        digest, body = data[:_DIGEST_LINE], data[_DIGEST_LINE:]
        return body if hmac.compare_digest(digest, _seal(key, name, body)) else None

    def put(self, name: bytes, body: bytes) -> None:
        """Keep something under a name, whole or not at all."""
        key = self._key(make=True)
        if key is None:
            return
        draft = os.path.join(self._folder, b"%s.%d" % (name, os.getpid()))
        try:
            self._check_folder()
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            with suppress(FileNotFoundError):
                os.unlink(draft)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except OSError:
            return
        try:
            with open(handle, "wb") as file:
                file.write(_seal(key, name, body))
                file.write(body)
            os.replace(draft, os.path.join(self._folder, name))
            self._prune()
        except OSError:
            with suppress(OSError):
                os.unlink(draft)

    def _check_folder(self) -> None:
        """Raise where the folder is a link: whoever handed the clone over would choose where is written."""
        if os.path.islink(self._folder) or os.path.islink(os.path.dirname(self._folder)):
            raise FileNotFoundError(2, "the folder of what audits keep is a link")

    def _prune(self) -> None:
        """Take away the oldest of too many files; what clones remember of receipts stays."""
        with os.scandir(self._folder) as entries:
            found = sorted(
                (e.stat(follow_symlinks=False).st_mtime, e.path) for e in entries if e.name.startswith(b"replay-")
            )
        for _, path in found[:-_KEPT]:
            os.unlink(path)

    # -- the key

    def _key(self, *, make: bool) -> bytes | None:
        if self._known is None and self._home is not None:
            path = os.path.join(self._home, *KEY)
            with suppress(OSError):
                self._known = _read_key(path)
                if self._known is None and make:
                    self._known = _make_key(path)
        return self._known


def _seal(key: bytes, name: bytes, body: bytes) -> bytes:
    """A line that only the key makes for this name and these bytes."""
    made = hmac.new(key, name + b"\n", hashlib.sha256)
    made.update(body)
    return made.hexdigest().encode("ascii") + b"\n"


def _read_key(path: bytes) -> bytes | None:
    """The key; None where there is none, or where others can read or write it."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & _PRIVATE
        key = file.read(KEY_BYTES + 1) if own else b""
    return key if len(key) == KEY_BYTES else None


def _make_key(path: bytes) -> bytes | None:
    """A new key, whose owner alone can read it; of two programs that make one at once both have the same."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    draft = b"%s.%d" % (path, os.getpid())
    with suppress(FileNotFoundError):
        os.unlink(draft)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(os.urandom(KEY_BYTES))
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        with suppress(OSError):
            os.unlink(draft)
    return _read_key(path)
