"""One signed commit of the guard's own files, made beside whatever else is staged or changed, and judged before it stands."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH118, PTH120

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.hand import Hand
from codifica_guard.clone.program import try_git
from codifica_guard.clone.signing import Draft, sign_message, write_draft
from codifica_guard.engine.facts import Deed
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.git.changes import entry_at
from codifica_guard.git.writer import edit_tree, write_object
from codifica_guard.limits import DOCUMENT_BYTES
from codifica_guard.model.commit import Commit, Entry
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, Principal, RefName, RepoPath, is_agent, show_path
from codifica_guard.model.policy import Policy
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import LONGEST
from codifica_guard.report.terminal import verdict
from codifica_guard.verbs.stopped import Stopped

FILE: Final = 0o100644


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCommit:
    """What a commit is to hold.

    Attributes:
        branch: the branch that it goes to.
        parent: its tip; None for an unborn branch.
        files: path to the new bytes; no other path changes.
        subject: the message's first line, ASCII.
    """

    branch: RefName
    parent: ObjectId | None
    files: Mapping[RepoPath, bytes]
    subject: str

    @property
    def name(self) -> str:
        """The branch for people, without refs/heads/."""
        return plain(show_path(self.branch.removeprefix(HEADS)))


def tree_of(desk: Desk, commit: ObjectId | None) -> ObjectId | None:
    """The tree of a commit; None for no commit."""
    return None if commit is None else desk.world.store.commit(commit).tree


def file_at(desk: Desk, commit: ObjectId | None, path: RepoPath) -> bytes | None:
    """The bytes of a file in a commit; None where there is none.

    Raises:
        Stopped: something lies at the path that is no regular file.
        LimitExceeded: it is larger than a state document may be.
    """
    tree = tree_of(desk, commit)
    entry = entry_at(desk.world.store, tree, path) if tree is not None else None
    if entry is None:
        return None
    if not entry.is_file:
        raise Stopped(f"{show_path(path)} is no regular file in this repository")
    return desk.world.store.blob(entry.id, DOCUMENT_BYTES)


def check_work_tree(desk: Desk) -> None:
    """Nothing where there is a work tree.

    Raises:
        UsageError: the repository is bare.
    """
    if desk.folder == desk.location.git_dir:
        raise UsageError("this repository has no work tree: run this in a clone, then git push")


def check_place(desk: Desk, own: OwnCommit) -> bool:
    """Whether the branch is checked out here; then its files are clean, so that they can be written.

    Raises:
        UsageError: there is no work tree.
        Stopped: a file of the commit is changed, staged or in the way, or the branch is checked out in another work tree.
    """
    check_work_tree(desk)
    if desk.branch != own.branch:
        _check_other_worktrees(desk, own)
        return False
    for path in own.files:
        full = os.path.join(desk.folder, path)
        above = os.path.dirname(full)
        if os.path.realpath(above) != os.path.normpath(above) and os.path.lexists(above):
            raise Stopped(f"{plain(show_path(os.path.dirname(path)))} is a link here; make it a folder first")
        if os.path.lexists(full) and file_at(desk, own.parent, path) is None:
            raise Stopped(f"{show_path(path)} is here, but not committed: commit it or move it away first")
    told = desk.git(
        "--no-optional-locks",
        "--literal-pathspecs",
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--",
        *own.files,
    )
    rows = [row for row in told.split(b"\0") if row]
    if rows:
        raise Stopped(
            f"{plain(show_path(rows[0][3:]))} is changed here: commit that, or put it back, then run this again"
        )
    return True


def _check_other_worktrees(desk: Desk, own: OwnCommit) -> None:
    for rebase in (b"rebase-merge", b"rebase-apply"):
        try:
            with open(os.path.join(desk.location.git_dir, rebase, b"head-name"), "rb") as file:  # noqa: PTH123
                rebased = file.read().strip()
        except OSError:
            continue
        if rebased == own.branch:
            raise Stopped(f"{own.name} is being rebased: finish that first")
    for group in desk.git("worktree", "list", "--porcelain").split(b"\n\n"):
        rows = group.split(b"\n")
        if b"branch " + own.branch in rows:
            place = plain(os.fsdecode(rows[0].removeprefix(b"worktree ")))
            raise Stopped(f"{own.name} is checked out in {place}: run this there")


def make(desk: Desk, own: OwnCommit, hand: Hand, policy: Policy) -> Commit:
    """The commit as an object that no ref names, signed by trailers.

    Raises:
        UsageError: Git does not know who commits.
        KeyUnavailable: the key cannot sign.
    """
    author, committer = (_person(desk, who, hand.actor) for who in ("AUTHOR", "COMMITTER"))
    store, base = desk.world.store, tree_of(desk, own.parent)
    entries: dict[bytes, Entry | None] = {}
    for path, data in own.files.items():
        old = entry_at(store, base, path) if base is not None else None
        entries[path] = Entry(
            old.mode if old is not None else FILE, write_object(desk.location, store.object_format, "blob", data)
        )
    tree = edit_tree(store, desk.location, base, entries)
    parents = () if own.parent is None else (own.parent,)
    draft = Draft(
        deed=Deed(parents, tree, own.subject.encode("ascii", "backslashreplace") + b"\n"),
        author=author,
        committer=committer,
    )
    message = sign_message(desk, draft, hand, policy)
    return write_draft(desk, Draft(deed=Deed(parents, tree, message), author=author, committer=committer))


def refuse(judged: Verdict) -> None:
    """Nothing where a verdict lets a commit pass.

    Raises:
        Stopped: it does not; the text is the whole report.
    """
    if not judged.accepted:
        raise Stopped(verdict(judged, "commit", onward=True).rstrip("\n"), findings=judged.findings)


def move_branch(desk: Desk, own: OwnCommit, commit: Commit, *, here: bool) -> None:
    """Let the branch be at the commit; where it is checked out, its files are in the index and the work tree too.

    Raises:
        Stopped: the branch has moved meanwhile.
        RepositoryError: the branch moved, and the files could not be written; the text says what is left to do.
    """
    old = own.parent or b"0" * desk.world.store.id_length
    try:
        desk.git("update-ref", "-m", f"codifica-guard: {own.subject}", own.branch, commit.id, old)
    except RepositoryError as error:
        raise Stopped(f"{own.name} could not be moved: {error}") from error
    if not here:
        return
    rows = (
        b"%06o %s\t%s\0" % (entry.mode, entry.id, path)
        for path in own.files
        if (entry := entry_at(desk.world.store, commit.tree, path)) is not None
    )
    try:
        desk.git("update-index", "-z", "--index-info", data=b"".join(rows))
        desk.git("checkout-index", "-f", "-u", "-z", "--stdin", data=b"".join(path + b"\0" for path in own.files))
    except RepositoryError as error:
        paths = " ".join(show_path(path) for path in own.files)
        raise RepositoryError(
            f"{error}; the commit is made, its files are not written here: git restore --staged --worktree -- {paths}"
        ) from error


def preview(desk: Desk, own: OwnCommit) -> Iterator[str]:
    """What the commit would change, as a unified diff in ASCII, and its message."""
    yield from changes(desk, own.parent, own.files)
    yield f"message: {own.subject}"
    yield "nothing was changed"


def changes(desk: Desk, parent: ObjectId | None, files: Mapping[RepoPath, bytes]) -> Iterator[str]:
    """How files differ from those of a commit, as a unified diff in ASCII.

    Args:
        desk: the clone.
        parent: the commit; None for none.
        files: path to the new bytes.
    """
    for path, data in files.items():
        old = file_at(desk, parent, path)
        name = show_path(path)
        before = [] if old is None else _lines(old)
        for line in unified_diff(
            before, _lines(data), "/dev/null" if old is None else f"a/{name}", f"b/{name}", lineterm=""
        ):
            yield plain_words(line, LONGEST)
        if old is None and not data:
            yield f"new file b/{name} (empty)"


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if data else []


def _person(desk: Desk, who: str, actor: Principal) -> bytes:
    """Who makes the commit, as Git has it; an agent that Git does not know goes by its principal's name.

    Raises:
        UsageError: Git does not know who commits, and it is a person.
    """
    done = try_git(desk.folder, "var", f"GIT_{who}_IDENT")
    if done.code == 0:
        return done.out.removesuffix(b"\n")
    if not is_agent(actor):
        raise UsageError("git does not know who commits: git config user.name NAME, and git config user.email MAIL")
    name = actor.partition(":")[2]
    return f"{name} <{name}@agent.invalid> {desk.now} +0000".encode("ascii")
