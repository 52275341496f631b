"""What a task that was moved by hand lacks: the entry that records the step, and the time of closing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from codifica_guard.errors import KeyUnavailable
from codifica_guard.model.act import Act
from codifica_guard.model.document import Task
from codifica_guard.model.ids import is_agent, is_human
from codifica_guard.model.times import parse_time, stamp
from codifica_guard.packs.codifica import cd101, cd201, cd202, cd203, cd205, cd206, cd207, cd208, cd209, cd301
from codifica_guard.packs.codifica.vocabulary import TABLE, Who, is_signer, owns
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import claim, edit, fix_because, of_move, show
from codifica_guard.rules.view import TaskChange
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.moves import Edit, Hands
from codifica_guard.verbs.unrecorded import Unrecorded, recorded_state

_CLOSED: Final = ("done", "rejected")
_SAID_WHY: Final = frozenset([*cd206.REOPENED, cd206.RECLAIMED, cd206.RETURNED])
"""Steps that need a reason, besides those that reject a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """Something that a task lacks and nobody but a person can say.

    Attributes:
        code: the rule that it breaks.
        name: the rule's name.
        found: what is there.
        do: what to do about it.
    """

    code: str
    name: str
    found: str
    do: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What is to be written into one task.

    Attributes:
        edit: the fields.
        told: the rule's code, and what is filled in, for people.
        lacks: what is left.
    """

    edit: Edit = field(default_factory=Edit)
    told: tuple[tuple[str, str], ...] = ()
    lacks: tuple[Lack, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Filler:
    """Completes what was done by hand.

    Attributes:
        board: what is committed; steps are told by comparing with it.
        find: finds who works here.
        reason: why, where it was said.
    """

    board: Board
    find: Callable[[], Hands]
    reason: str | None = None

    @cached_property
    def hands(self) -> Hands | KeyUnavailable:
        """Who works here, or why that is not known."""
        try:
            return self.find()
        except KeyUnavailable as error:
            return error

    @cached_property
    def past(self) -> Unrecorded:
        """What commits left out."""
        return Unrecorded(board=self.board)

    def filling(self, change: TaskChange) -> Filling | None:
        """What one task lacks, by what is committed and what stands in the work tree; None where it lacks nothing.

        Args:
            change: the task, committed and in the work tree.
        """
        if change.both is None:
            return None
        old, new = change.both
        passed = self.past.steps(old)
        wanted = len(passed) + (change.transition is not None)
        late = change.transition is None and self.past.undated(old) and not new.text("completed_at")
        undated = change.transition is not None and change.transition[1] in _CLOSED and not _dated(change)
        fresh = change.new_entries("state_transitions")
        if not wanted and not late:
            return None
        if isinstance(self.hands, KeyUnavailable):
            return None if len(fresh) >= wanted and not (late or undated) else _lacking(cd207, str(self.hands))
        return _Case(self, change, old, new, self.hands, passed).told(late=late, undated=undated)


class _Case:
    """One task that was moved by hand."""

    def __init__(
        self, filler: Filler, change: TaskChange, old: Task, new: Task, hands: Hands, passed: tuple[Act, ...]
    ) -> None:
        self._filler, self._change, self._old, self._new, self._hands = filler, change, old, new, hands
        self._passed = passed
        self._entries: list[dict[str, Any]] = []
        self._sets: dict[str, Any] = {}
        self._told: list[tuple[str, str]] = []
        self._lacks: list[Lack] = []

    def told(self, *, late: bool, undated: bool) -> Filling | None:
        """What is filled in, and what is left."""
        self._chain()
        if not self._lacks and (undated or (late and is_human(self._hands.actor))):
            at = self._hands.at if undated else self._closed_at()
            if at is not None:
                self._sets["completed_at"] = at
                self._told.append((cd209.CODE, f"completed_at: {at}"))
        if not (self._told or self._lacks):
            return None
        append = {"state_transitions": self._entries} if self._entries else {}
        return Filling(edit=Edit(sets=self._sets, append=append), told=tuple(self._told), lacks=tuple(self._lacks))

    def _chain(self) -> None:
        """The entries that are missing, in order."""
        change, move = self._change, self._change.transition
        was, now = (task.data.get("state_transitions") or [] for task in (self._old, self._new))
        if not isinstance(was, list) or not isinstance(now, list):
            self._lack(cd101, "state_transitions is no list", edit(change.id))
            return
        if now[: len(was)] != was:
            self._lack(cd208, "recorded entries of state_transitions were changed", "put them back")
            return
        fresh = change.new_entries("state_transitions")
        needed = [*((step.source, step.target) for step in self._passed), *([move] if move is not None else [])]
        there = [(entry.get("from"), entry.get("to")) for entry in fresh]
        if move is not None and there == [move]:
            needed = [move]  # what was not recorded before it cannot be recorded behind it
        if there != needed[: len(there)]:
            told = ", ".join(f"{plain(str(a))} -> {plain(str(b))}" for a, b in there)
            if move is not None:
                self._lack(
                    cd207, f"state_transitions has {told}, and the task went {move[0]} -> {move[1]}", "correct it"
                )
        elif move is not None and len(there) == len(needed):
            self._check_name(fresh[-1])
        elif move is not None and (lack := self._hindrance(move)) is not None:
            self._lacks.append(lack)
        else:
            self._record(len(there), move)

    def _record(self, known: int, move: tuple[str, str] | None) -> None:
        """Add the entries of what was passed, but for the first ones, and that of the step."""
        if self._passed and not is_human(self._hands.actor):
            return  # an agent records nothing but its own steps
        for step in self._passed[known:]:
            if self._needs_reason((step.source, step.target)):
                return
            self._add(step.source, step.target, step.actor or "", self._not_before(step.at), step.reason)
        if move is not None and not self._needs_reason(move):
            reason = self._filler.reason or self._blocked_because(move)
            self._add(*move, self._hands.actor, self._hands.at, reason)

    def _check_name(self, entry: Mapping[str, object]) -> None:
        by, actor = entry.get("by"), self._hands.actor
        if by != actor and not (is_human(actor) and is_signer(by, actor)):
            self._lack(cd207, f"the new entry says by: {plain(str(by))}", f"write by: {actor}")

    def _hindrance(self, move: tuple[str, str]) -> Lack | None:
        """Why the step is not one that whoever works here can record."""
        actor, who = self._hands.actor, TABLE.get(move)
        shown, ident = f"{plain(move[0])} -> {plain(move[1])}", self._change.id
        if who is None:
            return _lack_of(cd201, f"{shown} is no step of the protocol", show(ident))
        if who is Who.HUMAN and is_agent(actor):
            return _lack_of(cd202, f"{shown}: only a human does that", f"a human: {of_move(move, ident, agent=False)}")
        if (
            who is not Who.ANYBODY
            and not owns(self._old.owner, actor)
            and not (who is not Who.OWNER and is_human(actor))
        ):
            owner = plain(self._old.owner or "nobody")
            return _lack_of(cd203, f"{shown} by {actor}; the owner is {owner}", show(ident))
        if self._change.is_claim and is_agent(actor):
            return _lack_of(cd301, "a claim by hand", f"put the task back, then {claim(ident)}")
        return None

    def _needs_reason(self, move: tuple[str, str]) -> bool:
        """Whether a step cannot be recorded, since nobody said why; what blocks a task is said here, where it can be."""
        reason = self._filler.reason
        if move[1] == "blocked" and not self._new.text("blocked_reason") and move == self._change.transition:
            if reason is None:
                self._lack(cd205, "blocked without blocked_reason", fix_because())
                return True
            self._sets["blocked_reason"] = reason
            self._told.append((cd205.CODE, "blocked_reason"))
        if reason is not None or (move[1] != "rejected" and move not in _SAID_WHY):
            return False
        self._lack(cd206, f"{move[0]} -> {move[1]} without a reason", fix_because())
        return True

    def _blocked_because(self, move: tuple[str, str]) -> str | None:
        return self._new.text("blocked_reason") if move[1] == "blocked" else None

    def _add(self, source: str, target: str, by: str, at: str, reason: str | None) -> None:
        why = {"reason": reason or self._filler.reason} if reason or self._filler.reason else {}
        session = self._hands.provenance() if by == self._hands.actor else {}
        self._entries.append({"from": source, "to": target, "by": by, **why, "timestamp": at, **session})
        self._told.append((cd207.CODE, f"state_transitions: {source} -> {target} by {by}"))

    def _not_before(self, at: float) -> str:
        """A time, not before that of the entry above."""
        above = [*self._new.entries("state_transitions"), *self._entries]
        last = parse_time(above[-1].get("timestamp")) if above else None
        return stamp(at if last is None else max(at, last))

    def _closed_at(self) -> str | None:
        """When the task was closed: by the history, else by its own entries."""
        if self._passed:
            return stamp(self._passed[-1].at)
        entries = self._new.entries("state_transitions")
        at = (
            parse_time(entries[-1].get("timestamp"))
            if entries and recorded_state(self._new) == self._new.state
            else None
        )
        return None if at is None else stamp(at)

    def _lack(self, rule: Any, found: str, do: str) -> None:
        self._lacks.append(_lack_of(rule, found, do))


def _dated(change: TaskChange) -> bool:
    return change.new is not None and bool(change.new.text("completed_at")) and change.changed("completed_at")


def _lack_of(rule: Any, found: str, do: str) -> Lack:
    return Lack(code=rule.CODE, name=rule.NAME, found=found, do=(do,))


def _lacking(rule: Any, why: str) -> Filling:
    return Filling(lacks=(_lack_of(rule, f"who writes the entry is not known: {why}", "git codifica whoami"),))
