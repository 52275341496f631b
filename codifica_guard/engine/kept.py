"""What was read and may be asked for again, as long as there is room for it."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by their keys; when they weigh too much together, those that were not asked for the longest time go.

    The newest value always stays, however heavy it is.
    """

    def __init__(self, most: int) -> None:
        """Room for values that weigh `most` together; the unit is the caller's."""
        self._most = most
        self._held: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: K) -> V | None:
        """The value of a key; None where there is none, or none any more."""
        found = self._held.get(key)
        if found is None:
            return None
        self._held.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V, weight: int = 1) -> V:
        """Keep a value, and hand it back."""
        old = self._held.pop(key, None)
        self._weight += weight - (old[1] if old is not None else 0)
        self._held[key] = (value, weight)
        while self._weight > self._most and len(self._held) > 1:
            self._weight -= self._held.popitem(last=False)[1][1]
        return value
