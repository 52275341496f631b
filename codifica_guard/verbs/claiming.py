"""Claiming a task: one that is named, or the best that is free."""

import random
import time
from collections.abc import Mapping
from typing import Final

from codifica_guard.identity.tokens import new_token
from codifica_guard.model.document import Task
from codifica_guard.model.ids import TaskId, is_agent, is_human
from codifica_guard.packs.codifica.choosing import unmet
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import CLAIM_NEXT, READY, reclaim, resume, show, submit
from codifica_guard.rules.fence import latest_start, session_of
from codifica_guard.verbs import moves
from codifica_guard.verbs.account import request_of
from codifica_guard.verbs.act import (
    FREE_SHOWN,
    free_list,
    held_by,
    holds_token,
    last_step,
    needs_other,
    propose,
    resume_from,
    resume_told,
)
from codifica_guard.verbs.already import Already
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.choice import hindrance, lacks_criteria, limit_of, own_hindrance
from codifica_guard.verbs.landing import Landed, land
from codifica_guard.verbs.resuming import own_session
from codifica_guard.verbs.seat import How, Proposal, Seat, session_name
from codifica_guard.verbs.stopped import CANNOT_TELL, LOST, NOTHING, REFUSED, Stopped

_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 30.0
"""Seconds between two looks for a task that becomes free, before chance."""


class Claim:
    """A plan that claims a task for the hand, with a fresh writer token for an agent.

    Attributes:
        session: the session that claims.
        first: what the first try wanted to claim.
        passed: tasks that were free, but by a rule cannot be claimed as they are, and the rules' codes.
    """

    def __init__(self, name: str | None, reason: str | None) -> None:
        """Keep what was typed.

        Args:
            name: the task's id; None takes the best that is free, on each try.
            reason: why, in the entry.
        """
        self._name, self._reason = name, reason or "Starting work"
        self.session = own_session()
        self.first: TaskId | None = None
        self.passed: dict[TaskId, str] = {}
        self._last: TaskId | None = None

    def __call__(self, seat: Seat) -> Proposal:
        """What to commit.

        Raises:
            Already: this session has the task.
            Stopped: there is none to claim.
        """
        _check_listed(seat)
        if self._name is None:
            _check_limit(seat, go_on=True)
            task = _best(seat, self.passed)
            self._last = task.id
        else:
            task = _named(seat, self._name)
            _check_limit(seat, go_on=False)
        self.first = self.first or task.id
        token = new_token() if seat.is_agent else None
        line = token.public_line if token is not None else None
        return propose(seat, task, moves.claim(task, seat.hands(self.session), line, self._reason), "claim", token)

    def passes_over(self, stopped: Stopped) -> bool:
        """Whether the task that was the best is to be passed over: it is faulty, and stops nobody from taking the next."""
        codes = dict.fromkeys(f.code for f in stopped.findings if f.task == self._last)
        if self._last is None or stopped.exit != REFUSED or not codes or self._last in self.passed:
            return False
        self.passed[self._last] = " ".join(codes)
        return True


def claim(how: How, plan: Claim, wait: float = 0) -> Landed:
    """Claim a task; where nothing is free, but something will be once others have ended theirs, wait for that.

    Args:
        how: the options.
        plan: what to claim.
        wait: seconds to wait at most.

    Raises:
        Already: this session has the task.
        Stopped: there is none to claim.
    """
    until, pause = time.monotonic() + wait, _FIRST_PAUSE
    while True:
        try:
            return land(how, plan)
        except Stopped as stopped:
            if plan.passes_over(stopped):
                continue
            left = until - time.monotonic()
            if stopped.exit != NOTHING or not stopped.data["waiting"] or left <= 0:
                raise
        time.sleep(min(left, pause * random.uniform(0.5, 1.5)))  # noqa: S311 - spreads looks, guards nothing
        pause = min(_LONGEST_PAUSE, pause * 1.5)


def _best(seat: Seat, passed: Mapping[TaskId, str]) -> Task:
    board = seat.board
    free = [task for task in free_list(seat) if task.id not in passed]
    if free:
        return free[0]
    fault = board.unreadable
    if fault is not None:
        raise Stopped(f"what is free cannot be told: {fault}", exit=CANNOT_TELL, as_of=board.as_of)
    waiting = tuple(task.id for _, task in board.snapshot.in_state("todo") if _comes(board, task, seat))
    text = f"nothing is free for you now; what waits, and why: {READY}"
    if passed:
        text += "\npassed over: " + ", ".join(f"{plain(name)} ({codes})" for name, codes in passed.items())
    if waiting:
        shown = ", ".join(map(plain, waiting[:FREE_SHOWN])) + (" ..." if len(waiting) > FREE_SHOWN else "")
        text += f"\n{shown} will be, once what {'they need' if len(waiting) > 1 else 'it needs'} is done"
    raise Stopped(
        text,
        exit=NOTHING,
        next=(READY,),
        data={"task": None, "owner": None, "state": None, "free": [], "waiting": list(waiting)},
        as_of=board.as_of,
        answer=True,
    )


def _comes(board: Board, task: Task, seat: Seat) -> bool:
    """Whether a task in todo becomes free for the hand once everybody has done what is begun, or can be begun now."""
    if own_hindrance(board, task, seat.actor) is not None or board.snapshot.circles.way(task.id):
        return False
    seen: set[str] = set()
    queue = [task]
    while queue:
        for name in unmet(queue.pop(), board.snapshot):
            other = board.snapshot.task(TaskId(name))
            if other is None or other.state not in {"todo", "in_progress", "to_be_tested"}:
                return False
            if other.state == "todo" and name not in seen:
                if lacks_criteria(board, other):
                    return False
                if board.snapshot.circles.way(TaskId(name)):
                    return False
                queue.append(other)
            seen.add(name)
    return True


