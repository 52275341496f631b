"""What is audited: a repository, and where it keeps the branches of the server."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from codifica_guard.audit.vault import state_home
from codifica_guard.engine.refs import HEADS
from codifica_guard.engine.world import World
from codifica_guard.git.config import COORDINATION, Config, check_format, read_config
from codifica_guard.git.location import Location, discover, shallow_cuts
from codifica_guard.git.refs import head_branch, names, resolve
from codifica_guard.git.store import open_store
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.value import value
from codifica_guard.policy.cache import PolicyCache

REMOTE: Final = "codifica.remote"
FOLDER: Final = b"codifica-guard"


@value
class Source:
    """One repository, opened for an audit.

    Attributes:
        location: where it lies.
        config: its own settings.
        world: what is read; its introduction is whatever the last audit stood on.
        heads: below which folder the server's branches lie: `refs/heads/` on the server, `refs/remotes/NAME/` in a clone.
        remote: the remote's name; None where there is none, or where the repository is the server's.
        cuts: commits whose parents a shallow clone left out; empty in a whole one.
        state: the auditor's own folder, in which what makes the cache his lies; None where he has none.
    """

    location: Location
    config: Config
    world: World
    heads: bytes
    remote: str | None = None
    cuts: frozenset[ObjectId] = frozenset()
    state: bytes | None = None

    @property
    def complete(self) -> bool:
        """Whether all branches of the server are here, so that one that is not here is not there either."""
        if self.remote is None:
            return True
        wanted = self.config.get_all(f"remote.{self.remote}.fetch")
        return any(spec.removeprefix("+").startswith("refs/heads/*:") for spec in wanted)

    def tip(self, ref: RefName) -> ObjectId | None:
        """Where a branch of the server ends, as far as is known here; None where it is not there."""
        return resolve(self.location, self.heads + ref[len(HEADS) :])[1]

    def branches(self) -> tuple[RefName, ...]:
        """The server's branches that are here, by the names that they have there, sorted."""
        found = (name[len(self.heads) :] for name in names(self.location, self.heads))
        return tuple(sorted(RefName(HEADS + name) for name in found if self.remote is None or name != b"HEAD"))

    def head(self) -> RefName | None:
        """The branch that HEAD names on the server, as far as is known here."""
        if self.remote is None:
            return head_branch(self.location)
        ref = resolve(self.location, self.heads + b"HEAD")[0]
        name = ref[len(self.heads) :]
        return RefName(HEADS + name) if ref.startswith(self.heads) and name != b"HEAD" else None

    def coordination(self) -> RefName:
        """The coordination branch: what the settings name, else what the policy of HEAD's branch names, else that branch, else main."""
        pinned = self.config.get(COORDINATION)
        if pinned:
            return RefName(HEADS + os.fsencode(pinned))
        head = self.head() or RefName(HEADS + b"main")
        tip = self.tip(head)
        return (self.named_by(tip) if tip is not None else None) or head

    def named_by(self, commit: ObjectId) -> RefName | None:
        """The coordination branch that a commit's policy names; None where none does, or where the settings have a say."""
        policy = self.world.own_policy(commit)
        if self.config.get(COORDINATION) or policy is None or not policy.guard.coordination_branch:
            return None
        return RefName(HEADS + policy.guard.coordination_branch.encode())


@contextmanager
def open_source(
    start: bytes = b".", environ: Mapping[bytes, bytes] | None = None, *, keep: bool = True
) -> Iterator[Source]:
    """The repository that a folder belongs to, ready to be audited.

    Args:
        start: the folder: a clone's, or a server's bare repository.
        environ: the environment, where it is not the process's own.
        keep: whether checked policies are kept for the next call.

    Raises:
        RepositoryError: there is none, or it is of a format that is not known.
    """
    env = os.environb if environ is None else environ
    location = discover(start, env)
    config = read_config(location)
    cuts = shallow_cuts(location)
    state = state_home(env)
    # Not the repository's own: whoever hands a clone over could have put other people's keys there.
    folder = os.path.join(state, FOLDER, b"policies") if state is not None else None  # noqa: PTH118 - bytes
    policies = PolicyCache(folder, keep=keep) if folder is not None else None
    with open_store(location, check_format(config), cuts, hashed=True) as store:
        remote = _remote(config)
        heads = HEADS if remote is None else b"refs/remotes/" + os.fsencode(remote) + b"/"
        if remote is not None and next(iter(names(location, heads)), None) is None:
            remote, heads = None, HEADS  # nothing was ever fetched from there
        world = World(store, None, policies)
        yield Source(
            location=location,
            config=config,
            world=world,
            heads=heads,
            remote=remote,
            cuts=cuts,
            state=state,
        )


def _remote(config: Config) -> str | None:
    """The remote whose branches are the server's: none in a bare repository, which has them itself."""
    keys = (key.removeprefix("remote.") for key in config.entries if key.startswith("remote."))
    remotes = tuple(key.removesuffix(".url") for key in keys if key.endswith(".url"))
    if config.flag("core.bare", default=False) or not remotes:
        return None
    named = config.get(REMOTE)
    if named in remotes:
        return named
    return remotes[0] if len(remotes) == 1 else "origin"
