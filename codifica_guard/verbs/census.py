"""All tasks of a board: those that can be read, and the places of those that cannot, so that none is dropped in silence."""

from collections.abc import Iterator
from dataclasses import dataclass

from codifica_guard.model.document import Document, Fault, Task
from codifica_guard.model.ids import RepoPath, TaskId, show_path
from codifica_guard.packs.codifica import cd101, cd102, cd104
from codifica_guard.packs.codifica.vocabulary import STATES
from codifica_guard.packs.core import st106
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.rules.snapshot import Record
from codifica_guard.verbs.board import Board

CLOSED = ("done", "rejected")
"""States in which a task needs nobody any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A document or a task that cannot be taken as it stands.

    Attributes:
        path: the document.
        line: the line in it, from 1.
        code: the rule that it breaks.
        found: what is there, in words; may repeat pushed text.
        task: the task's id; None for a whole document.
    """

    path: RepoPath
    line: int
    code: str
    found: str
    task: TaskId | None = None

    @property
    def place(self) -> str:
        """Where it is, for people: `work.md:670`."""
        return f"{plain(show_path(self.path))}:{self.line}"

    def __str__(self) -> str:
        """All of it on one line, in ASCII."""
        name = f" {plain(self.task)}" if self.task is not None else ""
        return f"{self.code} {self.place}{name} {plain_words(self.found)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """What stands on a board.

    Attributes:
        tasks: those that can be read and are in a state that there is, by document and place.
        unreadable: all else.
        documents: whether there is a state document at all.
    """

    tasks: tuple[Task, ...]
    unreadable: tuple[Unreadable, ...]
    documents: bool

    def in_state(self, *states: str) -> tuple[Task, ...]:
        """The tasks in some states."""
        return tuple(task for task in self.tasks if task.state in states)

    @property
    def left(self) -> int:
        """How many tasks are neither done nor rejected; what cannot be read is not known to be."""
        return sum(task.state not in CLOSED for task in self.tasks) + len(self.unreadable)


def census_of(board: Board) -> Census:
    """Read all tasks of a board."""
    tasks: list[Task] = []
    unreadable: list[Unreadable] = []
    seen: set[TaskId] = set()
    for path, document in sorted(board.snapshot.documents.items()):
        unreadable += _of_document(document)
        for block in document.blocks:
            record = Record(path, block)
            found = _taken(record, again=block.id in seen)
            if isinstance(found, Task):
                tasks.append(found)
            else:
                unreadable.append(found)
            seen.add(block.id)
    return Census(tasks=tuple(tasks), unreadable=tuple(unreadable), documents=bool(board.snapshot.documents))


def _of_document(document: Document) -> Iterator[Unreadable]:
    """Why a document cannot be split into tasks."""
    if document.splittable:
        return
    if not document.faults:
        yield Unreadable(path=document.path, line=1, code=st106.CODE, found="it is no regular file")
    for fault in document.faults:
        yield Unreadable(path=document.path, line=fault.line, code=fault.code, found=fault.found)


def _taken(record: Record, *, again: bool) -> Task | Unreadable:
    read = record.read()
    line, ident = record.line, record.block.id
    if isinstance(read, Fault):
        return Unreadable(path=record.path, line=line + read.line - 1, code=read.code, found=read.found, task=ident)
    if again:
        return Unreadable(path=record.path, line=line, code=cd104.CODE, found="this id stands there before", task=ident)
    if read.state is None:
        return Unreadable(path=record.path, line=line, code=cd101.CODE, found="it has no state", task=ident)
    if read.state not in STATES:
        where = line + read.lines.get("state", 1) - 1
        return Unreadable(
            path=record.path, line=where, code=cd102.CODE, found=f"there is no state {read.state}", task=ident
        )
    return read
