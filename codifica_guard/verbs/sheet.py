"""What a reader runs by hand to see a fact: commands of git, ssh-keygen and the shell's standard tools, and the files they meet.

A command stands in two places, word for word: among those that are printed, and in the `check.sh` of a folder. `$d` is the folder in
both of them, and `git` means the clone.
"""

import os
from typing import Final

from codifica_guard.model.ids import ObjectId
from codifica_guard.model.value import value
from codifica_guard.report.shell import word

DIGEST: Final = "sha256sum | cut -c-64"
"""SHA-256 of what comes, as 64 digits."""

Spans = tuple[tuple[int, int], ...]
"""Lines of a file, first and last of each run, from 1."""


@value
class Row:
    """One thing that is run.

    Attributes:
        says: what it shows, in words.
        command: the command: it succeeds where that holds. For a file, it prints what the file has to hold.
        file: the file's name; None for a test.
    """

    says: str
    command: str
    file: str | None = None


class Names:
    """What commands call commits: `${commit}` reads better than 40 digits, and stands in many places."""

    def __init__(self) -> None:
        self.known: dict[ObjectId, str] = {}

    def of(self, oid: ObjectId, name: str) -> str:
        """The variable of a commit: this name, unless it has one, or another commit has this."""
        if oid not in self.known:
            taken = set(self.known.values())
            free = (name, *(f"{name}{number}" for number in range(2, len(taken) + 3)))
            self.known[oid] = next(n for n in free if n not in taken)
        return f"${{{self.known[oid]}}}"  # in braces: zsh reads `$name:x` in a way of its own

    def lines(self) -> tuple[str, ...]:
        """The commands that set them."""
        return tuple(f"{name}={oid.decode('ascii')}" for oid, name in self.known.items())


class Sheet:
    """The rows of one fact, in order: the first that fails is the one that tells.

    Attributes:
        names: what commits are called.
        rows: what is run.
        files: the files' contents.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.rows: list[Row] = []
        self.files: dict[str, bytes] = {}

    def file(self, name: str, says: str, source: str, content: bytes) -> str:
        """A file, the command that prints the same from the repository, and how commands name the file."""
        self.rows.append(Row(says=says, command=source, file=name))
        self.files[name] = content
        return f'"$d/{name}"'

    def test(self, says: str, command: str) -> None:
        """A command that succeeds where something holds."""
        self.rows.append(Row(says=says, command=command))


def blob(revision: str, path: bytes) -> str:
    """A file of a revision, which is a variable of `Names` and what may stand behind it; printed as it is."""
    name = word(path)
    return (
        f'git cat-file blob "{revision}:{name}"'
        if name == os.fsdecode(path)
        else f'git cat-file blob "{revision}:"{name}'
    )


def commit(revision: str) -> str:
    """A commit's own bytes, printed as they are."""
    return f'git cat-file commit "{revision}"'


def span(source: str, first: int, last: int) -> str:
    """Some lines of what a command prints, from 1."""
    if first == 1:
        return f"{source} | head -n {last}"
    return f"{source} | head -n {last} | tail -n {'1' if first == last else f'+{first}'}"


def spans(source: str, runs: Spans) -> str:
    """Several runs of lines of what a command prints, one behind the other."""
    parts = [span(source, first, last) for first, last in runs]
    return parts[0] if len(parts) == 1 else f"{{ {'; '.join(parts) or ':'}; }}"


def cut(data: bytes, runs: Spans) -> bytes:
    """The same lines of bytes that are at hand."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]  # what stands behind the last line end, or nothing
    return b"".join(line for first, last in runs for line in lines[first - 1 : last])


def reached(old: str, new: str) -> str:
    """Whether a commit is reached from another one, or is the same."""
    return f'git merge-base --is-ancestor "{old}" "{new}"'


def holds_text(source: str, text: str) -> str:
    """Whether what a command prints holds a text of visible ASCII."""
    return f'case "$({source})" in *{word(text)}*) ;; *) false ;; esac'
