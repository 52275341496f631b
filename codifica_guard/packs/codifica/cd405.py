"""An agent changes what it has to, and leaves the rest of the document as it is.

Why: a reformatted document hides the one line that matters, and collides with everybody else's work.

Refused: an agent's change of text outside tasks, of the order of tasks, of how unchanged fields are written, of whole documents;
a task that it moves to another document before it is finished.

Accepted: a new task at any place, the first task in an existing fence, its own finished task moved as it is.

Do: put back the lines that were not meant. The verbs, such as `git codifica submit`, write nothing else:

    git restore --source=HEAD~1 -p -- FILE
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import show_path
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.rules.advice import put_back, put_parts_back
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD405", "document-reformatted", "Codifica 0.2, 8.3"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

FINISHED = ("done", "rejected")


def _fields(record: Record, task: Task) -> dict[str, list[bytes]]:
    """The lines of each top-level field, without blank ones."""
    lines = record.raw.split(b"\n")
    marks = sorted((number, name) for name, number in task.lines.items())
    ends = [number for number, _ in marks[1:]] + [len(lines) + 1]
    return {
        name: [line for line in lines[start - 1 : end - 1] if line.strip()]
        for (start, name), end in zip(marks, ends, strict=True)
    }


def _kept(old: list[bytes], new: list[bytes]) -> bool:
    """Whether all old lines stand in the new ones, in their order; of a list in brackets, all old bytes about one insertion."""
    rest = iter(new)
    if all(line in rest for line in old):
        return True
    before, after = b"\n".join(old).rstrip(), b"\n".join(new).rstrip()
    if b"[" not in old[0]:
        return False
    head = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(before))
    return after.endswith(before[head:])


def reformatted(change: TaskChange) -> str | None:
    """A field whose text changed though its value did not, or None."""
    if change.both is None or change.before is None or change.after is None:
        return None
    old, new = change.both
    before, after = _fields(change.before, old), _fields(change.after, new)
    common = [name for name in old.data if name in new.data]
    if common != [name for name in new.data if name in old.data]:
        return "the order of fields"
    for name in common:
        if old.data[name] == new.data[name] and before.get(name) != after.get(name):
            return name
        if change.added(name) and old.data[name] and not _kept(before.get(name, []), after.get(name, [])):
            return name
    return None


def check(view: CommitView) -> Iterator[Breach]:
    """Judge what an agent's commit did to the documents around its task."""
    if not view.by_agent:
        return
    for path in view.frames:
        yield Breach(
            found=f"{view.actor} changed text outside tasks",
            expected="the text around tasks as it was",
            do=put_parts_back(path),
            path=path,
        )
    for path in view.reordered:
        yield Breach(
            found=f"{view.actor} changed the order of tasks",
            expected="tasks where they were",
            do=put_parts_back(path),
            path=path,
        )
    for name in view.refenced:
        task = view.after.task(name)
        if task is None or not owns(task.owner, view.actor):
            yield Breach(
                found=f"{view.actor} moved {name}, which is not its own",
                expected="tasks where they were",
                do=put_parts_back(record.path if (record := view.after.record(name)) else None),
                task=name,
            )
    for path in (*view.born, *view.gone, *view.touched):
        yield Breach(
            found=f"{view.actor} added, removed or retyped {show_path(path)}",
            expected="state documents are a human's to arrange",
            do=put_back(path),
            path=path,
        )
    for change in view.changes:
        mine = change.moved and change.old is not None and owns(change.old.owner, view.actor)  # others are CD404's
        if (
            mine and change.old and not change.edited and change.old.state not in FINISHED
        ):  # an edit on the way is CD410's
            yield Breach(
                found=f"{view.actor} moved {change.id} to another document",
                expected="tasks where they were; only a finished one moves, as it is",
                do=put_back(change.before.path if change.before else None),
                task=change.id,
            )
        told = reformatted(change)
        if told is not None and change.place is not None:
            yield Breach(
                found=f"{view.actor} wrote {told} of {change.id} anew without changing it",
                expected="unchanged lines as they were",
                do=put_parts_back(change.place.path),
                path=change.place.path,
                line=change.line_of(told),
                task=change.id,
            )
