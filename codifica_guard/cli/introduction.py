"""Who introduced the guard: what `install`, `doctor` and `init` say about a commit, from the commit itself."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from codifica_guard.engine.expand import Expansion, is_introduction
from codifica_guard.engine.past import introduction_behind
from codifica_guard.engine.refs import HEADS
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.trust import Trust, introduction_findings, introduction_view
from codifica_guard.engine.world import World
from codifica_guard.errors import LimitExceeded, PolicyError, RepositoryError, SignatureError, UsageError
from codifica_guard.git.config import COORDINATION, check_format, read_config
from codifica_guard.git.location import at
from codifica_guard.git.store import Store, open_store
from codifica_guard.identity.keys import fingerprint
from codifica_guard.install.repository import Repository, is_bare, open_bare, open_clone
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.model.policy import GUARD_FILE, Policy
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.plain import plain_words


def verify_introduction(repository: str, commit: str) -> str:
    """Who introduced the guard with a commit: `human:alice SHA256:...`, a maintainer that it names and who signed it.

    Dates of keys are held against the commit's own date: a key that was replaced later has introduced all the same.

    Args:
        repository: a bare repository, or a folder in a clone.
        commit: a name or id of the commit, abbreviated or not.

    Raises:
        UsageError: there is no such commit, or it introduces nothing.
        SignatureError: no maintainer of it signed it, or its policy cannot be taken.
    """
    with open_at(repository) as (found, store):
        oid = found.commit_id(commit)
        if oid is None:
            raise UsageError(f"{commit}: there is no such commit in {found.work_tree or found.git_dir}")
        return introducer(store, ObjectId(oid.encode("ascii")))


def policy_at_head(repository: str) -> Policy | None:
    """The policy that the tree of HEAD's commit holds; None where there is no policy, or no commit yet.

    Raises:
        GuardError: the repository cannot be read.
    """
    with open_at(repository) as (found, store):
        oid = found.commit_id("HEAD")
        return World(store, None).own_policy(ObjectId(oid.encode("ascii"))) if oid is not None else None


def ruling_policy(repository: str) -> Policy | None:
    """The policy that a server judges by: the coordination branch's, else HEAD's; None where neither has one that can be read.

    Raises:
        UsageError: there is no bare repository.
    """
    open_bare(repository)
    with open_at(repository) as (found, store):
        world, pinned = World(store, None), found.own(COORDINATION)
        for name in (f"{HEADS.decode()}{pinned}" if pinned else "HEAD", "HEAD"):
            oid = found.commit_id(name)
            with suppress(RepositoryError, PolicyError, LimitExceeded):
                policy = world.own_policy(ObjectId(oid.encode("ascii"))) if oid is not None else None
                if policy is not None:
                    return policy
    return None


@contextmanager
def open_at(path: str) -> Iterator[tuple[Repository, Store]]:
    """The repository at a path, bare or the one of a clone, and its objects.

    Raises:
        GuardError: there is none, or it cannot be read.
    """
    found = open_bare(path) if is_bare(path) else open_clone(path)
    location = at(os.fsencode(found.git_dir), {})
    with open_store(location, check_format(read_config(location))) as store:
        yield found, store


def introducer(store: Store, oid: ObjectId) -> str:
    """Who introduced the guard with a commit; raises as `verify_introduction`."""
    world, name = World(store, oid), short(oid)
    commit = store.commit(oid)
    if not is_introduction(world, commit):
        raise UsageError(_no_introduction(world, oid))
    expansion = _expansion(world, commit, commit.committer_time)
    view = introduction_view(expansion)
    if view is None or view.actor is None or view.attribution.key is None:
        told = "; ".join(problem.found for problem in view.attribution.problems) if view is not None else ""
        raise SignatureError(plain_words(f"{name} is not signed by anybody whom it lists{f': {told}' if told else ''}"))
    errors = Verdict(findings=tuple(introduction_findings(Trust(pinned=oid), expansion, commit, REGISTRY))).errors
    if errors:
        raise SignatureError(plain_words(f"{name} does not hold: {errors[0].code} {errors[0].found}"))
    return f"{view.actor} {fingerprint(view.attribution.key)}"


def judge_introduction(store: Store, commit: Commit) -> Verdict:
    """What a server that awaits the commit's own signer would say to it as the introduction, now."""
    world = World(store, commit.id)
    found = introduction_findings(
        Trust(pinned=commit.id), _expansion(world, commit, int(time.time())), commit, REGISTRY
    )
    return Verdict(findings=tuple(dict.fromkeys(found)))


def _expansion(world: World, commit: Commit, now: int) -> Expansion:
    base = commit.parents[0] if commit.parents else None
    step = Segment(base=base, tip=commit.id, new=(commit.id,), with_base=frozenset({commit.id}))
    return Expansion(world, commit, step, now)


def _no_introduction(world: World, oid: ObjectId) -> str:
    guard = GUARD_FILE.decode()
    if world.trust_ids(oid)[0] is None:
        return f"{short(oid)} has no {guard}: it introduces nothing"
    first = introduction_behind(world, oid)
    told = f"; {first[:12].decode()} brought it" if first is not None else ""
    return f"{short(oid)} is no introduction: a parent of it has {guard} already{told}"
