"""An agent closes its own build task without a human's pass; the policy says what that is worth.

Why: whoever did the work is the worst judge of it; many teams want a human's word.

Refused: under `self_approval: refuse`, to_be_tested -> done by the agent that owns a build task while no review passed.

Accepted: under `warn` it is told, under `allow` it passes; always after a human set `human_review.status: pass`.

Do: wait for a human's review, and do other work meanwhile:

    git codifica approve ID                        (a human)
    git codifica claim --next
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.history import review, review_counts
from codifica_guard.rules.advice import NEXT_TIME, instead
from codifica_guard.rules.commands import CLAIM_NEXT, approve
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD213", "self-approval", "Codifica 0.2, 7.2; codifica-guard, self_approval"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent that closes a task which follows build."""
    if (
        not view.by_agent
        or change.transition != ("to_be_tested", "done")
        or change.old is None
        or not view.follows_build(change.old)
    ):
        return
    choice = view.policy.guard.self_approval
    passed = review(change.old).get("status") == "pass" and review_counts(change.old)
    if choice != "allow" and not passed:
        yield Breach(
            found=f"{view.actor} closes its own work; no human passed it",
            expected="human_review.status: pass, by a human",
            do=instead(view, change, f"wait for a human: {approve(change.id)}", f"other work: {CLAIM_NEXT}")
            if choice == "refuse"
            else (f"{NEXT_TIME}leave it to a human: {approve(change.id)}",),
            line=change.line_of("state"),
            severity=Severity.ERROR if choice == "refuse" else Severity.WARNING,
        )
