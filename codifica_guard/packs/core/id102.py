"""A signature is made with a key that `.codifica/allowed_signers` lists.

Why: a signature by an unknown key says only that somebody has a key.

Refused: a task moved by a commit whose key the policy of its parents does not list.

Accepted: code within `file_scope`, signed with any key: it is told, and counts as unsigned.

Do: ask a maintainer to list the key; `whoami` prints the line for it:

    git codifica whoami
    git codifica key add human:bob 'ssh-ed25519 AAAA...'       (a maintainer runs this)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.proof import problems
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID102", "key-unknown", "codifica-guard, identity"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

EXPECTED = "a key that .codifica/allowed_signers lists"
DO = ("git codifica whoami   (prints the line for a maintainer)",)


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the proofs that a commit carries; told only, where it needs none."""
    yield from problems(view, CODE, expected=EXPECTED, do=DO)
