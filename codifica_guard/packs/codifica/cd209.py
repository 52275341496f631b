"""A task that is closed says when.

Why: how long work took, and what is finished since when, is read from `completed_at`.

Refused: an agent's commit that sets done without setting `completed_at`.

Accepted: for people, and under version 0.1, it is only told.

Do: let a verb close it, or let `fix` add `completed_at: <time>` to the work tree, before the commit:

    git codifica done ID                           (an agent, its own)
    git codifica approve ID                        (a human)
    git codifica fix                               (after a step by hand)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import NEXT_TIME, by_hand, instead
from codifica_guard.rules.commands import FIX_FILLS, of_move
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD209", "completed-at", "Codifica 0.2, 7.2 and 12.3"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True

TIME = "add `completed_at: ...` (now: date -u +%Y-%m-%dT%H:%M:%SZ)"


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that was closed."""
    if (
        view.actor is None
        or not change.transition
        or change.transition[1] not in {"done", "rejected"}
        or change.new is None
    ):
        return
    if change.new.text("completed_at") and change.changed("completed_at"):
        return
    lenient = view.by_human or view.codifica.version == "0.1"
    verb = of_move(change.transition, change.id, agent=view.by_agent)
    missing = not change.new.text("completed_at")
    yield Breach(
        found="completed_at is missing" if missing else "completed_at is that of an earlier closing",
        expected="the time of closing, written in the same commit",
        do=(f"{NEXT_TIME}{FIX_FILLS if view.by_human else verb}",)
        if lenient
        else instead(view, change, verb, by_hand(view, TIME)),
        line=change.line_of("state"),
        severity=Severity.WARNING if lenient else None,
    )
