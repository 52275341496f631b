"""What rules are given: a ref update, a commit, a task's change, a merge. Frozen, complete, without the clock."""

from collections.abc import Callable, Mapping
from functools import cached_property

from codifica_guard.model.commit import MIGRATE, Commit, Entry, Trailers
from codifica_guard.model.document import Fault, Task
from codifica_guard.model.identity import Attribution
from codifica_guard.model.ids import ObjectId, Principal, RefName, RepoPath, TaskId, is_agent, is_human
from codifica_guard.model.policy import CodificaConfig, Policy
from codifica_guard.model.value import EMPTY, value
from codifica_guard.rules.snapshot import Record, Snapshot


@value
class RefView:
    """One ref update.

    Attributes:
        ref: the ref, symbolic refs resolved.
        name: the ref as the client named it.
        old, new: tips; None where there is none.
        coordination: whether it is the coordination branch.
        judged: whether its commits are judged.
        rewound: whether the new tip does not descend from the old one.
        unrooted: whether it ought to descend from the introduction and does not.
        secrets: places of writer tokens in messages and added files.
        created: whether the update makes the ref.
        deleted: whether it takes the ref away.
        policy: the policy at the coordination branch's tip before the push; None where nobody asked.
        maker: who is proven to have made the newest signed commit of those that only this ref brings; None for nobody.
        states: the tasks at the ref's new tip, and at the coordination branch's tip before the push.
    """

    ref: RefName
    name: RefName
    old: ObjectId | None
    new: ObjectId | None
    coordination: bool
    judged: bool
    rewound: bool = False
    unrooted: bool = False
    secrets: tuple[tuple[ObjectId, RepoPath | None], ...] = ()
    created: bool = False
    deleted: bool = False
    policy: Policy | None = None
    maker: Callable[[], Principal | None] = lambda: None
    states: Callable[[], tuple[Snapshot, ...]] = tuple


@value(slots=False)
class TaskChange:
    """One task before and after one commit.

    Attributes:
        id: its id.
        before, after: its records; None where absent.
    """

    id: TaskId
    before: Record | None
    after: Record | None

    @cached_property
    def old(self) -> Task | None:
        """The task before; None where absent or unreadable."""
        return self.before.task() if self.before else None

    @cached_property
    def new(self) -> Task | None:
        """The task after; None where absent or unreadable."""
        return self.after.task() if self.after else None

    @cached_property
    def fault(self) -> Fault | None:
        """Why the task cannot be read after the commit."""
        read = self.after.read() if self.after else None
        return read if isinstance(read, Fault) else None

    @property
    def born(self) -> bool:
        """Whether the commit added the task."""
        return self.before is None and self.after is not None

    @property
    def gone(self) -> bool:
        """Whether the commit took the task away."""
        return self.before is not None and self.after is None

    @property
    def edited(self) -> bool:
        """Whether its bytes changed."""
        return self.before is not None and self.after is not None and self.before.raw != self.after.raw

    @property
    def moved(self) -> bool:
        """Whether it went to another document."""
        return self.before is not None and self.after is not None and self.before.path != self.after.path

    @cached_property
    def both(self) -> tuple[Task, Task] | None:
        """The task before and after, where both can be read."""
        return (self.old, self.new) if self.old is not None and self.new is not None else None

    @cached_property
    def transition(self) -> tuple[str, str] | None:
        """From and to, where the state changed; both sides readable."""
        pair = self.both
        if pair is None or pair[0].state is None or pair[1].state is None or pair[0].state == pair[1].state:
            return None
        return pair[0].state, pair[1].state

    def changed(self, name: str) -> bool:
        """Whether a field differs; both sides readable."""
        pair = self.both
        return pair is not None and pair[0].data.get(name) != pair[1].data.get(name)

    def added(self, name: str) -> tuple[object, ...]:
        """New entries at the end of a list field.

        Empty where the old list is no prefix of the new one, and where the task could not be read before: nobody knows
        then which of its entries are new, and whoever mends it did not write them.
        """
        if self.before is not None and self.old is None:
            return ()
        old = (self.old.data.get(name) if self.old else None) or []
        new = (self.new.data.get(name) if self.new else None) or []
        if not isinstance(old, list) or not isinstance(new, list) or new[: len(old)] != old:
            return ()
        return tuple(new[len(old) :])

    def new_entries(self, name: str) -> tuple[Mapping[str, object], ...]:
        """The mappings among `added`."""
        return tuple(e for e in self.added(name) if isinstance(e, dict))

    @cached_property
    def is_claim(self) -> bool:
        """Whether it went from todo to in_progress."""
        return self.transition == ("todo", "in_progress")

    @cached_property
    def is_resume(self) -> bool:
        """Whether it stayed in_progress and got a new entry in_progress to in_progress."""
        pair = self.both
        if pair is None or pair[0].state != "in_progress" or pair[1].state != "in_progress":
            return False
        return any(e.get("to") == "in_progress" for e in self.new_entries("state_transitions"))

    @property
    def place(self) -> Record | None:
        """Where to point: the record after, else before."""
        return self.after or self.before

    def line_of(self, name: str) -> int | None:
        """Line in the document of a field after the commit, else of the task's head."""
        if self.after is None or self.new is None:
            return self.place.line if self.place else None
        return self.after.line + self.new.lines.get(name, 1) - 1


