"""What two sequences begin and end with together, found by comparing slices: fast also for millions of elements."""

from collections.abc import Sequence
from typing import Any, Final

_STEP: Final = 4096


def common_start(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many elements both begin with; both are bytes, or both lists."""
    size = min(len(one), len(other))
    at, step = 0, _STEP
    while at < size and one[at : at + step] == other[at : at + step]:
        at += step
        step *= 2
    if at >= size:
        return size
    low, high = at, min(at + step, size)
    while high > low:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_end(one: Sequence[Any], other: Sequence[Any], start: int) -> int:
    """How many elements both end with, those before `start` left out; both are bytes, or both lists."""
    size = min(len(one), len(other)) - start
    first, second = len(one), len(other)
    at, step = 0, _STEP
    while at < size:
        step = min(step, size - at)
        if one[first - at - step : first - at] != other[second - at - step : second - at]:
            break
        at += step
        step *= 2
    low, high = at, min(at + step, size)
    while high > low:
        middle = (low + high + 1) // 2
        if one[first - middle : first - low] == other[second - middle : second - low]:
            low = middle
        else:
            high = middle - 1
    return low
