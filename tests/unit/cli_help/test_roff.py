"""Roff: what is written comes out as it was, whatever it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.cli import roff

_BACK = {
    "\\e": "\\",
    "\\-": "-",
    "\\(aq": "'",
    "\\(dq": '"',
    "\\(ga": "`",
    "\\(ha": "^",
    "\\(ti": "~",
    "\\&": "",
    "\\fB": "",
    "\\fI": "",
    "\\fR": "",
}
_ESCAPE = re.compile(r"\\(?:\[u([0-9A-F]{4,6})\]|e|-|&|\((?:aq|dq|ga|ha|ti)|f[BIR])")


def shown(source: str) -> str:
    """What a terminal shows of a line of text; anything that is left over of roff's own fails."""
    assert not source.startswith((".", "'"))
    return unescaped(source)


def unescaped(source: str) -> str:
    """The same for a macro's argument."""
    assert "\\" not in _ESCAPE.sub("", source)
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _BACK[found[0]], source)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])))
def test_any_text_comes_out_as_it_was_but_for_its_blanks(words: str) -> None:
    lines = roff.lines(roff.text(words))
    assert all(line.isascii() for line in lines)
    assert " ".join(map(shown, lines)).split() == words.split()


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("plain", "plain"),
        ("--dry-run", "\\-\\-dry\\-run"),
        ("a\\n", "a\\en"),
        ('it\'s "so"', "it\\(aqs \\(dqso\\(dq"),
        ("`code --x` here", "\\fBcode \\-\\-x\\fR here"),
        ("see `a`, `b`.", "see \\fBa\\fR, \\fBb\\fR."),
        ("only ` one", "only \\(ga one"),
        ("ä", "\\[u00E4]"),
        ("^~", "\\(ha\\(ti"),
    ],
)
def test_a_sentence_is_escaped_and_code_in_it_is_bold(words: str, source: str) -> None:
    assert roff.prose(words) == source


def test_no_line_begins_as_a_command_of_roffs_own() -> None:
    assert roff.lines(".codifica is hidden") == ("\\&.codifica is hidden",)
    assert roff.example([".PP", "'so", "  two  blanks"]) == (
        ".PP",
        ".RS 4",
        ".nf",
        "\\&.PP",
        "\\(aqso",
        "  two  blanks",
        ".fi",
        ".RE",
    )
    long = roff.lines(" ".join([".x"] * 60))
    assert len(long) > 1
    assert all(line.startswith("\\&.x") and len(line) <= 82 for line in long)


def test_arguments_of_macros_are_quoted_where_they_have_blanks() -> None:
    assert roff.heading("SEE ALSO") == '.SH "SEE ALSO"'
    assert roff.heading("NAME") == ".SH NAME"
    assert roff.subheading("key add") == '.SS "key add"'
    assert roff.subheading('a "b"') == '.SS "a \\(dqb\\(dq"'
    assert roff.item("x", "one", "two") == (".TP", "x", "one", ".IP", "two")
