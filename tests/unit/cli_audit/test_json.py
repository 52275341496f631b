"""An audit for programs: the whole of it, by its schema."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from codifica_guard.audit.narrow import Part, narrow
from codifica_guard.cli.audit_json import audit_data
from codifica_guard.cli.command import Outcome
from codifica_guard.cli.envelope import envelope
from codifica_guard.model.act import Act
from codifica_guard.model.audited import Audit
from codifica_guard.model.value import fields
from tests.building import audits
from tests.building.audits import FINGERPRINTS, SERVER, hostile, large, oid, small
from tests.building.shapes import check_envelope


def told(audit: Audit) -> dict[str, Any]:
    answer = envelope("audit", 1, Outcome(data=audit_data(audit, audit)))
    assert answer.isascii()
    data: dict[str, Any] = check_envelope(answer)["data"]
    return data


@pytest.mark.parametrize(
    "make", [small, hostile, audits.empty, audits.clean, audits.unreceipted, lambda: large(20, 200)]
)
def test_every_audit_fits_the_schema(make: Callable[[], Audit]) -> None:
    audit = make()
    data = told(audit)
    assert len(data["acts"]) == len(audit.acts)
    assert len(data["findings"]) == len(audit.findings)


def test_nothing_that_an_audit_holds_is_left_out() -> None:
    data = told(small())
    assert set(data) == {*fields(small()), "verdict"}
    acted = {{"source": "from", "target": "to"}.get(name, name) for name in fields(small().acts[0])}
    assert set(data["acts"][0]) == {*acted, "transition"} - {"proof"}
    assert set(data["keys"][0]) == {"key" if name == "fingerprint" else name for name in fields(small().keys[0])}
    for name, one in (
        ("branches", small().branches[0]),
        ("policies", small().policies[0]),
        ("tasks", small().tasks[0]),
        ("pauses", small().pauses[0]),
    ):
        assert set(data[name][0]) == set(fields(one))
    assert set(data["chain"]) == set(fields(small().chain))


def test_values_are_what_the_audit_holds() -> None:
    data = told(small())
    assert data["verdict"] == {"errors": 2, "warnings": 1}
    assert data["anchor"]["pinned"] is False
    assert data["chain"]["servers"] == [{"server": SERVER, "key": FINGERPRINTS[SERVER]}]
    assert data["chain"]["gaps"][0]["new"] == oid("gap new").decode()
    first = data["acts"][0]
    assert (first["task"], first["from"], first["to"], first["at"]) == (
        "FEAT-101",
        "new",
        "todo",
        "2026-11-30T09:00:00Z",
    )
    assert {act["mark"] for act in data["acts"]} == {"S", "T", "H", "A", "U"}
    assert [f["code"] for f in data["findings"]] == ["AU101", "CD202", "CD213"]
    assert data["findings"][0]["check"] == [
        f"git log --oneline {oid('gap old').decode()[:7]}..{oid('gap new').decode()[:7]}"
    ]
    assert [p["receipt"]["kind"] for p in data["pauses"]] == ["pause", "push", "pause"]
    assert data["introductions"][0]["introduction"] == oid("new introduction").decode()
    assert data["stale_hours"] == 24.0


def test_of_a_part_the_verdict_stays_that_of_the_whole_and_the_filters_are_told() -> None:
    part = Part(task="FEAT-103", words=(("--task", "FEAT-103"),))
    data = audit_data(narrow(small(), part), small())
    assert data["verdict"] == {"errors": 2, "warnings": 1}
    assert data["filters"] == [{"option": "--task", "value": "FEAT-103"}]
    assert {act["task"] for act in data["acts"]} == {"FEAT-103"}


def test_transitions_are_told_apart_from_edits() -> None:
    audit = small()
    expected: list[Act] = list(audit.acts)
    assert [row["transition"] for row in told(audit)["acts"]] == [act.is_transition for act in expected]


def test_times_outside_the_calendar_are_times_all_the_same() -> None:
    data = json.loads(json.dumps(audit_data(hostile(), hostile())))
    assert data["acts"][0]["at"] == "1970-01-01T00:00:00Z"
    assert data["acts"][1]["at"] == "9999-12-31T23:59:59Z"
