"""No line of a longer text looks like a field of the task.

Why: a field that is indented one step too far becomes a line of the text above it. The task then lacks it, and nobody sees why.

Refused: nothing, it is only told. Here `state` is a line of the description:

    - id: FEAT-101
      description: |
        The login form.
        state: todo

Accepted: a text with lines such as `note: this`, whose word is no field of tasks.

Do: if the line is a field, move it to the left; if it is text, leave it.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import warnings
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST110", "swallowed-field", "Codifica 0.2, 3.2 and 5"
SEVERITY, ABOUT = Severity.WARNING, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Tell of the tasks that a commit brought or edited, once: not again while the line stays as it is."""
    yield from warnings(view, CODE)
