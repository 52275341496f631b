"""A judged branch descends from the commit that introduced the guard.

Why: from the introduction on everything is judged. A branch that does not have it in its history would carry a past that nobody
judged.

Refused: a history of its own on the coordination branch; a branch that held the introduction and is to leave it.

Accepted: side branches from before the introduction, and a release branch that never held it.

Do: take the coordination branch in:

    git fetch origin
    git merge origin/main
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short, show_path
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import RefView

CODE, NAME, SPEC = "GT104", "without-introduction", "codifica-guard, introduction"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.REF, True


def check(view: RefView) -> Iterator[Breach]:
    """Judge the new tip of a branch that ought to hold the introduction."""
    if view.unrooted and view.new is not None:
        yield Breach(
            found=f"{short(view.new)} does not descend from the introduction, {show_path(view.name)} has to",
            expected="a tip that has the introduction in its history",
            do=("git fetch origin", "git merge with the coordination branch of origin, then push"),
            commit=view.new,
        )
