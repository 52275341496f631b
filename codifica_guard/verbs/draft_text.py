"""A task's text as a person edits it: in a file of its own, with a head of comments that says what it is."""

import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.limits import BLOCK_BYTES
from codifica_guard.model.ids import ObjectId, TaskId
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.state.blocks import trimmed
from codifica_guard.state.characters import BOM

_BASE: Final = re.compile(rb"# [^\n]* at ([0-9a-f]{40}(?:[0-9a-f]{24})?)\r?\n")
_HEAD: Final = re.compile(rb"(?:#[^\n]*(?:\n|\Z)|[ \t\r]*\n)*")
_SAVE: Final = "Save and close: it is checked, signed and sent. Leave it as it is, or empty it: nothing is done."
_NOTE: Final = "#| "
"""How lines of the head begin that tell what somebody else did."""

_OWN: Final = re.compile(rb"# [^\n]* at (?:[0-9a-f]{40}|[0-9a-f]{64})|#\|[^\n]*|" + re.escape(f"# {_SAVE}".encode()))
"""The lines of a head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftText:
    """What came back from an editor, or from whoever wrote it.

    Attributes:
        raw: the task's bytes, LF line ends, without the head of comments and without what follows the task; empty
            where there is no task.
        above: how many lines stand above it in the text.
        base: the commit that it was taken from, where its head says so.
        stray: the first line, from 1, of a comment that somebody wrote at column 0 above or below the task, where none can
            belong to it; None where there is none.
    """

    raw: bytes
    above: int = 0
    base: ObjectId | None = None
    stray: int | None = None

    def line(self, line: int) -> int:
        """A line of the text, from 1, for one of the task."""
        return self.above + line


def read_draft(data: bytes) -> DraftText:
    """The task in a text; the head, and blank lines above and below it are left out, and so is a byte order mark."""
    data = data.removeprefix(BOM).replace(b"\r\n", b"\n")
    head = _HEAD.match(data)
    assert head is not None  # noqa: S101 - it matches nothing, too
    body = data[head.end() :]
    raw = body[: trimmed(body)]
    base = _BASE.match(data)
    return DraftText(
        raw=raw if not raw or raw.endswith(b"\n") else raw + b"\n",
        above=data.count(b"\n", 0, head.end()),
        base=ObjectId(base[1]) if base is not None else None,
        stray=_stray(data, head.end(), head.end() + len(raw)),
    )


def _stray(data: bytes, start: int, end: int) -> int | None:
    """The first line of a comment at column 0 that is outside of a part of the text, and not of a head."""
    at = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.startswith(b"#") and not start <= at < end and not _OWN.fullmatch(line):
            return number
        at += len(line) + 1
    return None


def with_head(raw: bytes, task: TaskId, place: str, commit: ObjectId, notes: Iterable[str] = ()) -> bytes:
    """A task's bytes below a head of comments, which says what it is and where it was taken from.

    Args:
        raw: the task's bytes.
        task: its id.
        place: the branch that it stands on.
        commit: the commit that it was taken from.
        notes: what has to be settled in it; they stand in place of what saving it comes to.
    """
    told = [_NOTE + line for line in printable(notes)] or [f"# {_SAVE}"]
    lines = (f"# {plain(task)} on {plain(place)} at {commit.decode('ascii')}", *told)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace") + raw


class DraftFile:
    """A file in the repository's own folder that holds a text as long as it has not landed.

    Attributes:
        path: where it lies.
        last: what was read from it or written to it last.
    """

    path: Path
    last: bytes = b""

    def __init__(self, desk: Desk, task: TaskId, known: Path | None = None) -> None:
        """Make an empty file; others of the same task are left alone.

        Args:
            desk: the clone.
            task: its id.
            known: where the text was read from; where that is such a file, it is the one.

        Raises:
            RepositoryError: it cannot be made.
        """
        folder = Path(os.fsdecode(desk.location.git_dir)).resolve() / "codifica-guard" / "edit"
        if known is not None and known.resolve().parent == folder:
            self.path = known.resolve()
            return
        name = re.sub(r"[^A-Za-z0-9._-]", "_", task)[:64].lstrip(".") or "task"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, path = tempfile.mkstemp(prefix=f"{name}-", suffix=".yaml", dir=folder)
        except OSError as error:
            raise RepositoryError(f"no file for the text can be made in {folder}: {error.strerror}") from error
        os.close(handle)
        self.path = Path(path)

    def write(self, data: bytes) -> None:
        """Give it other bytes.

        Raises:
            RepositoryError: it cannot be written.
        """
        self.last = data
        try:
            self.path.write_bytes(data)
        except OSError as error:
            raise RepositoryError(f"{self.path} cannot be written: {error.strerror}") from error

    def read(self) -> bytes:
        """Its bytes.

        Raises:
            UsageError: it cannot be read, or is longer than any task.
        """
        self.last = read_text(self.path)
        return self.last

    def drop(self) -> None:
        """Take it away; what an editor left beside it stays."""
        self.path.unlink(missing_ok=True)


def read_text(path: Path) -> bytes:
    """The bytes of a file that somebody wrote.

    Raises:
        UsageError: it cannot be read, or is longer than any task.
    """
    try:
        with path.open("rb") as file:
            data = file.read(2 * BLOCK_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > 2 * BLOCK_BYTES:
        raise UsageError(f"{path} is longer than any task may be ({BLOCK_BYTES} bytes)")
    return data
