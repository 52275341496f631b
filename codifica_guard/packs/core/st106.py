"""State documents and policy files are regular files, and no other path hides behind their names.

Why: a symlink, a submodule or a folder in place of a state document shows another content than was judged. A path that differs
only by case, by its Unicode form or by characters that a file system passes over takes the place of the real file in many checkouts.
A newline in the path of a document makes two lines of it, wherever paths are listed.

Refused: `work.md` as a symlink or a submodule; `WORK.md` or `work.md.` beside `work.md`; a file named `.codifica`; a pointer of
Git LFS; a state document or policy file with a control character in its path.

Accepted: symlinks, submodules and files of any name elsewhere.

Do: put the file itself in its place, for example:

    git rm --cached WORK.md
    git commit --amend --no-edit
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from codifica_guard.model.commit import SUBMODULE, SYMLINK, TREE, Entry
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RepoPath, show_path
from codifica_guard.model.policy import CODIFICA_FILE, GUARD_FILE, REVOKED_FILE, SIGNERS_FILE, TRUST_FOLDER, Globs
from codifica_guard.model.value import value
from codifica_guard.packs.core.documents import is_changed
from codifica_guard.packs.core.wording import listed
from codifica_guard.rules.advice import AMEND, put_back, quoted
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST106", "no-regular-file", "codifica-guard, state documents"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.COMMIT, True

LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"
KINDS: Final = {SYMLINK: "a symlink", SUBMODULE: "a submodule", TREE: "a folder"}
FORMAT: Final = 0o170000
"""The bits of a mode that say what an entry is."""

CONTROL: Final = re.compile(rb"[\x00-\x1f\x7f]")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Control characters, and what HFS+ leaves out of a name."""

_LOOSE: Final = re.compile(r"[ .]+(?=/|\Z)")
"""What Windows leaves out at the end of a name."""


@value(kw_only=False)
class _Names:
    """Names that nothing else may go by, folded.

    Attributes:
        trusted: the files that carry trust, as they are.
        originals: each name, folded, to the path that it belongs to.
        folders: the folders that these paths lie in, folded.
        tops: the first parts of these paths, folded.
    """

    trusted: frozenset[RepoPath]
    originals: Mapping[str, RepoPath]
    folders: frozenset[str]
    tops: frozenset[str]


def check(view: CommitView) -> Iterator[Breach]:
    """Judge what a commit put in the place, or under the name, of state documents and files that carry trust."""
    yield from _in_place(view)
    yield from _pointers(view)
    yield from _twins(view)
    yield from _unprintable(view)
    if view.paths:
        names = _names(view)
        for path in sorted(view.paths):
            was, now = view.paths[path]
            # A twin that stood there before is no news, as long as it stays what it is.
            if now is not None and (was is None or was.mode & FORMAT != now.mode & FORMAT):
                yield from _hiding(view, path, names)


def _in_place(view: CommitView) -> Iterator[Breach]:
    """What stands where a state document or a trust file is meant, and is no file."""
    entries = {path: entry for path, entry in view.after.entries.items() if _is_new(view, path, entry)}
    for path in view.trust:
        entry = view.paths.get(path, (None, None))[1]
        if entry is not None:
            entries[path] = entry
    for path in sorted(entries):
        mode = entries[path].mode
        if not entries[path].is_file:
            kind = KINDS.get(mode & FORMAT, f"of mode {mode:o}")
            there = any((entry := p.entries.get(path)) is not None and entry.is_file for p in view.parents)
            yield _breach(path, f"{show_path(path)} is {kind}", "a regular file", put_back(path) if there else ())


def _is_new(view: CommitView, path: RepoPath, entry: Entry) -> bool:
    return all(parent.entries.get(path) != entry for parent in view.parents)


def _pointers(view: CommitView) -> Iterator[Breach]:
    for path in sorted(view.after.documents):
        if view.after.documents[path].frame.startswith(LFS_POINTER) and is_changed(view, path):
            yield Breach(
                found=f"{show_path(path)} is a pointer of Git LFS, not the document",
                expected="the document itself in Git",
                do=(
                    f"git lfs untrack {quoted(path)}",
                    f"git add --renormalize {quoted(path)}",
                    AMEND,
                ),
                path=path,
            )


def _twins(view: CommitView) -> Iterator[Breach]:
    """State documents that a commit added beside one whose name is the same to many file systems."""
    if view.born:
        places: dict[str, list[RepoPath]] = {}
        for path in view.after.documents:
            places.setdefault(fold(path), []).append(path)
        for path in view.born:
            other = next((p for p in places.get(fold(path), ()) if p != path), None)
            if other is not None:
                yield _breach(path, _differs(path, other), "one document a name")


