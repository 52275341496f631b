"""Finished tasks that go, byte for byte, to another state document, or to another fence of theirs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from codifica_guard.errors import UsageError
from codifica_guard.git.changes import entry_at
from codifica_guard.model.commit import TREE
from codifica_guard.model.document import Block, Document, Task
from codifica_guard.model.ids import RepoPath, TaskId, show_path
from codifica_guard.packs.codifica.cd405 import FINISHED
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import LONGEST
from codifica_guard.rules.commands import CLAIM_NEXT, FIX
from codifica_guard.rules.snapshot import Record
from codifica_guard.state.blocks import split, state_fences
from codifica_guard.state.edit import add_block, take_block
from codifica_guard.state.fences import scan
from codifica_guard.verbs.act import Stance, document_bytes, needs_other, overtaken, wrong_state
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.deciding import COMMANDS
from codifica_guard.verbs.seat import Plan, Proposal, Seat
from codifica_guard.verbs.stopped import CANNOT_TELL, Stopped

NEW_DOCUMENT: Final = b"# Archive\n\nFinished tasks.\n\n```yaml\n```\n"
"""A state document that has no task yet."""

_HEADING: Final = re.compile(rb" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#*)?[ \t\r]*")
_NAMED: Final = 3
"""Tasks that the message names; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where tasks go.

    Attributes:
        path: the document.
        fence: which of its state fences, from 0.
        data: the document's bytes.
        new: whether it is not there yet.
    """

    path: RepoPath
    fence: int
    data: bytes
    new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """A task that went to its new place.

    Attributes:
        task: the task.
        source: the document that it stood in.
        line: its line there.
        target: the document that it stands in.
        now: its line there.
        fence: which fence of the document, from 0.
    """

    task: Task
    source: RepoPath
    line: int
    target: RepoPath
    now: int
    fence: int


class Archiving:
    """A plan that moves finished tasks as they are, all in one commit.

    Attributes:
        moved: the tasks as the last try has them; empty where all were there already.
    """

    moved: tuple[Archived, ...]

    def __init__(self, names: Sequence[str], to: str | None) -> None:
        """Keep what was typed.

        Args:
            names: the ids.
            to: the document, and maybe the fence: `archive.md`, `work.md#2`, `work.md#Done`.
        """
        self._names, self._to = tuple(dict.fromkeys(name.strip() for name in names)), to
        self._first: dict[str, Stance] = {}

    @property
    def plan(self) -> Plan:
        """The plan."""
        return self._propose

    def _propose(self, seat: Seat) -> Proposal:
        """The commit that moves them.

        Raises:
            UsageError: no such task, no such place, or an agent names several.
            Stopped: a task is not finished or not the agent's, or a document cannot be read.
            Nothing: all of them stand there.
        """
        board = seat.board
        records = [board.record(name) for name in self._names]
        tasks = [self._finished(seat, name, record) for name, record in zip(self._names, records, strict=True)]
        if seat.is_agent and len(records) > 1:
            raise UsageError("an agent moves one task a commit: name one")
        target = find_target(seat, self._to, {record.path for record in records})
        pairs = [
            (record, task)
            for record, task in zip(records, tasks, strict=True)
            if record.path != target.path or record.block.fence != target.fence
        ]
        if not pairs:
            raise Nothing(seat, target)
        files = _moved(board, [record for record, _ in pairs], target)
        self.moved = tuple(_archived(record, task, target, files[target.path]) for record, task in pairs)
        return Proposal(files=files, subject=_subject([task.id for _, task in pairs]), task=pairs[0][1])

    def _finished(self, seat: Seat, name: str, record: Record) -> Task:
        """A task that may go: finished, and an agent's own; lost if somebody moved it between two tries."""
        task = seat.board.task(name)
        stance = Stance.of(task)
        if self._first.setdefault(name, stance) != stance:
            raise overtaken(seat, task)
        if seat.is_agent and not owns(task.owner, seat.actor):
            owner = plain(task.owner or "nobody")
            raise needs_other(
                seat, f"only a human archives what is not yours: {plain(task.id)} is {owner}'s", (CLAIM_NEXT,)
            )
        if task.state not in FINISHED:
            to_be_tested = task.state == "to_be_tested" and not seat.is_agent
            step = COMMANDS["approve" if to_be_tested else "reject"](record.block.id)
            raise wrong_state(
                seat, task, FINISHED, CLAIM_NEXT if seat.is_agent else step, "only finished tasks are archived"
            )
        return task


