"""An agent hands in with a closing note that has a summary.

Why: the next agent and the reviewer read the summary instead of the whole session.

Refused: in_progress -> to_be_tested or done by an agent whose newest note since its claim has no `summary`, or that has no note.

Accepted: the closing note in the same commit, or in an earlier one since the claim. Under version 0.1 it is only told.

Do: hand in by the verb, or add an execution note with by, note, summary and timestamp by hand:

    git codifica submit ID --summary "one line" --artifact path:type
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.times import SKEW, parse_time
from codifica_guard.packs.codifica.history import last_claim
from codifica_guard.rules.advice import NEXT_TIME, by_hand, instead
from codifica_guard.rules.commands import submit
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD210", "closing-note", "Codifica 0.2, 5 and 12.2"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

HAND_IN = (("in_progress", "to_be_tested"), ("in_progress", "done"))
NOTE = "add to execution_notes: by, note, summary, timestamp"


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's hand-in."""
    if not view.by_agent or change.transition not in HAND_IN or change.new is None or change.old is None:
        return
    claim = last_claim(change.old)
    claimed = parse_time(claim.get("timestamp")) if claim else None
    notes = [n for n in change.new.entries("execution_notes") if n.get("by") == view.actor]
    newest = notes[-1] if notes else None
    if newest is not None:
        written = parse_time(newest.get("timestamp"))
        if claimed is not None and written is not None and written < claimed - SKEW:
            newest = None
    summary = newest.get("summary") if newest else None
    if isinstance(summary, str) and summary.strip():
        return
    told = view.codifica.version == "0.1"
    yield Breach(
        found="no note since the claim" if newest is None else "the newest note has no summary",
        expected=f"an execution note by {view.actor} with a summary in one line",
        do=(f"{NEXT_TIME}{submit(change.id)}",)
        if told
        else instead(view, change, submit(change.id), by_hand(view, NOTE)),
        line=change.line_of("execution_notes"),
        severity=Severity.WARNING if told else None,
    )
