"""What rules are given."""

from typing import Final

import pytest

from codifica_guard.model.document import Fault
from codifica_guard.model.ids import Principal, RepoPath, TaskId
from codifica_guard.rules.view import MergeItem, TaskChange
from tests.unit.packs_codifica.cases import CLAIM, MIGRATION, block, documents, note, running, step
from tests.unit.views import (
    ALICE,
    BOB,
    BUILDER,
    NEW,
    OLD,
    WORK,
    codifica,
    commit,
    commit_view,
    document,
    policy,
    snapshot,
    trailers,
)

TODO: Final = block()
UNREADABLE: Final = block(title=...) + "  title: `a`\n"


def change(before: str | None, after: str | None, *, other: bool = False) -> TaskChange:
    old = None if before is None else snapshot({"work.md": document(before)}).record(TaskId("FEAT-1"))
    new = (
        None
        if after is None
        else snapshot({"other.md" if other else "work.md": document(after)}).record(TaskId("FEAT-1"))
    )
    return TaskChange(id=TaskId("FEAT-1"), before=old, after=new)


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (change(None, TODO), "born"), (change(TODO, None), "gone"), (change(TODO, running()), "edited"), (change(TODO, TODO, other=True), "moved"),
        (change(TODO, running(), other=True), "edited moved"), (change(TODO, TODO), ""), (change(None, None), ""),
    ],
)  # fmt: skip
def test_a_change_is_a_birth_an_end_an_edit_or_a_move(made: TaskChange, what: str) -> None:
    assert " ".join(name for name in ("born", "gone", "edited", "moved") if getattr(made, name)) == what


def test_both_sides_are_there_only_where_both_can_be_read() -> None:
    assert change(TODO, running()).both is not None
    for made in (change(None, TODO), change(TODO, None), change(UNREADABLE, TODO), change(TODO, UNREADABLE)):
        assert made.both is None
        assert made.transition is None
        assert not made.changed("title")
        assert not made.is_claim
        assert not made.is_resume


def test_why_a_task_cannot_be_read_is_said() -> None:
    fault = change(TODO, UNREADABLE).fault
    assert isinstance(fault, Fault)
    assert fault.code == "ST101"
    assert change(UNREADABLE, TODO).fault is change(TODO, None).fault is None


def test_a_transition_is_between_two_states_that_are_texts() -> None:
    assert change(TODO, running()).transition == ("todo", "in_progress")
    assert change(TODO, running()).is_claim
    assert not change(running(), TODO).is_claim
    for before, after in (
        (block(state=...), TODO),
        (TODO, block(state=...)),
        (TODO, block(state=["a"])),
        (TODO, block(title="x")),
    ):
        assert change(before, after).transition is None


def test_a_field_differs_by_its_value() -> None:
    assert change(TODO, block(title="x")).changed("title")
    assert not change(TODO, TODO.replace('"Login form"', "Login form")).changed("title")
    assert not change(TODO, block(labels=None)).changed("labels")


def test_new_entries_are_those_behind_the_old_ones() -> None:
    first, second = note("a"), note("b")
    assert change(running(execution_notes=[first]), running(execution_notes=[first, second, "c"])).added(
        "execution_notes"
    ) == (second, "c")
    assert change(running(execution_notes=[first]), running(execution_notes=[first, second, "c"])).new_entries(
        "execution_notes"
    ) == (second,)
    assert change(None, running(execution_notes=[first])).new_entries("execution_notes") == (first,)
    assert change(running(), running(execution_notes=[first])).new_entries("execution_notes") == (first,)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (running(execution_notes=["a"]), running(execution_notes=["b", "a"])),
        (running(execution_notes=["a"]), running(execution_notes=[])),
        (running(execution_notes="a"), running(execution_notes=["a"])),
        (running(), running(execution_notes="a")),
        (running(execution_notes=["a"]), None),
        (UNREADABLE, running(execution_notes=["a"])),
    ],
    ids=["above", "fewer", "was no list", "is no list", "gone", "nobody could read it before"],
)
def test_nothing_is_new_where_the_old_list_does_not_stand_above(before: str, after: str | None) -> None:
    assert change(before, after).added("execution_notes") == ()


