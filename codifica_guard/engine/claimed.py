"""Who acted, by what a commit itself says where nobody signs: read, weighed, and never proven."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from codifica_guard.model.commit import ACTOR, Commit, Trailers
from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, TaskId, is_agent, is_human
from codifica_guard.model.value import value
from codifica_guard.packs.codifica.history import review
from codifica_guard.packs.codifica.vocabulary import TABLE, UNASSIGNED, Who
from codifica_guard.rules.view import TaskChange

Source = Literal["transition", "note", "review", "owner", "trailer", "author", "unnamed author"]
"""What names somebody: the task's new transition, note or review; its owner; the trailer `Codifica-Actor`; the author line, of
somebody whom some task names, or whom none does."""

HANDED_IN: Final = ("to_be_tested", "done")
"""States that work leads to."""

_NAMED: Final = re.compile(rb"\b(?:agent|human):[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LONGEST: Final = 100
"""Characters of a name that is taken for one."""

_BOT: Final = "[bot]"
"""How forges mark the author line of a program."""


@value(kw_only=False)
class Claimed:
    """Somebody who is said to have acted, and what says so."""

    actor: Principal
    source: Source


class Cast:
    """The principals that tasks name: whom an author line, or a name without `agent:` and `human:`, means by them."""

    def __init__(self) -> None:
        """Nobody is known yet."""
        self._known: dict[str, Principal] = {}

    def learn(self, text: bytes) -> None:
        """Take in every principal that a text names, such as a task's block."""
        for name in _NAMED.findall(text):
            principal = Principal(name.decode("ascii").rstrip(".-"))
            self._known.setdefault(principal.lower(), principal)

    def named(self, word: str) -> Principal | None:
        """The human, else the agent, of a name that some task has; its case does not count."""
        return self._known.get(f"human:{word.lower()}") or self._known.get(f"agent:{word.lower()}")

    def of_author(self, line: bytes) -> Claimed:
        """Whom an author line means: by name, by the mail address before its `@`, by the first name alone.

        Whom no task names is a person of that name, or an agent where the line says `[bot]`.
        """
        name, _, mail = line.decode("utf-8", "replace").partition("<")
        program = name.strip().endswith(_BOT)
        name = name.strip().removesuffix(_BOT)
        local = mail.partition("@")[0].rpartition("+")[2].removesuffix(_BOT)
        words = [word for word in (_slug(name), _slug(local), _slug(name.split(" ")[0])) if word]
        for word in words:
            found = self.named(word)
            if found is not None:
                return Claimed(found, "author")
        return Claimed(
            Principal(f"{'agent' if program else 'human'}:{words[0] if words else 'nobody'}"), "unnamed author"
        )


@value
class Acting:
    """Who is said to have made one commit.

    Attributes:
        commit: who made it as a whole: its files, and the text around tasks.
        tasks: who changed each task.
    """

    commit: Claimed
    tasks: Mapping[TaskId, Claimed]

    def all(self) -> tuple[Claimed, ...]:
        """Everybody, once; who made the commit first."""
        every: dict[Principal, Claimed] = {}
        for claimed in (self.commit, *self.tasks.values()):
            every.setdefault(claimed.actor, claimed)
        return tuple(every.values())


def acting(commit: Commit, trailers: Trailers, changes: Sequence[TaskChange], cast: Cast) -> Acting:
    """Who is said to have made a commit, and changed each of its tasks.

    A task's own new entries say it first: the transition to the state that it is in now, else the newest one, a note, a review;
    then the new owner of a claim. Else it is who made the commit: whom `Codifica-Actor` names, else whom the entries of its
    other tasks name, else the author if some task names him. Where nobody is named, work that is handed in is its owner's, a
    task that an agent works on is changed by that agent, and everything else is the author's.

    Args:
        commit: the commit.
        trailers: those of its message.
        changes: what it did to tasks; none for a merge.
        cast: the principals that tasks name.
    """
    author = cast.of_author(commit.author)
    own = {change.id: found for change in changes if (found := _of_change(change, author.actor, cast)) is not None}
    stated = _trailer(trailers)
    handed_in = {change.id: found for change in changes if (found := _of_owner(change)) is not None}
    maker = stated or _shared(own.values(), author)
    if maker is None and author.source == "author":
        maker = author
    inferred = handed_in if maker is None else {}
    worked = {c.id: found for c in changes if maker is None and (found := _of_worker(c)) is not None}
    maker = maker or next(iter(inferred.values()), author)
    tasks = {c.id: own.get(c.id) or inferred.get(c.id) or worked.get(c.id) or maker for c in changes}
    return Acting(commit=maker, tasks=tasks)


