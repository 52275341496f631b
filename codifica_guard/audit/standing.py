"""The tasks as they stand at a tip, with what proves them: texts are cut, lists too, since anybody may have pushed them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from codifica_guard.engine.world import World, state_files
from codifica_guard.model.act import STATELESS, UNREADABLE
from codifica_guard.model.audited import Artifact, TaskNow
from codifica_guard.model.document import Task
from codifica_guard.model.ids import ObjectId, RepoPath
from codifica_guard.model.policy import Policy
from codifica_guard.rules.snapshot import Record

TEXT: Final = 10_000
"""Characters of one text."""

ENTRIES: Final = 500
"""Entries of one list of one task."""

ALL_ENTRIES: Final = 200_000
"""Entries of all lists of all tasks: behind that tasks are told without them."""


def tasks_at(world: World, tip: ObjectId, policy: Policy) -> tuple[TaskNow, ...]:
    """The tasks at a commit, by document and place; what cannot be read has the state `UNREADABLE`.

    Args:
        world: what is read.
        tip: the commit.
        policy: whose state documents they lie in.

    Raises:
        LimitExceeded: more documents or tasks than may be.
    """
    snapshot = world.snapshot(world.store.commit(tip).tree, state_files((policy,)))
    records = (record for found in snapshot.records.values() for record in found)
    left = ALL_ENTRIES
    told: list[TaskNow] = []
    for record in sorted(records, key=lambda record: (record.path, record.line)):
        now = _now(world, tip, record, min(ENTRIES, left))
        left -= len(now.acceptance) + len(now.notes) + len(now.artifacts)
        told.append(now)
    return tuple(told)


def _now(world: World, tip: ObjectId, record: Record, most: int) -> TaskNow:
    task = record.task()
    if task is None:
        return TaskNow(task=record.block.id, title="", type="", state=UNREADABLE, owner="")
    return TaskNow(
        task=record.block.id,
        title=_cut(task.text("title")),
        type=_cut(task.type),
        state=_cut(task.state) or STATELESS,
        owner=_cut(task.owner),
        acceptance=_acceptance(task, most),
        notes=tuple(_note(entry) for entry in (task.entries("execution_notes")[-most:] if most else ())),
        artifacts=tuple(_artifacts(world, tip, task.entries("artifacts")[:most])),
    )


def _acceptance(task: Task, most: int) -> tuple[str, ...]:
    listed = task.data.get("acceptance")
    return tuple(_cut(str(row)) for row in listed[:most]) if isinstance(listed, list) else ()


def _note(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    """Who, when, and what: the summary, and the note where that says more."""
    summary, text = _word(entry, "summary"), _word(entry, "note")
    words = dict.fromkeys(part for part in (summary, text) if part)
    return _word(entry, "by"), _word(entry, "timestamp"), _cut(": ".join(words))


def _artifacts(world: World, tip: ObjectId, entries: Iterable[Mapping[str, Any]]) -> Iterator[Artifact]:
    for entry in entries:
        path = _word(entry, "path")
        there = bool(path) and world.exists(tip, RepoPath(path.encode("utf-8", "backslashreplace")))
        yield Artifact(path=path, kind=_word(entry, "type"), present=there)


def _word(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    return _cut(value) if isinstance(value, str) else ""


def _cut(text: str | None) -> str:
    whole = text or ""
    return whole if len(whole) <= TEXT else whole[: TEXT - 3] + "..."
