"""One waiting task as a row, as a few words, and as JSON; and one that cannot be read."""

from typing import TYPE_CHECKING

from codifica_guard.cli.rows import one, quoted
from codifica_guard.model.ids import show_path
from codifica_guard.model.times import stamp
from codifica_guard.report.plain import plain
from codifica_guard.verbs.account import Back
from codifica_guard.verbs.ages import span
from codifica_guard.verbs.board import Board, since
from codifica_guard.verbs.census import Unreadable
from codifica_guard.verbs.waiting import Wait

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.tasks import BackData, UnreadableTask, WaitingTask

_LATEST = 253402300799
"""The last second of the year 9999: what lies behind it no calendar here can tell."""


def when(seconds: float | None) -> str | None:
    """A time for programs; None where it is not known."""
    return stamp(min(max(seconds, 0), _LATEST)) if seconds is not None else None


def wait_data(wait: Wait) -> "WaitingTask":
    """A waiting task for programs."""
    return {
        "task": wait.task.id,
        "kind": wait.kind,
        "asks": wait.ask,
        "title": wait.task.text("title"),
        "owner": wait.task.owner,
        "since": when(wait.since),
        "by": wait.by,
        "text": wait.text,
    }


def back_data(back: Back) -> "BackData":
    """How a task came back, for programs."""
    return {"how": back.how, "by": back.by, "at": when(back.at), "reason": back.reason}


def unreadable_data(item: Unreadable) -> "UnreadableTask":
    """What cannot be read, for programs."""
    return {
        "path": show_path(item.path),
        "line": item.line,
        "code": item.code,
        "task": item.task,
        "found": item.found,
    }


def told_wait(board: Board, wait: Wait) -> str:
    """A waiting task in a few words: `FEAT-104 handed in 12 min ago`."""
    return f"{plain(wait.task.id)} {_about(board, wait)}"


def wait_row(board: Board, wait: Wait) -> tuple[str, str, str, str]:
    """A waiting task as a row: id, what it waits for, who, and its title or his words."""
    title = one(wait.task.text("title"))
    who = one(wait.task.owner)
    match wait.kind:
        case "asks":
            return plain(wait.task.id), f"asks: {one(wait.ask)}", who, quoted(wait.text) or title
        case "silent":
            told = f"{_about(board, wait)} (limit {board.codifica.stale_claim_hours})"
            return plain(wait.task.id), told, who, title
        case "blocked" | "returned" | "lost":
            by = one(wait.by)
            return plain(wait.task.id), _about(board, wait), by and f"by {by}", quoted(wait.text) or title
        case _:
            return plain(wait.task.id), _about(board, wait), who, title


def _about(board: Board, wait: Wait) -> str:
    age = since(board, wait.since)
    match wait.kind:
        case "asks":
            return f"asks {one(wait.ask)} {age}"
        case "silent":
            return f"silent {span(board.now - (wait.since or 0))}"
        case "assigned":
            return "assigned to you" if wait.task.owner != "human" else "for any human"
        case "held":
            return "you hold it" if wait.since is None else f"you hold it {span(board.now - wait.since)}"
        case _:
            return f"{wait.kind} {age}"
