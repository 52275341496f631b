"""Whether a commit was made on a state of its task that has passed."""

from typing import Any, Final

from codifica_guard.model.ids import TaskId
from codifica_guard.rules.stale import overtaken, transitions
from tests.unit.packs_codifica.cases import CLAIM, HAND_IN, block, documents, handed_in, running
from tests.unit.views import ALICE, BUILDER, WRITER, commit_view, snapshot

TODO: Final = block()
UNREADABLE: Final = block(title=...) + "  title: `a`\n"


def passed(before: str | tuple[str, ...], there: str | tuple[str, ...] | None, *, actor: Any = BUILDER) -> str | None:
    """The state that the task has at the tip, if it went on there."""
    base = None if there is None else snapshot(documents(there))
    view = commit_view(documents(before), documents(running(title="x")), actor=actor, base=base)
    found = overtaken(view.changes[0], view)
    return found.state if found is not None else None


def test_a_commit_on_the_tip_is_never_stale() -> None:
    assert passed(TODO, None) is None


def test_a_task_that_stayed_as_it_was_is_not_stale() -> None:
    assert passed(running(), running()) is None
    assert passed(running(), running(title="a human's word", priority="low")) is None


def test_a_task_that_went_on_is_stale() -> None:
    assert passed(TODO, running(owner=WRITER)) == "in_progress"
    assert passed(running(), handed_in()) == "to_be_tested"
    assert passed(running(), running(state_transitions=[{**CLAIM, "by": WRITER}])) == "in_progress"


def test_a_task_whose_state_or_owner_moved_without_an_entry_is_stale() -> None:
    assert passed(TODO, block(state="blocked")) == "blocked"
    assert passed(TODO, block(owner=WRITER)) == "todo"


def test_a_side_that_is_ahead_of_the_tip_is_not_stale() -> None:
    assert passed(handed_in(), running()) is None
    assert passed(running(state_transitions=[CLAIM, HAND_IN], state="to_be_tested"), TODO) is None


def test_a_task_that_the_tip_has_not_or_nobody_can_read_there_is_not_stale() -> None:
    assert passed(TODO, block("FEAT-2")) is None
    assert passed(TODO, UNREADABLE) is None


def test_a_task_that_could_not_be_read_before_is_stale_where_the_tip_has_mended_it() -> None:
    assert passed(UNREADABLE, running()) == "in_progress"
    assert passed(UNREADABLE, TODO) == "todo"


def test_people_nobody_and_new_tasks_are_never_stale() -> None:
    assert passed(TODO, running(owner=WRITER), actor=ALICE) is None
    assert passed(TODO, running(owner=WRITER), actor=None) is None
    assert passed((), running(owner=WRITER)) is None


def test_no_task_has_no_transitions_and_what_is_no_entry_is_none() -> None:
    assert transitions(None) == ()
    there = snapshot(documents(running(state_transitions=[CLAIM, "text"]))).task(TaskId("FEAT-1"))
    assert transitions(there) == (CLAIM,)
