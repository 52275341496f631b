"""Checks of the server's own key: whether it can sign receipts, nobody else can, and the policy lists it."""

import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codifica_guard.errors import GuardError, KeyUnavailable
from codifica_guard.git.config import SERVER
from codifica_guard.install import receipt_key
from codifica_guard.install.check import Check, Level, Probes, fix_command, install_command
from codifica_guard.install.new_key import PRIVATE_MODE, public_path
from codifica_guard.install.plan import user
from codifica_guard.install.proof import tip
from codifica_guard.install.repository import Repository
from codifica_guard.model.ids import is_principal
from codifica_guard.model.policy import Policy

_KEY: Final = "server key"


def check_server_key(repository: Repository, probes: Probes) -> Iterator[Check]:
    """Whether the server can sign receipts, nobody else can, and a maintainer has listed its key."""
    path = receipt_key.key_path(repository)
    where = receipt_key.shown(repository, path)
    if not is_principal(receipt_key.principal_of(repository)):
        text = f"{SERVER} is {repository.own(SERVER)!a}: no server can be called so"
        name_it = f"{install_command(repository)} --server NAME"
        yield Check(level=Level.FAIL, name=_KEY, text=text, do=(name_it,))
    try:
        there = receipt_key.read_key(repository)
    except KeyUnavailable as error:
        do = (_away(path), install_command(repository))
        yield Check(level=Level.FAIL, name=_KEY, text=f"{error}: no receipts are written", do=do)
        return
    if there is None:
        yield _missing(repository, where)
        return
    wrong = (*_folder(repository), *_rights(repository, where))
    yield from wrong
    listed = _listing(repository, there, policy_of(probes))
    if listed is not None:
        yield listed
    elif not wrong:
        shared = "; its group may sign in the server's name" if path.stat().st_mode & 0o040 else ""
        text = f"{where} of {there.principal}, listed by the policy{shared}"
        yield Check(level=Level.OK, name=_KEY, text=text)


def _missing(repository: Repository, where: str) -> Check:
    text = f"{where} is missing: no receipts are written"
    if tip(repository) is None:
        return Check(level=Level.FAIL, name=_KEY, text=text, do=fix_command(repository))
    do = (
        "put it back from a backup: receipts were signed with it",
        f"or, for a new one, which a maintainer has to list: {install_command(repository)}",
    )
    return Check(level=Level.FAIL, name=_KEY, text=text, do=do)


def _folder(repository: Repository) -> Iterator[Check]:
    """Whether all who share the repository can write down their pushes."""
    if receipt_key.is_shared(repository) and receipt_key.folder_mode(repository) is not None:
        mode = stat.S_IMODE(repository.folder.stat().st_mode)
        text = f"{repository.folder.name} is {mode:04o}, and a group shares this repository: only its owner's pushes are written down"
        yield Check(level=Level.FAIL, name=_KEY, text=text, do=fix_command(repository))


def _rights(repository: Repository, where: str) -> Iterator[Check]:
    """What is wrong with the mode and the owner of the file."""
    path = receipt_key.key_path(repository)
    found, owner = path.stat(), repository.git_dir.stat().st_uid
    mode = stat.S_IMODE(found.st_mode)
    shared = receipt_key.is_shared(repository)
    if mode & receipt_key.forbidden(repository):
        text = f"{where} is {mode:04o}, not {PRIVATE_MODE:04o}: others can sign in the server's name"
        yield Check(level=Level.FAIL, name=_KEY, text=text, do=fix_command(repository))
    elif shared and not mode & 0o040:
        text = (
            f"{where} is {user(found.st_uid)}'s alone, and a group shares this repository: "
            f"the receipts of others' pushes wait for the next push of {user(found.st_uid)}"
        )
        do = (f"to let the group sign in the server's name: chmod 640 {shlex.quote(str(path))}",)
        yield Check(level=Level.WARN, name=_KEY, text=text, do=do)
    if found.st_uid != owner:
        text = (
            f"{where} belongs to {user(found.st_uid)}, the repository to {user(owner)}: its hooks cannot read the key"
        )
        do = (f"chown {user(owner)} {shlex.quote(str(path))}",)
        yield Check(level=Level.FAIL, name=_KEY, text=text, do=do)


def _listing(repository: Repository, there: receipt_key.ReceiptKey, policy: Policy | None) -> Check | None:
    """What is wrong with how the policy lists the key; None where nothing is."""
    if policy is None:
        text = f"of {there.principal}; a maintainer lists it once the policy is in"
        return Check(level=Level.OK, name=_KEY, text=text, do=(there.add,))
    if there.revoked(policy):
        text = f"of {there.principal} is revoked: no receipt that it signs is believed"
        do = (_away(there.path), install_command(repository))
        return Check(level=Level.FAIL, name=_KEY, text=text, do=do)
    if there.listed(policy):
        return None
    text = f"of {there.principal} is not listed by the policy: no audit believes its receipts"
    return Check(level=Level.WARN, name=_KEY, text=text, do=(f"{receipt_key.who_lists(policy)}: {there.add}",))


def _away(path: Path) -> str:
    """The command that makes room for another key."""
    return f"mv {shlex.quote(str(path))} {shlex.quote(str(public_path(path)))} ELSEWHERE"


def policy_of(probes: Probes) -> Policy | None:
    """The policy at HEAD; None where there is none, or none that can be read."""
    try:
        return probes.policy()
    except GuardError:
        return None  # told by itself
