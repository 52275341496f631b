"""A task that an agent files starts at the beginning: todo, unassigned or its own, unclaimed.

Why: a task born in_progress was claimed by nobody, and one born done was reviewed by nobody.

Refused: an agent's new task in another state, with another owner, with claimed_at, notes, transitions or a review.

Accepted: todo, `owner: unassigned` or the agent itself.

Do: file it as todo, then claim it in a commit of its own:

    git codifica new --title "what is to be done"
    git codifica claim ID
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED
from codifica_guard.rules.advice import mend
from codifica_guard.rules.commands import claim
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD411", "task-born-ahead", "Codifica 0.2, 7.1 and 8.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

EMPTY = (
    "claimed_at",
    "completed_at",
    "execution_notes",
    "state_transitions",
    "human_review",
    "artifacts",
    "blocked_reason",
)


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's new task."""
    task = change.new
    if not view.by_agent or not change.born or task is None:
        return
    ahead = [] if task.state == "todo" else [f"state {task.state}"]
    ahead += [] if task.owner in {UNASSIGNED, view.actor} else [f"owner {task.owner}"]
    ahead += [name for name in EMPTY if task.data.get(name)]
    if ahead:
        yield Breach(
            found=f"{view.actor} files {change.id} with {', '.join(ahead)}",
            expected="a new task is todo, unassigned or the agent's own, and nothing has happened to it",
            do=(*mend(view, "file it as todo, with nothing of that"), f"then: {claim(change.id)}"),
            line=change.line_of("state"),
        )
