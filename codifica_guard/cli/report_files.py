"""Files that a command writes for other programs: whole or not at all, in place of a file and of nothing else."""

import os
import tempfile
from contextlib import suppress
from stat import S_ISREG

from codifica_guard.errors import UsageError
from codifica_guard.report.plain import plain


def write_report(path: str, data: bytes) -> None:
    """Write a report in place of the file that is there, if one is; a link, a pipe or a device is left alone.

    Raises:
        UsageError: it cannot be written there.
    """
    folder, name = os.path.split(path)
    if not name or not _free(path):
        told = "it is no name of a file, or something else than a file is there"
        raise UsageError(f"cannot write {plain(path, 400)}: {told}")
    made = None
    try:
        handle, made = tempfile.mkstemp(prefix=f".{name[:32]}.", dir=folder or ".")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(made, 0o666 & ~_umask())  # noqa: PTH101
        os.replace(made, path)  # noqa: PTH105
    except (OSError, ValueError) as error:
        if made is not None:
            with suppress(OSError):
                os.unlink(made)  # noqa: PTH108
        told = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UsageError(f"cannot write {plain(path, 400)}: {told}") from error


def _free(path: str) -> bool:
    """Whether nothing is there, or a file: whoever names `/dev/stdout`, a pipe or a link means what it leads to."""
    return not os.path.lexists(path) or S_ISREG(os.lstat(path).st_mode)


def _umask() -> int:
    """What the process leaves away from the rights of new files."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
