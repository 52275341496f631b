"""Files that a command writes for other programs: whole or not at all, and through no link."""

import os
import tempfile
from contextlib import suppress

from codifica_guard.errors import UsageError
from codifica_guard.report.plain import plain


def write_report(path: str, data: bytes) -> None:
    """Write a report in place of what is there; a link at its place is replaced, and what it led to is left alone.

    Raises:
        UsageError: it cannot be written there.
    """
    folder, name = os.path.split(path)
    made = None
    try:
        if not name or os.path.isdir(path):  # noqa: PTH112 - the path is a word of the command line
            raise IsADirectoryError(None, "it is a folder")
        handle, made = tempfile.mkstemp(prefix=f".{name[:32]}.", dir=folder or ".")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(made, 0o666 & ~_umask())  # noqa: PTH101
        os.replace(made, path)  # noqa: PTH105
    except (OSError, ValueError) as error:
        if made is not None:
            with suppress(OSError):
                os.unlink(made)  # noqa: PTH108
        told = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"cannot write {plain(path, 400)}: {told}") from error


def _umask() -> int:
    """What the process leaves away from the rights of new files."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
