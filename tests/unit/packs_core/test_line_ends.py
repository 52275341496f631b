"""ST109: line ends and blank lines that agents and unsigned commits leave alone."""

from typing import Any, Final

import pytest

from codifica_guard.model.ids import Principal
from codifica_guard.packs.core import st109
from codifica_guard.rules.snapshot import Snapshot
from tests.unit.views import (
    ALICE,
    BUILDER,
    FILE,
    NEW,
    OLD,
    OTHER_FILE,
    WORK,
    commit,
    commit_view,
    document,
    found,
    snapshot,
    task,
)

TASKS: Final = (task("FEAT-1"), task("FEAT-2"), task("FEAT-3"))
LF: Final = document(*TASKS)
CRLF: Final = LF.replace("\n", "\r\n")
NOTHING_ELSE: Final = "the commit changes nothing there but line ends and blank lines"


def flipped(*names: str) -> str:
    return f"other line ends in {', '.join(names)}, which the commit does not change otherwise"


def partly(text: str, old: str) -> str:
    """A text with one CRLF, behind some words that stand there once."""
    assert text.count(f"{old}\n") == 1
    return text.replace(f"{old}\n", f"{old}\r\n")


def says(before: str, after: str, actor: Principal | None = BUILDER, **view: Any) -> list[str]:
    """What the rule says of a document that changed, by its tree entry too."""

    def state(text: str, entry: object) -> Snapshot:
        return snapshot({"work.md": text}, {"work.md": entry})  # type: ignore[dict-item]

    return found(st109.check(commit_view(state(before, FILE), state(after, OTHER_FILE), actor=actor, **view)))


@pytest.mark.parametrize(("before", "after"), [(LF, CRLF), (CRLF, LF)])
def test_agents_and_unsigned_commits_flip_no_line_ends(before: str, after: str) -> None:
    for actor in (BUILDER, None):
        assert says(before, after, actor) == [flipped("FEAT-1", "FEAT-2", "FEAT-3")]
    assert says(before, after, ALICE) == []


def test_one_line_is_enough() -> None:
    assert says(LF, partly(LF, "- id: FEAT-2")) == [flipped("FEAT-2")]
    assert says(partly(LF, "- id: FEAT-2"), LF) == [flipped("FEAT-2")]
    assert says(partly(LF, "- id: FEAT-2"), partly(LF, "- id: FEAT-2")) == [NOTHING_ELSE]  # in its tree entry alone


def test_the_task_that_is_changed_may_have_other_line_ends_and_no_other() -> None:
    changed = document(task("FEAT-1"), task("FEAT-2", state="in_progress"), task("FEAT-3"))
    own = task("FEAT-2", state="in_progress")
    assert says(LF, changed.replace(own, own.replace("\n", "\r\n"))) == []
    assert says(LF, changed.replace("\n", "\r\n")) == [flipped("FEAT-1", "FEAT-3")]


@pytest.mark.parametrize(
    "after",
    [
        LF.replace("- id: FEAT-2", "\n\n- id: FEAT-2"),
        LF.replace("# Work\n", "# Work\r\n"),
        LF.removesuffix("\n"),
        LF.replace("```yaml\n", "```yaml\n\n"),
    ],
    ids=["blank lines", "line end of the text", "last line end", "blank line in the fence"],
)
def test_nothing_but_line_ends_and_blank_lines_is_nobodys_but_a_persons(after: str) -> None:
    for actor in (BUILDER, None):
        assert says(LF, after, actor) == [NOTHING_ELSE]
    assert says(LF, after, ALICE) == []


@pytest.mark.parametrize(
    "after",
    [
        LF.replace("Login form", "Log in", 1),
        LF.replace("# Work", "# Tasks"),
        document(*TASKS, task("FEAT-4")),
        document(*TASKS[:2]),
    ],
    ids=["a task", "the text", "born", "gone"],
)
def test_blank_lines_beside_a_change_that_counts_are_no_matter(after: str) -> None:
    assert says(LF, after.replace("- id: FEAT-2", "\n\n- id: FEAT-2")) == []


def test_an_order_a_mode_and_a_move_to_another_fence_count() -> None:
    blank = LF.replace("- id: FEAT-2", "\n\n- id: FEAT-2")
    for view in ({"reordered": (WORK,)}, {"touched": (WORK,)}, {"refenced": ("FEAT-2",)}):
        assert says(LF, blank, **view) == []
    assert says(LF, blank, refenced=("FEAT-9",)) == [NOTHING_ELSE]


def test_a_task_that_came_from_another_document_counts_in_both() -> None:
    one, other = (
        snapshot({"a.md": document(TASKS[0], TASKS[1]), "b.md": document(TASKS[2])}),
        {"a.md": OTHER_FILE, "b.md": OTHER_FILE},
    )
    moved = snapshot({"a.md": document(TASKS[0]), "b.md": document(TASKS[2], TASKS[1])}, other)
    assert found(st109.check(commit_view(one, moved, actor=BUILDER))) == []


def test_a_document_that_is_born_and_a_merge_are_other_matters() -> None:
    assert found(st109.check(commit_view({}, {"work.md": CRLF}, actor=BUILDER))) == []
    merge = commit_view(
        {"work.md": LF}, {"work.md": CRLF}, merged={"work.md": LF}, actor=BUILDER, made=commit(OLD, NEW)
    )
    assert found(st109.check(merge)) == []


def test_the_place_and_the_way_back_are_told() -> None:
    (breach,) = st109.check(commit_view({"work.md": LF}, {"work.md": partly(LF, "- id: FEAT-2")}, actor=BUILDER))
    assert (breach.path, breach.line) == (b"work.md", 9)
    assert breach.do[0] == "git restore --source=origin/main work.md"