class Nothing(Exception):
    """All tasks stand where they were to go; carries the seat and the place."""

    def __init__(self, seat: Seat, target: Target) -> None:
        super().__init__(show_path(target.path))
        self.seat, self.target = seat, target


# -- where to


def find_target(seat: Seat, to: str | None, sources: set[RepoPath]) -> Target:
    """The place that somebody names: a document, or one of its fences by number or by the heading above it.

    Raises:
        UsageError: none is named, there is no such place, or it would not be a state document; the text says what there is.
        Stopped: the document cannot be read, or an agent would make one (exit code 6).
    """
    board = seat.board
    if to is None:
        raise UsageError(f"say where to: {_choices(board, sources)}")
    path, mark = _path_of(board, to)
    document = board.snapshot.documents.get(path)
    if document is None:
        return _new(seat, path, mark)
    if not document.splittable:
        fault = document.faults[0].found if document.faults else "it is no regular file"
        text = f"{_shown(path)} takes no task: {plain(fault)}; a human mends it first: {FIX}"
        raise Stopped(text, exit=CANNOT_TELL, as_of=board.as_of)
    data = document_bytes(board, path)
    headings = fence_headings(data)
    if not headings:
        raise Stopped(f"{_shown(path)} has no yaml fence to put a task into: a human adds one", as_of=board.as_of)
    return Target(path=path, fence=_fence_of(path, mark, headings), data=data)


def fence_headings(data: bytes) -> tuple[str, ...]:
    """For each state fence of a splittable document the text of the nearest heading above it; empty where there is none."""
    lines = data.split(b"\n")
    inside = [(fence.open, len(lines) if fence.close is None else fence.close) for fence in scan(lines)]
    found = []
    for start, _ in state_fences(data):
        number = data.count(b"\n", 0, start)
        above = (n for n in range(number - 1, -1, -1) if not any(a <= n <= b for a, b in inside))
        match = next((hit for n in above if (hit := _HEADING.fullmatch(lines[n]))), None)
        found.append(match[1].decode("utf-8", "replace") if match is not None else "")
    return tuple(found)


def _path_of(board: Board, to: str) -> tuple[RepoPath, str | None]:
    """The document and the fence that a word names; a document whose name holds a # goes by its whole name."""
    whole = to.strip().removeprefix("./")
    path = RepoPath(whole.encode("utf-8", "surrogateescape"))
    if "#" not in whole or path in board.snapshot.documents:
        return path, None
    name, _, mark = whole.rpartition("#")
    return RepoPath(name.encode("utf-8", "surrogateescape")), mark.strip()


def _fence_of(path: RepoPath, mark: str | None, headings: Sequence[str]) -> int:
    """The fence that is meant, from 0: by its number, by its heading, or the last one.

    Raises:
        UsageError: there is none such, or several.
    """
    if mark is None:
        return len(headings) - 1
    if mark.isascii() and mark.isdigit() and 1 <= int(mark) <= len(headings):
        return int(mark) - 1
    named = [n for n, heading in enumerate(headings) if _slug(heading) == _slug(mark) != ""]
    if len(named) == 1:
        return named[0]
    there = ", ".join(f"#{n}{f' ({plain(h)})' if h else ''}" for n, h in enumerate(headings, 1))
    what = "several fences" if named else "no fence"
    raise UsageError(f"{_shown(path)} has {what} #{plain(mark)}; there are {there}")


def _slug(text: str) -> str:
    """A heading as links name it: `Done in May` is `done-in-may`."""
    return "-".join(re.findall(r"\w+", text.casefold()))


