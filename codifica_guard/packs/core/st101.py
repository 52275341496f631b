"""A state document's YAML can be read, block by block.

Why: a block that cannot be read is a task that nobody sees. A document that does not parse never counts as "no tasks".

Refused: a plain value that starts with a backtick, an `@` or a tab, or that holds `: `:

    - id: FEAT-101
      title: Fix: the login form

Accepted: the same value in quotes; a document that was broken before the guard came, as long as nobody changes it:

    - id: FEAT-101
      title: "Fix: the login form"

Do: let `fix` quote the value that the message points at, then amend; what quotes do not mend, it tells:

    git codifica fix
    git commit -a --amend -S --no-edit --reset-author && git push
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import faults
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST101", "yaml-unreadable", "Codifica 0.2, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the documents and task blocks that a commit changed."""
    yield from faults(view, CODE)
