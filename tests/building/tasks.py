"""The text of tasks: plain values in, one YAML block out, and back."""

import functools
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.building.times import at

Fields = dict[str, Any]
"""A task's fields: strings, lists and mappings of strings; never a number or a boolean."""

ORDER: Final = (
    "id", "type", "state", "owner", "title", "priority", "description", "acceptance", "depends_on", "labels",
    "derived_from", "context", "claimed_at", "execution_notes", "artifacts", "human_review", "completed_at",
    "blocked_reason", "blocked_by", "state_transitions",
)  # fmt: skip
"""Where a field stands that an edit adds."""

PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9 _./:+@()',-]*")


def _scalar(value: str) -> str:
    unsafe = ": " in value or value.endswith((":", " ")) or not PLAIN.fullmatch(value)
    return json.dumps(value, ensure_ascii=False) if unsafe else value


def _lines(value: Any, indent: int) -> list[str]:
    blank = " " * indent
    if isinstance(value, Mapping):
        return [blank + line for key, item in value.items() for line in _pair(key, item)]
    rows = []
    for item in value:
        first, *rest = _lines(item, 0) if isinstance(item, Mapping) else [_scalar(item)]
        rows += [f"{blank}- {first}", *(f"{blank}  {line}" if line else "" for line in rest)]
    return rows


def _pair(key: str, value: Any) -> list[str]:
    if isinstance(value, str) and "\n" in value:
        return [f"{key}: |", *(f"  {line}" if line else "" for line in value.rstrip("\n").split("\n"))]
    if isinstance(value, str):
        return [f"{key}: {_scalar(value)}"]
    if not value:
        return [f"{key}: []"]
    return [f"{key}:", *_lines(value, 2)]


def block(fields: Mapping[str, Any]) -> str:
    """The block of a task, its fields in the order in which they come."""
    first, *rest = [line for key, value in fields.items() for line in _pair(key, value)]
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)]) + "\n"


@functools.cache
def _reader() -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415  # only tests that edit tasks read YAML

    return YAML(typ="base", pure=True)


def fields(text: str) -> Fields:
    """A block's fields, every scalar as the text that it is."""
    items = _reader().load(io.StringIO(text))
    return dict(items[0])


def changed(task: Mapping[str, Any], changes: Mapping[str, Any]) -> Fields:
    """A task with some fields given another value (None takes the field out); new ones stand where they belong."""
    result = {key: changes.get(key, value) for key, value in task.items()}
    for key, value in changes.items():
        if key not in task and value is not None:
            rank = ORDER.index(key) if key in ORDER else len(ORDER)
            later = [name for name in result if name in ORDER and ORDER.index(name) > rank]
            rows = list(result.items())
            place = list(result).index(later[0]) if later else len(rows)
            result = dict([*rows[:place], (key, value), *rows[place:]])
    return {key: value for key, value in result.items() if value is not None}


def entry(
    source: str,
    target: str,
    by: str,
    *,
    when: str | None = None,
    reason: str | None = "As agreed",
    session: str | None = None,
    writer: str | None = None,
) -> Fields:
    """One entry of `state_transitions`."""
    row: Fields = {"from": source, "to": target, "by": by}
    if reason is not None:
        row["reason"] = reason
    row["timestamp"] = when or at()
    provenance = {key: value for key, value in (("session_id", session), ("writer", writer)) if value}
    return {**row, "provenance": provenance} if provenance else row


def note(by: str, text: str, *, summary: str | None = None, when: str | None = None) -> Fields:
    """One entry of `execution_notes`."""
    return {"by": by, "note": text, **({"summary": summary} if summary is not None else {}), "timestamp": when or at()}


def review(status: str, reviewer: str, when: str | None = None) -> Fields:
    """A `human_review`."""
    return {"status": status, "reviewer": reviewer, "notes": ["Tried it"], "recorded_at": when or at()}


def _past(state: str, owner: str, writer: str | None) -> Fields:
    """The fields that a task in some state has: who claimed it, handed it in, approved it, and when."""
    human = "human:alice"
    claim = entry("todo", "in_progress", owner, when=at(-180), reason="Starting work", session="s-1", writer=writer)
    hand_in = entry("in_progress", "to_be_tested", owner, when=at(-170), reason="Ready for testing")
    approval = entry("to_be_tested", "done", human, when=at(-160), reason="Looks good")
    closing = note(owner, "Wrote the code and its tests", summary="Code and tests are written", when=at(-170))
    claimed: Fields = {"claimed_at": at(-180)}
    match state:
        case "in_progress":
            return {**claimed, "state_transitions": [claim]}
        case "to_be_tested":
            return {**claimed, "execution_notes": [closing], "state_transitions": [claim, hand_in]}
        case "done":
            finished: Fields = {
                "execution_notes": [closing],
                "human_review": review("pass", human, at(-160)),
                "completed_at": at(-160),
            }
            return {**claimed, **finished, "state_transitions": [claim, hand_in, approval]}
        case "blocked":
            halt = entry("in_progress", "blocked", human, when=at(-150), reason="Waits for the supplier")
            return {**claimed, "blocked_reason": "Waits for the supplier", "state_transitions": [claim, halt]}
        case "rejected":
            end = entry("todo", "rejected", human, when=at(-150), reason="Not wanted any more")
            return {"completed_at": at(-150), "state_transitions": [end]}
        case _:
            return {}


def task(
    ident: str,
    state: str = "todo",
    owner: str | None = None,
    *,
    type: str = "build",  # noqa: A002  # a field is called by its name
    writer: str | None = None,
    without: Sequence[str] = (),
    **more: Any,
) -> Fields:
    """A task with the past that its state implies; it belongs to agent:builder where a state needs an owner."""
    holder = owner or ("unassigned" if state in {"todo", "rejected"} else "agent:builder")
    plain: Fields = {
        "id": ident, "type": type, "state": state, "owner": holder, "title": f"Task {ident}", "priority": "normal",
        "acceptance": ["It works", "It is tested"], "depends_on": [], "execution_notes": [], "artifacts": [],
        "human_review": "null", "state_transitions": [],
    }  # fmt: skip
    return changed(changed(changed(plain, _past(state, holder, writer)), more), dict.fromkeys(without))
