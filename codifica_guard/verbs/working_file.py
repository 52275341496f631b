"""One file of the work tree, read and replaced: whole or not at all, and never by another way than its own name."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH105, PTH108, PTH114, PTH120

import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass

from codifica_guard.errors import GuardError
from codifica_guard.limits import DOCUMENT_BYTES
from codifica_guard.model.ids import RepoPath, show_path
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import LONGEST


class Unfit(GuardError):
    """A file that cannot be changed here; the text says why, and it was left as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingFile:
    """A regular file of the work tree, as it was read.

    Attributes:
        path: where it lies in the tree.
        full: where it lies on the disk.
        data: its bytes.
        status: what the file system says of it.
    """

    path: RepoPath
    full: bytes
    data: bytes
    status: os.stat_result

    def replace(self, data: bytes) -> None:
        """Give the file other bytes at once; its mode and its owner stay, and so does a file that has changed meanwhile.

        Raises:
            Unfit: it has changed since it was read, or cannot be written.
        """
        shown = plain(show_path(self.path), LONGEST)
        try:
            handle, temporary = tempfile.mkstemp(prefix=b".codifica-", dir=os.path.dirname(self.full))
        except OSError as error:
            raise Unfit(f"{shown} cannot be written: {error.strerror}") from error
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                with suppress(OSError):  # only root gives files away
                    os.fchown(handle, self.status.st_uid, self.status.st_gid)
                os.fchmod(handle, stat.S_IMODE(self.status.st_mode))
                os.fsync(handle)
            if read_working_file(self.full, self.path).data != self.data:
                raise Unfit(f"{shown} has changed meanwhile: run this again")
            os.replace(temporary, self.full)
        except OSError as error:
            raise Unfit(f"{shown} cannot be written: {error.strerror}") from error
        finally:
            with suppress(OSError):
                os.unlink(temporary)


def read_working_file(full: bytes, path: RepoPath) -> WorkingFile:
    """A file of the work tree, which is what its name says: no link, no device, one name, writable.

    Args:
        full: where it lies on the disk.
        path: where it lies in the tree.

    Raises:
        Unfit: it is none, cannot be read, or is longer than a state document may be.
    """
    shown = plain(show_path(path), LONGEST)
    folder = os.path.dirname(full)
    if os.path.realpath(folder) != os.path.normpath(folder):
        raise Unfit(f"{shown} lies behind a link: nothing is written through one")
    try:
        # Without O_NONBLOCK a pipe would be waited for.
        handle = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if os.path.islink(full):
            raise Unfit(f"{shown} is a link: nothing is written through one") from error
        raise Unfit(f"{shown} cannot be read: {error.strerror}") from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Unfit(f"{shown} is no regular file")
        if status.st_nlink > 1:
            raise Unfit(
                f"{shown} is one of {status.st_nlink} names of a file (hard links): to write it would part them"
            )
        with os.fdopen(os.dup(handle), "rb") as file:
            data = file.read(DOCUMENT_BYTES + 1)
    except OSError as error:
        raise Unfit(f"{shown} cannot be read: {error.strerror}") from error
    finally:
        os.close(handle)
    if len(data) > DOCUMENT_BYTES:
        raise Unfit(f"{shown} is longer than {DOCUMENT_BYTES // 2**20} MiB, which no state document may be")
    if not os.access(full, os.W_OK):
        raise Unfit(f"{shown} may not be written")
    return WorkingFile(path=path, full=full, data=data, status=status)
