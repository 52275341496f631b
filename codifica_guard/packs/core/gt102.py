"""A judged branch is not deleted.

Why: with the branch its tasks, its policy and its history would be gone.

Refused: `git push origin --delete main`, also as one of many refs of `git push --mirror` or `--prune`.

Accepted: a branch that is not judged, deleted by anybody.

Do: push without it. If the branch has to go, a maintainer takes it out of `protected_branches` first.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import show_path
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import RefView

CODE, NAME, SPEC = "GT102", "branch-deleted", "codifica-guard, branches"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.REF, True


def check(view: RefView) -> Iterator[Breach]:
    """Judge an update that takes a judged branch away."""
    if view.judged and view.new is None:
        yield Breach(
            found=f"{show_path(view.name)} would be deleted",
            expected="the branch stays: the policy protects it",
            do=("push without it; a maintainer may take it out of protected_branches in .codifica/guard.json first",),
        )
