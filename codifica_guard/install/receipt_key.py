"""The server's own key, which signs receipts: its place, what makes it and takes it away, and who has to list it."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from codifica_guard.audit.server_key import KEY_FILE, default_server
from codifica_guard.errors import KeyUnavailable, UsageError
from codifica_guard.git.config import RECEIPT_KEY, SERVER
from codifica_guard.identity.allowed_signers import matches, principals_of
from codifica_guard.identity.attribute import GIT_NAMESPACE
from codifica_guard.identity.keys import is_hardware, public_line
from codifica_guard.identity.private_keys import peek_private
from codifica_guard.install.new_key import PRIVATE_MODE, public_path
from codifica_guard.install.plan import Action, Step, set_value, user
from codifica_guard.install.repository import Repository
from codifica_guard.model.ids import KeyBlob, Principal, is_principal
from codifica_guard.model.policy import Policy

_KIND: Final = "server:"
_OWN: Final = frozenset({"", "umask", "false", "no", "off", "0"})  # what git reads as: the owner's alone
_OCTAL: Final = re.compile(r"0?[0-7]{3}")
_FILE_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptKey:
    """The key that is there.

    Attributes:
        path: the private key's file.
        principal: whose it is.
        key: the public half.
    """

    path: Path
    principal: Principal
    key: KeyBlob

    @property
    def line(self) -> str:
        """The public half, as one line."""
        return public_line(self.key)

    @property
    def add(self) -> str:
        """The command by which a maintainer lists it."""
        return f"git codifica key add {self.principal} '{self.line}'"

    def revoked(self, policy: Policy | None) -> bool:
        """Whether a policy has it for good that nothing more is believed of it."""
        return policy is not None and self.key in policy.revoked

    def listed(self, policy: Policy | None) -> bool:
        """Whether a policy lists it as this server's, to sign commits with, and has not revoked it."""
        signers = principals_of(policy.signers, self.key, GIT_NAMESPACE) if policy is not None else ()
        return not self.revoked(policy) and any(matches(line, self.principal) for line in signers)


def key_path(repository: Repository) -> Path:
    """The file of the private key, whether it is there or not."""
    return repository.git_dir / (repository.own(RECEIPT_KEY) or KEY_FILE)


def principal_of(repository: Repository) -> Principal:
    """The principal that receipts are signed as: what is set, else the name of this machine."""
    return Principal(repository.own(SERVER) or default_server(os.uname().nodename))


def read_key(repository: Repository) -> ReceiptKey | None:
    """The key that is there; None where there is none.

    Raises:
        KeyUnavailable: what lies there cannot be read, or cannot sign by itself.
    """
    path = key_path(repository)
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyUnavailable(f"{path} cannot be read: {error.strerror}") from error
    found = peek_private(data, str(path))
    if found.encrypted:
        raise KeyUnavailable(f"{path} has a passphrase, which nobody can type in a hook")
    if is_hardware(found.key):
        raise KeyUnavailable(f"{path} lives in hardware, and nobody can touch it in a hook")
    return ReceiptKey(path=path, principal=principal_of(repository), key=found.key)


def set_key(repository: Repository, server: str | None = None) -> Iterator[Step]:
    """Steps that make the key where there is none, and set where it is and what the server is called.

    Args:
        repository: the server's.
        server: its name, with or without `server:`; None keeps what is set, or takes the machine's.

    Raises:
        UsageError: no server can be called so, or the key that is there is none, or only its public half is.
    """
    principal = _named(server) if server is not None else principal_of(repository)
    if not is_principal(principal):
        raise UsageError(f"{SERVER} is {principal!a}, and no server can be called so: give another one with --server")
    yield from share_folder(repository)
    yield from make_key(repository, principal)
    yield from set_value(repository, RECEIPT_KEY, repository.own(RECEIPT_KEY) or KEY_FILE)
    yield from set_value(repository, SERVER, principal)


