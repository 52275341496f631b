"""Circles in a graph of dependencies, found in time that grows with the graph, not with its square."""

from collections.abc import Callable, Iterator

from codifica_guard.model.ids import TaskId

Needs = Callable[[TaskId], tuple[TaskId, ...]]
"""What a task depends on; nothing for a task that is not there."""


class Circles:
    """Which tasks lie on a circle: strongly connected parts (Tarjan 1972), kept from one question to the next."""

    def __init__(self, needs: Needs) -> None:
        self._needs = needs
        self._number: dict[TaskId, int] = {}
        self._low: dict[TaskId, int] = {}
        self._open: list[TaskId] = []
        self._part: dict[TaskId, frozenset[TaskId]] = {}

    def around(self, task: TaskId) -> frozenset[TaskId]:
        """All tasks that a task depends on and that depend on it, itself too; empty where it is on no circle."""
        if task not in self._number:
            self._visit(task)
        part = self._part[task]
        return part if len(part) > 1 or task in self._needs(task) else frozenset()

    def way(self, task: TaskId) -> list[TaskId]:
        """The shortest way from a task along its dependencies back to itself; empty where there is none."""
        part = self.around(task)
        came: dict[TaskId, TaskId] = {}
        queue = [task] if part else []
        for here in queue:
            for there in self._needs(here):
                if there == task:
                    way = [here]
                    while way[-1] != task:
                        way.append(came[way[-1]])
                    return [*reversed(way), task]
                if there in part and there not in came:
                    came[there] = here
                    queue.append(there)
        return []

    def _visit(self, start: TaskId) -> None:
        """Number everything that can be reached from a start; a stack of our own, since circles may be long."""
        stack = [self._enter(start)]
        while stack:
            here, rest = stack[-1]
            there = next(rest, None)
            if there is None:
                stack.pop()
                self._leave(here)
                if stack:
                    above = stack[-1][0]
                    self._low[above] = min(self._low[above], self._low[here])
            elif there not in self._number:
                stack.append(self._enter(there))
            elif there not in self._part:
                self._low[here] = min(self._low[here], self._number[there])

    def _enter(self, task: TaskId) -> tuple[TaskId, Iterator[TaskId]]:
        self._number[task] = self._low[task] = len(self._number)
        self._open.append(task)
        return task, iter(self._needs(task))

    def _leave(self, task: TaskId) -> None:
        if self._low[task] == self._number[task]:
            at = len(self._open) - 1
            while self._open[at] != task:
                at -= 1
            part = frozenset(self._open[at:])
            del self._open[at:]
            self._part.update(dict.fromkeys(part, part))
