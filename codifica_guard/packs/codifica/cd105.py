"""A task does not vanish.

Why: the history of tasks is the record of who did what; a deleted task takes its record along.

Refused: a commit after which a task stands in no state document, unless it never left todo and has no notes.

Accepted: a person takes out the template's example task, or one of two tasks with one id; a task moves to another document.

Do: put the block back: git restore --source=HEAD~1 -- FILE. A task that will not be done is rejected:

    git codifica reject ID -m "why"
    git codifica archive ID --to FILE              (a finished one, to another document)
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import path_of, put_back
from codifica_guard.rules.commands import reject
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD105", "task-vanished", "Codifica 0.2, 4.1"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def untouched(task: Task) -> bool:
    """Whether a task never left todo: no notes, no transitions, no claim."""
    return task.state == "todo" and not any(
        task.data.get(name) for name in ("execution_notes", "state_transitions", "claimed_at", "artifacts")
    )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that a person's commit took away; an agent's is CD409."""
    if not view.by_human or not change.gone or change.id in view.after.records:
        return  # of an id that stood twice, one may go: CD104 asks for it
    if not (change.old and untouched(change.old)):
        yield Breach(
            found=f"{change.id} is in no state document any more",
            expected="tasks stay; a finished one may move to another document",
            do=(*put_back(path_of(change)), f"if it will not be done: {reject(change.id)}"),
        )
