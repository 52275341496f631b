"""Codifica trailers are written exactly, each one a line, and those that may not repeat stand once.

Why: a trailer that one reader sees and another does not would let a commit say two things.

Refused: `codifica-actor: agent:builder` in lower case; two `Codifica-Signature` lines; a folded value; an unknown `Codifica-`
name; control characters; any of them but Actor and Signature on a commit that changes nothing.

Accepted: several `Codifica-Writer`, `Codifica-Evidence` or `Codifica-Instruct` lines with different values; all other trailers,
in any form.

Do: mend the message, then sign again:

    git commit --amend
    git codifica sign HEAD
"""

from collections.abc import Iterator

from codifica_guard.model.commit import ACTOR, SIGNATURE
from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID114", "trailer-malformed", "codifica-guard, identity"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

OF_ANY_COMMIT = frozenset({ACTOR, SIGNATURE})


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the Codifica trailers of a message."""
    if view.empty and not view.is_merge:
        for trailer in view.trailers.all:
            if trailer.key.startswith(b"Codifica-") and trailer.key not in OF_ANY_COMMIT:
                yield Breach(
                    found=f"{trailer.key.decode('ascii')} on a commit that changes nothing",
                    expected="nothing but Codifica-Actor and Codifica-Signature: such a commit could be repeated for ever",
                    do=("put the trailer on the commit that does what it speaks of",),
                )
    for fault in view.trailers.faults:
        yield Breach(
            found=fault,
            expected="each Codifica trailer in exact case, on one line, once",
            do=(
                "git commit --amend   (mend the trailers at the end of the message)",
                "git codifica sign HEAD && git push",
            ),
        )
