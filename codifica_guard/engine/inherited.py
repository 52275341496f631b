"""What of a commit's findings is old: a fault that was there before, or what such a fault hid until now."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.document import Fault
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import RepoPath, TaskId, show_path
from codifica_guard.packs.codifica import cd110
from codifica_guard.rules.view import CommitView

OF_OTHERS: Final = frozenset({"CD107", "CD306", "CD307"})
"""Rules that ask for another task, which may stand in a document that cannot be read."""

_DOCUMENTS: Final = "ST"
"""How the codes of rules begin that say whether a document can be read at all."""


def is_old(view: CommitView, found: Finding) -> bool:
    """Whether a finding is old: the fault of a document or task that a parent has too, or what such a fault hid until now."""
    if found.code.startswith(_DOCUMENTS):
        return any(_has_fault(parent_faults, found.code) for parent_faults in _faults_before(view, found))
    if found.code == cd110.CODE:
        known = view.policy.codifica.warnings if view.policy.codifica is not None else ()
        return found.found in {*known, *(fault.found for fault in view.policy.faults)}
    if found.code in OF_OTHERS and not all(document.splittable for document in view.after.documents.values()):
        return True
    if found.task is not None and _is_unknown(view, found.task):
        return True
    return found.path is not None and _was_closed(view, found.path)


def _faults_before(view: CommitView, found: Finding) -> Iterator[tuple[Fault, ...]]:
    """The faults that each parent has where a finding points: of the task, or of the document."""
    for parent in view.parents:
        if found.task is not None:
            reads = (record.read() for record in parent.records.get(found.task, ()))
            yield tuple(read for read in reads if isinstance(read, Fault))
        elif found.path is not None and found.path in parent.documents:
            yield parent.documents[found.path].faults


def _has_fault(faults: tuple[Fault, ...], code: str) -> bool:
    return any(fault.code == code for fault in faults)


def unknown_in(view: CommitView) -> Iterator[str]:
    """The tasks and documents of a commit that say nothing about what it did."""
    closed = [path for path in (*view.touched, *view.gone) if _was_closed(view, path)]
    yield from map(show_path, closed)
    for change in view.changes:
        if change.place is not None and change.place.path not in closed and _is_unknown(view, change.id):
            yield change.id


def _is_unknown(view: CommitView, task: TaskId) -> bool:
    """Whether no parent says what a task was: it could not be read there, or the document that it stands in."""
    record = view.after.record(task)
    if record is not None and _was_closed(view, record.path):
        return True
    before = [record for parent in view.parents for record in parent.records.get(task, ())]
    return bool(before) and all(record.task() is None for record in before)


def _was_closed(view: CommitView, path: RepoPath) -> bool:
    """Whether all parents that have a document have it so that it cannot be taken apart."""
    known = [parent.documents[path] for parent in view.parents if path in parent.documents]
    return bool(known) and not any(document.splittable for document in known)
