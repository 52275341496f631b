"""The bytes of a join: what each side wrote, as it wrote it."""

from typing import Any

import pytest

from codifica_guard.model.document import Task
from codifica_guard.state.comments import comments_of
from codifica_guard.state.together import together
from codifica_guard.state.yaml import read_block

BASE = b"""\
- id: T-1
  # who
  owner: human:a   # for now
  title: 'A title'
  labels:
    - a
  notes:
    - note: one
      timestamp: 2026-12-01T09:00:00Z
"""


def data(raw: bytes) -> dict[str, Any]:
    task = read_block(raw)
    assert isinstance(task, Task)
    return dict(task.data)


def test_fields_come_as_their_side_wrote_them_with_comments() -> None:
    ours = BASE.replace(b"'A title'", b"Other   # better")
    theirs = BASE.replace(b"human:a   # for now", b'"human:b" # since today').replace(b"# who", b"# whose")
    wanted = {**data(ours), "owner": "human:b"}
    assert together(ours, theirs, wanted, BASE) == ours.replace(
        b"  # who\n  owner: human:a   # for now", b'  # whose\n  owner: "human:b" # since today'
    )


def test_a_comment_that_one_side_changed_comes_with_it() -> None:
    ours, theirs = BASE.replace(b"A title", b"Other"), BASE.replace(b"# for now", b"# for ever")
    assert together(ours, theirs, data(ours), BASE) == ours.replace(b"# for now", b"# for ever")


def test_a_comment_line_stays_above_a_field_that_the_other_side_changed() -> None:
    ours = BASE.replace(b"  title:", b"  # do not rename\n  title:") + b"  # the end\n"
    theirs = BASE.replace(b"A title", b"Other")
    wanted = ours.replace(b"A title", b"Other")
    assert together(ours, theirs, data(theirs), BASE) == wanted
    assert together(theirs, ours, data(theirs), BASE) == wanted


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (BASE.replace(b"'A title'", b"'A title' # mine"), BASE.replace(b"A title", b"Other")),
        (BASE.replace(b"  title", b"  # mine\n  title"), BASE.replace(b"  title", b"  # yours\n  title")),
        (BASE + b"  # mine\n", BASE + b"  # yours\n"),
        (BASE.replace(b"    - a\n", b"    - a # mine\n"), BASE.replace(b"    - a\n", b"    - b\n")),
        (BASE.replace(b"A title", b"Other"), BASE.replace(b"  # who\n", b"").replace(b"   # for now", b"")),
    ],
)
def test_no_comment_is_lost(ours: bytes, theirs: bytes) -> None:
    merged = {**data(BASE), "title": data(theirs)["title"], "labels": data(theirs)["labels"]}
    wanted = data(ours) if data(ours) != data(BASE) else merged
    answer = together(ours, theirs, wanted, BASE)
    if b"# who" not in theirs:
        assert answer == theirs.replace(b"A title", b"Other")
    else:
        both = {*comments_of(ours), *comments_of(theirs)}
        for raw in (answer, together(theirs, ours, wanted, BASE)):
            assert raw is None or {*comments_of(raw)} == both


def test_without_a_version_before_all_comments_stay() -> None:
    assert together(BASE, BASE.replace(b"# for now", b"# for ever"), data(BASE)) is None
    assert together(BASE, BASE, data(BASE)) == BASE


def test_new_fields_stand_where_their_side_has_them_and_dropped_ones_are_gone() -> None:
    ours = BASE.replace(b"  title: 'A title'\n", b"")
    theirs = BASE.replace(b"  labels:\n", b"  x-own: 1  # theirs\n  labels:\n").replace(
        b"- id: T-1\n", b"- id: T-1\n  z: 2\n"
    )
    wanted = {**data(ours), "x-own": "1", "z": "2"}
    answer = together(ours, theirs, wanted, BASE)
    assert answer is not None
    assert answer.startswith(b"- id: T-1\n  z: 2\n  # who\n")
    assert b"  x-own: 1  # theirs\n" in answer
    assert data(answer) == wanted


def test_entries_of_joined_lists_stand_as_they_were_written() -> None:
    ours = BASE + b"    - note: 'two'  # ours\n"
    theirs = BASE + b'    - note: "three"  # theirs\n'
    wanted = {**data(BASE), "notes": [*data(BASE)["notes"], {"note": "three"}, {"note": "two"}]}
    assert (
        together(ours, theirs, wanted, BASE) == BASE + b"    - note: \"three\"  # theirs\n    - note: 'two'  # ours\n"
    )


def test_layouts_that_do_not_fit_together_are_written_anew() -> None:
    ours = BASE.replace(b"  labels:\n    - a\n", b"  labels: [a, b]\n")
    theirs = BASE.replace(b"    - a\n", b"    - a\n    - c\n")
    wanted = {**data(BASE), "labels": ["a", "b", "c"]}
    answer = together(ours, theirs, wanted, BASE)
    assert answer is not None
    assert data(answer) == wanted
    assert b"  # who\n  owner: human:a   # for now\n" in answer


def test_entries_that_are_indented_in_two_ways_are_written_anew() -> None:
    flat = BASE.replace(b"    - a\n", b"  - a\n")
    ours, theirs = flat.replace(b"  - a\n", b"  - a\n  - b\n"), BASE.replace(b"    - a\n", b"    - a\n    - c\n")
    wanted = {**data(BASE), "labels": ["a", "b", "c"]}
    answer = together(ours, theirs, wanted, flat)
    assert answer is not None
    assert data(answer) == wanted


def test_what_cannot_be_read_or_written_gives_no_block() -> None:
    assert together(b"- id: T-1\n  x: &a b\n", BASE, {"id": "T-1"}) is None
    assert together(BASE, BASE, {**data(BASE), "title": "\x00"}) is None
