"""A verb's change of one task, as a plan: made on the task as the board has it, and given up if somebody else moved it."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from codifica_guard.errors import StateError
from codifica_guard.git.changes import entry_at
from codifica_guard.identity.tokens import TOKEN_VARIABLE, WriterToken
from codifica_guard.limits import DOCUMENT_BYTES
from codifica_guard.model.document import Task
from codifica_guard.model.finding import Finding, Severity, Verdict
from codifica_guard.model.ids import RepoPath, TaskId, short
from codifica_guard.model.times import parse_time, show_time
from codifica_guard.packs.codifica import cd101
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.packs.core import id107
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import LONGEST
from codifica_guard.report.terminal import verdict
from codifica_guard.rules.commands import CLAIM_NEXT, edit, reclaim, resume, show
from codifica_guard.rules.fence import fence_of, latest_start, session_of
from codifica_guard.rules.snapshot import Record
from codifica_guard.state.edit import edit_block, replace_block
from codifica_guard.verbs.ages import ago
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.choice import free_tasks
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.seat import Plan, Proposal, Seat, token_place
from codifica_guard.verbs.stopped import LOST, NEEDS_OTHER, REFUSED, Stopped

Change = Callable[[Seat, Task], Edit]
"""Says how a task changes, or raises `Stopped`."""

FREE_SHOWN = 5
"""Tasks that are named to somebody who lost one."""


@dataclass(frozen=True, slots=True)
class Stance:
    """What of a task somebody else may not have moved meanwhile: state, owner, fence."""

    state: str | None
    owner: str | None
    fence: str | None

    @classmethod
    def of(cls, task: Task) -> "Stance":
        """The stance of a task."""
        return cls(task.state, task.owner, fence_of(task))


def plan_of(name: str, verb: str, change: Change) -> Plan:
    """A plan that changes one task, commit message `ID: verb`; lost if its state, owner or fence move between two tries.

    Args:
        name: the task's id, as it was typed.
        verb: what the message says of it.
        change: how it changes.
    """
    first: list[Stance] = []

    def plan(seat: Seat) -> Proposal:
        task = seat.board.task(name)
        stance = Stance.of(task)
        if not first:
            first.append(stance)
        elif first[0] != stance:
            raise overtaken(seat, task)
        return propose(seat, task, change(seat, task), verb)

    return plan


def propose(seat: Seat, task: Task, edit: Edit, verb: str, token: WriterToken | None = None) -> Proposal:
    """The commit that edits one task, every other byte of its document as it was.

    Raises:
        Stopped: the block cannot be edited so; the finding names the place.
    """
    record = seat.board.record(task.id)
    try:
        raw = edit_block(record.raw, sets=edit.sets, drop=edit.drop, append=edit.append)
    except StateError as error:
        raise _unfit(seat, task, record, str(error)) from error
    data = document_bytes(seat.board, record.path)
    return Proposal(
        files={record.path: replace_block(data, record.block, raw)},
        subject=f"{plain(task.id)}: {verb}",
        task=task,
        token=None if token is None else (task.id, token),
    )


def _unfit(seat: Seat, task: Task, record: Record, why: str) -> Stopped:
    finding = Finding(
        code=cd101.CODE,
        name=cd101.NAME,
        severity=Severity.ERROR,
        found=why,
        expected="a task whose fields have the forms that the protocol says",
        do=(f"a human corrects it: {edit(task.id)}",),
        path=record.path,
        line=record.line,
        task=task.id,
        actor=seat.actor,
    )
    return Stopped(
        verdict(Verdict(findings=(finding,)), "change", draft=True).rstrip("\n"),
        findings=(finding,),
        as_of=seat.board.as_of,
    )


def document_bytes(board: Board, path: RepoPath) -> bytes:
    """The bytes of a state document that the board has."""
    store = board.desk.world.store
    entry = entry_at(store, store.commit(board.tip).tree, path)
    if entry is None:
        raise AssertionError("a document of the board is in its tree")
    return store.blob(entry.id, DOCUMENT_BYTES)


# -- ends


def wrong_state(seat: Seat, task: Task, fits: tuple[str, ...], step: str, why: str = "") -> Stopped:
    """The end of a verb whose task is not in a state that it needs: lost, if this clone knew it in one.

    Args:
        seat: where.
        task: the task as it is.
        fits: the states that would have fitted.
        step: what the hand can do instead.
        why: what is wrong with this one, in words.
    """
    before = seat.seen.snapshot.task(task.id) if seat.seen is not None else None
    moved = before is not None and before.state in fits
    text = f"{plain(task.id)} is {plain(task.state or 'without state')}, not {' or '.join(fits)}"
    text += f": {why}" if why else ""
    if moved:
        text = f"lost {plain(task.id)}: {last_step(seat.board, task)}. Nothing of yours changed."
    return Stopped(
        _with_next(text, (step,)), exit=LOST if moved else REFUSED, next=(step,), as_of=seat.board.as_of, answer=True
    )


def overtaken(seat: Seat, task: Task) -> Stopped:
    """The end of a verb whose task somebody else moved while it ran."""
    text = f"lost {plain(task.id)}: {last_step(seat.board, task)}. Nothing of yours changed."
    step = show(task.id)
    return Stopped(_with_next(text, (step,)), exit=LOST, next=(step,), as_of=seat.board.as_of, answer=True)


def needs_other(seat: Seat, text: str, next: tuple[str, ...], *others: tuple[str, str]) -> Stopped:  # noqa: A002 - see Stopped
    """The end of a verb that somebody else may use.

    Args:
        seat: where.
        text: why it is not for the hand.
        next: what the hand itself can do.
        others: who could do what: text for people, since a program that is told runs what it is told.
    """
    told = "\n".join((_with_next(text, next), *(f"{who}: {what}" for who, what in others)))
    return Stopped(told, exit=NEEDS_OTHER, next=next, as_of=seat.board.as_of, answer=True)


def _with_next(text: str, steps: tuple[str, ...]) -> str:
    return "\n".join((text, *(f"{'do:' if number == 0 else 'or:'} {step}" for number, step in enumerate(steps))))


def last_step(board: Board, task: Task) -> str:
    """Who moved a task last, how and when: `agent:writer claimed it 3 s ago (a6f9811)`."""
    entries = task.entries("state_transitions")
    commit = board.changed_in(task.id)
    told = f" ({short(commit)})" if commit is not None else ""
    if not entries:
        return f"it is {plain(task.state or 'without state')}, owner {plain(task.owner or 'nobody')}{told}"
    last = entries[-1]
    by, at = plain(str(last.get("by"))), parse_time(last.get("timestamp"))
    when = "" if at is None else f" {ago(board.now - at)}" if at <= board.now else f" at {show_time(at)}"
    step = (last.get("from"), last.get("to"))
    words = {
        ("todo", "in_progress"): "claimed it",
        ("in_progress", "in_progress"): "resumed it",
        ("in_progress", "to_be_tested"): "handed it in",
        ("to_be_tested", "done"): "closed it",
        ("in_progress", "done"): "closed it",
        ("to_be_tested", "todo"): "returned it",
        ("in_progress", "todo"): "took it back",
    }.get((str(step[0]), str(step[1])), f"moved it to {plain(str(step[1]))}")
    session = session_of(last)
    return f"{by}{f' (session {plain(session)})' if session else ''} {words}{when}{told}"


# -- what is free, and who holds


def free_list(seat: Seat, but: TaskId | None = None) -> tuple[Task, ...]:
    """The tasks that are free for the hand, best first."""
    return tuple(task for task in free_tasks(seat.board, seat.actor) if task.id != but)


def held_by(seat: Seat) -> tuple[Task, ...]:
    """The tasks in progress that the hand owns."""
    return tuple(task for task in seat.board.snapshot.running if owns(task.owner, seat.actor))


def holds_token(seat: Seat, task: Task) -> bool:
    """Whether the writer token of a running task is at hand; true also where the task has no fence."""
    fence = fence_of(task)
    return fence is None or fence in {token.public_line for token in seat.hand.tokens}


def check_session(seat: Seat, task: Task) -> str | None:
    """The name of the session that goes on with an agent's running task: the one that holds it.

    Raises:
        Stopped: another session holds it; exit code 6, rule ID107, and what may be done.
    """
    if not seat.is_agent or task.state != "in_progress" or not owns(task.owner, seat.actor):
        return None
    session = session_of(latest_start(task.entries("state_transitions")))
    if may_go_on(seat, task):
        return session
    raise _other_session(seat, task, session)


def may_go_on(seat: Seat, task: Task) -> bool:
    """Whether the agent that owns a task may write into it: its session holds it, or none does."""
    required = seat.board.policy.guard.writer_tokens == "required"
    return task.state != "in_progress" or (holds_token(seat, task) and not (required and fence_of(task) is None))


def resume_from(board: Board, task: Task) -> float | None:
    """From when on the owner may resume a running task, seconds since the epoch; None where the policy allows none."""
    if fence_of(task) is None:
        return board.now
    minutes = board.policy.guard.resume_after_minutes
    if minutes is None:
        return None
    changed = board.silent_since(task.id)
    return board.now if changed is None else changed + 60 * minutes


def resume_told(board: Board, start: float) -> str:
    """From when on a task may be resumed, for people."""
    minutes = board.policy.guard.resume_after_minutes
    if start <= board.now:
        return "possible now"
    return f"possible from {show_time(start)}, {minutes} min after its last sign of life"


def _tokens_told(seat: Seat) -> str:
    """Where the token of a claim was looked for, and why it was not found."""
    folder = token_place(seat.board.desk, seat.board.repository)
    shown = plain(str(folder), LONGEST)
    if not os.path.lexists(folder):
        place = f"there is no folder {shown}"
    elif not folder.is_dir() or not os.access(folder, os.R_OK | os.X_OK):
        place = f"{shown} cannot be read"
    else:
        place = f"no token of this claim in {shown}"
    return f"{place}, {TOKEN_VARIABLE} {'has none either' if os.environ.get(TOKEN_VARIABLE) else 'is not set'}"


def _other_session(seat: Seat, task: Task, session: str | None) -> Stopped:
    board, ident = seat.board, plain(task.id)
    holder = f"session {plain(session)}" if session else "another session"
    head = f"{ident} is held by {holder} of {seat.actor}; this session has no token for it"
    if fence_of(task) is None:
        head = f"no session holds {ident}: its latest entry to in_progress has no writer key"
    found = _tokens_told(seat)
    start = resume_from(board, task)
    steps = [(CLAIM_NEXT, "other work")]
    rows = [("a human", reclaim(task.id, seat.actor))]
    if start is not None and start <= board.now:
        steps.insert(0, (resume(task.id), resume_told(board, start)))
    elif start is not None:
        rows.insert(0, ("later", f"{resume(task.id)}   ({resume_told(board, start)})"))
    lines = [f"{id107.CODE} {id107.NAME}   {head}", f"  found    {found}"]
    lines += [f"  {'do' if n == 0 else 'or':<8} {command}   ({note})" for n, (command, note) in enumerate(steps)]
    lines += [f"  {label:<8} {told}" for label, told in rows]
    record = board.record(task.id)
    finding = Finding(
        code=id107.CODE,
        name=id107.NAME,
        severity=Severity.ERROR,
        found=f"{head}; {found}",
        expected="the session that holds the task",
        do=tuple(command for command, _ in steps),
        path=record.path,
        line=record.line,
        task=task.id,
        actor=seat.actor,
    )
    return Stopped(
        "\n".join(lines),
        exit=NEEDS_OTHER,
        next=tuple(command for command, _ in steps),
        findings=(finding,),
        as_of=board.as_of,
        answer=True,
    )
