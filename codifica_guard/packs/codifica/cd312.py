"""Only agents that `allowed_agents` names touch tasks.

Why: the list says which agents the team works with; an empty one means all.

Refused: a task change signed by an agent that is not in the list.

Accepted: its code, as anybody's, and all that people do.

Do: ask a maintainer to add the agent to codifica.json.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD312", "agent-not-allowed", "Codifica 0.2, 3.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's change of a task."""
    allowed = view.codifica.allowed_agents
    if view.by_agent and allowed and view.actor not in allowed:
        yield Breach(
            found=f"{view.actor} changes {change.id}",
            expected=f"one of {', '.join(allowed)}",
            do=("ask a maintainer to add the agent to allowed_agents in codifica.json",),
        )
