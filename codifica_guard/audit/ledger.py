"""The chain of receipts, read from its newest end by whoever adds to it; what is believed of it is the audit's to say."""

from collections.abc import Iterable
from contextlib import suppress

from codifica_guard.audit.receipt_file import read_receipt
from codifica_guard.errors import MalformedReceipt
from codifica_guard.git.changes import entry_at
from codifica_guard.git.history import first_parents
from codifica_guard.git.store import Store
from codifica_guard.limits import RECEIPT_BYTES
from codifica_guard.model.ids import ObjectId, RefName, short
from codifica_guard.model.receipt import RECEIPT_FILE, Receipt
from codifica_guard.model.times import SKEW

Mark = tuple[str, RefName | None]
"""What tells a receipt from another one of the same push, and from one of another push: push and ref."""


def receipt_at(store: Store, oid: ObjectId) -> Receipt:
    """The receipt that a commit of the chain holds, whoever signed it.

    Raises:
        MalformedReceipt: it holds none.
        RepositoryError: an object is missing or damaged.
        LimitExceeded: its file is larger than any receipt.
    """
    entry = entry_at(store, store.commit(oid).tree, RECEIPT_FILE)
    if entry is None or not entry.is_file:
        raise MalformedReceipt(f"{short(oid)} has no {RECEIPT_FILE.decode()}")
    return read_receipt(store.blob(entry.id, RECEIPT_BYTES))


def mark(receipt: Receipt) -> Mark:
    """What tells a receipt from all others of its chain, whatever number it has."""
    return receipt.push, receipt.ref


def held(store: Store, tip: ObjectId | None, drafts: Iterable[Receipt]) -> frozenset[Mark]:
    """Which of some drafts the chain holds already.

    The walk ends where all are found, and at receipts that were written before the oldest of them was judged.
    """
    wanted = {mark(draft) for draft in drafts}
    since = min((draft.time for draft in drafts), default=0) - SKEW
    found: set[Mark] = set()
    for oid in first_parents(store, tip) if tip is not None else ():
        if found == wanted or store.commit(oid).committer_time < since:
            break
        with suppress(MalformedReceipt):  # what is no receipt holds none
            found |= wanted & {mark(receipt_at(store, oid))}
    return frozenset(found)
