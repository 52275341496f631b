"""Tasks change on the coordination branch; other protected branches only get what that one has.

Why: a task that says done on a release branch and in progress on main has two truths.

Refused: a commit on `release/2` that claims a task, while the coordination branch does not hold that commit.

Accepted: the same commit once the coordination branch holds it; commits on `release/2` that leave tasks alone.

Do: push the coordination branch first, then the other one. In one push this does not work: refs do not move as one.

    git push origin main
    git push origin release/2
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RepoPath, show_path
from codifica_guard.packs.core.wording import branch, listed
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "GT105", "state-beside", "codifica-guard, branches"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.COMMIT, True


def check(view: CommitView) -> Iterator[Breach]:
    """Judge a commit that another protected branch gets, and the coordination branch does not have."""
    if view.beside and view.touches_state:
        changed = [str(change.id) for change in view.changes] or [show_path(path) for path in _documents(view)]
        main = branch(view)
        yield Breach(
            found=f"{listed(changed)} changed in a commit that {main} does not have",
            expected=f"tasks change on {main}; other branches take its commits",
            do=(f"push {main} first: git push origin {main}", "then push this branch again"),
            path=next(iter(_documents(view)), None),
        )


def _documents(view: CommitView) -> tuple[RepoPath, ...]:
    places = [change.place.path for change in view.changes if change.place is not None]
    return tuple(dict.fromkeys((*places, *view.frames, *view.reordered, *view.born, *view.gone, *view.touched)))
