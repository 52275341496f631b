"""Text for a screen: what can be read stays, what only disturbs is escaped."""

import pytest

from codifica_guard.report.plain import plain, plain_words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe \u65e5\u672c\u8a9e \U0001f600", "Größe \u65e5\u672c\u8a9e \U0001f600"),
        ("a\x1b[31mb\tc\r\n", "a\\u001b[31mb\\tc\\r\\n"),
        ("a\u202eb\u200bc\u2066d\ufeff", "a\\u202eb\\u200bc\\u2066d\\ufeff"),
        ("a\u2028b\u0085c\u00a0d", "a\\u2028b\\u0085c\\u00a0d"),
        ("a\\n\udc80", "a\\\\n\\x80"),
    ],
)
def test_letters_of_all_scripts_stay_and_what_only_disturbs_is_escaped(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_text_is_cut_at_its_limit() -> None:
    assert plain("x" * 121) == "x" * 120 + "..."
    assert plain("\x1b" * 100, 120).endswith("...")


def test_a_sentence_keeps_its_backslashes() -> None:
    assert plain_words("grep \\d ä") == "grep \\d ä"
