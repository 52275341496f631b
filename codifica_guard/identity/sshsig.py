"""SSH signatures over any message, as OpenSSH's PROTOCOL.sshsig writes them.

Stricter than `ssh-keygen -Y verify`, never laxer: one encoding for each value, `reserved` empty, no SHA-1, RSA from
2048 bits. A signature is no identity: whoever sees an ECDSA signature can make a second one for the same message.
"""

import base64
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from codifica_guard import limits
from codifica_guard.errors import SignatureError
from codifica_guard.identity.keys import RSA, KeyParts, decode_base64, dissect
from codifica_guard.identity.wire import Reader, pack_string, pack_u32
from codifica_guard.model.ids import KeyBlob
from codifica_guard.model.value import value

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519
    from cryptography.hazmat.primitives.hashes import HashAlgorithm

MAGIC: Final = b"SSHSIG"
VERSION: Final = 1
BEGIN: Final = "-----BEGIN SSH SIGNATURE-----"
END: Final = "-----END SSH SIGNATURE-----"
HASHES: Final = (b"sha256", b"sha512")
WIDTH: Final = 70
"""Characters of a line of armour, as ssh-keygen breaks it."""

USER_PRESENT: Final = 1
"""Bit of a hardware signature's flags: somebody touched the key."""


@value
class Signed:
    """A signature that holds: by which key, and whether a hardware key was touched for it."""

    key: KeyBlob
    touched: bool


@value
class _Envelope:
    key: KeyBlob
    namespace: bytes
    hash: bytes
    signature: bytes


def check(blob: bytes, message: bytes, namespace: str) -> Signed:
    """The key that signed exactly this message for exactly this namespace.

    A hardware key's signature holds without the touch too; `touched` tells.

    Args:
        blob: the signature, decoded (`dearmour`, `from_line`).
        message: what it has to cover.
        namespace: what it has to be made for.

    Raises:
        SignatureError: it does not hold, for whatever reason.
    """
    envelope_ = _open(blob)
    if not namespace or envelope_.namespace != namespace.encode():
        shown = envelope_.namespace[:60].decode("utf-8", "backslashreplace")
        raise SignatureError(f"the signature was made for the namespace {shown!a}, not for {namespace!a}")
    touched = _check_raw(envelope_, _digest(message, envelope_.namespace, envelope_.hash))
    return Signed(key=envelope_.key, touched=touched)


def key_of(blob: bytes) -> KeyBlob:
    """The key that a signature says it is by: proves nothing until `check` holds; `SignatureError` if malformed."""
    return _open(blob).key


def to_be_signed(message: bytes, namespace: str) -> bytes:
    """The bytes that a key has to sign for `envelope` (SHA-512 over the message)."""
    return _digest(message, namespace.encode(), b"sha512")


def envelope(key_blob: bytes, signature_blob: bytes, namespace: str) -> bytes:
    """The SSHSIG blob of a key's signature over `to_be_signed`.

    Args:
        key_blob: the public key.
        signature_blob: algorithm and signature in wire format, as an ssh-agent gives it.
        namespace: the same as for `to_be_signed`.
    """
    fields = (key_blob, namespace.encode(), b"", b"sha512", signature_blob)
    return MAGIC + pack_u32(VERSION) + b"".join(map(pack_string, fields))


def armour(blob: bytes) -> str:
    """The signature as `ssh-keygen -Y sign` and Git write it, with a final newline."""
    text = to_line(blob)
    lines = [text[i : i + WIDTH] for i in range(0, len(text), WIDTH)]
    return "\n".join([BEGIN, *lines, END, ""])


def dearmour(text: str | bytes) -> bytes:
    """The signature in an armour: lines of base64 between the two markers, nothing before, nothing behind.

    Lines may be of any length, and the final newline may be missing, as in a commit's header.

    Raises:
        SignatureError: anything else, carriage returns too, which ssh-keygen does not take either.
    """
    lines = (text.decode("latin-1") if isinstance(text, bytes) else text).removesuffix("\n").split("\n")
    if len(lines) < 3 or lines[0] != BEGIN or lines[-1] != END:
        raise SignatureError("this is no armoured SSH signature")
    return _decode("".join(lines[1:-1]))


def to_line(blob: bytes) -> str:
    """The signature as one line of base64, as the trailers hold it."""
    return base64.b64encode(blob).decode()


def from_line(text: bytes) -> bytes:
    """The signature in one line of base64; `SignatureError` for any other form."""
    return _decode(text.decode("latin-1"))


def curve_of(name: str) -> tuple["ec.EllipticCurve", "HashAlgorithm"]:
    """The curve of a name in `keys.CURVE_BYTES`, and the hash that goes with it (RFC 5656, 6.2.1)."""
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 - loading it costs 30 ms
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    table: dict[str, tuple[ec.EllipticCurve, HashAlgorithm]] = {
        "nistp256": (ec.SECP256R1(), hashes.SHA256()),
        "nistp384": (ec.SECP384R1(), hashes.SHA384()),
        "nistp521": (ec.SECP521R1(), hashes.SHA512()),
    }
    return table[name]


