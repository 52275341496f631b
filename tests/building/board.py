"""A state document under edit: every line that is not meant to change stays as it is."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.building import tasks


class NoSuchTask(AssertionError):
    """A test names a task that its document does not hold exactly once."""


def fence(*blocks: str, mark: str = "```", info: str = "yaml") -> str:
    """A fence with task blocks, a blank line between two of them."""
    return f"{mark}{info}\n" + "\n".join(blocks) + f"{mark}\n"


def document(*fences: str, title: str = "Work") -> str:
    """A state document: prose around fences."""
    parts = "\n".join(f"## Part {number}\n\n{text}" for number, text in enumerate(fences, 1))
    return f"# {title}\n\nThe tasks of the shop.\n\n{parts}\n## Notes\n\nProse that belongs to no task.\n"


class Board:
    """The text of a state document, and where its blocks lie."""

    def __init__(self, text: str) -> None:
        self.crlf = "\r\n" in text
        self.lines = text.replace("\r\n", "\n").split("\n")

    @property
    def text(self) -> str:
        """The document as it is now."""
        return ("\r\n" if self.crlf else "\n").join(self.lines)

    def holds(self, ident: str) -> bool:
        """Whether a block of this id is here."""
        return any(self._is_head(line, ident) for line in self.lines)

    @staticmethod
    def _is_head(line: str, ident: str) -> bool:
        return re.fullmatch(rf"""- id: ["']?{re.escape(ident)}["']?""", line) is not None

    def span(self, ident: str) -> tuple[int, int]:
        """The first line of a block and the one after its last that is not blank."""
        heads = [number for number, line in enumerate(self.lines) if self._is_head(line, ident)]
        if len(heads) != 1:
            raise NoSuchTask(f"{ident} is here {len(heads)} times")
        end = heads[0] + 1
        while end < len(self.lines) and not self.lines[end].startswith(("- ", "```", "~~~", "#")):
            end += 1
        while not self.lines[end - 1].strip():
            end -= 1
        return heads[0], end

    def block(self, ident: str) -> str:
        """The text of a block."""
        first, end = self.span(ident)
        return "\n".join(self.lines[first:end]) + "\n"

    def fields(self, ident: str) -> tasks.Fields:
        """The fields of a block."""
        return tasks.fields(self.block(ident))

    def put(self, ident: str, text: str) -> None:
        """Give a block another text."""
        first, end = self.span(ident)
        self.lines[first:end] = text.rstrip("\n").split("\n")

    def change(self, ident: str, changes: Mapping[str, Any]) -> None:
        """Give fields of a block other values; None takes a field out."""
        self.put(ident, tasks.block(tasks.changed(self.fields(ident), changes)))

    def append(self, ident: str, name: str, item: Any) -> None:
        """Add an entry to a list of a block."""
        before = self.fields(ident).get(name, [])
        self.change(
            ident, {name: [*(before if isinstance(before, Sequence) and not isinstance(before, str) else []), item]}
        )

    def add(self, text: str, fence_number: int = 0) -> None:
        """Add a block at the end of a fence."""
        ends = [number for number, line in enumerate(self.lines) if re.fullmatch(r"```+|~~~+", line)]
        end = ends[fence_number]
        gap = [] if re.match(r"```|~~~", self.lines[end - 1]) or not self.lines[end - 1].strip() else [""]
        self.lines[end:end] = [*gap, *text.rstrip("\n").split("\n")]

    def take(self, ident: str) -> str:
        """Take a block out, and one blank line beside it."""
        first, end = self.span(ident)
        text = self.block(ident)
        if not self.lines[end].strip():
            end += 1
        elif not self.lines[first - 1].strip():
            first -= 1
        del self.lines[first:end]
        return text

    def replace(self, old: str, new: str) -> None:
        """Replace a text that is there exactly once."""
        text = self.text
        if text.count(old) != 1:
            raise NoSuchTask(f"{old!r} is here {text.count(old)} times")
        self.__init__(text.replace(old, new))  # type: ignore[misc]
