"""The secret half of a writer token never stands in a push.

Why: who has the secret goes on with the task as its holder, and what was pushed may have been read.

Refused: a string `cgw1_...` in the message of a commit or in a file that it adds, on any ref.

Accepted: the public half in `provenance.writer`; the words about it in documentation.

Do: take the secret out of the commit, and end its use: a human takes the claim back, so that the next one makes a new token.

    git rebase -i origin/main                      (mark the commit with edit)
    git commit --amend
    git codifica reclaim ID -m "token published"   (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short, show_path
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import RefView

CODE, NAME, SPEC = "ID108", "token-published", "codifica-guard, writer tokens"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.REF, True


def check(view: RefView) -> Iterator[Breach]:
    """Tell of each place, and never repeat what stands there."""
    for commit, path in view.secrets:
        place = "the message" if path is None else show_path(path)
        yield Breach(
            found=f"the secret of a writer token in {place} of commit {short(commit)}",
            expected="no secret in any commit; this one is to be taken for lost",
            do=(
                "take it out: git rebase -i, or git commit --amend for the last commit",
                'end its use, a human: git codifica reclaim ID -m "token published" (ID: the task that it is for)',
            ),
            path=path,
            commit=commit,
        )
