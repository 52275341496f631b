"""Mending the state documents of the work tree: what quotes and missing lines mend, and nothing else."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH109, PTH110, PTH118, PTH119, PTH120

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.engine.whole import faults_of
from codifica_guard.engine.world import StateFiles, state_files
from codifica_guard.errors import StateError, UsageError
from codifica_guard.model.commit import Entry
from codifica_guard.model.document import Fault
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RefName, RepoPath, TaskId, show_path
from codifica_guard.model.policy import CODIFICA_FILE
from codifica_guard.model.value import replace as replace_value
from codifica_guard.packs.all import REGISTRY
from codifica_guard.policy.defaults import new_guard
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import LONGEST
from codifica_guard.rules.commands import FIX
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import TaskChange
from codifica_guard.state.blocks import split
from codifica_guard.state.edit import edit_block, replace_block
from codifica_guard.state.heads import put_ids_first
from codifica_guard.state.quotes import Quote, find_cut, find_quotes, put_quotes
from codifica_guard.state.yaml import read_block
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.filling import Filler, Filling
from codifica_guard.verbs.moves import Hands
from codifica_guard.verbs.work_tree import policy_on_disk
from codifica_guard.verbs.working_file import Unfit, WorkingFile, read_working_file

NO_TASK: Final = "ST111"
"""The fault of a document that is fine but for having no task."""

ID_FIRST: Final = "its id stands first now"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """One thing that was mended.

    Attributes:
        line: the line in the document, from 1, as it is now.
        code: the rule that it broke.
        what: what was done, for people.
        task: the task.
    """

    line: int
    code: str
    what: str
    task: TaskId


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """One state document of the work tree, mended as far as that goes; nothing is written yet.

    Attributes:
        path: where it lies in the tree.
        file: the file; None where it cannot be changed.
        after: its bytes, mended.
        mended: what was mended, by line.
        left: what was not.
    """

    path: RepoPath
    file: WorkingFile | None = None
    after: bytes = b""
    mended: tuple[Mended, ...] = ()
    left: tuple[Finding, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether it is to be written."""
        return self.file is not None and self.file.data != self.after

    def diff(self) -> Iterator[str]:
        """The change as a unified diff for a screen."""
        if self.file is None:
            return
        name = show_path(self.path)
        old, new = (data.decode("utf-8", "surrogateescape").split("\n") for data in (self.file.data, self.after))
        for line in unified_diff(old, new, f"a/{name}", f"b/{name}", lineterm=""):
            yield plain_words(line.removesuffix("\r"), LONGEST)


def mend(
    desk: Desk, wanted: Sequence[bytes], *, find: Callable[[], Hands], reason: str | None = None
) -> tuple[Fixed, ...]:
    """The state documents of a work tree, each mended as far as that goes; nothing is written yet.

    Args:
        desk: the clone.
        wanted: files and folders, as they were typed; none: all state documents.
        find: finds who works here; asked only where an entry is to be written.
        reason: why tasks were moved by hand, where that was said.

    Raises:
        UsageError: something wanted is no state document, or there is no protocol here.
    """
    files = _state_files(desk)
    paths = _here(desk, files)
    chosen = _chosen(desk, wanted, paths) if wanted else paths
    mended = {path: _read(desk, path) for path in paths}
    mended = {path: _quoted(fixed) if path in chosen else fixed for path, fixed in mended.items()}
    filler = _filler(desk, find, reason)
    if filler is not None:
        mended = _filled(filler, mended, chosen)
    found = _standing(desk, mended)
    looked = tuple(_looked_over(fixed, found) for path, fixed in mended.items() if path in chosen)
    others = tuple(f for f in found if f.path not in mended)
    return (*looked, *([Fixed(path=CODIFICA_FILE, left=others)] if others and not wanted else []))


# -- which files


def _state_files(desk: Desk) -> StateFiles:
    """Which paths are state documents: as the policy has it, and as `codifica.json` of the work tree says."""
    policies = [desk.policy] if desk.policy is not None else []
    try:
        own = read_working_file(os.path.join(desk.folder, CODIFICA_FILE), CODIFICA_FILE).data
    except Unfit:
        own = None
    if own is not None:
        guard = json.dumps(new_guard("0" * 32, "human:nobody")).encode()
        found = load_policy(PolicyFiles(guard=guard, codifica=own, signers=None, revoked=None, ids=(None,) * 4))
        policies += [found] if found is not None and found.codifica is not None else []
    if not any(policy.codifica is not None for policy in policies):
        raise UsageError("there is no codifica.json here that could be read: nothing says which files hold tasks")
    return state_files(tuple(policies))


