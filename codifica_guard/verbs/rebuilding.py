"""The payload of a commit as a shell writes it from the repository: digests by sha256sum, entries by git, the rest as it is.

A line that nothing simple makes again is written as it stands; what was made again is held against the payload here first, so
that the two agree wherever the tools do what they say.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from codifica_guard.engine.world import StateFiles, World
from codifica_guard.git.changes import entry_at
from codifica_guard.identity.payload import digest, quote
from codifica_guard.limits import DOCUMENT_BYTES, POLICY_BYTES
from codifica_guard.model.commit import Commit, Entry
from codifica_guard.model.document import Document
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.report.shell import word
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.state.blocks import state_fences
from codifica_guard.verbs.history import parent_of
from codifica_guard.verbs.sheet import DIGEST, Spans, blob, commit, cut, span, spans

RUNS: Final = 40
"""Runs of lines of one document that a command names; a document in more pieces is taken by its digest."""

_QUOTED: Final = rb'"(?:[^"\\]|\\.)*"'
_NAME: Final = rb"[a-z]+/(?:" + _QUOTED + rb"|[A-Za-z0-9._-]+)"
_RECORD: Final = re.compile(rb"record (" + _NAME + rb") (\S+) (\S+)")
_FRAME: Final = re.compile(rb"frame (" + _QUOTED + rb") (\S+) (\S+)")
_LEAF: Final = re.compile(rb"path (\S+) (\S+) (\S+) (\S+) (" + _QUOTED + rb")")
_DOC: Final = re.compile(rb"doc (\S+) (\S+) (" + _QUOTED + rb")")
_TRUST: Final = re.compile(rb"trust (\S+) (\S+) (" + _QUOTED + rb")")
_ESCAPED: Final = re.compile(rb"\\([abtnvfr\"\\]|[0-7]{3})")
_PLAIN: Final[Mapping[bytes, bytes]] = {
    b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r", b'"': b'"', b"\\": b"\\",
}  # fmt: skip


class Rebuilding:
    """One commit's payload, line by line."""

    def __init__(self, world: World, commit_: Commit, name: str, files: StateFiles) -> None:
        """Nothing is read before a line asks.

        Args:
            world: what is read.
            commit_: the commit.
            name: what commands call it.
            files: its state documents, by the policies of its parents.
        """
        self._world = world
        self._commit = commit_
        self._files = files
        self._parents = tuple(f"{name}{parent_of(commit_, number)}" for number in range(len(commit_.parents)))
        self._sides: tuple[tuple[str, ObjectId], ...] = tuple(
            (revision, world.store.commit(oid).tree)
            for revision, oid in ((*zip(self._parents, commit_.parents, strict=True), (name, commit_.id)))
        )

    def script(self, payload: bytes) -> str:
        """A command that prints the payload, one line of it on each line."""
        told = [f"  {self._line(line)}" for line in payload.removesuffix(b"\n").split(b"\n")]
        return "\n".join(("{", *told, "}"))

    def _line(self, line: bytes) -> str:
        for form, make in (
            (_RECORD, self._record),
            (_FRAME, self._frame),
            (_LEAF, self._leaf),
            (_DOC, self._doc),
            (_TRUST, self._trust),
        ):
            match = form.fullmatch(line)
            if match is not None:
                return make(match.groups())
        if line.startswith(b"parent "):
            number = self._commit.parents.index(ObjectId(line.removeprefix(b"parent ")))
            return _printf("parent ", (f'$(git rev-parse --verify "{self._parents[number]}")',), "")
        return self._actor(line) or self._trailer(line) or f"printf '%s\\n' {word(line)}"

    # -- records and frames

    def _record(self, parts: Sequence[bytes]) -> str:
        name, *values = parts
        ident = TaskId(_unquoted(name.partition(b"/")[2]).decode("utf-8", "surrogateescape"))

        def value(revision: str, tree: ObjectId, said: bytes) -> str:
            record = self._snapshot(tree).record(ident)
            return said.decode("ascii") if record is None else self._digest_of(revision, tree, record, said)

        return _printf(f"record {name.decode('ascii')} ", self._values(values, value), "")

    def _digest_of(self, revision: str, tree: ObjectId, record: Record, said: bytes) -> str:
        data = self._data(tree, record.path)
        return self._of_runs(revision, record.path, data, (lines_of(record),), said)

    def _frame(self, parts: Sequence[bytes]) -> str:
        shown, *values = parts
        path = RepoPath(_unquoted(shown))

        def value(revision: str, tree: ObjectId, said: bytes) -> str:
            document = self._snapshot(tree).documents.get(path)
            if document is None:
                return said.decode("ascii")
            data = self._data(tree, path)
            return self._of_runs(revision, path, data, _around(data, document), said)

        return _printf(f"frame {shown.decode('ascii')} ", self._values(values, value), "")

    def _of_runs(self, revision: str, path: RepoPath, data: bytes, runs: Spans, said: bytes) -> str:
        """The digest of some lines, line ends as LF; what it is said to be where that is not what they come to."""
        plain = cut(data, runs).replace(b"\r\n", b"\n")
        if said == b"-" or not runs or len(runs) > RUNS or digest(plain) != said or not plain.endswith(b"\n"):
            return said.decode("ascii")
        ends = " | tr -d '\\r'" if b"\r" in data else ""
        return f"$({spans(blob(revision, path), runs)}{ends} | {DIGEST})"

    # -- entries

    def _leaf(self, parts: Sequence[bytes]) -> str:
        path, end = RepoPath(_unquoted(parts[-1])), f" {parts[-1].decode('ascii')}"
        if len(self._parents) < 2:
            both = [self._entry(*side, path, "1,3") or "- -" for side in self._sides]
            return _printf("path ", (*(() if self._parents else ("- -",)), *both), end)
        columns = [[self._entry(*side, path, column) or "-" for side in self._sides] for column in ("1", "3")]
        joined = [",".join(column[:-1]) for column in columns]
        return _printf("path ", (*joined, *(column[-1] for column in columns)), end)

    def _doc(self, parts: Sequence[bytes]) -> str:
        path = RepoPath(_unquoted(parts[2]))

        def value(revision: str, tree: ObjectId, said: bytes) -> str:
            return said.decode("ascii") if said == b"-" else self._entry(revision, tree, path, "1") or "-"

        return _printf("doc ", self._values(parts[:2], value), f" {parts[2].decode('ascii')}")

    def _trust(self, parts: Sequence[bytes]) -> str:
        path = RepoPath(_unquoted(parts[2]))

        def value(revision: str, tree: ObjectId, said: bytes) -> str:
            entry = self._at(tree, path)
            if entry is None or not entry.is_file or digest(self._world.store.blob(entry.id, POLICY_BYTES)) != said:
                return said.decode("ascii")
            return f"$({blob(revision, path)} | {DIGEST})"

        return _printf("trust ", self._values(parts[:2], value), f" {parts[2].decode('ascii')}")

    def _entry(self, revision: str, tree: ObjectId, path: RepoPath, columns: str) -> str | None:
        """Mode (1), object id (3), or both of what lies at a path."""
        if self._at(tree, path) is None:
            return None
        literal = " --literal-pathspecs" if path.startswith(b":") else ""
        listed = f'git{literal} ls-tree --full-tree "{revision}" -- {word(path)}'
        return f"$({listed} | cut -f1 | cut -d' ' -f{columns})"

    # -- the message

    def _actor(self, line: bytes) -> str | None:
        """The line of the actor, from the commit's own trailer; None where it is another line, or no trailer names him."""
        if not line.startswith(b"actor "):
            return None
        number = self._line_of(b"Codifica-Actor: " + line.removeprefix(b"actor "))
        return None if number is None else _printf("actor ", (self._on(number),), "")

    def _line_of(self, text: bytes) -> int | None:
        return line_of(self._world.store.raw(self._commit.id)[1], text)

    def _on(self, number: int) -> str:
        """What a trailer on a line says."""
        return f"$({span(commit(self._sides[-1][0]), number, number)} | cut -d' ' -f2-)"

    def _trailer(self, line: bytes) -> str | None:
        """A trailer's line, from the commit's own; None where it is another line, or its value has other letters."""
        if not line.startswith(b"trailer "):
            return None
        key, _, shown = line.removeprefix(b"trailer ").partition(b" ")
        number = self._line_of(key + b": " + _unquoted(shown))
        if number is None or quote(_unquoted(shown)) != b'"' + _unquoted(shown) + b'"':
            return None
        return f'printf \'trailer %s "%s"\\n\' {word(key)} "{self._on(number)}"'

    # -- what is read

    def _values(self, parts: Sequence[bytes], value: Callable[[str, ObjectId, bytes], str]) -> tuple[str, ...]:
        """The parents' values, joined, and the commit's."""
        before, own = parts
        said = before.split(b",")
        sides = self._sides[:-1]
        joined = ",".join(value(*side, text) for side, text in zip(sides, said, strict=True)) if sides else "-"
        return joined, value(*self._sides[-1], own)

    def _snapshot(self, tree: ObjectId) -> Snapshot:
        return self._world.snapshot(tree, self._files)

    def _at(self, tree: ObjectId, path: RepoPath) -> Entry | None:
        return entry_at(self._world.store, tree, path)

    def _data(self, tree: ObjectId, path: RepoPath) -> bytes:
        entry = self._at(tree, path)
        return b"" if entry is None else self._world.store.blob(entry.id, DOCUMENT_BYTES)


