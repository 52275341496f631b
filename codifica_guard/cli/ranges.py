"""Which commits a command is about, where people name a commit or a range."""

from dataclasses import dataclass

from codifica_guard.clone.desk import Desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.git.refs import resolve
from codifica_guard.model.ids import ObjectId


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """What is asked for.

    Attributes:
        text: as people read it.
        old: where it begins, itself left out; None for one commit behind its parents.
        new: where it ends.
    """

    text: str
    old: ObjectId | None
    new: ObjectId


def parse_range(desk: Desk, text: str | None) -> Range:
    """The range or commit that a text names; without one, what the upstream branch does not have.

    Raises:
        UsageError: it names no commit, or is a symmetric difference.
    """
    if text is None:
        return _unpublished(desk)
    if "..." in text:
        raise UsageError(f"{text}: give A..B; A...B is no range of a push")
    first, dots, second = text.partition("..")
    if not dots:
        return Range(text=text, old=None, new=desk.commit_id(text))
    return Range(text=text, old=desk.commit_id(first or "HEAD"), new=desk.commit_id(second or "HEAD"))


def _unpublished(desk: Desk) -> Range:
    head = desk.head
    if head is None:
        raise UsageError("there is no commit on this branch yet")
    there = upstream(desk)
    if there is None:
        return Range(text="HEAD", old=None, new=head)
    return Range(text=f"{there[0]}..HEAD", old=there[1], new=head)


def upstream(desk: Desk) -> tuple[str, ObjectId] | None:
    """The remote branch that is worked against, by its short name: the upstream, else the remote's coordination branch."""
    try:
        name = desk.git("rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}").decode()
        return name, desk.commit_id("@{upstream}")
    except (RepositoryError, UsageError):
        short = desk.coordination[len(HEADS) :]
        name = f"{desk.remote}/{short.decode('utf-8', 'surrogateescape')}"
        tip = resolve(desk.location, b"refs/remotes/" + name.encode("utf-8", "surrogateescape"))[1]
        return None if tip is None else (name, tip)


def commits_of(desk: Desk, wanted: Range) -> tuple[ObjectId, ...]:
    """The commits of a range, parents first; of one commit that one."""
    if wanted.old is None:
        return (wanted.new,)
    lines = desk.git("rev-list", "--topo-order", "--reverse", wanted.new, b"^" + wanted.old).split()
    return tuple(ObjectId(line) for line in lines)
