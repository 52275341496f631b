"""Closing a task by its owner."""

from codifica_guard.errors import UsageError
from codifica_guard.model.document import Task
from codifica_guard.packs.codifica.vocabulary import follows_build
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import CLAIM_NEXT, approve, done, done_at_once, submit
from codifica_guard.verbs import moves
from codifica_guard.verbs.act import needs_other, wrong_state
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.deciding import may_close
from codifica_guard.verbs.handing import HandIn
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.owning import begin, check_owner
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
        check_owner(seat, task, "approve")
        if task.state == "done":
            raise Already(seat, task, f"{ident} is done already")
        if task.state == "in_progress":
            return self._at_once(seat, task)
        if task.state != "to_be_tested":
            fits = ("to_be_tested",) if follows_build(task, seat.board.codifica) else ("in_progress", "to_be_tested")
            raise wrong_state(seat, task, fits, begin(seat, task), "nothing was handed in")
        if self.hand_in is not None:
            raise UsageError(f"--summary belongs to the hand-in, and {ident} is handed in: {done(task.id)}")
        if seat.is_agent and not may_close(seat.board, task):
            why = (
                "a human judges a review" if task.type == "review" else "so a human approves it (self_approval: refuse)"
            )
            raise needs_other(seat, f"{ident} is yours, {why}", (CLAIM_NEXT,), _who_may(seat, task))
        return moves.close(task, seat.hands(), None)

    def _at_once(self, seat: Seat, task: Task) -> Edit:
        if follows_build(task, seat.board.codifica):
            step = submit(task.id)
            text = f"{plain(task.id)} is in_progress: hand it in first\ndo: {step}"
            raise Stopped(text, next=(step,), as_of=seat.board.as_of, answer=True)
        if self.hand_in is None:
            raise UsageError(f"say what came of it: {done_at_once(task.id)}")
        return self.hand_in(seat, task)


def _who_may(seat: Seat, task: Task) -> tuple[str, str]:
    """Who closes what its agent may not, and how."""
    if seat.board.policy.guard.review_by == "owner":
        return "once a human's review is a pass", done(task.id)
    return "a human", approve(task.id)
