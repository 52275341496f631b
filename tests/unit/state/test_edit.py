"""Edits: what changes in the text, what stays, and what cannot be edited."""

from typing import Any

import pytest

from codifica_guard.errors import StateError
from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from codifica_guard.state.edit import add_block, edit_block, render_task, replace_block, take_block
from codifica_guard.state.yaml import read_block

CLAIM = {
    "from": "todo",
    "to": "in_progress",
    "by": "agent:b",
    "reason": 'Claims: "it" # 1',
    "timestamp": "2026-03-01T10:00:00Z",
    "provenance": {"session_id": "s-1"},
}
CLAIMED = """\
    - from: todo
      to: in_progress
      by: agent:b
      reason: "Claims: \\"it\\" # 1"
      timestamp: 2026-03-01T10:00:00Z
      provenance:
        session_id: s-1
"""
NASTY = """\
- id:   A   # the id
  state: "todo"      # where it is
  'owner':  'human:x'

  # about the title
  title: Fix
    it
  custom: {a: [1,  2]}
  note: >-
      folded

      text
  state_transitions:
  -  from: x   # odd
     to: y
"""


def test_a_claim_changes_just_its_lines() -> None:
    edited = edit_block(
        NASTY.encode(),
        sets={"state": "in_progress", "owner": "agent:b", "claimed_at": "2026-03-01T10:00:00Z"},
        append={"state_transitions": [CLAIM]},
    ).decode()
    assert edited == NASTY.replace('"todo"', "in_progress").replace("'human:x'", "agent:b").replace(
        "    it\n", "    it\n  claimed_at: 2026-03-01T10:00:00Z\n"
    ) + CLAIMED.replace("    ", "  ", 1).replace("\n      ", "\n    ")


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ("  state: todo\n", {"sets": {"state": "todo"}}, "  state: todo\n"),
        ("  x: 'a'\n", {"sets": {"x": "a"}}, "  x: 'a'\n"),
        ("  x: a # c\n", {"sets": {"x": None}}, "  x: null # c\n"),
        ("  x: a\n", {"sets": {"x": True}}, "  x: true\n"),
        ("  x: true\n", {"sets": {"x": False}}, "  x: false\n"),
        ("  x:\n  y: b\n", {"sets": {"x": "a"}}, "  x: a\n  y: b\n"),
        ("  x: # c\n", {"sets": {"x": "a"}}, "  x: a # c\n"),
        ("  x: |\n    a\n    b\n\n  y: b\n", {"sets": {"x": "a"}}, "  x: a\n\n  y: b\n"),
        ("  x: a\n    b\n  y: b\n", {"sets": {"x": "a"}}, "  x: a\n  y: b\n"),
        ("  'x':  a\n", {"sets": {"x": "a\nb"}}, "  'x': |-\n    a\n    b\n"),
        ('  "x: y":  a\n', {"sets": {"x: y": ["b"]}}, '  "x: y":\n    - b\n'),
        ("  x: [a, b]\n", {"sets": {"x": []}}, "  x: []\n"),
        ("  x:\n    - a\n  y: b\n", {"sets": {"x": {"k": {"l": "v"}}}}, "  x:\n    k:\n      l: v\n  y: b\n"),
        (
            "  human_review: null\n  state_transitions: []\n",
            {"sets": {"human_review": {"status": "pass", "notes": ["Tried it"]}}},
            "  human_review:\n    status: pass\n    notes:\n      - Tried it\n  state_transitions: []\n",
        ),
        (
            "  title: a\n  z: b\n",
            {"sets": {"state": "todo", "type": "build", "new": "x", "acceptance": ["a"]}},
            "  type: build\n  state: todo\n  title: a\n  acceptance:\n    - a\n  z: b\n  new: x\n",
        ),
        ("  x: a\n  # c\n  y: b\n", {"drop": ["x", "gone"]}, "  # c\n  y: b\n"),
        ("  x: |\n    a\n  y: b\n", {"drop": ["y"]}, "  x: |\n    a\n"),
        ("  x: a\n  y: b\n", {"drop": ["x"], "sets": {"x": "c"}}, "  y: b\n  x: c\n"),
        (
            "  x: []\n  y: b\n",
            {"append": {"x": ["a", {"k": "v", "l": "w"}]}},
            "  x:\n    - a\n    - k: v\n      l: w\n  y: b\n",
        ),
        ("  x:\n  # c\n  y: b\n", {"append": {"x": ["a"]}}, "  x:\n    - a\n  # c\n  y: b\n"),
        ("  x: null # c\n", {"append": {"x": ["a"]}}, "  x: # c\n    - a\n"),
        ("  x: null\n", {"append": {"x": []}}, "  x: []\n"),
        ("  x:\n", {"append": {"x": []}}, "  x: []\n"),
        ("  x: [a]\n", {"append": {"x": []}}, "  x: [a]\n"),
        ("  x: [a, 'b']\n", {"append": {"x": ["c"]}}, "  x: [a, 'b', c]\n"),
        ("  x: [a, ] # c\n  y: b\n", {"append": {"x": ["c", "d"]}}, "  x: [a, c, d, ] # c\n  y: b\n"),
        (
            "  x: [{from: todo, to: done},\n      {k: v}\n    ]\n  y: b\n",
            {"append": {"x": [{"at": "2026-11-30T18:58:38Z", "note": "a, [b]", "p": {"s": "x: y", "l": ["m", None]}}]}},
            '  x: [{from: todo, to: done},\n      {k: v}, {at: 2026-11-30T18:58:38Z, note: "a, [b]", p: {s: "x: y", l: [m, null]}}\n    ]\n  y: b\n',
        ),
        (
            "  x: [a]\n",
            {"append": {"x": [{}, [], 'say "}"', "two\nlines"]}},
            '  x: [a, {}, [], "say \\"}\\"", "two\\nlines"]\n',
        ),
        ("  x:\n  - a\n\n  # c\n  y: b\n", {"append": {"x": ["c"]}}, "  x:\n  - a\n  - c\n\n  # c\n  y: b\n"),
        (
            "  x:\n      - k: |+\n          a\n\n  y: b\n",
            {"append": {"x": [{}]}},
            "  x:\n      - k: |+\n          a\n\n      - {}\n  y: b\n",
        ),
        ("  x:\n    -\n  y: b\n", {"append": {"x": [[]]}}, "  x:\n    -\n    - []\n  y: b\n"),
        ("  title: a\n", {"append": {"labels": ["web"]}}, "  title: a\n  labels:\n    - web\n"),
        ("  title: a\n", {"append": {"labels": []}}, "  title: a\n  labels: []\n"),
        ("  x:\n    k:\n\n  y: b\n", {"sets": {"x": "a"}}, "  x: a\n\n  y: b\n"),
        (
            "  x:\n    k: v\n    l:\n      - a\n",
            {"sets": {"state_transitions": []}},
            "  state_transitions: []\n  x:\n    k: v\n    l:\n      - a\n",
        ),
    ],
)
def test_an_edit_changes_just_its_lines(before: str, edit: dict[str, Any], after: str) -> None:
    head = "- id: A\n"
    assert edit_block((head + before).encode(), **edit).decode() == head + after
    windows = edit_block((head + before).replace("\n", "\r\n").encode(), **edit).decode()
    assert windows == (head + after).replace("\n", "\r\n")


