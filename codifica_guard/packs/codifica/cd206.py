"""Rejecting, reopening, reclaiming and returning say why.

Why: whoever did the work learns from the reason, and the record keeps it.

Refused: such a transition without a new entry of `state_transitions` that has a `reason`; also by a person's hand.

Accepted: any text. A person who returns a task by hand without one is only reminded.

Do: say why, or add the entry with from, to, by, reason and timestamp by hand:

    git codifica reject ID -m "why"                (also: reopen, reclaim, return)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import TABLE
from codifica_guard.rules.advice import NEXT_TIME, by_hand, instead
from codifica_guard.rules.commands import of_move
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD206", "no-reason", "Codifica 0.2, 7.2 and 8.1.1"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

REOPENED = (("rejected", "todo"), ("done", "todo"))
RECLAIMED = ("in_progress", "todo")
RETURNED = ("to_be_tested", "todo")


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge a transition that needs a reason."""
    move = change.transition
    if view.actor is None or move is None or move not in TABLE:
        return
    if move[1] != "rejected" and move not in (*REOPENED, RECLAIMED, RETURNED):
        return
    entries = [e for e in change.new_entries("state_transitions") if e.get("to") == move[1]]
    if any(isinstance(e.get("reason"), str) and str(e["reason"]).strip() for e in entries):
        return
    told = move == RETURNED and view.by_human
    verb = of_move(move, change.id, agent=view.by_agent)
    entry = f"add to state_transitions: from: {move[0]}, to: {move[1]}, by: {view.actor}, reason: ..., timestamp: ..."
    yield Breach(
        found=f"{move[0]} -> {move[1]} without a reason",
        expected="an entry of state_transitions whose `reason` says why",
        do=(f"{NEXT_TIME}{verb}",) if told else instead(view, change, verb, by_hand(view, entry)),
        line=change.line_of("state"),
        severity=Severity.WARNING if told else None,
    )
