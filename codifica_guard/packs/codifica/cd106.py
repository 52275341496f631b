"""A build task has acceptance criteria before it leaves todo.

Why: without them nobody can say whether the work is done, least of all the agent that did it.

Refused: claiming a build task (or one of a custom type) whose `acceptance` is missing or empty.

Accepted: other types; a person who blocks or rejects such a task is only reminded.

Do: take another task, `git codifica claim --next`; or a person writes the criteria, `git codifica edit ID`.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.choosing import has_criteria
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, edit
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD106", "no-acceptance", "Codifica 0.2, 5 and 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

CRITERIA = "a person adds `acceptance:` to the task: "


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that leaves todo, or goes on from blocked."""
    move = change.transition
    if (
        view.actor is None
        or move is None
        or change.new is None
        or not view.follows_build(change.new)
        or has_criteria(change.new)
    ):
        return
    starts = move[1] == "in_progress" and move[0] in {"todo", "blocked"}
    if starts or move[0] == "todo":
        yield Breach(
            found=f"{move[0]} -> {move[1]}, and acceptance is empty",
            expected=f"a task of type {change.new.type} has acceptance criteria before work starts",
            do=instead(view, change, CLAIM_NEXT, f"or {CRITERIA}{edit(change.id)}")
            if view.by_agent
            else (f"{CRITERIA}{edit(change.id)}",),
            severity=Severity.ERROR if starts else Severity.WARNING,
        )
