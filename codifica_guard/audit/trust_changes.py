"""Who changed who may do what: the commits that changed trust files, and their lines that came and went."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from codifica_guard.audit.made import Made
from codifica_guard.engine.world import World
from codifica_guard.errors import LimitExceeded
from codifica_guard.git.changes import entry_at, leaves
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.audited import PolicyChange
from codifica_guard.model.commit import Entry
from codifica_guard.model.ids import ObjectId, RepoPath, show_path
from codifica_guard.model.policy import CODIFICA_FILE, TRUST_FOLDER

LINES: Final = 400
"""Lines of one commit that are told."""

ALL_LINES: Final = 40_000
"""Lines of all commits that are told; behind that the files are named, and no more."""

LINE: Final = 1_000
"""Characters of one line."""

FILES: Final = 1_000
"""Trust files of one tree that are looked at."""

SUBJECT: Final = 200
"""Characters of a commit's first line."""

_Mark = tuple[Entry | None, Entry | None, Entry | None]
"""What a tree has of `.codifica`, `codifica.json` and the spec."""

_FOLDER: Final = TRUST_FOLDER.rstrip(b"/")


def trust_changes(world: World, line: Iterable[Made]) -> Iterator[PolicyChange]:
    """The commits of a judged history that changed trust files, in its order; merges that only join are left out.

    A file that differs from what each parent has was changed. The work is linear in the history and in the files' sizes,
    whatever stands in them.

    Args:
        world: what is read.
        line: the commits.
    """
    left = ALL_LINES
    seen = _Seen(world)
    for made in line:
        if not made.trust:
            continue
        commit = world.store.commit(made.commit)
        sides = [seen.mark(parent) for parent in commit.parents]
        if seen.mark(commit.id) in sides or not (paths := seen.changed(commit.id, commit.parents)):
            continue
        before = commit.parents[0] if commit.parents else None
        lines = list(_told(world, before, commit.id, paths, min(LINES, left)))
        left = max(0, left - len(lines))
        yield PolicyChange(
            commit=commit.id,
            at=made.at,
            actor=made.actor,
            key=made.key,
            subject=_subject(commit.message),
            lines=tuple(lines),
            receipt=made.receipt,
        )


class _Seen:
    """What each commit has of trust files, read once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._marks: dict[ObjectId, _Mark] = {}
        self._files: dict[_Mark, frozenset[RepoPath]] = {}

    def mark(self, oid: ObjectId) -> _Mark:
        """What tells the trust files of one commit from those of another: `.codifica`, `codifica.json`, the spec."""
        if oid not in self._marks:
            at = partial(entry_at, self._world.store, self._world.store.commit(oid).tree)
            folder, codifica = at(_FOLDER), at(CODIFICA_FILE)
            spec = self._spec(oid) if codifica is not None and folder is not None else None
            self._marks[oid] = (folder, codifica, at(spec) if spec else None)
        return self._marks[oid]

    def _spec(self, oid: ObjectId) -> RepoPath | None:
        policy = self._world.own_policy(oid)
        return policy.codifica.spec if policy is not None and policy.codifica is not None else None

    def changed(self, oid: ObjectId, parents: Sequence[ObjectId]) -> tuple[RepoPath, ...]:
        """The trust files that are in no parent as the commit has them, by name."""
        names = self.files(oid).union(*(self.files(parent) for parent in parents))
        return tuple(sorted(name for name in names if self._is_new(name, oid, parents)))

    def _is_new(self, path: RepoPath, oid: ObjectId, parents: Sequence[ObjectId]) -> bool:
        """Whether no parent has a path as the commit has it; a spec may have lain there before any policy named it."""
        own = self._entry(oid, path)
        return all(self._entry(parent, path) != own for parent in parents) and bool(own or parents)

    def _entry(self, oid: ObjectId, path: RepoPath) -> Entry | None:
        return entry_at(self._world.store, self._world.store.commit(oid).tree, path)

    def files(self, oid: ObjectId) -> frozenset[RepoPath]:
        """The trust files of a commit, as far as they are looked at."""
        mark = self.mark(oid)
        if mark not in self._files:
            folder, codifica, spec = mark
            found: set[RepoPath] = set()
            if folder is not None:
                below = leaves(self._world.store, self._world.store.commit(oid).tree, _FOLDER)
                found.update(path for path, _ in islice(below, FILES))
            named = ((CODIFICA_FILE, codifica), (self._spec(oid), spec))
            self._files[mark] = frozenset(found | {path for path, entry in named if path and entry})
        return self._files[mark]


def _told(
    world: World, before: ObjectId | None, after: ObjectId, paths: Iterable[RepoPath], most: int
) -> Iterator[str]:
    """The lines that differ from the first parent, behind the name of each file; cut off with a count."""
    rest = 0
    for path in paths:
        gone, come = _difference(*(_lines(world, oid, path) for oid in (before, after)))
        lines = [_cut(show_path(path)), *(f"-{_cut(text)}" for text in gone), *(f"+{_cut(text)}" for text in come)]
        shown = lines[: max(1, most)]
        yield from shown
        most -= len(shown)
        rest += len(lines) - len(shown)
    if rest:
        yield f"... and {rest} more lines"


def _difference(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    """Lines that are only there before, and only there after, in order. Linear, since the texts may be hostile."""
    gone, come = Counter(before), Counter(after)
    gone, come = gone - come, come - gone
    return _taken(before, gone), _taken(after, come)


def _taken(lines: Iterable[str], wanted: Counter[str]) -> list[str]:
    found: list[str] = []
    for text in lines:
        if wanted[text] > 0:
            wanted[text] -= 1
            found.append(text)
    return found


def _lines(world: World, oid: ObjectId | None, path: RepoPath) -> list[str]:
    """A file's lines; one line in words for what is none, or is too large."""
    entry = entry_at(world.store, world.store.commit(oid).tree, path) if oid is not None else None
    if entry is None:
        return []
    if not entry.is_file:
        return [f"(no regular file: mode {entry.mode:06o})"]
    try:
        data = world.store.blob(entry.id, POLICY_BYTES)
    except LimitExceeded:
        return [f"(more than {POLICY_BYTES} bytes: object {entry.id.decode('ascii')})"]
    return data.decode("utf-8", "backslashreplace").splitlines()


def _subject(message: bytes) -> str:
    lines = message.decode("utf-8", "backslashreplace").strip().splitlines()
    return _cut(lines[0], SUBJECT) if lines else ""


def _cut(text: str, most: int = LINE) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
