"""Faults of state documents and task blocks, as the commit that brought them answers for them."""

from collections.abc import Iterator

from codifica_guard.model.document import Document, Fault
from codifica_guard.model.ids import RepoPath
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.view import CommitView, TaskChange


def is_changed(view: CommitView, path: RepoPath) -> bool:
    """Whether a state document is another one than in each parent: a commit answers for no other."""
    document = view.after.documents[path]
    return all(parent.documents.get(path) != document for parent in view.parents)


def faults(view: CommitView, code: str) -> Iterator[Breach]:
    """Yield a breach for each fault of a code: in changed documents first, then in changed task blocks."""
    for path in sorted(view.after.documents):
        document = view.after.documents[path]
        # Faults are looked for first: comparing two versions of a long document is the dear part.
        found = [fault for fault in document.faults if fault.code == code]
        if found and is_changed(view, path):
            yield from (
                _breach(fault, path=path, line=fault.line) for fault in found if not _inherited(view, path, fault)
            )
    for change in view.changes:
        fault = change.fault
        if fault is not None and fault.code == code:
            yield _of_block(change, fault)


def warnings(view: CommitView, code: str) -> Iterator[Breach]:
    """Yield a breach for each warning of a code in a changed task that the task did not have before."""
    for change in view.changes:
        known = {(w.code, w.column, w.found) for w in change.old.warnings} if change.old else set()
        for fault in change.new.warnings if change.new else ():
            if fault.code == code and (fault.code, fault.column, fault.found) not in known:
                yield _of_block(change, fault)


def _inherited(view: CommitView, path: RepoPath, fault: Fault) -> bool:
    """Whether a merge has a fault from a parent: it joins, and is not blamed for what it was given."""
    return view.is_merge and any(
        (fault.code, fault.found) == (other.code, other.found)
        for parent in view.parents
        for other in parent.documents.get(path, Document(path=path)).faults
    )


def _of_block(change: TaskChange, fault: Fault) -> Breach:
    place = change.after
    return _breach(
        fault,
        path=place.path if place else None,
        line=place.line + fault.line - 1 if place else None,
        task=change,
    )


def _breach(fault: Fault, *, path: RepoPath | None, line: int | None, task: TaskChange | None = None) -> Breach:
    return Breach(
        found=fault.found,
        expected=fault.expected,
        do=(fault.do,) if fault.do else (),
        path=path,
        line=line,
        column=fault.column,
        task=task.id if task else None,
    )
