"""What reports count in an audit."""

from datetime import UTC, datetime

import pytest

from codifica_guard.model.act import Deed, Mark
from codifica_guard.report.audit_figures import (
    NOBODY,
    POLICY,
    Doer,
    by_actor,
    by_code,
    columns,
    doers,
    marks,
    name_of,
    week_of,
    weeks,
)
from tests.building.audits import ALICE, BOB, BUILDER, DAY, START, WRITER, act, small


def seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("at", "monday"),
    [
        ("2026-11-30T00:00:00", "2026-11-30T00:00:00"),
        ("2026-12-06T23:59:59", "2026-11-30T00:00:00"),
        ("2026-12-07T00:00:00", "2026-12-07T00:00:00"),
        ("1970-01-01T00:00:00", "1969-12-29T00:00:00"),
        ("1960-02-29T12:00:00", "1960-02-29T00:00:00"),
    ],
)
def test_a_week_begins_on_monday(at: str, monday: str) -> None:
    assert week_of(seconds(at)) == seconds(monday)


def test_only_weeks_in_which_something_was_done_are_told_the_oldest_first() -> None:
    late, early = START + 40 * DAY, START
    acts = [
        act("A", "todo", "in_progress", ALICE, late),
        act("A", "new", "todo", ALICE, early),
        act("B", "new", "todo", None, early),
        act("C", "new", "todo", BUILDER, early, mark=Mark.TOKEN),
    ]
    found = weeks(acts)
    assert [week.start for week in found] == [week_of(early), week_of(late)]
    assert found[0].marks == {Mark.SIGNED: 1, Mark.UNPROVEN: 1, Mark.TOKEN: 1}
    assert (found[0].transitions, found[0].proven) == (3, 2)


def test_times_outside_every_calendar_are_weeks_like_others() -> None:
    acts = [act("A", "new", "todo", ALICE, at) for at in (-(2**62), 2**62)]
    assert len(weeks(acts)) == 2


def test_every_mark_has_its_number() -> None:
    assert marks([act("A", "new", "todo", None, START)]) == {**dict.fromkeys(Mark, 0), Mark.UNPROVEN: 1}


def test_who_did_what_is_told_by_kind_and_name() -> None:
    rows = doers(small().acts, small().policies)
    assert [row.name for row in rows] == [ALICE, BOB, BUILDER, WRITER, NOBODY]
    assert rows[3].deeds == {Deed.CLAIM: 2, Deed.HAND_IN: 2, Deed.REJECT: 1}
    assert rows[0].deeds[POLICY] == 2
    assert [name_of(deed) for deed in columns(rows)][-3:] == ["edit", "choose", "policy"]


def test_a_principal_of_no_known_kind_stands_behind_agents_and_before_nobody() -> None:
    acts = [act("A", "new", "todo", who, START) for who in (None, "zorro", BUILDER)]
    assert [row.name for row in doers(acts, ())] == [BUILDER, "zorro", NOBODY]


@pytest.mark.parametrize(
    ("name", "deed", "answer"),
    [
        (ALICE, Deed.REJECT, "may"),
        (ALICE, POLICY, "may"),
        (BUILDER, Deed.CLAIM, "may"),
        (BUILDER, Deed.APPROVE, "may"),
        (BUILDER, Deed.REJECT, "may not"),
        (BUILDER, Deed.RECLAIM, "may not"),
        (BUILDER, POLICY, "may not"),
        (NOBODY, Deed.NEW, "may not"),
        ("zorro", Deed.CLAIM, "may not"),
    ],
)
def test_what_a_kind_of_principal_may_do_at_all(name: str, deed: Deed | str, answer: str) -> None:
    assert Doer(name=name, deeds={}).allowed(deed) is (answer == "may")


def test_principals_are_ranked_by_what_they_did() -> None:
    acts = [act("A", "new", "todo", who, START) for who in (BOB, ALICE, ALICE, None, BUILDER)]
    assert by_actor(acts) == ((ALICE, 2), (BUILDER, 1), (BOB, 1))


def test_findings_are_grouped_by_their_codes() -> None:
    found = by_code((*small().findings, *small().findings))
    assert [(code, len(group)) for code, group in found] == [("AU101", 2), ("CD202", 2), ("CD213", 2)]
