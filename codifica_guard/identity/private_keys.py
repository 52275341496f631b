"""OpenSSH private keys: what a file says without its passphrase, and the key itself."""

import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from codifica_guard.errors import KeyUnavailable, SignatureError
from codifica_guard.identity.keys import dissect
from codifica_guard.identity.wire import Reader
from codifica_guard.model.ids import KeyBlob

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

BEGIN: Final = "-----BEGIN OPENSSH PRIVATE KEY-----"
END: Final = "-----END OPENSSH PRIVATE KEY-----"
_MAGIC: Final = b"openssh-key-v1\0"


class WrongPassphrase(KeyUnavailable):
    """The key is encrypted, and this is not its passphrase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateFile:
    """What a private key says in clear: its public half, and the cipher over the rest (`none` where there is none)."""

    key: KeyBlob
    cipher: str

    @property
    def encrypted(self) -> bool:
        """Whether a passphrase is needed."""
        return self.cipher != "none"


def peek_private(data: bytes, source: str) -> PrivateFile:
    """What an OpenSSH private key says without its passphrase (PROTOCOL.key).

    Args:
        data: the key's text.
        source: names it in errors.

    Raises:
        KeyUnavailable: it is no such key, holds more than one, or is of a type that is not supported.
    """
    try:
        return _peek(data.decode("latin-1").partition(BEGIN)[2].partition(END)[0])
    except ValueError as error:  # of base64, or because it is no ASCII
        raise KeyUnavailable(f"{source} is no OpenSSH private key; ssh-keygen -p -f FILE writes one") from error
    except SignatureError as error:
        raise KeyUnavailable(f"{source} cannot be used: {error}") from error


def _peek(body: str) -> PrivateFile:
    reader = Reader(binascii.a2b_base64("".join(body.split()), strict_mode=True))
    if not body or reader.take(len(_MAGIC)) != _MAGIC:
        raise SignatureError("it is no OpenSSH private key")
    cipher = reader.string().decode("latin-1")
    reader.string()  # key derivation and its options
    reader.string()
    if reader.u32() != 1:
        raise SignatureError("it holds several keys")
    key = reader.string()
    dissect(key)
    return PrivateFile(key=KeyBlob(key), cipher=cipher)


def load_private(data: bytes, passphrase: str | None, source: str) -> tuple["PrivateKeyTypes", KeyBlob]:
    """The private key of an OpenSSH key's text, and its public half.

    Raises:
        WrongPassphrase: the passphrase is wrong, or is needed and missing.
        KeyUnavailable: the key cannot be used for another reason; the text names the way out.
    """
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - loading it costs 60 ms
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

    peeked = peek_private(data, source)
    if peeked.encrypted and not passphrase:
        raise WrongPassphrase(f"{source} is encrypted, and no passphrase was given; let the ssh-agent hold it: ssh-add")
    secret = passphrase.encode() if passphrase and peeked.encrypted else None
    try:
        private = serialization.load_ssh_private_key(data, secret)  # sees to it that both halves are one key
    except UnsupportedAlgorithm as error:
        reason = f"encrypted with {peeked.cipher}" if peeked.encrypted else "of a type that only OpenSSH can use"
        raise KeyUnavailable(f"{source} is {reason}; let the ssh-agent hold it: ssh-add") from error
    except (ValueError, TypeError) as error:
        if peeked.encrypted:
            raise WrongPassphrase(f"the passphrase of {source} is wrong") from error
        raise KeyUnavailable(f"{source} is damaged: {error}") from error
    return private, peeked.key