def _new(seat: Seat, path: RepoPath, mark: str | None) -> Target:
    """A document that is not there yet, which only a human begins, and only where `state` names it."""
    board = seat.board
    if path not in board.files or {b"", b".", b"..", b".git"} & {*path.split(b"/")}:
        why = f"{_shown(path)} is no state document: `state` in codifica.json names {', '.join(map(plain, _patterns(board)))}"
        raise UsageError(f"{why}; a maintainer adds it there, in a commit of its own, or {_choices(board, set())}")
    taken = _in_the_way(board, path)
    if taken is not None:
        raise Stopped(f"{_shown(path)} cannot be begun: {taken}", as_of=board.as_of)
    if seat.is_agent:
        raise needs_other(
            seat, f"{_shown(path)} is not there yet, and only a human begins a state document", (CLAIM_NEXT,)
        )
    if mark not in {None, "1"}:
        raise UsageError(f"{_shown(path)} is not there yet, so it has no fence #{plain(mark or '')}")
    return Target(path=path, fence=0, data=NEW_DOCUMENT, new=True)


def _in_the_way(board: Board, path: RepoPath) -> str | None:
    """What lies where a new document is to be, or where one of its folders is; None where nothing does."""
    store = board.desk.world.store
    tree, parts = store.commit(board.tip).tree, path.split(b"/")
    if entry_at(store, tree, path) is not None:
        return "something else is called so"
    above = (RepoPath(b"/".join(parts[:n])) for n in range(1, len(parts)))
    file = next((p for p in above if (entry := entry_at(store, tree, p)) is not None and entry.mode != TREE), None)
    return None if file is None else f"{_shown(file)} is a file"


def _choices(board: Board, sources: set[RepoPath]) -> str:
    """The places that there are, as they are typed."""
    found = []
    for path, document in board.snapshot.documents.items():
        if not document.splittable:
            continue
        fences = fence_headings(document_bytes(board, path))
        if path not in sources:
            found.append(f"--to {_shown(path)}")
        elif len(fences) > 1:
            found += [f"--to {_shown(path)}#{n}" for n in range(1, len(fences) + 1)]
    if found:
        return " or ".join(found[:5])
    return "--to DOC, another state document; there is none, and no second yaml fence: a maintainer adds one to `state` in codifica.json"


def _patterns(board: Board) -> tuple[str, ...]:
    return board.codifica.state.patterns


def _shown(path: RepoPath) -> str:
    return plain(show_path(path), LONGEST)


# -- how


def _moved(board: Board, records: Sequence[Record], target: Target) -> dict[RepoPath, bytes]:
    """The documents after the move; every block and every other line was read back as it was.

    Raises:
        Stopped: a document would not hold the same tasks.
    """
    files = {target.path: target.data}
    for record in records:
        data = files.get(record.path)
        if data is None:
            data = document_bytes(board, record.path)
        block = next(b for b in split(record.path, data).blocks if b.id == record.block.id)
        files[record.path] = take_block(data, block)
        files[target.path] = add_block(files[target.path], record.raw, fence=target.fence)
    _check(board, records, target, files)
    return files


def _check(board: Board, records: Sequence[Record], target: Target, files: dict[RepoPath, bytes]) -> None:
    gone = {record.block.id for record in records}
    for path, data in files.items():
        before = split(path, target.data) if path == target.path else board.snapshot.documents[path]
        after = split(path, data)
        kept = [b.raw for b in before.blocks if b.id not in gone]
        stays = kept == [b.raw for b in after.blocks if b.id not in gone] and before.frame == after.frame
        here = {b.id: b for b in after.blocks if b.id in gone}
        wanted = {r.block.id: r.raw for r in records} if path == target.path else {}
        if not after.splittable or not stays or {name: b.raw for name, b in here.items()} != wanted:
            raise Stopped(
                f"{_shown(path)} would not hold the same tasks, or grow too long; name another document",
                as_of=board.as_of,
            )


def _archived(record: Record, task: Task, target: Target, data: bytes) -> Archived:
    document: Document = split(target.path, data)
    block: Block = next(b for b in document.blocks if b.id == record.block.id)
    return Archived(
        task=task, source=record.path, line=record.line, target=target.path, now=block.line, fence=block.fence
    )


def _subject(names: Sequence[TaskId]) -> str:
    more = len(names) - _NAMED
    told = ", ".join(plain(name) for name in names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{told}: archive"
