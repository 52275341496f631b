"""Tasks stand in a fenced YAML block that is closed.

Why: what stands outside a fence is prose. A task there is lost for every reader, and an unclosed fence swallows what follows.

Refused: a fence without its end; `- id: FEAT-101` with its fields in the middle of the text.

Accepted: any number of fences, of backticks or tildes, with text between them:

    ```yaml
    - id: FEAT-101
      state: todo
    ```

Do: close the fence that the message names, or put a fence around the tasks.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import faults
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST104", "unclosed-fence", "Codifica 0.2, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the documents and task blocks that a commit changed."""
    yield from faults(view, CODE)
