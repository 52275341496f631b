"""The text of `guard.json` with other values: what does not change keeps its place and its bytes."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from codifica_guard.errors import PolicyError
from codifica_guard.policy.json_text import read_json

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_LEAD: Final = re.compile(r"\r?\n[ \t]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    """A member of the outermost object: its key, and where key and value stand in the text."""

    key: str
    start: int
    value: int
    end: int


def with_values(data: bytes, values: Mapping[str, Any], order: Sequence[str] = ()) -> bytes:
    """The file with some keys of its outermost object set.

    Args:
        data: the file, an object.
        values: key to its value, as JSON has it.
        order: the keys as they usually follow each other: a new one goes behind the nearest that is there.

    Raises:
        PolicyError: the file is no JSON as a policy has it, or no object.
    """
    before = read_json(data).value
    if not isinstance(before, dict):
        raise PolicyError("the file is no object")
    text = data.decode()
    for key, value in values.items():
        text = _with_value(text, key, value, order)
    made = text.encode()
    if read_json(made).value != {**before, **values}:
        raise AssertionError("only the values that were named have changed")
    return made


def _with_value(text: str, key: str, value: Any, order: Sequence[str]) -> str:
    members = list(_members(text))
    lead = _lead(text, members[0].start) if members else ""
    for member in members:
        if member.key == key:
            spread = "\n" in text[member.value : member.end]
            return text[: member.value] + _shown(value, lead if spread else "") + text[member.end :]
    line = f"{json.dumps(key, ensure_ascii=False)}: {_shown(value, lead)}"
    earlier = order[: order.index(key)] if key in order else [member.key for member in members]
    before = [member for member in members if member.key in earlier]
    if before:
        last = max(before, key=lambda member: earlier.index(member.key))
        return f"{text[: last.end]},{lead or ' '}{line}{text[last.end :]}"
    place = text.index("{") + 1
    return f"{text[:place]}{lead}{line}{',' if members else ''}{'' if lead or not members else ' '}{text[place:]}"


def _shown(value: Any, lead: str) -> str:
    """A value as it is written: spread over lines that begin with `lead`, or all on one where that holds no line end."""
    if "\n" not in lead or not value:
        return json.dumps(value, ensure_ascii=False)
    indent = lead.lstrip("\r\n")
    return json.dumps(value, ensure_ascii=False, indent=indent or 2).replace("\n", lead)


def _lead(text: str, start: int) -> str:
    """The line end and the blanks before a place; nothing where something else stands before it on its line."""
    found = _LEAD.search(text, 0, start)
    return found[0] if found is not None else ""


def _members(text: str) -> Iterator[_Member]:
    """The members of the one object that a checked text holds."""
    decoder = json.JSONDecoder()
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] != "}":
        key, end = decoder.raw_decode(text, at)
        value = _skip(text, _skip(text, end) + 1)
        _, after = decoder.raw_decode(text, value)
        yield _Member(key=key, start=at, value=value, end=after)
        at = _skip(text, after)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found is not None else at
