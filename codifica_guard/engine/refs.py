"""Ref updates: which branch is judged, what may not happen to refs, and secrets that a push would publish."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codifica_guard.engine.apply import softened
from codifica_guard.engine.world import World, state_files
from codifica_guard.errors import LimitExceeded, MalformedObject, RepositoryError
from codifica_guard.git.history import is_ancestor, new_commits
from codifica_guard.git.location import Location
from codifica_guard.git.refs import resolve, tips
from codifica_guard.limits import AGENT_BRANCHES, SECRET_SCAN_BYTES, SECRET_SCAN_TOTAL
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId, Principal, RefName, RepoPath, is_agent, show_path
from codifica_guard.model.policy import Policy
from codifica_guard.model.push import RefUpdate
from codifica_guard.model.value import replace
from codifica_guard.rules.registry import Registry
from codifica_guard.rules.rule import About
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.rules.view import RefView

if TYPE_CHECKING:
    from codifica_guard.engine.makers import Makers

HEADS = b"refs/heads/"
SECRET_MARK = b"cgw1_"


@dataclass(slots=True, kw_only=True)
class Refs:
    """The repository's refs, as the push found them.

    Attributes:
        world: what is read.
        location: where the refs lie.
        coordination: the coordination branch.
        coordination_tip: its tip before the push; None where it is unborn.
        policy_tip: whose policy says which branches are judged: that tip, or what stands in for it.
        olds: old tips of all updates, whose history is not new.
        news: new tips of all updates.
        kept: new tips of the refs among them that were there before: what they bring is no new branch's.
        held: below which folder the refs lie whose history is not new either.
    """

    world: World
    location: Location
    coordination: RefName
    coordination_tip: ObjectId | None
    policy_tip: ObjectId | None
    olds: tuple[ObjectId, ...] = ()
    news: tuple[ObjectId, ...] = ()
    kept: tuple[ObjectId, ...] = ()
    held: bytes = b"refs/"
    _fresh: dict[ObjectId, int] | None = field(default=None)
    _scanned: int = field(default=0)
    _seen: set[ObjectId] = field(default_factory=set)
    _makers: dict[bool, "Makers"] = field(default_factory=dict)
    _named: int = field(default=0)

    def policy(self) -> Policy | None:
        """The policy at the coordination branch's tip before the push."""
        return self.world.policy(self.policy_tip) if self.policy_tip is not None else None

    def view(self, update: RefUpdate) -> RefView:
        """A ref update, as rules see it."""
        try:
            ref, _ = resolve(self.location, update.ref)
        except RepositoryError:
            ref = update.ref  # Git itself refuses such a name; nothing below refs/heads/ is meant by it
        coordination = ref == self.coordination
        judged = coordination or self._protected(ref)
        old = self._commit(update.old) if judged else self._known(update.old)
        new = self._commit(update.new)
        if judged and new is None and update.new is not None:
            raise MalformedObject(f"{show_path(update.ref)} would name something that is no commit")
        rewound = judged and old is not None and new is not None and not is_ancestor(self.world.store, old, new)
        return RefView(
            ref=ref,
            name=update.ref,
            old=old,
            new=new,
            coordination=coordination,
            judged=judged,
            rewound=rewound,
            created=update.old is None,
            deleted=update.new is None,
        )

    def _protected(self, ref: RefName) -> bool:
        policy = self.policy()
        return policy is not None and ref.startswith(HEADS) and policy.guard.protected_branches.match(ref[len(HEADS) :])

    def _commit(self, oid: ObjectId | None) -> ObjectId | None:
        """The commit that a tip is, or that a tag names; None for what leads to no commit."""
        if oid is None:
            return None
        kind, peeled = self.world.store.peel(oid)
        return peeled if kind == "commit" else None

    def _known(self, oid: ObjectId | None) -> ObjectId | None:
        """The commit of an old tip; None also for one that is not there: Git itself refuses to move such a ref."""
        return self._commit(oid) if oid is not None and self.world.store.has(oid) else None

    # -- whose a new branch is

    def maker(self, tip: ObjectId, policy: Policy, now: int) -> Principal | None:
        """Who made the newest proven commit of those that a new branch brings; None where nobody is proven, or nothing new.

        An agent is told only after all refs were looked at: what lies on another branch already is not the new one's.
        """
        first = self._makers_of(tip, policy, now, whole=False).of(tip)
        return self._makers_of(tip, policy, now, whole=True).of(tip) if is_agent(first) else first

    def _makers_of(self, tip: ObjectId, policy: Policy, now: int, *, whole: bool) -> "Makers":
        from codifica_guard.engine.makers import Makers  # noqa: PLC0415 - only where a branch is new

        found = self._makers.get(whole)
        if found is None:
            old = [*self.olds, *self.kept, *((self.coordination_tip,) if self.coordination_tip else ())]
            old += tips(self.location, self.held) if whole else ()
            known = {c for t in old if (c := self._known(t)) is not None}
            news = {c for t in (*self.news, tip) if (c := self._known(t)) is not None}
            found = Makers(self.world, policy, now, frozenset(new_commits(self.world.store, news, known)))
            self._makers[whole] = found
        return found

    def states(self, tip: ObjectId, policy: Policy) -> tuple[Snapshot, ...]:
        """The tasks at the tip of a new branch of an agent's, and at the coordination branch's tip before the push.

        Raises:
            LimitExceeded: more than `AGENT_BRANCHES` such branches in one push.
        """
        self._named += 1
        if self._named > AGENT_BRANCHES:
            raise LimitExceeded(f"more than {AGENT_BRANCHES} new branches of agents in one push")
        commits = (tip, *((self.coordination_tip,) if self.coordination_tip else ()))
        trees = (self.world.store.commit(oid).tree for oid in commits)
        return tuple(self.world.snapshot(tree, state_files((policy,))) for tree in trees)

    # -- secrets

    def secrets(self, view: RefView) -> tuple[tuple[ObjectId, RepoPath | None], ...]:
        """Where the new commits of a ref hold a writer token: commit, and path or None for the message.

        A commit that several refs bring is looked at once.
        """
        return self.secrets_in(self._unseen(view.new))

    def secrets_in(self, commits: Iterable[ObjectId]) -> tuple[tuple[ObjectId, RepoPath | None], ...]:
        """Where some commits hold a writer token: commit, and path or None for the message."""
        found: list[tuple[ObjectId, RepoPath | None]] = []
        store = self.world.store
        for oid in commits:
            commit = store.commit(oid)
            if _holds_secret(commit.message):
                found.append((oid, None))
            before = store.commit(commit.parents[0]).tree if commit.parents else None
            for path, (_, entry) in sorted(self.world.delta(before, commit.tree).items()):
                if entry is not None and entry.is_file and self._blob_holds(entry.id):
                    found.append((oid, path))
        return tuple(found)

    def _unseen(self, tip: ObjectId | None) -> list[ObjectId]:
        """New commits that a tip reaches, and no ref before it reached, parents first."""
        if self._fresh is None:
            tips = (*self.olds, *((self.coordination_tip,) if self.coordination_tip else ()))
            known = {c for t in tips if (c := self._known(t)) is not None}
            news = {c for t in (*self.news, tip) if (c := self._known(t)) is not None}
            self._fresh = {oid: n for n, oid in enumerate(new_commits(self.world.store, news, known))}
        found: dict[ObjectId, int] = {}
        queue = [tip] if tip is not None else []
        while queue:
            oid = queue.pop()
            place = self._fresh.pop(oid, None)
            if place is not None:
                found[oid] = place
                queue.extend(self.world.store.commit(oid).parents)
        return sorted(found, key=found.__getitem__)

    def _blob_holds(self, oid: ObjectId) -> bool:
        if oid in self._seen or self._scanned > SECRET_SCAN_TOTAL:
            return False
        self._seen.add(oid)
        try:
            data = self.world.store.blob(oid, SECRET_SCAN_BYTES)
        except LimitExceeded:
            return False
        self._scanned += len(data)
        return _holds_secret(data)


