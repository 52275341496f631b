"""An agent deletes no task.

Why: a task that vanishes takes its criteria and its record along.

Refused: an agent's commit after which a task stands in no state document.

Accepted: a human who takes out a task that never left todo (others: CD105).

Do: put the block back; that a task will not be done, a human says:

    git restore --source=HEAD~1 -- FILE
    git codifica reject ID -m "why"                (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import path_of, put_back
from codifica_guard.rules.commands import reject
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD409", "task-deleted", "Codifica 0.2, 4.1 and 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that an agent's commit took away."""
    if view.by_agent and change.gone:
        yield Breach(
            found=f"{view.actor} deleted {change.id}",
            expected="tasks stay; a human may reject one",
            do=(*put_back(path_of(change)), f"a human: {reject(change.id)}"),
        )
