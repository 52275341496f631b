"""Which of several values goes on when histories meet."""

from collections.abc import Callable, Hashable

Value = Hashable
"""One side's value; None where absent."""

Old = Callable[[int, int], frozenset[Value]]
"""Values in all merge bases of two sides, the smaller number first; a frozen set of the absent value where there is no base."""


def winner(values: tuple[Value, ...], old: Old) -> tuple[bool, Value]:
    """Whether one side's value wins, and which: every side yields to it, and it yields to no different one.

    A side yields to another where both are equal, or where its own value is what some merge base of the two had; a value
    that several sides hold has to win on each of them. Symmetric: no side is first. Two old values of a criss-cross win
    against nobody.
    """

    def yields(i: int, j: int) -> bool:
        return values[i] in old(min(i, j), max(i, j))

    sides = range(len(values))
    for value in dict.fromkeys(values):
        holding = [j for j in sides if values[j] == value]
        others = [i for i in sides if values[i] != value]
        if all(yields(i, j) and not yields(j, i) for i in others for j in holding):
            return True, value
    return False, None
