"""What whoever takes a task is handed: where the work goes, and what there is to read."""

import argparse
from collections.abc import Iterator
from typing import Any

from codifica_guard.model.document import Task
from codifica_guard.packs.codifica.naming import branch_of
from codifica_guard.verbs.branches import fetch_branch, switch_command
from codifica_guard.verbs.brief import brief_of
from codifica_guard.verbs.landing import Landed
from codifica_guard.verbs.seat import Seat


def task_of(landed: Landed) -> Task:
    """The task that a landed commit is about, as it was before; these verbs are all about one."""
    if landed.proposal.task is None:
        raise AssertionError("a verb of one task says which")
    return landed.proposal.task


def know_branch(options: argparse.Namespace, seat: Seat, task: Task) -> None:
    """Look at the remote's branch of a task that somebody worked on before, unless nothing is to be looked at."""
    if not options.no_fetch and not options.dry_run:
        fetch_branch(seat.board, task)


def work_lines(seat: Seat, task: Task) -> Iterator[str]:
    """For people and agents."""
    board = seat.board
    yield f"branch  {switch_command(board, branch_of(task, board.codifica))}"
    yield ""
    yield from brief_of(task, board.snapshot).lines()


def task_data(seat: Seat, task: Task) -> dict[str, Any]:
    """For programs."""
    board = seat.board
    branch = branch_of(task, board.codifica)
    return {
        "task": task.id,
        "title": task.text("title"),
        "type": task.type,
        "priority": task.text("priority"),
        "owner": seat.actor,
        "branch": branch,
        "switch": switch_command(board, branch),
        "brief": brief_of(task, board.snapshot).data(),
    }
