"""The bytes of a task that two sides come to together: each field as the side that it comes from wrote it."""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from codifica_guard.errors import StateError
from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.value import value
from codifica_guard.state.comments import Comments, comments_of, join_comments
from codifica_guard.state.edit import edit_block
from codifica_guard.state.merge import Data, data_of, frozen, same
from codifica_guard.state.nodes import Node, Refused, compose
from codifica_guard.state.spans import behind, behind_value
from codifica_guard.state.yaml import read_block

_ABSENT: Final = object()


def together(
    ours: bytes, theirs: bytes, data: Data, base: bytes | None = None, comments: Comments | None = None
) -> bytes | None:
    """A block that holds just this data and every comment, in the layout of `ours`; None where that cannot be written.

    Fields stand as their side wrote them, with their quotes and comments; so do comment lines above a field and the entries of
    lists that were joined. Where the two layouts do not fit together, fields are written anew. A comment that a side brought, or
    that stood before and that no side took out, is never lost.

    Args:
        ours: one version, lines ended by LF.
        theirs: the other one.
        data: what the block has to hold.
        base: the version that both go back to, which tells whose comments are new; None where there is none.
        comments: those that it has to have; None for what the three versions come to.
    """
    if comments is None:
        old = [comments_of(base or b"")]
        comments = join_comments([comments_of(ours), comments_of(theirs)], lambda _, __: old)

    def holds(raw: bytes) -> bool:
        task = read_block(raw)
        return isinstance(task, Task) and same(task.data, data) and comments_of(raw) == comments

    for raw in (_woven(ours, theirs, data, base), _anew(ours, data)):
        if raw is not None and holds(raw):
            return raw
    return None


def _anew(ours: bytes, data: Data) -> bytes | None:
    """One version with the fields written anew that do not hold what they have to."""
    mine = data_of(((ours, RepoPath(b"")),)) or {}
    sets = {name: held for name, held in data.items() if frozen(mine.get(name, _ABSENT)) != frozen(held)}
    try:
        return edit_block(ours, sets=sets, drop=[name for name in mine if name not in data])
    except StateError:
        return None


@value
class _Piece:
    """One field of a block: the lines above it, its text, its value, and the texts of a list's entries."""

    lead: str
    text: str
    data: Any
    head: str = ""
    entries: Mapping[str, str] | None = None


def _woven(ours: bytes, theirs: bytes, data: Data, base: bytes | None) -> bytes | None:
    """The fields put together as texts; None where one cannot be."""
    try:
        mine, tail = _pieces(ours.decode())
        other, other_tail = _pieces(theirs.decode())
        older, old_tail = _pieces(base.decode()) if base is not None else ({}, "")
    except (Refused, ValueError):
        return None
    found: dict[str, str] = {}
    for name in (*(n for n in mine if n in data), *(n for n in data if n not in mine)):
        sides = [piece for piece in (mine.get(name), other.get(name)) if piece is not None]
        old = older.get(name)
        text = _text(sides, old, data[name])
        if text is None:
            return None
        found[name] = _newer([piece.lead for piece in sides], old.lead if old is not None else "") + text
    names = [name for name in found if name in mine]
    for name, before in zip(other, [None, *other], strict=False):
        if name in found and name not in mine:
            names.insert(names.index(before) + 1 if before in names else len(names), name)
    return ("".join(found[name] for name in names) + _newer([tail, other_tail], old_tail)).encode()


def _newer(texts: Sequence[str], old: str) -> str:
    """The text of the side that changed it; the first where several did."""
    return next((text for text in texts if text != old), old) if any(text != old for text in texts) else texts[0]


def _text(sides: Sequence[_Piece], older: _Piece | None, held: Any) -> str | None:
    """A field as the side has it whose value it is; None where it cannot be put together."""
    wanted = frozen(held)
    fits = [piece for piece in sides if frozen(piece.data) == wanted]
    if fits:
        # Both say the same: what only one side wrote differently, such as a comment, is its own.
        changed = [piece for piece in fits if older is None or piece.text != older.text]
        return (changed or fits)[0].text
    known: dict[str, str] = {}
    for piece in reversed(sides):
        if piece.entries is None:
            return None
        known |= piece.entries
    return sides[0].head + "".join(known[json.dumps(entry, sort_keys=True)] for entry in held)


def _pieces(text: str) -> tuple[dict[str, _Piece], str]:
    """The fields of a block in order, and what stands behind the last one."""
    root, _ = compose(text)
    pieces: dict[str, _Piece] = {}
    at = 0
    for key, node in root.fields:
        start = text.rfind("\n", 0, key.start) + 1
        end = behind(text, key, node)
        pieces[key.text] = _piece(text[at:start], text, start, end, node)
        at = end
    return pieces, text[at:]


def _piece(lead: str, text: str, start: int, end: int, node: Node) -> _Piece:
    whole, data = text[start:end], node.data()
    if node.kind != "list" or node.flow or not node.items:
        return _Piece(lead=lead, text=whole, data=data)
    first = text.rfind("\n", 0, node.items[0].start) + 1
    stops = [first, *(behind_value(text, item, item.end) for item in node.items)]
    texts = [text[one:other] for one, other in pairwise(stops)]
    named = {json.dumps(item.data(), sort_keys=True): words for item, words in zip(node.items, texts, strict=True)}
    return _Piece(lead=lead, text=whole, data=data, head=text[start:first], entries=named)
