"""A task block as a tree of nodes with their places: the strict reading of YAML, on ruamel's pure event stream.

ruamel's composer, resolver and constructor are left out: they know tags, anchors, timestamps and numbers, and a task has
none of these. Its C part is never used (it crashes on 60 KB of brackets).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from codifica_guard import limits
from codifica_guard.model.document import Fault
from codifica_guard.state import characters, scalars

_LINE: Final = re.compile(r"( *(?:- +)*)((?:[^\s:\"'#]+):(?: +|$))?(.*)")
_COLON: Final = re.compile(r" *:")


class Refused(Exception):
    """A block that cannot be taken; carries the fault. It never leaves the state door."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.found)
        self.fault = fault


@dataclass(slots=True)
class Node:
    """One value of a block.

    Attributes:
        kind: scalar, list or map.
        start, end: character offsets of its text; equal for a value that is not written down.
        line, last: its first and last line, from 0, by the parser's marks.
        column: its first column, from 0.
        style: None for plain, else the first character of its quotes or of its block header.
        flow: whether a list or map is written in brackets.
        text: a scalar's text.
        items: a list's values.
        fields: a map's keys and values, in order.
    """

    kind: Literal["scalar", "list", "map"]
    start: int
    end: int
    line: int
    last: int
    column: int
    style: str | None = None
    flow: bool = False
    text: str = ""
    items: list["Node"] = field(default_factory=list)
    fields: list[tuple["Node", "Node"]] = field(default_factory=list)

    def data(self) -> Any:
        """The value: mappings, lists, texts, None, booleans."""
        if self.kind == "map":
            return {key.text: value.data() for key, value in self.fields}
        if self.kind == "list":
            return [item.data() for item in self.items]
        if self.style is None and self.text in scalars.TYPED:
            return scalars.TYPED[self.text]
        return self.text


def compose(text: str) -> tuple[Node, list[Node]]:
    """The block's mapping, and all its scalar values and keys in the order of the text.

    Raises:
        Refused: the text is not one list item that holds one mapping, or uses what a task may not use.
    """
    return _Composer(text).run()


