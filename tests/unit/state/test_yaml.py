"""Strict reading of one block: values, faults, warnings, and what mends them."""

from typing import Any

import pytest

from codifica_guard import limits
from codifica_guard.model.document import Fault, Task
from codifica_guard.state import fast, yaml
from codifica_guard.state.strict import read_strict
from codifica_guard.state.yaml import read_block

HEAD = "- id: A\n"


def read(text: str) -> Task:
    task = read_strict(text.encode())
    assert isinstance(task, Task), task
    return task


def refuse(text: str | bytes) -> Fault:
    raw = text if isinstance(text, bytes) else text.encode()
    fault = read_block(raw)
    assert isinstance(fault, Fault), fault
    assert read_strict(raw) == fault
    return fault


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"), ("on", "on"), ("010", "010"), ("0o7", "0o7"), ("1_000", "1_000"), ("12:30", "12:30"), ("1e3", "1e3"), ("2026-02-10", "2026-02-10"),
        ("2026-13-45T07:12:00Z", "2026-13-45T07:12:00Z"), ("23:59:60", "23:59:60"), ("9999-99-99", "9999-99-99"), ("null", None), ("~", None), ("", None),
        ("Null", None), ("true", True), ("FALSE", False), ('"true"', "true"), ("'null'", "null"), ("=", "="), ("[yes, 017, 12:30]", ["yes", "017", "12:30"]),
        ("{a: {b: null}}", {"a": {"b": None}}), ("a\n    b", "a b"), ("|\n    a\n    b", "a\nb\n"), (">-\n    a\n    b", "a b"), ('"a\\tb\\u00e9"', "a\tbé"),
        ("1" * 5000, "1" * 5000), ("a\u00a0b", "a\u00a0b"), ("|+\n    a\n\n  y: 1", "a\n\n"), ("👩\u200d👧", "👩\u200d👧"),
    ],
)  # fmt: skip
def test_only_null_and_booleans_are_typed(written: str, value: Any) -> None:
    assert read(f"{HEAD}  x: {written}\n").data["x"] == value
    assert read(f"{HEAD}  x: {written}\n".replace("\n", "\r\n")).data["x"] == value


