"""A reader for the plain subset of YAML that nearly all task blocks are written in; it spares the full parser.

It answers only where its answer is that of the full parser, and gives up at the first thing that it does not know:
anchors, tags, comments behind values, values of several lines, odd indentation, escapes, anything that would be refused or
warned of. What is left: block maps and lists of one-line scalars, short flow lists, and simple block scalars.
"""

import re
from typing import Any, Final

from codifica_guard import limits
from codifica_guard.model.document import Task
from codifica_guard.state import characters, scalars
from codifica_guard.state.fields import SWALLOWED

_DEPTH: Final = 20  # below the limit of the full parser, which then says what is wrong
_ENTRY: Final = re.compile(r"( *)(- )?(?:([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +([^\n]*))?|([^\n]*))")
_FIRST_OF_OTHERS: Final = frozenset(" -?:,[]{}#&*!|>'\"%@`")
_DOUBLE: Final = re.compile(r'"((?:[^"\\]|\\["\\nt])*)"')
_SINGLE: Final = re.compile(r"'((?:[^']|'')*)'")
_FLOW: Final = re.compile(r"\[ *((?:[A-Za-z0-9_][A-Za-z0-9_./-]*)(?:, *[A-Za-z0-9_][A-Za-z0-9_./-]*)*) *\]")
_EXACT: Final = frozenset({"id", "state", "owner"})
_ASCII: Final = re.compile(r"[ -~]*")
_CONTROLS: Final = bytes([*range(10), *range(11, 32), 127])


class _GiveUp(Exception):
    """Something that only the full parser knows."""


def read_plain(raw: bytes) -> Task | None:
    """The task that the full parser would read, without warnings, or None where it has to be asked.

    Args:
        raw: a block, its lines ended by LF.
    """
    if len(raw) > limits.BLOCK_BYTES or raw[-1:] != b"\n" or len(raw.translate(None, _CONTROLS)) != len(raw):
        return None
    try:
        text = raw.decode()
        if len(text) != len(raw) and characters.bad(text):
            return None
        return _Reader(text.split("\n")).task()
    except (UnicodeDecodeError, _GiveUp):
        return None


class _Reader:
    """Reads entry by entry: `indent`, `dash`, `key`, `value`, `bare` are those of the line `at`; indent -1 is the end."""

    __slots__ = ("at", "bare", "dash", "indent", "key", "lines", "value")

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = -1
        self.indent = -1
        self.dash: str | None = None
        self.key: str | None = None
        self.value: str | None = None
        self.bare: str | None = None

    def task(self) -> Task:
        self._next()
        if self.at != 0 or self.indent != 0 or not self.dash or self.key != "id" or (self.value or "|")[0] in "|>[{":
            raise _GiveUp
        where: dict[str, int] = {}
        data = self._map(2, 1, where)
        if self.indent != -1:
            raise _GiveUp
        return Task(data=data, lines=where)

    def _next(self) -> None:
        lines = self.lines
        while True:
            self.at += 1
            if self.at >= len(lines):
                self.indent = -1
                return
            entry = _ENTRY.fullmatch(lines[self.at])
            assert entry is not None  # noqa: S101 - the pattern takes every line
            blanks, self.dash, self.key, self.value, self.bare = entry.groups()
            if self.key is None and not self.dash and (not self.bare or self.bare[0] == "#"):
                continue
            self.indent = len(blanks)
            return

    def _map(self, column: int, depth: int, where: dict[str, int] | None = None) -> dict[str, Any]:
        """A map whose keys stand at a column; the current entry is its first."""
        found: dict[str, Any] = {}
        if depth > _DEPTH:
            raise _GiveUp
        while True:
            key = self.key
            if key is None or key in found or key in scalars.TYPED:
                raise _GiveUp
            if where is not None:
                where[key] = self.at + 1
                if key in _EXACT and self.value:
                    self._check_exact(self.value)
            found[key] = self._value(column, depth)
            if self.indent != column or self.dash:
                if self.indent > column:
                    raise _GiveUp
                return found

    def _list(self, column: int, depth: int) -> list[Any]:
        """A list whose dashes stand at a column; the current entry is its first."""
        found: list[Any] = []
        if depth > _DEPTH:
            raise _GiveUp
        while True:
            if self.key is not None:
                found.append(self._map(column + 2, depth + 1))
            else:
                found.append(_scalar(self.bare or ""))
                self._next()
            if self.indent != column or not self.dash:
                if self.indent > column:
                    raise _GiveUp
                return found

    def _value(self, column: int, depth: int) -> Any:
        """The value of the current entry's key, which stands at a column; goes on to the entry behind it."""
        value = self.value
        if value:
            if value[0] in "|>":
                return self._text(value.rstrip(" "), column)
            answer = _scalar(value)
            self._next()
            return answer
        self._next()
        if self.indent >= column and self.dash:
            return self._list(self.indent, depth + 1)
        if self.indent > column:
            return self._map(self.indent, depth + 1)
        return None

    @staticmethod
    def _check_exact(value: str) -> None:
        if value[0] in "|>[{" or not _ASCII.fullmatch(value) or scalars.differs(value.rstrip(" ")) or "\\" in value:
            raise _GiveUp

    def _text(self, header: str, column: int) -> str:
        """A block scalar below a key at a column."""
        lines, at = self.lines, self.at + 1
        if header not in {"|", "|-", ">", ">-"}:
            raise _GiveUp
        width = len(lines[at]) - len(lines[at].lstrip(" "))
        if width <= column or width == len(lines[at]):
            raise _GiveUp
        body = []
        while at < len(lines) and not lines[at][:width].strip(" "):
            body.append(lines[at][width:])
            at += 1
        while not body[-1]:
            body.pop()
        text = "\n".join(body)
        if SWALLOWED.search(text):
            raise _GiveUp
        if header[0] == ">":
            text = _folded(body)
        self.at = at - 1
        self._next()
        return text if header[1:] else text + "\n"


def _folded(body: list[str]) -> str:
    """Lines joined by blanks, and n empty lines by n line ends."""
    text, empty = body[0], 0
    for line in body[1:]:
        if not line:
            empty += 1
        elif line[0] == " ":
            raise _GiveUp
        else:
            text += ("\n" * empty or " ") + line
            empty = 0
    return text


def _scalar(value: str) -> Any:
    """One scalar or short flow list that fills the rest of its line."""
    value = value.rstrip(" ")
    if value[:1] not in _FIRST_OF_OTHERS:
        if ": " in value or " #" in value or value[-1:] == ":":
            raise _GiveUp
        return scalars.TYPED.get(value, value)
    if value[:1] == '"' and (quoted := _DOUBLE.fullmatch(value)):
        return scalars.unescape(quoted[1])
    if value[:1] == "'" and (quoted := _SINGLE.fullmatch(value)):
        return quoted[1].replace("''", "'")
    if value == "[]":
        return []
    if value == "{}":
        return {}
    if flow := _FLOW.fullmatch(value):
        return [scalars.TYPED.get(item, item) for item in (part.strip(" ") for part in flow[1].split(","))]
    raise _GiveUp
