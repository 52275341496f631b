"""From pending files to receipts: what came in is added to the chain, what never will is taken away."""

from collections.abc import Iterable, Sequence
from typing import Final

from codifica_guard.audit import pending
from codifica_guard.audit.backfill import Due, due, lost
from codifica_guard.audit.ledger import held, mark
from codifica_guard.audit.pending import KEPT_SECONDS, Held
from codifica_guard.audit.writing import append_chosen
from codifica_guard.errors import RepositoryError
from codifica_guard.git.config import Config
from codifica_guard.git.location import Location
from codifica_guard.git.refs import resolve
from codifica_guard.git.store import Store
from codifica_guard.limits import RECEIPTS_AT_ONCE
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.push import RefUpdate
from codifica_guard.model.receipt import Receipt

_NANOSECONDS: Final = 1_000_000_000


def settle(location: Location, config: Config, updates: Iterable[RefUpdate], now: int) -> tuple[Receipt, ...]:
    """Write the receipts of a push that just came in, and before them those of earlier pushes that got none.

    Files go only once the chain holds what they say. At most `RECEIPTS_AT_ONCE` receipts are written; the rest waits for the next push.

    Args:
        location: the repository.
        config: its own configuration.
        updates: what the push moved; none where no push is meant.
        now: the clock, seconds since the epoch.

    Returns:
        The receipts that were added.

    Raises:
        GuardError: they cannot be written; all files are still there.
    """
    there = pending.names(location)
    if not there:
        pending.drop(location, ())
        return ()
    own = {pending.name_of(_ref(location, u.ref), u.old, u.new) for u in updates}
    files = (*pending.read(location, own & there), *pending.read(location, there - own))
    settling = _Settling(location, files, own)
    added = append_chosen(location, config, settling.choose, now)
    pending.drop(location, [*settling.done, *settling.never(there, now, added)])
    return added


class _Settling:
    """One round, which a lost race begins anew."""

    def __init__(self, location: Location, files: Sequence[Held], own: set[bytes]) -> None:
        self._location, self._files, self._own = location, files, own
        self._newest: Receipt | None = None
        self.done: set[bytes] = set()

    def choose(self, store: Store, tip: ObjectId | None, newest: Receipt | None) -> tuple[Receipt, ...]:
        """What is due behind the newest receipt."""
        self._newest = newest
        rows = due(self._files, self._own, newest.tips if newest is not None else {}, self._stands)
        known = held(store, tip, [row.draft for row in rows if not row.sure])
        fresh = [row for row in rows if row.sure or mark(row.draft) not in known][:RECEIPTS_AT_ONCE]
        self.done = {row.file.name for row in (*fresh, *_known(rows, known))}
        return tuple(row.draft for row in fresh)

    def never(self, there: frozenset[bytes], now: int, added: tuple[Receipt, ...]) -> set[bytes]:
        """The files that nothing will come of: of lost pushes, and of any that is a day old and leads nowhere."""
        newest = added[-1] if added else self._newest
        tips = newest.tips if newest is not None else {}
        rest = [file for file in self._files if file.name not in self.done]
        ends = {ref: self._stands(ref) for ref in {f.draft.ref for f in rest if f.draft is not None and f.draft.ref}}
        gone = lost(rest, tips, ends.__getitem__)
        if not pending.names(self._location) <= there:
            gone = ()  # a push came in between: its file may be what one of these leads to
        old = (f for f in rest if f.draft is None and f.at // _NANOSECONDS < now - KEPT_SECONDS)
        idle = (
            f
            for f in rest
            if f.draft is not None
            and f.draft.time < now - KEPT_SECONDS
            and f.draft.ref is not None
            and f.draft.old == ends[f.draft.ref]
        )
        return {file.name for file in (*gone, *old, *idle)}

    def _stands(self, ref: RefName) -> ObjectId | None:
        return resolve(self._location, ref)[1]


def _known(rows: Iterable[Due], known: frozenset[tuple[str, RefName | None]]) -> list[Due]:
    return [row for row in rows if not row.sure and mark(row.draft) in known]


def _ref(location: Location, ref: RefName) -> RefName:
    try:
        return resolve(location, ref)[0]
    except RepositoryError:
        return ref
