"""Texts that come from the command line."""

import io
import sys

import pytest

from codifica_guard.cli.options import line_of, text_of
from codifica_guard.errors import UsageError


def test_a_text_is_trimmed_and_keeps_its_lines() -> None:
    assert text_of("  one  \r\n\ttwo\t\n\n three \n\n") == "one\n\ttwo\n\n three"
    assert text_of(None) is None


@pytest.mark.parametrize("text", ["", "  ", "\n\t\n"])
def test_a_text_has_words(text: str) -> None:
    with pytest.raises(UsageError, match="a reason needs words"):
        text_of(text)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe"])
def test_standard_input_is_text(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    with pytest.raises(UsageError, match="no UTF-8" if data else "needs words"):
        text_of("-")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "needs words"),
        ("a\nb", "is one line"),
        ("a\rb", "is one line"),
        ("abcd", "has 4 characters"),
        ("a\x00", "U[+]0000"),
    ],
)
def test_a_line_is_one_line(text: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=f"--by {wrong}" if "U" not in wrong else f"--by holds {wrong}"):
        line_of(text, what="--by", longest=3)
    assert line_of(" ab ", what="--by", longest=3) == "ab"
