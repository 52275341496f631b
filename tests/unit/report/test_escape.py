"""What a report shows of pushed text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.limits import VALUE_SHOWN
from codifica_guard.report.escape import escape, escape_words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ~ text!", "plain ~ text!"),
        ("", ""),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x00\x07\x1b[31m\x7f", "\\u0000\\u0007\\u001b[31m\\u007f"),
        ("\u202e\u2066\u200b\ufeff", "\\u202e\\u2066\\u200b\\ufeff"),
        ("gr\u00fc\u00df", "gr\\u00fc\\u00df"),
        ("\U0001f600", "\\U0001f600"),
        ("\udcff\udc80", "\\xff\\x80"),
        ("\ud800\udc7f", "\\ud800\\udc7f"),
        ("a\\nb", "a\\\\nb"),
    ],
)
def test_text_is_shown_in_ascii_on_one_line(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_a_text_and_what_it_looks_like_when_escaped_are_told_apart() -> None:
    assert escape("\n") != escape("\\n")
    assert escape("\udcff") != escape("\\xff")


def test_long_text_is_cut_and_says_so() -> None:
    assert escape("x" * VALUE_SHOWN) == "x" * VALUE_SHOWN
    assert escape("x" * (VALUE_SHOWN + 1)) == "x" * VALUE_SHOWN + "..."
    assert escape("abcdef", 3) == "abc..."
    assert escape("\U0001f600" * 100) == ("\\U0001f600" * 12) + "..."


def test_a_sentence_keeps_its_backslashes_and_may_be_longer() -> None:
    assert escape_words("a\\b \u00e9\n") == "a\\b \\u00e9\\n"
    assert len(escape_words("x" * 1000)) == 4 * VALUE_SHOWN + 3


@given(st.text(st.characters()), st.integers(0, 200))
def test_whatever_was_pushed_what_is_shown_is_printable_ascii_of_bounded_length(text: str, limit: int) -> None:
    for shown in (escape(text, limit), escape_words(text, limit)):
        assert all(" " <= char <= "~" for char in shown)
        assert len(shown) <= max(4 * limit, limit + 3)
