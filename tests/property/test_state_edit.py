"""Editing a block gives the edit and leaves every other line as it was."""

from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from codifica_guard.errors import StateError
from codifica_guard.model.document import Fault, Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from codifica_guard.state.edit import add_block, edit_block, render_task, replace_block
from codifica_guard.state.fields import FIELDS
from codifica_guard.state.yaml import read_block
from tests.property.test_state_yaml import blocks

TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "null",
            "no",
            "010",
            "a: b",
            "a #b",
            "x:",
            "- a",
            "",
            " a",
            "line\nmore",
            "line\n\n  deep\n",
            "id: B\nx",
            '"q"',
            "'",
            "\\",
            "`c`",
            "2026-01-01",
            "1e3",
            "\n",
            "a\n",
        ]
    ),
).filter(lambda text: text.isprintable() or text.isspace() or "\n" in text)
VALUES = st.one_of(
    TEXTS, st.none(), st.booleans(), st.lists(TEXTS, max_size=2), st.dictionaries(TEXTS.filter(bool), TEXTS, max_size=2)
)
ITEMS = st.one_of(
    TEXTS,
    st.dictionaries(
        st.sampled_from(["by", "note", "timestamp"]),
        st.one_of(TEXTS, st.dictionaries(st.just("session_id"), TEXTS, max_size=1)),
        min_size=1,
        max_size=3,
    ),
)
NAMES = st.sampled_from(
    [name for name in FIELDS if name not in {"id", "state", "owner"}] + ["title", "note", "x_y", "new field", "labels"]
)


def sound(value: Any) -> bool:
    """Whether a value may stand in a document: one that may not is refused, which is another test's matter."""
    try:
        return isinstance(read_block(render_task({"id": "A", "x": value})), Task)
    except StateError:
        return False


@settings(max_examples=80, deadline=None)
@given(
    blocks(),
    st.dictionaries(NAMES, VALUES.filter(sound), max_size=3),
    st.lists(NAMES, max_size=2),
    st.dictionaries(NAMES, st.lists(ITEMS.filter(sound), max_size=2), max_size=2),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_an_edit_gives_what_was_asked_for_and_touches_nothing_else(
    lines: list[str],
    sets: dict[str, Any],
    drop: list[str],
    append: dict[str, list[Any]],
    end: str,
    closed: bool,  # noqa: FBT001
) -> None:
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    assume(lines)
    raw = (end.join(lines) + (end if closed else "")).encode()
    before = read_block(raw)
    assume(isinstance(before, Task))
    assert isinstance(before, Task)
    # A block scalar at the very end has its line end by the file's: what is put behind it gives it one.
    assume(closed or read_block(raw + end.encode()) == before)
    assume(not set(sets) & set(append))
    assume(all(before.data.get(name) is None or name in drop or isinstance(before.data[name], list) for name in append))
    after = read_block(edited := edit_block(raw, sets=sets, drop=drop, append=append))
    assert isinstance(after, Task)
    wanted = {name: value for name, value in before.data.items() if name not in drop}
    wanted |= {name: [*(wanted.get(name) or []), *items] for name, items in append.items()}
    assert after.data == wanted | sets
    assert edited.endswith(b"\n") or not closed
    touched = {*sets, *drop, *append}
    first = [n for n in before.data if n not in touched]
    assert [n for n in after.data if n not in touched] == first
    # Each line of a field that was left alone is there, byte for byte.
    kept = edited.splitlines()
    for name, following in zip(before.data, [*list(before.data)[1:], None], strict=True):
        if name not in touched:
            stop = before.lines[following] - 1 if following else len(lines)
            at = after.lines[name] - 1
            part = [
                line
                for line in raw.splitlines()[before.lines[name] - 1 : stop]
                if line.strip() and not line.lstrip().startswith(b"#")
            ]
            found = [
                line
                for line in kept[at : at + stop - before.lines[name] + 1]
                if line.strip() and not line.lstrip().startswith(b"#")
            ]
            assert found[: len(part)] == part


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAMES, st.one_of(VALUES, st.lists(ITEMS, max_size=2)), max_size=5))
def test_a_rendered_task_reads_back(fields: dict[str, Any]) -> None:
    data = {"id": "FEAT-1", **fields}
    try:
        raw = render_task(data)
    except StateError:
        return
    reading = read_block(raw)
    if isinstance(reading, Task):
        assert reading.data == data
        assert not reading.warnings
    else:
        assert reading.code == "ST108"


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "- id: A",
                "  title: x",
                "  note: |",
                "    text",
                "",
                "# c",
                "```",
                "```yaml",
                "prose",
                "- id: B",
                "~~~ yml",
                "~~~",
            ]
        ),
        max_size=16,
    ),
    st.lists(st.sampled_from(["\n", "\n", "\r\n"]), min_size=16, max_size=16),
)
@example(["```yaml", "- id: A", "# c", "```"], ["\n"] * 16)
@example(["```yaml", "- id: A", "", "```"], ["\r\n"] * 16)
@example(["~~~ yml", "- id: A", "    text", "~~~"], ["\n"] * 16)
def test_a_block_goes_back_in_its_place(lines: list[str], ends: list[str]) -> None:
    data = "".join(line + end for line, end in zip(lines, ends, strict=False)).encode()
    document = split(RepoPath(b"w"), data)
    for block in document.blocks:
        assert replace_block(data, block, block.raw) == data
        if isinstance(read_block(block.raw), Fault):
            continue
        new = edit_block(block.raw, sets={"priority": "high"})
        changed = replace_block(data, block, new)
        assert changed.startswith(data[: block.start])
        assert changed.endswith(data[block.end :])
        again = split(RepoPath(b"w"), changed)
        assert [b.raw for b in again.blocks] == [new if b is block else b.raw for b in document.blocks]
        assert again.frame == document.frame
    if document.splittable and document.blocks:
        more = split(RepoPath(b"w"), add_block(data, b"- id: Z\n  title: new\n", fence=document.blocks[-1].fence))
        place = document.blocks.index(document.blocks[-1]) + 1
        assert [b.raw for b in more.blocks] == [*(b.raw for b in document.blocks[:place]), b"- id: Z\n  title: new\n"]
        assert more.frame == document.frame