def _named(seat: Seat, name: str) -> Task:
    """The task of an id, if it can be claimed.

    Raises:
        Already: this session has it.
        Stopped: it cannot be.
    """
    task = seat.board.task(name)
    if _is_ours(seat, task):
        raise _already(seat, task)
    if task.state in {"in_progress", "to_be_tested", "done"}:
        raise lost(seat, task)
    if task.state != "todo":
        text = f"{plain(task.id)} is {plain(task.state or 'without state')}: {last_step(seat.board, task)}"
        raise needs_other(seat, text, (CLAIM_NEXT,))
    why = hindrance(seat.board, task, seat.actor)
    if why is None:
        return task
    text = f"{plain(task.id)} is not for you now: {why}"
    if not (task.owner == UNASSIGNED or owns(task.owner, seat.actor)) or task.type == "review":
        raise needs_other(seat, text, (CLAIM_NEXT,))
    raise Stopped(f"{text}\ndo: {CLAIM_NEXT}", exit=REFUSED, next=(CLAIM_NEXT,), as_of=seat.board.as_of, answer=True)


def _is_ours(seat: Seat, task: Task) -> bool:
    """Whether a running task is claimed by this very session, before this verb began.

    A token at hand is not enough: twin sessions of one agent may share a folder of tokens. And what was still free on an
    earlier try of this verb has been claimed by somebody else.
    """
    if seat.attempt > 1 or task.state != "in_progress" or not owns(task.owner, seat.actor):
        return False
    if is_human(seat.actor):
        return True
    session = session_name()
    entry = latest_start(task.entries("state_transitions"))
    return session is not None and session == session_of(entry) and holds_token(seat, task)


def _already(seat: Seat, task: Task) -> Already:
    session = session_of(latest_start(task.entries("state_transitions")))
    return Already(seat, task, f"you hold it already{f', session {plain(session)}' if session else ''}: go on")


def lost(seat: Seat, task: Task) -> Stopped:
    """The end of a claim whose task somebody else has: who, since when, and what is free instead."""
    free = free_list(seat, but=task.id)
    shown = ", ".join(f"{plain(t.id)} {plain(t.text('priority') or 'normal')}" for t in free[:FREE_SHOWN])
    lines = [
        f"lost {plain(task.id)}: {last_step(seat.board, task)}. Nothing of yours changed.",
        f"free for you: {shown or 'nothing right now'}",
    ]
    steps = [CLAIM_NEXT]
    if task.state == "in_progress" and owns(task.owner, seat.actor) and is_agent(seat.actor):
        if holds_token(seat, task):
            lines.append("if that was you: go on, its token is at hand")
        else:
            step, told = _way_back(seat, task)
            steps += [step] if step else []
            lines.append(f"if that was you and the token is gone: {told}")
    lines.append(f"next: {CLAIM_NEXT}")
    return Stopped(
        "\n".join(lines),
        exit=LOST,
        next=tuple(steps),
        data={
            "task": task.id,
            "owner": task.owner,
            "state": task.state,
            "free": [t.id for t in free],
            "waiting": [],
        },
        as_of=seat.board.as_of,
        answer=True,
    )


def _way_back(seat: Seat, task: Task) -> tuple[str | None, str]:
    """How the hand gets its own claim back whose token is gone: the command where that is possible now, and what is told."""
    start = resume_from(seat.board, task)
    if start is None:
        return None, f"a human: {reclaim(task.id, seat.actor)}"
    if start > seat.board.now:
        return None, f"{resume(task.id)}   ({resume_told(seat.board, start)})"
    return resume(task.id), resume(task.id)


def _check_listed(seat: Seat) -> None:
    """Nothing where `allowed_agents` lets the hand touch tasks."""
    allowed = seat.board.codifica.allowed_agents
    if seat.is_agent and allowed and seat.actor not in allowed:
        text = f"{seat.actor} is not in allowed_agents of codifica.json: it may claim no task; a maintainer can add it"
        raise needs_other(seat, text, (READY,))


def _check_limit(seat: Seat, *, go_on: bool) -> None:
    """Nothing where the hand may hold one more task.

    Args:
        seat: where.
        go_on: whether a task that this session holds will do, too.

    Raises:
        Already: it will.
        Stopped: the hand holds as many as it may.
    """
    limit, held = limit_of(seat.board, seat.actor), held_by(seat)
    if limit is None or len(held) < limit:
        return
    asked = [task for task in held if request_of(task) is not None]
    free = [task for task in held if task not in asked]
    mine = next((task for task in free if _is_ours(seat, task)), None)
    if go_on and mine is not None:
        raise _already(seat, mine)
    shown = ", ".join(plain(t.id) + (" (waits for a human)" if t in asked else "") for t in held)
    text = f"you hold {len(held)} of {limit} tasks: {shown}"
    if not free:
        raise needs_other(seat, f"{text}; nothing more before a human answers", (show(held[0].id),))
    first = next((task for task in free if holds_token(seat, task)), None)
    if first is not None:
        step = submit(first.id)
        text += ". Hand one in first"
    else:
        found, told = _way_back(seat, free[0])
        step = found or show(free[0].id)
        text += f", in other sessions. If those are gone{'' if found else f': {told}'}"
    raise Stopped(f"{text}\ndo: {step}", exit=REFUSED, next=(step,), as_of=seat.board.as_of, answer=True)
