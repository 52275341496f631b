"""One task with all that belongs to it, as lines for people."""

from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard.cli.rows import one, quoted
from codifica_guard.cli.steps import who
from codifica_guard.model.document import Task
from codifica_guard.model.ids import TaskId, short
from codifica_guard.model.times import parse_time
from codifica_guard.packs.codifica.history import reopened_since_review, review, review_counts
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import diff, show_fetched
from codifica_guard.verbs.account import Back, Request
from codifica_guard.verbs.board import Board, since
from codifica_guard.verbs.brief import Dependency
from codifica_guard.verbs.dossier import Dossier
from codifica_guard.verbs.worked import Work

NOTES_SHOWN: Final = 5
"""Notes that are shown, the newest; JSON has them all."""

SHA_SHOWN: Final = 12
"""Characters of a commit's name that a task gives and this clone does not have."""


def shown(board: Board, dossier: Dossier, *, looked: bool = False) -> Iterator[str]:
    """All of a task, what it asks for first, and what to do with it last.

    Args:
        board: the board.
        dossier: the task.
        looked: whether the work was looked for at the remote just now, or there is none.
    """
    task, brief = dossier.task, dossier.brief
    priority = one(task.text("priority") or "normal")
    head = (plain(task.id), one(task.type), one(task.state or "without state"), priority)
    yield f"{'  '.join(head)}   {one(task.owner or 'no owner')}   {one(task.text('title'))}"
    yield from _labelled("description", (task.text("description") or "").strip().split("\n"))
    yield from _labelled("acceptance", [f"{n} {one(text)}" for n, text in enumerate(brief.acceptance, 1)])
    yield from _labelled("checklist", [one(text) for text in task.texts("checklist")])
    yield from _labelled("constraints", [one(text) for text in brief.constraints])
    yield from _labelled("read", [one(text) for text in (*brief.files, *brief.references, *brief.notes)])
    yield from _labelled("depends on", [_dependency(board, needed) for needed in brief.dependencies])
    yield from _labelled("blocked", [one(task.text("blocked_reason"))] if task.state == "blocked" else [])
    if dossier.back is not None:
        yield from _returned(board, dossier.back)
    yield from _labelled("notes", list(_notes(board, task)))
    if dossier.request is not None:
        yield from _labelled("asks", [_request(board, dossier.request)])
    yield from _labelled("summary", [one(dossier.summary)])
    yield from _labelled("artifacts", [one(str(a.get("path"))) for a in task.entries("artifacts")])
    yield from _labelled("review", [_review(task)])
    if dossier.work is not None:
        yield from _labelled("work", list(_work(board, task, dossier.work, looked=looked)))
    yield from _labelled("signed", [_signed(dossier)])
    yield from _labelled("not now", [dossier.hindrance or ""])
    first, *more = dossier.commands or ("",)
    yield from _labelled("do", [" | ".join((first, *(step.removeprefix("git codifica ") for step in more)))])


def _labelled(label: str, rows: Sequence[str]) -> Iterator[str]:
    """Rows behind their label; none where they say nothing."""
    if any(row.strip() for row in rows):
        for number, row in enumerate(rows):
            yield f"  {label if number == 0 else '':<11} {row}".rstrip()


def _dependency(board: Board, needed: Dependency) -> str:
    """What a task depends on: its state, what came of it, and the files that it made."""
    record = board.snapshot.record(TaskId(needed.id))
    state = "not there"
    if record is not None:
        task = record.task()
        state = "cannot be read" if task is None else one(task.state or "without state")
    told = f"{one(needed.id)} {state}" + (f": {quoted(needed.summary)}" if needed.summary else "")
    return told + (f" ({', '.join(one(path) for path in needed.artifacts)})" if needed.artifacts else "")


def _returned(board: Board, back: Back) -> Iterator[str]:
    yield from _labelled(back.how, [f"by {one(back.by)} {since(board, back.at)}"])
    yield from _labelled("", [quoted(back.reason)])


def _notes(board: Board, task: Task) -> Iterator[str]:
    notes = task.entries("execution_notes")
    if len(notes) > NOTES_SHOWN:
        yield f"{len(notes) - NOTES_SHOWN} older: --json"
    for note in notes[-NOTES_SHOWN:]:
        yield f"{one(str(note.get('by')))} {since(board, parse_time(note.get('timestamp')))}"
        text = note.get("note") or note.get("summary")
        yield from (f"  {line.rstrip()}" for line in str(text or "").strip().split("\n"))


def _request(board: Board, request: Request) -> str:
    return f"{one(request.ask)}, {one(request.by)} {since(board, request.at)}: {quoted(request.text)}"


def _review(task: Task) -> str:
    """A review, and what it is not about any more."""
    found = review(task)
    if not found.get("status"):
        return ""
    told = f"{one(str(found['status']))} by {one(str(found.get('reviewer')))}"
    if not review_counts(task):
        return f"{told}, before the last hand-in"
    return f"{told}, before it was reopened" if reopened_since_review(task) else told


def _work(board: Board, task: Task, work: Work, *, looked: bool) -> Iterator[str]:
    branch = f"{one(work.branch)} @ " if work.branch else ""
    if work.commit is None:
        place = f"in no branch of {board.desk.remote}" if board.shared else "not in this clone"
        told = place if looked else f"not in this clone: {show_fetched(task.id)}"
        yield f"{branch}{one(work.named, SHA_SHOWN)}, {told}"
        return
    parts = [f"{branch}{short(work.commit)}"]
    if not work.merged:
        parts += ["1 commit" if work.commits == 1 else f"{work.commits} commits", f"+{work.added} -{work.removed}"]
    parts += ["merged" if work.merged else "not merged", _standing(work)]
    yield ", ".join(part for part in parts if part)
    if not work.merged:
        yield diff(board.tip, work.commit, merged=True)


def _standing(work: Work) -> str:
    """What has become of the branch since the hand-in."""
    match work.standing:
        case "moved":
            return f"moved since hand-in: {'1 commit' if work.further == 1 else f'{work.further} commits'} more"
        case "unmoved":
            return "unmoved since hand-in"
        case "rewritten":
            return "the branch was rewritten since hand-in"
        case "branch gone":
            return "" if work.merged else "its branch is gone"
        case _:
            return work.standing


def _signed(dossier: Dossier) -> str:
    """Who claimed it and who handed it in, as far as that is proven, and whether in one session."""
    claim, hand_in = dossier.claim, dossier.hand_in
    told = [
        f"{label} {who(step)} ({short(step.commit)})"
        for label, step in (("claim", claim), ("hand-in", hand_in))
        if step is not None
    ]
    if claim is not None and hand_in is not None and claim.session and hand_in.session:
        told.append("same session" if claim.session == hand_in.session else "another session")
    return ", ".join(told)
