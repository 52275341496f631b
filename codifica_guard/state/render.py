"""Values written as YAML lines, in the shape of the protocol's own examples."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from codifica_guard.errors import StateError
from codifica_guard.state import characters, scalars
from codifica_guard.state.fields import PLACE, SWALLOWED

_NUMBER: Final = re.compile(r"(?i)[-+]?(?:[0-9][0-9_,]*|0x[0-9a-f_]+|[0-9]*\.[0-9]*|\.(?:inf|nan))")
_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})"
)
_SAFE: Final = re.compile(r"[^\W_][^\n]*|[_./(+][\w./-][^\n]*", re.ASCII)
_CUT: Final = re.compile(r":(?:\s|$)|\s#|\s$|\t")
_ENDS: Final = re.compile(r"[,\[\]{}]")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_LATER: Final = len(PLACE)


def render_task(data: Mapping[str, Any]) -> bytes:
    """A fresh task block: the protocol's fields in its order, then the others as they come; it reads back as `data`.

    Args:
        data: field names to texts, None, booleans, lists and mappings; `id` among them, a one-line text.

    Raises:
        StateError: no `id`, or a value that cannot stand in a state document.
    """
    ident = data.get("id")
    if not isinstance(ident, str) or not ident or "\n" in ident:
        raise StateError("a task needs an id of one line")
    lines = [line for name in ordered(data) for line in field(name, data[name], 2)]
    return ("- " + "\n".join(lines).lstrip(" ") + "\n").encode()


def ordered(names: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """Field names in the protocol's order; those that it does not know come last, as they came."""
    return sorted(names, key=lambda name: PLACE.get(name, _LATER))


def field(name: str, value: Any, column: int) -> list[str]:
    """The lines, without line ends, of one field whose name stands at a column.

    Raises:
        StateError: a value that cannot stand in a state document.
    """
    pad = " " * column
    plain = _NAME.fullmatch(name) is not None and name not in scalars.TYPED
    head = f"{pad}{name if plain else one_line(name)}:"
    if isinstance(value, Mapping) and value:
        return [head, *(line for key, inner in value.items() for line in field(key, inner, column + 2))]
    if isinstance(value, (list, tuple)) and value:
        return [head, *(line for item in value for line in list_item(item, column + 2))]
    if isinstance(value, str) and _fits_block(value):
        header = "|" if value.endswith("\n") else "|-"
        return [
            f"{head} {header}",
            *(f"{pad}  {line}" if line else "" for line in value.removesuffix("\n").split("\n")),
        ]
    return [f"{head} {one_line(value)}"]


def list_item(value: Any, column: int) -> list[str]:
    """The lines of one list item whose dash stands at a column.

    Raises:
        StateError: a value that cannot stand in a state document.
    """
    pad = " " * column
    if isinstance(value, Mapping) and value:
        lines = [line for key, inner in value.items() for line in field(key, inner, column + 2)]
        return [f"{pad}- {lines[0].lstrip(' ')}", *lines[1:]]
    return [f"{pad}- {one_line(value)}"]


def one_line(value: Any) -> str:
    """A text, None, a boolean, an empty list or an empty mapping in one line.

    Raises:
        StateError: another value, or a text with characters that no document may hold.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        try:
            return _scalar(value)
        except ValueError as error:
            raise StateError(f"{value!r} holds {error}") from error
    if isinstance(value, (list, tuple, Mapping)) and not value:
        return "{}" if isinstance(value, Mapping) else "[]"
    raise StateError(f"a {type(value).__name__} cannot be written here: {value!r}")


def in_brackets(value: Any) -> str:
    """A value in one line, as it may stand between brackets and braces.

    Raises:
        StateError: a value that cannot stand in a state document.
    """
    if isinstance(value, Mapping) and value:
        return "{" + ", ".join(f"{in_brackets(key)}: {in_brackets(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)) and value:
        return "[" + ", ".join(map(in_brackets, value)) + "]"
    text = one_line(value)
    # Between brackets these would end a plain text.
    return _quoted(value) if isinstance(value, str) and text[0] != '"' and _ENDS.search(text) else text


def _fits_block(value: str) -> bool:
    """Whether a text of several lines can be written below its name as it is, and is no riddle to readers there."""
    lines = value.removesuffix("\n").split("\n")
    return (
        "\n" in value
        and bool(lines[0] and lines[-1])
        and not lines[0].startswith(" ")
        and not any(line.isspace() or line.startswith("\t") or SWALLOWED.match(line) for line in lines)
        and "\r" not in value
        and not characters.bad(value)
    )


def _scalar(text: str) -> str:
    """One line of YAML that every reader reads as this text: plain only where nothing can be misread, else in quotes.

    Raises:
        ValueError: the text holds a character that no document may hold.
    """
    if characters.bad(text):
        raise ValueError("a control character, or another that no state document may hold")
    if _TIME.fullmatch(text):
        return text
    if _SAFE.fullmatch(text) and not _CUT.search(text) and not scalars.differs(text) and not _NUMBER.fullmatch(text):
        return text
    return _quoted(text)


def _quoted(text: str) -> str:
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    )
    return f'"{escaped}"'
