"""Who moved which task when: the commits of the coordination branch, newest first, each held against its parents."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from codifica_guard.audit.witness import Witness, Witnesses
from codifica_guard.clone.program import git
from codifica_guard.engine.acts import acts
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.powers import Revocations
from codifica_guard.engine.segments import Segment, segments
from codifica_guard.engine.trust import introduction_view
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.refs import resolve
from codifica_guard.model.act import Act
from codifica_guard.model.commit import MIGRATE, Commit
from codifica_guard.model.document import Task
from codifica_guard.model.identity import Attribution
from codifica_guard.model.ids import KeyBlob, ObjectId, RepoPath, TaskId, short
from codifica_guard.model.policy import SIGNERS_FILE, Policy
from codifica_guard.model.receipt import RECEIPTS
from codifica_guard.model.value import replace
from codifica_guard.rules.snapshot import Record
from codifica_guard.rules.view import CommitView
from codifica_guard.verbs.board import Board

HISTORY_COMMITS: Final = 50_000
"""Commits that change state documents and are looked at; older ones are told to be there."""

_WILD: Final = re.compile(r"[*?\[{!(+@\\]")
"""Where a pattern stops being a path."""

_RAW: Final = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull}
"""History is what the objects say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """The policy that counted for a commit.

    Attributes:
        commit: the commit whose tree holds it.
        beside: what names that commit behind the name of the one that is judged, such as `^` for its parent; empty where it is that
            one itself, and None where it is another.
        policy: the policy.
    """

    commit: ObjectId
    beside: str | None
    policy: Policy

    def shown(self, judged: ObjectId) -> str:
        """The commit for people."""
        return short(self.commit) if self.beside is None else f"{short(judged)}{self.beside}"


@dataclass(frozen=True, kw_only=True)
class History:
    """The past of a board's tasks.

    Attributes:
        board: the board; its state documents are followed, under the names that they have now.
        witnesses: which commits the server saw when, as far as its receipts are believed; None where nobody asks.
    """

    board: Board
    witnesses: Witnesses | None = None

    @cached_property
    def commits(self) -> tuple[ObjectId, ...]:
        """The commits that change state documents, children first; merges only where they equal none of their parents."""
        # Paths narrow the list down, and no more: each commit is held against its parents here.
        return self.changing(self.board.tip, self._paths(), most=HISTORY_COMMITS + 1)

    @property
    def cut(self) -> tuple[ObjectId, ...]:
        """Where a shallow clone cuts the history off; empty where it does not."""
        return tuple(sorted(self.board.desk.cuts & set(self.commits)))

    @property
    def too_long(self) -> bool:
        """Whether there are more commits than are looked at."""
        return len(self.commits) > HISTORY_COMMITS

    def acts(self, task: TaskId | None = None) -> Iterator[Act]:
        """What was done to one task, or to all, newest first; what a cut commit did cannot be told, and is left out."""
        for oid in self.commits[:HISTORY_COMMITS]:
            if oid not in self.board.desk.cuts:
                yield from _Look(self, self.board.desk.world.store.commit(oid)).acts(task)

    def acts_of(self, oid: ObjectId, task: TaskId | None = None) -> Iterator[Act]:
        """What one commit did to one task, or to all."""
        yield from _Look(self, self.board.desk.world.store.commit(oid)).acts(task)

    def witness(self, oid: ObjectId) -> Witness | None:
        """The receipt that saw a commit; None where none is believed to have, or nobody asks for receipts."""
        return None if self.witnesses is None else self.witnesses.of(oid)

    def view(self, oid: ObjectId) -> tuple[Expansion, CommitView] | None:
        """One commit under the policy that counted for it; None where none did."""
        return _Look(self, self.board.desk.world.store.commit(oid)).judged()

    def law(self, oid: ObjectId) -> Law | None:
        """That policy, and where it stands; None where none counted."""
        return _Look(self, self.board.desk.world.store.commit(oid)).law

    def step(self, oid: ObjectId) -> Segment:
        """The first-parent step that brought a commit."""
        world, chain = self.board.desk.world, self._chain
        number = self._place.get(oid)
        if number is None:
            # The oldest of the line that reaches it; the newest does.
            low, high = 0, len(chain) - 1
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if is_ancestor(world.store, oid, chain[middle]) else (low, middle - 1)
            number = low
        base = chain[number + 1] if number + 1 < len(chain) else None
        return next(segments(world, base, chain[number], base))

    def before(self, oid: ObjectId) -> bool:
        """Whether a commit that changes state documents lies before the introduction."""
        return oid in self._older

    @cached_property
    def _chain(self) -> tuple[ObjectId, ...]:
        told = git(self.board.desk.folder, "rev-list", "--first-parent", self.board.tip, environ=_RAW)
        return tuple(ObjectId(line) for line in told.split())

    @cached_property
    def _place(self) -> Mapping[ObjectId, int]:
        return {oid: number for number, oid in enumerate(self._chain)}

    @cached_property
    def _older(self) -> frozenset[ObjectId]:
        introduction = self.board.desk.world.introduction
        if introduction is None:
            return frozenset(self.commits)
        return frozenset(self.changing(introduction, self._paths())) - {introduction}

    def changing(self, tip: ObjectId, paths: tuple[bytes, ...], most: int | None = None) -> tuple[ObjectId, ...]:
        """The commits that a tip reaches and that change some paths, children first; all where no path is given."""
        words = ("rev-list", "--full-history", "--date-order", *([f"--max-count={most}"] if most else []))
        told = git(self.board.desk.folder, *words, tip, "--", *paths, environ=_RAW)
        return tuple(ObjectId(line) for line in told.split())

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


