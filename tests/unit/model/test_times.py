"""Times as task documents write them."""

from datetime import UTC, datetime
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.model.times import parse_time, show_time

NOON: Final = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30T12:00:00Z", "2026-11-30t12:00:00z", "2026-11-30T12:00:00+00:00", "2026-11-30T12:00:00-00:00", "2026-11-30T13:30:00+01:30",
        "2026-11-29T12:01:00-23:59", "2026-11-30T12:00:00.999999999Z",
    ],
)  # fmt: skip
def test_an_rfc_3339_time_is_read(text: str) -> None:
    assert parse_time(text) == NOON


@pytest.mark.parametrize(
    "text",
    [
        "", "2026-11-30", "2026-11-30T12:00:00", "2026-11-30 12:00:00Z", "2026-11-30T12:00Z", "20261130T120000Z", "2026-11-30T12:00:00 Z",
        "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T12:60:00Z", "2026-11-30T23:59:60Z", "0000-01-01T00:00:00Z",
        "2026-11-30T12:00:00+24:00", "2026-11-30T12:00:00+23:60", "2026-11-30T12:00:00+1:00", "2026-11-30T12:00:00.Z", "2026-11-30T12:00:00.1234567890Z",
        "2026-11-30T12:00:00Z\n", " 2026-11-30T12:00:00Z", "\u0662026-11-30T12:00:00Z", "2026-11-30T12:00:00\u221201:00",
    ],
)  # fmt: skip
def test_what_is_no_such_time_or_is_impossible_is_none(text: str) -> None:
    assert parse_time(text) is None


@pytest.mark.parametrize(
    "value", [None, True, 5, 5.0, b"2026-11-30T12:00:00Z", ["2026-11-30T12:00:00Z"], {}, datetime.now(UTC)]
)
def test_what_is_no_text_is_none(value: object) -> None:
    assert parse_time(value) is None


def test_the_ends_of_the_calendar_are_read_and_shown() -> None:
    first, last = parse_time("0001-01-01T00:00:00+14:00"), parse_time("9999-12-31T23:59:59-14:00")
    assert first is not None
    assert last is not None
    assert show_time(first) == show_time(last) == "?"


def test_a_time_is_shown_to_the_minute_in_utc() -> None:
    assert show_time(NOON) == "2026-11-30 12:00Z"
    assert show_time(NOON + 59.9) == "2026-11-30 12:00Z"
    assert show_time(-1) == "1969-12-31 23:59Z"


@pytest.mark.parametrize("seconds", [1e18, -1e18, float("inf"), float("nan")])
def test_a_time_outside_the_calendar_is_a_question_mark(seconds: float) -> None:
    assert show_time(seconds) == "?"


@given(st.datetimes(timezones=st.just(UTC)))
def test_what_python_writes_is_read_as_it_was(moment: datetime) -> None:
    whole = moment.replace(microsecond=0)
    assert parse_time(whole.isoformat()) == whole.timestamp()
