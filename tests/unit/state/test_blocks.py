"""Splitting: which bytes are blocks, which are frame, and what cannot be split."""

import hashlib

import pytest

from codifica_guard import limits
from codifica_guard.model.document import Document
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split, state_fences

PATH = RepoPath(b"work.md")


def fenced(body: str) -> bytes:
    return f"# Work\n\n```yaml\n{body}```\n".encode()


def codes(document: Document) -> list[tuple[str, int]]:
    return [(fault.code, fault.line) for fault in document.faults]


TWO = "- id: A\n  title: a\n\n# between\n- id: B\n  title: b\n  # inner\n  note: |\n    x\n\n"


def test_blocks_and_frame_of_a_document() -> None:
    document = split(PATH, fenced("# first\n\n" + TWO + "# last\n") + b"\nprose")
    assert document.splittable
    assert document.faults == ()
    assert [(b.id, b.line, b.raw) for b in document.blocks] == [
        ("A", 6, b"- id: A\n  title: a\n"),
        ("B", 10, b"- id: B\n  title: b\n  # inner\n  note: |\n    x\n"),
    ]
    assert document.frame == b"# Work\n\n```yaml\n# first\n# between\n# last\n```\n\nprose\n"


def test_line_ends_do_not_change_blocks_and_frame() -> None:
    data = fenced(TWO)
    unix, windows = split(PATH, data), split(PATH, data.replace(b"\n", b"\r\n"))
    assert [b.raw for b in unix.blocks] == [b.raw for b in windows.blocks]
    assert unix.frame == windows.frame
    assert windows.blocks[0].end - windows.blocks[0].start == len(unix.blocks[0].raw) + 2


def test_a_comment_in_the_middle_of_a_task_is_a_part_of_it() -> None:
    assert split(PATH, fenced("- id: A\n# c\n  title: x\n")).blocks[0].raw == b"- id: A\n# c\n  title: x\n"


def test_blocks_know_their_fence_and_their_place() -> None:
    data = (
        fenced("- id: A\n") + b"~~~ YML tasks\n- id: B\n~~~\n```text\n- id: no\n  type: no\n```\n" + fenced("- id: C\n")
    )
    document = split(PATH, data)
    assert [(b.id, b.fence) for b in document.blocks] == [("A", 0), ("B", 1), ("C", 2)]
    assert [data[b.start : b.end] for b in document.blocks] == [b.raw for b in document.blocks]
    assert b"- id: no\n" in document.frame
    assert [data[a:b] for a, b in state_fences(data)] == [b"- id: A\n", b"- id: B\n", b"- id: C\n"]


@pytest.mark.parametrize(
    "data",
    [b"", b"# Work", fenced(""), fenced("\n \n# c\n"), b"\xef\xbb\xbf# Work\n", b"\xef\xbb\xbf", b"===\n=======\n"],
)
def test_a_document_without_tasks_is_told_of_only(data: bytes) -> None:
    document = split(PATH, data)
    assert document.splittable
    assert document.blocks == ()
    assert codes(document) == [("ST111", 1)]


