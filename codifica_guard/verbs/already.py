"""The end of a verb that finds nothing to do, because what was asked for is so already."""

from codifica_guard.model.document import Task
from codifica_guard.verbs.seat import Seat


class Already(Exception):
    """What was asked for is so already; nothing has changed, and nothing is wrong.

    Attributes:
        seat: where that was seen.
        task: the task.
        text: what is so, on one line.
    """

    def __init__(self, seat: Seat, task: Task, text: str) -> None:
        super().__init__(text)
        self.seat, self.task, self.text = seat, task, text
