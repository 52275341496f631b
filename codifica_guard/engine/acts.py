"""What a commit did to tasks: the lines that receipts hold, the audit lists and `log` tells."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from codifica_guard.engine.expand import Expansion
from codifica_guard.model.act import BORN, GONE, STATELESS, UNREADABLE, Act, Deed, Mark, deed_between
from codifica_guard.model.identity import Attribution
from codifica_guard.model.times import parse_time
from codifica_guard.model.value import replace
from codifica_guard.rules.snapshot import Record
from codifica_guard.rules.view import CommitView, TaskChange

OF_STEPS: Final = frozenset(
    [
        "state",
        "claimed_at",
        "completed_at",
        "blocked_reason",
        "blocked_by",
        "human_review",
        "state_transitions",
        "execution_notes",
        "artifacts",
        "checklist",
    ]
)
"""Fields that steps and the daily work change."""


def acts(expansion: Expansion, view: CommitView) -> Iterator[Act]:
    """The acts of a commit, by place; of a merge what it chose itself. Their time is the committer's.

    Notes, evidence and ticked checklists alone are no act.

    Args:
        expansion: the commit.
        view: the same under the policy that counts.
    """
    if view.is_merge:
        for item in expansion.merge(view).decided:
            if item.kind == "record":
                change = TaskChange(id=item.task, before=item.sides[0] if item.sides else None, after=item.own)
                yield replace(_act(view, change, edited(change)), deed=Deed.CHOOSE)
        return
    for change in view.changes:
        touched = edited(change)
        if _state(change.before, BORN) != _state(change.after, GONE) or change.is_resume or touched or view.migrates:
            yield _act(view, change, touched)


def edited(change: TaskChange) -> tuple[str, ...]:
    """Fields that changed and belong to no step; the owner counts where he changed without one."""
    pair = change.both
    if pair is None:
        return ()
    stays = pair[0].state == pair[1].state
    names = dict.fromkeys((*pair[0].data, *pair[1].data))
    return tuple(n for n in names if change.changed(n) and n not in OF_STEPS and (stays or n != "owner"))


def _act(view: CommitView, change: TaskChange, touched: tuple[str, ...]) -> Act:
    from codifica_guard.identity.keys import fingerprint  # noqa: PLC0415 - most pushes move no task
    from codifica_guard.packs.codifica.history import review  # noqa: PLC0415
    from codifica_guard.rules.fence import session_of  # noqa: PLC0415

    source, target = _state(change.before, BORN), _state(change.after, GONE)
    entry = _entry(change, target)
    attribution, new = view.attribution, change.new
    said, written, token = entry.get("by"), parse_time(entry.get("timestamp")), _token(view, change)
    brought = change.new_entries("execution_notes")
    return Act(
        task=change.id,
        deed=Deed.EDIT if source == target and not change.is_resume else deed_between(source, target),
        source=source,
        target=target,
        commit=view.commit.id,
        at=view.commit.committer_time,
        dated=view.commit.committer_time,
        actor=attribution.actor,
        claimed=said if isinstance(said, str) else attribution.claimed,
        mark=_mark(attribution, token=token),
        proof=attribution.proof,
        token=token,
        key=fingerprint(attribution.key) if attribution.key is not None else None,
        owner=new.owner if new is not None else None,
        session=session_of(entry),
        reason=_text(entry.get("reason")),
        summary=next((_text(n.get("summary")) for n in reversed(brought) if n.get("summary")), None),
        review=_text(review(new).get("status")) if new is not None and change.changed("human_review") else None,
        edited=touched,
        acceptance=_acceptance(change),
        migration=view.migration,
        written=None if written is None else int(written),
    )


def _mark(attribution: Attribution, *, token: bool) -> Mark:
    if attribution.actor is None:
        return Mark.UNPROVEN
    if attribution.touched:
        return Mark.TOUCHED
    return Mark.TOKEN if token else Mark.SIGNED


def _token(view: CommitView, change: TaskChange) -> bool:
    """Whether the writer key that the act asks for has signed the commit of a proven principal."""
    if view.attribution.actor is None:
        return False
    from codifica_guard.packs.core.id107 import key_wanted  # noqa: PLC0415 - most pushes move no task

    wanted = key_wanted(change)
    return wanted is not None and view.proves_writer(wanted)


def _acceptance(change: TaskChange) -> tuple[str, ...] | None:
    """The criteria, where an act made, claimed or changed them."""
    new = change.new
    if new is None or not (change.before is None or change.is_claim or change.changed("acceptance")):
        return None
    listed = new.data.get("acceptance")
    return tuple(str(row) for row in listed) if isinstance(listed, list) else ()


def _state(record: Record | None, absent: str) -> str:
    if record is None:
        return absent
    task = record.task()
    return UNREADABLE if task is None else task.state or STATELESS


def _entry(change: TaskChange, target: str) -> Mapping[str, Any]:
    """The entry that a commit recorded its step with; empty where it recorded none."""
    rows = change.new_entries("state_transitions")
    return next((row for row in reversed(rows) if row.get("to") == target), {})


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