def _here(desk: Desk, files: StateFiles) -> tuple[RepoPath, ...]:
    """The state documents that lie in the work tree, by name."""
    literal = files.literal()
    if literal is not None:
        return tuple(p for p in sorted(set(literal)) if os.path.lexists(os.path.join(desk.folder, p)))
    told = desk.git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name")
    found = {RepoPath(path) for path in told.split(b"\0") if path}
    return tuple(p for p in sorted(found) if p in files and os.path.lexists(os.path.join(desk.folder, p)))


def _chosen(desk: Desk, wanted: Sequence[bytes], paths: Sequence[RepoPath]) -> tuple[RepoPath, ...]:
    """The state documents that were asked for: by name, or by a folder above them."""
    found: dict[RepoPath, None] = {}
    for name in wanted:
        full = os.path.join(os.getcwdb(), name)
        real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
        inside = os.path.relpath(os.path.normpath(real), desk.folder)
        fitting = [p for p in paths if inside in {p, b"."} or p.startswith(inside + b"/")]
        if not fitting:
            there = ", ".join(plain(show_path(p)) for p in paths[:5]) or "none is here"
            raise UsageError(f"{plain(show_path(name), LONGEST)} is no state document of this work tree ({there})")
        found |= dict.fromkeys(fitting)
    return tuple(found)


def _read(desk: Desk, path: RepoPath) -> Fixed:
    try:
        file = read_working_file(os.path.join(desk.folder, path), path)
    except Unfit as error:
        return Fixed(path=path, left=(_finding("ST106", path, str(error)),))
    return Fixed(path=path, file=file, after=file.data)


# -- what quotes mend


def _quoted(fixed: Fixed) -> Fixed:
    """A document with ids put first and values in quotes, where that makes tasks readable."""
    if fixed.file is None:
        return fixed
    data, heads = put_ids_first(fixed.after)
    done = [Mended(line=head.line, code="ST101", what=ID_FIRST, task=TaskId(head.id)) for head in heads]
    found: list[Quote] = []
    for block in split(fixed.path, data).blocks:
        quotes = find_quotes(block)
        found += quotes
        done += [
            Mended(line=q.line, code=q.fault.code, what=f"in quotes: {plain(q.after.strip())}", task=block.id)
            for q in quotes
        ]
    data = put_quotes(data, found) if found else data
    cut = [(block.id, quote) for block in split(fixed.path, data).blocks for quote in find_cut(block)]
    done += [
        Mended(line=q.line, code=q.fault.code, what=f"in quotes: {plain(q.after.strip())}", task=task)
        for task, q in cut
    ]
    return replace(fixed, after=put_quotes(data, [q for _, q in cut]) if cut else data, mended=tuple(done))


# -- what was moved by hand


def _filler(desk: Desk, find: Callable[[], Hands], reason: str | None) -> Filler | None:
    """What completes the steps that the work tree makes; None where there is nothing to hold it against."""
    if desk.policy is None or desk.head is None or _is_merging(desk):
        return None
    branch = desk.branch or RefName(HEADS + b"HEAD")
    board = Board(desk=desk, branch=branch, tip=desk.head, shared=False, policy=desk.policy, now=desk.now)
    return Filler(board=board, find=find, reason=reason)


def _is_merging(desk: Desk) -> bool:
    """Whether a merge is being committed: what it brings has its entries already."""
    return os.path.exists(os.path.join(desk.location.git_dir, b"MERGE_HEAD"))


def _filled(filler: Filler, mended: Mapping[RepoPath, Fixed], chosen: Sequence[RepoPath]) -> dict[RepoPath, Fixed]:
    """Documents in which the tasks that were moved by hand have their entries."""
    documents = {path: split(path, fixed.after) for path, fixed in mended.items() if fixed.file is not None}
    here, before = Snapshot(documents, {}), filler.board.snapshot
    answer = dict(mended)
    for path in chosen:
        for block in reversed(documents[path].blocks if path in documents else ()):
            sides = before.records.get(block.id, ()), here.records.get(block.id, ())
            if len(sides[0]) == len(sides[1]) == 1:
                change = TaskChange(id=block.id, before=sides[0][0], after=sides[1][0])
                filling = filler.filling(change)
                if filling is not None:
                    answer[path] = _with(answer[path], sides[1][0], filling)
    return answer


