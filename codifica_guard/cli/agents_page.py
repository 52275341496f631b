"""`AGENTS.md`: the page that agents read first, and the one marked section of it that is ours."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH118

import os
from collections.abc import Sequence
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.errors import LimitExceeded, StateError
from codifica_guard.git.changes import entry_at, look_alikes
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.ids import ObjectId, RepoPath, show_path
from codifica_guard.model.policy import CodificaConfig
from codifica_guard.packs.core.st106 import fold, matches_folded
from codifica_guard.report.plain import plain
from codifica_guard.verbs.manual import BEGIN, END

PAGE: Final = RepoPath(b"AGENTS.md")
_BY_HAND: Final = "so it stays as it is: git codifica prime --section prints what belongs there"


def page_with_section(
    desk: Desk, tree: ObjectId | None, config: CodificaConfig, lines: Sequence[str]
) -> tuple[bytes | None, str | None]:
    """The page as it is to be committed, or why it is left alone; both None where it says all that already.

    Args:
        desk: the clone.
        tree: the tree that is built on; None for none.
        config: `codifica.json`, which may use the page for something else.
        lines: the section, markers and all.
    """
    try:
        old = _page(desk, tree, config)
        new = with_section(old or b"", lines)
    except StateError as error:
        return None, f"{error}, {_BY_HAND}"
    return (None if new == old else new), None


def with_section(page: bytes, lines: Sequence[str]) -> bytes:
    """The page with the section in place of the one that it has, else at its end; every other byte stays.

    Args:
        page: the page; empty for none.
        lines: the section, from its first marker to its last.

    Raises:
        StateError: its markers make no section, or it is no text.
    """
    if b"\0" in page:
        raise StateError(f"{show_path(PAGE)} is no text in UTF-8")
    end = b"\r\n" if b"\r\n" in page else b"\n"
    section = end.join(line.encode("ascii", "backslashreplace") for line in lines)
    rows = [row + b"\n" for row in page.split(b"\n")]
    rows[-1] = rows[-1][:-1]
    marks = [(number, row.strip()) for number, row in enumerate(rows) if row.strip() in _MARKS]
    if not marks:
        blank = b"" if not page or page.endswith((b"\n\n", b"\n\r\n")) else end
        return (page if not page or page.endswith(b"\n") else page + end) + blank + section + end
    if [mark for _, mark in marks] != [*_MARKS]:
        raise StateError(f"{show_path(PAGE)} has the marks of the section more than once, or one of them alone")
    (first, _), (last, _) = marks
    tail = rows[last][len(rows[last].rstrip(b"\r\n")) :]
    return b"".join(rows[:first]) + section + tail + b"".join(rows[last + 1 :])


_MARKS: Final = (BEGIN.encode(), END.encode())


def _page(desk: Desk, tree: ObjectId | None, config: CodificaConfig) -> bytes | None:
    """The page in a tree, which is also what lies in the work tree; None where there is none."""
    name, store = show_path(PAGE), desk.world.store
    if config.state.match(PAGE) or config.spec == PAGE:
        raise StateError(f"{name} is a page of the protocol here")
    folded = fold(PAGE)
    if matches_folded(config.state, folded) or fold(config.spec) == folded:
        raise StateError(f"{name} is a page of the protocol here to file systems that ignore case")
    twins = look_alikes(store, tree, PAGE) if tree is not None else ()
    if twins:
        raise StateError(f"{plain(show_path(twins[0]))} is the same as {name} for many file systems")
    entry = entry_at(store, tree, PAGE) if tree is not None else None
    if entry is not None and not entry.is_file:
        raise StateError(f"{name} is no regular file")
    full = os.path.join(desk.folder, PAGE)
    changed = desk.git(
        "--no-optional-locks", "--literal-pathspecs", "status", "--porcelain", "--untracked-files=all", "--", PAGE
    )
    if changed or (entry is None and os.path.lexists(full)):
        raise StateError(f"{name} is changed here")
    try:
        return None if entry is None else store.blob(entry.id, POLICY_BYTES)
    except LimitExceeded as error:
        raise StateError(f"{name} is longer than any page") from error
