"""The winner of a merge has no first side."""

from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.state.winner import Old, Value, winner

VALUES = st.sampled_from([None, "a", "b", "c"])
Olds = dict[tuple[int, int], frozenset[str | None]]


def looked_up(olds: Olds) -> Old:
    def old(i: int, j: int) -> frozenset[Value]:
        return frozenset(olds[i, j])

    return old


def turned(olds: Olds, order: tuple[int, ...]) -> Olds:
    return {(i, j): olds[min(order[i], order[j]), max(order[i], order[j])] for i, j in olds}


@settings(max_examples=200, deadline=None)
@given(values=st.lists(VALUES, min_size=2, max_size=4), data=st.data())
def test_a_winner_is_the_same_in_every_order_and_wins_against_all(
    values: list[str | None], data: st.DataObject
) -> None:
    pairs = tuple(combinations(range(len(values)), 2))
    olds: Olds = {pair: data.draw(st.frozensets(VALUES, min_size=1, max_size=2)) for pair in pairs}
    answers = set()
    for order in permutations(range(len(values))):
        answers.add(winner(tuple(values[i] for i in order), looked_up(turned(olds, order))))
    assert len(answers) == 1
    won, value = answers.pop()
    for i, other in enumerate(values):
        if won and other != value:
            j = next(n for n, v in enumerate(values) if v == value)
            assert other in olds[min(i, j), max(i, j)]
            assert value not in olds[min(i, j), max(i, j)]
