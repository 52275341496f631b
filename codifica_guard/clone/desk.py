"""One clone, opened: its objects, its branches, the policy that counts, and the judge."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from codifica_guard.clone.program import canonical, git, settings
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.judge import Court, judge, judge_commit, judge_merged
from codifica_guard.engine.past import introduction_behind
from codifica_guard.engine.refs import HEADS, Refs
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.trust import Trust, introduction_findings
from codifica_guard.engine.world import World
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.git.config import COORDINATION, INTRODUCTION, Config, check_format, read_config
from codifica_guard.git.location import Location, discover, shallow_cuts, top_level
from codifica_guard.git.refs import head_branch, resolve
from codifica_guard.git.store import open_store
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.policy import Policy
from codifica_guard.model.push import Push, RefUpdate
from codifica_guard.packs.all import REGISTRY
from codifica_guard.packs.core import gt101
from codifica_guard.policy.cache import PolicyCache
from codifica_guard.rules.view import CommitView

REMOTE = "codifica.remote"

_ENDS_A_NAME: Final = re.compile(r"[~^:]|@\{")
"""Where the name of a ref ends in a revision."""

_HEX: Final = re.compile(r"[0-9a-f]{4,64}")
"""What may be an object id."""

Seen = Callable[[Expansion, CommitView], None]
"""What is given each judged commit, as `Court.seen` is."""

CUT = "history is cut here, so that cannot be told: git fetch --unshallow"


@dataclass(frozen=True)
class Desk:
    """A clone.

    Attributes:
        location: where it lies.
        folder: the work tree's root; the repository itself where it is bare.
        config: the repository's own settings.
        world: what the judge reads.
        cuts: commits whose parents a shallow clone left out; empty in a whole one.
        now: the clock, seconds since the epoch.
        start: the folder that it was opened from.
        standing: the commit that counts as checked out; None for the one that is.
        moment: where branches stand for the time being, whatever their refs say; None for one that is not there.
    """

    location: Location
    folder: bytes
    config: Config
    world: World
    now: int
    cuts: frozenset[ObjectId] = frozenset()
    start: bytes = b"."
    standing: ObjectId | None = None
    moment: Mapping[RefName, ObjectId | None] = field(default_factory=dict)

    # -- branches

    @cached_property
    def head(self) -> ObjectId | None:
        """The commit that is checked out; None on an unborn branch."""
        return self.standing or resolve(self.location, b"HEAD")[1]

    @cached_property
    def branch(self) -> RefName | None:
        """The branch that is checked out; None where HEAD is detached."""
        return head_branch(self.location)

    @cached_property
    def remote(self) -> str:
        """The remote that is worked with: `codifica.remote`, else `origin`, else the only one that there is."""
        only = self.remotes[0] if len(self.remotes) == 1 else "origin"
        return self.setting(REMOTE) or only

    @cached_property
    def _settings(self) -> Mapping[str, str]:
        return settings(self.folder)

    def setting(self, key: str) -> str | None:
        """A setting as Git sees it, the user's own files too; None where it is not set. All of them are read once a desk."""
        return self._settings.get(canonical(key))

    @property
    def remotes(self) -> tuple[str, ...]:
        """The remotes that the repository's own settings name, in their order."""
        keys = (key.removeprefix("remote.") for key in self.config.entries if key.startswith("remote."))
        return tuple(key.removesuffix(".url") for key in keys if key.endswith(".url"))

    @property
    def name(self) -> str:
        """A name for the repository, fit for a folder's: the last part of the remote's address, else the folder's name."""
        common = os.path.realpath(os.fsdecode(self.location.common_dir)).removesuffix("/.git")
        bare = self.config.flag("core.bare", default=False)  # a server's own, which may be a mirror of another
        address = (None if bare else self.config.get(f"remote.{self.remote}.url")) or common
        last = address.rstrip("/").replace("\\", "/").rpartition("/")[2].rpartition(":")[2]
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in last.removesuffix(".git"))
        return plain.strip(".") or "repository"

    def tracked(self, branch: RefName) -> ObjectId | None:
        """The remote's tip of a branch, as last fetched; where there is no such remote branch, the local tip."""
        if branch in self.moment:
            return self.moment[branch]
        name = branch[len(HEADS) :]
        tip = resolve(self.location, b"refs/remotes/" + os.fsencode(self.remote) + b"/" + name)[1]
        return tip if tip is not None else resolve(self.location, branch)[1]

    @cached_property
    def coordination(self) -> RefName:
        """The coordination branch: what the policy names, else what the remote's HEAD names, else `main`."""
        policy = self.policy
        if policy is not None and policy.guard.coordination_branch:
            return RefName(HEADS + policy.guard.coordination_branch.encode())
        ref, _ = resolve(self.location, b"refs/remotes/" + os.fsencode(self.remote) + b"/HEAD")
        mark = b"refs/remotes/" + os.fsencode(self.remote) + b"/"
        if ref.startswith(mark) and not ref.endswith(b"/HEAD"):
            return RefName(HEADS + ref[len(mark) :])
        return RefName(HEADS + b"main")

    # -- the policy

    @cached_property
    def policy(self) -> Policy | None:
        """The policy that counts here; None: the guard is idle.

        It is that of what is checked out, else of the branch that `codifica.coordination` names, else of the remote's main branch.
        """
        remote = b"refs/remotes/" + os.fsencode(self.remote)
        named = self.config.get(COORDINATION)
        # Not every clone has the remote's HEAD: one that began with `git init` has none.
        tips = (
            self.head,
            self.tracked(RefName(HEADS + os.fsencode(named))) if named else None,
            *(resolve(self.location, remote + name)[1] for name in (b"/HEAD", b"/main")),
        )
        for tip in tips:
            policy = self._policy_at(tip) if tip is not None else None
            if policy is not None:
                return policy
        return None

    def _policy_at(self, tip: ObjectId) -> Policy | None:
        if self.world.trust_ids(tip)[0] is None:
            return None
        if self.world.introduction is None:
            self.world.introduction = introduction_behind(self.world, tip)
        return self.world.policy(tip)

    def needs_policy(self) -> Policy:
        """The policy that counts here.

        Raises:
            UsageError: there is none.
        """
        policy = self.policy
        if policy is None:
            look = f"git fetch {self.remote}; if it has none either: " if self.remotes else ""
            raise UsageError(f"this repository has no policy yet: {look}git codifica init")
        return policy

    # -- the judge

    def court(self, base: ObjectId | None = None, seen: Seen | None = None) -> Court:
        """The judge, with the coordination branch as last fetched."""
        policy = self.policy  # finds the introduction where none is pinned
        tip = self.tracked(self.coordination)
        stand_in = tip if tip is not None and self.world.trust_ids(tip)[0] is not None else self.head
        refs = Refs(
            world=self.world,
            location=self.location,
            coordination=self.coordination,
            coordination_tip=tip,
            policy_tip=stand_in if policy is not None else None,
            olds=() if base is None else (base,),
            held=b"refs/remotes/" + os.fsencode(self.remote) + b"/",  # a clone's own branches are not the server's
        )
        trust = Trust(pinned=self.world.introduction)
        return Court(world=self.world, refs=refs, trust=trust, registry=REGISTRY, now=self.now, seen=seen)

    def judge_update(
        self, ref: RefName, old: ObjectId | None, new: ObjectId | None, seen: Seen | None = None
    ) -> Verdict:
        """What the server would say to a push that moves a ref; None for one that is not there before, or after."""
        update = RefUpdate(ref=ref, old=old, new=new)
        return self._told(judge(self.court(old, seen), Push(updates=(update,))))

    def judge_range(self, ref: RefName, old: ObjectId, new: ObjectId, seen: Seen | None = None) -> Verdict:
        """What the server would say to a range, pushed to a branch; to one that left the branch, once it is merged there."""
        judged = self.judge_update(ref, old, new, seen)
        rest = tuple(f for f in judged.findings if f.code != gt101.CODE)
        if len(rest) == len(judged.findings):
            return judged
        merged = judge_merged(self.court(old, seen), old, new)
        return self._told(Verdict(findings=tuple(dict.fromkeys((*rest, *merged.findings)))))

    def judge_one(self, commit: Commit) -> Verdict:
        """What the server would say to one commit right behind its parents."""
        if self.policy is None:
            return Verdict()
        if commit.id in self.cuts:
            raise RepositoryError(CUT)
        base = commit.parents[0] if commit.parents else None
        step = Segment(base=base, tip=commit.id, new=(commit.id,), with_base=frozenset({commit.id}))
        self.world.root((commit.id,))
        court = self.court(base)
        if commit.id == self.world.introduction:
            found = introduction_findings(
                court.trust, Expansion(self.world, commit, step, self.now), commit, court.registry
            )
        else:
            found = judge_commit(court, commit, step, None)
        return self._told(Verdict(findings=tuple(dict.fromkeys(found))))

    def _told(self, judged: Verdict) -> Verdict:
        """The verdict; nothing is said about a commit whose parents are not here.

        Raises:
            RepositoryError: a finding is about such a commit: it cannot be told whether it holds.
        """
        if any(finding.commit in self.cuts for finding in judged.findings):
            raise RepositoryError(CUT)
        return judged

    # -- git itself

    def git(
        self, *arguments: str | bytes, data: bytes | None = None, environ: Mapping[str, str] | None = None
    ) -> bytes:
        """Run git here."""
        if arguments[:1] == ("config",):
            self.__dict__.pop("_settings", None)
        return git(self.folder, *arguments, data=data, environ=environ)

    def commit_id(self, name: str) -> ObjectId:
        """The commit that a revision names; a branch before a tag of its name, which anybody may push.

        Raises:
            UsageError: it names none.
        """
        try:
            meant = f"{self._branch_first(name)}^{{commit}}"
            return ObjectId(self.git("rev-parse", "--verify", "--quiet", "--end-of-options", meant))
        except RepositoryError as error:
            raise UsageError(f"{name} names no commit here") from error

    def _branch_first(self, name: str) -> str:
        """A revision with its branch's full name, where it begins with one: Git itself would take the tag."""
        short = _ENDS_A_NAME.split(name, maxsplit=1)[0]
        for folder in (HEADS, b"refs/remotes/"):
            with suppress(RepositoryError):
                full = folder + os.fsencode(short)
                if not _HEX.fullmatch(short) and resolve(self.location, full)[1] is not None:
                    return os.fsdecode(full) + name[len(short) :]
        return name


