"""The tasks of the coordination branch at one tip, with the policy that counts there."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from codifica_guard.clone.desk import Desk
from codifica_guard.engine.past import introduction_behind, last_change
from codifica_guard.engine.world import StateFiles, state_files
from codifica_guard.errors import UsageError
from codifica_guard.git.refs import resolve
from codifica_guard.model.document import Fault, Task
from codifica_guard.model.ids import ObjectId, RefName, TaskId, short
from codifica_guard.model.policy import CodificaConfig, Policy
from codifica_guard.model.times import show_time, stamp
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import edit
from codifica_guard.rules.snapshot import Record, Snapshot
from codifica_guard.verbs.ages import ago
from codifica_guard.verbs.remote import fetched_at, is_there, short_name
from codifica_guard.verbs.stopped import CANNOT_TELL, Stopped


@dataclass(frozen=True, kw_only=True)
class Board:
    """What one tip of the coordination branch says.

    Attributes:
        desk: the clone.
        branch: the coordination branch.
        tip: its tip: the remote's as last fetched, or the clone's own where there is no remote.
        shared: whether it is the remote's.
        policy: the policy in it.
        now: the clock, seconds since the epoch.
    """

    desk: Desk
    branch: RefName
    tip: ObjectId
    shared: bool
    policy: Policy
    now: int

    @property
    def name(self) -> str:
        """The branch for people."""
        return short_name(self.branch)

    @property
    def ref(self) -> str:
        """What git calls the tip here: `origin/main`, or `main`."""
        return f"{self.desk.remote}/{self.name}" if self.shared else self.name

    @property
    def codifica(self) -> CodificaConfig:
        """`codifica.json` of the policy.

        Raises:
            UsageError: it is missing, or cannot be taken.
        """
        if self.policy.codifica is None:
            raise UsageError(f"codifica.json is missing on {self.ref}, or cannot be taken: git codifica check HEAD")
        return self.policy.codifica

    @cached_property
    def files(self) -> StateFiles:
        """Which paths are state documents."""
        return state_files((self.policy,))

    @cached_property
    def snapshot(self) -> Snapshot:
        """All state documents."""
        return self.desk.world.snapshot(self.desk.world.store.commit(self.tip).tree, self.files)

    @cached_property
    def unreadable(self) -> str | None:
        """The first state document that cannot be split into tasks, and why; None where all can."""
        for path, document in self.snapshot.documents.items():
            if not document.splittable:
                fault = document.faults[0] if document.faults else None
                why = (
                    f"{fault.code} {plain(os.fsdecode(path))}:{fault.line} {plain(fault.found)}"
                    if fault
                    else plain(os.fsdecode(path))
                )
                return f"a state document cannot be read: {why}"
        return None

    def record(self, name: str) -> Record:
        """The one record of an id, blanks around it trimmed.

        Raises:
            UsageError: there is none; the text names the three nearest.
            Stopped: there are several.
        """
        wanted = TaskId(name.strip())
        found = self.snapshot.records.get(wanted, ())
        if not found and self.unreadable is not None:
            text = f"whether there is a task {plain(wanted)} on {self.ref} cannot be told: {self.unreadable}"
            raise Stopped(text, exit=CANNOT_TELL, as_of=self.as_of)
        if not found:
            near = get_close_matches(wanted.upper(), {t.upper(): t for t in self.snapshot.records}, n=3, cutoff=0.4)
            real = {t.upper(): t for t in self.snapshot.records}
            hint = f"; the nearest: {', '.join(plain(real[n]) for n in near)}" if near else ""
            raise UsageError(f"there is no task {plain(wanted)} on {self.ref}{hint}")
        if len(found) > 1:
            places = ", ".join(f"{plain(os.fsdecode(r.path))}:{r.line}" for r in found)
            raise Stopped(f"{plain(wanted)} stands there more than once: {places}; a human gives one another id")
        return found[0]

    def task(self, name: str) -> Task:
        """The task of an id.

        Raises:
            UsageError: there is none.
            Stopped: it cannot be read; the text says where and why.
        """
        record = self.record(name)
        read = record.read()
        if isinstance(read, Fault):
            place = f"{plain(os.fsdecode(record.path))}:{record.line + read.line - 1}"
            mends = f"a human mends it: {edit(record.block.id)}"
            raise Stopped(f"{plain(record.block.id)} cannot be read: {read.code} {place} {plain(read.found)}; {mends}")
        return read

    def silent_since(self, task: TaskId) -> int | None:
        """When a commit last changed a task, seconds since the epoch; None where the history does not say."""
        found = self.changed_in(task)
        return None if found is None else self.desk.world.store.commit(found).committer_time

    def changed_in(self, task: TaskId) -> ObjectId | None:
        """The commit that last changed a task; None where the history does not say."""
        return last_change(self.desk.world, self.tip, self.files, task)

    @cached_property
    def fetched(self) -> float | None:
        """When the tip was fetched; None for a clone's own branch, and where that is not known."""
        return fetched_at(self.desk) if self.shared else None

    @property
    def as_of(self) -> Mapping[str, str | None]:
        """The tip and its age, for programs."""
        return {"commit": self.tip.decode("ascii"), "fetched": None if self.fetched is None else stamp(self.fetched)}

    @property
    def headline(self) -> str:
        """The tip and its age, for people: `main 8c1d02e, fetched 2 min ago`."""
        if not self.shared:
            return f"{self.name} {short(self.tip)}, no remote"
        age = "not fetched yet" if self.fetched is None else f"fetched {ago(self.now - self.fetched)}"
        return f"{self.name} {short(self.tip)}, {age}"

    @property
    def repository(self) -> str:
        """A name for the repository, fit for a folder's."""
        return self.desk.name


def board_at(desk: Desk, *, local: bool = False) -> Board:
    """The board of a clone as it was last fetched.

    Args:
        desk: the clone.
        local: the clone's own branch, even where there is a remote.

    Raises:
        UsageError: there is no policy, or no such branch.
    """
    desk.needs_policy()
    branch = desk.coordination
    shared = not local and is_there(desk)
    ref = b"refs/remotes/" + os.fsencode(desk.remote) + b"/" + branch[len(b"refs/heads/") :] if shared else branch
    tip = resolve(desk.location, ref)[1]
    if tip is None:
        name = short_name(branch)
        raise UsageError(
            f"{desk.remote} has no {name}, as last fetched: git fetch {desk.remote}"
            if shared
            else f"there is no branch {name} here: git branch {name} {desk.remote}/{name}"
        )
    if desk.world.introduction is None:
        desk.world.introduction = introduction_behind(desk.world, tip)
    policy = desk.world.policy(tip)
    if policy is None:
        raise UsageError(_no_policy(desk, branch, tip, shared=shared))
    return Board(desk=desk, branch=branch, tip=tip, shared=shared, policy=policy, now=desk.now)


def _no_policy(desk: Desk, branch: RefName, tip: ObjectId, *, shared: bool) -> str:
    name = short_name(branch)
    if shared:
        return f"{desk.remote}/{name} has no policy yet: git push {desk.remote} {name}"
    if desk.tracked(branch) != tip:
        return f"{name} has no policy yet, and lacks what {desk.remote}/{name} has: git switch {name} && git pull"
    return f"{name} has no policy yet: git codifica init"


def since(board: Board, seconds: float | None) -> str:
    """How long ago, for people; a time that is not known is `some time ago`."""
    return (
        "some time ago" if seconds is None else ago(board.now - seconds) if seconds <= board.now else show_time(seconds)
    )
