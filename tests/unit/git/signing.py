"""An SSH key that Git signs with."""

import subprocess
from pathlib import Path

from tests.unit.git.plain import Plain


class Signer:
    """A fresh Ed25519 key, set up in a repository."""

    def __init__(self, folder: Path, repo: Plain) -> None:
        self.key = folder / "key"
        self.signers = folder / "signers"
        self.env = repo.env
        self.call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(self.key))
        self.signers.write_text(f"me {(folder / 'key.pub').read_text()}")
        for key, value in (
            ("gpg.format", "ssh"),
            ("user.signingKey", str(self.key)),
            ("gpg.ssh.allowedSignersFile", str(self.signers)),
        ):
            repo.git("config", key, value)

    def call(self, *args: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(args, env=self.env, input=stdin, capture_output=True, check=False)

    def sign(self, data: bytes) -> bytes:
        """The armoured signature, as Git asks for it."""
        done = self.call("ssh-keygen", "-Y", "sign", "-n", "git", "-f", str(self.key), stdin=data)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def verifies(self, data: bytes, signature: bytes) -> bool:
        """Whether ssh-keygen takes a signature for the data."""
        file = self.key.with_suffix(".sig")
        file.write_bytes(signature)
        args = ("-Y", "verify", "-n", "git", "-I", "me", "-f", str(self.signers), "-s", str(file))
        return self.call("ssh-keygen", *args, stdin=data).returncode == 0
