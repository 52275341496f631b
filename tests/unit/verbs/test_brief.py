"""What whoever takes a task reads."""

from typing import Any

import pytest

from codifica_guard.model.document import Task
from codifica_guard.rules.snapshot import EMPTY
from codifica_guard.verbs.brief import brief_of, summary_of


def task(**fields: Any) -> Task:
    return Task(data={"id": "FEAT-1", "state": "todo", **fields})


def step(before: str, after: str, **more: Any) -> dict[str, Any]:
    return {"from": before, "to": after, "by": "human:alice", "reason": "too slow", **more}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([], (None, None)),
        ([step("to_be_tested", "todo")], ("too slow", "human:alice")),
        ([step("done", "todo")], ("too slow", "human:alice")),
        ([step("to_be_tested", "todo"), step("todo", "in_progress")], ("too slow", "human:alice")),
        ([step("to_be_tested", "todo"), step("in_progress", "to_be_tested")], (None, None)),
        ([step("in_progress", "todo")], (None, None)),
        ([step("to_be_tested", "todo", reason=None, by=["x"])], (None, None)),
    ],
)
def test_a_task_that_came_back_says_why(steps: list[Any], told: tuple[str | None, str | None]) -> None:
    brief = brief_of(task(state_transitions=steps), EMPTY)
    assert (brief.returned, brief.returned_by) == told
    assert any(line.startswith("returned") for line in brief.lines()) is (told[0] is not None)


@pytest.mark.parametrize(
    ("provenance", "commit"),
    [({"commit_sha": "ab12" * 10}, "ab12" * 10), ({}, None), ("none", None), ({"commit_sha": 7}, None)],
)
def test_the_commit_that_was_handed_in_before_is_named(provenance: Any, commit: str | None) -> None:
    rows = [step("in_progress", "to_be_tested", provenance=provenance), step("to_be_tested", "todo")]
    assert brief_of(task(state_transitions=rows), EMPTY).handed_in == commit


def test_several_lines_stand_below_each_other() -> None:
    brief = brief_of(
        task(
            description="One\nTwo",
            acceptance=["It\nworks"],
            checklist=["a", "b"],
            depends_on=["GONE-1"],
            context={"constraints": "just one", "files": ["a.py", 7], "references": None},
        ),
        EMPTY,
    )
    assert list(brief.lines()) == [
        "description  One",
        "             Two",
        "acceptance",
        "  1 It works",
        "checklist    a",
        "             b",
        "constraints  just one",
        "read         a.py",
        "             GONE-1",
    ]
    assert brief.data()["dependencies"] == [{"id": "GONE-1", "summary": None, "artifacts": []}]


@pytest.mark.parametrize("context", [None, "text", ["list"]])
def test_a_context_that_is_none_says_nothing(context: Any) -> None:
    assert list(brief_of(task(context=context), EMPTY).lines()) == []


def test_the_newest_summary_counts() -> None:
    notes = [{"summary": "first"}, {"summary": "second"}, {"note": "without"}]
    assert summary_of(task(execution_notes=notes)) == "second"
    assert summary_of(task()) is None
