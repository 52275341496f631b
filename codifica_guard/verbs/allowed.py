"""The commands that somebody may use on a task now."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.document import Task
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.rules.commands import ask, claim, done, note, resume, submit
from codifica_guard.verbs.act import resume_from
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.choice import hindrance, limit_of
from codifica_guard.verbs.deciding import COMMANDS, DECISIONS, may_close, may_decide
from codifica_guard.verbs.reader import Reader

_OTHERS: Final = ("reclaim",)
"""Decisions about what is not one's own."""


def commands(board: Board, task: Task, reader: Reader) -> tuple[str, ...]:
    """What a reader may do with a task, the likeliest first; empty where he may do nothing."""
    if reader.actor is None:
        return ()
    return (*_as_owner(board, task, reader), *(() if reader.is_agent else _decisions(board, task, reader)))


def _as_owner(board: Board, task: Task, reader: Reader) -> Iterator[str]:
    """Who works on a task: taking it, and going on with it."""
    if task.state == "todo" and hindrance(board, task, reader.actor) is None and not _full(board, reader):
        yield claim(task.id)
    if not owns(task.owner, reader.actor):
        return
    if task.state == "in_progress" and reader.holds(task):
        yield from (submit(task.id), note(task.id), *((ask(task.id, "block"),) if reader.is_agent else ()))
    elif task.state == "in_progress":
        start = resume_from(board, task)
        if start is not None and start <= board.now:
            yield resume(task.id)
    elif task.state == "to_be_tested" and reader.is_agent and may_close(board, task):
        yield done(task.id)


def _decisions(board: Board, task: Task, reader: Reader) -> Iterator[str]:
    """What people decide about a task in its state."""
    mine = owns(task.owner, reader.actor)
    for verb in DECISIONS:
        if may_decide(board, task, reader.actor, verb) and not (mine and verb in _OTHERS):
            yield COMMANDS[verb](task.id)


def _full(board: Board, reader: Reader) -> bool:
    limit = limit_of(board, reader.actor)
    return limit is not None and len(board.snapshot.held.get(reader.actor or "", ())) >= limit
