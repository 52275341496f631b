"""`submit`: hand in what was done, where a reviewer can see it."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.handover import task_of
from codifica_guard.cli.options import add_writing, how, line_of, place, text_of, told
from codifica_guard.model.document import Task
from codifica_guard.model.ids import short, show_path
from codifica_guard.packs.codifica import cd413
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import CLAIM_NEXT, done
from codifica_guard.verbs.act import plan_of
from codifica_guard.verbs.handing import TESTED, HandIn, forget_tokens, parse_artifact
from codifica_guard.verbs.landing import Landed, land
from codifica_guard.verbs.moves import SUMMARY
from codifica_guard.verbs.own_work import OwnWork, loose_told
from codifica_guard.verbs.owning import holding, reviewers
from codifica_guard.verbs.seat import Seat


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", help="the task")
    add_hand_in(parser, required=True)
    add_writing(parser)


def add_hand_in(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add what a hand-in says."""
    parser.add_argument(
        "--summary",
        metavar="TEXT",
        required=required,
        help=f"what came of it, in one line of at most {SUMMARY} characters",
    )
    parser.add_argument("-m", "--note", metavar="TEXT", help="more about it; - reads standard input")
    parser.add_argument(
        "--artifact", metavar="PATH:TYPE", action="append", default=[], help="a file that it made; may come again"
    )
    parser.add_argument("--work", metavar="REF", help="the commit that holds the work; else what is checked out")


def run(options: argparse.Namespace) -> Outcome:
    """Hand it in."""
    hand_in = hand_in_of(options)
    return handed_in(land(how(options), plan_of(options.task, "submit", hand_in)), hand_in)


def hand_in_of(options: argparse.Namespace) -> HandIn:
    """How a task is handed in, as the options of `add_hand_in` say.

    Raises:
        UsageError: one of them is not of its form.
    """
    return HandIn(
        summary=line_of(options.summary, what="a summary", longest=SUMMARY),
        text=text_of(options.note, what="a note"),
        artifacts=[parse_artifact(text) for text in options.artifact],
        ref=options.work,
    )


def handed_in(landed: Landed, hand_in: HandIn, **more: bool) -> Outcome:
    """What a hand-in comes to that landed.

    Args:
        landed: the commit.
        hand_in: what was handed in.
        more: further values for programs.
    """
    task, work = task_of(landed), hand_in.work
    left = forget_tokens(landed)
    data = {**hand_in_data(task, "in_progress", hand_in.target, landed.seat, landed, work), **more}
    data["missing_artifacts"] = list(hand_in.missing)
    outcome = told(landed, _lines(landed, task, work, hand_in.target), data, next=(CLAIM_NEXT,))
    return replace(outcome, notes=(*outcome.notes, *printable((*left, *loose_told(work), *_missing(landed, hand_in)))))


def _missing(landed: Landed, hand_in: HandIn) -> Iterator[str]:
    """What is to be said of artifacts that are nowhere, unless a rule says it."""
    if all(finding.code != cd413.CODE for finding in landed.judged.findings):
        for path in hand_in.missing:
            place = f"on {landed.seat.board.name}" if hand_in.work.commit is None else f"in {hand_in.work.name}"
            yield f"artifact {plain(path)} is not {place}: is it committed, and called so?"


def _lines(landed: Landed, task: Task, work: OwnWork, target: str) -> list[str]:
    seat = landed.seat
    lines = [f"{plain(task.id)}  in_progress -> {target}   {place(landed)}"]
    if work.commit is not None:
        lines.append(f"work      {work.name} @ {short(work.commit)} (written to provenance.commit_sha)")
    else:
        lines.append(f"work      no commit beyond {seat.board.name}: none is written down")
    held = holding(seat, but=task)
    if target != TESTED:
        return [*lines, f"closed with that.  {held}"]
    if seat.board.policy.guard.review_by == "owner":
        return [*lines, f"only its owner closes it (review_by): {done(task.id)}.  {held}"]
    return [*lines, f"waits for a human: {', '.join(reviewers(seat.board)) or 'none has a valid key'}.  {held}"]


def hand_in_data(
    task: Task, before: str, after: str, seat: Seat, landed: Landed | None = None, work: OwnWork | None = None
) -> dict[str, Any]:
    """What became of a task, for programs.

    Args:
        task: the task.
        before: its state before.
        after: its state now.
        seat: where.
        landed: the commit; None where there is none.
        work: the work that was handed in.
    """
    made = landed.commit if landed is not None else None
    waits = after == TESTED and seat.board.policy.guard.review_by != "owner"
    return {
        "task": task.id,
        "from": before,
        "to": after,
        "commit": None if made is None else made.id.decode("ascii"),
        "work": {"name": work.name, "commit": work.commit.decode("ascii")}
        if work is not None and work.commit
        else None,
        "uncommitted": [show_path(path) for path in work.loose] if work is not None else [],
        "waits_for": list(reviewers(seat.board)) if waits else [],
        "missing_artifacts": [],
    }


COMMAND = Command(
    name="submit",
    summary="hand in: the work is pushed, and described",
    configure=configure,
    run=run,
    text="Hand a task of yours in. What follows build waits for a human then; other types are done. The work has to be "
    "pushed, so that a reviewer can see it: what is checked out, or --work REF.",
)
