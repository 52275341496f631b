"""A state document holds no conflict markers of a merge.

Why: a conflict that was committed unresolved shows two histories of a task, and some of them still parse as YAML.

Refused: the lines `<<<<<<< HEAD`, `=======`, `>>>>>>> branch`, in this order, wherever they stand.

Accepted: a heading that is underlined with equal signs.

Do: keep one side of each conflict, take out the three marker lines, then `git commit --amend -S --no-edit --reset-author`.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import faults
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST105", "conflict-markers", "codifica-guard, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the documents and task blocks that a commit changed."""
    yield from faults(view, CODE)
