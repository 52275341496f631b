"""Work starts when everything that the task depends on is done.

Why: work on an unfinished base is done twice.

Refused: a transition to in_progress while a task in `depends_on` is not done; a rejected one is not done either. By anybody.

Accepted: dependencies in the state done.

Do: take another task until the dependency is done, or let a human take it out of `depends_on`:

    git codifica claim --next
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, unblock
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD307", "unmet-dependency", "Codifica 0.2, 5.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that starts or goes on from blocked."""
    if view.actor is None or change.new is None or not change.transition or change.transition[1] != "in_progress":
        return
    for name in change.new.texts("depends_on"):
        if TaskId(name) not in view.after.records:
            continue
        other = view.after.task(TaskId(name))
        if other is None or other.state != "done":
            yield Breach(
                found=f"{change.id} starts, and {name} is {other.state if other else 'unreadable'}",
                expected=f"{name} is done first",
                do=instead(
                    view, change, *((unblock(change.id),) if change.transition[0] == "blocked" else (CLAIM_NEXT,))
                ),
                line=change.line_of("depends_on"),
            )
