"""Some transitions are a human's, and the signer is none.

Why: blocking, rejecting, reopening and taking a claim back are decisions that the protocol leaves to people.

Refused: an agent's signed commit that moves a task to blocked or rejected, out of blocked, out of done, or from in_progress to todo.

Accepted: the same, signed by a human; an agent that asks for it in an execution note.

Do: ask for it, and go on with other work; a human decides:

    git codifica note ID --ask block "why"         (or: release, change)
    git codifica block ID -m "why"                 (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import TABLE, Who, owns
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, ask, of_move
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD202", "human-only", "Codifica 0.2, 7.1 and 7.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

NOTED = ("in_progress", "to_be_tested")
"""States in which an agent writes notes."""


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's transition."""
    move = change.transition
    if view.by_agent and move is not None and TABLE.get(move) is Who.HUMAN:
        yield Breach(
            found=f"{move[0]} -> {move[1]} by {view.actor}",
            expected="a human, signed",
            do=instead(view, change, *_asked(change, move, view)),
            line=change.line_of("state"),
        )


def _asked(change: TaskChange, move: tuple[str, str], view: CommitView) -> tuple[str, ...]:
    """How an agent asks for a human's transition: in a note, while the task is in its hands."""
    human = f"a human: {of_move(move, change.id, agent=False)}"
    mine = change.old is not None and owns(change.old.owner, view.actor)
    if not mine or move[0] not in NOTED:
        return (human, CLAIM_NEXT)
    kind = {"blocked": "block", "todo": "release"}.get(move[1], "change")
    return (ask(change.id, kind), human)
