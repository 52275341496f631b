"""What only the owner of a task may do, and what everybody else is told."""

from codifica_guard.identity.allowed_signers import names, principals_of, valid_at
from codifica_guard.identity.attribute import GIT_NAMESPACE
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, is_human
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import CLAIM_NEXT, claim, show
from codifica_guard.verbs.act import held_by, last_step, needs_other
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.choice import hindrance, limit_of
from codifica_guard.verbs.deciding import COMMANDS, may_decide
from codifica_guard.verbs.seat import Seat


def check_owner(seat: Seat, task: Task, *people: str) -> None:
    """Nothing where the hand owns a task.

    Args:
        seat: where.
        task: the task.
        people: verbs that a human uses instead; told are those that fit the task's state.

    Raises:
        Stopped: somebody else owns it, or nobody does; exit code 6.
    """
    if owns(task.owner, seat.actor):
        return
    if is_human(seat.actor):
        fitting = (verb for verb in people if may_decide(seat.board, task, seat.actor, verb))
        steps = (*(COMMANDS[verb](task.id) for verb in fitting), show(task.id))
    else:
        free = task.owner == UNASSIGNED and task.state == "todo"
        steps = (claim(task.id) if free else CLAIM_NEXT,)
    text = f"{plain(task.id)} is not yours: owner {plain(task.owner or 'nobody')}; {last_step(seat.board, task)}"
    raise needs_other(seat, text, steps)


def begin(seat: Seat, task: Task) -> str:
    """What the owner of a task does that does not run: claim it where that is possible, else look at it."""
    free = task.state == "todo" and hindrance(seat.board, task, seat.actor) is None
    return claim(task.id) if free else show(task.id)


def reviewers(board: Board) -> tuple[Principal, ...]:
    """The humans whose key counts now, by name: they may approve and return."""
    found: set[Principal] = set()
    for line in board.policy.signers:
        signs = any(principals_of((line,), line.key, space) for space in (NAMESPACE, GIT_NAMESPACE))
        if signs and valid_at(line, board.now) and line.key not in board.policy.revoked:
            found.update(name for name in names(line) if is_human(name))
    return tuple(sorted(found))


def holding(seat: Seat, *, but: Task) -> str:
    """How many tasks the hand holds besides one, for people: `You hold 0 of 1 tasks.`."""
    held = sum(task.id != but.id for task in held_by(seat))
    limit = limit_of(seat.board, seat.actor)
    return f"You hold {held} task{'' if held == 1 else 's'}." if limit is None else f"You hold {held} of {limit} tasks."
