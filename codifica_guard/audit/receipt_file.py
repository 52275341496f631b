"""A receipt as the one file of its commit: JSON that is the same for the same receipt, byte for byte."""

import json
from collections.abc import Mapping
from typing import Any, Final

from codifica_guard.errors import MalformedReceipt
from codifica_guard.limits import RECEIPT_BYTES
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import INTRODUCTION, PAUSE, PUSH, Line, Pusher, Receipt, Warned
from codifica_guard.model.times import parse_time, stamp

SCHEMA: Final = "codifica-guard/receipt@1"
"""What the file says that it is; versions only grow by adding keys."""


def write_receipt(receipt: Receipt) -> bytes:
    """The file of a receipt."""
    value = {
        "schema": SCHEMA,
        "number": receipt.number,
        "kind": receipt.kind,
        "repository": receipt.repository,
        "server": receipt.server,
        "guard": receipt.guard,
        "ruleset": receipt.ruleset,
        "time": stamp(receipt.time),
        "introduction": _hex(receipt.introduction),
        "push": receipt.push,
        "ref": None if receipt.ref is None else _name(receipt.ref),
        "old": _hex(receipt.old),
        "new": _hex(receipt.new),
        "coordination": _hex(receipt.coordination),
        "coordinating": receipt.coordinating,
        "pusher": {"name": receipt.pusher.name, "by": receipt.pusher.by, "how": receipt.pusher.how},
        "late": receipt.late,
        "paused": receipt.paused,
        "until": None if receipt.until is None else stamp(receipt.until),
        "reason": receipt.reason,
        "refused": list(receipt.refused),
        "warnings": [{"code": w.code, "task": w.task, "commit": _hex(w.commit)} for w in receipt.warnings],
        "transitions": [_line(line) for line in receipt.lines],
        "tips": {_name(ref): _hex(tip) for ref, tip in sorted(receipt.tips.items())},
    }
    return json.dumps(value, indent=1, ensure_ascii=True).encode("ascii") + b"\n"


def read_receipt(data: bytes) -> Receipt:
    """The receipt that a file holds; keys that are not known are passed over.

    Raises:
        MalformedReceipt: it holds none.
    """
    if len(data) > RECEIPT_BYTES:
        raise MalformedReceipt(f"the file has more than {RECEIPT_BYTES} bytes")
    try:
        return _receipt(json.loads(data.decode("utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MalformedReceipt(f"the file is no receipt: {type(error).__name__}") from error


def _receipt(value: Mapping[str, Any]) -> Receipt:
    if value["schema"] != SCHEMA:
        raise MalformedReceipt(f"it is not of the form {SCHEMA}")
    kind, pusher = _text(value["kind"]), value["pusher"]
    if kind not in {PUSH, PAUSE, INTRODUCTION}:
        raise MalformedReceipt(f"its kind is {kind[:80]!a}")
    return Receipt(
        number=_number(value["number"]),
        kind=kind,
        repository=_text(value["repository"]),
        server=_text(value["server"]),
        guard=_text(value["guard"]),
        ruleset=_number(value["ruleset"]),
        time=_time(value["time"]),
        introduction=_oid(value["introduction"]),
        push=_text(value["push"]),
        ref=None if value["ref"] is None else _ref(value["ref"]),
        old=_oid(value["old"]),
        new=_oid(value["new"]),
        coordination=_oid(value["coordination"]),
        coordinating=_flag(value["coordinating"]),
        pusher=Pusher(name=_text(pusher["name"]), by=_text(pusher["by"]), how=_text(pusher["how"])),
        late=_flag(value["late"]),
        paused=_flag(value["paused"]),
        until=None if value["until"] is None else _time(value["until"]),
        reason=_text(value["reason"]),
        refused=tuple(_text(code) for code in value["refused"]),
        warnings=tuple(
            Warned(code=_text(w["code"]), task=_optional(w["task"]), commit=_oid(w["commit"]))
            for w in value["warnings"]
        ),
        lines=tuple(_read_line(row) for row in value["transitions"]),
        tips={_ref(ref): _some(tip) for ref, tip in value["tips"].items()},
    )


def _line(line: Line) -> dict[str, str | None]:
    return {
        "record": line.record,
        "from": line.source,
        "to": line.target,
        "actor": line.actor,
        "key": line.key,
        "proof": line.proof,
        "commit": _hex(line.commit),
    }


def _read_line(row: Mapping[str, Any]) -> Line:
    return Line(
        record=_text(row["record"]),
        source=_text(row["from"]),
        target=_text(row["to"]),
        actor=_optional(row["actor"]),
        key=_optional(row["key"]),
        proof=_text(row["proof"]),
        commit=_some(row["commit"]),
    )


# -- values


def _hex(oid: ObjectId | None) -> str | None:
    return None if oid is None else oid.decode("ascii")


def _name(ref: RefName) -> str:
    return ref.decode("utf-8", "surrogateescape")


def _ref(value: object) -> RefName:
    return RefName(_text(value).encode("utf-8", "surrogateescape"))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise MalformedReceipt("a text is due and none is there")
    return value


def _optional(value: object) -> str | None:
    return None if value is None else _text(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise MalformedReceipt("true or false is due and neither is there")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise MalformedReceipt("a number is due and none is there")
    return value


def _time(value: object) -> int:
    found = parse_time(value)
    if found is None:
        raise MalformedReceipt("a time is due and none is there")
    return int(found)


def _oid(value: object) -> ObjectId | None:
    return None if value is None else _some(value)


def _some(value: object) -> ObjectId:
    text = _text(value)
    if len(text) not in {40, 64} or text.strip("0123456789abcdef"):
        raise MalformedReceipt("an object id is due and none is there")
    return ObjectId(text.encode("ascii"))