def _with(fixed: Fixed, record: Record, filling: Filling) -> Fixed:
    left = tuple(
        Finding(
            code=lack.code, name=lack.name, severity=Severity.ERROR, found=lack.found, do=lack.do, path=record.path,
            line=record.line, task=record.block.id,
        )
        for lack in filling.lacks
    )  # fmt: skip
    if not filling.told:
        return replace(fixed, left=(*fixed.left, *left))
    edit = filling.edit
    try:
        raw = edit_block(record.raw, sets=edit.sets, append=edit.append)
    except StateError as error:
        cannot = _finding("CD101", record.path, str(error), line=record.line, task=record.block.id)
        return replace(fixed, left=(*fixed.left, *left, cannot))
    done = tuple(Mended(line=record.line, code=code, what=what, task=record.block.id) for code, what in filling.told)
    return replace(
        fixed,
        after=replace_block(fixed.after, record.block, raw),
        mended=(*fixed.mended, *done),
        left=(*fixed.left, *left),
    )


# -- what is left


def _standing(desk: Desk, mended: Mapping[RepoPath, Fixed]) -> tuple[Finding, ...]:
    """What `check --tree` would call broken in the documents as they are mended, and in what names them."""
    policy = policy_on_disk(desk) or desk.policy
    if policy is None or policy.codifica is None:
        return tuple(f for fixed in mended.values() if fixed.file is not None for f in _unreadable(fixed))
    documents = {path: split(path, fixed.after) for path, fixed in mended.items() if fixed.file is not None}
    # A file that cannot be changed is told already, but it is there.
    entries = dict.fromkeys(mended, Entry(0o100644, ObjectId(b"")))
    found = faults_of(Snapshot(documents, entries), policy, REGISTRY)
    return tuple(
        replace_value(f, do=tuple(step for step in f.do if not step.startswith(FIX)))
        for f in found
        if f.severity is Severity.ERROR or f.code == NO_TASK or REGISTRY.find(f.code).severity is Severity.ERROR
    )


def _looked_over(fixed: Fixed, found: Sequence[Finding]) -> Fixed:
    """A document with what of it is still broken, and with lines as they are now."""
    if fixed.file is None:
        return fixed
    document = split(fixed.path, fixed.after)
    lines = {block.id: block.line for block in document.blocks}
    mended = tuple(
        replace(m, line=lines.get(m.task, m.line)) if m.code.startswith("CD") or m.what == ID_FIRST else m
        for m in fixed.mended
    )
    kept = tuple(_moved(finding, lines) for finding in fixed.left)
    told = {(f.code, f.task) for f in kept}
    standing = tuple(f for f in found if f.path == fixed.path and (f.code, f.task) not in told)
    return replace(fixed, mended=mended, left=(*standing, *kept))


def _moved(finding: Finding, lines: Mapping[TaskId, int]) -> Finding:
    line = lines.get(finding.task) if finding.task is not None else None
    if line is None:
        return finding
    return Finding(
        code=finding.code, name=finding.name, severity=finding.severity, found=finding.found, do=finding.do,
        path=finding.path, line=line, task=finding.task,
    )  # fmt: skip


def _unreadable(fixed: Fixed) -> Iterator[Finding]:
    """Why a document and its tasks cannot be read, where no settings say more."""
    document = split(fixed.path, fixed.after)
    for fault in document.faults:
        yield _of_fault(document.path, fault, fault.line)
    for block in document.blocks:
        read = read_block(block.raw)
        if isinstance(read, Fault):
            yield _of_fault(document.path, read, block.line + read.line - 1, block.id)


def _of_fault(path: RepoPath, fault: Fault, line: int, task: TaskId | None = None) -> Finding:
    severity = Severity.WARNING if fault.code == NO_TASK else Severity.ERROR
    return Finding(
        code=fault.code, name=REGISTRY.find(fault.code).name, severity=severity, found=fault.found, expected=fault.expected,
        do=(fault.do,) if fault.do else (), path=path, line=line, column=fault.column, task=task,
    )  # fmt: skip


def _finding(code: str, path: RepoPath, found: str, *, line: int | None = None, task: TaskId | None = None) -> Finding:
    rule = REGISTRY.find(code)
    return Finding(code=code, name=rule.name, severity=Severity.ERROR, found=found, path=path, line=line, task=task)
