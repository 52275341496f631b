"""What people decide about tasks: from which states, and what somebody does instead who may not, or comes too late."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, TaskId
from codifica_guard.packs.codifica.choosing import has_criteria, unmet
from codifica_guard.packs.codifica.history import review, review_counts
from codifica_guard.packs.codifica.vocabulary import STATES, follows_build, owns
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import (
    CLAIM_NEXT,
    OWNER,
    approve,
    ask,
    assign,
    block,
    done,
    followup,
    free,
    give_back,
    reclaim,
    reject,
    reopen,
    show,
    unblock,
)
from codifica_guard.verbs.act import Change, may_go_on, needs_other, plan_of, wrong_state
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.seat import Plan, Seat

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
        instead: the verb that does it in another state, by state; `return --anyone` frees the task.
    """

    verb: str
    sources: tuple[str, ...]
    ask: str | None = None
    by_owner: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)


_FREE: Final = "return --anyone"

COMMANDS: Final[Mapping[str, Callable[[TaskId], str]]] = {
    "assign": assign,
    "approve": approve,
    "return": give_back,
    _FREE: free,
    "block": block,
    "unblock": unblock,
    "reject": reject,
    "reopen": reopen,
    "reclaim": reclaim,
}
"""How people's verbs are typed."""

DECISIONS: Final[Mapping[str, Decision]] = {
    row.verb: row
    for row in (
        Decision(
            verb="assign",
            sources=("todo", "blocked"),
            ask="release",
            instead={
                "in_progress": "reclaim",
                "to_be_tested": _FREE,
                "done": "reopen",
                "rejected": "reopen",
            },
        ),
        Decision(verb="approve", sources=("to_be_tested",), by_owner=True),
        Decision(
            verb="return",
            sources=("to_be_tested",),
            ask="release",
            by_owner=True,
            instead={"in_progress": "reclaim", "done": "reopen", "rejected": "reopen", "blocked": "unblock"},
        ),
        Decision(
            verb="block",
            sources=tuple(state for state in STATES if state != "blocked"),
            ask="block",
            instead={"blocked": "unblock"},
        ),
        Decision(verb="unblock", sources=("blocked",)),
        Decision(
            verb="reject",
            sources=("todo", "in_progress", "blocked"),
            ask="change",
            instead={"to_be_tested": "return", "done": "reopen"},
        ),
        Decision(
            verb="reopen",
            sources=("done", "rejected"),
            instead={"to_be_tested": "return", "blocked": "unblock", "in_progress": "reclaim"},
        ),
        Decision(
            verb="reclaim",
            sources=("in_progress",),
            ask="release",
            instead={
                "todo": "assign",
                "to_be_tested": _FREE,
                "blocked": "unblock",
                "done": "reopen",
                "rejected": "reopen",
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
        raise wrong_state(seat, task, decision.sources, _instead(seat, task, decision))
    if _is_barred(seat.board, task, seat.actor, decision):
        text = f"review_by is owner: only {plain(task.owner or 'its owner')} may {decision.verb} {plain(task.id)}"
        step = done(task.id) if decision.verb == "approve" else give_back(task.id)
        raise needs_other(seat, text, (show(task.id),), ("its owner", step))


def check_human(seat: Seat, task: Task | None, verb: str, *, ask: str | None = "change") -> None:
    """Nothing where a human asks.

    Args:
        seat: where.
        task: the task; None where it cannot be read.
        verb: what is typed.
        ask: what an agent asks for that holds the task and wants this, as `note --ask` takes it.

    Raises:
        Stopped: an agent asks; exit code 6, and what it may do.
    """
    if seat.is_agent:
        wanted = Decision(verb=verb, sources=(), ask=ask)
        steps = _for_agents(seat, task, wanted) if task is not None else (CLAIM_NEXT,)
        raise needs_other(seat, f"only a human may {verb}", steps)


def may_decide(board: Board, task: Task, actor: Principal | None, verb: str) -> bool:
    """Whether a human may use one of people's verbs on a task as it is."""
    decision = DECISIONS[verb.partition(" ")[0]]
    return task.state in decision.sources and not _is_barred(board, task, actor, decision)


def _is_barred(board: Board, task: Task, actor: Principal | None, decision: Decision) -> bool:
    """Whether a decision is the owner's alone, and the actor is not the owner."""
    return decision.by_owner and board.policy.guard.review_by == "owner" and not owns(task.owner, actor)


def _instead(seat: Seat, task: Task, decision: Decision) -> str:
    """What the hand does about a task in a state that a decision does not lead from."""
    if seat.is_agent:
        return _for_agents(seat, task, decision)[0]
    verb = decision.instead.get(task.state or "")
    if verb is None or not may_decide(seat.board, task, seat.actor, verb):
        return show(task.id)
    if decision.verb == "assign" and verb == "reclaim":
        return reclaim(task.id, OWNER)
    return COMMANDS[verb](task.id)


def _for_agents(seat: Seat, task: Task, decision: Decision) -> tuple[str, ...]:
    """What an agent does that typed a human's verb: ask, where it holds the task; else what it may do itself."""
    mine = owns(task.owner, seat.actor)
    if mine and decision.verb == "approve" and task.state == "to_be_tested" and may_close(seat.board, task):
        return (done(task.id),)
    if mine and decision.ask is not None and task.state in _NOTED and may_go_on(seat, task):
        return (ask(task.id, decision.ask),)
    if decision.verb in {"reopen", "return"} and task.state == "done":
        return (followup(task.id), CLAIM_NEXT)
    return (CLAIM_NEXT,)


def may_close(board: Board, task: Task) -> bool:
    """Whether the agent that owns a handed-in task may close it itself: `self_approval`, and no review task."""
    if task.type == "review":
        return False
    build = follows_build(task, board.codifica)
    passed = review(task).get("status") == "pass" and review_counts(task)
    return not build or passed or board.policy.guard.self_approval != "refuse"


def freed_by(board: Board, name: TaskId) -> tuple[TaskId, ...]:
    """The tasks in todo that can be claimed once this one is done, and not before."""
    found = []
    for _, task in board.snapshot.in_state("todo"):
        build = follows_build(task, board.codifica)
        if set(unmet(task, board.snapshot)) == {name} and (has_criteria(task) or not build):
            found.append(task.id)
    return tuple(found)


def waiting_for(board: Board, name: TaskId) -> tuple[TaskId, ...]:
    """The tasks in todo that depend on this one."""
    return tuple(task.id for _, task in board.snapshot.in_state("todo") if name in task.texts("depends_on"))
