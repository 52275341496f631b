"""What people's verbs have in common on the command line: one task, one decision, and how it is told."""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.options import add_reason, add_writing, how, place, text_of, told
from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, is_principal
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import claim, show
from codifica_guard.verbs.act import Change
from codifica_guard.verbs.choice import hindrance
from codifica_guard.verbs.deciding import decision_plan
from codifica_guard.verbs.landing import Landed, land
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.seat import Seat

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.human import DecisionData


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision that landed, or in a dry run one that would.

    Attributes:
        landed: its commit.
        task: the task as it was.
        after: the task as it is now; of its lists only what was there before.
    """

    landed: Landed
    task: Task
    after: Task

    @property
    def seat(self) -> Seat:
        """Who decided, and on which board."""
        return self.landed.seat

    @property
    def ident(self) -> str:
        """The task's id, fit to be shown."""
        return plain(self.task.id)

    @property
    def owner(self) -> str:
        """The owner now, fit to be shown."""
        return plain(self.after.owner or "nobody")


def add_task(parser: argparse.ArgumentParser, *, reason: bool | None = True, text: str = "why") -> None:
    """Add what most of people's verbs take: the task, and the reason (needed, optional, or None for none at all)."""
    parser.add_argument("task", metavar="ID", help="the task; blanks around it do not count")
    if reason is not None:
        add_reason(parser, required=reason, text=text)
    add_writing(parser)


def reason_of(options: argparse.Namespace) -> str:
    """The reason that the verb needs; the parser saw that there is one.

    Raises:
        UsageError: it says nothing, or cannot be written.
    """
    return text_of(options.reason) or ""


def decide(options: argparse.Namespace, verb: str, change: Change, *, name: str | None = None) -> Decided:
    """Make one decision about one task, and land it.

    Args:
        options: the command line.
        verb: the verb, a key of `verbs.deciding.DECISIONS`.
        change: how the task changes.
        name: the task's id, where it is not `options.task`.

    Raises:
        Stopped: it cannot be, or did not land.
        UsageError: there is no such task.
    """
    kept: list[tuple[Task, Edit]] = []

    def watched(seat: Seat, task: Task) -> Edit:
        kept[:] = [(task, change(seat, task))]
        return kept[0][1]

    landed = land(how(options), decision_plan(verb, options.task if name is None else name, watched))
    task, edit = kept[0]
    return Decided(landed=landed, task=task, after=Task(data={**task.data, **edit.sets}))


def move_line(made: Decided, what: str) -> str:
    """The first line: task, step, what comes with it, and where the commit is."""
    step = f"{plain(made.task.state or '?')} -> {plain(made.after.state or '?')}"
    return f"{made.ident}  {step}{what}    {place(made.landed)}"


def row(label: str, text: str) -> str:
    """A further line, labelled."""
    return f"{label:<10}{text}"


def names_row(label: str, names: Iterable[str], text: str) -> tuple[str, ...]:
    """A further line about tasks; none where there are none."""
    shown = ", ".join(plain(name) for name in names)
    return (row(label, f"{shown} {text}"),) if shown else ()


def obstacle(seat: Seat, task: Task) -> str | None:
    """Why a task in todo cannot be claimed by its owner, or by the hand where anybody may; None where it can."""
    owner = task.owner or ""
    return hindrance(seat.board, task, Principal(owner) if is_principal(owner) else seat.actor)


def claimable(seat: Seat, task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who may claim a task in todo, or why nobody can: lines for people, and for programs what the hand itself may do."""
    owner, why = task.owner or "", obstacle(seat, task)
    if why is not None:
        return (row("next", f"it cannot be claimed yet: {why}"),), (show(task.id),)
    who = "free for anyone" if owner == UNASSIGNED else f"for {plain(owner)}"
    step = claim(task.id) if owner == UNASSIGNED or owns(owner, seat.actor) else show(task.id)
    return (row("next", f"{who}: {claim(task.id)}"),), (step,)


def tell(made: Decided, head: str, rows: Iterable[str] = (), next: tuple[str, ...] = ()) -> Outcome:  # noqa: A002 - see Outcome
    """What a decision comes to: its first line, who signed, further rows, and what to run next."""
    return told(made.landed, (head, row("signed", made.seat.actor), *rows), data_of(made), next)


def data_of(made: Decided, frees: Iterable[str] = ()) -> "DecisionData":
    """A decision, for programs."""
    landed = made.landed
    return {
        **undecided(landed.seat, made.task),
        "state": made.after.state,
        "owner": made.after.owner,
        "commit": None if landed.commit is None else landed.commit.id.decode("ascii"),
        "pushed": landed.pushed,
        "frees": list(frees),
    }


def undecided(seat: Seat, task: Task) -> "DecisionData":
    """A task that was left as it is, for programs."""
    return {
        "task": task.id,
        "before": task.state,
        "state": task.state,
        "owner": task.owner,
        "by": seat.actor,
        "branch": seat.board.name,
        "commit": None,
        "pushed": False,
        "frees": [],
    }
