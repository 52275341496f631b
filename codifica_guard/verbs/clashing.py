"""An edit that meets another one: who changed what, and the text in which it is settled."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any, Final

from codifica_guard.errors import GuardError, StateError
from codifica_guard.model.act import Act
from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath, TaskId, short
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import show
from codifica_guard.rules.snapshot import Record
from codifica_guard.state.comments import comments_of
from codifica_guard.state.edit import edit_block
from codifica_guard.state.merge import LIFE, Data, Merged, data_of, merge_task
from codifica_guard.state.together import together
from codifica_guard.state.yaml import read_block
from codifica_guard.verbs.ages import ago
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.draft_text import with_head
from codifica_guard.verbs.history import History
from codifica_guard.verbs.seat import Seat
from codifica_guard.verbs.stopped import LOST, Stopped

_DIFF_LINES: Final = 200
_VALUE: Final = 300
"""Characters of a value that are shown."""


class Clashed(Stopped):
    """Somebody else changed the same meanwhile; nothing has changed.

    Attributes:
        task: the task.
        text: the text in which it is settled: it goes on from what stands there now.
    """

    def __init__(self, told: str, *, task: TaskId, text: bytes, as_of: Mapping[str, str | None]) -> None:
        super().__init__(told, exit=LOST, next=(show(task),), as_of=as_of, answer=True)
        self.task, self.text = task, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A text that a human wrote, and what somebody else wrote meanwhile.

    Attributes:
        base: the task's bytes that both started from.
        mine: the human's.
        record: what stands there now.
    """

    base: bytes
    mine: bytes
    record: Record

    def joined(self) -> bytes | None:
        """Both changes in one text; None where they clash."""
        merged = self._merged(self.mine)
        if merged.side is not None:
            return (self.mine, self.record.raw)[merged.side]
        return together(self.mine, self.record.raw, merged.data, self.base) if merged.data is not None else None

    def clash(self, seat: Seat) -> Clashed:
        """What is told where they clash."""
        board, ident, text = seat.board, self.record.block.id, self._settled()
        names = self._merged(self.mine).clash
        rows = list(self._rows(board, names))
        what = ", ".join(plain(n) for n in names if n != "task") or ("it" if names else "comments")
        head = f"{plain(ident)} has moved meanwhile: {what} changed on both sides. Nothing was changed"
        diff = list(unified_diff(_lines(self.record.raw), _lines(text), n=1, lineterm=""))[2:]
        cut = [f"... all of it: {show(ident)} --yaml"] if len(diff) > _DIFF_LINES else []
        notes = (
            head,
            *rows,
            "What somebody else changed elsewhere in the task is in the text below; where both did, it has yours.",
            *(["It would change, from what stands there now (-) to the text below (+):"] if diff else []),
            *diff[:_DIFF_LINES],
            *cut,
            "Settle it below and save: what you send then is taken as the answer to what stands there now.",
        )
        kept = with_head(text, ident, board.ref, board.tip, notes)
        return Clashed("\n".join((head, *rows)), task=ident, text=kept, as_of=board.as_of)

    def _merged(self, mine: bytes) -> Merged:
        old = frozenset({_version(self.base)})
        return merge_task((_version(mine), _version(self.record.raw)), lambda _, __: old)

    # -- the text in which it is settled

    def _settled(self) -> bytes:
        """The human's text with what somebody else changed where it does not clash, and with the life that the task has now."""
        mine, there = (data_of(_version(raw)) for raw in (self.mine, self.record.raw))
        merged = self._merged(self.mine)
        if mine is None or there is None or "task" in merged.clash:
            return self.mine
        data = merged.data if merged.data is not None else self._even(mine, there, merged.clash)
        if data is None:
            return self.mine
        joined = together(self.mine, self.record.raw, data, self.base)
        if joined is None:
            return self._one_by_one(mine, data)
        return joined if isinstance(read_block(joined), Task) else self.mine

    def _one_by_one(self, mine: Data, data: Data) -> bytes:
        """The human's text with each field as the data have it, where no comment of his is lost with it."""
        raw, own = self.mine, comments_of(self.mine)
        for name in dict.fromkeys((*mine, *data)):
            new = _with(raw, mine, data, (name,))
            there = comments_of(new) if new is not None else {}
            if new is not None and all(there.get(text, 0) >= count for text, count in own.items()):
                raw = new
        return raw

    def _even(self, mine: Data, there: Data, clash: tuple[str, ...]) -> Data | None:
        """What both come to, where a field that clashes is the human's; None where that cannot be told."""
        names = tuple(n for name in clash for n in (LIFE if name == "state" else (name,)))
        even = _with(self.mine, mine, there, names)
        merged = self._merged(even) if even is not None else Merged()
        if merged.side is not None:
            data = data_of(_version((even or b"", self.record.raw)[merged.side]))
        else:
            data = merged.data
        if data is None:
            return None
        own = {name for name in clash if name != "state"}
        kept = {name: held for name, held in data.items() if name not in own}
        return {**kept, **{name: mine[name] for name in mine if name in own}}

    # -- who changed what

    def _rows(self, board: Board, names: tuple[str, ...]) -> Iterator[str]:
        """For each field that clashes who changed it, and both values."""
        task = self.record.task()
        ident = self.record.block.id
        base, mine = (data_of(_version(raw)) or {} for raw in (self.base, self.mine))
        there = task.data if task is not None else {}
        if not names or "task" in names:
            yield f"{'comments' if not names else 'it'}: changed by {_last(board, ident)}"
            return
        steps = _steps(board, ident, names)
        for name in names:
            step = steps.get(name)
            by = _last(board, ident) if step is None else _told(board, step)
            yield f"{plain(name)}: changed by {by}"
            for inner in LIFE if name == "state" else (name,):
                values = there.get(inner), mine.get(inner)
                if values[0] != values[1]:
                    label = f"{inner} " if inner != name else ""
                    yield f"  {label}there now: {_value(values[0])}"
                    yield f"  {label}yours:     {_value(values[1])}"
                    yield f"  {label}before:    {_value(base.get(inner))}"


