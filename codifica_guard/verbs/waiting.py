"""What waits for somebody: requests, tasks that were handed in, silent claims, blocked tasks; for an agent, its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal
from codifica_guard.model.times import parse_time
from codifica_guard.packs.codifica.choosing import unmet
from codifica_guard.packs.codifica.history import handed_in_at, last_entry
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.verbs.account import by_human, came_back, request_of, spoke_at, started_at, text_of
from codifica_guard.verbs.ages import DAY, HOUR
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.census import Census
from codifica_guard.verbs.reader import Reader

Kind = Literal["asks", "handed in", "silent", "blocked", "assigned", "returned", "held", "lost"]

LOST_DAYS: Final = 7
"""Days in which an agent is told that a claim of its was taken away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """One task that waits, and for what.

    Attributes:
        kind: what it is about.
        task: the task.
        since: since when, seconds since the epoch; None where that is not known.
        by: who made it so; may be pushed text.
        text: his words; may be pushed text.
        ask: what a request asks for: `block`, `release` or `change`, or whatever stands there.
    """

    kind: Kind
    task: Task
    since: float | None
    by: str | None = None
    text: str | None = None
    ask: str | None = None


def waiting_for(board: Board, census: Census, reader: Reader) -> tuple[Wait, ...]:
    """What waits for a reader, the most urgent first; for nobody, what waits for any human."""
    if not reader.is_agent:
        return _once(_for_people(board, census, reader.actor))
    return _once(_for_agent(board, census, reader))


def waits_for_human(board: Board, census: Census, actor: Principal | None) -> tuple[Wait, ...]:
    """What of somebody's tasks waits for a human."""
    mine = [task for task in census.tasks if owns(task.owner, actor)]
    return _once(wait for task in mine for wait in (_asks(task), _handed_in(board, task), _blocked(task)) if wait)


def silent_tasks(board: Board, census: Census) -> tuple[Wait, ...]:
    """The running tasks that are silent for longer than `stale_claim_hours`, the longest first."""
    found = [wait for task in census.in_state("in_progress") if (wait := _silent(board, task))]
    return tuple(sorted(found, key=lambda wait: wait.since or 0))


# -- for people


def _for_people(board: Board, census: Census, actor: Principal | None) -> Iterator[Wait]:
    yield from filter(None, map(_asks, census.tasks))
    yield from filter(None, (_handed_in(board, task) for task in census.tasks))
    yield from silent_tasks(board, census)
    yield from filter(None, map(_blocked, census.tasks))
    for task in census.in_state("todo"):
        if owns(task.owner, actor) and not unmet(task, board.snapshot):
            back = came_back(task)
            yield Wait(kind="assigned", task=task, since=back.at if back else None)


def _asks(task: Task) -> Wait | None:
    """An agent's open request; what people ask one another they tell one another."""
    found = None if by_human(task.owner) else request_of(task)
    if found is None:
        return None
    return Wait(kind="asks", task=task, since=found.at, by=found.by, text=found.text, ask=found.ask)


def _handed_in(board: Board, task: Task) -> Wait | None:
    if task.state != "to_be_tested":
        return None
    at = handed_in_at(task)
    return Wait(kind="handed in", task=task, since=at if at is not None else spoke_at(board, task), by=task.owner)


def _silent(board: Board, task: Task) -> Wait | None:
    at = spoke_at(board, task)
    if at is None or board.now - at <= board.codifica.stale_claim_hours * HOUR:
        return None
    return Wait(kind="silent", task=task, since=at, by=task.owner)


def _blocked(task: Task) -> Wait | None:
    if task.state != "blocked":
        return None
    entry = last_entry(task, "blocked") or {}
    text = task.text("blocked_reason") or text_of(entry.get("reason"))
    return Wait(
        kind="blocked", task=task, since=parse_time(entry.get("timestamp")), by=text_of(entry.get("by")), text=text
    )


# -- for an agent


def _for_agent(board: Board, census: Census, reader: Reader) -> Iterator[Wait]:
    actor = reader.actor
    for task in census.in_state("todo"):
        back = came_back(task)
        if back is not None and owns(task.owner, actor):
            yield Wait(kind="returned", task=task, since=back.at, by=back.by, text=back.reason)
    for task in census.in_state("in_progress"):
        if owns(task.owner, actor):
            yield Wait(kind="held", task=task, since=started_at(task), by=actor)
    yield from filter(None, (_lost(board, task, actor) for task in census.tasks))


def _lost(board: Board, task: Task, actor: Principal | None) -> Wait | None:
    """A claim of the actor that a human took away in the last days, unless the task is the actor's again."""
    entries = task.entries("state_transitions")
    if owns(task.owner, actor) or not any(e.get("to") == "in_progress" and e.get("by") == actor for e in entries):
        return None
    last = next((e for e in reversed(entries) if e.get("by") != actor and e.get("from") == "in_progress"), None)
    mine = max((n for n, e in enumerate(entries) if e.get("by") == actor), default=0)
    if last is None or last.get("to") != "todo" or entries.index(last) < mine:
        return None
    at = parse_time(last.get("timestamp"))
    if at is not None and board.now - at > LOST_DAYS * DAY:
        return None
    return Wait(kind="lost", task=task, since=at, by=text_of(last.get("by")), text=text_of(last.get("reason")))


def _once(waits: Iterator[Wait]) -> tuple[Wait, ...]:
    """Each task once, for the first that is told of it."""
    found: dict[str, Wait] = {}
    for wait in waits:
        found.setdefault(wait.task.id, wait)
    return tuple(found.values())
