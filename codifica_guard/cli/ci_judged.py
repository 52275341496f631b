"""What the rules say to a proposal before it is merged, and to a push after it came in: under the policy that was there before."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from codifica_guard.cli.check_merge import Conflicts, conflicts_of, unprotected
from codifica_guard.clone.desk import Desk
from codifica_guard.engine.acts import acts
from codifica_guard.engine.expand import Expansion
from codifica_guard.git.changes import diff
from codifica_guard.git.history import merge_bases, new_commits
from codifica_guard.model.commit import SIGNATURE
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId, RefName, RepoPath, TaskId
from codifica_guard.model.value import replace
from codifica_guard.rules.view import CommitView
from codifica_guard.verbs.trial_merge import tried

WORKFLOWS: Final = (b".github/", b".gitea/", b".forgejo/", b".gitlab-ci", b".woodpecker", b"Jenkinsfile", b"action.y")
"""Beginnings of paths by which a repository tells a host what to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One commit that counts because somebody is proven to have made it.

    Attributes:
        tasks: the tasks that it changes; empty where it changes the policy only.
        trailers: whether signed trailers prove it, which a rebase leaves alone.
    """

    tasks: tuple[TaskId, ...]
    trailers: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What was found.

    Attributes:
        verdict: broken rules of the commits, and of their merge.
        commits: how many there are.
        protected: whether commits of the branch are judged at all.
        conflicts: what the merge would leave in conflict, so that its result cannot be judged.
        unrelated: whether the commits share no history with the branch.
        proofs: the commits that stand by a proof.
        policy: paths of the policy that are changed.
        workflows: paths that tell a host what to run, and are changed.
    """

    verdict: Verdict
    commits: int
    protected: bool = True
    conflicts: Conflicts = field(default_factory=dict)
    unrelated: bool = False
    proofs: tuple[Proof, ...] = ()
    policy: tuple[RepoPath, ...] = ()
    workflows: tuple[RepoPath, ...] = ()


class _Proofs:
    """Collects the proven commits that the judge sees."""

    def __init__(self) -> None:
        self.found: dict[ObjectId, Proof] = {}

    def see(self, expansion: Expansion, view: CommitView) -> None:
        if view.attribution.actor is None:
            return
        changed = (a.task for a in acts(expansion, view)) if view.is_merge else (c.id for c in view.changes)
        tasks = tuple(dict.fromkeys(changed))
        if tasks or view.trust:
            signed = bool(view.trailers.values(SIGNATURE))
            self.found[view.commit.id] = Proof(tasks=tasks, trailers=signed)


def judge_proposal(desk: Desk, ref: RefName, base: ObjectId, head: ObjectId) -> Judged:
    """What the rules say to commits that are to come to a branch, and to the merge that would bring them.

    Args:
        desk: the clone, with the branch's tip for what is checked out.
        ref: the branch.
        base: its tip.
        head: the newest of the commits.
    """
    store = desk.world.store
    commits = len(new_commits(store, (head,), (base,)))
    protected = not unprotected(desk, ref)
    proofs = _Proofs()
    judged = desk.judge_range(ref, base, head, proofs.see)
    conflicts: Conflicts = {}
    forks = merge_bases(store, base, head)
    if protected and forks and forks.isdisjoint({base, head}):
        with tried(desk, base, head) as merge:
            conflicts = conflicts_of(merge)
            if not conflicts:
                joined = merge.desk.judge_range(ref, base, merge.tip)
                judged = Verdict(findings=tuple(_once(judged.findings, joined.findings, merge.tip)))
    paths = _changed(desk, forks or {base}, head)
    return Judged(
        verdict=judged,
        commits=commits,
        protected=protected,
        conflicts=conflicts,
        unrelated=not forks,
        proofs=tuple(proofs.found.values()),
        policy=tuple(p for p in paths if desk.policy is not None and desk.policy.is_trust(p)),
        workflows=tuple(p for p in paths if p.startswith(WORKFLOWS)),
    )


def judge_push(desk: Desk, ref: RefName, old: ObjectId | None, new: ObjectId | None) -> Judged:
    """What the rules say to a push that came in; `desk` has the branches as they stood before."""
    store = desk.world.store
    known = (old or desk.tracked(desk.coordination),)
    commits = len(new_commits(store, _peeled(desk, (new,)), _peeled(desk, known)))
    return Judged(verdict=desk.judge_update(ref, old, new), commits=commits, protected=not unprotected(desk, ref))


def _peeled(desk: Desk, oids: Iterable[ObjectId | None]) -> tuple[ObjectId, ...]:
    """The commits that tips are, or that their tags name."""
    peeled = (desk.world.store.peel(oid) for oid in oids if oid is not None)
    return tuple(oid for kind, oid in peeled if kind == "commit")


def _once(first: tuple[Finding, ...], then: tuple[Finding, ...], merge: ObjectId) -> Iterator[Finding]:
    """The findings of both, each once; the merge that was tried has no name that anybody knows."""
    seen = set()
    for finding in (*first, *then):
        told = finding if finding.commit != merge else replace(finding, commit=None)
        about = (told.code, told.commit, told.task, told.path, told.line, told.ref)
        if about not in seen:
            seen.add(about)
            yield told


def _changed(desk: Desk, forks: Iterable[ObjectId], head: ObjectId) -> tuple[RepoPath, ...]:
    """Paths that differ between the newest commit and where it left the branch."""
    store = desk.world.store
    trees = {store.commit(oid).tree for oid in forks}
    return tuple(sorted({path for tree in trees for path in diff(store, tree, store.commit(head).tree)}))
