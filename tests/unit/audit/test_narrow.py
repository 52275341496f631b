"""A part of an audit: what stays, what goes, and that it is told."""

from typing import Any

import pytest

from codifica_guard.audit.narrow import Part, narrow
from codifica_guard.model.audited import Audit
from tests.building.audits import BUILDER, DAY, START, WRITER, small


def part(**asked: Any) -> Part:
    words = tuple((f"--{name}", str(value)) for name, value in asked.items())
    return Part(**asked, words=words)


def codes(audit: Audit) -> list[str]:
    return [noted.finding.code for noted in audit.findings]


def test_an_audit_that_nothing_is_asked_of_stays_as_it_is() -> None:
    audit = small()
    assert narrow(audit, Part()) is audit


def test_of_one_task_its_acts_findings_and_state_are_told_and_what_concerns_all() -> None:
    audit = narrow(small(), part(task="FEAT-099"))
    assert {act.task for act in audit.acts} == {"FEAT-099"}
    assert codes(audit) == ["AU101", "CD202"]
    assert [now.task for now in audit.tasks] == ["FEAT-099"]
    assert not audit.policies
    assert audit.keys == small().keys
    assert audit.chain == small().chain
    assert audit.filters == {"--task": "FEAT-099"}


@pytest.mark.parametrize("name", [WRITER, "writer"])
def test_of_one_principal_what_he_did_is_told_however_he_is_named(name: str) -> None:
    audit = narrow(small(), part(actor=name))
    assert {act.actor for act in audit.acts} == {WRITER}
    assert codes(audit) == ["AU101", "CD202"]
    assert {now.task for now in audit.tasks} == {"FEAT-098", "FEAT-099"}
    assert not audit.policies


def test_what_nobody_is_proven_to_have_done_is_told_of_whom_it_is_said_of() -> None:
    audit = narrow(small(), part(actor="Mallory <m@example.org>"))
    assert [act.task for act in audit.acts] == ["FEAT-100"]


def test_a_principal_who_changed_the_policy_has_that_told() -> None:
    assert len(narrow(small(), part(actor="alice")).policies) == 2


def test_of_a_time_all_that_happened_in_it_is_told() -> None:
    audit = narrow(small(), part(since=START + 8 * DAY, until=START + 9 * DAY))
    assert {act.task for act in audit.acts} == {"FEAT-102"}
    assert codes(audit) == ["CD213"]
    assert not audit.chain.gaps
    assert not audit.pauses
    assert not audit.introductions
    assert not audit.policies
    assert [now.task for now in audit.tasks] == ["FEAT-102"]


@pytest.mark.parametrize(
    ("since", "until", "gaps"),
    [(13, 13, 1), (14, None, 1), (None, 12, 1), (15, None, 0), (None, 11, 0), (None, None, 1)],
)
def test_a_gap_is_told_where_it_touches_the_time(since: int | None, until: int | None, gaps: int) -> None:
    asked = {name: START + days * DAY for name, days in (("since", since), ("until", until)) if days is not None}
    assert len(narrow(small(), part(**asked)).chain.gaps) == gaps


def test_what_is_left_out_is_told() -> None:
    notes = narrow(small(), part(task="FEAT-101", actor=BUILDER)).notes
    assert notes[-1] == (
        "the report is narrowed to --task FEAT-101 --actor agent:builder: "
        "2 of 3 findings lie outside of it, 1 of them errors"
    )


def test_whoever_asks_for_a_task_and_a_principal_gets_what_is_both() -> None:
    audit = narrow(small(), part(task="FEAT-102", actor=BUILDER))
    assert {(act.task, act.actor) for act in audit.acts} == {("FEAT-102", BUILDER)}
    assert codes(audit) == ["AU101", "CD213"]
