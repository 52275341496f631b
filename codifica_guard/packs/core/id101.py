"""A signature fits the commit that carries it.

Why: `Codifica-Signature` covers what a commit does. After a rebase over somebody else's change of the same task it would vouch
for another change than its maker saw; then it is dead, and the maker has to look again.

Refused: a signed claim, rebased over another change of the same task; a file slipped into a signed commit; an OpenPGP signature
where a proof is needed.

Accepted: a signed commit that was rebased, cherry-picked or sent by mail over changes of other tasks. On a commit that needs no
proof a dead signature is only told.

Do: look at the commit again, then sign it:

    git show HEAD
    git codifica sign HEAD
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.value import replace
from codifica_guard.packs.core.proof import MERGE, problems, squashed
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID101", "signature-does-not-fit", "codifica-guard, identity"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

EXPECTED = "a signature over what this commit does"
DO = ("look again: git show", "git codifica sign HEAD && git push")


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the proofs that a commit carries; told only, where it needs none."""
    for breach in problems(view, CODE, expected=EXPECTED, do=DO):
        # Where a squash left the last signature at its end, signing again would give all of it to one actor.
        yield replace(breach, do=MERGE) if squashed(view) else breach