def lines_of(record: Record) -> tuple[int, int]:
    """The first and the last line of a task in its document."""
    return record.line, record.line + record.raw.count(b"\n") - 1


def line_of(data: bytes, text: bytes) -> int | None:
    """The last line of a commit's message that is a text, from the commit's first line on; None where none is."""
    head, _, message = data.partition(b"\n\n")
    above = head.count(b"\n") + 2
    found = [number for number, line in enumerate(message.split(b"\n"), start=above + 1) if line == text]
    return found[-1] if found else None


def _around(data: bytes, document: Document) -> Spans:
    """The lines of a document that belong to none of its tasks, without the blank ones of state fences."""
    tasks = {n for b in document.blocks for n in range(b.line, b.line + b.raw.count(b"\n"))}
    inside: set[int] = set()
    for start, stop in state_fences(data):
        first = data.count(b"\n", 0, start) + 1
        inside |= set(range(first, first + data.count(b"\n", start, stop)))
    lines = data.split(b"\n")
    last = len(lines) - (not lines[-1])
    kept = [n for n in range(1, last + 1) if n not in inside or (n not in tasks and lines[n - 1].startswith(b"#"))]
    return runs_of(kept)


def runs_of(numbers: Sequence[int]) -> Spans:
    """Lines that follow one another, as runs."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)


def _printf(before: str, values: Sequence[str], after: str) -> str:
    """A command that prints a line; a value holds words of the grammar and what commands print, nothing else."""
    form = f"{_form(before)}{' '.join(['%s'] * len(values))}{_form(after)}\\n"
    return f"printf {word(form)} {' '.join(f'{chr(34)}{value}{chr(34)}' for value in values)}"


def _form(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "%%")


def _unquoted(text: bytes) -> bytes:
    """What a quoted value stands for; one without quotes is what it is."""
    if not text.startswith(b'"'):
        return text

    def plain(match: re.Match[bytes]) -> bytes:
        return _PLAIN.get(match[1]) or bytes((int(match[1], 8),))

    return _ESCAPED.sub(plain, text[1:-1])
