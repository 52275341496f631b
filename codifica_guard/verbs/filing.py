"""Filing a new task: its id, its place, its block."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from codifica_guard.errors import StateError, UsageError
from codifica_guard.model.document import Document, Task
from codifica_guard.model.ids import TASK_ID, RepoPath, TaskId, show_path
from codifica_guard.packs.codifica.cd104 import free_id
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, types
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import FIX
from codifica_guard.state.blocks import split
from codifica_guard.state.edit import add_block, render_task
from codifica_guard.verbs.act import document_bytes, needs_other
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.owners import owner_of
from codifica_guard.verbs.seat import Plan, Proposal, Seat
from codifica_guard.verbs.stopped import CANNOT_TELL, Stopped

FIRST = TaskId("TASK-001")
"""The id of the first task, where no task shows another way to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A task as it was asked for.

    Attributes:
        fields: its fields but id, state and owner; those without a value are left out.
        ident: its id, where one is wanted.
        owner: its owner, as it was typed.
    """

    fields: Mapping[str, Any]
    ident: str | None = None
    owner: str = UNASSIGNED


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A task on the board.

    Attributes:
        task: the task.
        path: the document that it stands in.
        line: the line of its head there, from 1.
    """

    task: Task
    path: RepoPath
    line: int


class Filing:
    """A plan that files a task at the end of the last fence of the first state document, under an id that is free.

    Attributes:
        filed: the task as the last try has it; set when a try was made.
    """

    filed: Filed

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    @property
    def plan(self) -> Plan:
        """The plan."""
        return self._propose

    def _propose(self, seat: Seat) -> Proposal:
        """The commit that files it; on each try the id is chosen anew, unless one is wanted.

        Raises:
            UsageError: the type or the owner is none that there is.
            Stopped: the wanted id is taken, there is no place, or an agent files for somebody else (exit code 6).
        """
        board, draft = seat.board, self._draft
        kinds = types(board.codifica)
        if draft.fields["type"] not in kinds:
            raise UsageError(f"{plain(draft.fields['type'])} is no type of task here: {', '.join(kinds)}")
        owner = owner_of(board, draft.owner)
        if seat.is_agent and owner not in {UNASSIGNED, seat.actor}:
            raise needs_other(seat, f"only a human files a task for {owner}: leave out --owner", ())
        document = _first_document(board)
        ident = _wanted(board, draft.ident) if draft.ident is not None else next_id(board, document)
        data = {"id": ident, "state": "todo", "owner": owner, **{k: v for k, v in draft.fields.items() if v}}
        try:
            new = add_block(document_bytes(board, document.path), render_task(data))
        except StateError as error:
            text = f"{plain(show_path(document.path))} takes no task: {error}; a human mends it first: {FIX}"
            raise Stopped(text, exit=CANNOT_TELL, as_of=board.as_of) from error
        block = split(document.path, new).blocks[-1]
        self.filed = Filed(task=Task(data=data), path=document.path, line=block.line)
        return Proposal(files={document.path: new}, subject=f"{plain(ident)}: new")


def _first_document(board: Board) -> Document:
    """The state document that `codifica.json` names first; of those that a pattern matches, the first by name.

    Raises:
        Stopped: there is none.
    """
    found = board.snapshot.documents
    rank = {pattern: number for number, pattern in enumerate(board.codifica.state.patterns)}
    plain = [path for path in found if os.fsdecode(path) in rank]
    if plain:
        return found[min(plain, key=lambda path: rank[os.fsdecode(path)])]
    if not found:
        raise Stopped(f"{board.ref} has no state document that `state` in codifica.json names", as_of=board.as_of)
    return found[min(found)]


def _wanted(board: Board, text: str) -> TaskId:
    """An id that somebody typed.

    Raises:
        UsageError: it is none.
        Stopped: a task has it.
    """
    ident = TaskId(text.strip())
    if not TASK_ID.fullmatch(ident):
        raise UsageError(
            f"{plain(ident)} is no id: letters, digits, dot, underscore, hyphen; 64 at most; a letter or digit first"
        )
    twins = board.snapshot.lookalikes.get(ident.casefold(), ())
    if twins:
        free = _free(board, twins[0])
        told = "there" if ident in twins else f"no id beside {plain(twins[0])}, from which it differs only by case"
        raise Stopped(f"{ident} is {told}{' already' if ident in twins else ''}; free is {free}", as_of=board.as_of)
    return ident


def next_id(board: Board, document: Document) -> TaskId:
    """The next free id: that of the document's last task, counted on; `TASK-001` where there is no task."""
    return _free(board, document.blocks[-1].id) if document.blocks else _free(board, None)


def _free(board: Board, like: TaskId | None) -> TaskId:
    """A free id of the same kind as another; where that cannot be counted on, one of `TASK-001`, `TASK-002`, ..."""
    if like is not None:
        ident = TaskId(free_id(board.snapshot, like))
        if TASK_ID.fullmatch(ident) and ident.casefold() not in board.snapshot.lookalikes:
            return ident
    if FIRST.casefold() not in board.snapshot.lookalikes:
        return FIRST
    number = board.snapshot.highest.get("TASK-", 1) + 1
    while f"task-{number:03d}" in board.snapshot.lookalikes:
        number += 1
    return TaskId(f"TASK-{number:03d}")
