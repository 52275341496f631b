"""What the tests of the install share: keys, other people's hooks, a stand-in for the interpreter."""

import base64
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Git = Callable[..., str]


def key_line(seed: int = 1, comment: str = "alice@laptop") -> str:
    """A well-formed public key; nobody has its private half."""
    name = b"ssh-ed25519"
    blob = len(name).to_bytes(4, "big") + name + (32).to_bytes(4, "big") + bytes([seed]) * 32
    return f"ssh-ed25519 {base64.b64encode(blob).decode()} {comment}".strip()


@dataclass(frozen=True)
class Interpreter:
    """A stand-in for the guard's Python: it logs its own path, arguments and input, and ends as told."""

    path: Path
    log: Path
    code: Path

    def ends_with(self, code: int) -> None:
        self.code.write_text(f"{code}\n")

    def loads(self, code: int) -> None:
        """How it ends where it is only asked to load the guard."""
        self.code.with_name("loads").write_text(f"{code}\n")

    def says(self, text: str) -> None:
        self.code.with_name("says").write_text(text)

    def calls(self) -> str:
        return self.log.read_text() if self.log.exists() else ""


def write_hook(path: Path, body: str, mode: int = 0o755) -> bytes:
    """Put a hook of somebody else in place; its bytes."""
    data = f"#!/bin/sh\n{body}\n".encode()
    path.write_bytes(data)
    path.chmod(mode)
    return data


def git_that_says(folder: Path, version: str) -> str:
    """A folder for the PATH whose `git` is the real one but for the version that it tells."""
    real = shutil.which("git")
    assert real is not None
    folder.mkdir()
    script = folder / "git"
    script.write_text(
        f'#!/bin/sh\n[ "$1" != version ] || {{ echo "git version {version}"; exit; }}\nexec {real} "$@"\n'
    )
    script.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"