@contextmanager
def open_desk(
    now: int, start: bytes = b".", environ: Mapping[bytes, bytes] | None = None, *, keep: bool = True
) -> Iterator[Desk]:
    """The clone that a folder belongs to.

    Args:
        now: the clock, seconds since the epoch.
        start: the folder.
        environ: the environment, where it is not the process's own.
        keep: whether checked policies are kept for the next call.

    Raises:
        RepositoryError: there is none, or it is of a format that is not known.
    """
    env = os.environb if environ is None else environ
    location = discover(start, env)
    config = read_config(location)
    pinned = config.get(INTRODUCTION)
    policies = os.path.join(location.common_dir, b"codifica-guard", b"policies")  # noqa: PTH118 - bytes
    cache = PolicyCache(policies, keep=keep)
    cuts = shallow_cuts(location)
    with open_store(location, check_format(config), cuts) as store:
        introduction = ObjectId(pinned.encode("ascii", "replace")) if pinned else None
        if introduction is not None and not store.has(introduction):
            introduction = (
                None  # a clone that was made anew, or pinned to what was never fetched: found in history instead
            )
        folder = top_level(start, env) or location.git_dir
        world = World(store, introduction, cache)
        yield Desk(location=location, folder=folder, config=config, world=world, now=now, cuts=cuts, start=start)
