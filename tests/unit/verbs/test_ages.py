"""Spans of time, as people say and write them."""

import pytest

from codifica_guard.errors import UsageError
from codifica_guard.verbs.ages import ago, parse_span, span


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0 s"),
        (3.9, "3 s"),
        (59, "59 s"),
        (60, "1 min"),
        (119 * 60, "119 min"),
        (2 * 3600, "2 h"),
        (31 * 3600, "31 h"),
        (48 * 3600, "2 d"),
        (9 * 86400, "9 d"),
    ],
)
def test_a_span_is_told_in_its_largest_fitting_unit(seconds: float, text: str) -> None:
    assert span(seconds) == text


def test_what_was_a_moment_ago_is_now() -> None:
    assert (ago(0), ago(1.9), ago(2)) == ("now", "now", "2 s ago")


@pytest.mark.parametrize(
    ("text", "seconds"), [("90m", 5400), (" 24h ", 86400), ("7d", 604800), ("2w", 1209600), ("5s", 5)]
)
def test_a_span_is_read(text: str, seconds: int) -> None:
    assert parse_span(text) == seconds


@pytest.mark.parametrize("text", ["", "7", "d", "-1d", "1y", "1.5h", "\u0667d", "99999999d"])
def test_what_is_no_span_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError, match="no span of time"):
        parse_span(text)
