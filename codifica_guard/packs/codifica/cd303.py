"""The race for a task was lost: somebody else holds it already.

Why: a task has one holder; the first claim that reached the branch counts. A merge does not change that, unless a human signs it
and settles the two histories otherwise (CD502).

Refused: a claim made on an old base while the task moved on at the branch's tip; a second owner written over the first.

Accepted: a claim of a task that nobody holds.

Do: drop the claim, and take another task; the message names those that are free:

    git fetch && git branch set-aside && git reset --hard origin/main
    git codifica claim --next
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short
from codifica_guard.model.times import parse_time, show_time
from codifica_guard.packs.codifica.choosing import free_for
from codifica_guard.packs.codifica.history import last_entry
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.rules.advice import SET_ASIDE
from codifica_guard.rules.commands import CLAIM_NEXT
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.stale import overtaken
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD303", "lost-race", "Codifica 0.2, 8.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

FEW, SHOWN = 10, 5
"""Changes of a commit that is told what is free, and tasks that it is told."""


def _holder(task: Task, change: TaskChange, view: CommitView) -> str:
    entry = last_entry(task, "in_progress")
    since = parse_time(entry.get("timestamp")) if entry else None
    commit = view.written_in(change.id)
    told = f"{task.owner} holds it" if task.state == "in_progress" else f"it is {task.state} now, owner {task.owner}"
    return (
        told + (f" since {show_time(since)}" if since is not None else "") + (f" ({short(commit)})" if commit else "")
    )


def _free(view: CommitView) -> Iterator[str]:
    """What else there is to do; not for a commit that changes many tasks, each of which would look through all."""
    if len(view.changes) <= FEW:
        free = free_for(view.actor, view.base if view.base is not None else view.before, view.codifica)
        told = ", ".join(f"{task.id} ({task.text('priority') or 'normal'})" for task in free[:SHOWN])
        yield f"free for you: {told or 'nothing right now'}"


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a claim that came too late, and an owner written over another."""
    there = overtaken(change, view) if change.is_claim else None
    if there is None and change.both is not None and view.by_agent:
        old, new = change.both
        held = old.owner not in {None, "", UNASSIGNED} and not owns(old.owner, view.actor)
        seized = held and old.state == "in_progress" and new.state == "in_progress"
        if seized and owns(new.owner, view.actor):
            there = old
    if there is None:
        return
    yield Breach(
        found=f"{view.actor} claims {change.id}; {_holder(there, change, view)}",
        expected="a task that nobody holds",
        do=(f"{SET_ASIDE} && {CLAIM_NEXT}", *_free(view)),
        line=change.line_of("owner"),
    )
