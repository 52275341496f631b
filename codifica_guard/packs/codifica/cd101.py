"""A task block has the fields that every task needs, each of the type it is meant to have.

Why: a task without state or owner belongs to nobody, and a list written as text is read by each tool in its own way.

Refused: a changed task without `title`; `depends_on: FEAT-1` where a list is meant.

Accepted: old blocks that nobody touches; fields that the protocol does not know.

Do: add the field, or write it as the message says.
"""

from collections.abc import Callable, Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.standing import brought
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD101", "required-field", "Codifica 0.2, 5"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

REQUIRED = ("id", "type", "state", "owner", "title")


def _is_list_of(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _is_a(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind)


TEXTS = (
    "id", "type", "state", "owner", "title", "description", "priority", "derived_from", "claimed_at", "completed_at", "blocked_reason", "blocked_by",
)  # fmt: skip
SHAPES: tuple[tuple[tuple[str, ...], str, Callable[[object], bool]], ...] = (
    (TEXTS, "a text", _is_a(str)),
    (("depends_on", "labels", "acceptance"), "a list of texts", _is_list_of(str)),
    (("execution_notes", "artifacts", "state_transitions"), "a list of entries", _is_list_of(dict)),
    (("context", "human_review"), "a mapping", _is_a(dict)),
    (("checklist",), "a list", _is_a(list)),
)


def standing(record: Record, task: Task, _: Snapshot, __: CommitView) -> Iterator[Breach]:
    """What is wrong with a task as it stands."""
    for name in REQUIRED:
        if task.data.get(name) in (None, ""):
            yield Breach(
                found=f"{name} is missing", expected="every task has id, type, state, owner and title", line=record.line
            )
    for names, kind, fits in SHAPES:
        for name in names:
            value = task.data.get(name)
            if value is not None and not fits(value):
                yield Breach(
                    found=f"{name} is no {kind.removeprefix('a ')}",
                    expected=f"{name} holds {kind}",
                    line=record.line + task.lines.get(name, 1) - 1,
                )


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a task that was born or edited; faults it had before are nobody's."""
    yield from brought(standing, change, view)
