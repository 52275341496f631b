"""Keys to sign with: from a file, from text, from the ssh-agent, or in hardware through ssh-keygen.

Every signature is checked before it is handed out: what an agent or a helper gave is not believed.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final, Self

from codifica_guard.errors import KeyLocked, KeyUnavailable, SignatureError
from codifica_guard.identity import agent, sshsig
from codifica_guard.identity.keys import KEY_TYPES, RSA, fingerprint, is_hardware, key_type, parse_public, public_line
from codifica_guard.identity.private_keys import BEGIN, PrivateFile, WrongPassphrase, load_private, peek_private
from codifica_guard.identity.wire import pack_mpint, pack_string
from codifica_guard.model.ids import KeyBlob

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

KEY_VARIABLE: Final = "CODIFICA_SIGNING_KEY"
AGENT_VARIABLE: Final = "SSH_AUTH_SOCK"
TOUCH_SECONDS: Final = 120
"""How long ssh-keygen may wait for a PIN and a touch."""

_FILE_BYTES: Final = 64 * 1024
_ATTEMPTS: Final = 3
_PATH, _SHORT = 1024, 100
"""Characters of a path that says of itself that it is one, and of any other; the shortest private key has 300."""

_HOW: Final = "git config --global codifica.signingKey ~/.ssh/id_ed25519 (a new key: ssh-keygen -t ed25519)"

Ask = Callable[[str], str]
"""Shows a prompt and gives the passphrase that was typed."""


@dataclass(frozen=True, slots=True)
class Signer:
    """A key that can sign.

    Attributes:
        key: its public half.
        source: where it is, in words for people.
    """

    key: KeyBlob
    source: str
    _make: Callable[[bytes, str], bytes] = field(repr=False, compare=False)

    def sign(self, message: bytes, namespace: str) -> bytes:
        """The SSHSIG blob over a message, which holds: it was checked.

        Raises:
            KeyUnavailable: the key cannot be used, or what came back is no signature by it.
        """
        blob = self._make(message, namespace)
        try:
            signed = sshsig.check(blob, message, namespace)
        except SignatureError as error:
            raise KeyUnavailable(f"{self.source} gave a signature that does not hold: {error}") from error
        if signed.key != self.key:
            raise KeyUnavailable(f"{self.source} signed with another key, {fingerprint(signed.key)}")
        return blob

    @classmethod
    def from_text(cls, text: str, passphrase: str | None) -> Self:
        """The signer of the text of an OpenSSH private key.

        Raises:
            KeyUnavailable: it is none, it is of a type that is not supported, or the passphrase is wrong or missing.
        """
        return cls._from_private(text.encode("utf-8", "replace"), passphrase, "the key text")

    @classmethod
    def from_agent(cls, blob: KeyBlob, *, environ: Mapping[str, str] | None = None) -> Self:
        """The signer of a key that the ssh-agent of `SSH_AUTH_SOCK` holds; `KeyUnavailable` where it does not."""
        path = (os.environ if environ is None else environ).get(AGENT_VARIABLE, "")
        line = public_line(blob)
        if not path:
            raise KeyUnavailable(
                f"there is no ssh-agent (SSH_AUTH_SOCK) that could hold the key {fingerprint(blob)}: eval $(ssh-agent)"
            )
        if all(held != blob for held, _ in agent.identities(path)):
            raise KeyUnavailable(
                f"the ssh-agent does not hold the key {fingerprint(blob)} ({line[:40]}...): ssh-add FILE"
            )

        def make(message: bytes, namespace: str) -> bytes:
            signature = agent.sign(path, blob, sshsig.to_be_signed(message, namespace))
            return sshsig.envelope(blob, signature, namespace)

        return cls(blob, "the ssh-agent", make)

    @classmethod
    def from_file(cls, path: str | Path, ask: Ask | None, *, environ: Mapping[str, str] | None = None) -> Self:
        """The signer of a key file: a private key, or a `.pub` whose private key lies beside it or in the ssh-agent.

        An encrypted key is used through the ssh-agent if that holds it; otherwise `ask` is asked for the passphrase, three
        times at most. Hardware keys sign through `ssh-keygen`, which asks for the touch.

        Raises:
            KeyUnavailable: no way leads to a signature; the text names the next command.
        """
        try:
            place = Path(path).expanduser()
        except RuntimeError as error:  # whose home it is, nobody knows
            raise KeyUnavailable(f"{path} names no home folder that is known here") from error
        data = _read(place)
        if BEGIN.encode() in data:
            return cls._from_private_file(place, data, ask, environ)
        try:
            blob = parse_public(data).blob
        except SignatureError as error:
            raise KeyUnavailable(f"{place} is neither an OpenSSH private key nor a public one: {error}") from error
        beside = place.with_suffix("")
        if place.suffix == ".pub" and beside.is_file():
            signer = cls._from_private_file(beside, _read(beside), ask, environ)
            if signer.key != blob:
                raise KeyUnavailable(f"{beside} and {place} are not one key: ssh-keygen -y -f {quote(str(beside))}")
            return signer
        try:
            return cls.from_agent(blob, environ=environ)
        except KeyUnavailable as error:
            raise KeyUnavailable(f"{place} has no private key beside it, and {error}") from error

    @classmethod
    def _from_private_file(cls, path: Path, data: bytes, ask: Ask | None, environ: Mapping[str, str] | None) -> Self:
        peeked = peek_private(data, str(path))
        if is_hardware(peeked.key):
            return cls._from_ssh_keygen(path, peeked.key)
        if not peeked.encrypted:
            return cls._from_private(data, None, str(path))
        try:
            return cls.from_agent(peeked.key, environ=environ)
        except KeyUnavailable as error:
            if ask is None:
                raise KeyLocked(f"{path} is encrypted: ssh-add {quote(str(path))} ({error})") from error
        return cls._asking(data, ask, path, peeked)

    @classmethod
    def _asking(cls, data: bytes, ask: Ask, path: Path, peeked: PrivateFile) -> Self:
        for _ in range(_ATTEMPTS):
            try:
                return cls._from_private(data, ask(f"Passphrase for {path} ({peeked.cipher}): "), str(path))
            except WrongPassphrase:
                continue
        raise KeyUnavailable(f"no right passphrase for {path}; or let the agent hold it: ssh-add {quote(str(path))}")

    @classmethod
    def _from_private(cls, data: bytes, passphrase: str | None, source: str) -> Self:
        private, blob = load_private(data, passphrase, source)

        def make(message: bytes, namespace: str) -> bytes:
            return sshsig.envelope(blob, _sign_raw(private, blob, sshsig.to_be_signed(message, namespace)), namespace)

        return cls(blob, source, make)

    @classmethod
    def _from_ssh_keygen(cls, path: Path, blob: KeyBlob) -> Self:
        def make(message: bytes, namespace: str) -> bytes:
            import subprocess  # noqa: PLC0415 - loading it costs 15 ms

            command = ["ssh-keygen", "-Y", "sign", "-f", str(path), "-n", namespace]
            try:  # its standard error stays the terminal's: it asks for the PIN and the touch there
                done = subprocess.run(command, input=message, stdout=subprocess.PIPE, timeout=TOUCH_SECONDS, check=True)
                return sshsig.dearmour(done.stdout)
            except (OSError, subprocess.SubprocessError, SignatureError) as error:
                raise KeyUnavailable(f"ssh-keygen did not sign with {path}: {' '.join(map(quote, command))}") from error

        return cls(blob, str(path), make)


def find_signer(
    *,
    explicit: str | None,
    environ: Mapping[str, str],
    config_key: str | None,
    git_signing_key: str | None,
    ask: Ask | None,
) -> Signer:
    """The signer that was asked for: by option, by `CODIFICA_SIGNING_KEY`, by the two settings, in this order.

    Each may be a path, the text of a private key, `key::` and a public key, or a public key; the last two need the
    ssh-agent. The first that is set decides; it does not fall through to the next.

    Args:
        explicit: the command's option.
        environ: the environment, for `CODIFICA_SIGNING_KEY` and `SSH_AUTH_SOCK`.
        config_key: Git's setting `codifica.signingKey`.
        git_signing_key: Git's setting `user.signingkey`.
        ask: asks for passphrases; None where nobody is there to answer.

    Raises:
        KeyUnavailable: nothing is set, or what is set cannot sign; the text names the place and the next command.
    """
    places = {
        "the option": explicit,
        KEY_VARIABLE: environ.get(KEY_VARIABLE),
        "codifica.signingKey": config_key,
        "user.signingkey": git_signing_key,
    }
    for name, value in places.items():
        if value is not None and value.strip():
            try:
                return _signer(value.strip(), ask, environ)
            except KeyLocked as error:
                raise KeyLocked(f"{name}: {error}") from error
            except SignatureError as error:
                raise KeyUnavailable(f"{name}: {error}") from error
    raise KeyUnavailable(f"there is no key to sign with: {_HOW}")


def _signer(value: str, ask: Ask | None, environ: Mapping[str, str]) -> Signer:
    if value.startswith(BEGIN):
        return _from_asked_text(value, ask)
    public = value.removeprefix("key::")
    if public != value or value.split(" ", 1)[0] in KEY_TYPES:
        return Signer.from_agent(parse_public(public).blob, environ=environ)
    check_path(value)
    return Signer.from_file(value, ask, environ=environ)


def check_path(value: str) -> None:
    """Nothing where a value may be a file's path, and so be shown: a secret in a form that is not known here never is.

    Raises:
        KeyUnavailable: it is none; the text does not repeat it.
    """
    longest = _PATH if value.startswith(("/", "~", "./", "../")) else _SHORT
    if "\n" in value or "-----" in value or value.startswith("cgw1_") or len(value) > longest:
        raise KeyUnavailable(
            f"its value ({len(value)} characters) is neither a file's path nor the text of an OpenSSH private key, "
            f"which begins with {BEGIN}"
        )


def _from_asked_text(text: str, ask: Ask | None) -> Signer:
    encrypted = peek_private(text.encode("utf-8", "replace"), "the key text").encrypted
    if encrypted and ask is None:
        raise KeyLocked("the key text is encrypted, and nobody is there to type its passphrase")
    return Signer.from_text(text + "\n", ask("Passphrase for the signing key: ") if encrypted and ask else None)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_FILE_BYTES)
    except OSError as error:
        raise KeyUnavailable(f"the key {path} cannot be read ({error.strerror}): {_HOW}") from error


def _sign_raw(private: "PrivateKeyTypes", blob: bytes, data: bytes) -> bytes:
    """Algorithm and signature in wire format."""
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 - loading it costs 30 ms
    from cryptography.hazmat.primitives.asymmetric import ec, padding  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature  # noqa: PLC0415

    key: Any = private  # `load_private` has seen that it is of the blob's type
    kind = key_type(blob)
    if kind == RSA:
        return pack_string(b"rsa-sha2-512") + pack_string(key.sign(data, padding.PKCS1v15(), hashes.SHA512()))
    if kind.startswith("ecdsa-sha2-"):
        _, hash_ = sshsig.curve_of(kind.removeprefix("ecdsa-sha2-"))
        r, s = decode_dss_signature(key.sign(data, ec.ECDSA(hash_)))
        return pack_string(kind.encode()) + pack_string(pack_mpint(r) + pack_mpint(s))
    return pack_string(kind.encode()) + pack_string(key.sign(data))