def test_a_missing_final_line_end_stays_missing_where_it_can() -> None:
    assert (
        edit_block(b"- id: A\n  state: todo", sets={"state": "done", "title": "x"})
        == b"- id: A\n  state: done\n  title: x"
    )
    assert edit_block(b"- id: A\r\n  x: y", append={"labels": ["a"]}) == b"- id: A\r\n  labels:\r\n    - a\r\n  x: y"
    assert edit_block(b"- id: A\n  x: y", sets={"x": "a\nb\n"}) == b"- id: A\n  x: |\n    a\n    b\n"


def test_the_id_can_be_set() -> None:
    assert edit_block(b"- id: A # c\n  x: y\n", sets={"id": "B"}) == b"- id: B # c\n  x: y\n"


@pytest.mark.parametrize(
    ("raw", "edit", "why"),
    [
        (b"- id: A\n  x: &a b\n", {}, "anchor"),
        (b"- id: \xff\n", {}, "UTF-8"),
        (b"- id: A\n", {"sets": {"x": 1}}, "int"),
        (b"- id: A\n", {"sets": {"x": [["a"]]}}, "list"),
        (b"- id: A\n", {"sets": {"x": "a\x00"}}, "character"),
        (b"- id: A\n", {"sets": {"x\x07": "a"}}, "character"),
        (b"- id: A\n", {"sets": {"": "a"}}, "could not be read"),
        (b"- id: A\n", {"sets": {"owner": "\u00e9"}}, "could not be read"),
        (b"- id: A\n", {"drop": ["id"]}, "could not be read"),
        (b"- id: A\n  x: y\n", {"append": {"x": ["a"]}}, "no list"),
        (b"- id: A\n", {"append": {"x": ["a"]}, "sets": {"x": []}}, "at once"),
        (b"- id: A\n  x: |\n    a", {"sets": {"y": "b"}}, "more than was asked"),
    ],
)
def test_what_cannot_be_edited_is_an_error_with_a_reason(raw: bytes, edit: dict[str, Any], why: str) -> None:
    with pytest.raises(StateError, match=why):
        edit_block(raw, **edit)


