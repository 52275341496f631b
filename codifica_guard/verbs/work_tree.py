"""State documents as the files of the work tree have them now, added or not."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH100, PTH118, PTH123

import os
import stat
from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.engine.unsigned import settings_alone
from codifica_guard.engine.world import StateFiles, state_files
from codifica_guard.errors import LimitExceeded, RepositoryError, UsageError
from codifica_guard.limits import DOCUMENT_BYTES, POLICY_BYTES, STATE_DOCUMENTS, TASKS
from codifica_guard.model.commit import SYMLINK, TREE, Entry
from codifica_guard.model.document import Document, Fault
from codifica_guard.model.ids import ObjectId, RepoPath, show_path
from codifica_guard.model.policy import CODIFICA_FILE, GUARD_FILE, REVOKED_FILE, SIGNERS_FILE, Policy
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.report.plain import plain
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.state.blocks import split

_NO_OBJECT: Final = ObjectId(b"")
_FILE: Final = 0o100644


def policy_on_disk(desk: Desk) -> Policy | None:
    """What the policy files of the work tree say; None where there is no `codifica.json` in it."""
    read = (_read(desk, path, POLICY_BYTES) for path in (GUARD_FILE, CODIFICA_FILE, SIGNERS_FILE, REVOKED_FILE))
    guard, codifica, signers, revoked = (
        b"\0" if data is not None and len(data) > POLICY_BYTES else data for data in read
    )
    if codifica is None:
        return None
    files = PolicyFiles(guard=guard, codifica=codifica, signers=signers, revoked=revoked, ids=(None,) * 4)
    return load_policy(files) or settings_alone(codifica)


def documents_on_disk(desk: Desk, policy: Policy) -> Snapshot:
    """The state documents in the work tree, also those that Git does not know yet; what it ignores only where it is named.

    Raises:
        LimitExceeded: more documents or tasks than may be.
        RepositoryError: a file cannot be read, or the repository is bare.
    """
    if desk.folder == desk.location.git_dir:
        raise RepositoryError("a bare repository has no files to look at: name a commit or a branch")
    files = state_files((policy,))
    entries = {path: entry for path in _candidates(desk, files) if (entry := _entry(desk, path)) is not None}
    if len(entries) > STATE_DOCUMENTS:
        raise LimitExceeded(f"more than {STATE_DOCUMENTS} state documents")
    documents = {path: _document(desk, path, entry) for path, entry in sorted(entries.items())}
    if sum(len(d.blocks) for d in documents.values()) > TASKS:
        raise LimitExceeded(f"more than {TASKS} tasks over all state documents")
    return Snapshot(documents, entries)


def documents_named(desk: Desk, snapshot: Snapshot, names: Sequence[str]) -> frozenset[RepoPath]:
    """The state documents that paths of the command line mean: a document, or all below a folder.

    Raises:
        UsageError: one means none.
    """
    found: set[RepoPath] = set()
    root = os.path.realpath(desk.folder)
    for name in names:
        # The folder may be a link, the document itself is what it is.
        folder, last = os.path.split(os.path.abspath(os.fsencode(name)))
        full = os.path.join(os.path.realpath(folder), last) if last else os.path.realpath(folder)
        path = os.path.relpath(full, root)
        below = {p for p in snapshot.entries if path in {b".", p} or p.startswith(path + b"/")}
        if not below:
            known = ", ".join(plain(show_path(p)) for p in sorted(snapshot.entries)[:5]) or "there is none"
            raise UsageError(f"{plain(name)} is no state document by codifica.json; those are: {known}")
        found |= below
    return frozenset(found)


def _candidates(desk: Desk, files: StateFiles) -> Iterator[RepoPath]:
    """Paths that may be state documents, once each."""
    literal = files.literal()
    if literal is not None:
        yield from dict.fromkeys(literal)
        return
    listed = desk.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    yield from (p for p in dict.fromkeys(RepoPath(name) for name in listed.split(b"\0") if name) if p in files)


def _full(desk: Desk, path: RepoPath) -> bytes:
    return os.path.join(desk.folder, path)


def _entry(desk: Desk, path: RepoPath) -> Entry | None:
    """What lies at a path, as a tree would hold it; None where nothing does."""
    try:
        mode = os.lstat(_full(desk, path)).st_mode
    except OSError:
        return None
    if stat.S_ISREG(mode):
        return Entry(_FILE, _NO_OBJECT)
    return Entry(SYMLINK if stat.S_ISLNK(mode) else TREE, _NO_OBJECT)


def _document(desk: Desk, path: RepoPath, entry: Entry) -> Document:
    if not entry.is_file:
        return Document(path=path, splittable=False)
    data = _read(desk, path, DOCUMENT_BYTES)
    if data is None:
        raise RepositoryError(f"{plain(show_path(path))} is gone while it was looked at")
    if len(data) > DOCUMENT_BYTES:
        text = f"more than {DOCUMENT_BYTES // 2**20} MiB"
        fault = Fault(code="ST107", line=1, found=text, expected="several smaller documents")
        return Document(path=path, faults=(fault,), splittable=False)
    return split(path, data)


def _read(desk: Desk, path: RepoPath, most: int) -> bytes | None:
    """A file's bytes, one more than a limit at most; None where there is no regular file."""
    full = _full(desk, path)
    try:
        if not stat.S_ISREG(os.lstat(full).st_mode):
            return None
        with open(full, "rb") as file:
            return file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RepositoryError(f"{plain(show_path(path))} cannot be read: {error.strerror}") from error
