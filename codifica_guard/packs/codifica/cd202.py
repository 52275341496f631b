"""Some transitions are a human's, and the signer is none.

Why: blocking, rejecting, reopening and taking a claim back are decisions that the protocol leaves to people.

Refused: an agent's signed commit that moves a task to blocked or rejected, out of blocked, out of done, or from in_progress to todo.

Accepted: the same, signed by a human; an agent that asks for it in an execution note.

Do: write a note that asks, and go on with other work.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import TABLE, Who
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD202", "human-only", "Codifica 0.2, 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's transition."""
    move = change.transition
    if view.by_agent and move is not None and TABLE.get(move) is Who.HUMAN:
        yield Breach(
            found=f"{move[0]} -> {move[1]} by {view.actor}",
            expected="a human, signed",
            do=("ask for it in an execution note of the task, and leave its state as it is",),
            line=change.line_of("state"),
        )
