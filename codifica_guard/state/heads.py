"""Tasks whose id does not stand first: put there, and read back before anybody is asked."""

import re
from itertools import pairwise
from typing import Final

from codifica_guard.model.document import Fault, Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.value import value
from codifica_guard.state.blocks import split, state_fences, trimmed
from codifica_guard.state.nodes import Node, Refused, compose
from codifica_guard.state.yaml import read_block

_ITEM: Final = re.compile(rb"(?m)^- ")
_LED: Final = b"- id: "
_COLUMN: Final = 2


@value
class Head:
    """One task whose id was put first.

    Attributes:
        line: the task's first line in the document, from 1.
        id: its id.
    """

    line: int
    id: str


def put_ids_first(data: bytes) -> tuple[bytes, tuple[Head, ...]]:
    """The document with the id of each task on the task's first line; all other lines stay, and each task was read back.

    A task that this alone does not make readable is left as it is.

    Args:
        data: a state document; one that cannot be split is taken too.
    """
    if not any(fault.code == "ST101" for fault in split(RepoPath(b""), data).faults):
        return data, ()  # also where its bytes are no text, or hold two versions
    found: list[Head] = []
    for start, stop in reversed(_items(data)):
        old = data[start:stop]
        new = None if old.startswith(_LED) else _led(old)
        if new is not None:
            task = read_block(new.replace(b"\r\n", b"\n"))
            assert isinstance(task, Task)  # noqa: S101 - `_led` has read it
            found.append(Head(line=data.count(b"\n", 0, start) + 1, id=task.id))
            data = data[:start] + new + data[stop:]
    return data, tuple(reversed(found))


def _items(data: bytes) -> list[tuple[int, int]]:
    """Start and end of each list item of each state fence, without the blank lines and comments behind it."""
    found = []
    for start, stop in state_fences(data):
        heads = [hit.start() for hit in _ITEM.finditer(data, start, stop)]
        for head, end in pairwise([*heads, stop]):
            found.append((head, head + trimmed(data[head:end])))
    return found


def _led(item: bytes) -> bytes | None:
    """An item with its id first; None where that does not make it a task."""
    try:
        text = item.replace(b"\r\n", b"\n").decode()
        root, _ = compose(text)
    except (UnicodeDecodeError, Refused):
        return None
    pair = next((pair for pair in root.fields if pair[0].text == "id"), None)
    if pair is None or root.column != _COLUMN or not _is_one_line(*pair):
        return None
    key, node = pair
    lines = item.splitlines(keepends=True)
    shown = [line.decode() for line in lines]
    first = f"- id: {shown[key.line][node.column :]}"
    if key.line == 0:
        rest = shown[1:]
    else:
        old = f"  {shown[0][_COLUMN:]}"
        rest = [*([old] if old.strip() else []), *shown[1 : key.line], *shown[key.line + 1 :]]
    after = "".join((first, *rest))
    plain = after.replace("\r\n", "\n").encode()
    read = read_block(plain[: trimmed(plain)])
    return None if isinstance(read, Fault) or read.data != root.data() else after.encode()


def _is_one_line(key: Node, node: Node) -> bool:
    return (
        node.kind == "scalar"
        and node.end > node.start
        and key.line == node.line == node.last
        and node.style not in {"|", ">"}
    )
