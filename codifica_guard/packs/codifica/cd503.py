"""One id was given to a new task on both sides of a merge.

Why: the two are different tasks; a merge that keeps one loses the other.

Refused: such a merge without a human's signature.

Accepted: a human's signed merge; better, a new id for one of the two before merging.

Do: give one of them a free id on its own branch, then merge.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.cd502 import judge
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import MergeView

CODE, NAME, SPEC = "CD503", "born-twice", "Codifica 0.2, 4.1; codifica-guard, merges"
SEVERITY, ABOUT = Severity.ERROR, About.MERGE


def check(view: MergeView) -> Iterator[Breach]:
    """Judge tasks that no merge base holds."""
    for item in view.decided:
        if item.kind == "record" and item.conflict and item.twice:
            yield from judge(item, view.commit)
