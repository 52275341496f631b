"""Quotes: which lines one pair of them mends, and that nothing else changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.errors import StateError
from codifica_guard.model.document import Document, Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from codifica_guard.state.quotes import Quote, find_quotes, put_quotes
from codifica_guard.state.yaml import read_block

HEAD = "- id: A-1\n  type: build\n  state: todo\n  owner: unassigned\n"
FIELD = HEAD + "  title: {}\n  priority: low\n"
ITEM = HEAD + "  title: t\n  acceptance:\n    - {}\n    - second\n"
NOTE = HEAD + "  title: t\n  execution_notes:\n    - note: {}\n      by: x\n"


def document(*blocks: str) -> bytes:
    return ("# Work\n\n```yaml\n" + "\n".join(blocks) + "```\n\nThe end.\n").encode()


def quotes(data: bytes) -> tuple[Quote, ...]:
    return tuple(quote for block in read(data).blocks for quote in find_quotes(block))


def read(data: bytes) -> Document:
    found = split(RepoPath(b"work.md"), data)
    assert found.splittable, found.faults
    return found


def task(data: bytes, number: int = 0) -> Task:
    found = read_block(read(data).blocks[number].raw)
    assert isinstance(found, Task), found
    return found


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("`x` now", '"`x` now"'),
        ("@x", '"@x"'),
        ("Fix: the form", '"Fix: the form"'),
        ("a: b: c", '"a: b: c"'),
        ("ends:", '"ends:"'),
        ("ends: ", '"ends:" '),
        ("[draft] Fix", '"[draft] Fix"'),
        ("{a} b", '"{a} b"'),
        ("%x", '"%x"'),
        ("* star", '"* star"'),
        ("*", '"*"'),
        ("**Bold** words", '"**Bold** words"'),
        ("*so*: it is", '"*so*: it is"'),
        ("> x", '"> x"'),
        ('"Foo" bar', "'\"Foo\" bar'"),
        ('"open', "'\"open'"),
        ("'it's", "\"'it's\""),
        ('`say "hi"` it\'s \\n', "'`say \"hi\"` it''s \\n'"),
        ("`x` # a comment", '"`x`" # a comment'),
        ("`x` #12", '"`x` #12"'),
        ("`\u00fc`", '"`\u00fc`"'),
    ],
)
def test_a_value_is_quoted_and_is_the_text_that_stood_there(value: str, quoted: str) -> None:
    data = document(FIELD.format(value))
    (quote,) = quotes(data)
    assert (quote.line, quote.before, quote.after) == (8, f"  title: {value}", f"  title: {quoted}")
    assert quote.fault.code == ("ST103" if value.startswith("*") and value[1:2].strip() else "ST101")
    mended = put_quotes(data, [quote])
    assert mended == data.replace(f"title: {value}\n".encode(), f"title: {quoted}\n".encode())
    assert task(mended).data["title"] == value.partition(" # ")[0].rstrip(" ")
    assert task(mended).data["priority"] == "low"


def test_an_item_of_a_list_is_quoted_whole() -> None:
    for value in ("`x`", "Links: they end: soon", "**Bold**: so"):
        data = document(ITEM.format(value))
        assert task(put_quotes(data, quotes(data))).data["acceptance"] == [value, "second"]


def test_a_field_behind_a_dash_keeps_its_name() -> None:
    data = document(NOTE.format("went: well"))
    assert task(put_quotes(data, quotes(data))).data["execution_notes"] == [{"note": "went: well", "by": "x"}]


def test_several_lines_of_one_task_are_found_together() -> None:
    data = document(FIELD.format("`a`").replace("low", "`b`"), FIELD.replace("A-1", "A-2").format("`c`"))
    found = quotes(data)
    assert [quote.line for quote in found] == [8, 9, 15]
    mended = put_quotes(data, found[:2])
    assert (task(mended).data["title"], task(mended).data["priority"]) == ("`a`", "`b`")
    assert len(quotes(mended)) == 1


@pytest.mark.parametrize(
    "block",
    [
        FIELD.format("fine"),
        FIELD.format("tab\there: x"),
        FIELD.format("`x`\n    and more"),
        FIELD.format("&a b"),
        FIELD.format("`x`").replace("low", "*b").replace("title", "f: &b c\n  title"),
        FIELD.format("*b\n  g: &b c"),
        FIELD.format("!now b"),
        FIELD.format("`x`\n  title: y"),
        HEAD + "  title: t\n   priority: low\n",
        HEAD + "  title: t\n  acceptance:\n    - ok\n   - `x`\n",
        HEAD + '  title: "a\n  priority: "b\n',
        HEAD + "".join(f"  f{number}: `x`\n" for number in range(51)),
        HEAD + "  `x`: t\n",
    ],
)
def test_what_quotes_alone_do_not_mend_is_left_alone(block: str) -> None:
    assert quotes(document(block)) == ()


def test_line_ends_stay() -> None:
    data = document(FIELD.format("`x`")).replace(b"\n", b"\r\n")
    assert put_quotes(data, quotes(data)) == data.replace(b"`x`", b'"`x`"')


def test_a_document_that_has_changed_is_not_edited() -> None:
    data = document(FIELD.format("`x`"))
    with pytest.raises(StateError, match="line 8"):
        put_quotes(data.replace(b"`x`", b"`y`"), quotes(data))


def test_half_of_a_task_is_not_quoted() -> None:
    data = document(FIELD.format("`a`").replace("low", "`b`"))
    with pytest.raises(StateError, match="same tasks"):
        put_quotes(data, quotes(data)[:1])


def test_a_line_outside_of_the_tasks_is_not_quoted() -> None:
    data = document(FIELD.format("`x`"))
    fault = quotes(data)[0].fault
    with pytest.raises(StateError, match="same tasks"):
        put_quotes(data, [Quote(line=1, before="# Work", after='"# Work"', fault=fault)])


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=30))
def test_whatever_stands_there_no_value_is_made_up(value: str) -> None:
    data = document(FIELD.format(value))
    found = split(RepoPath(b"work.md"), data)
    for block in found.blocks:
        for quote in find_quotes(block):
            held = task(put_quotes(data, [quote])).data["title"]
            assert value.startswith(held) or value.strip(" ").startswith(held)
