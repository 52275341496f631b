"""Who moved which task when: the commits of the coordination branch, newest first, each held against its parents."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from codifica_guard.clone.program import git
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.segments import Segment
from codifica_guard.model.commit import MIGRATE, Commit
from codifica_guard.model.document import Task
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.model.policy import Policy
from codifica_guard.packs.codifica.history import review
from codifica_guard.packs.core.id107 import key_wanted
from codifica_guard.rules.fence import session_of
from codifica_guard.rules.snapshot import EMPTY, Record, Snapshot
from codifica_guard.rules.view import TaskChange
from codifica_guard.verbs.board import Board

HISTORY_COMMITS: Final = 50_000
"""Commits that change state documents and are looked at; older ones are told to be there."""

_WILD: Final = re.compile(r"[*?\[{!(+@\\]")
"""Where a pattern stops being a path."""

BORN, GONE, UNREADABLE, STATELESS = "new", "gone", "unreadable", "without state"
"""What a task comes from, goes to, and is where it has no state that could be told."""

_OF_STEPS: Final = frozenset(
    [
        "state",
        "claimed_at",
        "completed_at",
        "blocked_reason",
        "blocked_by",
        "human_review",
        "state_transitions",
        "execution_notes",
        "artifacts",
        "checklist",
    ]
)
"""Fields that steps and the daily work change."""

Standing = Literal["signed", "unproven", "before the guard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One task that one commit moved.

    Attributes:
        task: the task's id.
        source, target: the states, or `BORN`, `GONE`, `UNREADABLE`, `STATELESS`.
        commit: the commit.
        at: its time, seconds since the epoch: what its committer says.
        actor: the proven principal; None where nobody is.
        claimed: who is said to have done it, by the entry, else by the commit; may be pushed text.
        standing: what is known about the actor.
        proof: what proves him.
        token: whether the writer key that the step asks for has signed it, too.
        session: the session that the entry names.
        reason: the entry's reason.
        summary: the summary of a note that the commit brought.
        review: the status of a review that it brought.
        edited: what the task asks for, or whose it is, as far as the commit changed that beside the step: names of fields.
        migration: why a maintainer rewrote what was recorded, in his words; None where the commit is no migration.
    """

    task: TaskId
    source: str
    target: str
    commit: ObjectId
    at: int
    actor: str | None
    claimed: str | None
    standing: Standing
    proof: Proof
    token: bool = False
    session: str | None = None
    reason: str | None = None
    summary: str | None = None
    review: str | None = None
    edited: tuple[str, ...] = ()
    migration: str | None = None


