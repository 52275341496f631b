"""The legal changes of one task, as edits of its fields; each whole in itself, so that one commit holds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, is_human
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED

SUMMARY: Final = 120
"""Characters of a summary (CD109)."""

REQUEST: Final = "request: "
"""How the summary of a note begins that asks a human for something."""

ASKS: Final = ("block", "release", "change")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What is to change in one task block, as `state.edit.edit_block` takes it."""

    sets: Mapping[str, Any] = field(default_factory=dict)
    append: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Who makes a change, when, and in which session.

    Attributes:
        actor: the principal.
        at: the time, RFC 3339.
        session: the session's name, where it has one.
    """

    actor: Principal
    at: str
    session: str | None = None

    def provenance(self, **more: str | None) -> dict[str, Any]:
        """The field `provenance` with what is known; nothing where nothing is."""
        known = {"session_id": self.session, **more}
        found = {name: text for name, text in known.items() if text}
        return {"provenance": found} if found else {}

    def entry(self, task: Task, target: str, reason: str | None, **more: str | None) -> dict[str, Any]:
        """A new entry of `state_transitions`, from where the task stands."""
        told = {"reason": reason} if reason else {}
        row: dict[str, Any] = {"from": task.state, "to": target, "by": self.actor, **told, "timestamp": self.at}
        return {**row, **self.provenance(**more)}


def _moved(task: Task, by: Hands, target: str, reason: str | None, sets: Mapping[str, Any], **more: str | None) -> Edit:
    return Edit(sets={"state": target, **sets}, append={"state_transitions": [by.entry(task, target, reason, **more)]})


def _clear(task: Task, *names: str) -> dict[str, None]:
    """Fields that are there and say something, to be emptied."""
    return {name: None for name in names if task.data.get(name) is not None}


def claim(task: Task, by: Hands, writer: str | None, reason: str) -> Edit:
    """From todo to in_progress, with owner, time, entry and, for an agent, the writer key: clause 8.1."""
    return _moved(task, by, "in_progress", reason, {"owner": by.actor, "claimed_at": by.at}, writer=writer)


def resume(task: Task, by: Hands, writer: str, reason: str) -> Edit:
    """A new writer key for one's own claim; nothing else changes."""
    return Edit(append={"state_transitions": [by.entry(task, "in_progress", reason, writer=writer)]})


def note(by: Hands, text: str, summary: str | None) -> Edit:
    """One more execution note."""
    return Edit(append={"execution_notes": [_note(by, text, summary)]})


def _note(by: Hands, text: str, summary: str | None, **more: str | None) -> dict[str, Any]:
    told = {"summary": summary} if summary else {}
    return {"by": by.actor, "note": text, **told, "timestamp": by.at, **by.provenance(**more)}


def ask(by: Hands, kind: str, why: str) -> Edit:
    """A note that asks a human to block the task, to release it, or to change what it asks for."""
    line = " ".join(why.split())
    whole = f"{REQUEST}{kind}: {line}"
    return note(by, why, whole if len(whole) <= SUMMARY else whole[: SUMMARY - 3].rstrip() + "...")


def hand_in(
    task: Task,
    by: Hands,
    target: str,
    *,
    summary: str,
    text: str | None = None,
    artifacts: Sequence[tuple[str, str]] = (),
    work: str | None = None,
    reason: str | None = None,
) -> Edit:
    """From in_progress to to_be_tested or done, with the closing note and the artifacts: clauses 6 and 7.1.

    Args:
        task: the task.
        by: who hands in.
        target: `to_be_tested` or `done`.
        summary: the closing note's summary, one line.
        text: the closing note; the summary where there is none.
        artifacts: paths and their types; those that the task has already are left out.
        work: the commit that holds the work.
        reason: why, in the entry.
    """
    there = {(a.get("path"), a.get("type")) for a in task.entries("artifacts")}
    new = [{"path": path, "type": kind} for path, kind in artifacts if (path, kind) not in there]
    edit = _moved(
        task,
        by,
        target,
        reason or "Work is complete",
        {"completed_at": by.at} if target == "done" else {},
        commit_sha=work,
    )
    closing = {"execution_notes": [_note(by, text or summary, summary, commit_sha=work)]}
    return Edit(sets=edit.sets, append={**edit.append, **closing, **({"artifacts": new} if new else {})})


def _review(by: Hands, status: str, notes: str | None) -> dict[str, Any]:
    return {"human_review": {"status": status, "reviewer": by.actor, "notes": notes, "recorded_at": by.at}}


def close(task: Task, by: Hands, reason: str | None) -> Edit:
    """From to_be_tested to done by its owner; a human who owns it needs no review of his own."""
    return _moved(task, by, "done", reason or "Accepted", {"completed_at": by.at})


def approve(task: Task, by: Hands, notes: str | None) -> Edit:
    """From to_be_tested to done by a human, with his review."""
    return _moved(task, by, "done", notes or "Approved", {"completed_at": by.at, **_review(by, "pass", notes)})


def give_back(task: Task, by: Hands, reason: str, *, anyone: bool) -> Edit:
    """From to_be_tested to todo; the owner stays, unless a human frees it for anyone. A human's reason is his review."""
    review = _review(by, "needs_work", reason) if is_human(by.actor) else {}
    free = {"owner": UNASSIGNED} if anyone else {}
    return _moved(task, by, "todo", reason, {**free, **_clear(task, "claimed_at"), **review})


def block(task: Task, by: Hands, reason: str, blocker: str | None) -> Edit:
    """To blocked, with the reason, and with what blocks it where that is known; a task that was closed is closed no more."""
    by_what = {"blocked_by": blocker} if blocker else _clear(task, "blocked_by")
    return _moved(task, by, "blocked", reason, {"blocked_reason": reason, **by_what, **_clear(task, "completed_at")})


def unblock(task: Task, by: Hands, target: str, reason: str | None) -> Edit:
    """From blocked to todo or in_progress; what blocked it is cleared, and in todo the time of the claim."""
    gone = ("blocked_reason", "blocked_by", *(("claimed_at",) if target == "todo" else ()))
    return _moved(task, by, target, reason or "Unblocked", _clear(task, *gone))


def reject(task: Task, by: Hands, reason: str) -> Edit:
    """To rejected, with the time."""
    return _moved(task, by, "rejected", reason, {"completed_at": by.at})


def reopen(task: Task, by: Hands, reason: str, *, anyone: bool) -> Edit:
    """From done or rejected to todo; the owner stays, unless it is freed for anyone."""
    free = {"owner": UNASSIGNED} if anyone else {}
    return _moved(task, by, "todo", reason, {**free, **_clear(task, "claimed_at", "completed_at")})


def reclaim(task: Task, by: Hands, reason: str, owner: str) -> Edit:
    """From in_progress to todo, for somebody else or for anyone: clause 8.1.1."""
    return _moved(task, by, "todo", reason, {"owner": owner, **_clear(task, "claimed_at")})


def assign(owner: str) -> Edit:
    """Another owner."""
    return Edit(sets={"owner": owner})
