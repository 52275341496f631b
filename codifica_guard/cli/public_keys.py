"""Public keys as people give them to a command: a file, standard input, or the line itself."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from codifica_guard.errors import SignatureError, UsageError
from codifica_guard.identity.keys import PublicKey, parse_public

_STARTS: Final = ("ssh-", "ecdsa-", "sk-")
_CHARACTERS: Final = 64 * 1024


def read_public(words: Sequence[str]) -> PublicKey:
    """The one public key that is meant.

    Args:
        words: a file's name, `-` for standard input, or the key's line, whole or split at its blanks.

    Raises:
        UsageError: a file that cannot be read, no key, several, or a private one.
    """
    text = " ".join(words)
    named = is_line(text)
    if not named:
        text = _read(text)
    if "PRIVATE KEY" in text:
        raise UsageError(
            "that is a private key, which stays where it is; give the public one, the file that ends in .pub"
        )
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) != 1:
        raise UsageError(f"{'the text' if named else words[0]} holds {len(lines)} keys; give exactly one")
    try:
        return parse_public(lines[0])
    except SignatureError as error:
        raise UsageError(f"{'the line' if named else words[0]}: {error}") from error


def is_line(text: str) -> bool:
    """Whether a text is a key's line itself, and no file's name."""
    return text.strip().startswith(_STARTS) and " " in text.strip()


def _read(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.read(_CHARACTERS)
        with Path(name).expanduser().open(encoding="utf-8") as file:
            return file.read(_CHARACTERS)
    except (OSError, ValueError, RuntimeError) as error:  # the last where ~NAME is nobody's home
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        reason = str(error) if isinstance(error, RuntimeError) else reason
        raise UsageError(f"cannot read a public key from {name}: {reason}") from error
