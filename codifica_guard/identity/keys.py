"""Public keys of SSH, told apart by their raw blobs, without any cryptography.

cryptography loads a hardware key as a plain Ed25519 key; so no key is ever identified by its objects.
"""

import base64
import binascii
import hashlib
import re
from functools import lru_cache
from typing import Final

from codifica_guard.errors import SignatureError
from codifica_guard.identity.wire import Reader
from codifica_guard.model.ids import KeyBlob
from codifica_guard.model.value import value

ED25519: Final = "ssh-ed25519"
RSA: Final = "ssh-rsa"
SK_ED25519: Final = "sk-ssh-ed25519@openssh.com"
SK_ECDSA: Final = "sk-ecdsa-sha2-nistp256@openssh.com"
CURVE_BYTES: Final = {"nistp256": 32, "nistp384": 48, "nistp521": 66}
"""The curves of `ecdsa-sha2-*` keys, and the bytes of one coordinate (RFC 5656)."""

KEY_TYPES: Final = frozenset({ED25519, RSA, SK_ED25519, SK_ECDSA, *(f"ecdsa-sha2-{curve}" for curve in CURVE_BYTES)})

RSA_BITS: Final = range(2048, 16384 + 1)
"""Sizes of RSA keys that are taken; OpenSSL takes none above."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")


@value
class PublicKey:
    """One line of a public key file: the key's type, its wire format, and the comment behind it."""

    type: str
    blob: KeyBlob
    comment: str = ""


@value
class KeyParts:
    """What a key blob is made of.

    Attributes:
        type: one of `KEY_TYPES`.
        point: the 32 bytes of an Ed25519 key, or the uncompressed point of an ECDSA key; empty for RSA.
        curve: the curve of an ECDSA key; empty for the others.
        exponent: the exponent of an RSA key; 0 for the others.
        modulus: the modulus of an RSA key; 0 for the others.
        application: what a hardware key was made for, such as `ssh:`; None for keys without hardware.
    """

    type: str
    point: bytes = b""
    curve: str = ""
    exponent: int = 0
    modulus: int = 0
    application: bytes | None = None


@lru_cache(maxsize=256)
def dissect(blob: bytes) -> KeyParts:
    """The parts of a key blob; each key that is taken has exactly one blob.

    Whether a point lies on its curve is seen when a signature is checked, not here.

    Raises:
        SignatureError: an unknown type, a certificate, RSA of fewer than 2048 bits, or malformed bytes.
    """
    reader = Reader(blob)
    kind = reader.string().decode("latin-1")
    if "-cert-v0" in kind:
        raise SignatureError("certificates are not supported; list the key itself")
    if kind not in KEY_TYPES:
        raise SignatureError(f"keys of the type {kind[:60]!a} are not supported; ssh-ed25519 is")
    if kind == RSA:
        parts = _rsa(reader)
    elif kind in {ED25519, SK_ED25519}:
        parts = KeyParts(type=kind, point=_sized(reader.string(), 32), application=_application(reader, kind))
    else:
        curve = kind.removeprefix("sk-").removesuffix("@openssh.com").removeprefix("ecdsa-sha2-")
        if reader.string() != curve.encode():
            raise SignatureError("the key's curve is not the one that its type names")
        point = _sized(reader.string(), 1 + 2 * CURVE_BYTES[curve])
        if point[0] != 4:  # compressed points: OpenSSH takes none either
            raise SignatureError("the key's point is not uncompressed")
        parts = KeyParts(type=kind, point=point, curve=curve, application=_application(reader, kind))
    reader.end()
    return parts


def parse_public(text: bytes | str) -> PublicKey:
    """The key of one line `keytype base64 [comment]`, as in a `.pub` file.

    Raises:
        SignatureError: the line is anything else, or its type is not the key's.
    """
    line = text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text
    line = line.removesuffix("\n").removesuffix("\r")
    line = line.replace("\t", " ").strip(" ")
    words = line.split(" ", 1)
    if len(words) != 2 or not line.isprintable():
        raise SignatureError("a public key is one line: its type, its base64 text, a comment")
    encoded, _, comment = words[1].strip(" ").partition(" ")
    blob = KeyBlob(decode_base64(encoded, "the public key"))
    if dissect(blob).type != words[0]:
        raise SignatureError(f"the line says {words[0][:60]!a}, the key is of the type {key_type(blob)}")
    return PublicKey(type=words[0], blob=blob, comment=comment.strip(" "))


def decode_base64(text: str, what: str) -> bytes:
    """The bytes of a base64 text in its only form: padded, without blanks, unused bits zero.

    Raises:
        SignatureError: any other text; `what` names it.
    """
    try:
        data = binascii.a2b_base64(text, strict_mode=True) if _BASE64.fullmatch(text) else b""
    except binascii.Error:
        data = b""
    if not data or base64.b64encode(data).decode() != text:
        raise SignatureError(f"{what} is not proper base64")
    return data


def key_type(blob: bytes) -> str:
    """The type of a key that is well-formed; `SignatureError` otherwise."""
    return dissect(blob).type


def is_hardware(blob: bytes) -> bool:
    """Whether a key lives in hardware (FIDO), so that its signatures say if the user was there."""
    return dissect(blob).application is not None


def fingerprint(blob: bytes) -> str:
    """The fingerprint as `ssh-keygen -l` writes it: `SHA256:` and unpadded base64."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def public_line(blob: bytes) -> str:
    """The key as one line `keytype base64`, without comment; `SignatureError` for a malformed key."""
    return f"{key_type(blob)} {base64.b64encode(blob).decode()}"


def _rsa(reader: Reader) -> KeyParts:
    exponent, modulus = reader.mpint(), reader.mpint()
    if modulus.bit_length() not in RSA_BITS:
        raise SignatureError(f"RSA keys need 2048 to 16384 bits, this one has {modulus.bit_length()}")
    return KeyParts(type=RSA, exponent=exponent, modulus=modulus)


def _sized(value: bytes, size: int) -> bytes:
    if len(value) != size:
        raise SignatureError("the key is of the wrong length for its type")
    return value


def _application(reader: Reader, kind: str) -> bytes | None:
    return reader.string() if kind.startswith("sk-") else None
