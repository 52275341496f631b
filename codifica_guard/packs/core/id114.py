"""Codifica trailers are written exactly, each one a line, and those that may not repeat stand once.

Why: a trailer that one reader sees and another does not would let a commit say two things.

Refused: `codifica-actor: agent:builder` in lower case; two `Codifica-Signature` lines; a folded value; an unknown `Codifica-`
name; control characters.

Accepted: several `Codifica-Writer`, `Codifica-Evidence` or `Codifica-Instruct` lines with different values; all other trailers,
in any form.

Do: mend the message, then sign again:

    git commit --amend
    codifica-guard sign HEAD
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID114", "trailer-malformed", "codifica-guard, identity"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the Codifica trailers of a message."""
    for fault in view.trailers.faults:
        yield Breach(
            found=fault,
            expected="each Codifica trailer in exact case, on one line, once",
            do=(
                "git commit --amend   (mend the trailers at the end of the message)",
                "codifica-guard sign HEAD && git push",
            ),
        )