def _shared(own: Iterable[Claimed], author: Claimed) -> Claimed | None:
    """Whom the tasks of a commit name: where those are several, the author if he is one of them, else the first."""
    every: dict[Principal, Claimed] = {}
    for claimed in own:
        every.setdefault(claimed.actor, claimed)
    return every.get(author.actor) or next(iter(every.values()), None)


def _trailer(trailers: Trailers) -> Claimed | None:
    named = [v.decode("utf-8", "replace").strip() for v in trailers.values(ACTOR)]
    found = _principal(named[0]) if len(named) == 1 else None
    return Claimed(found, "trailer") if found is not None else None


def _of_change(change: TaskChange, author: Principal, cast: Cast) -> Claimed | None:
    """Whom a task's own change names."""
    task = change.new
    if task is None:
        return None

    def means(name: object) -> Principal | None:
        return _meant(name, task.owner, author, cast)

    moves = change.new_entries("state_transitions")
    fitting = [entry for entry in moves if entry.get("to") == task.state] or moves
    notes = change.new_entries("execution_notes")
    reviewed = change.born or change.changed("human_review")
    said: tuple[tuple[Source, object], ...] = (
        ("transition", fitting[-1].get("by") if fitting else None),
        ("note", notes[-1].get("by") if notes else None),
        ("review", review(task).get("reviewer") if reviewed else None),
        ("owner", task.owner if _starts(change, task) else None),
    )
    return next((Claimed(who, source) for source, name in said if (who := means(name)) is not None), None)


def _starts(change: TaskChange, task: Task) -> bool:
    """Whether a task came into somebody's hands."""
    held = task.state == "in_progress" and task.owner not in {None, "", UNASSIGNED}
    return held and (change.is_claim or change.changed("owner"))


def _of_owner(change: TaskChange) -> Claimed | None:
    """The owner of a task that went where its owner's work leads, by the protocol's table or past it."""
    pair, move = change.both, change.transition
    if pair is None or move is None or move[1] not in HANDED_IN or TABLE.get(move, Who.OWNER) is not Who.OWNER:
        return None
    owner = next((_principal(t.owner) for t in (pair[0], pair[1]) if _principal(t.owner) is not None), None)
    return Claimed(owner, "owner") if owner is not None else None


def _of_worker(change: TaskChange) -> Claimed | None:
    """The agent that works on a task: one that commits under the name of whoever started it is named by no author line."""
    pair = change.both
    if pair is None or change.transition is not None or pair[0].state != "in_progress":
        return None
    owner = _principal(pair[0].owner)
    return Claimed(owner, "owner") if owner is not None and is_agent(owner) else None


def _meant(name: object, owner: str | None, author: Principal, cast: Cast) -> Principal | None:
    """The principal of a name in a task: as it is written, or what `human`, `agent` and a name alone mean there."""
    if not isinstance(name, str):
        return None
    word = name.strip()
    if word in {"human", "agent"}:
        fits = is_human if word == "human" else is_agent
        likely = (_principal(owner), author, Principal(f"{word}:{author.partition(':')[2]}"))
        return next(principal for principal in likely if fits(principal))
    if ":" in word or word == UNASSIGNED or not _fit(word):
        return _principal(word)
    return cast.named(word) or Principal(f"human:{word}")


def _principal(text: str | None) -> Principal | None:
    """A principal as it is written; None for what is none."""
    kind, _, name = (text or "").strip().partition(":")
    return Principal(f"{kind}:{name}") if kind in {"human", "agent"} and _fit(name) else None


def _fit(word: str) -> bool:
    return bool(word.strip()) and len(word) <= _LONGEST and word.isprintable()


def _slug(text: str) -> str:
    """A name in the form that principals have: small letters, digits, dots and hyphens."""
    return re.sub(r"[^a-z0-9._-]+", "-", text.strip().lower())[:64].strip("-._")
