"""What a commit does, as lines of the signed payload."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from codifica_guard.engine.world import World, state_files
from codifica_guard.git.message import reports
from codifica_guard.identity import payload as grammar
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.commit import Commit, Entry, Trailers
from codifica_guard.model.document import Document
from codifica_guard.model.ids import ObjectId, Principal, RepoPath, TaskId
from codifica_guard.model.policy import Policy

UNCOVERED = frozenset({b"Codifica-Actor", b"Codifica-Signature", b"Codifica-Writer"})
PROTOCOL = "codifica"

Sides = tuple[Entry | None, ...]
"""A path's entries in each parent, in order, and in the commit."""


@dataclass(frozen=True, slots=True)
class Deed:
    """A commit's content, also of one that is still to be made: parents, tree, message."""

    parents: tuple[ObjectId, ...]
    tree: ObjectId
    message: bytes


def deed_of(commit: Commit) -> Deed:
    """The deed of a commit that is there."""
    return Deed(commit.parents, commit.tree, commit.message)


def changed_sides(world: World, parents: tuple[ObjectId, ...], tree: ObjectId) -> Mapping[RepoPath, Sides]:
    """Every leaf that is not the same in all parents and in a tree; for a root commit every leaf."""
    trees: list[ObjectId | None] = [world.store.commit(p).tree for p in parents]
    deltas = [world.delta(before, tree) for before in trees or [None]]
    found: dict[RepoPath, Sides] = {}
    for delta in deltas:
        for path, (_, own) in delta.items():
            if path not in found:
                values = tuple(d[path][0] if path in d else own for d in deltas)
                found[path] = (*values, own) if trees else (own,)
    return found


def repository_id(policies: Iterable[Policy | None], own: Policy | None) -> str:
    """The repository's id: of the first parent that has a policy, else of the commit itself."""
    for policy in (*policies, own):
        if policy is not None:
            return policy.guard.repository
    return "-"


class Facts:
    """The payload of one deed; its facts are gathered once, for whichever principal signs."""

    def __init__(self, world: World, deed: Deed, trailers: Trailers, own: Callable[[], Policy | None]) -> None:
        self._world = world
        self._deed = deed
        self._trailers = trailers
        self._own = own
        self._lines: list[bytes] | None = None
        self._repository = "-"

    def payload(self, actor: Principal) -> bytes:
        """The bytes that the signed trailers cover if this principal is the actor."""
        if self._lines is None:
            policies = tuple(self._world.policy(p) for p in self._deed.parents)
            self._repository = repository_id(policies, None)
            if self._repository == "-":
                self._repository = repository_id((), self._own())
            self._lines = list(self._gather(tuple(p for p in policies if p is not None)))
        return grammar.payload(self._repository, actor, self._lines)

    def _gather(self, policies: tuple[Policy, ...]) -> Iterator[bytes]:
        world, deed = self._world, self._deed
        files = state_files(policies)
        sides = changed_sides(world, deed.parents, deed.tree)
        documents: dict[RepoPath, tuple[Document | None, ...]] = {}
        trusted = False
        for path, entries in sides.items():
            taken = self._documents(path, entries) if path in files else None
            if taken is not None:
                documents[path] = taken
                if len({e.mode if e else None for e in entries}) > 1:
                    yield grammar.doc(path, entries)
                continue
            yield grammar.leaf(path, entries)
            if _is_trust(path, policies):
                trusted = True
                yield grammar.trust(path, [self._content(e) for e in entries])
        if trusted:
            yield from (grammar.parent(p) for p in deed.parents)
        yield from _of_documents(documents, len(deed.parents) + 1)
        yield from (grammar.report(block) for block in reports(deed.message))
        yield from (
            grammar.trailer(t.key, t.value)
            for t in self._trailers.all
            if t.key.startswith(b"Codifica-") and t.key not in UNCOVERED
        )

    def _documents(self, path: RepoPath, entries: Sides) -> tuple[Document | None, ...] | None:
        """A path's documents on all sides; None where one side cannot be split into tasks."""
        found = tuple(self._world.document(path, e) if e is not None else None for e in entries)
        return found if all(d is None or sound(d) for d in found) else None

    def _content(self, entry: Entry | None) -> bytes | None:
        """Digest of a trust file's content; of what is no file, of the id it names."""
        if entry is None:
            return None
        return grammar.digest(self._world.store.blob(entry.id, POLICY_BYTES) if entry.is_file else entry.id)


def sound(document: Document) -> bool:
    """Whether a document can be split into tasks, each id once."""
    return document.splittable and len({b.id for b in document.blocks}) == len(document.blocks)


def _is_trust(path: RepoPath, policies: tuple[Policy, ...]) -> bool:
    return path.startswith(b".codifica/") or path == b"codifica.json" or any(p.is_trust(path) for p in policies)


def _of_documents(documents: Mapping[RepoPath, tuple[Document | None, ...]], count: int) -> Iterator[bytes]:
    """Facts of the records, frames and orders of changed documents; `count` sides, the commit's last."""
    held: list[dict[TaskId, tuple[bytes, RepoPath]]] = [{} for _ in range(count)]
    for path, sides in documents.items():
        frames = [d.frame if d is not None else None for d in sides]
        if len(set(frames)) > 1:
            yield grammar.frame(path, [None if f is None else grammar.digest(f) for f in frames])
        if any(swapped(d, sides[-1]) for d in sides[:-1]):
            yield grammar.order(path, [None if d is None else [b.id for b in d.blocks] for d in sides])
        for side, document in zip(held, sides, strict=True):
            side.update({b.id: (b.raw, path) for b in document.blocks} if document is not None else {})
    for name in sorted({i for side in held for i in side}):
        values = [side.get(name) for side in held]
        raws = [v[0] if v else None for v in values]
        if len(set(raws)) > 1:
            yield grammar.record(PROTOCOL, name, [None if r is None else grammar.digest(r) for r in raws])
        own = values[-1]
        if own is not None and any(v is not None and v[1] != own[1] for v in values[:-1]):
            yield grammar.place(PROTOCOL, name, [v[1] if v else None for v in values])


FINISHED = (b"\n  state: done\n", b"\n  state: rejected\n")


def refenced(before: Document | None, after: Document | None) -> TaskId | None:
    """The one finished task that went, unchanged, to another fence, if that alone explains how the order differs."""
    if before is None or after is None:
        return None
    old = {b.id: b for b in before.blocks}
    gone = [b for b in after.blocks if b.id in old and old[b.id].fence != b.fence]
    if len(gone) != 1 or old[gone[0].id].raw != gone[0].raw or not any(mark in gone[0].raw for mark in FINISHED):
        return None
    return None if _swapped(before, after, gone[0].id) else gone[0].id


def swapped(before: Document | None, after: Document | None) -> bool:
    """Whether two tasks that both documents hold have swapped; one finished task sent alone to another fence has not."""
    if before is None or after is None or not _swapped(before, after, None):
        return False
    return refenced(before, after) is None


def _swapped(before: Document, after: Document, without: TaskId | None) -> bool:
    old, new = {b.id for b in before.blocks}, {b.id for b in after.blocks}
    common = (old & new) - {without}
    return [b.id for b in before.blocks if b.id in common] != [b.id for b in after.blocks if b.id in common]
