"""Edits of task blocks by splicing text at the parser's marks: only the wanted lines change, every other byte stays."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from codifica_guard.errors import StateError
from codifica_guard.model.document import Block, Fault
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split, state_fences
from codifica_guard.state.fields import PLACE
from codifica_guard.state.nodes import Node, compose
from codifica_guard.state.render import field, in_brackets, list_item, one_line, ordered, render_task
from codifica_guard.state.spans import behind, colon, line_end
from codifica_guard.state.yaml import read_block

__all__ = ["add_block", "edit_block", "render_task", "replace_block", "take_block"]

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_LATER: Final = len(PLACE)


def edit_block(
    raw: bytes,
    *,
    sets: Mapping[str, Any] = _NOTHING,
    drop: Sequence[str] = (),
    append: Mapping[str, Sequence[Mapping[str, Any] | str]] = _NOTHING,
) -> bytes:
    """The block with some fields set, dropped or appended to; it was read back and holds exactly that.

    Comments, quoting, unknown fields, line ends (LF or CRLF) and a missing final line end stay. A field that is new goes
    where the protocol's order has it. A field that holds the wanted value already is left as it is written.

    Args:
        raw: the block, from `- id:` on.
        sets: field names to new values: texts, None, booleans, lists, mappings.
        drop: names of fields to take out; those that are not there are left aside.
        append: names of list fields to the items that are added at their end; a missing or null list is begun.

    Raises:
        StateError: the block cannot be read, or it cannot be edited so that it holds just this.
    """
    reading = read_block(raw)
    if isinstance(reading, Fault):
        raise StateError(f"the task cannot be read: {reading.found}")
    if not sets.keys().isdisjoint(append):
        raise StateError("one field cannot be set and appended to at once")
    text = raw.decode()
    end = "\r\n" if "\r\n" in text else "\n"
    closed = text.endswith("\n")
    splicer = _Splicer(text if closed else text + end, end, dict(reading.data))
    for name in drop:
        splicer.drop(name)
    new = [splicer.append(name, items) for name, items in append.items()]
    new += [splicer.set(name, value) for name, value in sets.items()]
    splicer.add([item for item in new if item is not None])
    edited = splicer.text()
    # Where the last value now ends in a line end of its own, the block cannot go without.
    reason = ""
    for answer in (edited,) if closed else (edited.removesuffix(end), edited):
        after = read_block(answer.encode())
        if isinstance(after, Fault):
            reason = f"after the edit the task could not be read: {after.found}"
        elif after.data == splicer.wanted:
            return answer.encode()
    raise StateError(reason or "the task cannot be edited without touching more than was asked for")


class _Splicer:
    """Collects splices over one block, and the data that it has to hold in the end."""

    def __init__(self, text: str, end: str, data: dict[str, Any]) -> None:
        self._text, self._end = text, end
        root, _ = compose(text)
        self._fields = {key.text: (key, value) for key, value in root.fields}
        self._column = root.column
        self._splices: list[tuple[int, int, str]] = []
        self.wanted = data

    def drop(self, name: str) -> None:
        if name in self._fields:
            key, value = self._fields.pop(name)
            self._splice(self._text.rfind("\n", 0, key.start) + 1, behind(self._text, key, value), "")
            del self.wanted[name]

    def set(self, name: str, value: Any) -> tuple[str, Any] | None:
        """Set a field; one that is not there is given back, to be added."""
        value = _plain(value)
        same = name in self.wanted and _same(self.wanted[name], value)
        self.wanted[name] = value
        if name not in self._fields:
            return name, value
        if not same:
            self._replace(*self._fields[name], value)
        return None

    def append(self, name: str, items: Sequence[Any]) -> tuple[str, Any] | None:
        """Append to a list; one that is not there is given back, to be added."""
        added = [_plain(item) for item in items]
        old = self.wanted.get(name)
        if old is not None and not isinstance(old, list):
            raise StateError(f"{name} is no list")
        self.wanted[name] = [*(old or []), *added]
        if not added and old is not None:
            return None
        if name not in self._fields:
            return name, self.wanted[name]
        key, node = self._fields[name]
        if node.kind == "list" and node.flow and node.items:
            at = node.items[-1].end
            self._splice(at, at, "".join(f", {in_brackets(item)}" for item in added))
        elif node.kind == "list" and not node.flow:
            lines = [line for item in added for line in list_item(item, node.column)]
            self._insert(behind(self._text, key, node), lines)
        elif not added:
            self._replace(key, node, [])
        else:
            start = colon(self._text, key)
            stop = node.end if node.end > node.start else start
            self._splice(start, stop, "")
            self._insert(
                line_end(self._text, stop), [line for item in added for line in list_item(item, self._column + 2)]
            )
        return None

    def add(self, new: Sequence[tuple[str, Any]]) -> None:
        """Add new fields, each behind the last field that the protocol has before it."""
        values = dict(new)
        for name in ordered(values):
            place = PLACE.get(name, _LATER)
            before = [
                pair for pair in self._fields.values() if PLACE.get(pair[0].text, _LATER) < place or place == _LATER
            ]
            # The nearest in the protocol's order; fields that it does not know have no place, but the last line is theirs.
            nearest = max(
                before, key=lambda pair: (PLACE.get(pair[0].text, -1), 0) if place < _LATER else (0, pair[0].start)
            )
            self._insert(behind(self._text, *nearest), field(name, values[name], self._column))

    def text(self) -> str:
        """The text with all splices; at one place insertions come in the order in which they were asked for."""
        text = self._text
        ranked = sorted(enumerate(self._splices), key=lambda pair: (pair[1][0], pair[1][0] != pair[1][1], pair[0]))
        for _, (start, stop, new) in reversed(ranked):
            text = text[:start] + new + text[stop:]
        return text

    def _replace(self, key: Node, node: Node, value: Any) -> None:
        """Give a field another value: on its line where both fit there, else all its lines anew."""
        lines = field(key.text, value, self._column)
        at = colon(self._text, key)
        if len(lines) == 1 and node.kind == "scalar" and node.line == node.last and node.style not in {"|", ">"}:
            if node.end > node.start:
                self._splice(node.start, node.end, one_line(value))
            else:
                self._splice(at, at, " " + one_line(value))
            return
        lines[0] = (
            self._text[key.start : at] + lines[0].partition(":")[2] if ":" not in key.text else lines[0].lstrip(" ")
        )
        self._splice(key.start, behind(self._text, key, node), self._end.join(lines) + self._end)

    def _insert(self, at: int, lines: Sequence[str]) -> None:
        self._splice(at, at, "".join(line + self._end for line in lines))

    def _splice(self, start: int, stop: int, new: str) -> None:
        self._splices.append((start, stop, new))


def _plain(value: Any) -> Any:
    """A value as reading it back gives it."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and bool(old == new)


