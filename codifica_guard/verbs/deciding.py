"""What people decide about tasks: from which states, and what somebody does instead who may not, or comes too late."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from codifica_guard.model.document import Task
from codifica_guard.model.ids import TaskId
from codifica_guard.packs.codifica.choosing import has_criteria, unmet
from codifica_guard.packs.codifica.history import review, review_counts
from codifica_guard.packs.codifica.vocabulary import STATES, owns
from codifica_guard.report.plain import plain
from codifica_guard.verbs.act import Change, needs_other, plan_of, wrong_state
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.seat import Plan, Seat
from codifica_guard.verbs.stopped import Stopped

CLAIM_NEXT: Final = "git codifica claim --next"

_NOTED: Final = frozenset(["in_progress", "to_be_tested"])
"""States in which the owner may write notes, and so ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One of people's verbs.

    Attributes:
        verb: what is typed.
        sources: the states that it leads from.
        ask: what an agent asks for that holds the task and wants this, as `note --ask` takes it; None where it cannot ask.
        by_owner: whether the owner may do it too, and under `review_by: owner` only the owner.
        instead: what to do in another state; `{id}` stands for the task.
    """

    verb: str
    sources: tuple[str, ...]
    ask: str | None = None
    by_owner: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)


_REOPEN: Final = "git codifica reopen {id} -m WHY"
_RETURN: Final = "git codifica return {id} -m WHY"
_RECLAIM: Final = "git codifica reclaim {id} -m WHY"
_UNBLOCK: Final = "git codifica unblock {id}"

DECISIONS: Final[Mapping[str, Decision]] = {
    row.verb: row
    for row in (
        Decision(
            verb="assign",
            sources=("todo", "blocked"),
            ask="release",
            instead={
                "in_progress": "git codifica reclaim {id} --for OWNER -m WHY",
                "to_be_tested": "git codifica return {id} --anyone -m WHY",
                "done": _REOPEN,
                "rejected": _REOPEN,
            },
        ),
        Decision(verb="approve", sources=("to_be_tested",), by_owner=True),
        Decision(
            verb="return",
            sources=("to_be_tested",),
            by_owner=True,
            instead={"in_progress": _RECLAIM, "done": _REOPEN, "rejected": _REOPEN, "blocked": _UNBLOCK},
        ),
        Decision(
            verb="block",
            sources=tuple(state for state in STATES if state != "blocked"),
            ask="block",
            instead={"blocked": _UNBLOCK},
        ),
        Decision(verb="unblock", sources=("blocked",)),
        Decision(
            verb="reject",
            sources=("todo", "in_progress", "blocked"),
            ask="change",
            instead={"to_be_tested": _RETURN, "done": _REOPEN},
        ),
        Decision(
            verb="reopen",
            sources=("done", "rejected"),
            instead={"to_be_tested": _RETURN, "blocked": _UNBLOCK, "in_progress": _RECLAIM},
        ),
        Decision(
            verb="reclaim",
            sources=("in_progress",),
            ask="release",
            instead={
                "todo": "git codifica assign {id} OWNER",
                "to_be_tested": "git codifica return {id} --anyone -m WHY",
                "blocked": "git codifica unblock {id} --to todo",
                "done": _REOPEN,
                "rejected": _REOPEN,
            },
        ),
    )
}
"""People's verbs about a task that is there, by name."""


def decision_plan(verb: str, name: str, change: Change) -> Plan:
    """A plan that makes one of people's decisions about one task.

    Args:
        verb: the verb; a key of `DECISIONS`.
        name: the task's id, as it was typed.
        change: how the task changes, once the decision is possible and the hand's.
    """
    decision = DECISIONS[verb]

    def decided(seat: Seat, task: Task) -> Edit:
        check_decision(seat, task, decision)
        return change(seat, task)

    return plan_of(name, verb, decided)


def check_decision(seat: Seat, task: Task, decision: Decision) -> None:
    """Nothing where the hand may decide so about the task as it is.

    Raises:
        Stopped: an agent asks (exit code 6, and what it may do), it is the owner's alone, or the state is another.
    """
    mine = owns(task.owner, seat.actor)
    if seat.is_agent and not (decision.verb == "return" and mine):
        raise needs_other(seat, f"only a human may {decision.verb}", _for_agents(seat, task, decision))
    if task.state not in decision.sources:
        raise _elsewhere(seat, task, decision)
    if decision.by_owner and not mine and seat.board.policy.guard.review_by == "owner":
        step = "git codifica done {id}" if decision.verb == "approve" else _RETURN
        text = f"review_by is owner: only {plain(task.owner or 'its owner')} may {decision.verb} {plain(task.id)}"
        raise needs_other(seat, text, (step.format(id=plain(task.id)),))


def _elsewhere(seat: Seat, task: Task, decision: Decision) -> Stopped:
    """The end of a decision about a task in another state: lost, if this clone knew it in one that fits."""
    before = seat.seen.snapshot.task(task.id) if seat.seen is not None else None
    fitted = before is not None and before.state in decision.sources
    step = decision.instead.get(task.state or "", "git codifica show {id}").format(id=plain(task.id))
    return wrong_state(seat if fitted else replace(seat, seen=None), task, " or ".join(decision.sources), (step,))


def _for_agents(seat: Seat, task: Task, decision: Decision) -> tuple[str, ...]:
    """What an agent does that typed a human's verb: ask, where it holds the task; else what it may do itself."""
    ident, mine = plain(task.id), owns(task.owner, seat.actor)
    if mine and decision.verb == "approve" and task.state == "to_be_tested" and may_close(seat.board, task):
        return (f"git codifica done {ident}",)
    if mine and decision.ask is not None and task.state in _NOTED:
        return (f'git codifica note {ident} --ask {decision.ask} "why"',)
    if decision.verb == "reopen" and task.state == "done":
        return (f'git codifica new --type followup --derived-from {ident} --title "..."', CLAIM_NEXT)
    return (CLAIM_NEXT,)


def may_close(board: Board, task: Task) -> bool:
    """Whether the agent that owns a handed-in task may close it itself: `self_approval`, and no review task."""
    if task.type == "review":
        return False
    build = task.type == "build" or task.type in board.codifica.custom_types
    passed = review(task).get("status") == "pass" and review_counts(task)
    return not build or passed or board.policy.guard.self_approval != "refuse"


def freed_by(board: Board, name: TaskId) -> tuple[TaskId, ...]:
    """The tasks in todo that can be claimed once this one is done, and not before."""
    found = []
    for _, task in board.snapshot.in_state("todo"):
        build = task.type == "build" or task.type in board.codifica.custom_types
        if set(unmet(task, board.snapshot)) == {name} and (has_criteria(task) or not build):
            found.append(task.id)
    return tuple(found)


def waiting_for(board: Board, name: TaskId) -> tuple[TaskId, ...]:
    """The tasks in todo that depend on this one."""
    return tuple(task.id for _, task in board.snapshot.in_state("todo") if name in task.texts("depends_on"))
