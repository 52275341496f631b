"""The state of one tree: which task stands where."""

from typing import Final

import pytest

from codifica_guard.model.document import Fault
from codifica_guard.model.ids import TaskId
from codifica_guard.rules.snapshot import EMPTY, numbered
from tests.unit.views import FILE, LINK, document, snapshot, task

BROKEN: Final = task("BAD", title="`a`")
TWO: Final = snapshot({"b.md": document(task("B"), task("A")), "a.md": document(task("A", title="first"), BROKEN)})
A: Final = TaskId("A")


def test_records_stand_by_document_and_place() -> None:
    assert [(r.path, r.line) for r in TWO.records[A]] == [(b"a.md", 4), (b"b.md", 9)]
    assert list(TWO.records) == ["A", "BAD", "B"]


def test_records_are_the_same_whether_few_or_many_are_asked_for() -> None:
    names = [TaskId(f"FEAT-{n}") for n in range(20)]
    for order in (names, names[::-1]):
        there = snapshot({"a.md": document(*map(task, names)), "b.md": document(task(names[3]))})
        assert [len(there.records[name]) for name in order] == [2 if name == names[3] else 1 for name in order]
        assert [len(there.records[name]) for name in order] == [2 if name == names[3] else 1 for name in order]
        assert len(there.records) == len(dict(there.records)) == 20
    few = snapshot({"a.md": document(*map(task, names))})
    assert TaskId("absent") not in few.records
    assert few.record(names[0]) is not None
    with pytest.raises(KeyError):
        few.records[TaskId("absent")]


def test_of_an_id_that_stands_twice_the_first_counts() -> None:
    record, found = TWO.record(A), TWO.task(A)
    assert record is not None
    assert record.raw.startswith(b"- id: A\n")
    assert found is not None
    assert found.text("title") == "first"


def test_what_is_absent_or_cannot_be_read_is_no_task() -> None:
    assert TWO.task(TaskId("C")) is None
    assert TWO.record(TaskId("C")) is None
    bad = TWO.record(TaskId("BAD"))
    assert bad is not None
    assert isinstance(bad.read(), Fault)
    assert bad.task() is TWO.task(TaskId("BAD")) is None


def test_the_state_of_no_tree_is_empty() -> None:
    assert not EMPTY.records
    assert not EMPTY.lookalikes
    assert not EMPTY.highest
    assert not EMPTY.running
    assert not EMPTY.circles.around(A)


def test_entries_of_what_is_no_document_stay() -> None:
    assert snapshot({"a.md": ""}, {"b.md": LINK}).entries == {b"a.md": FILE, b"b.md": LINK}


def test_ids_are_known_without_their_case() -> None:
    there = snapshot({"a.md": document(task("feat-1"), task("FEAT-1"), task("X"))})
    assert there.lookalikes == {"feat-1": ("FEAT-1", "feat-1"), "x": ("X",)}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("FEAT-101", ("FEAT-", "101")), ("101", ("", "101")), ("LOGIN", ("LOGIN", "")), ("a1b", ("a1b", "")), ("", ("", "")),
        ("x" + "1" * 18, ("x", "1" * 18)), ("x" + "1" * 19, ("x" + "1" * 19, "")), ("x\u0663", ("x\u0663", "")),
    ],
)  # fmt: skip
def test_an_id_is_taken_apart_before_its_number(name: str, parts: tuple[str, str]) -> None:
    assert numbered(TaskId(name)) == parts


def test_the_highest_number_of_each_kind_is_known() -> None:
    there = snapshot(
        {"a.md": document(task("F-2"), task("F-10"), task("F-9"), task("X")), "b.md": document(task("T007"))}
    )
    assert there.highest == {"F-": 10, "T": 7}


@pytest.mark.parametrize(
    "line",
    [
        "  state: in_progress", "  state:   in_progress  # now", '  state: "in_progress"', "  state: 'in_progress'", "  state :  in_progress",
        '  "state": in_progress', "  'state': in_progress", "  state:\n    in_progress", "  state: # now\n    # then\n    in_progress",
        "  state: >-\n    in_progress", "  state: |-2\n    in_progress", '  state: "in\\x5fprogress"', '  state: "in_\\\n    progress"', '  "st\\x61te": in_progress',
    ],
)  # fmt: skip
def test_a_task_in_a_state_is_found_however_yaml_spells_it(line: str) -> None:
    there = snapshot({"a.md": document(f"- id: A\n{line}\n  owner: agent:builder\n", task("B", state="done"))})
    assert [t.id for _, t in there.in_state("in_progress")] == ["A"]


def test_a_task_in_a_state_is_not_one_that_only_speaks_of_it() -> None:
    spoken = task("A", "  note: |", "    state: in_progress", "  labels: [in_progress]", state="done")
    there = snapshot({"a.md": document(spoken, BROKEN)})
    assert list(there.in_state("in_progress")) == []


def test_running_tasks_are_known_by_owner_and_by_what_they_wait_for() -> None:
    there = snapshot(
        {
            "a.md": document(
                task("A", "  depends_on: [X, X, Y]", state="in_progress", owner="agent:builder"),
                task("B", "  depends_on: [X]"),
            ),
            "b.md": document(
                task("C", "  depends_on: [X]", state="in_progress", owner="agent:builder"),
                task("D", state="in_progress", owner=""),
            ),
        }
    )
    assert [t.id for t in there.running] == ["A", "C", "D"]
    assert there.held == {"agent:builder": ("A", "C")}
    assert {name: [t.id for t in tasks] for name, tasks in there.awaited.items()} == {"X": ["A", "C"], "Y": ["A"]}
