"""A task that moves to another state document moves as it is.

Why: in a move each of its lines is new, so nobody sees which one was changed on the way.

Refused: an agent's commit that moves its own task to another document and edits it, the step to done included.

Accepted: the edit, then the move, a commit each. A person's commit that does both, such as to approve and archive at once, is only
told.

Do: put the task back, commit the edit where the task stands, then the move:

    git reset --soft HEAD~1
    git restore --staged --worktree -- FILE
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short, show_path
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.rules.advice import NEXT_TIME, TAKE_OUT, quoted
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD410", "edited-in-a-move", "Codifica 0.2, 3.2; codifica-guard, archives"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True

EACH = "first the edit, then the move, a commit each"


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that changed on its way to another document; of another's task CD404 says all."""
    if not (change.moved and change.edited) or change.before is None or change.after is None:
        return
    if not view.by_human and not (view.by_agent and change.old is not None and owns(change.old.owner, view.actor)):
        return
    source, target = change.before.path, change.after.path
    undo = f"{TAKE_OUT}git reset --soft {short(view.commit.id)}~1"
    yield Breach(
        found=f"{change.id} went from {show_path(source)} to {show_path(target)}, and is not what it was",
        expected="a move that leaves the task as it is",
        do=(f"{NEXT_TIME}{EACH}",)
        if view.by_human
        else (f"{undo} && git restore --staged --worktree -- {quoted(source)} {quoted(target)}", EACH),
        severity=Severity.WARNING if view.by_human else None,
    )
