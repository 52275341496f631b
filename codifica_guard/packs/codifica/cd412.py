"""The message of a commit that changes tasks names one of them.

Why: `git log` is where people look first; a task is found there by its id.

Refused: an agent's commit whose message names none of the tasks that it changes. Nothing else is read from a message, and no
right rests on it.

Accepted: the id anywhere in the message, in upper or lower case: `FEAT-1: claim`. For people it is only told. Merges, and commits
that change no task, need no id.

Do: give the commit another message, and sign it again:

    git commit --amend
    git codifica sign HEAD
"""

import re
from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TASK_ID, TaskId
from codifica_guard.rules.advice import NEXT_TIME
from codifica_guard.rules.commands import word
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "CD412", "task-not-named", "Codifica 0.2, 4.1; the agents' skill"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

SHOWN = 3
"""Tasks that are told."""

_SIGNS = "._-"
_WORD = re.compile(r"[A-Za-z0-9._-]+")
_OWN_LINE = b"codifica-"
"""How lines begin that the guard writes: what they hold names no task."""


def changed(view: CommitView) -> tuple[TaskId, ...]:
    """The tasks that a commit changes, by place, those that it only moved to another fence included."""
    return tuple(dict.fromkeys((*(change.id for change in view.changes), *view.refenced)))


def names_one(message: bytes, tasks: tuple[TaskId, ...]) -> bool:
    """Whether a message names one of some tasks: as a word of its own, case aside.

    An old id of another form counts as named: nobody could say how a message has to write it.
    """
    if not all(TASK_ID.fullmatch(task) for task in tasks):
        return True
    lines = (line for line in message.split(b"\n") if not line.lower().startswith(_OWN_LINE))
    text = b"\n".join(lines).decode("utf-8", "replace").casefold()
    words = {found.strip(_SIGNS) for found in _WORD.findall(text)}
    return any(task.casefold().strip(_SIGNS) in words for task in tasks)


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the message of a commit by somebody proven."""
    tasks = () if view.actor is None or view.is_merge else changed(view)
    if not tasks or names_one(view.commit.message, tasks):
        return
    place = view.changes[0].place if view.changes else view.after.record(tasks[0])
    more = f" and {len(tasks) - SHOWN} more" if len(tasks) > SHOWN else ""
    yield Breach(
        found=f"the message names none of the tasks that the commit changes: {', '.join(tasks[:SHOWN])}{more}",
        expected=f"a message such as {tasks[0]}: what was done",
        do=(f"{NEXT_TIME}begin the message with the task's id",)
        if view.by_human
        else (f"git commit --amend, and begin the message with {word(tasks[0])}", "git codifica sign HEAD && git push"),
        path=place.path if place else None,
        line=place.line if place else None,
        task=tasks[0],
        severity=Severity.WARNING if view.by_human else None,
    )
