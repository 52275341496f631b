"""What the pusher and the committer read."""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.model.finding import Finding, Severity, Verdict
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.report.terminal import WIDTH, place, verdict, wrap

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


def warning(code: str = "CD207", **changed: Any) -> Finding:
    return finding(code, severity=Severity.WARNING, name="transition-entry", **changed)


def shown(*findings: Finding, **options: Any) -> str:
    return verdict(Verdict(findings=findings), **options)


def test_nothing_found_is_nothing_told() -> None:
    assert shown() == ""


def test_a_refusal_says_codes_place_facts_and_the_next_command() -> None:
    told = shown(
        finding(
            column=7,
            task=TaskId("FEAT-102"),
            commit=COMMIT,
            expected="a task that nobody holds",
            do=("free for you: FEAT-104 (high)", "git fetch"),
        )
    )
    assert told == (
        "codifica-guard: push refused, 1 error: CD303\n"
        "\n"
        "CD303 lost-race  work.md:41:7  FEAT-102  commit 3f2a91c\n"
        "  found:    agent:writer claims FEAT-102\n"
        "  expected: a task that nobody holds\n"
        "  do:       free for you: FEAT-104 (high)\n"
        "            git fetch\n"
        "  why:      git codifica explain CD303\n"
    )


def test_what_is_not_known_is_left_out() -> None:
    told = shown(finding(path=None, line=None))
    assert (
        told
        == "codifica-guard: push refused, 1 error: CD303\n\nCD303 lost-race\n  found:    agent:writer claims FEAT-102\n  why:      git codifica explain CD303\n"
    )


def test_the_first_line_has_each_code_once_in_order() -> None:
    first = shown(finding(), finding("CD404"), finding(), what="commit").split("\n", 1)[0]
    assert first == "codifica-guard: commit refused, 3 errors: CD303 CD404"


def test_warnings_below_errors_are_told_in_short() -> None:
    told = shown(finding(), warning(task=TaskId("FEAT-7"), do=("codifica fix",))).split("\n\n")[-1]
    assert told == "  warning CD207 FEAT-7: agent:writer claims FEAT-102\n"


def test_warnings_alone_accept_and_say_what_to_do() -> None:
    told = shown(warning(task=TaskId("FEAT-7"), do=("git codifica fix", "git push", "and more")), warning("ST112"))
    assert told == (
        "codifica-guard: push accepted, 2 warnings: CD207 ST112\n"
        "  CD207 FEAT-7: agent:writer claims FEAT-102\n"
        "    git codifica fix\n"
        "    git push\n"
        "  ST112 work.md:41: agent:writer claims FEAT-102\n"
    )


def test_a_warning_is_about_its_task_else_its_place_else_its_commit() -> None:
    assert "CD207 3f2a91c: " in shown(warning(path=None, commit=COMMIT))
    assert "CD207 refs/heads/x: " in shown(warning(path=None, commit=COMMIT, ref=b"refs/heads/x"))
    assert "CD207 : " in shown(warning(path=None))


def test_after_ten_errors_the_rest_is_counted() -> None:
    told = shown(*(finding(found=f"no {n}.") for n in range(47)))
    assert told.startswith("codifica-guard: push refused, 47 errors: CD303\n")
    assert "no 9." in told
    assert "no 10." not in told
    assert told.endswith("\n\nand 37 more: git codifica check origin/main..HEAD\n")
    assert shown(*(finding(found=f"no {n}.") for n in range(10))).endswith("explain CD303\n")


def test_after_ten_warnings_the_rest_is_counted() -> None:
    many = [warning(found=f"no {n}.") for n in range(12)]
    told = shown(*many, more="git codifica check")
    assert "no 9." in told
    assert "no 10." not in told
    assert told.endswith("  and 2 more warnings: git codifica check\n")
    assert "more warnings" not in shown(*many[:10])


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({}, "work.md:41"), ({"column": 7}, "work.md:41:7"), ({"line": None}, "work.md"), ({"path": None}, ""),
        ({"path": None, "ref": b"refs/heads/main"}, "refs/heads/main"), ({"path": RepoPath(b"a\nb\xff.md")}, "a\\nb\\xff.md:41"),
        ({"path": RepoPath("\u202e.md".encode())}, "\\u202e.md:41"), ({"path": None, "ref": b"r" * 70_000}, "r" * 120 + "..."),
    ],
)  # fmt: skip
def test_a_place_is_a_path_with_line_and_column_or_a_ref(changed: dict[str, Any], where: str) -> None:
    assert place(finding(**changed)) == where


def test_long_texts_are_wrapped_and_commands_are_not() -> None:
    command = "git " + "x" * 100
    told = shown(finding(found="word " * 40, expected="word " * 40, do=(command,)))
    lines = told.split("\n")
    assert f"  do:       {command}" in lines
    assert all(len(line) <= WIDTH for line in lines if command not in line)
    assert sum(line.startswith("            word") for line in lines) >= 6


def test_pushed_text_never_reaches_the_terminal_as_it_is() -> None:
    evil = "\x1b]0;x\x07\r\n\u202eremote: accepted"
    told = shown(
        finding(found=evil, expected=evil, do=(evil,), task=TaskId(evil), path=RepoPath(evil.encode())),
        warning(found=evil, task=TaskId(evil)),
    )
    assert told.isascii()
    assert not {"\x1b", "\x07", "\r"} & set(told)
    assert not [line for line in told.split("\n") if line.startswith("remote:")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a b c", ["a b", "c"]),
        ("abcd b", ["abcd", "b"]),
        ("a", ["a"]),
        ("a abcdef", ["a", "abcdef"]),
        ("abc", ["abc"]),
    ],
)
def test_text_is_broken_at_blanks(text: str, lines: list[str]) -> None:
    assert wrap(text, 3) == lines


@given(st.text("ab ", max_size=60), st.integers(1, 12))
def test_wrapping_loses_no_word_and_keeps_the_width_where_it_can(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert " ".join(lines) == text
    assert all(len(line) <= width or " " not in line for line in lines)


def test_the_advice_fits_the_commit_it_is_about() -> None:
    below = finding(do=("git commit --amend --no-edit",), commit=ObjectId(b"b" * 40))
    assert "lies below your newest commit: git rebase -i bbbbbbb~1" in shown(below, tips=[ObjectId(b"a" * 40)])
    assert "nothing was committed yet" in shown(below, what="commit", draft=True)
    assert "do:" not in shown(below, what="commit", onward=True)


def test_a_push_that_was_taken_has_nothing_to_undo() -> None:
    told = shown(warning(do=("take it out: git reset --soft 3f2a91c~1", "the next time: git codifica approve FEAT-1")))
    assert told.endswith("FEAT-102\n    the next time: git codifica approve FEAT-1\n")
