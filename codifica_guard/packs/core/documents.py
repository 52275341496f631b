"""Faults of state documents and task blocks, as the commit that brought them answers for them."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.document import Block, Document, Fault
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.rules.commands import FIX
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.snapshot import Record
from codifica_guard.rules.view import CommitView

_QUOTE: Final = "put the value in quotes"
MENDED: Final = {
    _QUOTE: f"{FIX}   (quotes that line)",
    "write the task's first line as": f"{FIX}   (puts the id first, where there is one)",
}
"""How the advice of faults begins that the verb mends, and the verb."""

_PROMISES: Final = 20
"""Faults of one commit for which it is found out whether the verb mends them: each takes several readings."""


def is_changed(view: CommitView, path: RepoPath) -> bool:
    """Whether a state document is another one than in each parent: a commit answers for no other."""
    document, entry = view.after.documents[path], view.after.entries.get(path)
    # One that cannot be taken apart says nothing of what stands in it: two of them are told apart by their bytes.
    return all(
        parent.documents.get(path) != document or (not document.splittable and parent.entries.get(path) != entry)
        for parent in view.parents
    )


def faults(view: CommitView, code: str) -> Iterator[Breach]:
    """Yield a breach for each fault of a code: in changed documents first, then in changed task blocks."""
    for path in sorted(view.after.documents):
        document = view.after.documents[path]
        # Faults are looked for first: comparing two versions of a long document is the dear part.
        found = [fault for fault in document.faults if fault.code == code]
        if found and is_changed(view, path):
            yield from (
                breach_of(fault, path=path, line=fault.line) for fault in found if not _inherited(view, path, fault)
            )
    told = 0
    for record in _written(view):
        fault = record.read()
        if isinstance(fault, Fault) and fault.code == code:
            told += 1
            yield _of_block(record, fault, quoted=told <= _PROMISES and is_quoted(record.block, fault))


def warnings(view: CommitView, code: str) -> Iterator[Breach]:
    """Yield a breach for each warning of a code in a changed task that the task did not have before."""
    for record in _written(view):
        task = record.task()
        known = {
            (w.code, w.column, w.found)
            for parent in view.parents
            for old in (parent.task(record.block.id),)
            for w in (old.warnings if old else ())
        }
        for fault in task.warnings if task else ():
            if fault.code == code and (fault.code, fault.column, fault.found) not in known:
                yield _of_block(record, fault)


def _written(view: CommitView) -> Iterator[Record]:
    """The records that a commit wrote: its changes; in a merge those whose bytes no parent has."""
    if not view.is_merge:
        for change in view.changes:
            if change.after is not None and (change.born or change.edited):  # what only moves is not written anew
                yield change.after
        return
    for path in sorted(view.after.documents):
        document = view.after.documents[path]
        sides = [parent.documents[path] for parent in view.parents if path in parent.documents]
        if any(side is document for side in sides):
            continue
        known = {block.raw for side in sides for block in side.blocks}
        for block in document.blocks:
            if block.raw not in known and not _stood_elsewhere(view, block):
                yield Record(path, block)


def _stood_elsewhere(view: CommitView, block: Block) -> bool:
    """Whether a parent has a record in another document: what moves is not written anew."""
    return any(record.raw == block.raw for parent in view.parents for record in parent.records.get(block.id, ()))


def _inherited(view: CommitView, path: RepoPath, fault: Fault) -> bool:
    """Whether a merge has a fault from a parent: it joins, and is not blamed for what it was given."""
    return view.is_merge and any(
        (fault.code, fault.found) == (other.code, other.found)
        for parent in view.parents
        for other in parent.documents.get(path, Document(path=path)).faults
    )


def is_quoted(block: Block, fault: Fault) -> bool:
    """Whether the verb quotes the line of a fault: it does where the whole task can be read then."""
    if not fault.do.startswith(_QUOTE):
        return False
    from codifica_guard.state.quotes import find_quotes  # noqa: PLC0415 - for broken tasks only

    return bool(find_quotes(block))


def _of_block(record: Record, fault: Fault, *, quoted: bool = False) -> Breach:
    line = record.line + fault.line - 1
    return breach_of(fault, path=record.path, line=line, task=record.block.id, quoted=quoted)


def breach_of(fault: Fault, *, path: RepoPath, line: int, task: TaskId | None = None, quoted: bool = False) -> Breach:
    """A fault as a rule tells it, at a line of its document.

    Args:
        fault: the fault.
        path: the document.
        line: the line in it.
        task: the task.
        quoted: whether the verb that quotes values mends it.
    """
    return Breach(
        found=fault.found,
        expected=fault.expected,
        do=_steps(fault, quoted=quoted),
        path=path,
        line=line,
        column=fault.column,
        task=task,
    )


def _steps(fault: Fault, *, quoted: bool) -> tuple[str, ...]:
    """What mends a fault: the verb, where it does, then the way by hand."""
    verb = (step for start, step in MENDED.items() if fault.do.startswith(start) and (quoted or start != _QUOTE))
    return (*verb, fault.do) if fault.do else ()
