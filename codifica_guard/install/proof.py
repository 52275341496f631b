"""What a server has written down of the pushes to it, seen by its admin: receipts, and what is still to become one."""

import os
from collections.abc import Iterator
from typing import Final

from codifica_guard import __version__
from codifica_guard.audit import pending
from codifica_guard.audit.handover import settle
from codifica_guard.audit.pending import Held
from codifica_guard.audit.receipt_file import read_receipt
from codifica_guard.audit.writing import append, push_id
from codifica_guard.errors import MalformedReceipt
from codifica_guard.git.config import INTRODUCTION, Config, read_config
from codifica_guard.git.location import Location, at
from codifica_guard.git.refs import resolve
from codifica_guard.install.plan import Action, Step
from codifica_guard.install.receipt_key import leave_key, purge_key
from codifica_guard.install.repository import Repository
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.policy import Policy
from codifica_guard.model.receipt import RECEIPT_FILE, RECEIPTS, Receipt

_REF: Final = RECEIPTS.decode("ascii")


def location_of(repository: Repository) -> Location:
    """The repository, for what reads it without Git."""
    return at(os.fsencode(repository.git_dir), {})


def config_of(repository: Repository) -> Config:
    """Its own settings, as the hooks read them."""
    return read_config(location_of(repository))


def tip(repository: Repository) -> str | None:
    """Where the chain ends; None where there is none."""
    return repository.git("rev-parse", "--verify", "--quiet", _REF)


def newest(repository: Repository) -> Receipt | None:
    """The last receipt; None where there is none.

    Raises:
        MalformedReceipt: what stands there is none.
    """
    if (found := tip(repository)) is None:
        return None
    text = repository.git("cat-file", "blob", f"{found}:{RECEIPT_FILE.decode('ascii')}")
    if text is None:
        raise MalformedReceipt(f"{_REF} names no receipt")
    return read_receipt(os.fsencode(text))


def kept(repository: Repository) -> tuple[Held, ...]:
    """What pre-receive kept of pushes that have no receipt: of those that came in, and of some that never did.

    Raises:
        RepositoryError: it cannot be looked at.
    """
    location = location_of(repository)
    return pending.read(location, pending.names(location))


def stands(repository: Repository, ref: RefName) -> ObjectId | None:
    """Where a branch is; None where it is not there."""
    return resolve(location_of(repository), ref)[1]


def fill(repository: Repository, now: int) -> int:
    """Write the receipts of pushes whose own hook did not come to it; how many those were.

    Raises:
        GuardError: they cannot be written; the next push tries it again.
    """
    return len(settle(location_of(repository), config_of(repository), (), now)) if kept(repository) else 0


def write_down(
    repository: Repository,
    kind: str,
    *,
    policy: Policy | None,
    now: int,
    introduction: ObjectId | None = None,
    until: int | None = None,
    reason: str = "",
) -> Receipt:
    """Add a receipt of what the admin does; it stands in the chain when this returns.

    Args:
        repository: the server's.
        kind: `pause` or `introduction`.
        policy: the policy that counts; None where there is none.
        now: the clock, seconds since the epoch.
        introduction: the commit from which on is judged; None for the one that is pinned.
        until: the end of a pause; None where there is none.
        reason: why.

    Raises:
        GuardError: it cannot be signed or added; nothing was added.
    """
    pinned = repository.own(INTRODUCTION)
    draft = Receipt(
        number=0,
        kind=kind,
        repository=policy.guard.repository if policy is not None else "",
        server="",
        guard=__version__,
        ruleset=policy.guard.ruleset if policy is not None else 0,
        time=now,
        introduction=introduction or (ObjectId(pinned.encode("ascii", "replace")) if pinned else None),
        push=push_id(),
        paused=until is not None,
        until=until,
        reason=reason,
    )
    (added,) = append(location_of(repository), config_of(repository), (draft,), now)
    return added


# -- the end of it


def leave(repository: Repository) -> Iterator[Step]:
    """What an uninstall tells of what it lets lie."""
    if tip(repository) is not None:
        yield Step(action=Action.LEAVE, subject=_REF, note=f"{_count(repository)}   (--purge removes them)")
    yield from leave_key(repository)


def purge(repository: Repository) -> Iterator[Step]:
    """Steps that delete the receipts, the key, and what was to become a receipt: nothing is proven by them any more."""
    if (found := tip(repository)) is not None:
        note = _count(repository)
        yield Step(action=Action.DELETE, subject=_REF, note=note, path=repository.git_dir, value=found)
    yield from purge_key(repository)
    folder = repository.folder / os.fsdecode(pending.PENDING)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        yield Step(action=Action.REMOVE, subject=str(path.relative_to(repository.git_dir)), path=path)


def _count(repository: Repository) -> str:
    count = int(repository.git("rev-list", "--count", "--first-parent", _REF, "--") or 0)
    return f"{count:,} receipt{'' if count == 1 else 's'}"
