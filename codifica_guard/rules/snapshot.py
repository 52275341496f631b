"""The state documents of one tree, taken together: which task stands where."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from codifica_guard.model.commit import Entry
from codifica_guard.model.document import Block, Document, Fault, Task
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.state.yaml import read_block


@dataclass(frozen=True, slots=True)
class Record:
    """One task block and the document that it stands in."""

    path: RepoPath
    block: Block

    @property
    def raw(self) -> bytes:
        """The record's bytes."""
        return self.block.raw

    @property
    def line(self) -> int:
        """Line of its head in the document, from 1."""
        return self.block.line

    def read(self) -> Task | Fault:
        """The task, or why it cannot be read; read once for equal bytes."""
        return read_block(self.block.raw)

    def task(self) -> Task | None:
        """The task; None where it cannot be read."""
        task = self.read()
        return task if isinstance(task, Task) else None


@dataclass(frozen=True)
class Snapshot:
    """All state documents of one tree.

    Attributes:
        documents: path to document.
        entries: path to tree entry, also of those that are no files.
    """

    documents: Mapping[RepoPath, Document]
    entries: Mapping[RepoPath, Entry]

    @cached_property
    def records(self) -> Mapping[TaskId, tuple[Record, ...]]:
        """Every record by its id, in order of documents and places; more than one where an id stands twice."""
        found: dict[TaskId, tuple[Record, ...]] = {}
        for path in sorted(self.documents):
            for block in self.documents[path].blocks:
                found[block.id] = (*found.get(block.id, ()), Record(path, block))
        return found

    def record(self, task: TaskId) -> Record | None:
        """The first record of an id."""
        found = self.records.get(task)
        return found[0] if found else None

    def task(self, task: TaskId) -> Task | None:
        """The task of an id; None where it is absent or cannot be read."""
        record = self.record(task)
        return record.task() if record else None

    def holding(self, *needles: bytes) -> Iterator[tuple[Record, Task]]:
        """Records whose bytes hold all the needles, read: a scan for candidates that are then read exactly."""
        for records in self.records.values():
            for record in records:
                if all(needle in record.raw for needle in needles):
                    task = record.task()
                    if task is not None:
                        yield record, task


EMPTY = Snapshot({}, {})
"""The state of no tree at all."""
