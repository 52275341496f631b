"""Each transition is recorded by one entry that says exactly this from, to and by.

Why: the entries are the task's history; one that is missing, doubled or names another makes it a tale.

Refused: an agent's transition without its entry, with two, or with one that names another state or another actor; an entry
without a transition.

Accepted: for people by hand a missing entry is only told. `by: alice`, `by: human:alice` and `by: human` mean the signer.

Do: let a verb make the step, or let `fix` write the entry into the work tree: from, to, by, timestamp. A human may record
a commit later what an earlier one left out.

    git codifica submit ID --summary "one line"    (an agent)
    git codifica approve ID                        (a human)
    git codifica fix                               (after a step by hand)
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import is_signer
from codifica_guard.rules.advice import NEXT_TIME, by_hand, instead, path_of, put_parts_back
from codifica_guard.rules.commands import FIX_FILLS, of_move
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD207", "transition-entry", "Codifica 0.2, 3.2 and 5"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def _fits(entry: Mapping[str, object], move: tuple[str, str], view: CommitView) -> bool:
    by = entry.get("by") == view.actor if view.by_agent else is_signer(entry.get("by"), view.actor)
    return (entry.get("from"), entry.get("to")) == move and by


def _follow(old: Task, entries: tuple[Mapping[str, object], ...]) -> bool:
    """Whether each new entry goes on where the one above it led to."""
    rows = (*old.entries("state_transitions")[-1:], *entries)
    return all(above.get("to") == entry.get("from") for above, entry in pairwise(rows))


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge the entries that a commit added, against what it did."""
    if view.actor is None or change.both is None:
        return
    entries, move = change.new_entries("state_transitions"), change.transition
    severity = Severity.WARNING if view.by_human else None
    line = change.line_of("state_transitions")
    if move is None:
        if view.by_human or not entries:
            return
        state = str(change.both[0].state)
        if change.is_resume and len(entries) == 1 and _fits(entries[0], (state, state), view):
            return
        yield Breach(
            found="a new entry of state_transitions, and the state stays",
            expected="entries only of what this commit does",
            do=put_parts_back(path_of(change)),
            line=line,
        )
        return
    # A human may record what an earlier commit left out along with this step.
    whole = len(entries) == 1 or (view.by_human and _follow(change.both[0], entries))
    if entries and whole and _fits(entries[-1], move, view):
        return
    if not entries and change.is_claim and view.by_agent:
        return  # CD301 tells what a claim lacks
    verb = of_move(move, change.id, agent=view.by_agent)
    told = FIX_FILLS if not entries else verb
    if not entries:
        found = f"state_transitions has no entry for {move[0]} -> {move[1]}"
    elif len(entries) > 1:
        found = f"{len(entries)} new entries for one transition"
    else:
        entry = entries[0]
        found = f"the new entry says {entry.get('from')} -> {entry.get('to')} by {entry.get('by')}"
    yield Breach(
        found=found,
        expected=f"one entry: from: {move[0]}, to: {move[1]}, by: {view.actor}, with a timestamp",
        do=(f"{NEXT_TIME}{told}",) if view.by_human else instead(view, change, verb, by_hand(view, "write that entry")),
        line=line,
        severity=severity,
    )
