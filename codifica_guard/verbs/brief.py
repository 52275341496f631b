"""What somebody who takes a task reads next: acceptance, constraints, context, and what its dependencies came to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codifica_guard.model.document import Task
from codifica_guard.model.ids import TaskId
from codifica_guard.report.plain import plain_words
from codifica_guard.report.printing import LONGEST
from codifica_guard.rules.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A task that another one depends on: its summary, and the files that it made."""

    id: str
    summary: str | None
    artifacts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """All that the protocol tells the owner of a task to read.

    Attributes:
        task: the task.
        acceptance: its criteria.
        constraints, files, references, notes: what its `context` says.
        dependencies: what came before it.
        returned: why it came back, where that was the last thing that happened to it.
        returned_by: who sent it back.
        handed_in: the commit that was handed in before.
    """

    task: Task
    acceptance: tuple[str, ...]
    constraints: tuple[str, ...]
    files: tuple[str, ...]
    references: tuple[str, ...]
    notes: tuple[str, ...]
    dependencies: tuple[Dependency, ...]
    returned: str | None
    returned_by: str | None
    handed_in: str | None

    def lines(self) -> Iterator[str]:
        """For people and agents."""
        description = self.task.text("description")
        if description:
            yield from _labelled("description", description.strip().split("\n"))
        if self.acceptance:
            yield "acceptance"
            for number, text in enumerate(self.acceptance, start=1):
                yield f"  {number} {_one(text)}"
        for name, rows in (("checklist", self.task.texts("checklist")), ("constraints", self.constraints)):
            yield from _labelled(name, [_one(row) for row in rows])
        if self.returned:
            yield from _labelled(
                "returned", f"by {self.returned_by or 'somebody'}: {self.returned}".strip().split("\n")
            )
        if self.handed_in:
            yield from _labelled("handed in", [f"{self.handed_in[:7]} before this"])
        yield from _labelled("read", [*self.files, *self.references, *(_told(d) for d in self.dependencies)])
        yield from _labelled("notes", [line for note in self.notes for line in note.strip().split("\n")])

    def data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "description": self.task.text("description"),
            "acceptance": list(self.acceptance),
            "checklist": list(self.task.texts("checklist")),
            "constraints": list(self.constraints),
            "files": list(self.files),
            "references": list(self.references),
            "notes": list(self.notes),
            "returned": self.returned,
            "returned_by": self.returned_by,
            "handed_in": self.handed_in,
            "dependencies": [
                {"id": d.id, "summary": d.summary, "artifacts": list(d.artifacts)} for d in self.dependencies
            ],
        }


def brief_of(task: Task, snapshot: Snapshot) -> Brief:
    """What there is to read about a task."""
    value = task.data.get("context")
    context: Mapping[str, Any] = value if isinstance(value, dict) else {}
    returned, returned_by = _returned(task)
    return Brief(
        task=task,
        acceptance=task.texts("acceptance"),
        constraints=_texts(context.get("constraints")),
        files=_texts(context.get("files")),
        references=_texts(context.get("references")),
        notes=_texts(context.get("notes")),
        dependencies=tuple(_dependency(name, snapshot) for name in task.texts("depends_on")),
        returned=returned,
        returned_by=returned_by,
        handed_in=_handed_in(task),
    )


def summary_of(task: Task) -> str | None:
    """The newest summary among a task's notes; None where there is none."""
    return next((str(n["summary"]) for n in reversed(task.entries("execution_notes")) if n.get("summary")), None)


def _returned(task: Task) -> tuple[str | None, str | None]:
    """Why a task came back, and by whom, if the last thing that happened to it is that it was returned or reopened."""
    back = next((e for e in reversed(task.entries("state_transitions")) if e.get("to") != "in_progress"), None)
    if back is None or back.get("to") != "todo" or back.get("from") not in {"to_be_tested", "done"}:
        return None, None
    return _text(back.get("reason")), _text(back.get("by"))


def _handed_in(task: Task) -> str | None:
    """The commit of the newest entry that names one."""
    for entry in reversed(task.entries("state_transitions")):
        provenance = entry.get("provenance")
        commit = _text(provenance.get("commit_sha")) if isinstance(provenance, dict) else None
        if commit is not None:
            return commit
    return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _dependency(name: str, snapshot: Snapshot) -> Dependency:
    task = snapshot.task(TaskId(name))
    made = task.entries("artifacts") if task is not None else ()
    paths = tuple(str(a["path"]) for a in made if isinstance(a.get("path"), str))
    return Dependency(id=name, summary=summary_of(task) if task is not None else None, artifacts=paths)


def _told(dependency: Dependency) -> str:
    text = f'{dependency.id}: "{_one(dependency.summary)}"' if dependency.summary else dependency.id
    return text + (f" ({', '.join(dependency.artifacts)})" if dependency.artifacts else "")


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def _one(text: str) -> str:
    return plain_words(" ".join(text.split()), LONGEST)


def _labelled(label: str, rows: list[str]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield f"{label if number == 0 else '':<13}{row}"
