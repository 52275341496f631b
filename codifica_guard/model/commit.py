"""A commit as its raw bytes say it, and the entries of trees."""

from codifica_guard.model.ids import ObjectId, RepoPath
from codifica_guard.model.value import value

ACTOR, SIGNATURE, WRITER = b"Codifica-Actor", b"Codifica-Signature", b"Codifica-Writer"
"""The trailers that prove who acted; they are not a part of what is signed."""

MIGRATE = b"Codifica-Migrate"
"""The trailer by which a maintainer says why a commit may rewrite what was recorded."""

SYMLINK = 0o120000
SUBMODULE = 0o160000
TREE = 0o040000


@value
class Commit:
    """One commit, parsed from raw bytes; grafts and replace refs play no part.

    Attributes:
        id: its object id.
        tree: id of its tree.
        parents: ids of its parents, in order.
        author: value of the author header: `Name <mail> seconds zone`.
        committer: value of the committer header.
        committer_time: seconds since the epoch, 0 where the header cannot be read.
        message: all bytes behind the headers.
        signature: the armoured text of `gpgsig` (or `gpgsig-sha256`), unfolded; None where there is none.
        signed: the commit's bytes without the signature headers: what Git's signature covers.
        faults: what Git's readers would read differently (GT106), as texts; empty for a sound commit.
    """

    id: ObjectId
    tree: ObjectId
    parents: tuple[ObjectId, ...]
    author: bytes
    committer: bytes
    committer_time: int
    message: bytes
    signature: bytes | None
    signed: bytes
    faults: tuple[str, ...] = ()


@value(kw_only=False)
class Entry:
    """One entry of a tree: its mode as Git writes it in octal, and the id it names."""

    mode: int
    id: ObjectId

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file (executable or not)."""
        return self.mode & 0o170000 == 0o100000


Delta = dict[RepoPath, tuple[Entry | None, Entry | None]]
"""Changed leaves between two trees: path to (before, after); None where absent."""


@value(kw_only=False)
class Trailer:
    """One trailer of a commit message, value trimmed."""

    key: bytes
    value: bytes


@value
class Trailers:
    """The trailer block of a message, as Git reads it or nothing.

    Attributes:
        all: every trailer of the block, in order.
        faults: what is wrong with Codifica trailers (ID114), as texts: doubled, folded, misspelt, control characters.
    """

    all: tuple[Trailer, ...] = ()
    faults: tuple[str, ...] = ()

    def values(self, key: bytes) -> tuple[bytes, ...]:
        """Values of the trailers with exactly this key, in order."""
        return tuple(t.value for t in self.all if t.key == key)
