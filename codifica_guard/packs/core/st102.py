"""A task names each of its fields once.

Why: of two values for one field some readers take the first, some the last: two people would see two tasks.

Refused: a second `state`, also in quotes or far below the first:

    - id: FEAT-101
      state: todo
      state: done

Accepted: the same word as a value, or as a key inside another field.

Do: take out the line that is not meant.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import faults
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST102", "duplicate-key", "Codifica 0.2, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the documents and task blocks that a commit changed."""
    yield from faults(view, CODE)
