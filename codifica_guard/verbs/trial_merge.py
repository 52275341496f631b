"""A merge that is tried and leaves no trace: its objects lie in a folder of their own, which goes away again."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from codifica_guard.clone.desk import CUT, Desk, open_desk
from codifica_guard.clone.program import try_git
from codifica_guard.engine.world import StateFiles, World
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.git.changes import entry_at
from codifica_guard.git.history import is_ancestor, merge_bases
from codifica_guard.git.writer import commit_bytes, write_object
from codifica_guard.install.merge_driver import DRIVER_KEY, command
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.report.plain import plain

ATTRIBUTES: Final = RepoPath(b".gitattributes")
PERSON: Final = b"codifica-guard <codifica-guard@localhost>"

Versions = tuple[tuple[RepoPath, bytes], ...]
"""A task on one side: where it stands, and its bytes; empty where it does not."""

TOO_OLD: Final = "this git cannot try a merge: git 2.38 or newer is needed, or merge for real and look at it before the commit: git merge --no-commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a merge would come to.

    Attributes:
        desk: the repository, with the objects of the merge.
        ours, theirs: what is merged.
        tip: the commit that the branch would be at: a merge that no ref names, or theirs where nothing is to be joined.
        tree: its tree; with conflict markers in it where there are conflicts.
        forward: whether the branch only moves on, so that no merge is made.
        conflicts: paths that Git cannot merge.
    """

    desk: Desk
    ours: ObjectId
    theirs: ObjectId
    tip: ObjectId
    tree: ObjectId
    forward: bool
    conflicts: tuple[RepoPath, ...] = ()

    @property
    def done_before(self) -> bool:
        """Whether there is nothing to merge."""
        return self.forward and self.tip == self.ours


@contextmanager
def tried(desk: Desk, ours: ObjectId, theirs: ObjectId) -> Iterator[Tried]:
    """Merge one commit into another, as `git merge` would, with the merge driver where `.gitattributes` names it.

    Neither refs nor index nor files are touched, and no object is left behind.

    Raises:
        RepositoryError: git is too old, or cannot merge these at all.
        UsageError: they share no history.
    """
    store = desk.world.store
    before = is_ancestor(store, theirs, ours)
    if before or is_ancestor(store, ours, theirs):
        tip = ours if before else theirs
        yield Tried(desk=desk, ours=ours, theirs=theirs, tip=tip, tree=store.commit(tip).tree, forward=True)
        return
    with tempfile.TemporaryDirectory(prefix="codifica-merge-") as folder:
        place = Path(folder)
        (place / "objects").mkdir()
        own = {
            "GIT_OBJECT_DIRECTORY": str(place / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": ":".join(_listed(p) for p in desk.location.object_dirs),
        }
        tree, conflicts = _merge(desk, ours, theirs, place, own)
        environ = {**os.environb, **{os.fsencode(k): os.fsencode(v) for k, v in own.items()}}
        with open_desk(desk.now, desk.start, environ) as opened:
            inner = replace(opened, standing=desk.standing, moment=desk.moment)
            inner.world.introduction = desk.world.introduction
            yield Tried(
                desk=inner,
                ours=ours,
                theirs=theirs,
                tip=_commit(inner, tree, ours, theirs),
                tree=tree,
                forward=False,
                conflicts=conflicts,
            )


def _listed(path: bytes) -> str:
    """A folder in Git's list of object folders."""
    full = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - it may be a link, and stays what it is
    unsafe = full.startswith('"') or ":" in full
    return '"' + full.replace("\\", "\\\\").replace('"', '\\"') + '"' if unsafe else full


def _merge(
    desk: Desk, ours: ObjectId, theirs: ObjectId, place: Path, environ: dict[str, str]
) -> tuple[ObjectId, tuple[RepoPath, ...]]:
    """The tree of a merge, and the paths that are in conflict."""
    settings: list[str] = []
    if desk.setting(DRIVER_KEY) is None:
        settings += ["-c", f"{DRIVER_KEY}={command(sys.executable)}"]
    if desk.folder == desk.location.git_dir:
        # Without a work tree Git reads no .gitattributes.
        (place / "attributes").write_bytes(_attributes(desk.world, ours))
        settings += ["-c", f"core.attributesFile={place / 'attributes'}"]
    words = ("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs)
    done = try_git(desk.folder, *settings, *words, environ={**environ, "GIT_NO_REPLACE_OBJECTS": "1"})
    if done.code not in {0, 1}:
        if "usage: git merge-tree" in done.err or "unknown option" in done.err:
            raise RepositoryError(TOO_OLD)
        if "unrelated histories" in done.err:
            if desk.cuts:
                raise RepositoryError(CUT)
            raise UsageError("the two share no history: there is nothing to merge them by")
        raise RepositoryError(f"git merge-tree: {plain(done.last, 400)}")
    tree, *names = done.out.split(b"\0")
    return ObjectId(tree.strip()), tuple(RepoPath(name) for name in dict.fromkeys(names) if name)


def _attributes(world: World, commit: ObjectId) -> bytes:
    entry = entry_at(world.store, world.store.commit(commit).tree, ATTRIBUTES)
    return world.store.blob(entry.id, POLICY_BYTES) if entry is not None and entry.is_file else b""


def _commit(desk: Desk, tree: ObjectId, ours: ObjectId, theirs: ObjectId) -> ObjectId:
    """The merge as an object that no ref names."""
    person = b"%s %d +0000" % (PERSON, desk.now)
    store = desk.world.store
    data = commit_bytes(tree, (ours, theirs), person, person, b"Merge\n", id_length=store.id_length)
    return write_object(desk.location, store.object_format, "commit", data)


def torn_tasks(merge: Tried, path: RepoPath, files: StateFiles) -> Mapping[TaskId, str]:
    """The tasks of a state document that the sides of a merge bring apart, and what each did; empty for another path."""
    if path not in files:
        return {}
    world = merge.desk.world
    bases = merge_bases(world.store, merge.ours, merge.theirs)
    sides = [
        world.snapshot(world.store.commit(oid).tree, files).records
        for oid in (merge.ours, merge.theirs, *sorted(bases))
    ]

    def there(side: int, name: TaskId) -> Versions:
        return tuple((record.path, record.raw) for record in sides[side].get(name, ()))

    names = {name for side in sides for name, records in side.items() if any(r.path == path for r in records)}
    found = {}
    for name in sorted(names):
        ours, theirs = there(0, name), there(1, name)
        before = [there(n, name) for n in range(2, len(sides))]
        if ours != theirs and ours not in before and theirs not in before:
            found[name] = _apart(ours, theirs, before)
    return found


def _apart(ours: Versions, theirs: Versions, before: list[Versions]) -> str:
    """What two sides did with a task that they do not agree about."""
    if not any(before):
        return "born on both sides"
    if not ours or not theirs:
        return "changed on one side, and taken away on the other"
    moved = [all({p for p, _ in side} != {p for p, _ in old} for old in before) for side in (ours, theirs)]
    if moved[0] != moved[1]:
        return "changed on one side, and moved to another document on the other"
    return "moved on both sides" if moved[0] else "changed on both sides"
