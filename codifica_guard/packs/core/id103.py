"""A commit names the actor whose key signed it.

Why: `Codifica-Actor: human:alice` under an agent's signature would be a lie that a reader might believe.

Refused: a trailer that names another principal than the key's; a key of several principals without the trailer; `server:*` as
an actor.

Accepted: a commit without the trailer, signed by a key that has one principal.

Do: sign again; the trailer is then written as the key says:

    git codifica whoami
    git codifica sign HEAD
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.proof import problems
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID103", "key-of-another", "codifica-guard, identity"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

EXPECTED = "the principal that the key is listed for"
DO = ("git codifica whoami", "git codifica sign HEAD && git push")


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the proofs that a commit carries; told only, where it needs none."""
    yield from problems(view, CODE, expected=EXPECTED, do=DO)
