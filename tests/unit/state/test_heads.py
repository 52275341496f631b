"""Ids that do not stand first: put there by moving one line, and nothing else."""

import pytest

from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from codifica_guard.state.heads import put_ids_first

LAST = "- id: Z-1\n  type: build\n"


def document(*blocks: str) -> bytes:
    return ("# Work\n\n```yaml\n" + "\n".join(blocks) + "```\n\nThe end.\n").encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- type: build\n  id: A-1 # mine\n  state: todo\n", "- id: A-1 # mine\n  type: build\n  state: todo\n"),
        ("- # first\n  id: A-1\n  type: x\n", "- id: A-1\n  # first\n  type: x\n"),
        ('- "id": A-1\n  type: x\n', "- id: A-1\n  type: x\n"),
        ("- id : 'A-1'\n  type: x\n", "- id: 'A-1'\n  type: x\n"),
        ("- \n  id: A-1\n  type: x\n", "- id: A-1\n  type: x\n"),
        (
            "- type: x\n  notes:\n    - id: B\n  id: A-1\n# below\n\n",
            "- id: A-1\n  type: x\n  notes:\n    - id: B\n# below\n\n",
        ),
        ("- type: x\n# between\n  id: A-1\n", "- id: A-1\n  type: x\n# between\n"),
    ],
)
def test_the_id_goes_to_the_head_and_other_lines_stay(before: str, after: str) -> None:
    for end in ("\n", "\r\n"):
        data, heads = put_ids_first(document(before, LAST).replace(b"\n", end.encode()))
        assert data == document(after, LAST).replace(b"\n", end.encode())
        assert [(head.line, head.id) for head in heads] == [(4, "A-1")]
        found = split(RepoPath(b"work.md"), data)
        assert [block.id for block in found.blocks] == ["A-1", "Z-1"]


@pytest.mark.parametrize(
    "block",
    [
        LAST,
        "-   id: A-1\n    type: x\n",
        "- id:\n    A-1\n  type: x\n",
        "- {id: A-1}\n",
        "- type: x\n  id:\n",
        "- type: x\n  id: >\n    A-1\n",
        "- type: `x`\n  id: A-1\n",
        "- type: x\n  id: A-1\n  id: A-2\n",
        "- type: x\n  id: &a A-1\n",
        "- title: |+\n    a\n    id: B\n\n  id: A-1\n",
        "- type: x\n",
        "- just text\n",
        "text\n",
        "# nothing\n",
    ],
)
def test_what_that_does_not_mend_is_left(block: str) -> None:
    for data in (document(LAST.replace("Z", "Y"), block), document(block)):
        assert put_ids_first(data) == (data, ())


@pytest.mark.parametrize("odd", [b"\xff", b"\x00", b"\n<<<<<<< a\n=======\n>>>>>>> b\n"])
def test_bytes_that_are_no_text_and_two_versions_are_left(odd: bytes) -> None:
    data = document("- type: x\n  id: A-1\n") + odd
    assert put_ids_first(data) == (data, ())


def test_several_are_put_first_at_once() -> None:
    data, heads = put_ids_first(document("- type: x\n  id: A-1\n", LAST, "- type: x\n  id: A-2\n"))
    assert [(head.line, head.id) for head in heads] == [(4, "A-1"), (10, "A-2")]
    assert data == document("- id: A-1\n  type: x\n", LAST, "- id: A-2\n  type: x\n")
