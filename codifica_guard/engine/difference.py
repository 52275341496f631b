"""Where two versions of a state document differ: the blocks between what both begin and end with."""

from codifica_guard.engine.common import common_end, common_start
from codifica_guard.model.document import Block, Document
from codifica_guard.model.ids import TaskId
from codifica_guard.model.value import value

FINISHED = (b"\n  state: done\n", b"\n  state: rejected\n")


@value
class Difference:
    """The blocks in which two versions of a document differ; all others stand in both, in one order, in the same fences.

    Attributes:
        before: blocks of the older version.
        after: blocks of the newer one.
    """

    before: tuple[Block, ...]
    after: tuple[Block, ...]

    @property
    def ids(self) -> frozenset[TaskId]:
        """Ids of all these blocks."""
        return frozenset(b.id for b in (*self.before, *self.after))

    @property
    def refenced(self) -> TaskId | None:
        """The one finished task that went, unchanged, to another fence, if that alone explains how the order differs."""
        gone = self.moved
        if len(gone) != 1 or not any(mark in gone[0].raw for mark in FINISHED):
            return None
        old = next(b for b in self.before if b.id == gone[0].id)
        return None if old.raw != gone[0].raw or self._swapped(gone[0].id) else gone[0].id

    @property
    def swapped(self) -> bool:
        """Whether two tasks that both versions hold have swapped; one finished task sent alone to another fence has not."""
        return self._swapped(None) and self.refenced is None

    @property
    def moved(self) -> tuple[Block, ...]:
        """The newer version's blocks that stood in another fence before."""
        old = {b.id: b.fence for b in self.before}
        return tuple(b for b in self.after if old.get(b.id, b.fence) != b.fence)

    def _swapped(self, without: TaskId | None) -> bool:
        common = {b.id for b in self.before} & {b.id for b in self.after} - {without}
        return [b.id for b in self.before if b.id in common] != [b.id for b in self.after if b.id in common]


def difference(before: Document | None, after: Document | None) -> Difference:
    """Where two versions differ; None is a version without blocks."""
    old = before.blocks if before is not None else ()
    new = after.blocks if after is not None else ()
    # Two versions mostly share the very bytes of their blocks, so lists of them are compared at once.
    sides = ([b.raw for b in old], [b.raw for b in new]), ([b.fence for b in old], [b.fence for b in new])
    start = min(common_start(one, other) for one, other in sides)
    end = min(common_end(one, other, start) for one, other in sides)
    return Difference(before=old[start : len(old) - end], after=new[start : len(new) - end])