@dataclass(frozen=True, kw_only=True)
class History:
    """The past of a board's tasks.

    Attributes:
        board: the board; its state documents are followed, under the names that they have now.
    """

    board: Board

    @cached_property
    def commits(self) -> tuple[ObjectId, ...]:
        """The commits that change state documents, children first; merges only where they equal none of their parents."""
        # Paths narrow the list down, and no more: each commit is held against its parents here.
        words = ("rev-list", "--full-history", "--date-order", f"--max-count={HISTORY_COMMITS + 1}")
        told = git(
            self.board.desk.folder,
            *words,
            self.board.tip,
            "--",
            *self._paths(),
            environ={"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull},
        )
        return tuple(ObjectId(line) for line in told.split())

    @property
    def cut(self) -> tuple[ObjectId, ...]:
        """Where a shallow clone cuts the history off; empty where it does not."""
        return tuple(sorted(self.board.desk.cuts & set(self.commits)))

    @property
    def too_long(self) -> bool:
        """Whether there are more commits than are looked at."""
        return len(self.commits) > HISTORY_COMMITS

    def steps(self, task: TaskId | None = None) -> Iterator[Step]:
        """The steps of one task, or of all, newest first; what a cut commit did cannot be told, and is left out."""
        for oid in self.commits[:HISTORY_COMMITS]:
            if oid not in self.board.desk.cuts:
                yield from _Look(self.board, self.board.desk.world.store.commit(oid)).steps(task)

    def _paths(self) -> tuple[bytes, ...]:
        """Where state documents may lie, as Git's pathspecs; none at all where that is anywhere."""
        literal = self.board.files.literal()
        if literal is None:
            patterns = [text for globs in self.board.files.globs for text in globs.patterns]
            literal = tuple(RepoPath(_fixed(text).encode("utf-8", "surrogateescape")) for text in patterns)
        return tuple(b":(literal)" + path for path in literal) if all(literal) else ()


def _fixed(pattern: str) -> str:
    """A pattern that is a path, else the folder that it names without wildcards; empty for the root."""
    fixed, *wild = _WILD.split(pattern, maxsplit=1)
    return fixed.rpartition("/")[0] if wild else fixed


def signing_steps(board: Board, task: Task) -> tuple[Step | None, Step | None]:
    """The newest claim of a task, and the hand-in that followed it; None for what has not happened, or is not to be seen."""
    if not any(entry.get("to") == "in_progress" for entry in task.entries("state_transitions")):
        return None, None  # no walk through a history that holds none
    handed_in: Step | None = None
    for step in History(board=board).steps(task.id):
        move = (step.source, step.target)
        if handed_in is None and step.source == "in_progress" and step.target in {"to_be_tested", "done"}:
            handed_in = step
        if move == ("todo", "in_progress"):
            return step, handed_in
    return None, handed_in


class _Look:
    """One commit against its parents; who made it is asked only where it moved something."""

    def __init__(self, board: Board, commit: Commit) -> None:
        self._board, self._commit, self._world = board, commit, board.desk.world

    def steps(self, wanted: TaskId | None) -> Iterator[Step]:
        names = self._changed() if wanted is None else (wanted,)
        for name in names:
            change = self._change(name)
            if change is not None:
                yield from self._told(change)

    @cached_property
    def _after(self) -> Snapshot:
        return self._world.snapshot(self._commit.tree, self._board.files)

    @cached_property
    def _before(self) -> tuple[Snapshot, ...]:
        trees = (self._world.store.commit(parent).tree for parent in self._commit.parents)
        return tuple(self._world.snapshot(tree, self._board.files) for tree in trees) or (EMPTY,)

    def _changed(self) -> tuple[TaskId, ...]:
        """Ids of tasks that differ from the first parent, by name."""
        before, after = self._before[0], self._after
        found: set[TaskId] = set()
        for path in {*before.entries, *after.entries}:
            sides = before.entries.get(path), after.entries.get(path)
            if sides[0] != sides[1]:
                found |= self._world.difference(path, *sides).ids
        return tuple(sorted(found))

    def _change(self, name: TaskId) -> TaskChange | None:
        """What the commit itself did to a task: nothing where a parent has it just so."""
        after = self._after.record(name)
        sides = [snapshot.record(name) for snapshot in self._before]
        if any(_same(side, after) for side in sides):
            return None
        return TaskChange(id=name, before=sides[0], after=after)

    def _told(self, change: TaskChange) -> Iterator[Step]:
        source, target = _state(change.before, BORN), _state(change.after, GONE)
        edited = _edited(change)
        if source == target and not change.is_resume and not edited and self._migration is None:
            return
        entry = _entry(change, target)
        policy, attribution = self._attribution
        standing: Standing = "signed" if attribution.actor is not None else "unproven"
        said = entry.get("by")
        new = change.new
        brought = change.new_entries("execution_notes")
        yield Step(
            task=change.id,
            source=source,
            target=target,
            commit=self._commit.id,
            at=self._commit.committer_time,
            actor=attribution.actor,
            claimed=said if isinstance(said, str) else attribution.claimed,
            standing=standing if policy is not None else "before the guard",
            proof=attribution.proof,
            token=policy is not None and self._token(change, policy, attribution),
            session=session_of(entry),
            reason=_text(entry.get("reason")),
            summary=next((_text(n.get("summary")) for n in reversed(brought) if n.get("summary")), None),
            review=_text(review(new).get("status")) if new is not None and change.changed("human_review") else None,
            edited=edited,
            migration=self._migration,
        )

    # -- who

    @cached_property
    def _migration(self) -> str | None:
        """Why the commit migrates tasks; asked only where its message says that it does."""
        if not self._world.trailers(self._commit).values(MIGRATE):
            return None
        policy, attribution = self._attribution
        return self._expansion.view(policy, attribution).migration if policy is not None else None

    @cached_property
    def _expansion(self) -> Expansion:
        commit = self._commit
        base = commit.parents[0] if commit.parents else None
        step = Segment(base=base, tip=commit.id, new=(commit.id,), with_base=frozenset({commit.id}))
        # A key that has run out since was good when it signed.
        return Expansion(self._world, commit, step, commit.committer_time)

    @cached_property
    def _attribution(self) -> tuple[Policy | None, Attribution]:
        """The policy that counted for the commit, None before there was one; and who made it under that policy."""
        policy = self._policy()
        if policy is None:
            return None, Attribution()
        return policy, self._expansion.attribution(policy, policy.revoked.__contains__)

    def _policy(self) -> Policy | None:
        world = self._world
        if self._commit.id == world.introduction:
            return world.own_policy(self._commit.id)
        # A commit without a policy is asked for no ancestors: those of them that lie before the introduction are many.
        with_policy = (p for p in self._commit.parents if world.trust_ids(p)[0] is not None)
        return next((found for p in with_policy if (found := world.policy(p)) is not None), None)

    def _token(self, change: TaskChange, policy: Policy, attribution: Attribution) -> bool:
        wanted = key_wanted(change)
        return wanted is not None and self._expansion.view(policy, attribution).proves_writer(wanted)


def _same(one: Record | None, other: Record | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.raw == other.raw


def _state(record: Record | None, absent: str) -> str:
    if record is None:
        return absent
    task = record.task()
    return UNREADABLE if task is None else task.state or STATELESS


def _entry(change: TaskChange, target: str) -> Mapping[str, Any]:
    """The entry that a commit recorded its step with; empty where it recorded none."""
    rows = change.new_entries("state_transitions")
    return next((row for row in reversed(rows) if row.get("to") == target), {})


def _edited(change: TaskChange) -> tuple[str, ...]:
    """Fields that changed and belong to no step; the owner counts where he changed without one."""
    pair = change.both
    if pair is None:
        return ()
    stays = pair[0].state == pair[1].state
    names = dict.fromkeys((*pair[0].data, *pair[1].data))
    return tuple(n for n in names if change.changed(n) and n not in _OF_STEPS and (stays or n != "owner"))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
