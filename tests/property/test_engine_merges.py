"""Winners and joins have no first side."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.engine.joining import LIFE, joined, pairs
from codifica_guard.engine.winner import Old, winner

VALUES = st.sampled_from([None, "a", "b", "c"])
NOTES = [{"by": "agent:a", "note": n, "timestamp": f"2026-11-30T09:0{n}:00Z"} for n in "123"]
LISTS = st.lists(st.sampled_from(NOTES), max_size=3)
TASKS = st.fixed_dictionaries(
    {"id": st.just("T"), "state": st.sampled_from(["todo", "done"])},
    optional={
        "owner": st.sampled_from(["a", "b"]),
        "title": st.sampled_from(["x", "y"]),
        "execution_notes": LISTS,
        "artifacts": st.one_of(st.none(), st.lists(st.sampled_from(["p", "q"]), max_size=2)),
    },
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[dict[str, Any]], dict[tuple[int, int], list[Mapping[str, Any] | None]]]:
    count = draw(st.integers(2, 3))
    sides = draw(st.lists(TASKS, min_size=count, max_size=count))
    if draw(st.booleans()):  # sides that come from one base
        base = draw(TASKS)
        for number in range(count):
            if draw(st.booleans()):
                sides[number] = dict(base)
        found: list[Mapping[str, Any] | None] = [base]
        return sides, dict.fromkeys(pairs(count), found)
    return sides, {pair: draw(st.lists(st.one_of(st.none(), TASKS), max_size=2)) for pair in pairs(count)}


def looked_up(olds: dict[tuple[int, int], Any]) -> Old:
    return lambda i, j: olds[i, j]


def turned(bases: dict[tuple[int, int], Any], order: tuple[int, ...]) -> dict[tuple[int, int], Any]:
    return {(i, j): bases[min(order[i], order[j]), max(order[i], order[j])] for i, j in bases}


@settings(max_examples=200, deadline=None)
@given(values=st.lists(VALUES, min_size=2, max_size=4), data=st.data())
def test_a_winner_is_the_same_in_every_order_and_wins_against_all(
    values: list[str | None], data: st.DataObject
) -> None:
    olds = {pair: data.draw(st.frozensets(VALUES, min_size=1, max_size=2)) for pair in pairs(len(values))}
    answers = set()
    for order in permutations(range(len(values))):
        here = turned(olds, order)
        answers.add(winner(tuple(values[i] for i in order), looked_up(here)))
    assert len(answers) == 1
    won, value = answers.pop()
    for i, other in enumerate(values):
        if won and other != value:
            j = next(n for n, v in enumerate(values) if v == value)
            assert other in olds[min(i, j), max(i, j)]
            assert value not in olds[min(i, j), max(i, j)]


@settings(max_examples=300, deadline=None)
@given(history=histories())
def test_a_join_is_the_same_in_every_order_and_loses_no_note(history: tuple[Any, Any]) -> None:
    sides, bases = history
    answers = [joined([sides[i] for i in order], turned(bases, order)) for order in permutations(range(len(sides)))]
    assert all(a == answers[0] for a in answers)
    if answers[0] is None:
        return
    life = {name: answers[0][name] for name in LIFE if name in answers[0]}
    assert life in [{name: side[name] for name in LIFE if name in side} for side in sides]
    assert all(answers[0]["id"] == side["id"] for side in sides)


@settings(max_examples=100, deadline=None)
@given(base=TASKS, one=LISTS, other=LISTS)
def test_notes_that_both_sides_add_stay_once_each_by_time(
    base: dict[str, Any], one: list[Any], other: list[Any]
) -> None:
    old = base.get("execution_notes") or []
    sides = [{**base, "execution_notes": [*old, *added]} for added in (one, other)]
    result = joined(sides, {(0, 1): [base]})
    assert result is not None
    if one and other and one != other:
        added = result["execution_notes"][len(old) :]
        assert added == sorted(added, key=lambda n: n["timestamp"])
        assert len(added) == len({n["note"] for n in added})
        assert {n["note"] for n in added} == {n["note"] for n in (*one, *other)}
