"""A task's text as a person edits it: in a file of its own, with a head of comments that says what it is."""

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.limits import BLOCK_BYTES
from codifica_guard.model.ids import ObjectId, TaskId
from codifica_guard.report.plain import plain
from codifica_guard.state.blocks import trimmed

_BASE: Final = re.compile(rb"# [^\n]* at ([0-9a-f]{40}(?:[0-9a-f]{24})?)\r?\n")
_HEAD: Final = re.compile(rb"(?:#[^\n]*(?:\n|\Z)|[ \t\r]*\n)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftText:
    """What came back from an editor, or from whoever wrote it.

    Attributes:
        raw: the task's bytes, LF line ends, without the head of comments and without what follows the task; empty
            where there is no task.
        above: how many lines stand above it in the text.
        base: the commit that it was taken from, where its head says so.
    """

    raw: bytes
    above: int = 0
    base: ObjectId | None = None

    def line(self, line: int) -> int:
        """A line of the text, from 1, for one of the task."""
        return self.above + line


def read_draft(data: bytes) -> DraftText:
    """The task in a text; comments and blank lines above and below it are left out."""
    data = data.replace(b"\r\n", b"\n")
    head = _HEAD.match(data)
    assert head is not None  # noqa: S101 - it matches nothing, too
    body = data[head.end() :]
    raw = body[: trimmed(body)]
    base = _BASE.match(data)
    return DraftText(
        raw=raw if not raw or raw.endswith(b"\n") else raw + b"\n",
        above=data.count(b"\n", 0, head.end()),
        base=ObjectId(base[1]) if base is not None else None,
    )


def with_head(raw: bytes, task: TaskId, place: str, commit: ObjectId) -> bytes:
    """A task's bytes below a head of comments, which says what it is and where it was taken from.

    Args:
        raw: the task's bytes.
        task: its id.
        place: the branch that it stands on.
        commit: the commit that it was taken from.
    """
    lines = (
        f"{plain(task)} on {plain(place)} at {commit.decode('ascii')}",
        "Save and close: it is checked, signed and sent. Leave it as it is, or empty it: nothing is done.",
    )
    return "".join(f"# {line}\n" for line in lines).encode() + raw


class DraftFile:
    """A file in the repository's own folder that holds a text as long as it has not landed."""

    def __init__(self, desk: Desk, task: TaskId) -> None:
        """Make an empty file; others of the same task are left alone.

        Raises:
            RepositoryError: it cannot be made.
        """
        folder = Path(os.fsdecode(desk.location.git_dir)).resolve() / "codifica-guard" / "edit"
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
        try:
            self.path.write_bytes(data)
        except OSError as error:
            raise RepositoryError(f"{self.path} cannot be written: {error.strerror}") from error

    def read(self) -> bytes:
        """Its bytes.

        Raises:
            UsageError: it cannot be read, or is longer than any task.
        """
        return read_text(self.path)

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
