"""Reading blocks: the fast reader equals the strict one, blocks equal their whole fence, and no bytes raise."""

import re
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.tag import Tag

from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from codifica_guard.state.fast import read_plain
from codifica_guard.state.scalars import TYPED
from codifica_guard.state.strict import read_strict
from codifica_guard.state.yaml import read_block

PATH = RepoPath(b"work.md")
NAMES = st.sampled_from(
    [
        "state",
        "owner",
        "title",
        "note",
        "from",
        "by",
        "labels",
        "x_y",
        "a-b",
        "on",
        "Größe",
        "1",
        "timestamp",
        "reason",
        "summary",
    ]
)
ODD_NAMES = st.sampled_from(["null", "true", "<<", '"q"', "'s t'", "id", "a b", "оwner"])  # noqa: RUF001
SOUND = st.sampled_from(
    [
        "todo", "agent:builder", "Fix #12 now", "a # b", "", " ", "1e", "2026-01-02T03:04:05Z", '"quoted"', '"a: b # c"', "'it''s'",
        '"a\\nb"', '"\\x41"', "[]", "{}", "[a, b]", "[a,b ]", "[null, x]", "{a: b}", "ünïcode", "a\u00a0b", "\u200b", "...", "a  b", "a ", "  a",
        "(x)", "/p/q.py", ".5", "a, b", "x]", "#c", "http://a.b/c#d", "🙂", "-x", ":x", "?x", "a:b", "text of some words",
    ]
)  # fmt: skip
ODD = st.sampled_from(
    [
        "Fix it: now", "x:", "null", "~", "true", "no", "010", "12:30", "1_000", '"\\"', '"open', "'open", '"a" b', "[a: b]", "- x", "?", "? x", ":", "|",
        "|-", ">", ">-", "|+", "|2", "> # c", "`code`", "@a", "%x", "&a", "*a", "!t", "x\ty", "--- x", "=", "]",
    ]
)  # fmt: skip
VALUES = st.integers(0, 19).flatmap(lambda n: SOUND if n else ODD)
ANY_NAMES = st.integers(0, 29).flatmap(lambda n: NAMES if n else ODD_NAMES)
BLANKS = st.sampled_from(["", " ", "  ", "   ", "    ", "     ", "      "])
LINES = st.one_of(
    st.builds(lambda i, k, v: f"{i}{k}: {v}", BLANKS, NAMES, VALUES),
    st.builds(lambda i, k: f"{i}{k}:", BLANKS, NAMES),
    st.builds(lambda i, v: f"{i}- {v}", BLANKS, VALUES),
    st.builds(lambda i, k, v: f"{i}- {k}: {v}", BLANKS, NAMES, VALUES),
    st.builds(lambda i, v: i + v, BLANKS, VALUES),
    st.sampled_from(["", "# c", "  # c", "      ", "\t", "  \t"]),
)


@st.composite
def values(draw: st.DrawFn, depth: int, indent: str) -> list[str]:
    """A value as the end of a `key:` line and the lines below it."""
    kind = draw(st.integers(0, 5 if depth else 2))
    if kind <= 1:
        return [" " + draw(VALUES)]
    if kind == 2:
        header = draw(st.sampled_from(["|", "|-", ">", ">-", "|+", ">+"]))
        body = draw(
            st.lists(
                st.sampled_from(
                    ["text", "more text", "", "  deep", "id: B", "- id: B", "state: x", "   ", "# no comment", "a: b"]
                ),
                max_size=4,
            )
        )
        return [" " + header, *(indent + "  " + line if line else "" for line in body)]
    below = []
    inner = indent + draw(st.sampled_from(["  ", "  ", "    "]))
    if kind == 3:
        inner = draw(st.sampled_from([indent, inner]))
        below += [inner + "- " + value for value in draw(st.lists(VALUES, min_size=1, max_size=3))]
        return ["", *below]
    lead = inner + "- " if kind == 4 else inner
    for _ in range(draw(st.integers(1, 2)) if kind == 4 else 1):
        for number, name in enumerate(draw(st.lists(ANY_NAMES, min_size=1, max_size=3, unique=True))):
            first, *rest = draw(values(depth - 1, inner + "  " if kind == 4 else inner))
            below += [(lead if number == 0 else " " * len(lead)) + name + ":" + first, *rest]
    return ["", *below]


