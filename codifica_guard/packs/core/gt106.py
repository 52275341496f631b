"""Every object reads the same in all of Git's readers, and no parent is missing.

Why: two `author` lines, two entries of one name in a folder or a NUL in a message show one thing to Git and another to a forge.
What was judged would not be what people see.

Refused: doubled headers, doubled entries of a tree, a NUL in a message, an impossible time or time zone, a commit whose parent
is not there (a push from a shallow clone).

Accepted: everything that git itself writes; oddities in commits from before the introduction.

Do: make the commit again with git. If a parent is missing:

    git fetch --unshallow
    git push
"""

from collections.abc import Iterator

from codifica_guard.errors import GuardError, MissingObject
from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "GT106", "malformed-object", "codifica-guard, objects"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.COMMIT, True

SOUND = "objects as git writes them"
AGAIN = ("a commit: make it again, git commit --amend --no-edit --reset-author", "a branch: push a commit to it")


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the raw bytes of a commit."""
    for fault in view.commit.faults:
        yield Breach(found=fault, expected=SOUND, do=AGAIN)


def breach_of(error: GuardError) -> Breach:
    """The breach that an object comes to which the Git door could not take: missing or malformed."""
    if isinstance(error, MissingObject):
        return Breach(
            found=str(error),
            expected="every parent in the push or on the server",
            do=("git fetch --unshallow", "git push"),
        )
    return Breach(found=str(error), expected=SOUND, do=AGAIN)