def _decode(text: str) -> bytes:
    if len(text) > limits.SIGNATURE_BYTES * 4 // 3 + 4:
        raise SignatureError(f"the signature is longer than {limits.SIGNATURE_BYTES} bytes")
    return decode_base64(text, "the signature")


@lru_cache(maxsize=8)  # whose key it is, and whether it fits, is asked one after the other
def _open(blob: bytes) -> _Envelope:
    if len(blob) > limits.SIGNATURE_BYTES:
        raise SignatureError(f"the signature is longer than {limits.SIGNATURE_BYTES} bytes")
    reader = Reader(blob)
    if reader.take(len(MAGIC)) != MAGIC or reader.u32() != VERSION:
        raise SignatureError("this is no SSH signature of version 1")
    key, namespace, reserved, hash_, signature = (reader.string() for _ in range(5))
    reader.end()
    if reserved:
        raise SignatureError("the signature's reserved field is not empty")
    if hash_ not in HASHES:
        raise SignatureError("the signature's hash is neither sha256 nor sha512")
    return _Envelope(key=KeyBlob(key), namespace=namespace, hash=hash_, signature=signature)


def _digest(message: bytes, namespace: bytes, hash_: bytes) -> bytes:
    digest = hashlib.new(hash_.decode(), message).digest()
    return MAGIC + b"".join(map(pack_string, (namespace, b"", hash_, digest)))


def _check_raw(envelope_: _Envelope, data: bytes) -> bool:
    """Raises unless the signature holds over `data`; only then says whether a hardware key was touched."""
    parts = dissect(envelope_.key)
    reader = Reader(envelope_.signature)
    algorithm = reader.string().decode("latin-1")
    if parts.type == RSA:
        _check_algorithm(algorithm, "rsa-sha2-256", "rsa-sha2-512")
        signature = reader.string()
        reader.end()
        _check_rsa(parts, algorithm, signature, data)
        return False
    _check_algorithm(algorithm, parts.type)
    signature = reader.string()
    flags = 0
    if parts.application is not None:  # PROTOCOL.u2f: the key signs hashes, flags and its counter
        counted = reader.take(5)
        flags = counted[0]
        data = hashlib.sha256(parts.application).digest() + counted + hashlib.sha256(data).digest()
    reader.end()
    if parts.curve:
        _check_ecdsa(parts, signature, data)
    else:
        _check_ed25519(parts, signature, data)
    return bool(flags & USER_PRESENT)


def _check_algorithm(algorithm: str, *allowed: str) -> None:
    if algorithm not in allowed:
        raise SignatureError(f"the signature's algorithm {algorithm[:60]!a} does not fit the key")


@lru_cache(maxsize=64)  # few keys sign a whole history
def _ed25519(point: bytes) -> "ed25519.Ed25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - loading it costs 30 ms

    return ed25519.Ed25519PublicKey.from_public_bytes(point)


def _check_ed25519(parts: KeyParts, signature: bytes, data: bytes) -> None:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - loading it costs 30 ms

    try:
        _ed25519(parts.point).verify(signature, data)
    except (InvalidSignature, ValueError) as error:
        raise SignatureError("the signature does not fit") from error


def _check_ecdsa(parts: KeyParts, signature: bytes, data: bytes) -> None:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - loading it costs 30 ms
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature  # noqa: PLC0415

    reader = Reader(signature)
    r, s = reader.mpint(), reader.mpint()
    reader.end()
    curve, hash_ = curve_of(parts.curve)
    try:
        key = ec.EllipticCurvePublicKey.from_encoded_point(curve, parts.point)
        key.verify(encode_dss_signature(r, s), data, ec.ECDSA(hash_))
    except (InvalidSignature, ValueError) as error:
        raise SignatureError("the signature does not fit") from error


def _check_rsa(parts: KeyParts, algorithm: str, signature: bytes, data: bytes) -> None:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - loading it costs 30 ms
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import padding, rsa  # noqa: PLC0415

    hash_ = hashes.SHA256() if algorithm == "rsa-sha2-256" else hashes.SHA512()
    try:
        key = rsa.RSAPublicNumbers(parts.exponent, parts.modulus).public_key()
        # Some signers drop leading zero bytes; OpenSSH puts them back, and Git's verdict has to be ours.
        key.verify(signature.rjust((parts.modulus.bit_length() + 7) // 8, b"\0"), data, padding.PKCS1v15(), hash_)
    except (InvalidSignature, ValueError) as error:
        raise SignatureError("the signature does not fit") from error
