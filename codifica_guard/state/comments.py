"""The comments of a task block: no value holds them, and no merge may lose one."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from codifica_guard.state.nodes import Node, Refused, compose
from codifica_guard.state.winner import Value, winner

_COMMENT: Final = re.compile(r"(?<!\S)#[^\n]*")

Comments = Mapping[str, int]
"""The text of each comment, and how often it stands there."""


def comments_of(raw: bytes) -> Comments:
    """The comments of a block; none where it cannot be read."""
    if b"#" not in raw:
        return {}
    try:
        text = raw.decode()
        _, scalars = compose(text)
    except (Refused, ValueError):
        return {}
    return Counter(_found(text, scalars))


def _found(text: str, scalars: Sequence[Node]) -> Iterator[str]:
    """What stands between values and names, and behind the header of a text in lines."""
    at = 0
    spans = sorted((text.find("\n", s.start) if s.style in {"|", ">"} else s.start, s.end) for s in scalars)
    for start, end in (*spans, (len(text), len(text))):
        yield from (hit[0].rstrip() for hit in _COMMENT.finditer(text, at, max(at, start)))
        at = max(at, end)


def join_comments(sides: Sequence[Comments], old: Callable[[int, int], Sequence[Comments]]) -> Comments:
    """The comments that several versions come to: each as often as the side that changed that has it; where several did, as the most.

    Args:
        sides: those of each side.
        old: those of all merge bases of two sides, the smaller number first.
    """
    joined: dict[str, int] = {}
    for text in sorted({text for side in sides for text in side}):
        counts = tuple(side.get(text, 0) for side in sides)

        def older(i: int, j: int, text: str = text) -> frozenset[Value]:
            return frozenset(base.get(text, 0) for base in old(i, j))

        won, best = winner(counts, older)
        count = best if won and isinstance(best, int) else max(counts)
        if count:
            joined[text] = count
    return joined
