"""A new version of a state document, taken apart with the help of an older one: only what changed is read again."""

from typing import Final

from codifica_guard.engine.common import common_end, common_start
from codifica_guard.limits import DOCUMENT_BYTES, TASKS
from codifica_guard.model.document import Block, Document
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.value import replace
from codifica_guard.state.blocks import split

_OPEN: Final = b"```yaml\n"
_CLOSE: Final = b"```\n"


def resplit(path: RepoPath, known: bytes, before: Document, data: bytes) -> Document:
    """Exactly what `split` gives for a document; where the change lies within the tasks of one fence, much faster.

    Args:
        path: where the document lies.
        known: the bytes of an older version.
        before: what `split` gave for them.
        data: the bytes of the new version.
    """
    if data == known:
        return before
    return _spliced(path, known, before, data) or split(path, data)


def _spliced(path: RepoPath, known: bytes, before: Document, data: bytes) -> Document | None:
    """The new version, spliced from the old one; None where that is not certain to be right."""
    if before.faults or not before.blocks or len(data) > DOCUMENT_BYTES or b"\r" in known or b"\r" in data:
        return None
    start = common_start(known, data)
    stop = len(known) - common_end(known, data, start)
    span = _span(before.blocks, known, start, stop)
    if span is None:
        return None
    first, last, low, high = span
    grown = len(data) - len(known)
    old, new = known[low:high], data[low : high + grown]
    # Comments may be a part of the frame, and a line of fence marks may end the fence: both are left to the whole reading.
    if b"\n#" in old or b"\n#" in new or b"```" in new or b"~~~" in new or not new.endswith(b"\n"):
        return None
    part = split(path, _OPEN + new + _CLOSE)
    if part.faults or part.frame != _OPEN + _CLOSE:
        return None
    head = before.blocks[first]
    taken = tuple(
        replace(
            b,
            line=b.line + head.line - 2,
            start=b.start + low - len(_OPEN),
            end=b.end + low - len(_OPEN),
            fence=head.fence,
        )
        for b in part.blocks
    )
    blocks = (
        *before.blocks[:first],
        *taken,
        *_shifted(before.blocks[last:], grown, new.count(b"\n") - old.count(b"\n")),
    )
    return Document(path=path, blocks=blocks, frame=before.frame) if len(blocks) <= TASKS else None


def _span(blocks: tuple[Block, ...], data: bytes, start: int, stop: int) -> tuple[int, int, int, int] | None:
    """The blocks, first and behind the last, and the offsets that a change from `start` to `stop` lies within.

    The first byte of the first block is not a part of the change.
    """
    first = _behind(blocks, start) - 1
    if first < 0:
        return None
    last = _behind(blocks, stop)
    fence = blocks[first].fence
    if last < len(blocks) and blocks[last].fence == fence:
        return first, last, blocks[first].start, blocks[last].start
    # The change is in the last block of its fence: up to the line that closes it, behind blank lines.
    while last > first + 1 and blocks[last - 1].fence != fence:
        last -= 1
    at = blocks[last - 1].end
    while (end := data.find(b"\n", at) + 1) and not data[at:end].strip(b" \t\n"):
        at = end
    return (first, last, blocks[first].start, at) if at >= stop else None


def _behind(blocks: tuple[Block, ...], offset: int) -> int:
    """How many blocks start before an offset."""
    low, high = 0, len(blocks)
    while low < high:
        middle = (low + high) // 2
        if blocks[middle].start < offset:
            low = middle + 1
        else:
            high = middle
    return low


def _shifted(blocks: tuple[Block, ...], grown: int, lines: int) -> tuple[Block, ...]:
    if not grown and not lines:
        return blocks
    return tuple(
        Block(id=b.id, line=b.line + lines, raw=b.raw, start=b.start + grown, end=b.end + grown, fence=b.fence)
        for b in blocks
    )
