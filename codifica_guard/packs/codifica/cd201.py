"""A task moves only along the protocol's table of transitions.

Why: a step that is left out is a check that nobody made.

Refused: todo -> done, rejected -> done, to_be_tested -> rejected, by anybody.

Accepted: the rows of clause 7.1; see docs/readings.md for the table.

Do: go by the states between, a commit each.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import STATES, TABLE
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD201", "no-such-transition", "Codifica 0.2, 7.1"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a transition between known states."""
    move = change.transition
    if view.actor is None or move is None or move in TABLE or move[1] not in STATES or move[0] not in STATES:
        return
    ways = ", ".join(to for (frm, to) in TABLE if frm == move[0])
    yield Breach(found=f"{move[0]} -> {move[1]}", expected=f"from {move[0]} to {ways}", line=change.line_of("state"))