def test_a_resume_is_a_new_entry_to_the_state_that_stays() -> None:
    again = [CLAIM, step("in_progress", "in_progress")]
    assert change(running(), running(state_transitions=again)).is_resume
    assert not change(running(), running(title="x")).is_resume
    assert not change(TODO, running()).is_resume
    assert not change(running(), block(state="blocked", state_transitions=again)).is_resume


def test_a_line_is_that_of_the_field_after_the_commit_else_of_the_head() -> None:
    assert change(TODO, running()).line_of("owner") == 4 + 3
    assert change(TODO, running()).line_of("absent") == 4
    assert change(TODO, None).line_of("owner") == 4
    assert change(TODO, UNREADABLE).line_of("owner") == 4
    assert change(None, None).line_of("owner") is None
    assert change(None, None).place is None


# -- the commit


@pytest.mark.parametrize(
    ("actor", "human", "agent", "maintained"),
    [(ALICE, True, False, True), (BOB, True, False, False), (BUILDER, False, True, False), (None, False, False, False)],
)
def test_an_actor_is_a_human_an_agent_or_nobody(
    actor: Principal | None, *, human: bool, agent: bool, maintained: bool
) -> None:
    view = commit_view(actor=actor)
    assert (view.actor, view.by_human, view.by_agent, view.maintained) == (actor, human, agent, maintained)


def test_a_server_is_neither_human_nor_agent() -> None:
    view = commit_view(actor=Principal("server:git"))
    assert not view.by_human
    assert not view.by_agent


def test_an_agent_among_the_maintainers_maintains_nothing() -> None:
    assert not commit_view(actor=BUILDER, under=policy(maintainers=(BUILDER,))).maintained


def test_a_maintainer_migrates_by_a_trailer_and_never_in_a_merge() -> None:
    assert commit_view(actor=ALICE, trailing=MIGRATION).migrates
    assert not commit_view(actor=ALICE).migrates
    assert not commit_view(actor=BOB, trailing=MIGRATION).migrates
    assert not commit_view(actor=ALICE, trailing=trailers(("codifica-migrate", "x"))).migrates
    merge = commit_view(actor=ALICE, trailing=MIGRATION, made=commit(OLD, NEW))
    assert merge.is_merge
    assert not merge.migrates


def test_state_is_touched_by_tasks_and_by_the_text_around_them() -> None:
    assert not commit_view(paths={"src/a.py": (None, None)}).touches_state
    assert commit_view(documents(TODO), documents(running())).touches_state
    for name in ("frames", "reordered", "born", "gone", "touched"):
        assert commit_view(**{name: (WORK,)}).touches_state  # type: ignore[arg-type]


def test_custom_types_follow_build() -> None:
    view = commit_view(under=policy(config=codifica(custom_types=("design",))))

    def follows(kind: str | None) -> bool:
        found = change(None, block(type=kind)).new
        assert found is not None
        return view.follows_build(found)

    assert [kind for kind in ("build", "design", "test", "review", None) if follows(kind)] == ["build", "design"]


def test_the_protocols_rules_never_run_without_codifica_json() -> None:
    with pytest.raises(AssertionError, match=r"without codifica\.json"):
        assert commit_view(under=policy(without_codifica=True)).codifica is None
    assert commit_view().codifica.version == "0.2"


def test_what_a_view_is_not_told_is_not_there() -> None:
    view = commit_view()
    assert not view.exists(RepoPath(b"a"), None)
    assert view.silent_since(TaskId("A"), 0) is None
    assert view.written_in(TaskId("A")) is None
    assert not view.proves_writer("key")


def test_an_item_of_a_merge_names_its_task() -> None:
    assert MergeItem(kind="record", name="FEAT-1", path=WORK, conflict=True).task == "FEAT-1"