def replace_block(data: bytes, block: Block, new: bytes) -> bytes:
    """The document with a block's bytes replaced; lines that stay keep their ends, new ones get that of the head line.

    Args:
        data: the document that the block was split from.
        block: the block.
        new: its new bytes, lines ended by LF or CRLF; empty takes the block out.
    """
    old = data[block.start : block.end].splitlines(keepends=True)
    lines = new.replace(b"\r\n", b"\n").splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines[-1] += b"\n"
    if b"\r" in data:
        end = b"\r\n" if old[0].endswith(b"\r\n") else b"\n"
        bare = [line.replace(b"\r\n", b"\n") for line in old]
        head = _common(bare, lines)
        tail = _common(bare[head:][::-1], lines[head:][::-1])
        middle = [line[:-1] + end for line in lines[head : len(lines) - tail]]
        lines = old[:head] + middle + old[len(old) - tail :]
    return data[: block.start] + b"".join(lines) + data[block.end :]


def _common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many lines two lists have in common at their start."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def add_block(data: bytes, raw: bytes, *, fence: int = -1) -> bytes:
    """The document with a block put at the end of a state fence, behind a blank line; every other byte stays.

    Args:
        data: the document.
        raw: the block, lines ended by LF.
        fence: which state fence, from 0; -1 is the last one.

    Raises:
        StateError: the document cannot be split, or it has no such fence.
    """
    document = split(RepoPath(b""), data)
    if not document.splittable:
        raise StateError(f"the document cannot be read: {document.faults[0].found}")
    places = state_fences(data)
    if not -len(places) <= fence < len(places):
        raise StateError("the document has no yaml fence to put the task into")
    start, stop = places[fence]
    end = b"\r\n" if data[:start].endswith(b"\r\n") else b"\n"
    last = data[start:stop].rstrip(b"\r\n ")
    lead = b"" if not last or data.count(b"\n", start + len(last), stop) > 1 else end
    body = raw.replace(b"\r\n", b"\n").rstrip(b"\n").replace(b"\n", end) + end
    return data[:stop] + lead + body + data[stop:]


def take_block(data: bytes, block: Block) -> bytes:
    """The document without a block, and without the blank lines that parted it from the next one; every other byte stays.

    Args:
        data: the document that the block was split from.
        block: the block.
    """
    start, stop = block.start, _past_blank(data, block.end)
    if data[stop : stop + 1] != b"-":  # the last of its fence, or a comment follows: the gap above it goes instead
        stop = block.end
        start = _before_blank(data, start)
    return data[:start] + data[stop:]


def _past_blank(data: bytes, at: int) -> int:
    """The offset of the first line from here that is not blank."""
    while (end := data.find(b"\n", at) + 1) and not data[at:end].strip(b" \r\n"):
        at = end
    return at


def _before_blank(data: bytes, at: int) -> int:
    """The offset behind the last line above this one that is not blank."""
    while (start := data.rfind(b"\n", 0, at - 1) + 1) < at and not data[start:at].strip(b" \r\n"):
        at = start
    return at
