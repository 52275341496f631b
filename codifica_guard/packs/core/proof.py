"""When a commit needs a proof of its actor, and what a proof that fails comes to."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.view import CommitView

SIGNATURE: Final = b"Codifica-Signature:"
MERGE: Final = (
    'merge the branch again with a merge commit ("Create merge commit"; git merge --no-ff): it keeps the signatures',
)
"""What to do where a squash lost signatures."""


def needs_proof(view: CommitView) -> str | None:
    """Why a commit is refused unless somebody signs it; None where it is not.

    A merge has in its view only what it decided itself: one that only joins needs none. An introduction is no case of
    this: ID110 says whose it has to be.
    """
    if view.actor is not None or view.introduces:
        return None
    if view.touches_state:
        return "it changes tasks or the text around them"
    if view.trust:
        return "it changes files that carry trust"
    if view.policy.guard.require_signatures == "all" and view.paths:
        return "the policy asks for a signature on every commit"
    return None


def problems(view: CommitView, code: str, *, expected: str, do: tuple[str, ...]) -> Iterator[Breach]:
    """Yield the proofs that fail for a code: errors where the commit needs a proof, told only where it does not.

    Args:
        view: the commit.
        code: the rule's code.
        expected: what a proof of this kind has to be.
        do: what to do where the problem itself does not say.
    """
    severity = Severity.ERROR if needs_proof(view) else Severity.WARNING
    for problem in view.attribution.problems:
        if problem.code == code:
            steps = (problem.do,) if problem.do else do
            yield Breach(found=problem.found, expected=expected, do=steps, severity=severity)


def squashed(view: CommitView) -> bool:
    """Whether the message quotes signatures that are not its own: what `git merge --squash` and forges leave of them."""
    lines = sum(1 for line in view.commit.message.split(b"\n") if line.strip().startswith(SIGNATURE))
    return lines > sum(1 for trailer in view.trailers.all if trailer.key + b":" == SIGNATURE)
