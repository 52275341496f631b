"""The key of a server, the same in every test."""

from cryptography.hazmat.primitives.asymmetric import ed25519

from codifica_guard.identity.signing import Signer
from tests.unit.identity.sshkit import text_of

SERVER_KEY = ed25519.Ed25519PrivateKey.from_private_bytes(b"server".ljust(32, b"\0"))
SERVER_SIGNER = Signer.from_text(text_of(SERVER_KEY), None)