def make_key(repository: Repository, principal: Principal) -> Iterator[Step]:
    """The step that makes the key, or the half of it that is missing, and the one that closes it to others.

    Raises:
        UsageError: the key that is there is none, or only its public half is.
    """
    path = key_path(repository)
    public = public_path(path)
    if path.is_file() and not os.access(path, os.R_OK):
        name = user(path.stat().st_uid)
        raise UsageError(f"{path} belongs to {name}, and only he may read it; do: sudo -u {name} codifica-guard …")
    try:
        there = read_key(repository)
    except KeyUnavailable as error:
        raise UsageError(f"{error}; move it away, and a new one is made, which a maintainer has to list") from error
    subject = shown(repository, path)
    if there is None and os.path.lexists(public):
        raise UsageError(
            f"{public} is there and its private half is not: put that back, or move this one away, too, for a new key"
        )
    if there is None:
        note = f"({PRIVATE_MODE:04o}, owner {user(os.geteuid())})"
        yield Step(action=Action.MAKE, subject=subject, note=note, path=path, value=principal)
    elif not os.path.lexists(public):
        note = "the public half"
        yield Step(action=Action.MAKE, subject=f"{subject}.pub", note=note, path=path, value=principal)
    if there is not None and path.stat().st_mode & forbidden(repository):
        note = f"mode {path.stat().st_mode & 0o7777:04o}, now {PRIVATE_MODE:04o}"
        yield Step(action=Action.MODE, subject=subject, note=note, path=path, mode=PRIVATE_MODE)


def share_folder(repository: Repository) -> Iterator[Step]:
    """The step that lets all who share a repository write what the hook keeps there, as they write all else in it."""
    if is_shared(repository) and (wanted := folder_mode(repository)) is not None:
        folder = repository.folder
        note = f"mode {folder.stat().st_mode & 0o7777:04o}, now {wanted:04o}"
        yield Step(action=Action.MODE, subject=folder.name, note=note, path=folder, mode=wanted)


def folder_mode(repository: Repository) -> int | None:
    """The mode that the guard's folder ought to have in a shared repository; None where it is not there, or is well."""
    if not repository.folder.is_dir() or repository.folder.stat().st_mode & 0o020:
        return None
    return repository.git_dir.stat().st_mode & 0o7777 | 0o020


def forbidden(repository: Repository) -> int:
    """The mode bits that no key may have: others' and the group's, but the group may read it where it shares the repository."""
    return 0o037 if is_shared(repository) else 0o077


def is_shared(repository: Repository) -> bool:
    """Whether several users of this machine write the repository's files, by `core.sharedRepository`."""
    value = (repository.own("core.sharedRepository") or "umask").lower()
    return bool(int(value, 8) & 0o020) if _OCTAL.fullmatch(value) else value not in _OWN


def leave_key(repository: Repository) -> Iterator[Step]:
    """What an uninstall tells of a key that it lets lie."""
    for path in _places(repository):
        if os.path.lexists(path):
            hint = "   (--purge removes it)" if within(repository, path) else ""
            yield Step(action=Action.LEAVE, subject=shown(repository, path), note=f"the server's key{hint}")


def purge_key(repository: Repository) -> Iterator[Step]:
    """Steps that take both halves away; a key outside of the repository may be other repositories' too, and stays."""
    for path in _places(repository):
        for half in (path, public_path(path)):
            if os.path.lexists(half):
                if within(repository, half):
                    yield Step(action=Action.REMOVE, subject=shown(repository, half), path=half)
                else:
                    note = "outside of the repository: other repositories may use it"
                    yield Step(action=Action.LEAVE, subject=str(half), note=note)


def _places(repository: Repository) -> tuple[Path, ...]:
    """Where a key may lie: where the config says, and where `install` puts it."""
    return tuple(dict.fromkeys((key_path(repository), repository.git_dir / KEY_FILE)))


def told(repository: Repository, policy: Policy | None) -> tuple[str, ...]:
    """The key, and the line by which a maintainer lists it; nothing once it is listed, or while there is none."""
    try:
        there = read_key(repository)
    except KeyUnavailable:
        return ()
    if there is None or there.listed(policy):
        return ()
    if there.revoked(policy):
        away = f"move {shown(repository, there.path)} and its .pub away, and install again makes another one"
        return (f"server key  is revoked, no receipt that it signs is believed: {away}",)
    return (f"server key  {there.line} {there.principal}", f"            {who_lists(policy)}: {there.add}")


def who_lists(policy: Policy | None) -> str:
    """Who has to list the key."""
    named = policy.guard.maintainers if policy is not None else ()
    return " or ".join(named) or "a maintainer, once the policy is in"


def _named(server: str) -> Principal:
    principal = Principal(server if server.startswith(_KIND) else f"{_KIND}{server}")
    if not is_principal(principal):
        raise UsageError(
            f"--server {server[:80]!a}: a name is of a-z 0-9 . _ - and 64 at most, such as git.example.org"
        )
    return principal


def within(repository: Repository, path: Path) -> bool:
    """Whether a file is this repository's own."""
    return path.is_relative_to(repository.git_dir) and ".." not in path.parts


def shown(repository: Repository, path: Path) -> str:
    """A file for people: from the repository's folder, where it is in there."""
    return str(path.relative_to(repository.git_dir)) if within(repository, path) else str(path)