class _Composer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.scalars: list[Node] = []
        self._events: Iterator[Any] = iter(())

    def run(self) -> tuple[Node, list[Node]]:
        from ruamel.yaml import YAML  # noqa: PLC0415 - most pushes are read without it
        from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

        self._events = YAML(typ="safe", pure=True).parse(self.text)
        try:
            next(self._events)
            start = next(self._events)
            if type(start).__name__ != "DocumentStartEvent" or start.explicit:
                raise self._refuse(
                    "ST101", 0, "no task, but a document of its own", do="start the task with `- id: <id>`"
                )
            root = self._node(next(self._events), 0)
            next(self._events)
            if type(next(self._events)).__name__ != "StreamEndEvent":
                raise self._refuse("ST101", 0, "several YAML documents in one task", do="delete the lines --- and ...")
        except MarkedYAMLError as error:
            raise self._parse_fault(error) from error
        except (
            YAMLError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            AssertionError,
            ArithmeticError,
        ) as error:
            raise self._refuse("ST101", 0, f"YAML that cannot be read: {error}", do="write the task anew") from error
        if (
            root.kind != "list"
            or root.flow
            or len(root.items) != 1
            or root.items[0].kind != "map"
            or root.items[0].flow
        ):
            raise self._refuse(
                "ST101", 0, "not one task: one list item that holds fields", do="start the task with `- id: <id>`"
            )
        return root.items[0], self.scalars

    def _node(self, event: Any, depth: int) -> Node:
        name = type(event).__name__
        line = event.start_mark.line
        if name == "AliasEvent":
            raise self._refuse(
                "ST103", line, f"the alias *{event.anchor}", event.start_mark.column, do=self._quoting(line)
            )
        if event.anchor:
            raise self._refuse(
                "ST103", line, f"the anchor &{event.anchor}", event.start_mark.column, do=self._quoting(line)
            )
        if event.ctag is not None:
            raise self._refuse("ST103", line, f"the tag {event.ctag}", event.start_mark.column, do=self._quoting(line))
        node = Node(
            "scalar", event.start_mark.index, event.end_mark.index, line, event.end_mark.line, event.start_mark.column
        )
        if name == "ScalarEvent":
            node.text, node.style = event.value, event.style
            self.scalars.append(node)
            if hit := characters.bad(node.text):
                raise self._refuse(
                    "ST108",
                    line,
                    f"the escaped character {characters.name(hit[0])}",
                    node.column,
                    do="delete that character",
                )
            return node
        if depth >= limits.YAML_DEPTH:
            raise self._refuse(
                "ST107", line, f"more than {limits.YAML_DEPTH} levels", node.column, do="flatten that value"
            )
        node.flow = bool(event.flow_style)
        if name == "SequenceStartEvent":
            node.kind = "list"
            while type(event := next(self._events)).__name__ != "SequenceEndEvent":
                node.items.append(self._node(event, depth + 1))
        else:
            node.kind = "map"
            seen: set[str] = set()
            while type(event := next(self._events)).__name__ != "MappingEndEvent":
                key = self._key(event, depth, seen)
                node.fields.append((key, self._node(next(self._events), depth + 1)))
        node.end, node.last = event.end_mark.index, event.end_mark.line
        return node

    def _key(self, event: Any, depth: int, seen: set[str]) -> Node:
        key = self._node(event, depth + 1)
        where = (key.line, key.column)
        if key.kind != "scalar" or not key.text:
            raise self._refuse("ST101", key.line, "a field without a name", key.column, do=self._quoting(key.line))
        if key.style is None and (key.text == "<<" or key.text in scalars.TYPED):
            what = "the merge key <<" if key.text == "<<" else f"the field name {key.text}, which is no text in YAML"
            raise self._refuse("ST103", where[0], what, where[1], do="rename the field")
        if key.line != key.last or key.style in {"|", ">"} or not _COLON.match(self.text, key.end):
            raise self._refuse(
                "ST101",
                where[0],
                "a field name that does not stand before its colon",
                where[1],
                do="write `name: value`",
            )
        if not key.text.isascii() and (why := characters.look_alike(key.text)):
            raise self._refuse("ST108", where[0], f"a field name with {why}", where[1], do="write the name in ASCII")
        if key.text in seen:
            raise self._refuse("ST102", where[0], f"the field {key.text} twice", where[1], do="keep one of them")
        seen.add(key.text)
        return key

    def _refuse(self, code: str, line: int, found: str, column: int = 0, *, do: str) -> Refused:
        return Refused(Fault(code=code, line=line + 1, column=column + 1, found=found, do=do))

    def _line(self, line: int) -> str:
        lines = self.text.split("\n")
        return lines[line].rstrip("\r") if line < len(lines) else ""

    def _parse_fault(self, error: Any) -> Refused:
        problem = str(error.problem or error.context or "YAML that cannot be read").split("\n", 1)[0]
        mark = error.problem_mark or error.context_mark
        if "end of stream" in problem and error.context_mark is not None:
            mark = error.context_mark  # quotes that are never closed: their start is what to look at
        line = min(mark.line, self.text.rstrip("\n").count("\n")) if mark is not None else 0
        shown = self._line(line).strip()[: limits.VALUE_SHOWN]
        column = mark.column if mark is not None else 0
        # A field's own colon, or a dash, where none may stand: the line is indented amiss, quotes would not help.
        parts = _LINE.fullmatch(self._line(line))
        amiss = "found '-'" in problem or (
            "mapping values" in problem and parts is not None and parts[2] is not None and column < parts.end(2)
        )
        do = "indent the lines of one task alike" if amiss else self._quoting(line)
        return self._refuse("ST101", line, f"{problem}: {shown}", column, do=do)

    def _quoting(self, line: int) -> str:
        """How the value of a line is quoted so that it is text."""
        text = self._line(line)
        if "\t" in text:
            return "write blanks instead of the tab"
        parts = _LINE.fullmatch(text)
        value = (parts[3] if parts is not None else "").strip(" ")
        if parts is None or not value or value[0] in "\"'|>":
            return (
                "close the quotes, and indent the lines of one task alike"
                if value
                else "indent the lines of one task alike"
            )
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'put the value in quotes: {(parts[1] + (parts[2] or "")).lstrip(" ")}"{quoted}"'[
            : 2 * limits.VALUE_SHOWN
        ]
