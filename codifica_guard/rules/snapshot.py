"""The state documents of one tree, taken together: which task stands where."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from codifica_guard.model.commit import Entry
from codifica_guard.model.document import Block, Document, Fault, Task
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.model.value import value
from codifica_guard.rules.circles import Circles
from codifica_guard.state.yaml import read_block

_STATE = rb"""state["']?[ \t]*:(?:[\s|>+\-0-9"']|#[^\n]*\n)*"""
"""The field `state`, and whatever YAML lets stand between it and a word: more than the reader takes, never less."""

_DIGITS = 18
_SCANS = 8
"""Questions for single ids that are answered by a scan, before an index pays."""


def numbered(task: TaskId) -> tuple[str, str]:
    """An id in two: what stands before the number it ends in, and the number; no number where it is absurdly long."""
    stem = task.rstrip("0123456789")
    return (stem, task[len(stem) :]) if len(task) - len(stem) <= _DIGITS else (task, "")


@value(kw_only=False)
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


class Records(Mapping[TaskId, tuple[Record, ...]]):
    """The records of some documents by their ids; few questions are answered by a scan, many by an index."""

    def __init__(self, documents: Mapping[RepoPath, Document]) -> None:
        self._documents = documents
        self._asked: dict[TaskId, tuple[Record, ...]] = {}
        self._index: dict[TaskId, tuple[Record, ...]] | None = None

    def __getitem__(self, task: TaskId) -> tuple[Record, ...]:
        if self._index is None and task not in self._asked and len(self._asked) < _SCANS:
            self._asked[task] = tuple(
                Record(path, block)
                for path in sorted(self._documents)
                for block in self._documents[path].blocks
                if block.id == task
            )
        found = self._asked[task] if task in self._asked else self._all().get(task)
        if not found:
            raise KeyError(task)
        return found

    def __iter__(self) -> Iterator[TaskId]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[TaskId, tuple[Record, ...]]:
        if self._index is None:
            found: dict[TaskId, list[Record]] = {}
            for path in sorted(self._documents):
                for block in self._documents[path].blocks:
                    found.setdefault(block.id, []).append(Record(path, block))
            self._index = {name: tuple(records) for name, records in found.items()}
        return self._index


@value(kw_only=False, slots=False)
class Snapshot:
    """All state documents of one tree.

    Attributes:
        documents: path to document.
        entries: path to tree entry, also of those that are no files.
    """

    documents: Mapping[RepoPath, Document]
    entries: Mapping[RepoPath, Entry]

    @cached_property
    def records(self) -> "Records":
        """Every record by its id, in order of documents and places; more than one where an id stands twice."""
        return Records(self.documents)

    @cached_property
    def lookalikes(self) -> Mapping[str, tuple[TaskId, ...]]:
        """Every id by its form without case, sorted."""
        found: dict[str, list[TaskId]] = {}
        for name in sorted(self.records):
            found.setdefault(name.casefold(), []).append(name)
        return {folded: tuple(names) for folded, names in found.items()}

    @cached_property
    def highest(self) -> Mapping[str, int]:
        """The highest number of the ids that are alike but for the number they end in."""
        found: dict[str, int] = {}
        for name in self.records:
            stem, digits = numbered(name)
            if digits:
                found[stem] = max(found.get(stem, 0), int(digits))
        return found

    @cached_property
    def circles(self) -> Circles:
        """The circles that dependencies form, found as they are asked for."""
        return Circles(self._needs)

    def _needs(self, task: TaskId) -> tuple[TaskId, ...]:
        found = self.task(task)
        return tuple(TaskId(name) for name in found.texts("depends_on")) if found is not None else ()

    def record(self, task: TaskId) -> Record | None:
        """The first record of an id."""
        found = self.records.get(task)
        return found[0] if found else None

    def task(self, task: TaskId) -> Task | None:
        """The task of an id; None where it is absent or cannot be read."""
        record = self.record(task)
        return record.task() if record else None

    @cached_property
    def running(self) -> tuple[Task, ...]:
        """The tasks in progress."""
        return tuple(task for _, task in self.in_state("in_progress"))

    @cached_property
    def held(self) -> Mapping[str, tuple[TaskId, ...]]:
        """The tasks in progress by their owner."""
        found: dict[str, list[TaskId]] = {}
        for task in self.running:
            if task.owner is not None:
                found.setdefault(task.owner, []).append(task.id)
        return {owner: tuple(names) for owner, names in found.items()}

    @cached_property
    def awaited(self) -> Mapping[str, tuple[Task, ...]]:
        """The tasks in progress by what they depend on."""
        found: dict[str, list[Task]] = {}
        for task in self.running:
            for name in dict.fromkeys(task.texts("depends_on")):
                found.setdefault(name, []).append(task)
        return {name: tuple(tasks) for name, tasks in found.items()}

    def in_state(self, state: str) -> Iterator[tuple[Record, Task]]:
        """Tasks in a state (a plain word) with their records: a scan of bytes for candidates, which are then read exactly."""
        written = re.compile(_STATE + re.escape(state.encode()))
        for path in sorted(self.documents):
            for block in self.documents[path].blocks:
                # An escape in double quotes can spell any word so that no scan sees it.
                if b"\\" in block.raw or written.search(block.raw):
                    record = Record(path, block)
                    task = record.task()
                    if task is not None and task.state == state:
                        yield record, task


EMPTY = Snapshot({}, {})
"""The state of no tree at all."""
