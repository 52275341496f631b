"""Annotations and summaries, read as a runner and as a reader of Markdown read them."""

import re
from html import unescape
from itertools import takewhile
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.report.github import ROWS, SHOWN, annotations, cell, command, harmless, summary, told
from tests.building import audits

COMMIT: Final = ObjectId(b"3f2a91c" + b"0" * 33)


def finding(code: str = "CD303", **changed: Any) -> Finding:
    fields: dict[str, Any] = {
        "name": "lost-race",
        "severity": Severity.ERROR,
        "found": "agent:writer claims FEAT-102",
        "path": RepoPath(b"work.md"),
        "line": 41,
    }
    return Finding(code=code, **{**fields, **changed})


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command, taken apart as a runner does it."""
    match = re.fullmatch(r"::([a-z]+)(?: ([^\n\r]*?))?::([^\n\r]*)", line)
    assert match is not None, line
    pairs = (pair.partition("=") for pair in (match[2] or "").split(",") if pair)
    back = {"%2C": ",", "%3A": ":", "%0A": "\n", "%0D": "\r", "%25": "%"}

    def undo(text: str) -> str:
        return re.sub("%2C|%3A|%0A|%0D|%25", lambda found: back[found[0]], text)

    return match[1], {key: undo(text) for key, _, text in pairs}, undo(match[3])


def test_an_annotation_points_at_file_line_and_column() -> None:
    (line,) = annotations(
        [
            finding(
                column=7,
                task=TaskId("FEAT-102"),
                commit=COMMIT,
                actor="agent:writer",
                expected="a free task",
                do=("git fetch",),
            )
        ]
    )
    assert parsed(line) == (
        "error",
        {"file": "work.md", "line": "41", "col": "7", "title": "CD303 lost-race"},
        "FEAT-102: agent:writer claims FEAT-102\nexpected: a free task\ndo: git fetch\n(commit 3f2a91c, agent:writer)\nwhy: git codifica explain CD303",
    )


def test_what_has_no_place_has_none() -> None:
    for changed in ({"path": None}, {"line": None, "column": 3}, {"line": 0}):
        (line,) = annotations([finding(**changed)])
        assert not {"line", "col"} & set(parsed(line)[1])
    (line,) = annotations([finding(column=0)])
    assert "col" not in parsed(line)[1]


def test_ten_of_a_kind_are_shown_errors_first() -> None:
    found = [finding(severity=Severity.WARNING)] * 12 + [finding()] * 11
    lines = annotations(found)
    assert [parsed(line)[0] for line in lines] == ["error"] * SHOWN + ["warning"] * SHOWN
    assert summary("x", found).count("| error |") == 11


def test_percent_colon_comma_and_line_ends_are_escaped_where_they_mean_something() -> None:
    assert command("error", "50%: a,b\r\nc", {"file": "a:b,c%", "line": ""}) == (
        "::error file=a%3Ab%2Cc%25::50%25: a,b%0D%0Ac"
    )
    assert command("notice", "x", {}) == "::notice::x"
    assert told("warning", "one\ntwo") == "::warning title=codifica-guard::one\\ntwo"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain", "plain"),
        ("::set-output name=a::b", ": :set-output name=a::b"),
        ("   ::stop-commands::x", "   : :stop-commands::x"),
        ("\u2003::error::x", "\u2003: :error::x"),
        ("say ##[add-path]/tmp", "say ## [add-path]/tmp"),
        ("a :: b", "a :: b"),
        ("::", ": :"),
        ("a\n ::error::x\r\n::b\r::c\n\n::d", "a\n : :error::x\r\n: :b\r: :c\n\n: :d"),
        ("", ""),
    ],
)
def test_no_line_of_a_log_is_a_command(line: str, shown: str) -> None:
    assert harmless(line) == shown


@given(st.text(), st.text(), st.binary(min_size=1))
def test_no_text_breaks_out_of_an_annotation(found: str, task: str, path: bytes) -> None:
    (line,) = annotations([finding(found=found, task=TaskId(task), path=RepoPath(path), actor=task, do=(found,))])
    name, properties, message = parsed(line)
    assert (name, set(properties)) == ("error", {"file", "line", "title"})
    assert properties["line"] == "41"
    assert message.endswith("why: git codifica explain CD303")
    assert line.isprintable()
    assert "##[" not in line


def rows(text: str) -> list[list[str]]:
    """The cells of a summary's table, as a reader of Markdown shows them; anything but text in there fails."""
    reader = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table")
    found: list[list[str]] = []
    for token in takewhile(lambda token: token.type != "table_close", reader.parse(text)):
        if token.type == "tr_open":
            found.append([])
        elif token.type == "inline" and found:
            kinds = {child.type for child in token.children or ()}
            assert kinds <= {"text", "text_special", "html_inline", "softbreak"}, (kinds, token.content)
            assert all(c.content == "<br>" for c in token.children or () if c.type == "html_inline")
            found[-1].append("".join(c.content for c in token.children or ()))
    return found


