"""An agent does not take another's claim back.

Why: whether an agent is gone for good is for a human to say.

Refused: in_progress -> todo by an agent that is not the owner; freeing another's running task.

Accepted: a human's reclaim, with a reason; while the task is not silent for `stale_claim_hours` yet, with a warning.

Do: take another task; a human may reclaim this one. The owner itself asks for its release:

    git codifica claim --next
    git codifica reclaim ID -m "why"               (a human)
    git codifica note ID --ask release "why"       (the owner)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.times import show_time
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, log, reclaim
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD310", "claim-taken-back", "Codifica 0.2, 8.1.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a running task that somebody else freed."""
    if change.both is None:
        return
    if view.by_human and change.transition == ("in_progress", "todo"):
        yield from _early(change, view)
    if not view.by_agent:
        return
    old, new = change.both
    freed = new.state == "todo" or new.owner == UNASSIGNED
    if old.state == "in_progress" and not owns(old.owner, view.actor) and freed:
        yield Breach(
            found=f"{view.actor} takes back the claim of {old.owner}",
            expected="a human decides that a claim is over",
            do=instead(view, change, CLAIM_NEXT, f"or a human: {reclaim(change.id)}"),
            line=change.line_of("state"),
        )


def _early(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """A human takes back what is not stale: told, since the agent may be at work."""
    seconds = view.codifica.stale_claim_hours * 3600
    since = view.silent_since(change.id, seconds)
    if since is not None and view.now - since < seconds:
        yield Breach(
            found=f"{change.id} spoke last at {show_time(since)}; a claim is stale after {view.codifica.stale_claim_hours} h",
            do=(f"what it did: {log(change.id)}",),
            line=change.line_of("state"),
            severity=Severity.WARNING,
        )