def test_a_fresh_task_is_written_in_the_order_of_the_protocol() -> None:
    data = {
        "x": "z", "state_transitions": [], "depends_on": ["A-1"], "title": "Fix: it", "id": "101", "owner": "unassigned", "type": "build", "state": "todo",
        "description": "Two\n\n  lines\n", "human_review": None, "context": {"files": ["a.py"], "notes": {}}, "labels": ["no", "010", "web"], "ready": True,
    }  # fmt: skip
    raw = render_task(data)
    assert raw.decode() == (
        '- id: "101"\n  type: build\n  state: todo\n  owner: unassigned\n  title: "Fix: it"\n  description: |\n    Two\n\n      lines\n'
        '  depends_on:\n    - A-1\n  labels:\n    - "no"\n    - "010"\n    - web\n  context:\n    files:\n      - a.py\n    notes: {}\n'
        "  human_review: null\n  state_transitions: []\n  x: z\n  ready: true\n"
    )
    task = read_block(raw)
    assert isinstance(task, Task)
    assert task.data == data


@pytest.mark.parametrize("data", [{}, {"id": ""}, {"id": None}, {"id": "a\nb"}, {"id": "A", "x": 1.5}])
def test_a_task_that_cannot_be_written_is_an_error(data: dict[str, Any]) -> None:
    with pytest.raises(StateError):
        render_task(data)


@pytest.mark.parametrize(
    "text",
    [
        "a\n\nb",
        "\na",
        "a\n",
        "a\n\n",
        " a\nb",
        "a\n \nb",
        "a\n\tb",
        "a\r\nb",
        "id: x\ny",
        "a\n- state: x",
        "# a\nb",
        "```\nb",
        "- a\n- b",
        "é\n🙂",
        "a\tb",
        "\n",
        "a: b\\\n\"q\" 'x'",
    ],
)
def test_texts_of_several_lines_come_back_as_they_were(text: str) -> None:
    raw = render_task({"id": "A", "note": text, "list": [text]})
    task = read_block(raw)
    assert isinstance(task, Task)
    assert task.data == {"id": "A", "note": text, "list": [text]}
    assert task.warnings == ()
    document = split(RepoPath(b"w"), b"```yaml\n" + raw + b"```\n")
    assert [block.raw for block in document.blocks] == [raw]


