"""A claim is whole in one commit: state, owner, claimed_at, the entry, and a writer key where the policy asks for one.

Why: a claim in two steps leaves a moment in which two agents may both believe that they hold the task.

Refused: an agent's commit that takes a task to in_progress and leaves one of these to another commit, or names another owner.

Accepted: all of them in one commit. A human needs state and owner; the rest is told, as is `claimed_at` under version 0.1.

Do: take the commits of the claim out, and let the verb make it; or by hand, all in one commit:

    git reset --soft HEAD~2 && git restore --staged --worktree work.md
    git codifica claim ID
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.rules.advice import NEXT_TIME, by_hand, instead
from codifica_guard.rules.commands import claim, word
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD301", "claim-not-whole", "Codifica 0.2, 8.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

NO_TIME, OLD_TIME = "claimed_at is missing", "claimed_at is that of an earlier claim"
NO_KEY = "provenance.writer is missing"


def writer_of(change: TaskChange) -> str | None:
    """The writer key that the change's new entry to in_progress brings."""
    for entry in change.new_entries("state_transitions"):
        provenance = entry.get("provenance")
        if (
            entry.get("to") == "in_progress"
            and isinstance(provenance, dict)
            and isinstance(provenance.get("writer"), str)
            and provenance["writer"]
        ):
            return str(provenance["writer"])
    return None


def _missing(change: TaskChange, task: Task, view: CommitView) -> Iterator[str]:
    if not owns(task.owner, view.actor):
        yield f"owner is {task.owner or 'missing'}"
    if not task.text("claimed_at"):
        yield NO_TIME
    elif not change.changed("claimed_at"):
        yield OLD_TIME
    if not any(e.get("to") == "in_progress" for e in change.new_entries("state_transitions")):
        yield "state_transitions has no new entry"
    if view.policy.guard.writer_tokens == "required" and view.by_agent and writer_of(change) is None:
        yield NO_KEY


def _steps(change: TaskChange, missing: tuple[str, ...], view: CommitView) -> tuple[str, ...]:
    key = f" (a writer key: git codifica key token {word(change.id)})" if NO_KEY in missing else ""
    return instead(view, change, claim(change.id), by_hand(view, f"complete the claim{key} in one commit"))


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a claim."""
    task = change.new
    if view.actor is None or not change.is_claim or task is None:
        return
    missing = tuple(_missing(change, task, view))
    if not missing:
        return
    nobody = task.owner in {None, "", UNASSIGNED}
    told = (view.by_human and not nobody) or (view.codifica.version == "0.1" and {*missing} <= {NO_TIME, OLD_TIME})
    yield Breach(
        found=f"{view.actor} claims {change.id}: " + ", ".join(missing),
        expected="one commit that sets state, owner, claimed_at and the state_transitions entry"
        + (", with the writer key" if view.policy.guard.writer_tokens == "required" and view.by_agent else ""),
        do=(f"{NEXT_TIME}{claim(change.id)}",) if told else _steps(change, missing, view),
        line=change.line_of("state"),
        severity=Severity.WARNING if told else None,
    )
