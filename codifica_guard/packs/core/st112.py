"""No value is cut short by a `#`.

Why: behind a blank, `#` starts a comment: of `title: Fix #12 now` only `Fix` is left.

Refused: nothing, it is only told:

    - id: FEAT-101
      title: Fix #12 now

Accepted: the value in quotes, `title: "Fix #12 now"`; a comment on a line of its own.

Do: put the value in quotes, if the cut part belongs to it.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import warnings
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST112", "value-cut", "Codifica 0.2, 3.2 and 5"
SEVERITY, ABOUT = Severity.WARNING, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Tell of the tasks that a commit brought or edited, once: not again while the line stays as it is."""
    yield from warnings(view, CODE)