def witnesses_of(board: Board) -> Witnesses:
    """The receipts that a clone has of its board's branch."""
    tip = resolve(board.desk.location, RECEIPTS)[1]
    past = History(board=board)

    def policies() -> Iterator[ObjectId]:
        yield board.tip
        yield from past.changing(board.tip, (b":(literal)" + SIGNERS_FILE,))

    return Witnesses(board.desk.world, board.branch, board.policy.guard.repository, tip, policies)


def signing_acts(board: Board, task: Task) -> tuple[Act | None, Act | None]:
    """The newest claim of a task, and the hand-in that followed it; None for what has not happened, or is not to be seen."""
    if not any(entry.get("to") == "in_progress" for entry in task.entries("state_transitions")):
        return None, None  # no walk through a history that holds none
    handed_in: Act | None = None
    for act in History(board=board).acts(task.id):
        move = (act.source, act.target)
        if handed_in is None and act.source == "in_progress" and act.target in {"to_be_tested", "done"}:
            handed_in = act
        if move == ("todo", "in_progress"):
            return act, handed_in
    return None, handed_in


class _Look:
    """One commit against its parents; who made it is asked only where it moved something."""

    def __init__(self, history: History, commit: Commit) -> None:
        self._history, self._commit = history, commit
        self._board, self._world = history.board, history.board.desk.world

    def acts(self, wanted: TaskId | None) -> Iterator[Act]:
        """What the commit did, to one task or to all."""
        if wanted is not None and not self._touches(wanted):
            return
        policy = self._policy
        judged: tuple[Expansion, CommitView] | None
        if policy is None:
            judged = self._expansion, self._expansion.view(self._board.policy, Attribution())
        else:
            judged = self.judged() if self._may_do_something(policy) else None
        for act in acts(*judged) if judged is not None else ():
            if wanted is None or act.task == wanted:
                yield self._timed(replace(act, judged=policy is not None))

    def _timed(self, act: Act) -> Act:
        return act if self._witness is None else replace(act, at=self._witness.at, receipt=self._witness.number)

    def judged(self) -> tuple[Expansion, CommitView] | None:
        """The commit under the first policy that counted for it, as the judge sees it; None where none did."""
        policy = self._policy
        if policy is None:
            return None
        view = introduction_view(self._expansion) if self._introduces else None
        if view is None:
            view = self._expansion.view(policy, self._expansion.attribution(policy, self._revoked(policy)))
        return self._expansion, view

    def _touches(self, name: TaskId) -> bool:
        """Whether the commit did something to a task: not where a parent has it just so."""
        snapshot, store = self._world.snapshot, self._world.store
        after = snapshot(self._commit.tree, self._board.files).record(name)
        trees = [store.commit(parent).tree for parent in self._commit.parents]
        sides = [snapshot(tree, self._board.files).record(name) for tree in trees] or [None]
        return not any(_same(side, after) for side in sides)

    def _may_do_something(self, policy: Policy) -> bool:
        """Whether it is worth while to ask who made it."""
        if self._world.trailers(self._commit).values(MIGRATE):
            return True
        return any(True for _ in acts(self._expansion, self._expansion.view(policy, Attribution())))

    @cached_property
    def _witness(self) -> Witness | None:
        return self._history.witness(self._commit.id)

    @property
    def _introduces(self) -> bool:
        return self._commit.id == self._world.introduction

    @property
    def _policy(self) -> Policy | None:
        return self.law.policy if self.law is not None else None

    @cached_property
    def law(self) -> Law | None:
        """The first policy that counted for the commit: of its parents, else of the branch that it came to."""
        world, commit = self._world, self._commit
        if self._introduces:
            return self._law(commit.id, "")
        for number, parent in enumerate(commit.parents):
            # A commit without a policy is asked for no ancestors: those of them that lie before the introduction are many.
            if world.trust_ids(parent)[0] is not None and world.rooted(parent):
                return self._law(parent, parent_of(commit, number))
        base = None if self._history.before(commit.id) else self._history.step(commit.id).base
        if base is None or world.trust_ids(base)[0] is None or not world.rooted(base):
            return None
        return self._law(base, None)

    def _law(self, oid: ObjectId, beside: str | None) -> Law | None:
        policy = self._world.own_policy(oid)
        return Law(commit=oid, beside=beside, policy=policy) if policy is not None else None

    @cached_property
    def _expansion(self) -> Expansion:
        commit = self._commit
        base = commit.parents[0] if commit.parents else None
        step = Segment(base=base, tip=commit.id, new=(commit.id,), with_base=frozenset({commit.id}))
        # A key that has run out since was good when it signed.
        now = commit.committer_time if self._witness is None else self._witness.at
        return Expansion(self._world, commit, step, now)

    def _revoked(self, policy: Policy) -> Callable[[KeyBlob], bool]:
        def revoked(key: KeyBlob) -> bool:
            if key in policy.revoked or key not in self._board.policy.revoked:
                return key in policy.revoked  # the list only grows
            return Revocations(self._world, self._history.step(self._commit.id)).revoked(self._commit, key)

        return revoked


def parent_of(commit: Commit, number: int) -> str:
    """What names a parent, counted from 0, behind the commit's own name."""
    return "^" if len(commit.parents) == 1 else f"^{number + 1}"


def _same(one: Record | None, other: Record | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.raw == other.raw
