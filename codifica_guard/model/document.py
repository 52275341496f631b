"""A state document taken apart: blocks, frame, faults; and one task as it was read."""

from collections.abc import Mapping
from typing import Any

from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.model.value import EMPTY, value


@value
class Fault:
    """Why a document or a block cannot be taken (rules ST101-ST112).

    Attributes:
        code: the rule's code, such as `ST101`.
        line: line in the document, from 1; in a fault of a block, line within the block, from 1.
        column: column, from 1; None where it says nothing.
        found: what is there, in words; may repeat pushed text.
        expected: what ought to be there; may be empty.
        do: what mends it; may be empty.
    """

    code: str
    line: int
    found: str
    column: int | None = None
    expected: str = ""
    do: str = ""


@value
class Block:
    """The bytes of one task in a document.

    Attributes:
        id: the task's id, as the head line has it.
        line: line of the head (`- id: ...`) in the document, from 1.
        raw: the record's bytes: from the head line to before the next block or the fence's end, without trailing blank
            lines and column-0 comment lines, CRLF as LF, one final LF.
        start: byte offset of the head line in the document.
        end: byte offset after the last line of `raw` in the document.
        fence: number of the state fence it stands in, from 0.
    """

    id: TaskId
    line: int
    raw: bytes
    start: int
    end: int
    fence: int


@value
class Document:
    """One version of a state document.

    Attributes:
        path: where it lies.
        blocks: its task blocks, in order; empty where `faults` hold an error that prevents splitting.
        frame: all other lines, CRLF as LF, without the blank lines of state fences.
        faults: why it cannot be split (ST101-ST108), or warnings (ST111).
        splittable: whether its blocks and frame may be relied on.
    """

    path: RepoPath
    blocks: tuple[Block, ...] = ()
    frame: bytes = b""
    faults: tuple[Fault, ...] = ()
    splittable: bool = True


@value
class Task:
    """One task block, read strictly: null and booleans are typed, all other scalars are text.

    Attributes:
        data: the mapping that the block holds, in order.
        lines: field name to its line within the block, from 1.
        warnings: faults that do not refuse (ST110 swallowed field, ST112 value cut by `#`).
    """

    data: Mapping[str, Any]
    lines: Mapping[str, int] = EMPTY
    warnings: tuple[Fault, ...] = ()

    def text(self, name: str) -> str | None:
        """A scalar field's text; None where it is absent, null, or no text."""
        value = self.data.get(name)
        return value if isinstance(value, str) else None

    def entries(self, name: str) -> tuple[Mapping[str, Any], ...]:
        """The mappings in a list field; whatever else stands there is left out."""
        value = self.data.get(name)
        return tuple(v for v in value if isinstance(v, dict)) if isinstance(value, list) else ()

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts in a list field; whatever else stands there is left out."""
        value = self.data.get(name)
        return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()

    @property
    def id(self) -> TaskId:
        """The task's id, or the empty text."""
        return TaskId(self.text("id") or "")

    @property
    def state(self) -> str | None:
        """The field `state`."""
        return self.text("state")

    @property
    def owner(self) -> str | None:
        """The field `owner`."""
        return self.text("owner")

    @property
    def type(self) -> str | None:
        """The field `type`."""
        return self.text("type")
