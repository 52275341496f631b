"""What rules advise: the verb that does it right first, then the way by hand.

The steps fit the commit that was judged, if it is the newest one; reports adapt them to others (`report.steps`).
"""

import shlex
from typing import TYPE_CHECKING, Final

from codifica_guard.model.ids import RepoPath, short, show_path

if TYPE_CHECKING:
    from codifica_guard.rules.view import CommitView, TaskChange

TAKE_OUT: Final = "take it out: "
"""How the step begins that undoes a commit, so that a verb may do it right."""

BY_HAND: Final = "or by hand: "
"""How the first step begins of those that do without verbs."""

PUT: Final = "put "
UNDO: Final = "undo: "
"""How steps begin that undo a part of a commit."""

AT_HAND: Final = "or, with the guard at hand: "
"""How the step begins that signs by the program what Git could sign as well."""

NEXT_TIME: Final = "the next time: "
"""How the step begins that is only told: what was done stands."""

UNMERGE: Final = "git reset --hard HEAD~1"
"""What undoes a merge that was committed; before that it is `git merge --abort`."""

SET_ASIDE: Final = "git fetch && git branch set-aside && git reset --hard @{upstream}"
"""Gives way to what the remote has; own commits stay in a branch, so that none is lost."""

AMEND: Final = "git commit --amend --no-edit"


def quoted(name: bytes) -> str:
    """A path or a ref as one word of a shell, so that a pushed name cannot become a command of its own."""
    return shlex.quote(show_path(name))


def put_back(path: RepoPath | None) -> tuple[str, ...]:
    """Take a file back to what it was before the commit; `path` is None where none is known."""
    name = quoted(path) if path is not None else "FILE"
    return (f"{PUT}it back: git restore --source=HEAD~1 --staged --worktree -- {name}", AMEND)


def put_parts_back(path: RepoPath | None) -> tuple[str, ...]:
    """Take some lines of a file back to what they were before the commit."""
    name = quoted(path) if path is not None else "FILE"
    return (f"{PUT}the lines back: git restore --source=HEAD~1 -p -- {name}", "git commit -a --amend --no-edit")


def path_of(change: "TaskChange") -> RepoPath | None:
    """The document that a task stands in, or stood in."""
    return change.place.path if change.place else None


def undone(view: "CommitView", change: "TaskChange") -> str:
    """The command that undoes a commit and what stands on it: code stays staged, the task's document goes back."""
    path = path_of(change)
    name = quoted(path) if path is not None else "FILE"
    return f"git reset --soft {short(view.commit.id)}~1 && git restore --staged --worktree -- {name}"


def instead(view: "CommitView", change: "TaskChange", *commands: str) -> tuple[str, ...]:
    """Do something else than the commit did: undo it, then the commands, of which the first is the best."""
    return (f"{TAKE_OUT}{undone(view, change)}", *commands)


def amended(view: "CommitView") -> str:
    """The command that makes a mended commit anew, signed as its maker signs."""
    if view.by_agent:
        return "git commit -a --amend --no-edit && git codifica sign HEAD && git push"
    return "git commit -a --amend -S --no-edit --reset-author && git push"


def by_hand(view: "CommitView", what: str) -> str:
    """The way without verbs: mend the commit itself."""
    return f"{BY_HAND}{what}, then {amended(view)}"


def mend(view: "CommitView", what: str = "mend it") -> tuple[str, ...]:
    """The only way where no verb helps: mend the commit itself."""
    return (f"{what}, then {amended(view)}",)
