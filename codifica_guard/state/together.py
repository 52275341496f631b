"""The bytes of a task that two sides come to together: each field as the side that it comes from wrote it."""

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from codifica_guard.errors import StateError
from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.value import value
from codifica_guard.state.edit import edit_block
from codifica_guard.state.merge import Data, data_of, frozen, same
from codifica_guard.state.nodes import Node, Refused, compose
from codifica_guard.state.spans import behind, behind_value
from codifica_guard.state.yaml import read_block

_ABSENT: Final = object()


def together(ours: bytes, theirs: bytes, data: Data, base: bytes | None = None) -> bytes | None:
    """A block that holds just this data, in the layout of `ours`; None where neither way of writing it reads back.

    Fields stand as their side wrote them, with their comments, quotes and the comment lines above them; so do the entries of
    lists that were joined. Where the two layouts do not fit together, fields are written anew.

    Args:
        ours: one version, lines ended by LF.
        theirs: the other one.
        data: what the block has to hold.
        base: the version that both go back to, which tells whose comments are new; None where there is none.
    """
    woven = _woven(ours, theirs, data, base)
    if woven is not None and _holds(woven, data):
        return woven
    mine = data_of(((ours, RepoPath(b"")),)) or {}
    sets = {name: held for name, held in data.items() if frozen(mine.get(name, _ABSENT)) != frozen(held)}
    try:
        return edit_block(ours, sets=sets, drop=[name for name in mine if name not in data])
    except StateError:
        return None


def _holds(raw: bytes, data: Data) -> bool:
    task = read_block(raw)
    return isinstance(task, Task) and same(task.data, data)


@value
class _Piece:
    """One field of a block: its text with the comment lines above it, its value, and the texts of a list's entries."""

    text: str
    data: Any
    head: str = ""
    entries: Mapping[str, str] | None = None


def _woven(ours: bytes, theirs: bytes, data: Data, base: bytes | None) -> bytes | None:
    try:
        mine, tail = _pieces(ours.decode())
        other, _ = _pieces(theirs.decode())
        older, _ = _pieces(base.decode()) if base is not None else ({}, "")
    except (Refused, ValueError):
        return None
    found = {name: piece.text for name, piece in mine.items() if name in data}
    for name, held in data.items():
        text = _text(mine.get(name), other.get(name), older.get(name), held)
        if text is None:
            return None
        if name in found:
            found[name] = text
    names = list(found)
    for name, before in zip(other, [None, *other], strict=False):
        if name in data and name not in mine:
            names.insert(names.index(before) + 1 if before in names else len(names), name)
            found[name] = other[name].text
    return ("".join(found[name] for name in names) + tail).encode()


def _text(mine: _Piece | None, other: _Piece | None, older: _Piece | None, held: Any) -> str | None:
    """A field as the side has it whose value it is; None where it cannot be put together."""
    wanted = frozen(held)
    fits = [piece for piece in (mine, other) if piece is not None and frozen(piece.data) == wanted]
    if fits:
        # Both say the same: what only one side wrote differently, such as a comment, is its own.
        changed = [piece for piece in fits if older is None or piece.text != older.text]
        return (changed or fits)[0].text
    if mine is None or other is None or mine.entries is None or other.entries is None:
        return None
    known = {**other.entries, **mine.entries}
    return mine.head + "".join(known[json.dumps(entry, sort_keys=True)] for entry in held)


def _pieces(text: str) -> tuple[dict[str, _Piece], str]:
    """The fields of a block in order, and what stands behind the last one."""
    root, _ = compose(text)
    pieces: dict[str, _Piece] = {}
    at = 0
    for key, node in root.fields:
        end = behind(text, key, node)
        pieces[key.text] = _piece(text, at, end, node)
        at = end
    return pieces, text[at:]


def _piece(text: str, start: int, end: int, node: Node) -> _Piece:
    whole, data = text[start:end], node.data()
    if node.kind != "list" or node.flow or not node.items:
        return _Piece(text=whole, data=data)
    first = text.rfind("\n", 0, node.items[0].start) + 1
    stops = [first, *(behind_value(text, item, item.end) for item in node.items)]
    texts = [text[one:other] for one, other in pairwise(stops)]
    named = {json.dumps(item.data(), sort_keys=True): words for item, words in zip(node.items, texts, strict=True)}
    return _Piece(text=whole, data=data, head=text[start:first], entries=named)
