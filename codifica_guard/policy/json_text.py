"""JSON of a policy file, read so strictly that no two readers disagree about it, with the line of every value."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

from codifica_guard import limits
from codifica_guard.errors import PolicyError

Place = tuple[str | int, ...]
"""Where a value stands: keys and indexes from the outermost inwards."""

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_SCALAR: Final = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_SCALAR_CHARACTERS: Final = 64
_WORDS: Final = {"true": True, "false": False, "null": None}


class BadJson(PolicyError):
    """A text that is no JSON as it has to be.

    Attributes:
        line: line in the file, from 1; None where the whole file is meant.
    """

    def __init__(self, found: str, line: int | None = None) -> None:
        super().__init__(found)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Json:
    """A value, and the lines where its parts begin.

    Attributes:
        value: null, booleans, numbers, texts, lists and dicts.
        lines: place to line, from 1; the line of a key for what stands in an object.
    """

    value: Any
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int | None:
        """The line of a value, or of the nearest one around it that is there."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)


def read_json(data: bytes) -> Json:
    """The one value of the file.

    Refused beyond what JSON forbids: a key twice, NaN and Infinity, a byte-order mark, lone surrogates, nesting, values and bytes
    past the limits.

    Raises:
        BadJson: with the line, where one is known.
    """
    if len(data) > limits.POLICY_BYTES:
        raise BadJson(f"{len(data)} bytes; {limits.POLICY_BYTES} are the limit")
    if data.startswith(b"\xef\xbb\xbf"):
        raise BadJson("the file begins with a byte-order mark", 1)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadJson("the file is no UTF-8", data.count(b"\n", 0, error.start) + 1) from error
    return _Reader(text).read()


class _Reader:
    """One pass over the text; as deep as `limits.POLICY_DEPTH`, never deeper."""

    def __init__(self, text: str) -> None:
        # Only here: a policy that is kept from an earlier push needs no strings scanned.
        from json import JSONDecoder  # noqa: PLC0415

        self._text = text
        self._at = 0
        self._line = 1
        self._counted = 0
        self._values = 0
        self._decoder = JSONDecoder()
        self._lines: dict[Place, int] = {}

    def read(self) -> Json:
        self._blank()
        self._lines[()] = self._here()
        value = self._value(())
        self._blank()
        if self._at < len(self._text):
            raise self._bad("something stands after the end of the value")
        return Json(value=value, lines=self._lines)

    def _value(self, place: Place) -> Any:
        self._values += 1
        if self._values > limits.POLICY_VALUES:
            raise self._bad(f"more than {limits.POLICY_VALUES} values")
        if len(place) > limits.POLICY_DEPTH:
            raise self._bad(f"nested deeper than {limits.POLICY_DEPTH} levels")
        match self._peek():
            case "{":
                return self._object(place)
            case "[":
                return self._array(place)
            case '"':
                return self._string()
            case _:
                return self._scalar()

    def _object(self, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._more("}", first=not found):
            if self._peek() != '"':
                raise self._bad("a key in double quotes is expected")
            line = self._here()
            key = self._string()
            if key in found:
                raise BadJson(f"the key {key[: limits.VALUE_SHOWN]!r} stands twice", line)
            self._blank()
            if self._peek() != ":":
                raise self._bad("a colon is expected after a key")
            self._at += 1
            self._blank()
            inner = (*place, key)
            self._lines[inner] = line
            found[key] = self._value(inner)
        return found

    def _array(self, place: Place) -> list[Any]:
        found: list[Any] = []
        while self._more("]", first=not found):
            inner = (*place, len(found))
            self._lines[inner] = self._here()
            found.append(self._value(inner))
        return found

    def _more(self, end: str, *, first: bool) -> bool:
        """Whether another member follows; stands before it, or behind the end."""
        if first:
            self._at += 1
        self._blank()
        if first and self._peek() == end:
            self._at += 1
            return False
        if not first:
            if self._peek() == end:
                self._at += 1
                return False
            if self._peek() != ",":
                raise self._bad(f"a comma or {end} is expected")
            self._at += 1
            self._blank()
        return True

    def _string(self) -> str:
        try:
            text, self._at = self._decoder.raw_decode(self._text, self._at)
        except ValueError as error:
            raise self._bad("a text that does not end, or holds a control character or a wrong escape") from error
        if any("\ud800" <= c <= "\udfff" for c in text):
            raise self._bad("half a surrogate pair in a text")
        return str(text)

    def _scalar(self) -> Any:
        found = _SCALAR.match(self._text, self._at)
        if found is None:
            raise self._bad("a value is expected" if self._peek() else "the file ends too early")
        word = found[0]
        if len(word) > _SCALAR_CHARACTERS:
            raise self._bad("a number of too many digits")
        self._at = found.end()
        if word in _WORDS:
            return _WORDS[word]
        return float(word) if set(word) & set(".eE") else int(word)

    def _blank(self) -> None:
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _bad(self, found: str) -> BadJson:
        return BadJson(found, self._here())
