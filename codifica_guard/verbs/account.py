"""What a task tells of its own past: since when it runs, its last sign of life, how it came back, what its owner asks for."""

from dataclasses import dataclass
from typing import Final

from codifica_guard.model.document import Task
from codifica_guard.model.ids import is_human
from codifica_guard.model.times import parse_time
from codifica_guard.packs.codifica.history import last_entry
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.census import CLOSED
from codifica_guard.verbs.moves import REQUEST

_BACK: Final = {
    "to_be_tested": "returned",
    "done": "reopened",
    "rejected": "reopened",
    "in_progress": "taken back",
    "blocked": "unblocked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """How a task came back to todo.

    Attributes:
        how: `returned`, `reopened`, `taken back` or `unblocked`.
        by: who did it.
        at: when, seconds since the epoch.
        reason: why.
    """

    how: str
    by: str | None
    at: float | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a task's owner asks a human for.

    Attributes:
        ask: `block`, `release` or `change`, or whatever stands there.
        by: the owner.
        at: when, seconds since the epoch.
        text: why.
    """

    ask: str
    by: str | None
    at: float | None
    text: str | None


def spoke_at(board: Board, task: Task) -> float | None:
    """When a task's last note or transition was made, seconds since the epoch; what clause 8.1.1 calls a sign of life.

    Where none has a time, it is the commit that last changed the task.
    """
    rows = (*task.entries("execution_notes"), *task.entries("state_transitions"))
    times = [at for row in rows if (at := parse_time(row.get("timestamp"))) is not None]
    return max(times) if times else board.silent_since(task.id)


def started_at(task: Task) -> float | None:
    """When a running task was claimed, seconds since the epoch; None where it does not say."""
    entry = last_entry(task, "in_progress", not_from=("in_progress",))
    found = parse_time(entry.get("timestamp")) if entry is not None else None
    return found if found is not None else parse_time(task.text("claimed_at"))


def came_back(task: Task) -> Back | None:
    """How a task in todo came back to it; None where it is new, or somebody else's history ends otherwise."""
    entries = task.entries("state_transitions")
    if task.state != "todo" or not entries or entries[-1].get("to") != "todo":
        return None
    last = entries[-1]
    how = _BACK.get(str(last.get("from")), "moved")
    return Back(
        how=how, by=text_of(last.get("by")), at=parse_time(last.get("timestamp")), reason=text_of(last.get("reason"))
    )


def request_of(task: Task) -> Request | None:
    """The open request of a task's owner: his newest note, if it is one, and no human has said or done anything since."""
    if task.state in CLOSED:
        return None
    notes = task.entries("execution_notes")
    number, note = next(
        ((n, note) for n, note in reversed(tuple(enumerate(notes))) if note.get("by") == task.owner), (0, None)
    )
    summary = text_of(note.get("summary")) if note is not None else None
    if note is None or summary is None or not summary.startswith(REQUEST):
        return None
    at = parse_time(note.get("timestamp"))
    if any(by_human(row.get("by")) for row in notes[number + 1 :]):
        return None
    for entry in task.entries("state_transitions"):
        when = parse_time(entry.get("timestamp"))
        if by_human(entry.get("by")) and at is not None and when is not None and when >= at:
            return None
    kind, _, rest = summary[len(REQUEST) :].partition(": ")
    return Request(ask=kind, by=task.owner, at=at, text=rest or text_of(note.get("note")))


def text_of(value: object) -> str | None:
    """A text that says something; None for all else."""
    return value if isinstance(value, str) and value.strip() else None


def by_human(name: object) -> bool:
    """Whether a name in a task means a human: people may leave out the prefix."""
    return isinstance(name, str) and (is_human(name) or (bool(name) and ":" not in name and name != UNASSIGNED))
