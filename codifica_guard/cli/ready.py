"""`ready`: which tasks you may take, and why not the others."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codifica_guard.cli.command import CANNOT_TELL, NOTHING, OK, Command, Outcome
from codifica_guard.cli.options import add_looking, add_name
from codifica_guard.cli.rows import LISTED, capped, folded, header, one, quoted, table
from codifica_guard.cli.waits import back_data, told_wait, unreadable_data, wait_data, when
from codifica_guard.model.document import Task
from codifica_guard.model.times import show_time
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import CLAIM_NEXT, STATUS, note, reclaim, resume, submit
from codifica_guard.verbs.account import came_back
from codifica_guard.verbs.ages import span
from codifica_guard.verbs.board import Board, since
from codifica_guard.verbs.offer import Held, Offer, offer_of
from codifica_guard.verbs.reader import Reader, reading

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.tasks import FreeTask, HeldTask, ReadyData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_looking(parser, first=True)
    add_name(parser, "whose view; no key is needed to look")


def run(options: argparse.Namespace) -> Outcome:
    """Look, and tell."""
    with reading(wanted=options.name, look=options.fetch) as (board, reader):
        offer = offer_of(board, reader)
        return Outcome(
            lines=printable(_lines(board, reader, offer)),
            exit=OK if offer.free or offer.held else CANNOT_TELL if board.unreadable else NOTHING,
            data=_data(reader, offer),
            next=_next(board, offer),
            as_of=board.as_of,
        )


# -- for people


def _lines(board: Board, reader: Reader, offer: Offer) -> Iterator[str]:
    yield header(_who(reader, offer), board.headline)
    if reader.doubt:
        yield reader.doubt
    for held in offer.held:
        yield from _held(board, reader, held)
    if offer.full:
        first = next((held for held in offer.held if not held.asks), None)
        told = "nothing more before a human answers" if first is None else _first(first)
        yield f"you hold {len(offer.held)} of {offer.limit}: {told}"
    yield from _free(board, reader, offer)
    yield from folded(
        f"not for you now ({len(offer.hindered)}):", (f"{plain(task.id)} {why}" for task, why in offer.hindered)
    )
    waits = [told_wait(board, wait) for wait in offer.waits] if reader.is_agent else []
    yield from folded("waits for a human:", waits)
    if offer.census.unreadable:
        yield f"cannot be read ({len(offer.census.unreadable)}):"
        yield from capped([f"  {item}" for item in offer.census.unreadable], indent=2)
    if not offer.free and not offer.held:
        yield _nothing(offer)


def _who(reader: Reader, offer: Offer) -> str:
    if reader.actor is None:
        return "nobody known"
    if offer.limit is None:
        return f"{reader.actor}, {len(offer.held)} task{'' if len(offer.held) == 1 else 's'} held"
    return f"{reader.actor}, {len(offer.held)} of {offer.limit} tasks held"


def _first(held: Held) -> str:
    return f"hand in {plain(held.task.id)} before you claim another"


def _held(board: Board, reader: Reader, held: Held) -> Iterator[str]:
    """What is held, since when, and whether this clone may go on with it."""
    name = plain(held.task.id)
    token = ""
    if reader.is_agent and (held.fenced or not held.token):
        token = "token here" if held.token else "no token here"
    lasted = f"in progress {span(board.now - held.since)}" if held.since is not None else "in progress"
    yield from table([(name, lasted, one(held.task.type), one(held.task.text("title")), token)], title=3)
    if not held.token:
        yield f"{'':{len(name)}}  {_way_on(board, held)}"


def _way_on(board: Board, held: Held) -> str:
    name, holder = held.task.id, f"session {one(held.session)}" if held.session else "another session"
    if not held.fenced:
        return f"no session holds it, its claim has no writer key: {resume(name)}"
    if held.resume_from is None:
        return f"{holder} holds it; a human: {reclaim(name)}"
    when = "" if held.resume_from <= board.now else f"   (possible from {show_time(held.resume_from)})"
    return f"{holder} holds it: {resume(name)}{when}"


def _free(board: Board, reader: Reader, offer: Offer) -> Iterator[str]:
    shown = offer.free[:LISTED]
    rows = [
        (plain(t.id), one(t.text("priority") or "normal"), one(t.type), one(t.text("title")), _tag(board, reader, t))
        for t in shown
    ]
    width = max((len(row[0]) for row in rows), default=0) + 2
    for task, line in zip(shown, table(rows, title=3), strict=True):
        yield line
        back = came_back(task)
        if back is not None and back.reason and task.owner == reader.actor:
            yield f"{'':{width}}{quoted(back.reason)}"
    if len(offer.free) > LISTED:
        yield f"and {len(offer.free) - LISTED} more are free: --json"


def _tag(board: Board, reader: Reader, task: Task) -> str:
    """Why a task is somebody's own."""
    if task.owner not in {reader.actor, "human"}:
        return ""
    back = came_back(task)
    if back is None:
        return "assigned to you" if task.owner == reader.actor else "for any human"
    return f"{back.how} by {one(back.by)} {since(board, back.at)}"


def _nothing(offer: Offer) -> str:
    if offer.left:
        many = "1 task is" if offer.left == 1 else f"{offer.left} tasks are"
        return f"nothing is free for you now; {many} not finished: others hold them, or they wait"
    if not offer.census.tasks:
        return "there are no tasks yet"
    return "every task is done or rejected: nothing is left to do"


def _next(board: Board, offer: Offer) -> tuple[str, ...]:
    steps: list[str] = []
    for held in (held for held in offer.held if not held.asks):
        name = held.task.id
        if held.token:
            steps += [submit(name), note(name)]
        elif held.resume_from is not None and held.resume_from <= board.now:
            steps.append(resume(name))
    if offer.free and not offer.full:
        steps.append(CLAIM_NEXT)
    return tuple(steps) or ((STATUS,) if offer.left else ())


# -- for programs


def _data(reader: Reader, offer: Offer) -> "ReadyData":
    return {
        "actor": reader.actor,
        "doubt": reader.doubt,
        "limit": offer.limit,
        "held": [_held_data(held) for held in offer.held],
        "free": [_free_data(task, reader) for task in offer.free],
        "not_now": [{"task": task.id, "why": why} for task, why in offer.hindered],
        "waiting": [wait_data(wait) for wait in offer.waits],
        "unreadable": [unreadable_data(item) for item in offer.census.unreadable],
        "left": offer.left,
    }


def _held_data(held: Held) -> "HeldTask":
    return {
        "task": held.task.id,
        "title": held.task.text("title"),
        "since": when(held.since),
        "session": held.session,
        "asks": held.asks,
        "token": held.token,
        "resume_from": when(held.resume_from),
    }


def _free_data(task: Task, reader: Reader) -> "FreeTask":
    back = came_back(task)
    return {
        "task": task.id,
        "priority": task.text("priority"),
        "type": task.type,
        "title": task.text("title"),
        "owner": task.owner,
        "assigned": reader.actor is not None and task.owner == reader.actor,
        "returned": None if back is None else back_data(back),
    }


COMMAND = Command(
    name="ready",
    summary="which tasks you may take, and why not the others",
    configure=configure,
    run=run,
    text="What you hold, then what you may take, best first, then why all other open tasks are not for you now. "
    "Looks at the remote first. Exit code 5: you hold nothing, and nothing is free.",
)