def test_a_block_keeps_the_line_ends_of_its_lines() -> None:
    data = b"# x\r\n```yaml\n- id: A\r\n  x: a\n  y: b\r\n  z: c\n\n```\r\n"
    block = split(RepoPath(b"w"), data).blocks[0]
    new = block.raw.replace(b"y: b\n", b"y: d\n  w: e\n")
    assert replace_block(data, block, new) == data.replace(b"  y: b\r\n", b"  y: d\r\n  w: e\r\n")
    assert replace_block(data, block, b"") == b"# x\r\n```yaml\n\n```\r\n"
    assert replace_block(data, block, b"- id: B") == b"# x\r\n```yaml\n- id: B\r\n\n```\r\n"
    plain = data.replace(b"\r\n", b"\n")
    block = split(RepoPath(b"w"), plain).blocks[0]
    assert replace_block(plain, block, b"- id: B\r\n  x: y\r\n") == b"# x\n```yaml\n- id: B\n  x: y\n\n```\n"


@pytest.mark.parametrize(
    ("inside", "fence", "after"),
    [
        ("", -1, "- id: Z\n"),
        ("- id: A\n", -1, "- id: A\n\n- id: Z\n"),
        ("- id: A\n\n", 1, "- id: A\n\n- id: Z\n"),
        ("- id: A\n \n# c\n", -1, "- id: A\n \n# c\n\n- id: Z\n"),
        ("\n", -1, "\n- id: Z\n"),
    ],
)
def test_a_new_block_goes_to_the_end_of_its_fence(inside: str, fence: int, after: str) -> None:
    text = "```yaml\n- id: B\n```\nprose\n~~~yml\n{}~~~\n"
    for end in ("\n", "\r\n"):
        data = text.format(inside).replace("\n", end).encode()
        added = add_block(data, b"- id: Z\n", fence=fence)
        assert added == text.format(after).replace("\n", end).encode()
        assert split(RepoPath(b"w"), added).frame == split(RepoPath(b"w"), data).frame


@pytest.mark.parametrize(
    ("data", "fence"), [(b"# x\n", -1), (b"```yaml\n```\n", 1), (b"```yaml\n```\n", -2), (b"```yaml\n", -1)]
)
def test_a_document_without_that_fence_takes_no_block(data: bytes, fence: int) -> None:
    with pytest.raises(StateError):
        add_block(data, b"- id: Z\n", fence=fence)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize(
    ("text", "ident", "left"),
    [
        ("- id: A\n  t: 1\n\n- id: B\n\n- id: C\n", "A", "- id: B\n\n- id: C\n"),
        ("- id: A\n  t: 1\n\n- id: B\n\n- id: C\n", "B", "- id: A\n  t: 1\n\n- id: C\n"),
        ("- id: A\n\n- id: B\n\n- id: C\n", "C", "- id: A\n\n- id: B\n"),
        ("- id: A\n- id: B\n- id: C\n", "B", "- id: A\n- id: C\n"),
        ("- id: A\n\n\n# B\n- id: B\n\n# C\n- id: C\n", "B", "- id: A\n\n\n# B\n\n# C\n- id: C\n"),
        ("# all\n\n- id: A\n", "A", "# all\n"),
        ("\n- id: A\n\n", "A", "\n"),
        ("- id: A\n", "A", ""),
    ],
)
def test_a_block_is_taken_with_the_gap_that_parted_it(text: str, ident: str, left: str, end: bytes) -> None:
    data = f"# W\n\n```yaml\n{text}```\nEnd.".encode().replace(b"\n", end)
    block = next(b for b in split(RepoPath(b"w"), data).blocks if b.id == ident)
    assert take_block(data, block) == f"# W\n\n```yaml\n{left}```\nEnd.".encode().replace(b"\n", end)
