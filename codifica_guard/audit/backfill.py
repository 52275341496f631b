"""Which pending pushes came in: of what `pre-receive` let in, that what leads to where a branch is.

A branch that stands at a tip was moved there by the newest pending update that leads there; that one began where another ended; and
so on back to where the receipts have the branch. What is not on that way never came in, or came behind the hook's back, and
gets no receipt.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from operator import attrgetter

from codifica_guard.audit.pending import Held
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.value import replace, value

Stands = Callable[[RefName], ObjectId | None]
"""Where a branch is now; None where it is not there."""


@value
class Way:
    """How a branch came to where it is, by pending updates.

    Attributes:
        steps: the updates, in order.
        whole: whether they begin where the receipts end; else the branch was moved behind the hook's back, or the receipts know
            some of the updates already.
    """

    steps: tuple[Held, ...]
    whole: bool


@value
class Due:
    """One receipt that is due.

    Attributes:
        draft: what it says.
        file: where that was kept.
        sure: whether the chain cannot hold it yet.
    """

    draft: Receipt
    file: Held
    sure: bool


def way(pending: Iterable[Held], at: ObjectId | None, end: ObjectId | None) -> Way:
    """The way on which a branch came to a tip.

    Of several updates that lead to one tip the one that was judged last is believed first: a branch was where an update begins when
    that was judged. What does not lead back to the receipts is believed only where nothing does.

    Args:
        pending: updates of the one branch.
        at: the tip; None where the branch is not there.
        end: where the receipts have it.
    """
    leading: dict[ObjectId | None, list[tuple[ObjectId | None, Held]]] = {}
    for held in sorted(pending, key=attrgetter("at")):
        if held.draft is not None:
            leading.setdefault(held.draft.new, []).append((held.draft.old, held))
    steps: list[Held] = []
    places: list[ObjectId | None] = [at]
    believed: tuple[Held, ...] | None = None
    while places[-1] != end:
        choices = leading.get(places[-1])
        if choices:
            old, held = choices.pop()  # each update is gone once, whatever circles they make
            steps.append(held)
            places.append(old)
            continue
        if believed is None:
            believed = tuple(reversed(steps))
        if not steps:
            return Way(steps=believed, whole=False)
        steps.pop()
        places.pop()
    return Way(steps=tuple(reversed(steps)), whole=True)


def due(
    pending: Sequence[Held], own: Collection[bytes], tips: Mapping[RefName, ObjectId], stands: Stands
) -> tuple[Due, ...]:
    """The receipts that are due, in order: those of earlier pushes whose own hook did not come to it, then those of a push itself.

    Args:
        pending: all files.
        own: names of the files of the push's own updates.
        tips: where the receipts have each branch.
        stands: where a branch is now.
    """
    found: list[tuple[bool, int, Due]] = []
    for ref, files in _by_ref(pending).items():
        end = tips.get(ref)
        mine = next(((held, draft) for held, draft in files if held.name in own), None)
        at = stands(ref) if mine is None else mine[1].old
        before = way((held for held, _ in files if mine is None or held is not mine[0]), at, end)
        times = accumulate((held.at for held in before.steps), max)
        for time, held in zip(times, before.steps, strict=True):
            if held.draft is not None:
                found.append((False, time, Due(draft=replace(held.draft, late=True), file=held, sure=False)))
        if mine is not None:
            sure = before.whole and mine[1].new != end
            found.append((True, mine[0].at, Due(draft=mine[1], file=mine[0], sure=sure)))
    return tuple(row for _, _, row in sorted(found, key=lambda item: item[:2]))


def lost(pending: Sequence[Held], tips: Mapping[RefName, ObjectId], stands: Stands) -> tuple[Held, ...]:
    """The files whose push did not come in, or has its receipt: they are not on a branch's way, and begin where it is not any more."""
    gone: list[Held] = []
    for ref, files in _by_ref(pending).items():
        at = stands(ref)
        kept = {held.name for held in way((held for held, _ in files), at, tips.get(ref)).steps}
        gone += [held for held, draft in files if held.name not in kept and draft.old != at]
    return tuple(gone)


def _by_ref(pending: Iterable[Held]) -> dict[RefName, list[tuple[Held, Receipt]]]:
    found: dict[RefName, list[tuple[Held, Receipt]]] = {}
    for held in pending:
        if held.draft is not None and held.draft.ref is not None:
            found.setdefault(held.draft.ref, []).append((held, held.draft))
    return found
