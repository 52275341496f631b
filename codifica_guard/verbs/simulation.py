"""A replay of a branch's history: which commits, from when to when, and what it came to."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.engine.replay import Replay, Replayed, Told
from codifica_guard.engine.unsigned import Claims
from codifica_guard.engine.world import state_files
from codifica_guard.errors import LimitExceeded, RepositoryError, UsageError
from codifica_guard.git.refs import resolve
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, RefName, TaskId, short
from codifica_guard.model.times import parse_time
from codifica_guard.report.plain import plain
from codifica_guard.verbs.ages import DAY, parse_span
from codifica_guard.verbs.stopped import CANNOT_TELL, Stopped

UNSHALLOW: Final = "git fetch --unshallow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked for.

    Attributes:
        text: the branch or range, as people read it.
        tip: where it ends.
        known: what this commit reaches is left out; None for the whole history.
        since, until: times of commits, seconds since the epoch; None where open.
        task: the one task whose findings are told; None for all.
        actor: the one actor whose findings are told, with or without `agent:`; None for all.
    """

    text: str
    tip: ObjectId
    known: ObjectId | None = None
    since: float | None = None
    until: float | None = None
    task: str | None = None
    actor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What a replay came to.

    Attributes:
        wanted: what was asked for.
        commits: how many commits were looked at.
        judged: how many of them have a `codifica.json` to be judged by.
        first: the first of them that brings one, and is taken as it is; None where there is none among them.
        told: the broken rules, in the order of history.
        blind: commits behind a `codifica.json` that cannot be read: nothing of them is judged.
        failed: commits that could not be judged, and why.
        unknown: tasks and documents that could not be read for a while, and how many changes of them say nothing for that.
    """

    wanted: Wanted
    commits: int
    judged: int
    first: Commit | None
    told: tuple[Told, ...]
    blind: tuple[ObjectId, ...]
    failed: tuple[tuple[ObjectId, str], ...]
    unknown: dict[str, int]

    @property
    def refused(self) -> tuple[Told, ...]:
        """The findings that would have refused a commit."""
        return tuple(told for told in self.told if told.finding.severity is Severity.ERROR)

    @property
    def only_told(self) -> tuple[Told, ...]:
        """The findings that would have been told, and no more."""
        return tuple(told for told in self.told if told.finding.severity is not Severity.ERROR)

    @property
    def doubtful(self) -> bool:
        """Whether some commits could not be judged."""
        return bool(self.blind or self.failed)


def scope(desk: Desk, text: str | None) -> tuple[str, ObjectId, ObjectId | None]:
    """What a branch or range means, without one what is checked out: its name, its tip, and what is left out.

    Raises:
        UsageError: it names no commit, or is a symmetric difference.
    """
    if text is None:
        if desk.head is None:
            raise UsageError("there is no commit on this branch yet: name another one")
        return _short_name(desk), desk.head, None
    if "..." in text:
        raise UsageError(f"{text}: give A..B; A...B is no range of a history")
    first, dots, second = text.partition("..")
    if not dots:
        return text, _commit(desk, text), None
    return text, _commit(desk, second or "HEAD"), _commit(desk, first or "HEAD")


def _commit(desk: Desk, name: str) -> ObjectId:
    """The commit that a name means; a branch's also where git itself does not like the repository's owner."""
    try:
        return desk.commit_id(name)
    except UsageError:
        for prefix in (b"", b"refs/heads/", b"refs/remotes/"):
            with suppress(RepositoryError):
                tip = resolve(desk.location, RefName(prefix + os.fsencode(name)))[1]
                if tip is not None:
                    return desk.world.store.commit(tip).id
        raise


def _short_name(desk: Desk) -> str:
    return (desk.branch or b"HEAD").decode("utf-8", "backslashreplace").removeprefix("refs/heads/")


def moment(text: str, now: int, *, end: bool = False) -> float:
    """A time: a date, a time of RFC 3339, or how long ago (`7d`); of a date the beginning, or its end, in UTC.

    Raises:
        UsageError: it is none of these.
    """
    whole = parse_time(text.strip())
    if whole is not None:
        return whole
    try:
        day = datetime.strptime(text.strip(), "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        pass
    else:
        return day + DAY - 1 if end else day
    try:
        return now - parse_span(text)
    except UsageError as error:
        wrong = f"{plain(text)} is no time: a date such as 2026-12-01, or a span such as 7d"
        raise UsageError(wrong) from error


def simulate(desk: Desk, wanted: Wanted, seen: Callable[[int, int], None] = lambda _, __: None) -> Simulation:
    """Replay, and count; nothing is written anywhere.

    Args:
        desk: the repository; its own policy plays no part.
        wanted: what is asked for.
        seen: is told after each commit how many there were, and of how many.

    Raises:
        UsageError: no `codifica.json` was ever there; or no commit knows the task or actor.
        Stopped: the history is cut, so that it cannot be told.
    """
    world = Claims(desk.world.store)
    try:
        replay = Replay(world, wanted.tip, wanted.known)
    except LimitExceeded as error:
        raise LimitExceeded(f"{error}: name a range of them, A..B") from error
    _check_whole(desk, replay, wanted)
    tally = _Tally(world)
    for number, one in enumerate(replay.run(wanted.since, wanted.until), 1):
        tally.add(one)
        seen(number, len(replay.commits))
    if not tally.judged and tally.first is None and world.own_policy(wanted.tip) is None:
        raise UsageError(f"no commit of {plain(wanted.text)} has a codifica.json: there are no rules to judge it by")
    tally.check(wanted, world)
    return tally.result(wanted)


def _check_whole(desk: Desk, replay: Replay, wanted: Wanted) -> None:
    """Raise where a shallow clone has not what the answer needs: a commit's parents, or what two sides of a merge come from."""
    if not desk.cuts:
        return
    for oid in replay.commits:
        commit = desk.world.store.commit(oid)
        inside = (wanted.since is None or commit.committer_time >= wanted.since) and (
            wanted.until is None or commit.committer_time <= wanted.until
        )
        if inside and (oid in desk.cuts or len(commit.parents) > 1):
            what = "history is cut there" if oid in desk.cuts else "it is a merge of sides that are cut off"
            text = f"cannot tell: {short(oid)} cannot be judged, {what} in this shallow clone: {UNSHALLOW}"
            raise Stopped(text, exit=CANNOT_TELL, next=(UNSHALLOW,))


