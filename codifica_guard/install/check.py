"""What a check of an installation gives, and the commands that mend things."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from codifica_guard.install.repository import Repository
from codifica_guard.model.policy import Policy


class Level(Enum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at.

    Attributes:
        level: how it ended.
        name: what was looked at, in a word or two.
        text: what was found.
        do: commands or words that mend it, one a line; may be empty.
        cannot_tell: whether the FAIL means that nothing can be judged here at all.
    """

    level: Level
    name: str
    text: str
    do: tuple[str, ...] = ()
    cannot_tell: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """What will go wrong with a key that is fine today.

    Attributes:
        text: what, for people.
        do: commands that prevent it, one a line.
    """

    text: str
    do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Probes:
    """What only the caller can find out; each raises a GuardError that says why not.

    Attributes:
        policy: the policy that HEAD's tree of this repository holds; None where there is none yet.
        introduction: takes a commit's full id, gives who introduced the guard there.
        key: the key that this clone signs with, for people.
        doubts: what ought to be known about that key: that it ends soon, or that all depends on it.
        now: the clock, seconds since the epoch.
    """

    policy: Callable[[], Policy | None]
    introduction: Callable[[str], str]
    key: Callable[[], str]
    doubts: Callable[[], tuple[Doubt, ...]] = tuple
    now: int = 0


def install_command(repository: Repository) -> str:
    """The command that installs, for what an admin has to do."""
    return f"codifica-guard install {repository.quoted}" if repository.bare else "codifica-guard install"


def fix_command(repository: Repository) -> tuple[str, ...]:
    """The command that mends."""
    return (f"codifica-guard doctor --fix {repository.quoted}" if repository.bare else "codifica-guard doctor --fix",)
