"""Steps that people's commits made and no entry records: found in the history, so that somebody may record them later."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from codifica_guard.model.act import BORN, Act
from codifica_guard.model.document import Task
from codifica_guard.model.ids import TaskId
from codifica_guard.packs.codifica.vocabulary import TABLE
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.history import History


@dataclass(slots=True)
class _Chain:
    """The steps of one task, newest first, until one leads on from its last entry.

    Attributes:
        last: the state that its last entry leads to; None where it has none.
        expected: the state that the next older step has to lead to.
        steps: those that were found.
    """

    last: str | None
    expected: str | None
    steps: list[Act] = field(default_factory=list)

    def feed(self, step: Act) -> tuple[Act, ...] | None:
        """Take an older step: all of them, oldest first, once the chain is whole; empty where it cannot be; else None."""
        old = not step.judged or step.source == BORN
        if old and self.last is None:
            return tuple(reversed(self.steps))
        if old or step.actor is None or step.target != self.expected or (step.source, step.target) not in TABLE:
            return ()
        self.steps.append(step)
        self.expected = step.source
        return tuple(reversed(self.steps)) if step.source == self.last else None


@dataclass(frozen=True, kw_only=True)
class Unrecorded:
    """What the tasks of a board lack in their records, as far as the history tells.

    Only what was done under the guard, and proven, is told: older records are nobody's to complete.
    """

    board: Board

    def steps(self, task: Task) -> tuple[Act, ...]:
        """The steps behind a task's last entry that led it to its state, oldest first; empty where that is not told."""
        return self._found.get(task.id, ())

    def undated(self, task: Task) -> bool:
        """Whether a closed task does not say when, although the guard was there when it was closed."""
        return task.state in {"done", "rejected"} and not task.text("completed_at") and not self._stood_so(task)

    @cached_property
    def _found(self) -> Mapping[TaskId, tuple[Act, ...]]:
        waiting: dict[TaskId, _Chain] = {}
        for name, records in self.board.snapshot.records.items():
            task = records[0].task() if len(records) == 1 else None
            if task is not None and recorded_state(task) != task.state and not self._stood_so(task):
                waiting[name] = _Chain(last=recorded_state(task), expected=task.state)
        found: dict[TaskId, tuple[Act, ...]] = {}
        # One walk for all of them, and none where there are none.
        for step in History(board=self.board).acts() if waiting else ():
            chain = waiting.get(step.task)
            if chain is None or step.source == step.target:
                continue
            whole = chain.feed(step)
            if whole is not None:
                found[step.task] = whole
                del waiting[step.task]
                if not waiting:
                    break
        return found

    def _stood_so(self, task: Task) -> bool:
        """Whether the guard found a task as it is: the same state, and the same entries."""
        world = self.board.desk.world
        if world.introduction is None:
            return True
        tree = world.store.commit(world.introduction).tree
        before = world.snapshot(tree, self.board.files).task(task.id)
        return before is not None and (before.state, before.entries("state_transitions")) == (
            task.state,
            task.entries("state_transitions"),
        )


def recorded_state(task: Task) -> str | None:
    """The state that a task's last entry leads to; None where it has no entries."""
    entries = task.entries("state_transitions")
    to = entries[-1].get("to") if entries else None
    return to if isinstance(to, str) else None