def _unprintable(view: CommitView) -> Iterator[Breach]:
    """State documents and trust files that a commit added under a path that no list of paths can show."""
    added = {
        p for p, (was, now) in view.paths.items() if p.startswith(TRUST_FOLDER) and was is None and now is not None
    }
    for path in sorted({*view.born, *added}):
        if CONTROL.search(path):
            yield _breach(path, f"{show_path(path)} has a control character in its path", "a path that can be printed")


def _hiding(view: CommitView, path: RepoPath, names: _Names) -> Iterator[Breach]:
    """A changed leaf that is no state document and no trust file, but goes by the name of one."""
    config = view.policy.codifica
    folded = fold(path)
    parts = folded.split("/")
    matched = config is not None and matches_folded(config.state, folded)
    if not matched and parts[0] not in names.tops:
        return  # nearly every path of a push ends here
    if path in names.trusted or path in view.after.documents or (config is not None and config.state.match(path)):
        return  # the file itself, or what stands in its place
    original = names.originals.get(folded)
    above = (names.originals.get("/".join(parts[:depth])) for depth in range(1, len(parts)))
    below = next((p for p in above if p is not None and not _is_no_file(view, p)), None)
    if original is not None:
        if not _takes_over(view, path, original):
            yield _breach(path, _differs(path, original), f"no file that hides {show_path(original)}")
    elif folded.startswith(".codifica/") and not path.startswith(TRUST_FOLDER):
        yield _breach(path, _differs(path, RepoPath(TRUST_FOLDER)), "no file that hides .codifica/")
    elif folded in names.folders:
        found = f"{show_path(path)} stands where a folder of state documents or policy files is"
        yield _breach(path, found, "a folder")
    elif below is not None:
        yield _breach(path, f"{show_path(path)} makes a folder of {show_path(below)}", "a regular file")
    elif config is not None and matched:
        found = f"{show_path(path)} matches {listed(config.state.patterns)} to some file systems"
        yield _breach(path, found, "a name that `state` matches as it is, or another name")


def _is_no_file(view: CommitView, path: RepoPath) -> bool:
    """Whether a folder or link stands in a document's place: that is told once, not for each path in it."""
    entry = view.after.entries.get(path)
    return entry is not None and not entry.is_file


def _takes_over(view: CommitView, path: RepoPath, original: RepoPath) -> bool:
    """Whether a commit renames a state document: `codifica.json` names the new path, and the old one is gone."""
    own = view.own_policy.codifica if view.own_policy is not None else None
    return own is not None and own.state.match(path) and original in view.gone


def _names(view: CommitView) -> _Names:
    config = view.policy.codifica
    spec = (config.spec,) if config is not None else ()
    trusted = (GUARD_FILE, SIGNERS_FILE, REVOKED_FILE, CODIFICA_FILE, *spec)
    snapshots = (*view.parents, view.before, view.after)
    originals = {fold(path): path for snapshot in snapshots for path in snapshot.documents}
    originals.update((fold(path), path) for path in trusted)
    folders = {name.rsplit("/", depth)[0] for name in originals for depth in range(1, name.count("/") + 1)}
    tops = frozenset(name.partition("/")[0] for name in originals)
    return _Names(frozenset(trusted), originals, frozenset(folders), tops)


def fold(path: bytes) -> str:
    """A path as a file system sees it that ignores case, Unicode forms, and what another one leaves out of names."""
    text = path.decode("utf-8", "surrogateescape")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold())
    elif text.isprintable():
        text = text.lower()  # the same, and most of what a push holds
    else:
        text = _UNSEEN.sub("", text).lower()
    return _LOOSE.sub("", text)


@lru_cache(maxsize=64)
def _folded(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    # NFC, not NFKC: it makes no ASCII characters that would mean something in an expression.
    return tuple(re.compile(unicodedata.normalize("NFC", p), re.IGNORECASE) for p in patterns)


def matches_folded(globs: Globs, folded: str) -> bool:
    """Whether globs match a folded path on a file system that ignores case."""
    include, exclude = _folded(globs.include), _folded(globs.exclude)
    return any(p.fullmatch(folded) for p in include) and not any(p.fullmatch(folded) for p in exclude)


def _differs(path: RepoPath, other: RepoPath) -> str:
    return f"{show_path(path)} is {show_path(other)} to some file systems"


def _breach(path: RepoPath, found: str, expected: str, do: tuple[str, ...] = ()) -> Breach:
    return Breach(found=found, expected=expected, do=do or (f"git rm --cached {quoted(path)}", AMEND), path=path)
