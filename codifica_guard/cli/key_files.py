"""Key files that the program makes: OpenSSH's form, for their owner's eyes only, never written over."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from codifica_guard.clone.desk import Desk
from codifica_guard.errors import UsageError
from codifica_guard.identity.keys import public_line
from codifica_guard.identity.new_keys import new_private
from codifica_guard.identity.private_keys import peek_private
from codifica_guard.model.ids import KeyBlob, Principal

_FILE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFile:
    """A private key and its place.

    Attributes:
        principal: whose it is to be.
        path: the private key's file; the public half stands beside it, with `.pub`.
        key: the public half.
        text: the private key's text, a secret; None for a file that was there before.
    """

    principal: Principal
    path: Path
    key: KeyBlob
    text: bytes | None = field(default=None, repr=False)

    @property
    def line(self) -> str:
        """The public half as one line, with the principal for a comment."""
        return f"{public_line(self.key)} {self.principal}"


def default_path(desk: Desk, principal: Principal) -> Path:
    """Where the key of a principal is kept: below the user's own configuration, by the repository's name."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(given) if Path(given).is_absolute() else Path("~/.config").expanduser()
    return base / "codifica-guard" / desk.name / principal.replace(":", "-")


def new_key(principal: Principal, path: Path) -> KeyFile:
    """A new key, not written yet.

    Raises:
        UsageError: something lies at its place.
    """
    for taken in (path, public_path(path)):
        if os.path.lexists(taken):
            raise UsageError(f"{taken} is there already and stays as it is: move it away, or name another place")
    text, key = new_private()
    return KeyFile(principal=principal, path=path, key=key, text=text)


def new_or_kept_key(principal: Principal, path: Path) -> KeyFile:
    """The key at a place, or a new one, not written yet, where there is none.

    Raises:
        KeyUnavailable: what lies there is no private key.
        UsageError: it cannot be read.
    """
    if not os.path.lexists(path):
        return new_key(principal, path)
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_BYTES)
    except OSError as error:
        raise UsageError(f"{path} is there already and cannot be read: {error.strerror}") from error
    return KeyFile(principal=principal, path=path, key=peek_private(data, str(path)).key)


def write_key(key: KeyFile) -> None:
    """Write a new key's two files; one that was there before is left as it is.

    Raises:
        UsageError: a folder or file cannot be made, or something came into its place meanwhile.
    """
    if key.text is None:
        return
    try:
        key.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(key.path, key.text, 0o600)
        _write(public_path(key.path), f"{key.line}\n".encode("ascii"), 0o644)
    except OSError as error:
        raise UsageError(f"cannot write the key {key.path}: {error.strerror}") from error


def public_path(path: Path) -> Path:
    """Where the public half of a key file stands."""
    return path.with_name(path.name + ".pub")


def _write(path: Path, data: bytes, mode: int) -> None:
    # The mode is there before the first byte; O_EXCL follows no link and writes over nothing.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