def test_lines_are_those_of_the_fields() -> None:
    assert read("- id: A\n  # c\n  note: |\n    state: x\n  'q': 1\n").lines == {"id": 1, "note": 3, "q": 5}


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "found", "do"),
    [
        (HEAD + "  acceptance:\n    - `code` works\n", "ST101", 3, 7, "- `code` works", '- "`code` works"'),
        (HEAD + "  owner: @a\n", "ST101", 2, 10, "owner: @a", 'owner: "@a"'),
        (HEAD + "  title: Fix: x\n", "ST101", 2, 13, "title: Fix: x", 'title: "Fix: x"'),
        (HEAD + "\ttitle: x\n", "ST101", 2, 1, "title: x", "blanks instead of the tab"),
        (HEAD + "  checklist:\n    - [ ] a\n", "ST101", 3, 11, "- [ ] a", '- "[ ] a"'),
        (HEAD + '  note: "x\n', "ST101", 2, 9, 'note: "x', "close the quotes"),
        (HEAD + '  x: "a" b\n', "ST101", 2, 10, 'x: "a" b', "close the quotes"),
        (HEAD + "  x: [a, b\n", "ST101", 2, 1, "x: [a, b", 'x: "[a, b"'),
        (HEAD + "  x: y\n   z: y\n", "ST101", 3, 5, "z: y", "indent the lines"),
        (HEAD + "  - x\n", "ST101", 2, 3, "- x", "indent the lines"),
        (HEAD + "  x: %a\\b\n", "ST101", 2, 6, "x: %a", 'x: "%a\\\\b"'),
        (HEAD + '  x: "\\U99999999"\n', "ST101", 1, 1, "cannot be read", "anew"),
        (HEAD + '  x: "\\UFFFFFFFF"\n', "ST101", 1, 1, "cannot be read", "anew"),
        (HEAD + "  : x\n", "ST101", 2, 3, "without a name", ""),
        (HEAD + "  ? [a]\n  : x\n", "ST101", 2, 5, "without a name", ""),
        (HEAD + "  ? a\n  : x\n", "ST101", 2, 5, "before its colon", ""),
        (HEAD + "  ? |\n   a\n  : x\n", "ST101", 2, 5, "before its colon", ""),
        ("", "ST101", 1, 1, "no task", ""),
        ("---\n- id: A\n", "ST101", 1, 1, "a document of its own", ""),
        ("%YAML 1.1\n---\n- id: A\n", "ST101", 1, 1, "a document of its own", ""),
        (HEAD + "...\n- id: B\n", "ST101", 1, 1, "several", ""),
        ("x", "ST101", 1, 1, "not one task", ""),
        ("id: A\n", "ST101", 1, 1, "not one task", ""),
        ("[{id: A}]\n", "ST101", 1, 1, "not one task", ""),
        ("- {id: A}\n", "ST101", 1, 1, "not one task", ""),
        ("- A\n", "ST101", 1, 1, "not one task", ""),
        (HEAD + HEAD, "ST101", 1, 1, "not one task", ""),
        ("- title: A\n", "ST101", 1, None, "its id", ""),
        ('- "id": A\n', "ST101", 1, None, "its id", ""),
        ("-\n  id: A\n", "ST101", 1, None, "its id", ""),
        ("- id: A\n   b\n", "ST101", 1, None, "first line", ""),
        ("- id:\n    A\n", "ST101", 1, None, "first line", ""),
        ("- id: |\n    A\n", "ST101", 1, None, "first line", ""),
        ("- id: [A]\n", "ST101", 1, None, "first line", ""),
        (HEAD + "  x: |+\n    a\n", "ST101", 2, 6, "|+", "without +"),
        (HEAD + "  x: >2+\n    a\n", "ST101", 2, 6, ">+", "without +"),
        (HEAD + "  id: B\n", "ST102", 2, 3, "id twice", ""),
        (HEAD + '  "\\x69d": B\n', "ST102", 2, 3, "id twice", ""),
        (HEAD + "  x: {a: 1, 'a': 2}\n", "ST102", 2, 13, "a twice", ""),
        (HEAD + "  a: &x 1\n", "ST103", 2, 6, "anchor &x", 'a: "&x 1"'),
        (HEAD + "  a: *bold* text\n", "ST103", 2, 6, "alias", 'a: "*bold* text"'),
        (HEAD + "  a: !!binary aGk=\n", "ST103", 2, 6, "tag", ""),
        (HEAD + "  a: ! x\n", "ST103", 2, 6, "tag !", ""),
        (HEAD + "  &k a: x\n", "ST103", 2, 3, "anchor &k", ""),
        (HEAD + "  a: &x [*x]\n", "ST103", 2, 6, "anchor &x", ""),
        (HEAD + "  <<: {a: b}\n", "ST103", 2, 3, "merge key", ""),
        (HEAD + "  null: x\n", "ST103", 2, 3, "field name null", ""),
        (HEAD + "  state: no\n", "ST103", 2, 10, "state: no", 'state: "no"'),
        ("- id: 010\n", "ST103", 1, 7, "id: 010", 'id: "010"'),
        (HEAD + "  оwner: x\n", "ST108", 2, 3, "U+043E CYRILLIC SMALL LETTER O", ""),  # noqa: RUF001
        (HEAD + "  ѕтате: x\n", "ST108", 2, 3, "U+0455 CYRILLIC SMALL LETTER DZE", ""),
        (HEAD + "  ｏwner: x\n", "ST108", 2, 3, "U+FF4F", ""),  # noqa: RUF001
        (HEAD + "  x\u200b: x\n", "ST108", 2, 3, "U+200B ZERO WIDTH SPACE", ""),
        (HEAD + "  a\u00a0b: x\n", "ST108", 2, 3, "U+00A0", ""),
        (HEAD + "  owner: agent:buildеr\n", "ST108", 2, 10, "U+0435", ""),  # noqa: RUF001
        (HEAD + '  state: "to\\u200bdo"\n', "ST108", 2, 10, "U+200B", ""),
        ("- id: É\n", "ST108", 1, 7, "U+00C9", ""),
        (HEAD + '  x: "\\0"\n', "ST108", 2, 6, "U+0000", ""),
        (HEAD + '  x: "\\ud800"\n', "ST108", 2, 6, "U+D800", ""),
        (HEAD + '  x: "\\L"\n', "ST108", 2, 6, "U+2028", ""),
        (HEAD + "  x: a\x00\n", "ST108", 2, 7, "U+0000", ""),
        (HEAD.encode() + b"  x: \xff\n", "ST108", 2, 6, "0xff", ""),
        ("\ufeff" + HEAD, "ST108", 1, 1, "U+FEFF", ""),
    ],
)
def test_what_a_task_may_not_hold_is_refused_with_the_place(
    text: str | bytes, code: str, line: int, column: int | None, found: str, do: str
) -> None:
    fault = refuse(text)
    assert (fault.code, fault.line, fault.column) == (code, line, column)
    assert found in fault.found
    assert do in fault.do
    assert fault.do


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Off",
        "y",
        "TRUE",
        "0o17",
        "0b1",
        "-0x1F",
        "0x1_0",
        "1:30",
        "12:30:45.5",
        "1_000",
        "1_0.5",
        "1e3",
        ".5e2",
        "08",
        "2026-02-10",
        "2026-2-1 10:00:00 Z",
        "2026-02-10T09:15:00Z",
        "<<",
        "=",
    ],
)
def test_what_the_versions_of_yaml_read_differently_needs_quotes(text: str) -> None:
    assert refuse(f"{HEAD}  owner: {text}\n").code == "ST103"
    assert read(f'{HEAD}  owner: "{text}"\n').owner == text


