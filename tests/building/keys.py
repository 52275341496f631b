"""Keys that are made once a run, and signatures by the real ssh-keygen."""

import base64
from pathlib import Path

from tests.building.machine import run


class Keys:
    """A folder of key pairs, each made when its name is first used."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def private(self, name: str, kind: str = "ed25519") -> Path:
        """The file of a private key."""
        path = self.folder / name
        if not path.exists():
            run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", name, "-f", path], cwd=self.folder, home=self.folder)
        return path

    def public(self, name: str) -> Path:
        """The file of a public key."""
        return self.private(name).with_name(name + ".pub")

    def line(self, name: str) -> str:
        """A public key as `ssh-ed25519 AAAA...`, without its comment."""
        return " ".join(self.public(name).read_text().split()[:2])

    def armoured(self, name: str, data: bytes, namespace: str) -> bytes:
        """An SSHSIG of some bytes, armoured as Git wants it."""
        argv: list[str | Path] = ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", self.private(name)]
        return run(argv, cwd=self.folder, home=self.folder, data=data).out

    def signature(self, name: str, data: bytes, namespace: str) -> str:
        """An SSHSIG of some bytes as one line of base64, as trailers hold it."""
        body = b"".join(self.armoured(name, data, namespace).split(b"\n")[1:-2])
        return base64.b64encode(base64.b64decode(body)).decode()
