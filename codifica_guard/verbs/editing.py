"""A new text for one task, written by a human: read back, joined with what came meanwhile, put in its place."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import unified_diff

from codifica_guard.errors import GuardError
from codifica_guard.model.document import Block, Fault, Task
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId, show_path
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import word
from codifica_guard.rules.snapshot import Record
from codifica_guard.state.blocks import split
from codifica_guard.state.characters import document_fault
from codifica_guard.state.edit import replace_block
from codifica_guard.state.yaml import read_block
from codifica_guard.verbs.act import document_bytes
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.clashing import Meeting
from codifica_guard.verbs.deciding import check_human
from codifica_guard.verbs.draft_text import DraftText
from codifica_guard.verbs.landing import land
from codifica_guard.verbs.seat import How, Proposal, Seat
from codifica_guard.verbs.stopped import REFUSED, Stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A task as it was opened.

    Attributes:
        task: its id.
        raw: its bytes.
        place: the branch, as git calls it here.
        commit: its tip.
    """

    task: TaskId
    raw: bytes
    place: str
    commit: ObjectId


class Faulty(Exception):
    """A text that is not the task; carries why. Lines are the task's, from 1."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].found)
        self.faults = faults


class Unchanged(Exception):
    """A text that says what stands there already; carries the seat and the record.

    Attributes:
        own: whether it holds something that stands neither there nor in what it was written from.
        empty: whether it holds no task.
    """

    def __init__(self, seat: Seat, record: Record, *, own: bool, empty: bool = False) -> None:
        super().__init__(record.block.id)
        self.seat, self.record, self.own, self.empty = seat, record, own, empty


class _Seen(Exception):
    """The end of a landing that only looks."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened.task)
        self.opened = opened


def open_task(how: How, name: str) -> Opened:
    """The task as it is now, for a human.

    Args:
        how: the options.
        name: its id, as it was typed.

    Raises:
        Stopped: an agent asks (exit code 6), or the remote is not reached.
        UsageError: there is no such task.
        KeyUnavailable: there is no key that may act.
    """

    def look(seat: Seat) -> Proposal:
        record = seat.board.record(name)
        check_human(seat, record.task(), "edit")
        raise _Seen(Opened(task=record.block.id, raw=record.raw, place=seat.board.ref, commit=seat.board.tip))

    try:
        land(how, look)
    except _Seen as seen:
        return seen.opened
    raise AssertionError("a look lands nothing")


