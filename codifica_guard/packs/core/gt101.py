"""A judged branch only moves forward: its new tip descends from its old one.

Why: what was let in is what others build on, claims above all. Whoever rewinds a branch takes back what others already rely on.

Refused: `git push --force` of an amended or rebased commit that was pushed before.

Accepted: commits on top of the branch; any move of branches that are not judged.

Do: take the branch in, and put your commits on top of it:

    git pull --no-rebase
    git push
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short, show_path
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import RefView

CODE, NAME, SPEC = "GT101", "branch-rewound", "codifica-guard, branches"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.REF, True


def check(view: RefView) -> Iterator[Breach]:
    """Judge an update of a judged branch."""
    if view.judged and view.rewound and view.old is not None and view.new is not None:
        yield Breach(
            found=f"{show_path(view.name)} would go from {short(view.old)} to {short(view.new)}, which does not descend from it",
            expected="a tip that descends from the old one",
            do=(
                "git reset --soft @{upstream}, and commit what you changed as a new commit, then git push",
                "or git pull --no-rebase && git push",
            ),
            commit=view.new,
        )
