"""Circles of dependencies."""

from collections.abc import Mapping

import pytest

from codifica_guard.model.ids import TaskId
from codifica_guard.rules.circles import Circles

EIGHT: Mapping[str, str] = {"a": "b", "b": "ce", "c": "ad", "d": "d", "e": "fa", "f": "g", "g": "", "h": "hb"}
"""What each letter depends on; a, b, c, e wait for one another."""


def circles(graph: Mapping[str, str]) -> Circles:
    return Circles(lambda task: tuple(TaskId(c) for c in graph.get(task, "")))


@pytest.mark.parametrize(
    ("task", "around"), [("a", "abce"), ("b", "abce"), ("c", "abce"), ("e", "abce"), ("d", "d"), ("f", ""), ("g", ""), ("h", "h"), ("x", "")]
)  # fmt: skip
def test_a_task_is_on_a_circle_with_those_that_wait_for_it(task: str, around: str) -> None:
    assert circles(EIGHT).around(TaskId(task)) == set(around)


def test_the_order_of_questions_makes_no_difference() -> None:
    for order in ("abcdefgh", "hgfedcba", "gcahbedf"):
        asked = circles(EIGHT)
        assert ["".join(sorted(asked.around(TaskId(c)))) for c in order] == [
            "".join(sorted(circles(EIGHT).around(TaskId(c)))) for c in order
        ]


@pytest.mark.parametrize(
    ("task", "way"), [("a", "abca"), ("e", "eabe"), ("d", "dd"), ("h", "hh"), ("f", ""), ("g", "")]
)
def test_the_way_back_is_the_shortest(task: str, way: str) -> None:
    assert circles(EIGHT).way(TaskId(task)) == list(way)


def test_a_long_chain_costs_a_step_a_task_however_often_it_is_asked_for() -> None:
    asked = 0

    def needs(task: TaskId) -> tuple[TaskId, ...]:
        nonlocal asked
        asked += 1
        return (TaskId(str(int(task) + 1)),) if task != "5000" else ()

    chain = Circles(needs)
    assert not any(chain.around(TaskId(str(n))) for n in range(5000))
    assert asked <= 3 * 5001
