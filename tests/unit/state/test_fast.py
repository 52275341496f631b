"""The fast reader: what it takes, and where it asks for the full parser."""

import subprocess
import sys

import pytest

from codifica_guard import limits
from codifica_guard.state.fast import read_plain
from codifica_guard.state.strict import read_strict

HEAD = "- id: A\n"
TASK = """\
- id: FEAT-101
  type: build
  state: in_progress
  owner: agent:builder

  title: 'Add it''s page'
  # a comment
  priority: high
  description: >
    One line
    and another

    and more
  acceptance:
    - It works
    - "It is: tested"
  depends_on: []
  labels: [web, api]
  derived_from: ~
  context:
    files:
    - src/a.py
    constraints: {}
  claimed_at: 2026-02-10T09:15:00Z
  execution_notes:
    - by: agent:builder
      note: |
        Read it

          all
      summary: "Say \\"hi\\""
      provenance:
        session_id: s-1
    - by: agent:writer
      note: |-
        ünïcode
  empty:
  ready: true
  human_review: null
"""


def test_an_ordinary_task_is_read_as_the_full_parser_reads_it() -> None:
    task = read_plain(TASK.encode())
    assert task is not None
    assert task == read_strict(TASK.encode())
    assert list(task.lines)[-1] == "human_review"


@pytest.mark.parametrize(
    "rest",
    [
        "  x: a\n    b\n", "  x: 'a\n    b'\n", "  x: a # b\n", "  x: 'a' # b\n", "  x: a: b\n", "  x: a:\n", "  x: &a b\n", "  x: !t b\n", "  x: `a`\n", "  x: |+\n    a\n",
        "  x: |2\n    a\n", "  x: |\n\n    a\n", "  x: |\n  y: a\n", "  x: |\n   state: a\n", "  x: >\n    a\n     b\n", "  x: >-\n    a\n    \n     b\n", '  x: "\\x41"\n',
        "  x: [a: b]\n", "  x: {a: b}\n", "  x:\n  - a\n    b\n", "  x:\n    - a\n   - b\n", "  x:\n    - a\n      - b\n", "  x:\n    - - a\n", "   x: a\n", " x: a\n", "x: a\n",
        "  id: B\n", "  x: a\n  x: b\n", "  null: a\n", "  - a\n", "  a b: c\n", "  a\n", "  x:\n    a\n", "  x:\n    y: a\n   z: b\n", "  x:\n    -  a: b\n", "  x:\n    -\n", "  x: -a\n",
        "  state: no\n", "  owner: |\n    a\n", "  state: >-\n    a\n", "  owner: é\n", '  owner: "a\\n"\n', "  x: a\tb\n", "  x: a\r\n", "  x: a", "  x: \u2028\n", "  x: \x00\n", "- id: B\n", "  x:\n" + "".join(" " * n + "- x:\n" for n in range(4, 90, 4)),
        "  x:\n" + "".join(" " * n + "x:\n" for n in range(4, 90, 2)), "".join(" " * n + "x:\n" for n in range(2, 42, 2)) + " " * 42 + "- a\n", "  x:\n    - a\n    y: b\n", "  x:\n    - y: a\n       z: b\n", "  x: a\n    # c\n    b\n", "  x: |\n    a\n   b\n",
    ],
)  # fmt: skip
def test_what_is_out_of_the_subset_is_left_to_the_full_parser(rest: str) -> None:
    assert read_plain((HEAD + rest).encode()) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "id: A\n",
        "- x: A\n",
        "- id:\n",
        "- id: \n",
        "- id: |\n    a\n",
        "- id: [A]\n",
        "# c\n- id: A\n",
        "  - id: A\n",
        "- id: A: b\n",
        "- a\n",
        "- id: no\n",
        '- id: "\\n"\n',
    ],
)
def test_a_head_of_another_form_is_left_to_the_full_parser(text: str) -> None:
    assert read_plain(text.encode()) is None


def test_bytes_that_are_no_text_and_blocks_past_the_limit_are_left_to_the_full_parser() -> None:
    assert read_plain(HEAD.encode() + b"  x: \xff\n") is None
    assert read_plain(HEAD.encode() + b"  x: " + b"a" * limits.BLOCK_BYTES + b"\n") is None


@pytest.mark.parametrize(
    "rest",
    [
        "  x: \n",
        "  x:   a  \n",
        "  x: ''\n",
        '  x: "\\\\\\n"\n',
        "  x: [null, true,a]\n",
        "  x:\n    - \n    - null\n",
        "  x: |\n    a\n\n",
        "  x: |\n    # a\n    \n      b\n  # c\n",
        "  x: >-\n    a\n\n\n    b\n\n",
        "  x:\n  - y:\n    - a\n",
        "  x:\n    - y: a\n\n      z: b\n",
        "  x: é\n",
    ],
)
def test_these_are_read_alike(rest: str) -> None:
    task = read_plain((HEAD + rest).encode())
    assert task is not None
    assert task == read_strict((HEAD + rest).encode())


def test_reading_an_ordinary_task_imports_no_yaml_library() -> None:
    program = (
        "import sys; from codifica_guard.state.blocks import split; from codifica_guard.state.yaml import read_block;"
        f"data = b'```yaml\\n' + {TASK.encode()!r} + b'```\\n';"
        "task = read_block(split(b'work.md', data).blocks[0].raw); assert task.state == 'in_progress';"
        "bad = [m for m in ('ruamel', 'ruamel.yaml', 'pydantic', 'dulwich', 'json') if m in sys.modules]; assert not bad, bad"
    )
    subprocess.run([sys.executable, "-I", "-c", program], check=True, timeout=30)