@pytest.mark.parametrize(
    ("head", "ident"),
    [
        ("FEAT-1", "FEAT-1"), ("  A", "A"), ('"A"', "A"), ("'it''s'", "it's"), ('"a\\u0041\\"" # c', 'aA"'), ("A # c", "A"), ("A  ", "A"), ("a b", "a b"),
        ("null", "null"), ("é", "é"), ("-a", "-a"), ("a:b", "a:b"), ("A#1", "A#1"), ('""', ""),
    ],
)  # fmt: skip
def test_the_id_is_what_yaml_reads(head: str, ident: str) -> None:
    assert [b.id for b in split(PATH, fenced(f"- id: {head}\n")).blocks] == [ident]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("tasks:\n  - id: A\n", [("ST101", 4)]),
        ("  x: y\n- id: A\n", [("ST101", 4)]),
        ("- id: A\n x: y\n", [("ST101", 5)]),
        ("- id: A\n\tx: y\n", [("ST101", 5)]),
        ("- id: A\n---\n- id: B\nend\n", [("ST101", 5), ("ST101", 7)]),
        ("-\n  id: A\n", [("ST101", 4)]),
        ("\t\n- id: A\n", [("ST101", 4)]),
        ("- title: A\n", [("ST101", 4)]),
        ("- id:\n", [("ST101", 4)]),
        ("- id: a: b\n", [("ST101", 4)]),
        ("- id: |\n", [("ST101", 4)]),
        ('- id: "a" b\n', [("ST101", 4)]),
        ('- id: "a\n', [("ST101", 4)]),
        ('- id: "\\q"\n', [("ST101", 4)]),
        ('- id: "\\Uffffffff"\n', [("ST101", 4)]),
        ("- {id: A}\n", [("ST101", 4)]),
        ("- id: &a A\n", [("ST103", 4)]),
        ("- id: *a\n", [("ST103", 4)]),
        ("- id: !!str A\n", [("ST103", 4)]),
        ("- id: A\n  note: |\n    a\n      \n", [("ST101", 7)]),
        ("- id: A\n  note: a\n  \t\n", [("ST101", 6)]),
        ("- id: A\n  note: |\n   ```\n   x\n", [("ST101", 6), ("ST104", 8)]),
        ("- id: A\n ```\n- id: B\n", [("ST101", 5), ("ST104", 7)]),
    ],
)
def test_what_breaks_the_line_rule_is_refused(body: str, expected: list[tuple[str, int]]) -> None:
    document = split(PATH, fenced(body))
    assert not document.splittable
    assert document.blocks == ()
    assert codes(document) == expected


@pytest.mark.parametrize("line", ["\ttitle: x", " \ttitle: x", "\t"])
def test_a_tab_where_blanks_have_to_be_is_called_one(line: str) -> None:
    (fault,) = split(PATH, fenced(f"- id: A\n{line}\n  type: x\n")).faults
    assert "tab" in fault.found


def test_blanks_behind_a_task_are_nothing_where_no_text_could_hold_them() -> None:
    assert split(PATH, fenced("- id: A\n  note: a\n      \n- id: B\n")).splittable


def test_a_document_that_is_no_state_document_names_some_faults_only() -> None:
    assert len(split(PATH, fenced("x\n" * 100)).faults) == 20
    assert len(split(PATH, fenced("- x\n" * 100)).faults) == 20
    assert len(split(PATH, b"- id: A\n  type: x\n" * 100).faults) == 20


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"```yaml\n- id: A\n", [("ST104", 1)]),
        (b"```yaml", [("ST104", 1)]),
        (b"a\n```text\n", [("ST104", 2)]),
        (b"```yaml\n- id: A\n  note: |\n    ```x\n", [("ST104", 1)]),
        (b"- id: A\n  type: build\n", [("ST104", 1)]),
        (b"a\n\n- id: A\n  title: x\n  owner: y\n", [("ST104", 3)]),
        (b"<div>\n```yaml\n- id: A\n  state: x\n```\n</div>\n", [("ST104", 3)]),
        (b"- id: what it is\n- state: todo\n", [("ST111", 1)]),
        (b"- id: what it is\n  or was\n", [("ST111", 1)]),
        (b"<!--\n```yaml\n- id: A\n  state: x\n```\n-->\n", [("ST111", 1)]),
        (b" ~~~\n- id: A\n  state: x\n ~~~\n", [("ST111", 1)]),
        (b"> ```yaml\n> - id: A\n>   state: x\n", [("ST111", 1)]),
    ],
)
def test_tasks_that_no_fence_holds_are_named(data: bytes, expected: list[tuple[str, int]]) -> None:
    assert codes(split(PATH, data)) == expected


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"<<<<<<< a\n=======\n>>>>>>> b\n", 1),
        (fenced("- id: A\n<<<<<<< ours\n  x: y\n=======\n  x: z\n>>>>>>> theirs\n"), 5),
        (b"=======\n<<<<<<<\n=======\n>>>>>>>", 2),
    ],
)
def test_conflict_markers_are_refused(data: bytes, line: int) -> None:
    assert codes(split(PATH, data)) == [("ST105", line)]


