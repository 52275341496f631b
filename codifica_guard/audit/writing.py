"""Receipts written: numbered, signed with the server's key, one commit each, added to the chain by compare-and-swap.

Objects come first and the ref last, so whatever is killed in between leaves a chain that is whole. Who loses a race reads what the
winner wrote, leaves out what is in the chain by now, and signs the rest anew.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from codifica_guard.audit.ledger import held, mark, receipt_at
from codifica_guard.audit.pending import push_id
from codifica_guard.audit.receipt_file import write_receipt
from codifica_guard.audit.server_key import key_path, server_principal
from codifica_guard.errors import (
    GuardError,
    KeyUnavailable,
    LimitExceeded,
    MalformedReceipt,
    RepositoryError,
    SignatureError,
)
from codifica_guard.git.config import Config, check_format
from codifica_guard.git.location import Location
from codifica_guard.git.moving import move_ref
from codifica_guard.git.refs import resolve
from codifica_guard.git.store import Store, open_store
from codifica_guard.git.writer import commit_bytes, edit_tree, write_object
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.sshsig import armour
from codifica_guard.limits import RECEIPT_BYTES, RECEIPT_SECONDS, RECEIPT_TRIES
from codifica_guard.model.commit import Entry
from codifica_guard.model.ids import ObjectId, RefName, short
from codifica_guard.model.receipt import PUSH, RECEIPT_FILE, RECEIPTS, Receipt
from codifica_guard.model.value import replace

__all__ = ["append", "append_chosen", "push_id"]

_NAMESPACE: Final = "git"
_FILE: Final = 0o100644
_KEY_BYTES: Final = 64 * 1024
_PAUSE: Final = 0.02
"""Seconds that the first pause between two tries takes at most."""

Choose = Callable[[Store, ObjectId | None, Receipt | None], Sequence[Receipt]]
"""Says what is to be added to a chain: it is given its newest commit and receipt, and asked again after a lost race."""


def append(location: Location, config: Config, drafts: Sequence[Receipt], now: int) -> tuple[Receipt, ...]:
    """Add receipts to the chain, in order; those that it holds already (same push and ref) are left out.

    Args:
        location: the repository.
        config: its own configuration.
        drafts: what the receipts say; number, server and `tips` are filled in here, and where they are left open (empty, 0)
            repository and ruleset are the newest receipt's.
        now: the clock, seconds since the epoch: the date of the commits. A receipt's own time is its draft's.

    Returns:
        The receipts that were added, as they stand in the chain now.

    Raises:
        KeyUnavailable: the server's key cannot be used; nothing was added.
        GuardError: the chain cannot be read, or the ref cannot be moved; nothing was added.
    """

    def missing(store: Store, tip: ObjectId | None, newest: Receipt | None) -> Sequence[Receipt]:
        del newest
        known = held(store, tip, drafts)
        return [draft for draft in drafts if mark(draft) not in known]

    return append_chosen(location, config, missing, now)


def append_chosen(location: Location, config: Config, choose: Choose, now: int) -> tuple[Receipt, ...]:
    """Like `append`, with the drafts chosen by what the chain ends with; chosen again after each lost race."""
    with open_store(location, check_format(config)) as store:
        signer: Signer | None = None
        began, tries = time.monotonic(), 0
        while True:
            tip = resolve(location, RECEIPTS)[1]
            newest = _newest(store, tip)
            drafts = choose(store, tip, newest)
            if not drafts:
                return ()
            signer = signer or _signer(location, config)
            added, last = _write(store, location, config, signer, tip, newest, drafts, now)
            if move_ref(location, RECEIPTS, last, tip):
                return added
            tries += 1
            if tries >= RECEIPT_TRIES and time.monotonic() - began > RECEIPT_SECONDS:
                raise RepositoryError(f"{RECEIPTS.decode()} is locked, or others move it all the time")
            _wait(tries)


def _wait(tries: int) -> None:
    """Pause by chance, so that two that met do not meet again."""
    import random  # noqa: PLC0415 - most pushes meet nobody

    time.sleep(random.uniform(0, _PAUSE * min(tries, 10)))  # noqa: S311 - nothing secret hangs on it


def _newest(store: Store, tip: ObjectId | None) -> Receipt | None:
    if tip is None:
        return None
    try:
        return receipt_at(store, tip)
    except GuardError as error:
        raise MalformedReceipt(
            f"the newest receipt {short(tip)} cannot be read, so none can follow: {error}"
        ) from error


def _signer(location: Location, config: Config) -> Signer:
    """The server's key.

    Raises:
        KeyUnavailable: it is not there, not ours to read, or no private key without a passphrase.
    """
    path = key_path(location, config)
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - paths of Git are bytes
            data = file.read(_KEY_BYTES)
        return Signer.from_text(data.decode("latin-1"), None)
    except OSError as error:
        raise KeyUnavailable(f"the server's key {os.fsdecode(path)} cannot be read: {error.strerror}") from error
    except SignatureError as error:
        raise KeyUnavailable(f"the server's key {os.fsdecode(path)} cannot be used: {error}") from error


def _write(
    store: Store,
    location: Location,
    config: Config,
    signer: Signer,
    tip: ObjectId | None,
    newest: Receipt | None,
    drafts: Sequence[Receipt],
    now: int,
) -> tuple[tuple[Receipt, ...], ObjectId]:
    """The objects of the receipts, which no ref names yet; the receipts, and the last one's commit."""
    server = server_principal(config)
    person = f"{server} <{server.partition(':')[2]}> {now} +0000".encode()
    added: list[Receipt] = []
    for draft in drafts:
        newest = _numbered(draft, newest, server)
        added.append(newest)
        tip = _commit(store, location, signer, newest, tip, person)
    if tip is None:
        raise AssertionError("nothing was to be written")
    return tuple(added), tip


