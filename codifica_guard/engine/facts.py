"""What a commit does, as lines of the signed payload."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from codifica_guard.engine.difference import Difference
from codifica_guard.engine.world import World, state_files
from codifica_guard.git.message import reports
from codifica_guard.identity import payload as grammar
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.commit import ACTOR, SIGNATURE, WRITER, Commit, Entry, Trailers
from codifica_guard.model.ids import ObjectId, Principal, RepoPath, TaskId
from codifica_guard.model.policy import Policy
from codifica_guard.model.value import value

UNCOVERED = frozenset({ACTOR, SIGNATURE, WRITER})
PROTOCOL = "codifica"

Sides = tuple[Entry | None, ...]
"""A path's entries in each parent, in order, and in the commit."""


@value(kw_only=False)
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
        documents = self._documents({p: s for p, s in sides.items() if p in files})
        trusted = False
        for path, entries in sides.items():
            if path in documents:
                if len({e.mode if e else None for e in entries}) > 1:
                    yield grammar.doc(path, entries)
                continue
            yield grammar.leaf(path, entries)
            if _is_trust(path, policies):
                trusted = True
                yield grammar.trust(path, [self._content(e) for e in entries])
        if trusted:
            yield from (grammar.parent(p) for p in deed.parents)
        yield from self._of_documents(documents)
        yield from (grammar.report(block) for block in reports(deed.message))
        yield from (
            grammar.trailer(t.key, t.value)
            for t in self._trailers.all
            if t.key.startswith(b"Codifica-") and t.key not in UNCOVERED
        )

    def _documents(self, changed: Mapping[RepoPath, Sides]) -> dict[RepoPath, Sides]:
        """The changed state documents; without those that some side cannot split into tasks, each id once."""
        found = {p: s for p, s in changed.items() if all(e is None or self._world.sound(p, e) for e in s)}
        return {p: s for p, s in found.items() if p not in self._sharing(found)} if len(found) > 1 else found

    def _sharing(self, documents: Mapping[RepoPath, Sides]) -> set[RepoPath]:
        """Documents that share an id on some side: a record of that id would not say which of them it stands in."""
        sharing: set[RepoPath] = set()
        for column in zip(*documents.values(), strict=True):
            homes: dict[TaskId, RepoPath] = {}
            for path, entry in zip(documents, column, strict=True):
                for block in self._world.document(path, entry).blocks if entry is not None else ():
                    if homes.setdefault(block.id, path) != path:
                        sharing |= {path, homes[block.id]}
        return sharing

    def _of_documents(self, documents: Mapping[RepoPath, Sides]) -> Iterator[bytes]:
        """Facts of the frames, orders and records of changed documents."""
        held: list[dict[TaskId, tuple[bytes, RepoPath]]] = [{} for _ in (*self._deed.parents, None)]
        for path, entries in documents.items():
            sides = [self._world.document(path, e) if e is not None else None for e in entries]
            frames = [d.frame if d is not None else None for d in sides]
            if len(set(frames)) > 1:
                yield grammar.frame(path, [None if f is None else grammar.digest(f) for f in frames])
            differences = [self._world.difference(path, e, entries[-1]) for e in entries[:-1]]
            if any(d.swapped for d in differences):
                yield grammar.order(path, [None if d is None else [b.id for b in d.blocks] for d in sides])
            for side, values in zip(held, _values(differences), strict=True):
                side.update({name: (raw, path) for name, raw in values.items()})
        yield from _of_records(held)

    def _content(self, entry: Entry | None) -> bytes | None:
        """Digest of a trust file's content; of what is no file, of the id it names."""
        if entry is None:
            return None
        return grammar.digest(self._world.store.blob(entry.id, POLICY_BYTES) if entry.is_file else entry.id)


def _is_trust(path: RepoPath, policies: tuple[Policy, ...]) -> bool:
    return path.startswith(b".codifica/") or path == b"codifica.json" or any(p.is_trust(path) for p in policies)


def _values(differences: list[Difference]) -> Iterator[dict[TaskId, bytes]]:
    """The records of one document, in each parent and in the commit, that are not the same everywhere."""
    own = {b.id: b.raw for d in differences for b in d.after}
    for difference in differences:
        here = {b.id: b.raw for b in difference.before}
        # What is the commit's, and no part of this parent's difference, is in the parent as it is in the commit.
        yield {**{name: raw for name, raw in own.items() if name not in difference.ids}, **here}
    yield own


def _of_records(held: list[dict[TaskId, tuple[bytes, RepoPath]]]) -> Iterator[bytes]:
    """Facts of records: what each side holds by an id, and in which document; the commit's last."""
    for name in sorted({i for side in held for i in side}):
        values = [side.get(name) for side in held]
        raws = [v[0] if v else None for v in values]
        if len(set(raws)) > 1:
            yield grammar.record(PROTOCOL, name, [None if r is None else grammar.digest(r) for r in raws])
        own = values[-1]
        if own is not None and any(v is not None and v[1] != own[1] for v in values[:-1]):
            yield grammar.place(PROTOCOL, name, [v[1] if v else None for v in values])
