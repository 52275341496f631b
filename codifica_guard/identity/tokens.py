"""Writer tokens: which session of a principal may go on with a task.

A claim publishes the public half of a fresh key; whoever holds the private half, the token, is the session that claimed.
Tokens lie in files that only their owner can read, or come in an environment variable.
"""

import base64
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from codifica_guard import limits
from codifica_guard.errors import KeyUnavailable, LimitExceeded, SignatureError
from codifica_guard.identity import sshsig
from codifica_guard.identity.keys import ED25519, fingerprint, parse_public, public_line
from codifica_guard.identity.payload import WRITER_NAMESPACE
from codifica_guard.identity.wire import pack_string
from codifica_guard.model.ids import TASK_ID, KeyBlob, TaskId

PREFIX: Final = "cgw1_"
SECRET: Final = re.compile(rb"cgw1_[A-Za-z0-9_-]{43}")
"""What a token looks like in any bytes (ID108)."""

TOKEN_VARIABLE: Final = "CODIFICA_WRITER_TOKEN"  # noqa: S105 - the variable's name, no secret
FOLDER_VARIABLE: Final = "CODIFICA_TOKEN_DIR"
KEPT: Final = 64
"""Tokens that are kept for one task: twin sessions that share a folder may all claim it at once, and one of them has won."""

_TEXT: Final = re.compile(r"cgw1_[A-Za-z0-9_-]{43}")
_SEED_BYTES: Final = 32
_FILE_BYTES: Final = 64 * 1024
_FILES: Final = 10_000
_DEPTH: Final = 3


@dataclass(frozen=True, slots=True)
class WriterToken:
    """The private half of a writer key; its `repr` does not give it away.

    Attributes:
        seed: the 32 bytes of an Ed25519 private key.
    """

    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.seed) != _SEED_BYTES:
            raise SignatureError("a writer token holds 32 bytes")

    @property
    def text(self) -> str:
        """The token as it is handed on: `cgw1_` and 43 characters. A secret."""
        return PREFIX + base64.urlsafe_b64encode(self.seed).decode().rstrip("=")

    @property
    def key(self) -> KeyBlob:
        """The public half, in wire format."""
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - loading it costs 30 ms

        raw = ed25519.Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()
        return KeyBlob(pack_string(ED25519.encode()) + pack_string(raw))

    @property
    def public_line(self) -> str:
        """The public half as a claim publishes it: `ssh-ed25519 AAAA...`."""
        return public_line(self.key)

    def sign(self, payload: bytes) -> bytes:
        """The SSHSIG blob over a payload, namespace `codifica-writer`."""
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - loading it costs 30 ms

        private = ed25519.Ed25519PrivateKey.from_private_bytes(self.seed)
        raw = private.sign(sshsig.to_be_signed(payload, WRITER_NAMESPACE))
        return sshsig.envelope(self.key, pack_string(ED25519.encode()) + pack_string(raw), WRITER_NAMESPACE)


def new_token() -> WriterToken:
    """A token that nobody held before."""
    return WriterToken(os.urandom(_SEED_BYTES))


def parse_token(text: str) -> WriterToken:
    """The token of its text; `SignatureError`, which does not repeat the text, for anything else."""
    if _TEXT.fullmatch(text) is None:
        raise SignatureError("this is no writer token: cgw1_ and 43 characters")
    token = WriterToken(base64.urlsafe_b64decode(text.removeprefix(PREFIX) + "="))
    if token.text != text:  # the last character holds two bits that say nothing: one text for each token
        raise SignatureError("this is no writer token: its last character is wrong")
    return token


def valid_public(line: str) -> bool:
    """Whether a text is a writer key as claims publish it: `ssh-ed25519 <base64>`, one blank, no comment."""
    try:
        key = parse_public(line)
    except SignatureError:
        return False
    return key.type == ED25519 and public_line(key.blob) == line