class Editing:
    """A plan that gives a task another text; changes of other fields that came meanwhile are kept.

    Attributes:
        record: the task as it stood, on the last try.
        after: its new bytes.
    """

    record: Record
    after: bytes

    def __init__(self, name: str, draft: DraftText, base: bytes | None) -> None:
        """Keep what was written.

        Args:
            name: the task's id, as it was typed.
            draft: the text.
            base: the task's bytes from which it was written; None: those of the commit that its head names, and where
                it names none, it takes the place of whatever stands there.
        """
        self._name, self._draft, self._base = name, draft, base

    @property
    def plan(self) -> Callable[[Seat], Proposal]:
        """The plan."""
        return self._propose

    @property
    def diff(self) -> tuple[str, ...]:
        """The change of the task's text as a unified diff for a screen; lines are counted within the task."""
        name = f"{show_path(self.record.path)} {plain(self.record.block.id)}"
        old, new = (raw.decode("utf-8", "surrogateescape").split("\n") for raw in (self.record.raw, self.after))
        return printable(unified_diff(old, new, f"a/{name}", f"b/{name}", lineterm=""))

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that say something else; empty where the task could not be read before."""
        old, new = self.record.task(), read_block(self.after)
        if old is None or not isinstance(new, Task):
            return ()
        names = dict.fromkeys((*old.data, *new.data))
        return tuple(name for name in names if old.data.get(name) != new.data.get(name))

    def _propose(self, seat: Seat) -> Proposal:
        """The commit that writes it.

        Raises:
            Faulty: the text is not this task, alone and readable.
            Unchanged: it says what stands there.
            Stopped: an agent asks.
            Clashed: somebody else changed the same meanwhile.
        """
        board = seat.board
        record = board.record(self._name)
        check_human(seat, record.task(), "edit")
        draft = self._draft
        if not draft.raw:
            raise Unchanged(seat, record, own=draft.stray is not None, empty=True)
        check_stray(draft)
        check_text(draft.raw, record.block.id)
        base = self._base
        if base is None and draft.base is not None:
            base = block_at(board, draft.base, record.block.id)
        raw = draft.raw
        if base is not None and record.raw not in {base, raw}:
            meeting = Meeting(base=base, mine=raw, record=record)
            joined = meeting.joined()
            if joined is None:
                raise meeting.clash(seat)
            raw = joined
        data = document_bytes(board, record.path)
        if raw == record.raw:
            raise Unchanged(seat, record, own=draft.raw not in {record.raw, base})
        new = replace_block(data, record.block, raw)
        _check_place(data, new, record.block)
        self.record, self.after = record, raw
        return Proposal(files={record.path: new}, subject=f"{plain(record.block.id)}: edit", task=record.task())


def check_stray(draft: DraftText) -> None:
    """Nothing where all that somebody wrote belongs to the task.

    Raises:
        Faulty: a comment stands outside of it; it would be lost.
    """
    if draft.stray is not None:
        found = "a comment at column 0 above or below the task: such lines belong to the text around the tasks, not to this one"
        do = "indent it by two blanks and put it below `- id:`, or take it out"
        raise Faulty(Fault(code="ST101", line=draft.stray - draft.above, column=1, found=found, do=do))


def check_text(raw: bytes, task: TaskId) -> None:
    """Nothing where a text is one task that can be read, under its id.

    Raises:
        Faulty: it is not.
    """
    fault = document_fault(raw)
    read = read_block(raw) if fault is None else fault
    if isinstance(read, Fault):
        raise Faulty(read)
    if read.id != task:
        found = f"the id is {plain(read.id)}, and this is {plain(task)}"
        raise Faulty(Fault(code="CD104", line=1, column=7, found=found, do=f"write `- id: {plain(task)}`"))


def block_at(board: Board, commit: ObjectId, task: TaskId) -> bytes | None:
    """A task's bytes in a commit; None where the commit is not here, or does not hold the task once."""
    world = board.desk.world
    try:
        found = world.snapshot(world.store.commit(commit).tree, board.files).records.get(task, ())
    except GuardError:
        return None
    return found[0].raw if len(found) == 1 else None


def _check_place(old: bytes, new: bytes, block: Block) -> None:
    """Nothing where a document holds what it held, but for the text of one task.

    Raises:
        Faulty: the text does not stay one task of it.
    """
    before, after = split(RepoPath(b""), old), split(RepoPath(b""), new)
    if not after.splittable:
        first = block.line - 1
        raise Faulty(*(_within(fault, fault.line - first) for fault in after.faults))
    number = next(n for n, other in enumerate(before.blocks) if other.start == block.start)
    sides = [[(b.id, b.raw) for b in document.blocks] for document in (before, after)]
    whole = len(sides[0]) == len(sides[1]) and before.frame == after.frame
    if not whole or any(a != b for n, (a, b) in enumerate(zip(*sides, strict=True)) if n != number):
        found = "the text does not stay one task of its document"
        raise Faulty(
            Fault(
                code="ST101", line=1, column=1, found=found, do="write one task, without a line that closes its fence"
            )
        )


def _within(fault: Fault, line: int) -> Fault:
    return Fault(
        code=fault.code, line=max(1, line), column=fault.column, found=fault.found, expected=fault.expected, do=fault.do
    )


def again(task: TaskId, path: str) -> str:
    """The command that takes a text that was kept."""
    return f"git codifica edit {word(task)} --from {word(path)}"


def refused(told: Stopped) -> bool:
    """Whether a rule refuses, so that another text may pass."""
    return told.exit == REFUSED and bool(told.findings)
