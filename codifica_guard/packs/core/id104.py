"""A signature is made with a key that is valid when the push arrives.

Why: the dates inside a commit are its maker's word. The server's clock decides, so that a commit that is dated back gains
nothing.

Refused: a decision signed with a key whose `valid-before` has passed, or whose `valid-after` is still to come.

Accepted: what was let in while the key was valid; code that needs no proof, as unsigned.

Do: sign with a key that is valid now. `key list` tells which are, and a maintainer lists a new one: `key rotate` while the old
one is valid, `key add` after its end.

    git codifica key list
    git codifica key add human:bob FILE.pub
    git codifica sign HEAD
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core.proof import problems
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID104", "key-not-valid-now", "codifica-guard, identity"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

EXPECTED = "a key that is valid now"
DO = ("git codifica key list", "git codifica sign HEAD && git push")


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the proofs that a commit carries; told only, where it needs none."""
    yield from problems(view, CODE, expected=EXPECTED, do=DO)
