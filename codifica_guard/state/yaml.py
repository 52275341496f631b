"""One task block, read strictly: what all readers of YAML agree on, or a fault that says how to mend it."""

from collections import OrderedDict
from typing import Final

from codifica_guard.model.document import Fault, Task
from codifica_guard.state import fast

_CACHED_BYTES: Final = 4 * 1024 * 1024  # raw bytes of the blocks kept; their values take some ten times as much


class _Cache:
    """Readings by the bytes that were read; the longest unused go first."""

    def __init__(self) -> None:
        self._held: OrderedDict[bytes, Task | Fault] = OrderedDict()
        self._size = 0

    def get(self, raw: bytes) -> Task | Fault | None:
        answer = self._held.get(raw)
        if answer is not None:
            self._held.move_to_end(raw)
        return answer

    def put(self, raw: bytes, answer: Task | Fault) -> None:
        self._held[raw] = answer
        self._size += len(raw)
        while self._size > _CACHED_BYTES:
            self._size -= len(self._held.popitem(last=False)[0])


_cache = _Cache()


def read_block(raw: bytes) -> Task | Fault:
    """The task that a block's bytes hold, or the first reason why they cannot be taken; never an exception.

    Accepted is one list item with one mapping whose first field is `id`, on the head line. Null and booleans are typed,
    all else is text. The answer is shared between calls: do not change it.

    Args:
        raw: the block as `split` gives it (CRLF is taken too).

    Returns:
        A task, or a fault of the rules ST101, ST102, ST103, ST107, ST108; lines are those of the block, from 1.
    """
    answer = _cache.get(raw)
    if answer is None:
        answer = fast.read_plain(raw) or _read_strict(raw)
        _cache.put(raw, answer)
    return answer


def _read_strict(raw: bytes) -> Task | Fault:
    from codifica_guard.state.strict import read_strict  # noqa: PLC0415 - most pushes are read without it

    return read_strict(raw)
