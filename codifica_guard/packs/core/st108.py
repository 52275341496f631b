"""A state document is UTF-8 text without characters that hide.

Why: a NUL, a byte order mark or a line separator such as U+2028 is seen by one reader and not by another: what is reviewed
would not be what is read.

Refused: bytes that are no UTF-8, NUL and other control characters, U+0085, U+2028 and U+2029, a byte order mark inside.

Accepted: all other characters of any script, tabs, LF and CRLF line ends.

Do: remove the character at the line and column that the message names, or save the file as UTF-8.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.documents import faults
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST108", "hidden-characters", "codifica-guard, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the documents and task blocks that a commit changed."""
    yield from faults(view, CODE)
