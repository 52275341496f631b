"""One task from several versions: whole, joined, or in conflict."""

from typing import Any

import pytest

from codifica_guard.model.ids import RepoPath
from codifica_guard.state.merge import Merged, Version, merge_task, same
from codifica_guard.state.render import render_task

HERE, THERE = RepoPath(b"work.md"), RepoPath(b"done.md")
BASE: dict[str, Any] = {"id": "T-1", "state": "todo", "owner": "unassigned", "title": "A title", "labels": ["a"]}


def version(path: RepoPath = HERE, **fields: Any) -> Version:
    data = {name: held for name, held in {**BASE, **fields}.items() if held is not ...}
    return ((render_task(data), path),)


def merge(*sides: Version | None, old: tuple[Version | None, ...] = (version(),)) -> Merged:
    answers = [merge_task(sides, lambda _, __: frozenset(old)), merge_task(sides[::-1], lambda _, __: frozenset(old))]
    assert answers[0].clash == answers[1].clash
    assert [a.data is None or same(a.data, answers[0].data or {}) for a in answers] == [True, True]
    return answers[0]


def test_a_side_that_nobody_contradicts_goes_on_whole() -> None:
    assert merge(version(), version()) == Merged(side=0)
    assert merge(version(), version(title="New")) == Merged(side=1)
    assert merge(version(), None).side == 1
    assert merge(version(), version(THERE)).side == 1
    assert merge(None, version(title="Born"), old=(None,)).side == 1


def test_different_fields_join() -> None:
    merged = merge(version(title="New"), version(priority="low"), version())
    assert merged.data == {**BASE, "title": "New", "priority": "low"}
    assert not merged.conflict


def test_a_field_that_one_side_took_out_is_gone() -> None:
    assert merge(version(labels=...), version(title="New")).data == {
        k: v for k, v in {**BASE, "title": "New"}.items() if k != "labels"
    }


@pytest.mark.parametrize(
    ("one", "two", "clash"),
    [
        (version(title="One"), version(title="Two"), ("title",)),
        (version(state="in_progress"), version(owner="human:a"), ("state",)),
        (version(state="done", title="x"), version(state="blocked", title="y"), ("state", "title")),
        (version(x_own="1"), version(x_own="2"), ("x_own",)),
        (version(labels=["b"]), version(labels=["a", "c"]), ("labels",)),
        (version(labels="a"), version(labels=["a", "c"]), ("labels",)),
        (version(title="One"), None, ("task",)),
        (version(title="One"), version(THERE), ("task",)),
        (version(title="One"), ((b"- id: T-1\n  x: &a b\n", HERE),), ("task",)),
        (version(title="One"), (*version(title="Two"), *version(title="Two")), ("task",)),
    ],
)
def test_what_does_not_join_is_named(one: Version, two: Version | None, clash: tuple[str, ...]) -> None:
    merged = merge(one, two)
    assert merged.conflict
    assert (merged.clash, merged.twice) == (clash, False)


def test_a_task_that_was_born_twice_does_not_join() -> None:
    assert merge(version(title="One"), version(title="Two"), old=(None,)) == Merged(clash=("task",), twice=True)


def test_the_life_of_a_task_joins_with_all_other_fields() -> None:
    merged = merge(version(state="in_progress", owner="agent:b", claimed_at="t"), version(title="New"))
    assert merged.data == {**BASE, "state": "in_progress", "owner": "agent:b", "claimed_at": "t", "title": "New"}


def note(text: str, minute: int | None = None) -> dict[str, str]:
    when = {} if minute is None else {"timestamp": f"2026-12-01T09:{minute:02}:00Z"}
    return {"by": "agent:b", "note": text, **when}


FIRST = note("first", 0)


def notes(*entries: Any) -> Version:
    return version(execution_notes=list(entries))


@pytest.mark.parametrize(
    ("one", "two", "joined"),
    [
        ([FIRST, note("b", 2)], [FIRST, note("a", 1)], [FIRST, note("a", 1), note("b", 2)]),
        ([FIRST, note("b", 2), note("c", 1)], [FIRST, note("a", 1)], [FIRST, note("a", 1), note("b", 2), note("c", 1)]),
        ([FIRST, note("a", 1)], [FIRST, note("a", 1), note("b", 2)], [FIRST, note("a", 1), note("b", 2)]),
        ([FIRST, note("b")], [FIRST, note("a")], [FIRST, note("a"), note("b")]),
        ([FIRST, note("late"), note("b", 1)], [FIRST, note("a", 1)], [FIRST, note("late"), note("a", 1), note("b", 1)]),
        (
            [FIRST, note("a", 1), note("c", 3)],
            [FIRST, note("b", 2), note("c", 3)],
            [FIRST, note("a", 1), note("b", 2), note("c", 3)],
        ),
        ([FIRST, FIRST], [FIRST, note("a", 1)], [FIRST, FIRST, note("a", 1)]),
        ([FIRST, "text"], [FIRST, note("a", 1)], [FIRST, "text", note("a", 1)]),
        ([note("a", 1)], [FIRST, note("b", 2)], None),
        ([FIRST, note("a", 1), note("b", 1)], [FIRST, note("b", 1), note("a", 1)], None),
    ],
)
def test_appended_entries_join_by_time_each_sides_order_kept(one: Any, two: Any, joined: Any) -> None:
    merged = merge(notes(*one), notes(*two), old=(notes(FIRST),))
    assert merged.data == (None if joined is None else {**BASE, "execution_notes": joined})
    assert merged.clash == (() if joined is not None else ("execution_notes",))


@pytest.mark.parametrize("empty", [None, [], ...])
def test_lists_that_began_on_both_sides_join(empty: Any) -> None:
    old = (version(artifacts=empty),)
    merged = merge(version(artifacts=["b"]), version(artifacts=["a"]), old=old)
    assert merged.data == {**BASE, "artifacts": ["a", "b"]}


def test_with_several_merge_bases_nothing_that_any_had_is_dropped() -> None:
    one, two = notes(FIRST, note("a", 1)), notes(FIRST, note("b", 2))
    both = (FIRST, note("a", 1), note("b", 2))
    merged = merge(notes(*both, note("c", 3)), notes(*both, note("d", 3)), old=(one, two))
    assert merged.data == {**BASE, "execution_notes": [*both, note("c", 3), note("d", 3)]}
    lost = merge(notes(FIRST, note("b", 2), note("c", 3)), notes(*both, note("d", 3)), old=(one, two))
    assert lost.clash == ("execution_notes",)
    assert merge(version(title="One"), version(title="Two"), old=(version(title="One"), version(title="Two"))).conflict


def test_a_merge_base_that_cannot_be_read_settles_nothing() -> None:
    old: tuple[Version | None, ...] = (((b"- id: T-1\n  x: &a b\n", HERE),),)
    assert merge(version(title="One"), version(title="Two"), old=old).clash == ("title",)
    assert merge(notes("a"), notes("b"), old=old).clash == ("execution_notes",)


def test_values_are_the_same_whatever_the_order_of_keys_and_never_by_type() -> None:
    assert same({"a": "1", "b": ["x"]}, {"b": ["x"], "a": "1"})
    assert not same({"a": None}, {})
    assert not same({"a": True}, {"a": "true"})
    assert not same({"a": ["x", "y"]}, {"a": ["y", "x"]})
