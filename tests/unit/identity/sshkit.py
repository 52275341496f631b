"""What the tests of keys and signatures stand on: the real OpenSSH, and hardware keys made by hand."""

import hashlib
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from codifica_guard.identity import sshsig
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.wire import pack_mpint, pack_string, pack_u32
from codifica_guard.model.ids import KeyBlob

KINDS = {
    "ed25519": ("ed25519", ""),
    "ecdsa256": ("ecdsa", "256"),
    "ecdsa384": ("ecdsa", "384"),
    "ecdsa521": ("ecdsa", "521"),
    "rsa": ("rsa", "2048"),
}


def run(
    argv: list[str | Path],
    folder: Path,
    data: bytes = b"",
    code: int | None = 0,
    extra: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """A program in a folder that is its home too, with nothing of this machine's settings."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", **(extra or {})}
    done = subprocess.run(argv, cwd=folder, env=env, input=data, capture_output=True, timeout=60, check=False)
    assert code is None or done.returncode == code, done.stderr.decode()
    return done


def keygen(folder: Path, kind: str, passphrase: str = "", cipher: str = "") -> Path:
    """A private key made by ssh-keygen; its public half lies beside it."""
    name, bits = KINDS[kind]
    path = folder / f"id_{kind}{'_locked' if passphrase else ''}{cipher[:6]}"
    argv: list[str | Path] = ["ssh-keygen", "-q", "-t", name, "-N", passphrase, "-C", "a comment", "-f", path]
    argv += ["-a", "1"]
    run(argv + (["-b", bits] if bits else []) + (["-Z", cipher] if cipher else []), folder)
    return path


def text_of(key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> str:
    """A private key as OpenSSH writes it."""
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH
    return key.private_bytes(encoding, form, serialization.NoEncryption()).decode()


def signer(number: int) -> Signer:
    """An Ed25519 signer, another one for each number."""
    seed = hashlib.sha256(b"%d" % number).digest()
    return Signer.from_text(text_of(ed25519.Ed25519PrivateKey.from_private_bytes(seed)), None)


@dataclass(frozen=True)
class SoftFido:
    """A hardware key without the hardware: signs as PROTOCOL.u2f says, with any flags."""

    curve: bool = False
    application: bytes = b"ssh:"

    @property
    def kind(self) -> bytes:
        return b"sk-ecdsa-sha2-nistp256@openssh.com" if self.curve else b"sk-ssh-ed25519@openssh.com"

    @property
    def key(self) -> KeyBlob:
        if self.curve:
            form = serialization.PublicFormat.UncompressedPoint
            point = self._ecdsa.public_key().public_bytes(serialization.Encoding.X962, form)
            middle = pack_string(b"nistp256") + pack_string(point)
        else:
            middle = pack_string(self._ed25519.public_key().public_bytes_raw())
        return KeyBlob(pack_string(self.kind) + middle + pack_string(self.application))

    def raw(self, data: bytes, flags: int = 1) -> bytes:
        """The signature blob over `to_be_signed` bytes."""
        counted = bytes([flags]) + pack_u32(7)
        covered = hashlib.sha256(self.application).digest() + counted + hashlib.sha256(data).digest()
        if self.curve:
            r, s = decode_dss_signature(self._ecdsa.sign(covered, ec.ECDSA(hashes.SHA256())))
            inner = pack_mpint(r) + pack_mpint(s)
        else:
            inner = self._ed25519.sign(covered)
        return pack_string(self.kind) + pack_string(inner) + counted

    def sign(self, message: bytes, namespace: str, flags: int = 1) -> bytes:
        """The SSHSIG blob over a message."""
        return sshsig.envelope(self.key, self.raw(sshsig.to_be_signed(message, namespace), flags), namespace)

    @property
    def _ed25519(self) -> ed25519.Ed25519PrivateKey:
        return ed25519.Ed25519PrivateKey.from_private_bytes(b"\7" * 32)

    @property
    def _ecdsa(self) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(7, ec.SECP256R1())


@contextmanager
def real_agent(folder: Path) -> Iterator[dict[str, str]]:
    """A running ssh-agent, as the environment that leads to it."""
    path = folder / "agent.sock"
    with subprocess.Popen(["ssh-agent", "-D", "-a", path], cwd=folder, stdout=subprocess.DEVNULL) as process:
        try:
            for _ in range(1000):  # the file is there before anybody listens
                with socket.socket(socket.AF_UNIX) as probe:
                    if probe.connect_ex(str(path)) == 0:
                        break
                time.sleep(0.01)
            yield {"SSH_AUTH_SOCK": str(path)}
        finally:
            process.terminate()


@contextmanager
def false_agent(folder: Path, *replies: bytes) -> Iterator[dict[str, str]]:
    """Something behind a socket that gives these bytes, one for each connection, whatever it is asked."""
    path = folder / "false.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def serve() -> None:
            for reply in replies:
                connection, _ = server.accept()
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        yield {"SSH_AUTH_SOCK": str(path)}
        thread.join(timeout=10)
    path.unlink()
