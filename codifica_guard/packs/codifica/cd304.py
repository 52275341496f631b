"""A task that waits for somebody by name is not for others.

Why: assigning is a human's decision; a claim does not overrule it.

Refused: an agent's claim of a task whose owner is another agent or a human.

Accepted: a claim of an unassigned task, or of one that waits for this agent.

Do: claim another task, or ask a human to assign it:

    git codifica claim --next
    git codifica assign ID agent:builder           (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, assign
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD304", "assigned-to-another", "Codifica 0.2, 5.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's claim."""
    if not view.by_agent or not change.is_claim or change.old is None:
        return
    owner = change.old.owner
    if owner not in {None, "", UNASSIGNED} and not owns(owner, view.actor):
        yield Breach(
            found=f"{view.actor} claims {change.id}, which waits for {owner}",
            expected="an unassigned task, or one's own",
            do=instead(view, change, CLAIM_NEXT, f"or a human: {assign(change.id, view.actor or UNASSIGNED)}"),
            line=change.line_of("owner"),
        )
