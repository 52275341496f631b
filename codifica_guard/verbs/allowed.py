"""The commands that somebody may use on a task now."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.document import Task
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.report.plain import plain
from codifica_guard.verbs.act import resume_from
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.choice import hindrance, limit_of
from codifica_guard.verbs.deciding import DECISIONS, may_close
from codifica_guard.verbs.reader import Reader

_WORDS: Final = {
    "claim": "claim {id}",
    "submit": 'submit {id} --summary "..."',
    "note": 'note {id} "..."',
    "ask": 'note {id} --ask block|release|change "..."',
    "resume": 'resume {id} -m "..."',
    "done": "done {id}",
    "assign": "assign {id} OWNER",
    "approve": "approve {id}",
    "unblock": "unblock {id}",
}
"""How a command is typed; all others take a reason."""

_OTHERS: Final = ("reclaim",)
"""Decisions about what is not one's own."""


def commands(board: Board, task: Task, reader: Reader) -> tuple[str, ...]:
    """What a reader may do with a task, without `git codifica`, the likeliest first; empty where he may do nothing."""
    if reader.actor is None:
        return ()
    verbs = (*_as_owner(board, task, reader), *(() if reader.is_agent else _decisions(board, task, reader)))
    name = plain(task.id)
    return tuple(_WORDS.get(verb, f'{verb} {{id}} -m "..."').replace("{id}", name) for verb in verbs)


def _as_owner(board: Board, task: Task, reader: Reader) -> Iterator[str]:
    """Who works on a task: taking it, and going on with it."""
    if task.state == "todo" and hindrance(board, task, reader.actor) is None and not _full(board, reader):
        yield "claim"
    if not owns(task.owner, reader.actor):
        return
    if task.state == "in_progress" and reader.holds(task):
        yield from ("submit", "note", *(("ask",) if reader.is_agent else ()))
    elif task.state == "in_progress":
        start = resume_from(board, task)
        if start is not None and start <= board.now:
            yield "resume"
    elif task.state == "to_be_tested" and reader.is_agent and may_close(board, task):
        yield "done"


def _decisions(board: Board, task: Task, reader: Reader) -> Iterator[str]:
    """What people decide about a task in its state."""
    mine = owns(task.owner, reader.actor)
    for verb, decision in DECISIONS.items():
        barred = decision.by_owner and not mine and board.policy.guard.review_by == "owner"
        if task.state in decision.sources and not barred and not (mine and verb in _OTHERS):
            yield verb


def _full(board: Board, reader: Reader) -> bool:
    limit = limit_of(board, reader.actor)
    return limit is not None and len(board.snapshot.held.get(reader.actor or "", ())) >= limit
