"""A task that others are working on top of was reopened: they are told.

Why: work that builds on something unfinished may have to be done again.

Refused: nothing; this is a warning.

Accepted: the reopening.

Do: tell the owners of the named tasks, or let those wait:

    git codifica block ID -m "why"
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.commands import block
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD311", "dependency-reopened", "Codifica 0.2, 5.2"
SEVERITY, ABOUT = Severity.WARNING, About.TASK

SHOWN = 5
"""Running tasks that are named."""


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that was done and is no more."""
    if view.actor is None or not change.transition or change.transition[0] != "done":
        return
    running = view.after.awaited.get(change.id, ())[:SHOWN]
    if running:
        named = ", ".join(f"{task.id} ({task.owner})" for task in running)
        yield Breach(
            found=f"{change.id} is open again, and {named} builds on it",
            do=(f"tell the owners, or let the task wait: {block(running[0].id)}",),
            line=change.line_of("state"),
        )