def _holds_secret(data: bytes) -> bool:
    if SECRET_MARK not in data:
        return False
    from codifica_guard.identity.tokens import SECRET  # noqa: PLC0415 - only where the mark stands

    return SECRET.search(data) is not None


def ref_findings(refs: Refs, registry: Registry, view: RefView, now: int) -> Iterator[Finding]:
    """Findings about a ref update itself; none before there is a policy."""
    policy = refs.policy()
    if policy is None:
        return
    rooted = view.new is None or not view.judged or _rooted(refs, view)
    new = view.new
    view = replace(
        view,
        unrooted=not rooted,
        secrets=refs.secrets(view),
        policy=policy,
        maker=lambda: refs.maker(new, policy, now) if new is not None else None,
        states=lambda: refs.states(new, policy) if new is not None else (),
    )
    for rule in registry.under(policy, About.REF):
        for breach in rule.check(view):
            found = Finding(
                code=rule.code,
                name=rule.name,
                severity=breach.severity or rule.severity,
                found=breach.found,
                expected=breach.expected,
                do=breach.do,
                path=breach.path,
                commit=breach.commit,
                ref=view.name,
            )
            yield softened(found, policy, registry)


def _rooted(refs: Refs, view: RefView) -> bool:
    """Whether a tip descends from the introduction, where it has to: the coordination branch, and branches that did before."""
    world = refs.world
    bound = view.coordination or (view.old is not None and world.rooted(view.old))
    if not bound or view.new is None or world.introduction is None:
        return True
    if view.old is not None and not view.rewound and world.rooted(view.old):
        return True  # it descends from the old tip, which does
    return is_ancestor(world.store, world.introduction, view.new)