def check_writer(values: Iterable[bytes], payload: bytes, public_line: str) -> None:
    """One of the signatures is made over the payload by the token of this public key.

    Args:
        values: values of the `Codifica-Writer` trailers.
        payload: what the commit does.
        public_line: the writer key of the task's latest claim.

    Raises:
        SignatureError: none of them is; the text says how near they came.
        LimitExceeded: there are more than `limits.WRITER_SIGNATURES`.
    """
    if not valid_public(public_line):
        raise SignatureError("the claim's writer key is no ssh-ed25519 key")
    wanted = parse_public(public_line).blob
    reason = "there is no Codifica-Writer trailer"
    for number, value in enumerate(values, start=1):
        if number > limits.WRITER_SIGNATURES:
            raise LimitExceeded(f"more than {limits.WRITER_SIGNATURES} Codifica-Writer trailers")
        try:
            blob = sshsig.from_line(value)
            other = sshsig.key_of(blob)
            if other != wanted:
                reason = f"Codifica-Writer is made with another token ({fingerprint(other)})"
                continue
            sshsig.check(blob, payload, WRITER_NAMESPACE)
        except SignatureError as error:
            reason = f"Codifica-Writer: {error}"
            continue
        return
    raise SignatureError(reason)


def token_path(folder: Path, task_id: TaskId) -> Path:
    """The file of a task's tokens in a folder; ids of odd form get a name made of their hash, never a path."""
    if TASK_ID.fullmatch(task_id) is not None:
        return folder / task_id
    return folder / f"_{hashlib.sha256(task_id.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def store_token(folder: Path, task_id: TaskId, token: WriterToken) -> Path:
    """Keeps a token where `load_tokens` finds it first; the task's older ones stay behind it, up to `KEPT`.

    The file is readable by its owner alone from its first byte on, and is replaced as a whole.

    Returns:
        The file.

    Raises:
        KeyUnavailable: it cannot be written.
    """
    path = token_path(folder, task_id)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder):
            older = [t for t in _tokens_in(path) if t != token] if path.exists() else []
            _replace(path, [token, *older][:KEPT])
    except OSError as error:
        raise KeyUnavailable(
            f"the writer token cannot be kept in {folder}: {error.strerror}; {FOLDER_VARIABLE} may name another folder"
        ) from error
    return path


def drop_token(folder: Path, task_id: TaskId, token: WriterToken) -> None:
    """Takes a token out again; the task's other ones stay, and without any the file goes. A folder that is not there holds none.

    Raises:
        KeyUnavailable: the file cannot be written.
    """
    path = token_path(folder, task_id)
    if not folder.exists():
        return
    try:
        with _alone(folder):
            others = [t for t in _tokens_in(path) if t != token] if path.exists() else []
            if others:
                _replace(path, others)
            else:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise KeyUnavailable(f"the writer token in {path} cannot be taken out: {error.strerror}") from error


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While this lasts, no other process changes the tokens of a folder."""
    import fcntl  # noqa: PLC0415 - only where a token is written

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace(path: Path, tokens: Sequence[WriterToken]) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write("".join(f"{token.text}\n" for token in tokens))
    beside.replace(path)


def load_tokens(folder: Path, environ: Mapping[str, str]) -> tuple[WriterToken, ...]:
    """Every token at hand, each once: of `CODIFICA_WRITER_TOKEN`, of `CODIFICA_TOKEN_DIR`, of the folder.

    Folders may hold folders, and other files, which are passed over; a folder that is not there holds nothing.

    Raises:
        KeyUnavailable: a token is malformed, or its file can be read by others; the text names it.
    """
    found: dict[WriterToken, None] = {}
    for text in environ.get(TOKEN_VARIABLE, "").split():
        try:
            found[parse_token(text)] = None
        except SignatureError as error:
            raise KeyUnavailable(f"{TOKEN_VARIABLE}: {error}") from error
    outside = environ.get(FOLDER_VARIABLE, "")
    for place in (Path(outside), folder) if outside else (folder,):
        for path in _files(place, _DEPTH):
            found.update(dict.fromkeys(_tokens_in(path)))
    return tuple(found)


def _files(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())[:_FILES]
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_file():
            yield entry
        elif depth > 1:
            yield from _files(entry, depth - 1)


def _tokens_in(path: Path) -> tuple[WriterToken, ...]:
    try:
        with path.open("rb") as file:
            text = file.read(_FILE_BYTES).decode("latin-1")
            mode = os.fstat(file.fileno()).st_mode
    except OSError as error:
        raise KeyUnavailable(f"the writer token in {path} cannot be read: {error.strerror}") from error
    if not text.startswith(PREFIX):
        return ()
    if stat.S_IMODE(mode) & 0o077:
        raise KeyUnavailable(f"the writer token in {path} can be read by others: chmod 600 {path}")
    try:
        return tuple(parse_token(line) for line in text.split())
    except SignatureError as error:
        raise KeyUnavailable(f"{path}: {error}") from error
