"""An agent leaves other tasks alone.

Why: a task is its owner's; what another writes into it, nobody answers for.

Refused: an agent's change of a task that it does not own and does not claim; an owner that it writes, but its own in a claim.

Accepted: its own task; the claim of an unassigned one.

Do: put the other task's lines back; whose a task is, a human says:

    git restore --source=HEAD~1 -p -- FILE
    git codifica assign ID agent:writer            (a human; of a running task: git codifica reclaim ID --for agent:writer)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.rules.advice import path_of, put_parts_back
from codifica_guard.rules.commands import assign, reclaim
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD404", "another-task", "Codifica 0.2, 8.3"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's change of a task that was there before."""
    if not view.by_agent or not (change.edited or change.moved):
        return
    old, new = change.old, change.new
    if old is None:
        yield Breach(
            found=f"{view.actor} changed {change.id}, which could not be read before",
            expected="a human mends it first",
            do=put_parts_back(path_of(change)),
        )
        return
    given = reclaim if old.state == "in_progress" else assign
    free = change.is_claim and old.owner in {None, "", UNASSIGNED}
    if not owns(old.owner, view.actor) and not free:
        yield Breach(
            found=f"{view.actor} changed {change.id}; its owner is {old.owner}",
            expected="changes of one's own tasks",
            do=put_parts_back(path_of(change)),
        )
    elif new is not None and old.owner != new.owner and not (free and new.owner == view.actor):
        yield Breach(
            found=f"{view.actor} wrote owner: {new.owner}",
            expected=f"owner: {old.owner}",
            do=(*put_parts_back(path_of(change)), f"a human: {given(change.id, new.owner or UNASSIGNED)}"),
            line=change.line_of("owner"),
        )
