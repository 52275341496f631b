"""A task is written so that every YAML reader reads the same.

Why: anchors, aliases, merge keys and tags make a value stand where nobody sees it, and a bare `no` or `017` is a truth value or
a number for one reader and text for another.

Refused: an alias in place of a value; an id that YAML 1.1 takes for a number:

    - id: 017
      acceptance: *shared

Accepted: plain text, quoted text, lists and mappings:

    - id: "017"
      acceptance: ["The form loads"]

Do: write the value out where it is meant, and put quotes around words that look like numbers, dates or yes and no.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import faults
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST103", "ambiguous-yaml", "Codifica 0.2, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the documents and task blocks that a commit changed."""
    yield from faults(view, CODE)
