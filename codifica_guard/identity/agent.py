"""A small client of the ssh-agent (draft-miller-ssh-agent): which keys it holds, and signing with one."""

import socket
from typing import Final

from codifica_guard.errors import KeyUnavailable, SignatureError
from codifica_guard.identity.keys import RSA
from codifica_guard.identity.wire import Reader, pack_string, pack_u32
from codifica_guard.model.ids import KeyBlob

LIST_SECONDS: Final = 10
"""How long the agent may take to list its keys."""

SIGN_SECONDS: Final = 120
"""How long it may take to sign: its user may have to confirm, or to touch a key."""

REPLY_BYTES: Final = 256 * 1024
"""The longest reply that OpenSSH's own client takes."""

_REQUEST_IDENTITIES: Final = b"\x0b"
_IDENTITIES_ANSWER: Final = b"\x0c"
_SIGN_REQUEST: Final = b"\x0d"
_SIGN_RESPONSE: Final = b"\x0e"
_RSA_SHA2_512: Final = 4


def identities(path: str) -> tuple[tuple[KeyBlob, str], ...]:
    """The keys that the agent behind a socket holds, each with its comment; none while it is locked.

    Raises:
        KeyUnavailable: there is no agent, or it does not answer as one.
    """
    reader = _answer(path, _REQUEST_IDENTITIES, _IDENTITIES_ANSWER, LIST_SECONDS)
    try:
        pairs = [(reader.string(), reader.string()) for _ in range(reader.u32())]  # each takes bytes of a bounded reply
        reader.end()
    except SignatureError as error:
        raise KeyUnavailable(f"the ssh-agent at {path} gives a malformed answer") from error
    return tuple((KeyBlob(key), comment.decode("utf-8", "backslashreplace")) for key, comment in pairs)


def sign(path: str, key: bytes, data: bytes) -> bytes:
    """The signature blob (algorithm and signature in wire format) of a key that the agent holds.

    RSA keys sign with SHA-512.

    Raises:
        KeyUnavailable: the agent refuses, does not hold the key, or does not answer.
    """
    kind = Reader(key).string()
    flags = pack_u32(_RSA_SHA2_512 if kind == RSA.encode() else 0)
    request = _SIGN_REQUEST + pack_string(key) + pack_string(data) + flags
    reader = _answer(path, request, _SIGN_RESPONSE, SIGN_SECONDS)
    try:
        signature = reader.string()
        reader.end()
    except SignatureError as error:
        raise KeyUnavailable(f"the ssh-agent at {path} gives a malformed answer") from error
    return signature


def _answer(path: str, request: bytes, kind: bytes, seconds: int) -> Reader:
    reply = _ask(path, request, seconds)
    if reply[:1] != kind:
        raise KeyUnavailable(f"the ssh-agent at {path} refuses: is it locked, or does it not hold the key? ssh-add -l")
    return Reader(reply[1:])


def _ask(path: str, message: bytes, seconds: int) -> bytes:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(path)
            connection.sendall(pack_string(message))
            size = int.from_bytes(_receive(connection, 4), "big")
            if size > REPLY_BYTES:
                raise KeyUnavailable(f"the ssh-agent at {path} gives an answer that is too long")
            return _receive(connection, size)
    except (OSError, AttributeError) as error:  # AttributeError: a system without such sockets
        raise KeyUnavailable(f"the ssh-agent at {path} does not answer: {error}") from error


def _receive(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise ConnectionError("it closed the connection")
        data += part
    return data
