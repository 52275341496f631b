"""A claim does nothing else, and claims one task.

Why: whoever loses the race then loses nothing; the claim can be dropped and another made.

Refused: an agent's claim together with code, with another task's change, with other fields of the task, or two claims at once.

Accepted: a claim, then the work, a commit each, in one push.

Do: let the verb claim, then commit the rest; or by hand a commit each:

    git reset --soft HEAD~1 && git restore --staged --worktree work.md
    git codifica claim ID
"""

from collections.abc import Iterator
from itertools import islice

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short, show_path
from codifica_guard.rules.advice import BY_HAND, instead
from codifica_guard.rules.commands import claim
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD302", "claim-with-more", "Codifica 0.2, 8.1 and 8.3"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True

OF_A_CLAIM = {"state", "owner", "claimed_at", "state_transitions"}


MOST = 100
"""What else is looked for: a commit may claim thousands of tasks, each of which would name all others."""


def _more(change: TaskChange, old: Task, new: Task, view: CommitView) -> Iterator[str]:
    for other in view.changes:
        if other.id != change.id:
            yield f"{other.id} {'is claimed' if other.is_claim else 'is changed'}"
    yield from (f"{name} goes to another fence" for name in view.refenced)
    for path in (*view.frames, *view.reordered, *view.paths):
        yield f"{show_path(path)} is changed"
    for name in sorted({*old.data, *new.data} - OF_A_CLAIM):
        if old.data.get(name) != new.data.get(name):
            yield f"{name} of {change.id} is changed"


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's claim by what else its commit does."""
    pair = change.both
    if not view.by_agent or not change.is_claim or pair is None:
        return
    more = list(islice(_more(change, *pair, view), MOST))
    if more:
        told = ", ".join(more[:3]) + (
            f" and {'at least ' if len(more) == MOST else ''}{len(more) - 3} more" if len(more) > 3 else ""
        )
        yield Breach(
            found=f"the claim of {change.id} does more: {told}",
            expected="a commit that claims one task and does nothing else",
            do=instead(
                view,
                change,
                claim(change.id),
                "then commit the rest, which is staged still",
                f"{BY_HAND}git reset --soft {short(view.commit.id)}~1, commit the claim alone (git reset -q takes the rest out of the index), then the rest",
            ),
        )
