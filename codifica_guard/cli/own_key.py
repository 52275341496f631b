"""The caller's own new key: whether its private half is at hand, and making it the one that signs in this clone."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from codifica_guard.clone.hand import SIGNING_KEY
from codifica_guard.clone.program import git, setting
from codifica_guard.errors import RepositoryError, SignatureError
from codifica_guard.identity.keys import PublicKey, public_line
from codifica_guard.identity.private_keys import BEGIN, peek_private
from codifica_guard.identity.signing import KEY_VARIABLE, Signer
from codifica_guard.model.ids import KeyBlob
from codifica_guard.rules.commands import word
from codifica_guard.verbs.reader import public_of

_FILE_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What became of a clone's signing key.

    Attributes:
        value: what `codifica.signingKey` is now; None where it was left alone.
        lines: text for people.
    """

    value: str | None
    lines: tuple[str, ...]


def at_hand(key: PublicKey, path: str | None) -> str | None:
    """What names a key for signing, if its private half is at hand: beside its file, or in the ssh-agent; else None.

    Args:
        key: the public half.
        path: the file that it was read from; None where there is none.
    """
    place = None if path is None else Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100 - links are the user's
    if place is not None and place.suffix == ".pub" and _private(place.with_suffix("")) == key.blob:
        return str(place)
    try:
        Signer.from_agent(key.blob)
    except SignatureError:
        return None
    return f"key::{public_line(key.blob)}" if place is None else str(place)


def _private(path: Path) -> KeyBlob | None:
    """The public half of a private key's file; None where there is no such file."""
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_BYTES)
        return peek_private(data, str(path)).key if BEGIN.encode() in data else None
    except (OSError, SignatureError):
        return None


def use_here(folder: bytes, key: PublicKey, value: str | None) -> Here:
    """Let a key sign in this clone, and say what else still names another one.

    Args:
        folder: the clone.
        key: the key.
        value: what names it, from `at_hand`.
    """
    if value is None:
        text = "the private half of the new key is not here; once it is: git config codifica.signingKey FILE.pub"
        return Here(value=None, lines=(f"here     {text}",))
    command = f"git config {SIGNING_KEY} {word(value)}"
    try:
        git(folder, "config", SIGNING_KEY, value)
    except RepositoryError as error:
        return Here(value=None, lines=(f"here     not set ({error}): {command}",))
    lines = [f"here     {command}   (set)"]
    if os.environ.get(KEY_VARIABLE, "").strip():
        lines.append(f"note     {KEY_VARIABLE} is set, and goes before it: let it name the new key")
    elif setting(folder, SIGNING_KEY) != value:
        lines.append(f"note     another {SIGNING_KEY} goes before it: git config --show-origin --get-all {SIGNING_KEY}")
    if _git_signs_with_another(folder, key):
        lines.append(f"note     git commit -S signs with the old key still: git config user.signingkey {word(value)}")
    return Here(value=value, lines=tuple(lines))


def _git_signs_with_another(folder: bytes, key: PublicKey) -> bool:
    """Whether Git's own signatures are made with another key."""
    named = setting(folder, "user.signingkey")
    if setting(folder, "gpg.format") != "ssh" or not named:
        return False
    try:
        return public_of(named) != key.blob
    except SignatureError:
        return False
