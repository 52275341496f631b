"""New keys: Ed25519 pairs, in the form that OpenSSH reads."""

from codifica_guard.identity.keys import ED25519
from codifica_guard.identity.wire import pack_string
from codifica_guard.model.ids import KeyBlob


def new_private() -> tuple[bytes, KeyBlob]:
    """The text of a private key that nobody held before, without a passphrase, and its public half. The text is a secret."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - loading it costs 60 ms
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    private = ed25519.Ed25519PrivateKey.generate()
    text = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    raw = private.public_key().public_bytes_raw()
    return text, KeyBlob(pack_string(ED25519.encode()) + pack_string(raw))