def test_a_summary_is_a_table_of_all_findings_errors_first() -> None:
    text = summary(
        "codifica-guard: push to main: refused",
        [
            finding("CD207", severity=Severity.WARNING, name="transition-entry", column=2),
            finding(
                task=TaskId("FEAT-102"),
                commit=COMMIT,
                actor="agent:writer",
                expected="a free task",
                do=("one", "two | three"),
            ),
            finding("GT101", name="no-rewind", path=None, ref=b"refs/heads/main"),
        ],
        ["history is new"],
    )
    head, *table = rows(text)
    assert head == ["", "rule", "where", "task", "commit", "who", "found", "do"]
    assert table == [
        ["error", "CD303 lost-race", "work.md:41", "FEAT-102", "3f2a91c", "agent:writer", "agent:writer claims FEAT-102; expected: a free task", "one<br>two | three"],
        ["error", "GT101 no-rewind", "refs/heads/main", "", "", "", "agent:writer claims FEAT-102", ""],
        ["warning", "CD207 transition-entry", "work.md:41:2", "", "", "", "agent:writer claims FEAT-102", ""],
    ]  # fmt: skip
    assert text.startswith("## codifica-guard: push to main: refused\n")
    assert text.endswith("- history is new\n\n")


def test_a_summary_without_findings_has_no_table() -> None:
    assert summary("fine", []) == "## fine\n\n"


def test_a_long_table_is_cut_and_says_so() -> None:
    text = summary("much", [finding()] * (ROWS + 3))
    assert len(rows(text)) == ROWS + 1
    assert "\nand 3 more\n" in text


def test_a_wide_table_is_cut_before_the_runner_drops_it() -> None:
    wide = finding(found="|" * 4000, task=TaskId("|" * 4000), do=("\U0001f600" * 4000,) * 5)
    text = summary("much", [wide] * 150)
    assert 10 < len(rows(text)) < 150
    assert len(text.encode()) < 2**20
    assert f"\nand {151 - len(rows(text))} more\n" in text


@pytest.mark.parametrize(
    "text",
    [
        "a | b", "`code`", "<script>alert(1)</script>", "[x](javascript:alert(1))", "![x](http://evil.example.org/a.png)", "https://evil.example.org",
        "www.evil.example.org", "mallory@example.org", "@alice look", "#12 and GH-12", "**bold** __bold__ ~~gone~~", "$x$", ":tada:", "\\| \\` &lt; &#60;", "# head",
        "- item", "1. item", "> quote", "a\nb", "---", "</td></table>", "<!-- x", "{{ x }}", audits.HOSTILE,
    ],
)  # fmt: skip
def test_pushed_text_stays_letter_for_letter_in_its_cell(text: str) -> None:
    _, row = rows(summary("x", [finding(found=text)]))
    assert len(row) == 8
    shown = cell(text)
    assert row[6] == unescape(shown)
    assert not re.search(r"[|`<>\[\]@#*_~$!\\]|&(?!#\d+;)|:(?! |$)|&#58;//[^ ]*&#46;$", re.sub(r"&#\d+;", "", shown))
    assert not re.search(r"(?i)www\.", shown)


@given(st.text())
def test_any_text_stays_in_its_cell(text: str) -> None:
    _, row = rows(summary(text, [finding(found=text, task=TaskId(text), do=(text,))], [text]))
    assert len(row) == 8