def _numbered(draft: Receipt, before: Receipt | None, server: str) -> Receipt:
    """A draft as the receipt that follows another one."""
    return replace(
        draft,
        number=1 if before is None else before.number + 1,
        server=server,
        repository=draft.repository or (before.repository if before else ""),
        ruleset=draft.ruleset or (before.ruleset if before else 0),
        tips=_tips(draft, before.tips if before else {}),
    )


def _tips(draft: Receipt, tips: Mapping[RefName, ObjectId]) -> Mapping[RefName, ObjectId]:
    if draft.kind != PUSH or draft.ref is None:
        return tips
    rest = {ref: oid for ref, oid in tips.items() if ref != draft.ref}
    return rest if draft.new is None else {**rest, draft.ref: draft.new}


def _commit(
    store: Store, location: Location, signer: Signer, receipt: Receipt, parent: ObjectId | None, person: bytes
) -> ObjectId:
    data = write_receipt(receipt)
    if len(data) > RECEIPT_BYTES:
        raise LimitExceeded(f"a receipt of more than {RECEIPT_BYTES} bytes")
    blob = write_object(location, store.object_format, "blob", data)
    tree = edit_tree(store, location, None, {RECEIPT_FILE: Entry(_FILE, blob)})
    parents = () if parent is None else (parent,)
    message = _message(receipt)
    unsigned = commit_bytes(tree, parents, person, person, message, id_length=store.id_length)
    signature = armour(signer.sign(unsigned, _NAMESPACE))
    signed = commit_bytes(tree, parents, person, person, message, signature, store.id_length)
    return write_object(location, store.object_format, "commit", signed)


def _message(receipt: Receipt) -> bytes:
    """`receipt 7: refs/heads/main 1234567..89abcde`; of the other kinds, what they are about."""
    if receipt.ref is None:
        return f"receipt {receipt.number}: {receipt.kind}\n".encode()
    ends = [short(oid) if oid is not None else "none" for oid in (receipt.old, receipt.new)]
    return b"receipt %d: %s %s\n" % (receipt.number, receipt.ref, "..".join(ends).encode())
