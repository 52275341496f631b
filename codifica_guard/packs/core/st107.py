"""A state document and its tasks stay within the limits.

Why: every push reads them; a document without bounds would make every push slow, or stop the server.

Refused: a document of more than 8 MiB, a task of more than 256 KiB, values that are nested more than 32 deep, more than
100,000 tasks.

Accepted: ten thousand tasks of ordinary length in one document.

Do: move finished tasks to a second state document, and long logs to files under `assets/`.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import faults
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST107", "over-limit", "codifica-guard, limits"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the documents and task blocks that a commit changed."""
    yield from faults(view, CODE)
