"""Closing a task by its owner."""

from codifica_guard.errors import UsageError
from codifica_guard.model.document import Task
from codifica_guard.report.plain import plain
from codifica_guard.verbs import moves
from codifica_guard.verbs.act import needs_other, wrong_state
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.deciding import may_close
from codifica_guard.verbs.handing import HandIn, follows_build
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.owning import check_owner
from codifica_guard.verbs.seat import Seat
from codifica_guard.verbs.stopped import Stopped


class Close:
    """How a task is closed; called with seat and task it says how the task changes.

    Attributes:
        hand_in: how it is handed in, for a task that is closed by that; None where no summary was given.
    """

    def __init__(self, hand_in: HandIn | None) -> None:
        """Keep what was typed."""
        self.hand_in = hand_in

    def __call__(self, seat: Seat, task: Task) -> Edit:
        """How it changes.

        Raises:
            Already: it is closed.
            UsageError: the summary is missing, or is one too many.
            Stopped: it cannot be closed so; the text says what to do.
        """
        ident = plain(task.id)
        check_owner(seat, task, "approve", "show")
        if task.state == "done":
            raise Already(seat, task, f"{ident} is done already")
        if task.state == "in_progress":
            return self._at_once(seat, task)
        if task.state != "to_be_tested":
            step = f"git codifica {'claim' if task.state == 'todo' else 'show'} {ident}"
            raise wrong_state(seat, task, "to_be_tested: nothing was handed in", (step,))
        if self.hand_in is not None:
            raise UsageError(f"--summary belongs to the hand-in, and {ident} is handed in: git codifica done {ident}")
        if seat.is_agent and not may_close(seat.board, task):
            step = f"git codifica approve {ident}"
            raise needs_other(seat, f"{ident} is yours, so a human approves it (self_approval: refuse)", (step,))
        return moves.close(task, seat.hands(), None)

    def _at_once(self, seat: Seat, task: Task) -> Edit:
        ident = plain(task.id)
        if follows_build(task, seat.board.codifica):
            step = f'git codifica submit {ident} --summary "..."'
            text = f"{ident} is in_progress: hand it in first\ndo: {step}"
            raise Stopped(text, next=(step,), as_of=seat.board.as_of, answer=True)
        if self.hand_in is None:
            raise UsageError(f'say what came of it: git codifica done {ident} --summary "..."')
        return self.hand_in(seat, task)
