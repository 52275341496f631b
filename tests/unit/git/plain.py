"""A plain repository that real Git made, and objects put into it that Git itself would not make."""

import hashlib
import os
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from codifica_guard.git.location import Location, at
from codifica_guard.git.store import ObjectFormat, Store, open_store
from codifica_guard.model.ids import ObjectId

PERSON = b"A U Thor <author@example.org>"


def scrubbed(home: Path) -> dict[str, str]:
    """An environment in which nobody's configuration has a say."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A U Thor",
        "GIT_AUTHOR_EMAIL": "author@example.org",
        "GIT_COMMITTER_NAME": "C O Mitter",
        "GIT_COMMITTER_EMAIL": "committer@example.org",
        "GIT_AUTHOR_DATE": "1700000000 +0100",
        "GIT_COMMITTER_DATE": "1700000000 +0100",
    }


class Plain:
    """One repository with a work tree."""

    def __init__(self, path: Path, object_format: ObjectFormat = "sha1", *, bare: bool = False) -> None:
        self.path = path
        self.object_format: ObjectFormat = object_format
        path.mkdir(parents=True, exist_ok=True)
        self.env = scrubbed(path.parent)
        flags = ["--bare"] if bare else []
        self.git("init", "-q", "-b", "main", f"--object-format={object_format}", *flags)
        self.git_dir = path if bare else path / ".git"

    def run(
        self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            ["git", *args],
            cwd=self.path,
            env={**self.env, **(env or {})},
            input=stdin,
            capture_output=True,
            check=False,
        )

    def git(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        done = self.run(*args, stdin=stdin, env=env)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.rstrip(b"\n")

    def id(self, name: str) -> ObjectId:
        return ObjectId(self.git("rev-parse", "--verify", name))

    def file(self, name: str, text: str) -> None:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def commit(self, message: str = "work", *flags: str) -> ObjectId:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *flags)
        return self.id("HEAD")

    @property
    def location(self) -> Location:
        return at(os.fsencode(self.git_dir), {})

    def store(self) -> Store:
        return open_store(self.location, self.object_format)

    def put(self, kind: str, data: bytes) -> ObjectId:
        """Write an object loose, however odd it is."""
        whole = b"%s %d\0%s" % (kind.encode(), len(data), data)
        oid = hashlib.new(self.object_format, whole).hexdigest()
        path = self.git_dir / "objects" / oid[:2] / oid[2:]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(whole))
        return ObjectId(oid.encode())

    def put_tree(self, *entries: tuple[bytes, bytes, ObjectId]) -> ObjectId:
        """Write a tree of (mode, name, id), in just this order."""
        return self.put("tree", tree_bytes(*entries))

    def put_commit(
        self, parents: Sequence[ObjectId] = (), time: int = 1_700_000_000, message: bytes = b"m\n"
    ) -> ObjectId:
        tree = self.put("tree", b"")
        head = b"tree " + tree + b"".join(b"\nparent " + parent for parent in parents)
        person = b"%s %d +0000" % (PERSON, time)
        return self.put("commit", head + b"\nauthor " + person + b"\ncommitter " + person + b"\n\n" + message)


def tree_bytes(*entries: tuple[bytes, bytes, ObjectId]) -> bytes:
    return b"".join(b"%s %s\0%s" % (mode, name, bytes.fromhex(oid.decode())) for mode, name, oid in entries)
