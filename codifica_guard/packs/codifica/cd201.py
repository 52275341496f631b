"""A task moves only along the protocol's table of transitions.

Why: a step that is left out is a check that nobody made.

Refused: todo -> done, rejected -> done, to_be_tested -> rejected, by anybody; an agent's step out of a state that the protocol
does not know.

Accepted: the rows of clause 7.1; see docs/readings.md for the table. A person who gives such a task a known state.

Do: go by the states between, a commit each:

    git codifica claim ID
    git codifica submit ID --summary "one line"
    git codifica approve ID
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import STATES, TABLE, Who
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, of_move
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD201", "no-such-transition", "Codifica 0.2, 7.1"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a step to a known state; CD102 tells of an unknown one."""
    pair = change.both
    if view.actor is None or pair is None:
        return
    source, target = pair[0].state, pair[1].state
    if source == target or target not in STATES or (source, target) in TABLE:
        return
    line = change.line_of("state")
    if source in STATES:
        ways = ", ".join(to for (frm, to) in TABLE if frm == source)
        yield Breach(
            found=f"{source} -> {target}",
            expected=f"from {source} to {ways}",
            do=instead(view, change, *(_ways(change, source, view) or (CLAIM_NEXT,))),
            line=line,
        )
    elif view.by_agent:
        yield Breach(
            found=f"{source or 'no state'} -> {target} by {view.actor}",
            expected="a human gives the task a state that the protocol knows",
            do=instead(view, change, CLAIM_NEXT),
            line=line,
        )


def _ways(change: TaskChange, source: str, view: CommitView) -> tuple[str, ...]:
    """The commands that lead on from a state, for who may use them."""
    moves = (move for move, who in TABLE.items() if move[0] == source and (view.by_human or who is not Who.HUMAN))
    return tuple(dict.fromkeys(of_move(move, change.id, agent=view.by_agent) for move in moves))
