"""What a task is meant to be is not changed by the agent that works on it.

Why: an agent that may weaken its own acceptance criteria has no criteria.

Refused: an agent's change of title, type, description, acceptance, priority, depends_on, derived_from, context, or of any field
that its step does not ask for.

Accepted: state, claimed_at and completed_at as the transition asks; new notes, transitions and artifacts; labels, checklist and
fields that the protocol does not know, while it works. A human's change of anything.

Do: put it back, and ask for the change:

    git restore --source=HEAD~1 -p -- FILE
    git codifica note ID --ask change "why"
    git codifica edit ID                           (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.rules.advice import path_of, put_parts_back
from codifica_guard.rules.commands import ask
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD403", "intent-changed", "Codifica 0.2, 8.3 and 13"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True

GROWING = ("execution_notes", "state_transitions", "artifacts")
WORKING = ("labels", "checklist")
SHOWN = 5
"""Dropped entries that are named."""

INTENT = ("type", "title", "description", "priority", "depends_on", "acceptance", "derived_from", "context")
KNOWN = (
    "id", "type", "state", "owner", "title", "description", "priority", "depends_on", "labels", "acceptance", "checklist", "derived_from",
    "context", "claimed_at", "execution_notes", "artifacts", "human_review", "completed_at", "blocked_reason", "blocked_by", "state_transitions",
)  # fmt: skip
OTHERS = ("state", "owner", "human_review")
"""Fields that rules of their own judge: the transition's, CD404 and CD401."""


def _may(name: str, change: TaskChange) -> bool:
    """Whether the agent's step asks for a field, or its work may touch it."""
    move, working = change.transition, change.old is not None and change.old.state == "in_progress"
    if name in OTHERS:
        return True
    if name in GROWING:
        old = change.old.data.get(name) if change.old else None
        return not old or bool(change.added(name))
    if name == "claimed_at":
        return change.is_claim or move == ("to_be_tested", "todo")
    if name == "completed_at":
        return move is not None and move[1] == "done"
    return working and (name in WORKING or name not in KNOWN)


def _told(name: str, old: Task, new: Task) -> str:
    left = {*new.texts(name)}
    gone = [f'"{text}"' for text in old.texts(name) if text not in left]
    more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
    return f"{name}, dropped: {', '.join(gone[:SHOWN])}{more}" if gone else name


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge the fields that an agent changed in its own task."""
    pair = change.both
    if not view.by_agent or pair is None:
        return
    old, new = pair
    own = owns(old.owner, view.actor) or change.is_claim
    # Whoever makes an unassigned task its own past any claim answers for what it drops on the way.
    taken = old.owner in {None, "", UNASSIGNED} and owns(new.owner, view.actor)
    if not own and not taken:
        return
    for name in [
        n for n in (*old.data, *(k for k in new.data if k not in old.data)) if old.data.get(n) != new.data.get(n)
    ]:
        if not _may(name, change) and (own or name in INTENT):
            yield Breach(
                found=f"{view.actor} changed {_told(name, old, new)}",
                expected=f"{name} as it was",
                do=(*put_parts_back(path_of(change)), f"ask for the change: {ask(change.id, 'change')}"),
                line=change.line_of(name),
            )