@pytest.mark.parametrize("text", ["~", "null", "NULL", ""])
def test_a_state_or_owner_that_is_null_to_all_is_one_that_is_not_filled_in(text: str) -> None:
    assert read(f"{HEAD}  owner: {text}\n").owner is None
    assert read(f"{HEAD}  state: {text}\n").state is None


@pytest.mark.parametrize("text", ["~", "null"])
def test_an_id_is_never_null(text: str) -> None:
    assert refuse(f"- id: {text}\n").code == "ST103"


@pytest.mark.parametrize(
    "text", ["101", "0", "-5", "0x1F", "1.5", "FEAT-101", "agent:no", "e3", "0a", "nope", "2026-Q1", ".inf"]
)
def test_what_all_read_alike_needs_none(text: str) -> None:
    assert read(f"- id: {text}\n").id == text


def test_an_owner_may_be_left_empty() -> None:
    assert read(HEAD + "  owner:\n").owner is None
    assert read(HEAD + "  owner: [a]\n").owner is None


def test_field_names_in_other_letters_are_fine() -> None:
    assert list(read(HEAD + "  größe: 1\n  цвет: 2\n  寸法: 3\n  тест: 4\n").data) == [
        "id",
        "größe",
        "цвет",
        "寸法",
        "тест",
    ]


@pytest.mark.parametrize(
    "nested", ["[" * 500 + "]" * 500, "[" * 20_000, "{a: " * 40 + "1" + "}" * 40, "\n    " + "- " * 500 + "x"]
)
def test_deep_nesting_is_refused(nested: str) -> None:
    assert refuse(f"{HEAD}  x: {nested}\n").code == "ST107"


def test_nesting_up_to_the_limit_is_read() -> None:
    deepest = limits.YAML_DEPTH - 2
    assert read(f"{HEAD}  x: {'[' * deepest}{']' * deepest}\n").data["x"]
    assert refuse(f"{HEAD}  x: [{'[' * deepest}{']' * deepest}]\n").code == "ST107"


def test_a_task_past_the_limit_is_not_even_decoded() -> None:
    assert refuse(HEAD.encode() + b"\xff" * limits.BLOCK_BYTES).code == "ST107"


def test_fields_that_a_text_swallowed_are_named() -> None:
    task = read(
        HEAD + "  note: |\n    text\n    state: done\n    - owner: x\n    statement: y\n    ids:x\n  title: x\n"
    )
    assert [(w.code, w.line, w.found.split(":")[0]) for w in task.warnings] == [
        ("ST110", 4, "state"),
        ("ST110", 5, "owner"),
    ]


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        ("title: Fix #12 now", " #12 now"),
        ("labels:\n    - a #b", " #b"),
        ("title: a\n    b  #c", "  #c"),
        ("x: [a] #b", None),
        ("title: a # comment", None),
        ("title: a #", None),
        ("x: 'a' #b", None),
        ("x: #12", None),
    ],
)
def test_a_value_that_a_mark_cut_short_is_told_with_what_was_cut(line: str, cut: str | None) -> None:
    for end in ("\n", "\r\n", ""):
        warnings = read(f"{HEAD}  {line}{end}").warnings
        assert [(w.code, w.found) for w in warnings] == ([("ST112", f"{cut} is cut off as a comment")] if cut else [])


def test_readings_are_kept_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "_cache", yaml._Cache())
    monkeypatch.setattr(yaml, "_CACHED_BYTES", 25)
    asked: list[bytes] = []
    real = fast.read_plain

    def count(raw: bytes) -> Task | None:
        asked.append(raw)
        return real(raw)

    monkeypatch.setattr(fast, "read_plain", count)
    one, two, three = b"- id: ONE\n", b"- id: TWO\n", b"- id: THREE\n"
    first = read_block(one)
    assert [read_block(raw) for raw in (two, one)][1] is first
    read_block(three)
    assert read_block(one) is first
    assert asked == [one, two, three]
    read_block(two)
    assert asked == [one, two, three, two]
