"""No new commit is signed with a revoked key.

Why: a key is revoked when others may have it. Whatever it signs from then on may be theirs, whatever date it bears.

Refused: any new commit that carries a signature by a key in `.codifica/revoked_keys`, code too, also from an old base. A
maintainer puts a key there: `git codifica key revoke`, which also tells what of it is not merged yet.

Accepted: commits that were let in before the key was revoked.

Do: make the commit again without that signature: take its `Codifica-` lines out of the message and sign with another key.

    git commit --amend --no-gpg-sign --reset-author
    git codifica sign HEAD
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID105", "key-revoked", "codifica-guard, identity"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.COMMIT, True

DO = ("git commit --amend --no-gpg-sign --reset-author   (take the Codifica- lines out)", "git codifica sign HEAD")


def check(view: CommitView) -> Iterator[Breach]:
    """Judge every signature that a commit carries, whether or not it needs one."""
    for problem in view.attribution.problems:
        if problem.code == CODE:
            do = (problem.do,) if problem.do else DO
            yield Breach(found=problem.found, expected="no signature by a revoked key", do=do)
