"""Two programs in turn, A B A B: medians and their ratio."""

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

Run = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One pair; times in milliseconds."""

    what: str
    against: str
    median: float
    other: float
    least: float
    other_least: float

    @property
    def ratio(self) -> float:
        """How many times as long the first takes: the median of the pairs' ratios would hide drift, this does not."""
        return self.median / self.other

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "ratio": round(self.ratio, 3)}

    def markdown(self) -> str:
        """A line of the table."""
        return f"| {self.what} | {self.median:.0f} ms | {self.against} | {self.other:.0f} ms | {self.ratio:.2f} |"


def compare(what: str, run: Run, against: str, other: Run, rounds: int, before: Run | None = None) -> Row:
    """Run two programs in turn, after one round that does not count; `before` makes ready for the first one, and is not measured."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        if before is not None:
            before()
        for side, program in zip(times, (run, other), strict=True):
            start = time.perf_counter()
            program()
            if number:
                side.append((time.perf_counter() - start) * 1000)
    return row(what, against, list(zip(*times, strict=True)))


def row(what: str, against: str, times: list[tuple[float, float]]) -> Row:
    """The line of pairs of times, in milliseconds."""
    first, second = zip(*times, strict=True)
    return Row(
        what=what,
        against=against,
        median=statistics.median(first),
        other=statistics.median(second),
        least=min(first),
        other_least=min(second),
    )
