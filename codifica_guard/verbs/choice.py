"""Why a task is not for somebody to take now."""

from types import NoneType
from typing import Final

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, TaskId, is_agent, is_human
from codifica_guard.packs.codifica.choosing import free_for, has_criteria, unmet
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, follows_build, owns
from codifica_guard.report.plain import plain
from codifica_guard.verbs.board import Board

NO_CRITERIA = "no acceptance criteria"

_LISTS: Final = ("state_transitions", "execution_notes", "artifacts")
"""What the verbs append to."""


def free_tasks(board: Board, actor: Principal | None) -> list[Task]:
    """The tasks that somebody may take now, best first: clause 5.1."""
    free = free_for(actor, board.snapshot, board.codifica)
    return [task for task in free if own_hindrance(board, task, actor) is None]


def hindrance(board: Board, task: Task, actor: Principal | None) -> str | None:
    """Why a task in todo cannot be taken, in a few words; None where it can: clauses 5.1 and 8.1.

    The principal's limit of tasks plays no part here.
    """
    missing = unmet(task, board.snapshot)
    if (own := own_hindrance(board, task, actor)) is not None or not missing:
        return own
    ring = board.snapshot.circles.way(task.id)
    if ring:
        return f"cycle {' -> '.join(map(plain, ring[:8]))}"
    return f"needs {', '.join(plain(name) + _state(board, name) for name in missing)}"


def own_hindrance(board: Board, task: Task, actor: Principal | None) -> str | None:
    """Why a task in todo is not for somebody, whatever it depends on; None where only that could hinder."""
    if not (task.owner == UNASSIGNED or owns(task.owner, actor)):
        return f"owner {plain(task.owner or 'missing')}"
    allowed = board.codifica.allowed_agents
    if is_agent(actor) and allowed and actor not in allowed:
        return f"{actor} is not in allowed_agents"
    if task.type == "review" and not is_human(actor):
        return "review: humans only"
    odd = next((name for name in _LISTS if not isinstance(task.data.get(name), (list, NoneType))), None)
    if odd is not None:
        return f"{odd} is no list"
    return NO_CRITERIA if lacks_criteria(board, task) else None


def lacks_criteria(board: Board, task: Task) -> bool:
    """Whether nobody can start a task, since it is build, or follows it, and has no acceptance criteria: clause 7.1."""
    return follows_build(task, board.codifica) and not has_criteria(task)


def _state(board: Board, name: str) -> str:
    other = board.snapshot.task(TaskId(name))
    return " (not there)" if other is None else ""


def limit_of(board: Board, actor: Principal | None) -> int | None:
    """How many tasks a principal may hold at once; None where nothing limits it, as for people."""
    return None if actor is None or is_human(actor) else board.codifica.max_concurrent
