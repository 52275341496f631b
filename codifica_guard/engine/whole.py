"""What is wrong with the state documents of one tree as they stand, whoever brought it there."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.engine.apply import finding, softened
from codifica_guard.model.commit import Commit, Trailers
from codifica_guard.model.document import Document, Fault, Task
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.identity import Attribution
from codifica_guard.model.ids import ObjectId, RepoPath, show_path
from codifica_guard.model.policy import CODIFICA_FILE, GUARD_FILE, Policy
from codifica_guard.model.value import replace
from codifica_guard.packs.codifica import cd110, cd305, cd308, cd504
from codifica_guard.packs.core import id109, st106, st111
from codifica_guard.packs.core.documents import breach_of
from codifica_guard.rules.registry import Registry
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.snapshot import EMPTY, Record, Snapshot
from codifica_guard.rules.view import CommitView
from codifica_guard.state.quotes import find_quotes

NOWHERE: Final = ObjectId(b"")
"""Stands for a commit where there is none."""


def faults_of(snapshot: Snapshot, policy: Policy, registry: Registry) -> tuple[Finding, ...]:
    """Every fault of the documents, of their tasks and of the policy's files, and every broken rule about the whole, by place.

    What cannot be read is told with line and column; of tasks that can, fields, words, ids, limits, dependencies and owners are
    held against the rules that a merge's result is held against. `mode` and `permissive` soften as they do for a push.

    Args:
        snapshot: the state documents.
        policy: what `codifica.json` and `.codifica/` of the same tree say.
        registry: the rules.
    """
    view = _view(snapshot, policy)
    found = [
        replace(finding(registry.find(code), breach, view), commit=None) for code, breach in _breaches(view, snapshot)
    ]
    rows = dict.fromkeys(softened(f, policy, registry) for f in found)
    return tuple(sorted(rows, key=lambda f: (f.path or b"", f.line or 0, f.column or 0)))


def _breaches(view: CommitView, snapshot: Snapshot) -> Iterator[tuple[str, Breach]]:
    """Broken rules by their code."""
    yield from _of_policy(view.policy, snapshot)
    for path, document in sorted(snapshot.documents.items()):
        yield from _of_document(path, document)
        for block in document.blocks:
            record = Record(path, block)
            read = record.read()
            quotes = find_quotes(block) if isinstance(read, Fault) else ()
            # Where quotes mend a task, each of its faults is known; else only the first one is.
            faults = tuple(q.fault for q in quotes) or ((read,) if isinstance(read, Fault) else read.warnings)
            for fault in faults:
                line = record.line + fault.line - 1
                yield fault.code, breach_of(fault, path=path, line=line, task=block.id, quoted=bool(quotes))
            if isinstance(read, Task) and view.policy.codifica is not None:
                yield from _of_task(record, read, snapshot, view)


def _of_policy(policy: Policy, snapshot: Snapshot) -> Iterator[tuple[str, Breach]]:
    for fault in policy.faults:
        severity = None if fault.fatal else Severity.WARNING
        yield fault.code, Breach(found=fault.found, path=fault.path, line=fault.line, severity=severity)
    for code, path, warnings in (
        (id109.CODE, GUARD_FILE, policy.guard.warnings),
        (cd110.CODE, CODIFICA_FILE, policy.codifica.warnings if policy.codifica is not None else ()),
    ):
        yield from ((code, Breach(found=text, path=path, severity=Severity.WARNING)) for text in warnings)
    if policy.codifica is not None and not snapshot.entries:
        named = ", ".join(policy.codifica.state.patterns)
        text = f"state ({named}) matches no file"
        yield st111.CODE, Breach(found=text, expected="at least one state document", path=CODIFICA_FILE)


def _of_document(path: RepoPath, document: Document) -> Iterator[tuple[str, Breach]]:
    if not document.splittable and not document.faults:
        text = f"{show_path(path)} is no regular file, so no task is read from it"
        yield st106.CODE, Breach(found=text, expected="a regular file", path=path)
    for fault in document.faults:
        severity = Severity.WARNING if document.splittable else None
        yield fault.code, replace(breach_of(fault, path=path, line=fault.line), severity=severity)


def _of_task(record: Record, task: Task, snapshot: Snapshot, view: CommitView) -> Iterator[tuple[str, Breach]]:
    """What rules about the whole say to one task; a circle, or who holds too many, is told once, by the first of its tasks."""
    name = record.block.id
    for rule in cd504.WHOLE:
        if rule is cd308 and (around := snapshot.circles.around(name)) and min(around) != name:
            continue
        if rule is cd305 and snapshot.held.get(task.owner or "", (name,))[0] != name:
            continue
        for breach in rule.standing(record, task, snapshot, view):
            place = breach if breach.path is not None else replace(breach, path=record.path)
            yield rule.CODE, replace(place, task=name)


def _view(snapshot: Snapshot, policy: Policy) -> CommitView:
    """A commit that nobody made: rules about the whole ask for nothing but its settings."""
    commit = Commit(
        id=NOWHERE,
        tree=NOWHERE,
        parents=(),
        author=b"",
        committer=b"",
        committer_time=0,
        message=b"",
        signature=None,
        signed=b"",
    )
    return CommitView(
        commit=commit,
        trailers=Trailers(),
        attribution=Attribution(),
        policy=policy,
        own_policy=None,
        parents=(),
        before=EMPTY,
        after=snapshot,
        changes=(),
        now=0,
    )