@pytest.mark.parametrize(
    "data", [b"Title\n=======\n", b"<<<<<<< a\n", b">>>>>>>\n=======\n<<<<<<<\n", b" <<<<<<<\n=======\n>>>>>>>\n"]
)
def test_other_lines_of_signs_are_no_conflict(data: bytes) -> None:
    assert codes(split(PATH, data)) == [("ST111", 1)]


@pytest.mark.parametrize(
    ("data", "line", "column", "found"),
    [
        (b"a\n\xff", 2, 1, "0xff"),
        (b"a\x00b", 1, 2, "U+0000"),
        (b"ab\n\xc3\xa9\x1b", 2, 2, "U+001B"),
        (b"a\rb", 1, 2, "CR"),
        (b"a\r\n\rb", 2, 1, "CR"),
        ("é\x85".encode(), 1, 2, "U+0085"),
        ("a\u2028".encode(), 1, 2, "U+2028 LINE SEPARATOR"),
        ("a\u2029".encode(), 1, 2, "U+2029"),
        ("a\ufeff".encode(), 1, 2, "U+FEFF"),
        ("\ufeffa\ufeff".encode(), 1, 3, "U+FEFF"),
        ("a\uffff".encode(), 1, 2, "U+FFFF"),
        (b"\xef\xbb\xbf```yaml\n- id: A\n```\n", 1, 1, "hides the fence"),
        (b"\xef\xbb\xbf<!--\n```yaml\n- id: A\n```\n", 1, 1, "hides the HTML"),
        (b"\xef\xbb\xbf<div>", 1, 1, "hides the HTML"),
    ],
)
def test_characters_that_readers_take_differently_are_refused(data: bytes, line: int, column: int, found: str) -> None:
    document = split(PATH, data)
    assert not document.splittable
    fault = document.faults[0]
    assert (fault.code, fault.line, fault.column) == ("ST108", line, column)
    assert found in fault.found


def test_limits_refuse_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes(split(PATH, b"x" * (limits.DOCUMENT_BYTES + 1))) == [("ST107", 1)]
    assert codes(split(PATH, fenced("- id: A\n  x: " + "y" * limits.BLOCK_BYTES + "\n"))) == [("ST107", 4)]
    assert codes(split(PATH, b"\n" * (limits.FRAME_LINES + 2))) == [("ST107", limits.FRAME_LINES + 2)]
    assert codes(split(PATH, fenced("- id: A\n" + "# x\n" * (limits.FRAME_LINES + 2)))) == [
        ("ST107", limits.FRAME_LINES + 8)
    ]
    monkeypatch.setattr(limits, "TASKS", 2)
    assert codes(split(PATH, fenced("- id: A\n- id: B\n- id: C\n"))) == [("ST107", 6)]


def test_a_fence_may_hold_longer_marks_and_text_marks() -> None:
    data = b"````yaml\n- id: A\n  note: |\n    ```\n    x\n    ```\n````\n"
    assert [b.raw for b in split(PATH, data).blocks] == [b"- id: A\n  note: |\n    ```\n    x\n    ```\n"]
    assert split(PATH, b"```yaml\n- id: A\n  note: a ``` b\n   ```\nprose\n").splittable


def test_ten_thousand_tasks_come_back_whole() -> None:
    tasks = [f"- id: T-{n}\n  title: t{n}\n".encode() for n in range(10_000)]
    document = split(PATH, b"```yaml\n" + b"\n".join(tasks) + b"```\n")
    assert [b.raw for b in document.blocks] == tasks
    assert [b.line for b in document.blocks] == [2 + 3 * n for n in range(10_000)]
    assert hashlib.sha256(document.frame).hexdigest() == hashlib.sha256(b"```yaml\n```\n").hexdigest()