@value(slots=False)
class CommitView:
    """One commit against its parents, under one policy.

    Attributes:
        commit: the commit.
        trailers: the trailers of its message.
        attribution: who made it, under this policy.
        policy: the policy that it is judged under.
        own_policy: the policy of its own tree; only where trust files changed.
        introduces: whether it is the introduction.
        empty: whether its tree is that of each parent.
        parents: the parents' state.
        before: state before: the one parent's, or nothing.
        after: state after.
        changes: tasks that differ from the one parent (a merge: from every parent), by place.
        frames: documents whose text outside tasks changed; a first block in an existing fence is no change.
        reordered: documents in which tasks that both sides hold have swapped.
        refenced: finished tasks that went alone, unchanged, to another fence of their document.
        born, gone: state documents that came and went.
        touched: state documents that changed in their mode, or that one side cannot be split into tasks.
        paths: changed leaves that are no state documents; a merge: those that are in no parent.
        trust: those of `paths` and of the state that carry trust.
        now: the server's clock, seconds since the epoch.
        beside: whether it sits on another protected branch and the coordination branch does not reach it.
        base: state at the branch's old tip, where the commit does not descend from that.
        exists: whether a path is in the commit's tree, or in another commit's.
        silent_since: when a task last changed, seconds since the epoch, looking back so many seconds: what lies longer ago is told as
            some time before; None where the history does not say.
        written_in: the commit that last changed a task at the branch's tip before the push.
        proves_writer: whether the writer key of a public line signed this commit's payload.
        human_act: why only a human may do what the commit does; None where an agent may, or where nobody asked.
    """

    commit: Commit
    trailers: Trailers
    attribution: Attribution
    policy: Policy
    own_policy: Policy | None
    parents: tuple[Snapshot, ...]
    before: Snapshot
    after: Snapshot
    changes: tuple[TaskChange, ...]
    now: int
    introduces: bool = False
    empty: bool = False
    frames: tuple[RepoPath, ...] = ()
    reordered: tuple[RepoPath, ...] = ()
    refenced: tuple[TaskId, ...] = ()
    born: tuple[RepoPath, ...] = ()
    gone: tuple[RepoPath, ...] = ()
    touched: tuple[RepoPath, ...] = ()
    paths: Mapping[RepoPath, tuple[Entry | None, Entry | None]] = EMPTY
    trust: tuple[RepoPath, ...] = ()
    beside: bool = False
    base: Snapshot | None = None
    human_act: str | None = None
    exists: Callable[[RepoPath, ObjectId | None], bool] = lambda _, __: False
    silent_since: Callable[[TaskId, int], int | None] = lambda _, __: None
    written_in: Callable[[TaskId], ObjectId | None] = lambda _: None
    proves_writer: Callable[[str], bool] = lambda _: False

    @property
    def actor(self) -> Principal | None:
        """The proven principal."""
        return self.attribution.actor

    @cached_property
    def by_human(self) -> bool:
        """Whether a human is proven."""
        return is_human(self.actor)

    @cached_property
    def by_agent(self) -> bool:
        """Whether an agent is proven."""
        return is_agent(self.actor)

    @property
    def maintained(self) -> bool:
        """Whether a maintainer of the policy is proven."""
        return self.by_human and self.actor in self.policy.guard.maintainers

    @property
    def is_merge(self) -> bool:
        """Whether it has several parents."""
        return len(self.commit.parents) > 1

    @property
    def codifica(self) -> CodificaConfig:
        """`codifica.json` of the policy; rules of the pack run only where it is there."""
        config = self.policy.codifica
        if config is None:
            raise AssertionError("a Codifica rule ran without codifica.json")
        return config

    @property
    def migration(self) -> str | None:
        """Why a maintainer migrates tasks by it, in his words; None where it is no migration: never a merge."""
        reasons = [reason for reason in self.trailers.values(MIGRATE) if reason]
        return reasons[0].decode("utf-8", "replace") if reasons and self.maintained and not self.is_merge else None

    @property
    def migrates(self) -> bool:
        """Whether a maintainer marked it as a migration."""
        return self.migration is not None

    @property
    def touches_state(self) -> bool:
        """Whether tasks or the text around them changed."""
        return bool(self.changes or self.frames or self.reordered or self.born or self.gone or self.touched)

    def follows_build(self, task: Task) -> bool:
        """Whether a task is of type build, or of a custom type, which follows build."""
        return task.type == "build" or task.type in self.codifica.custom_types


@value
class MergeItem:
    """One value that a merge brings together.

    Attributes:
        kind: `record`, `frame`, `trust` or `path`.
        name: the task's id, or the path as text.
        path: the document or the path.
        conflict: whether no side's value wins.
        twice: whether a task was born on several sides.
        clash: which fields of a task conflict; `state` stands for its whole life, `task` for its presence or place.
        together: what the sides of a task come to, field by field; None where one side's version goes on whole, or none does.
        sides: the parents' records, of a record; None where absent.
        own: the merge's record.
    """

    kind: str
    name: str
    path: RepoPath
    conflict: bool
    twice: bool = False
    clash: tuple[str, ...] = ()
    together: Mapping[str, object] | None = None
    sides: tuple[Record | None, ...] = ()
    own: Record | None = None

    @property
    def task(self) -> TaskId:
        """The task's id, of a record."""
        return TaskId(self.name)


@value
class MergeView:
    """One merge: what it decided, that no parent and no three-way merge gives.

    Attributes:
        commit: the merge, as a commit without changes of its own.
        decided: items whose value the merge chose itself.
    """

    commit: CommitView
    decided: tuple[MergeItem, ...]
