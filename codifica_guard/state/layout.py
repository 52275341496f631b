"""The document that a merge builds: one side's bytes, with tasks put in, taken out and replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from codifica_guard.model.document import Block, Document
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.model.value import value
from codifica_guard.state.blocks import split, state_fences
from codifica_guard.state.merge import Version

HERE: Final = RepoPath(b"")
"""A document's path where only its bytes are merged."""


@value(slots=False)
class Reading:
    """One version: its bytes, and its tasks by id."""

    data: bytes
    document: Document
    blocks: Mapping[TaskId, Block]

    def raw(self, name: TaskId) -> bytes:
        """A task's bytes; empty where it is absent."""
        return self.blocks[name].raw if name in self.blocks else b""

    def version(self, name: TaskId) -> Version | None:
        """A task as `merge_task` takes it."""
        return ((self.blocks[name].raw, HERE),) if name in self.blocks else None

    def order(self, among: Sequence["Reading"]) -> tuple[tuple[TaskId, int], ...]:
        """The ids that some other versions have too, with their fences, in order."""
        return tuple((n, b.fence) for n, b in self.blocks.items() if all(n in other.blocks for other in among))


def read_version(data: bytes) -> Reading | None:
    """A version that can be split into tasks, each id once; None for any other."""
    document = split(HERE, data)
    blocks = {block.id: block for block in document.blocks}
    if not document.splittable or len(blocks) != len(document.blocks):
        return None
    return Reading(data=data, document=document, blocks=blocks)


@dataclass(slots=True)
class _Item:
    """A task in the document that is built, and the text between it and the next one."""

    name: TaskId
    raw: bytes
    gap: bytes


class Layout:
    """The document that is built: the carrier's bytes, with tasks put in, taken out and replaced."""

    def __init__(self, carrier: Reading, guest: Reading, old: Sequence[Reading]) -> None:
        """Begin with the carrier's tasks as they are."""
        self._carrier, self._guest = carrier, guest
        self._known = {name for read in old for name in read.blocks}
        self._end = b"\r\n" if carrier.data[: carrier.data.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
        self._fences = state_fences(carrier.data)
        self._rows: list[list[_Item]] = []
        self._first: list[bytes] = []
        for fence, (start, stop) in enumerate(self._fences):
            held = [block for block in carrier.document.blocks if block.fence == fence]
            stops = [*(block.start for block in held[1:]), stop]
            self._first.append(carrier.data[start : held[0].start if held else stop])
            self._rows.append(
                [
                    _Item(b.id, carrier.data[b.start : b.end], carrier.data[b.end : after])
                    for b, after in zip(held, stops, strict=False)
                ]
            )

    @property
    def fits(self) -> bool:
        """Whether there is a place for what the guest brings."""
        return bool(self._rows) or not self._guest.blocks

    def fill(self, final: Mapping[TaskId, bytes]) -> None:
        """Have these tasks, and no others."""
        for fence, row in enumerate(self._rows):
            for number in reversed(range(len(row))):
                item = row[number]
                if item.name not in final:
                    self._take(fence, number)
                elif final[item.name] != self._carrier.blocks[item.name].raw:
                    item.raw = final[item.name].replace(b"\n", self._end)
        for name in self._guest.blocks:
            if name in final and name not in self._carrier.blocks:
                self._put(name, final[name])

    def data(self) -> bytes:
        """The document."""
        out, at = [], 0
        for (start, stop), first, row in zip(self._fences, self._first, self._rows, strict=True):
            out += [self._carrier.data[at:start], first, *(part for item in row for part in (item.raw, item.gap))]
            at = stop
        return b"".join((*out, self._carrier.data[at:]))

    def order(self) -> list[TaskId]:
        """The tasks, by place."""
        return [item.name for row in self._rows for item in row]

    def _put(self, name: TaskId, raw: bytes) -> None:
        """Put a task where the guest has it: behind the one before it, else before the one behind it, else first in its fence."""
        fence, number = self._spot(name)
        row = self._rows[fence]
        item = _Item(name, raw.replace(b"\n", self._end), b"")
        blank = self._end if self._loose(name) else b""
        if number:
            item.gap, row[number - 1].gap = row[number - 1].gap, blank
        elif row:
            item.gap = blank
        row.insert(number, item)

    def _spot(self, name: TaskId) -> tuple[int, int]:
        places = {item.name: (f, n) for f, row in enumerate(self._rows) for n, item in enumerate(row)}
        block = self._guest.blocks[name]
        beside = [b.id for b in self._guest.document.blocks if b.fence == block.fence]
        if len(state_fences(self._guest.data)) == len(self._rows):
            # A neighbour that has moved to another fence since says nothing about this one's place.
            places = {n: place for n, place in places.items() if place[0] == block.fence}
        at = beside.index(name)
        before = next((n for n in reversed(beside[:at]) if n in places), None)
        if before is not None:
            fence, number = places[before]
            # What the guest brings together stays together.
            own = before not in self._carrier.blocks
            return fence, number + 1 if own else self._behind_run(fence, number + 1, name)
        behind = next((places[n] for n in beside[at + 1 :] if n in places), None)
        if behind is not None:
            fence, number = behind
            while number and self._new(self._rows[fence][number - 1].name):
                number -= 1
            return fence, self._behind_run(fence, number, name)
        fence = min(block.fence, len(self._rows) - 1)
        return fence, self._behind_run(fence, 0, name)

    def _behind_run(self, fence: int, number: int, name: TaskId) -> int:
        """The place before or behind new tasks of the carrier that begin there: the run whose first id is less comes first."""
        row = self._rows[fence]
        if number < len(row) and self._new(row[number].name) and row[number].name < name:
            while number < len(row) and self._new(row[number].name):
                number += 1
        return number

    def _new(self, name: TaskId) -> bool:
        """Whether the carrier alone brings a task."""
        return name in self._carrier.blocks and name not in self._known and name not in self._guest.blocks

    def _take(self, fence: int, number: int) -> None:
        row = self._rows[fence]
        item = row.pop(number)
        before = row[number - 1].gap if number else self._first[fence]
        last = number == len(row)
        gap = _unblanked(before, last=last) + item.gap if last else before + _unblanked(item.gap, last=False)
        if number:
            row[number - 1].gap = gap
        else:
            self._first[fence] = gap

    def _loose(self, name: TaskId) -> bool:
        """Whether the guest sets a task apart from its neighbours by blank lines, or has none."""
        row = [b for b in self._guest.document.blocks if b.fence == self._guest.blocks[name].fence]
        gaps = [self._guest.data[b.end : c.start] for b, c in pairwise(row) if name in {b.id, c.id}]
        return not gaps or any(not line.strip() for gap in gaps for line in gap.splitlines())


def _unblanked(gap: bytes, *, last: bool) -> bytes:
    """The lines between two tasks without the blank ones at their end, or at their start."""
    lines = gap.splitlines(keepends=True)
    while lines and not lines[-1 if last else 0].strip():
        lines.pop(-1 if last else 0)
    return b"".join(lines)
