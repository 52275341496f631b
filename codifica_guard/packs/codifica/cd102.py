"""State, type, priority and owner are words that the protocol knows.

Why: a state that no tool knows takes a task out of everybody's sight.

Refused: `state: doing`, `owner: bob`, `priority: urgent`, a type that is neither built in nor in `custom_types`.

Accepted: `owner: human`, `owner: human:alice`, `owner: agent:builder`, `owner: unassigned`.

Do: write one of the words that the message lists.
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica import vocabulary
from codifica_guard.packs.codifica.standing import brought
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD102", "unknown-word", "Codifica 0.2, 5 and 7.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def standing(record: Record, task: Task, _: Snapshot, view: CommitView) -> Iterator[Breach]:
    """What is wrong with a task as it stands."""
    for name, words in (
        ("state", vocabulary.STATES),
        ("type", vocabulary.types(view.codifica)),
        ("priority", vocabulary.PRIORITIES),
    ):
        value = task.text(name)
        if value and value not in words:
            yield Breach(
                found=f"{name}: {value}",
                expected=f"one of {', '.join(words)}",
                line=record.line + task.lines.get(name, 1) - 1,
            )
    if task.owner and not vocabulary.is_owner_form(task.owner):
        yield Breach(
            found=f"owner: {task.owner}",
            expected="human, human:<name>, agent:<name> or unassigned; names in lower case",
            line=record.line + task.lines.get("owner", 1) - 1,
        )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that was born or edited; faults it had before are nobody's."""
    yield from brought(standing, change, view)
