"""From a commit to what rules are given: its parents, its changes, its actor, under one policy."""

from collections.abc import Callable, Iterable, Mapping

from codifica_guard.engine.difference import Difference
from codifica_guard.engine.facts import Facts, changed_sides, deed_of
from codifica_guard.engine.past import last_change
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.world import StateFiles, World, state_files
from codifica_guard.errors import SignatureError
from codifica_guard.model.commit import WRITER, Commit
from codifica_guard.model.identity import Attribution
from codifica_guard.model.ids import KeyBlob, ObjectId, Principal, RepoPath, TaskId
from codifica_guard.model.policy import TRUST_FOLDER, Policy
from codifica_guard.model.value import replace
from codifica_guard.rules.snapshot import EMPTY, Snapshot
from codifica_guard.rules.view import CommitView, MergeItem, MergeView, TaskChange

SHOWN_BACK = 100
"""Commits that are looked at only to name the one that last changed a task."""


class Expansion:
    """One commit of one step, made ready to be judged under any number of policies."""

    def __init__(
        self, world: World, commit: Commit, segment: Segment, now: int, *, beside: ObjectId | None = None
    ) -> None:
        """Read what does not depend on a policy.

        Args:
            world: what is read.
            commit: the commit.
            segment: the step it belongs to.
            now: the clock, seconds since the epoch.
            beside: on a branch other than the coordination branch, that one's tip before the push.
        """
        self._world = world
        self._commit = commit
        self._segment = segment
        self._now = now
        self._beside = beside
        self._sides = changed_sides(world, commit.parents, commit.tree)
        self._trailers = world.trailers(commit)
        self._facts = Facts(world, deed_of(commit), self._trailers, lambda: world.own_policy(commit.id))
        self._decided: dict[tuple[bytes | None, ...], tuple[MergeItem, ...]] = {}

    def own_policy(self) -> Policy | None:
        """The policy in the commit's own tree."""
        return self._world.own_policy(self._commit.id)

    def attribution(self, policy: Policy, revoked: Callable[[KeyBlob], bool]) -> Attribution:
        """Who made the commit, under a policy."""
        if self._commit.signature is None and not self._trailers.all:
            return Attribution(fresh=self._commit.author == self._commit.committer)  # nobody says anything
        from codifica_guard.identity.attribute import attribute  # noqa: PLC0415 - cryptography only where a signature is

        return attribute(self._commit, self._trailers, self._facts.payload, policy, self._now, revoked)

    def view(self, policy: Policy, attribution: Attribution, *, introduces: bool = False) -> CommitView:
        """The commit as rules see it."""
        world, commit = self._world, self._commit
        files = state_files((policy,))
        parents = tuple(world.snapshot(world.store.commit(p).tree, files) for p in commit.parents)
        after = world.snapshot(commit.tree, files)
        merge = len(parents) > 1
        before = EMPTY if merge or not parents else parents[0]
        paths = {
            p: (s[0] if len(s) > 1 else None, s[-1])
            for p, s in self._sides.items()
            if p not in files and s[-1] not in s[:-1]
        }
        trust = tuple(sorted(p for p in paths if policy.is_trust(p)))
        differences = {} if merge else self._differences(before, after, files)
        # A trust file that moved changes the policy of the tree, whichever path of it did.
        changed = any(p.startswith(TRUST_FOLDER) or p in trust for p in self._sides)
        view = CommitView(
            commit=commit,
            trailers=self._trailers,
            attribution=attribution,
            policy=policy,
            own_policy=world.own_policy(commit.id) if changed or introduces else None,
            introduces=introduces,
            empty=not self._sides,
            parents=parents,
            before=before,
            after=after,
            changes=() if merge else _changes(before, after, differences.values()),
            now=self._now,
            paths=paths,
            trust=trust,
            beside=self._beside is not None,
            base=self._base_state(policy),
            exists=lambda path, other: world.exists(other or commit.id, path),
            silent_since=self._silent_since(policy),
            written_in=self._written_in(policy),
            proves_writer=self._proves_writer(attribution),
        )
        return view if merge else self._with_surroundings(view, differences)

    def merge(self, view: CommitView) -> MergeView:
        """What a merge decided; asked again under the same policy, the same."""
        from codifica_guard.engine.merging import Merging  # noqa: PLC0415 - most pushes have no merge

        decided = self._decided.get(view.policy.key)
        if decided is None:
            merging = Merging(self._world, self._commit, view.policy, state_files((view.policy,)), self._sides)
            decided = self._decided[view.policy.key] = merging.decided()
        return MergeView(commit=view, decided=decided)

    def _differences(self, before: Snapshot, after: Snapshot, files: StateFiles) -> dict[RepoPath, Difference]:
        """How each changed state document differs, by path."""
        paths = sorted(p for p in self._sides if p in files)
        return {p: self._world.difference(p, before.entries.get(p), after.entries.get(p)) for p in paths}

    def _with_surroundings(self, view: CommitView, differences: Mapping[RepoPath, Difference]) -> CommitView:
        """The view, with what happened to documents around their tasks."""
        old, new = view.before, view.after
        both = [p for p in differences if p in old.documents and p in new.documents]
        frames = tuple(p for p in both if old.documents[p].frame != new.documents[p].frame)
        moved = {p: differences[p].refenced for p in both}
        return replace(
            view,
            frames=frames,
            # A task behind a heading of its own says what the heading says: to go to another fence is a change of order too.
            reordered=tuple(
                p
                for p in both
                if differences[p].swapped or (moved[p] is None and p not in frames and differences[p].moved)
            ),
            refenced=tuple(name for name in moved.values() if name is not None),
            born=tuple(p for p in differences if p not in old.documents and p in new.documents),
            gone=tuple(p for p in differences if p in old.documents and p not in new.documents),
            touched=tuple(
                p
                for p in both
                if not (old.documents[p].splittable and new.documents[p].splittable)
                or old.entries[p].mode != new.entries[p].mode
            ),
        )

    # -- what rules may ask for

    def _base_state(self, policy: Policy) -> Snapshot | None:
        base = self._segment.base
        if base is None or self._commit.id in self._segment.with_base:
            return None
        return self._world.snapshot(self._world.store.commit(base).tree, state_files((policy,)))

    def _silent_since(self, policy: Policy) -> Callable[[TaskId, int], int | None]:
        def since(task: TaskId, back: int) -> int | None:
            older = self._now - back
            parents = self._commit.parents
            found = last_change(self._world, parents[0], state_files((policy,)), task, older=older) if parents else None
            return self._world.store.commit(found).committer_time if found is not None else None

        return since

    def _written_in(self, policy: Policy) -> Callable[[TaskId], ObjectId | None]:
        def written(task: TaskId) -> ObjectId | None:
            start = self._segment.base
            if self._commit.id in self._segment.with_base or start is None:
                start = self._commit.parents[0] if self._commit.parents else None
            return (
                last_change(self._world, start, state_files((policy,)), task, most=SHOWN_BACK)
                if start is not None
                else None
            )

        return written

    def _proves_writer(self, attribution: Attribution) -> Callable[[str], bool]:
        def proves(line: str) -> bool:
            from codifica_guard.identity.tokens import check_writer  # noqa: PLC0415 - cryptography only where a token is

            values = self._trailers.values(WRITER)
            try:
                check_writer(values, self._facts.payload(attribution.actor or Principal("-")), line)
            except SignatureError:
                return False
            return True

        return proves


def _changes(before: Snapshot, after: Snapshot, differences: Iterable[Difference]) -> tuple[TaskChange, ...]:
    """Tasks that differ, by place; an id that stands several times is paired in order."""
    changes: list[TaskChange] = []
    for name in sorted({name for d in differences for name in d.ids}):
        first, second = before.records.get(name, ()), after.records.get(name, ())
        for number in range(max(len(first), len(second))):
            was = first[number] if number < len(first) else None
            now = second[number] if number < len(second) else None
            if was is None or now is None or (was.raw, was.path) != (now.raw, now.path):
                changes.append(TaskChange(id=name, before=was, after=now))
    return tuple(sorted(changes, key=lambda c: (c.place.path, c.place.line) if c.place else (b"", 0)))


def is_introduction(world: World, commit: Commit) -> bool:
    """Whether a commit has a guard.json that none of its parents has."""
    return world.trust_ids(commit.id)[0] is not None and all(world.trust_ids(p)[0] is None for p in commit.parents)
