"""Rows for people: aligned, folded, cut, and ASCII."""

import re

import pytest

from codifica_guard.cli.rows import LISTED, WIDTH, capped, folded, header, one, quoted, table


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("plain", 10, "plain"),
        ("  two\n lines ", 20, "two lines"),
        ("too long a text", 10, "too lon..."),
        ("\u202etxt", 20, "\\u202etxt"),
        ("a\\b", 20, "a\\\\b"),
        (None, 5, ""),
    ],
)
def test_a_text_is_one_line_of_ascii(text: str | None, most: int, shown: str) -> None:
    assert one(text, most) == shown


@pytest.mark.parametrize(("text", "shown"), [("why\nnot", '"why not"'), ("  ", ""), (None, "")])
def test_words_are_quoted(text: str | None, shown: str) -> None:
    assert quoted(text) == shown


def test_columns_stand_below_each_other_and_empty_ones_are_left_out() -> None:
    assert table([("a", "", "x"), ("bbb", "", "")], indent=2) == ("  a    x", "  bbb")
    assert table([]) == ()


def test_a_title_is_cut_so_that_the_row_fits_and_escapes_are_not_escaped_again() -> None:
    rows = [("FEAT-1", one("\u202e" + "title " * 40), "tag"), ("FEAT-2", "short", "")]
    shown = table(rows, title=1)
    assert len(shown[0]) <= WIDTH
    assert shown[0].startswith("FEAT-1  \\u202etitle")
    assert re.search(r"\.\.\. +tag$", shown[0])
    wide = table([("x" * 120, "a title of some length", "y")], title=1)[0]
    assert "a title of some l..." in wide


def test_a_list_is_folded_and_its_rest_counted() -> None:
    assert list(folded("none:", [])) == []
    assert list(folded("few:", ["a", "b"])) == ["few: a; b"]
    lines = list(folded("many:", [f"item number {n}" for n in range(LISTED + 3)], indent=4))
    assert all(len(line) <= WIDTH for line in lines)
    assert all(line.startswith("    item") for line in lines[1:])
    assert lines[-1].endswith("; and 3 more, all of them: --json")
    assert list(folded("", ["x" * 200, "y"])) == ["x" * 200 + ";", "  y"]


def test_rows_are_capped() -> None:
    assert list(capped(["a", "b"])) == ["a", "b"]
    assert list(capped(["a", "b", "c"], 2, indent=2)) == ["a", "b", "  and 1 more, all of them: --json"]


def test_a_header_has_two_sides() -> None:
    assert header("left", "right") == "left" + " " * 53 + "right"