def counted(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Names and how often they come, the most frequent first."""
    return tuple(sorted(Counter(names).items(), key=lambda row: (-row[1], row[0])))


def _is(actor: str, name: str) -> bool:
    """Whether a principal is meant by a name, with or without its kind."""
    return actor == name or actor.partition(":")[2] == name


class _Tally:
    """What a replay has come to so far."""

    def __init__(self, world: Claims) -> None:
        self._world = world
        self.commits = self.judged = 0
        self.first: Commit | None = None
        self._told: list[Told] = []
        self._blind: list[ObjectId] = []
        self._failed: list[tuple[ObjectId, str]] = []
        self._unknown: dict[str, int] = {}
        self._tasks: set[str] = set()
        self._actors: set[str] = set()

    def add(self, one: Replayed) -> None:
        self.commits += 1
        self.judged += one.judged
        if not one.judged and self.first is None and self._world.own_policy(one.commit.id) is not None:
            self.first = one.commit
        if one.blind:
            self._blind.append(one.commit.id)
        if one.failed is not None:
            self._failed.append((one.commit.id, one.failed))
        self._told += one.told
        for name in one.unknown:
            self._unknown[name] = self._unknown.get(name, 0) + 1
        if one.acting is not None:
            self._tasks.update(one.acting.tasks)
            self._actors.update(claimed.actor for claimed in one.acting.all())

    def check(self, wanted: Wanted, world: Claims) -> None:
        """Raise where a filter names what no commit knows: an empty answer would look like a good one."""
        policy = world.own_policy(wanted.tip)
        tip = world.snapshot(world.store.commit(wanted.tip).tree, state_files((policy,) if policy is not None else ()))
        if wanted.task is not None and wanted.task not in self._tasks and not tip.records.get(TaskId(wanted.task)):
            raise UsageError(f"no commit of {plain(wanted.text)} that was judged knows a task {plain(wanted.task)}")
        if wanted.actor is not None and not any(_is(actor, wanted.actor) for actor in self._actors):
            known = ", ".join(plain(actor) for actor in sorted(self._actors)[:10]) or "nobody"
            raise UsageError(f"no commit that was judged is said to be {plain(wanted.actor)}'s; there are: {known}")

    def result(self, wanted: Wanted) -> Simulation:
        told = tuple(
            told
            for told in self._told
            if (wanted.task is None or told.finding.task == wanted.task)
            and (wanted.actor is None or _is(told.finding.actor or "", wanted.actor))
        )
        return Simulation(
            wanted=wanted,
            commits=self.commits,
            judged=self.judged,
            first=self.first,
            told=told,
            blind=tuple(self._blind),
            failed=tuple(self._failed),
            unknown=self._unknown,
        )
