"""What one commit changed, as a proof tells it and as git shows it."""

import os
import re
from collections.abc import Iterator, Sequence

from codifica_guard.clone.program import git
from codifica_guard.identity.payload import digest
from codifica_guard.limits import DOCUMENT_BYTES
from codifica_guard.model.commit import Commit
from codifica_guard.model.ids import RepoPath, TaskId, short
from codifica_guard.report.plain import plain
from codifica_guard.report.shell import lines_word, word
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.rules.view import CommitView
from codifica_guard.verbs.history import History, parent_of
from codifica_guard.verbs.rebuilding import lines_of
from codifica_guard.verbs.sheet import DIGEST, Sheet, Spans, blob, cut, span, spans

NAMED = 8
"""Tasks and files that are named; of more the number is told."""

LONGEST = 200
"""Bytes of a line that a command holds."""

LISTED = 30
"""Files that a command names; of more it holds their digest."""


class Changing:
    """One commit and the task that is asked for."""

    def __init__(self, past: History, view: CommitView, task: TaskId | None, decided: Sequence[TaskId]) -> None:
        """Nothing is read yet.

        Args:
            past: the history.
            view: the commit, under the policy that counted.
            task: the task; None where a commit is asked for that is about none.
            decided: of a merge the tasks that it chose itself.
        """
        self._past = past
        self._world = past.board.desk.world
        self._view = view
        self._task = task
        every = tuple(decided) if view.is_merge else tuple(dict.fromkeys(change.id for change in view.changes))
        self.others = tuple(name for name in every if name != task)

    @property
    def commit(self) -> Commit:
        """The commit."""
        return self._view.commit

    # -- for people

    def lines(self, moved: str) -> Iterator[str]:
        """Where the change is, what it comes to, and what else there is."""
        if self._task is None:
            yield f"of {', '.join(_some(told, what) for told, what in self._told if told) or 'nothing'}"
        else:
            yield f"{self._place()}{moved}; {self._rest()}"
        if self._view.is_merge:
            sides = ", ".join(short(parent) for parent in self.commit.parents)
            yield f"a merge of {sides}: the task is in none of them, nor in what they come to together, as the merge has it"

    def _place(self) -> str:
        for record, beside in (
            (self._after, ""),
            (self._befores[0] if self._befores else None, self._parent(0)),
        ):
            if record is not None:
                first, last = lines_of(record)
                return f"{_path(record.path)} at {short(self.commit.id)}{beside}, lines {first}-{last}: "
        return ""

    def _rest(self) -> str:
        """What the commit did besides."""
        tasks, files, around = (_some(told, what) for told, what in self._told)
        parts = (f"also {tasks}" if tasks else "no other task", files or "no other file", around)
        return ", ".join(part for part in parts if part)

    @property
    def _told(self) -> tuple[tuple[list[str], str], ...]:
        """Tasks, files and texts around tasks that changed, by their names, and what they are called."""
        around = [f"the text around the tasks of {_path(path)}" for path in self._view.frames]
        files = [_path(path) for path in sorted(self._view.paths)]
        return ([plain(name) for name in self.others], "tasks"), (files, "files"), (around, "texts")

    # -- by hand

    def lay(self, sheet: Sheet) -> None:
        """Put onto a sheet which files changed, how the task's state did, and that nothing else did in its document."""
        self._lay_files(sheet)
        name = sheet.names.of(self.commit.id, "commit")
        for beside, record in self._sides:
            line = self._state_line(record)
            if record is not None and line is not None:
                number, text = line
                state = f"$({span(blob(f'{name}{beside}', record.path), number, number)} | tr -d '\\r')"
                sheet.test(f"the state in {short(self.commit.id)}{beside}", f'test "{state}" = {word(text)}')
        self._lay_rest(sheet)

    def _lay_files(self, sheet: Sheet) -> None:
        kind = "-c" if self._view.is_merge else "--root"
        words = ("diff-tree", "-r", "--no-renames", "--no-commit-id", kind, "--name-only")
        quoted, environ = ("-c", "core.quotePath=true"), {"GIT_NO_REPLACE_OBJECTS": "1"}
        told = git(self._past.board.desk.folder, *quoted, *words, self.commit.id, environ=environ)
        names = told.decode("ascii", "backslashreplace").split("\n")
        own = sheet.names.of(self.commit.id, "commit")
        command = f'git {" ".join((*quoted, *words))} "{own}"'
        if len(names) <= LISTED:
            sheet.test("the files that changed", f'test "$({command})" = {lines_word(names)}')
        else:
            whole = digest(told + b"\n").decode()
            sheet.test(f"the {len(names)} files that changed", f'test "$({command} | {DIGEST})" = {whole}')

    def _lay_rest(self, sheet: Sheet) -> None:
        """No other task: but for the task's own lines, and blank ones, the document is what it was."""
        before = self._befores[0] if len(self._befores) == 1 else None
        after = self._after
        path = after.path if after is not None else before.path if before is not None else None
        if path is None or self._view.is_merge or self.others or (before is not None and before.path != path):
            return
        sides: list[tuple[str, bytes]] = []
        name = sheet.names.of(self.commit.id, "commit")
        for beside, record, snapshot in (
            (self._parent(0), before, self._view.before),
            ("", after, self._view.after),
        ):
            entry = snapshot.entries.get(path)
            if entry is None:
                return
            data = self._world.store.blob(entry.id, DOCUMENT_BYTES)
            runs = _outside(data, record)
            sides.append((spans(blob(f"{name}{beside}", path), runs), cut(data, runs)))
        for squeezed in ("", " | tr -s '\\n'"):
            first, second = (_squeezed(text) if squeezed else text for _, text in sides)
            if first == second:
                old, new = (f'"$({source}{squeezed} | {DIGEST})"' for source, _ in sides)
                sheet.test("no other task changed in this document", f"test {old} = {new}")
                return

    # -- the records

    @property
    def _sides(self) -> tuple[tuple[str, Record | None], ...]:
        before = tuple((self._parent(n), record) for n, record in enumerate(self._befores))
        return (*before, ("", self._after))

    @property
    def _after(self) -> Record | None:
        return self._of(self._view.after)

    @property
    def _befores(self) -> tuple[Record | None, ...]:
        return tuple(self._of(side) for side in self._view.parents)

    def _of(self, snapshot: Snapshot) -> Record | None:
        return None if self._task is None else snapshot.record(self._task)

    def _parent(self, number: int) -> str:
        return parent_of(self.commit, number) if self.commit.parents else ""

    def _state_line(self, record: Record | None) -> tuple[int, str] | None:
        """The line of the field `state`, and what stands on it; None where the task has none that can be read."""
        task = record.task() if record is not None else None
        if record is None or task is None or "state" not in task.lines:
            return None
        number = task.lines["state"]
        text = record.raw.split(b"\n")[number - 1]
        if len(text) > LONGEST:
            return None
        return record.line + number - 1, text.decode("utf-8", "surrogateescape")


def _outside(data: bytes, record: Record | None) -> Spans:
    """The lines of a document without those of a task."""
    last = data.count(b"\n") + (not data.endswith(b"\n"))
    if record is None:
        return ((1, last),)
    first, end = lines_of(record)
    return tuple(run for run in ((1, first - 1), (end + 1, last)) if run[0] <= run[1])


def _squeezed(data: bytes) -> bytes:
    return re.sub(rb"\n+", b"\n", data)


def _some(names: Sequence[str], what: str) -> str:
    shown = ", ".join(names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown} and {len(names) - NAMED} more {what}"


def _path(path: RepoPath) -> str:
    return plain(os.fsdecode(path))