def _version(raw: bytes) -> tuple[tuple[bytes, RepoPath], ...]:
    return ((raw, RepoPath(b"")),)


def _with(raw: bytes, old: Data, new: Data, names: tuple[str, ...]) -> bytes | None:
    """A block with some fields as another one has them; None where that cannot be written."""
    sets = {name: new[name] for name in names if name in new and (name not in old or old[name] != new[name])}
    try:
        return edit_block(raw, sets=sets, drop=[name for name in names if name in old and name not in new])
    except StateError:
        return None


def _lines(raw: bytes) -> list[str]:
    return raw.decode("utf-8", "surrogateescape").split("\n")


def _value(held: Any) -> str:
    return "nothing" if held is None else plain(json.dumps(held, ensure_ascii=False, default=str), _VALUE)


def _steps(board: Board, task: TaskId, names: tuple[str, ...]) -> dict[str, Act]:
    """The newest step that changed each field, as far as the history tells."""
    found: dict[str, Act] = {}
    try:
        for step in History(board=board).acts(task):
            moved = step.source != step.target or "owner" in step.edited
            for name in names:
                if name in step.edited or (name == "state" and moved):
                    found.setdefault(name, step)
            if len(found) == len(names):
                break
    except GuardError:
        return found  # a clone that is cut off
    return found


def _told(board: Board, step: Act) -> str:
    who = step.actor or (f"{step.claimed}, unproven" if step.claimed else "nobody proven")
    return f"{plain(who)} {ago(max(0, board.now - step.at))} ({short(step.commit)})"


def _last(board: Board, task: TaskId) -> str:
    """Who last changed a task at all, by the author line of the commit."""
    commit = board.changed_in(task)
    if commit is None:
        return "a commit that is not here"
    made = board.desk.world.store.commit(commit)
    name = made.author.decode("utf-8", "replace").partition(" <")[0]
    return f"{plain(name)} {ago(max(0, board.now - made.committer_time))} ({short(commit)})"
