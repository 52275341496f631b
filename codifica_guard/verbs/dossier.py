"""All that is known of one task, for somebody who has to decide about it."""

from dataclasses import dataclass

from codifica_guard.model.act import Act
from codifica_guard.model.document import Task
from codifica_guard.verbs.account import Back, Request, came_back, request_of
from codifica_guard.verbs.allowed import commands
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.brief import Brief, brief_of, summary_of
from codifica_guard.verbs.choice import hindrance
from codifica_guard.verbs.history import signing_acts
from codifica_guard.verbs.reader import Reader
from codifica_guard.verbs.worked import Work, work_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """One task with all that belongs to it.

    Attributes:
        task: the task.
        brief: what it asks for, and what to read first.
        summary: the newest summary among its notes.
        back: how it came back to todo.
        request: what its owner asks for.
        work: the work on it.
        claim: the newest claim.
        hand_in: the hand-in that followed it.
        hindrance: why the reader may not take it now; None where he may, and where it is not in todo.
        commands: what the reader may do with it now.
    """

    task: Task
    brief: Brief
    summary: str | None
    back: Back | None
    request: Request | None
    work: Work | None
    claim: Act | None
    hand_in: Act | None
    hindrance: str | None
    commands: tuple[str, ...]


def dossier_of(board: Board, reader: Reader, task: Task, *, gone: frozenset[str] = frozenset()) -> Dossier:
    """What a reader has to know of a task.

    Args:
        board: the board.
        reader: the reader.
        task: the task.
        gone: branches that the remote has no more.
    """
    claim, hand_in = signing_acts(board, task)
    return Dossier(
        task=task,
        brief=brief_of(task, board.snapshot),
        summary=summary_of(task),
        back=came_back(task),
        request=request_of(task),
        work=work_of(board, task, gone=gone),
        claim=claim,
        hand_in=hand_in,
        hindrance=hindrance(board, task, reader.actor) if task.state == "todo" else None,
        commands=commands(board, task, reader),
    )