@st.composite
def blocks(draw: st.DrawFn) -> list[str]:
    """Lines of a block, mostly well formed, then perhaps damaged."""
    lines = [
        "- id: "
        + draw(
            st.sampled_from(
                [
                    *["A"] * 9,
                    "B-1",
                    "101",
                    '"C"',
                    "'D' # c",
                    "E F",
                    "[A]",
                    "|",
                    ">-",
                    "{}",
                    "null",
                    "~",
                    "",
                    '""',
                    "a: b",
                ]
            )
        )
    ]
    for name in draw(st.lists(ANY_NAMES, max_size=4, unique=True)):
        first, *rest = draw(values(2, "  "))
        lines += ["  " + name + ":" + first, *rest]
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1]))):
        where = draw(st.integers(0, len(lines)))
        lines[where : where + draw(st.integers(0, 1))] = [draw(LINES)]
    return lines


def load_whole(text: str) -> Any:
    """A whole fence by ruamel's own loader, which knows no types but null and booleans here."""

    class Resolver(VersionedResolver):
        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            if kind.__name__ == "ScalarNode" and implicit[0]:
                typed = TYPED.get(value, value)
                return Tag(
                    suffix="tag:yaml.org,2002:"
                    + ("null" if typed is None else "bool" if isinstance(typed, bool) else "str")
                )
            return super().resolve(kind, value, implicit)

    yaml = YAML(typ="safe", pure=True)
    yaml.Resolver, yaml.Constructor = Resolver, type("Constructor", (SafeConstructor,), {})
    return yaml.load(text)


@settings(max_examples=250, deadline=None)
@given(blocks())
def test_the_fast_reader_gives_what_the_strict_one_gives(lines: list[str]) -> None:
    raw = ("\n".join(lines) + "\n").encode()
    fast = read_plain(raw)
    if fast is not None:
        strict = read_strict(raw)
        assert fast == strict
        assert isinstance(strict, Task)
        assert list(fast.data) == list(strict.data)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(blocks(), max_size=3),
    st.sampled_from(["", "\n", "# c\n", "      \n", " \n# d\n\n", "\t\n"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_the_blocks_are_what_the_whole_fence_is(tasks: list[list[str]], between: str, end: str) -> None:
    body = between.join("\n".join(lines) + "\n" for lines in tasks) + between
    data = f"# Work\n\n```yaml\n{body}```\n".replace("\n", end).encode()
    document = split(PATH, data)
    assume(document.splittable)
    readings = [read_block(block.raw) for block in document.blocks]
    assume(all(isinstance(reading, Task) for reading in readings))
    assert load_whole(body) == ([dict(r.data) for r in readings if isinstance(r, Task)] or None)
    for block, reading in zip(document.blocks, readings, strict=True):
        assert isinstance(reading, Task)
        assert reading.id == block.id
        assert data[block.start : block.end].replace(b"\r\n", b"\n") == block.raw


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=60), st.lists(LINES, max_size=8).map(lambda lines: "\n".join(lines).encode())))
def test_any_bytes_give_a_document_and_a_reading(data: bytes) -> None:
    document = split(PATH, data)
    assert document.splittable == (not [f for f in document.faults if f.code != "ST111"])
    split(PATH, b"```yaml\n" + data + b"\n```\n")
    for raw in (data, b"- id: A\n  x: " + data):
        reading = read_block(raw)
        assert isinstance(reading, Task) or re.fullmatch("ST10[12378]", reading.code)
