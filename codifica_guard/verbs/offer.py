"""What somebody may take now: what he holds first, then what is free, and why all else is not for him."""

from dataclasses import dataclass

from codifica_guard.model.document import Task
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.rules.fence import fence_of, latest_start, session_of
from codifica_guard.verbs.account import request_of, started_at
from codifica_guard.verbs.act import resume_from
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.census import Census, census_of
from codifica_guard.verbs.choice import free_tasks, hindrance, limit_of
from codifica_guard.verbs.reader import Reader
from codifica_guard.verbs.waiting import Wait, waits_for_human


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A task in progress that the reader owns.

    Attributes:
        task: the task.
        since: when it was claimed, seconds since the epoch; None where it does not say.
        session: the session that holds it.
        asks: whether it waits for a human's answer.
        fenced: whether its claim brought a writer key.
        token: whether this clone may go on with it: it has the token, or none is asked for.
        resume_from: from when on it may be resumed, seconds since the epoch; None where the policy allows none.
    """

    task: Task
    since: float | None
    session: str | None
    asks: bool
    fenced: bool
    token: bool
    resume_from: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What there is for a reader.

    Attributes:
        held: what he holds.
        free: what he may take, best first; whether he may take one more is another question.
        hindered: all other tasks in todo, each with the reason.
        waits: what of his waits for a human.
        census: all tasks.
        limit: how many he may hold; None where nothing limits it.
    """

    held: tuple[Held, ...]
    free: tuple[Task, ...]
    hindered: tuple[tuple[Task, str], ...]
    waits: tuple[Wait, ...]
    census: Census
    limit: int | None

    @property
    def full(self) -> bool:
        """Whether the reader holds as many as he may."""
        return self.limit is not None and len(self.held) >= self.limit

    @property
    def left(self) -> int:
        """How many tasks are neither done nor rejected."""
        return self.census.left


def offer_of(board: Board, reader: Reader) -> Offer:
    """What a board has for a reader."""
    census = census_of(board)
    # An id that stands twice is nobody's to take before a human has made two of it.
    doubled = {item.task for item in census.unreadable}
    free = tuple(t for t in free_tasks(board, reader.actor) if t.id not in doubled)
    taken = {task.id for task in free}
    hindered = [
        (task, hindrance(board, task, reader.actor) or "its id stands there more than once")
        for task in census.in_state("todo")
        if task.id not in taken
    ]
    return Offer(
        held=tuple(
            _held(board, task, reader) for task in census.in_state("in_progress") if owns(task.owner, reader.actor)
        ),
        free=free,
        hindered=tuple(hindered),
        waits=waits_for_human(board, census, reader.actor),
        census=census,
        limit=limit_of(board, reader.actor),
    )


def _held(board: Board, task: Task, reader: Reader) -> Held:
    token = reader.holds(task)
    return Held(
        task=task,
        since=started_at(task),
        session=session_of(latest_start(task.entries("state_transitions"))),
        asks=request_of(task) is not None,
        fenced=fence_of(task) is not None,
        token=token,
        resume_from=None if token else resume_from(board, task),
    )
