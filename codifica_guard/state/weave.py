"""A state document merged task by task: what Git's line merge would take for a conflict joins, and only what is one is marked."""

from collections.abc import Mapping, Sequence
from typing import Final

from codifica_guard.model.ids import TaskId
from codifica_guard.model.value import value
from codifica_guard.state.layout import Layout, Reading, read_version
from codifica_guard.state.merge import merge_task
from codifica_guard.state.together import together
from codifica_guard.state.winner import Value, winner

MARKER: Final = 7
"""Characters of a conflict marker, unless Git asks for more."""


@value
class Woven:
    """What two versions of a document come to.

    Attributes:
        data: the bytes; tasks in conflict stand in them once from each side, between markers.
        conflicts: the ids of those, by place.
    """

    data: bytes
    conflicts: tuple[TaskId, ...] = ()


def weave(base: bytes, ours: bytes, theirs: bytes, *, marker: int = MARKER) -> Woven | None:
    """Two versions of a state document merged by meaning, as a merge is judged; None where only a line merge can be had.

    Each task is merged by `merge_task`. Text outside tasks, the order and the fences come whole from the side that changed them; where
    both did, or where a version cannot be split into tasks or has an id twice, there is no answer. Every byte of the layout stays that
    of one side. New tasks of both sides at one place are ordered by id, so that both directions of a merge give one order.

    Args:
        base: the version both go back to; of two that were merged with conflicts, with their markers. Empty where there is none.
        ours: one version.
        theirs: the other one.
        marker: length of the conflict markers.
    """
    sides = [read_version(data) for data in (ours, theirs)]
    bases = [read_version(data) for data in _unmarked(base)]
    if None in sides or None in bases:
        return None
    mine, other = (side for side in sides if side is not None)
    old = [read for read in bases if read is not None]
    carrier = _carrier(mine, other, old)
    if carrier is None:
        return None
    names = dict.fromkeys((*mine.blocks, *other.blocks, *(n for read in old for n in read.blocks)))
    merged = {name: _merged(name, mine, other, old) for name in names}
    conflicts = [name for name, raw in merged.items() if raw is None]
    # In place of what is in conflict either version stands, to see that all else comes out right.
    final = {name: raw for name, raw in merged.items() if raw}
    final |= {name: mine.raw(name) or other.raw(name) for name in conflicts}
    guest = mine if carrier is other else other
    layout = Layout(carrier, guest, old)
    if not layout.fits:
        return None
    layout.fill(final)
    if not _holds(layout.data(), final, carrier):
        return None
    if conflicts:
        layout = Layout(carrier, guest, old)
        layout.fill({**final, **{name: _marked(mine.raw(name), other.raw(name), marker) for name in conflicts}})
    return Woven(data=layout.data(), conflicts=tuple(name for name in layout.order() if name in conflicts))


def _unmarked(base: bytes) -> tuple[bytes, ...]:
    """A version without conflict markers: itself, or both that its markers hold apart."""
    if b"<<<<<<<" not in base:
        return (base,)
    found: tuple[list[bytes], list[bytes]] = ([], [])
    side: int | None = None
    for line in base.splitlines(keepends=True):
        if line.startswith(b"<<<<<<<"):
            side = 0
        elif line.startswith(b"|||||||") and side == 0:
            side = -1
        elif line.startswith(b"=======") and side is not None and side <= 0:
            side = 1
        elif line.startswith(b">>>>>>>") and side == 1:
            side = None
        elif side is None:
            found[0].append(line)
            found[1].append(line)
        elif side >= 0:
            found[side].append(line)
    return tuple(b"".join(lines) for lines in found)


def _carrier(mine: Reading, other: Reading, old: Sequence[Reading]) -> Reading | None:
    """The side whose text and order go on; None where both have changed them."""
    frame = _winner([r.document.frame for r in (mine, other)], [r.document.frame for r in old])
    group = (mine, other, *old)
    order = _winner([r.order(group) for r in (mine, other)], [r.order(group) for r in old])
    if frame is None or order is None or (frame | order) == {0, 1}:
        return None
    if frame | order:
        return other if 1 in order | frame else mine
    # New tasks that both sides have may stand in two orders; which of them goes on must not depend on who merges.
    return min(mine, other, key=lambda read: read.order((mine, other)))


def _winner(values: Sequence[Value], old: Sequence[Value]) -> set[int] | None:
    """The side whose value goes on, nobody where both are equal; None where none does."""
    if values[0] == values[1]:
        return set()
    won, best = winner(tuple(values), lambda _, __: frozenset(old))
    return {list(values).index(best)} if won else None


def _merged(name: TaskId, mine: Reading, other: Reading, old: Sequence[Reading]) -> bytes | None:
    """A task's bytes after the merge, empty where it is gone; None where it is in conflict."""
    bases = frozenset(read.version(name) for read in old)
    merged = merge_task((mine.version(name), other.version(name)), lambda _, __: bases)
    if merged.side is not None:
        return (mine, other)[merged.side].raw(name)
    if merged.data is None:
        return None
    return together(mine.raw(name), other.raw(name), merged.data, old[0].raw(name) or None, merged.comments)


def _holds(data: bytes, final: Mapping[TaskId, bytes], carrier: Reading) -> bool:
    """Whether a document, read back, holds just the tasks that it has to, and the carrier's text."""
    read = read_version(data)
    if read is None or read.document.frame != carrier.document.frame:
        return False
    return {name: block.raw for name, block in read.blocks.items()} == final


def _marked(ours: bytes, theirs: bytes, marker: int) -> bytes:
    """Both versions of a task between conflict markers."""
    lines = (b"<" * marker + b" ours\n", ours, b"=" * marker + b"\n", theirs, b">" * marker + b" theirs\n")
    return b"".join(lines)
