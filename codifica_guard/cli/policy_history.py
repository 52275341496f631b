"""Who changed which key of a policy file last, from the commits of the coordination branch and what their signatures prove."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from codifica_guard.clone.desk import Desk
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.segments import Segment
from codifica_guard.errors import GuardError, PolicyError
from codifica_guard.model.commit import Commit
from codifica_guard.model.ids import ObjectId, Principal, RepoPath
from codifica_guard.model.policy import Policy
from codifica_guard.policy.json_text import read_json
from codifica_guard.verbs.own_commit import file_at

Place = tuple[str, ...]
"""Keys from the outermost object inwards."""

_COMMITS: Final = 2_000
"""Commits that change one policy file and are looked at, the newest."""
ABSENT: Final = object()
"""Stands for what is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The commit that gave a key the value that it has.

    Attributes:
        commit: the commit.
        at: its time, seconds since the epoch: what its committer says.
        by: who is proven to have made it; None where nobody is.
        judged: whether there was a policy to judge it by.
    """

    commit: ObjectId
    at: int
    by: Principal | None
    judged: bool


def opened(value: Any) -> Any:
    """What a file says, with `rules` of `codifica.json` as an object where they are the mode alone."""
    if isinstance(value, dict) and isinstance(value.get("rules"), str):
        return {**value, "rules": {"mode": value["rules"]}}
    return value


def value_at(value: Any, place: Place) -> Any:
    """What stands at a place of a value; `ABSENT` where nothing does."""
    for key in place:
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


def last_changes(desk: Desk, tip: ObjectId, path: RepoPath, places: Iterable[Place]) -> Mapping[Place, Change]:
    """The places of a file whose last change is known; one that is absent, and was never there, has none.

    Args:
        desk: the clone.
        tip: the commit whose file it is.
        path: the file.
        places: what is asked for.
    """
    files = _Files(desk, path)
    now = files.value(tip)
    waiting = {place: value_at(now, place) for place in places}
    found: dict[Place, Change] = {}
    made: dict[ObjectId, Change] = {}
    for oid, parents in _line(desk, tip, path):
        if not waiting:
            break
        if oid in desk.cuts:
            continue  # what its parents had is not here
        value, before = files.value(oid), [files.value(parent) for parent in parents]
        for place, wanted in tuple(waiting.items()):
            if value_at(value, place) != wanted or any(value_at(old, place) == wanted for old in before):
                continue
            del waiting[place]
            if wanted is ABSENT and not before:
                continue
            if oid not in made:
                made[oid] = _change(desk, oid)
            found[place] = made[oid]
    return found


def _change(desk: Desk, oid: ObjectId) -> Change:
    commit = desk.world.store.commit(oid)
    policy = _policy_for(desk, commit)
    by = None if policy is None else _signer(desk, commit, policy)
    return Change(commit=oid, at=commit.committer_time, by=by, judged=policy is not None)


def _signer(desk: Desk, commit: Commit, policy: Policy) -> Principal | None:
    """Who is proven to have made a commit, by its own time; None for nobody."""
    base = commit.parents[0] if commit.parents else None
    step = Segment(base=base, tip=commit.id, new=(commit.id,), with_base=frozenset({commit.id}))
    try:
        # A key that has run out since was good when it signed.
        expansion = Expansion(desk.world, commit, step, commit.committer_time)
        return expansion.attribution(policy, policy.revoked.__contains__).actor
    except GuardError:
        return None


def _policy_for(desk: Desk, commit: Commit) -> Policy | None:
    world = desk.world
    if commit.id == world.introduction:
        return world.own_policy(commit.id)
    # A commit without a policy is asked for no ancestors: those of them that lie before the introduction are many.
    with_policy = (parent for parent in commit.parents if world.trust_ids(parent)[0] is not None)
    return next((found for parent in with_policy if (found := world.policy(parent)) is not None), None)


class _Files:
    """The values of one file in several commits, each text read once."""

    def __init__(self, desk: Desk, path: RepoPath) -> None:
        self._desk, self._path = desk, path
        self._read: dict[bytes, Any] = {}

    def value(self, oid: ObjectId) -> Any:
        """What the file says in a commit; a file that is not there, or cannot be read, says nothing."""
        try:
            data = file_at(self._desk, oid, self._path)
        except GuardError:
            data = None
        if data is None:
            return {}
        if data not in self._read:
            try:
                self._read[data] = opened(read_json(data).value)
            except PolicyError:
                self._read[data] = {}
        return self._read[data]


def _line(desk: Desk, tip: ObjectId, path: RepoPath) -> Iterator[tuple[ObjectId, tuple[ObjectId, ...]]]:
    """The commits that made a file what it is, newest first, with those of them that they stand on."""
    told = desk.git(
        "--no-replace-objects", "--literal-pathspecs", "rev-list", "--topo-order", "--parents", f"--max-count={_COMMITS}",
        tip, "--", path,
    )  # fmt: skip
    for row in told.splitlines():
        oid, *parents = (ObjectId(name) for name in row.split())
        yield oid, tuple(parents)
