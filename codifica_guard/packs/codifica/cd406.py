"""Evidence stays: agents and unsigned commits only add files, each below the folder of a task.

Why: what a task shows as evidence is worth nothing if it can be exchanged behind the back of whoever looked at it.

Refused: a file below `assets/` that an agent or nobody changes, deletes, renames, makes executable or turns into a link; a new one
that lies in no `assets/<task id>/` of a task that there is; a symbolic link or a submodule in place of a new file, since what it
shows lies elsewhere and can be exchanged there.

Accepted: new files below `assets/<task id>/`; everything by a human who signs.

Do: keep the old file, and add the new one under another name, below the folder of its task:

    git restore --source=HEAD~1 --staged --worktree -- assets/FEAT-1/shot.png
    git add assets/FEAT-1/shot-2.png && git commit --amend --no-edit
"""

from collections.abc import Iterator, Mapping
from typing import Final

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RepoPath, TaskId, show_path
from codifica_guard.rules.advice import put_back
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "CD406", "evidence-changed", "Codifica 0.2, 9 and 11"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

SHOWN = 3

OUTSIDE, LINKED, PLACE = "adds outside", "adds a link", "puts a link"
TOLD: Final[Mapping[str, tuple[str, str]]] = {
    OUTSIDE: ("adds a file below", " outside the folder of a task"),
    LINKED: ("adds a symbolic link or submodule below", ""),
    PLACE: ("puts a symbolic link or submodule in the place of", ""),
}
"""What a commit does, and where, beside changing and deleting files."""

PERSON = (
    "or are you a person? git config gpg.format ssh && git config user.signingkey ~/.ssh/id_ed25519.pub",
    "git commit --amend -S --no-edit --reset-author",
)
"""How somebody whom nobody knows becomes a person who signs."""


def guarded(view: CommitView) -> Mapping[RepoPath, str]:
    """The paths below `assets/` that only a human may change as the commit does, and what it does to each."""
    config = view.codifica
    found = {}
    for path in sorted(p for p in view.paths if (p + b"/").startswith(config.assets) and p not in view.trust):
        old, new = view.paths[path]
        if not path.startswith(config.assets):  # what stands in the folder's own place
            if new is not None and not new.is_file:
                found[path] = PLACE
        elif old is not None:
            found[path] = "deletes" if new is None else "changes"
        elif not _is_of_task(path, view):
            found[path] = OUTSIDE
        elif new is not None and not new.is_file:
            found[path] = LINKED
    return found


def _is_of_task(path: RepoPath, view: CommitView) -> bool:
    """Whether a path lies below the folder of a task that is there before or after the commit."""
    folder, slash, _ = path[len(view.codifica.assets) :].partition(b"/")
    name = TaskId(folder.decode("utf-8", "surrogateescape"))
    return bool(slash) and (name in view.before.records or name in view.after.records)


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the evidence that a commit touches which no human signed; a merge's is judged by what it decided."""
    if view.by_human or view.is_merge:
        return
    found, assets = guarded(view), show_path(view.codifica.assets)
    for number, (path, what) in enumerate(list(found.items())[:SHOWN]):
        more = f", and {len(found) - SHOWN} more such paths" if number == SHOWN - 1 and len(found) > SHOWN else ""
        deed, place = TOLD.get(what, (f"{what} a file below", ""))
        yield Breach(
            found=f"{view.actor or 'an unsigned commit'} {deed} {assets}{place}{more}",
            expected=f"new regular files below {assets}<task id>/; those that are there stay as they are",
            do=(*put_back(path), *(() if view.by_agent else PERSON)),
            path=path,
        )
