"""Execution notes are the working agent's, each under its own name.

Why: a note says who found out what; one under another's name puts words into his mouth.

Refused: a new note whose `by` is not the signer; a human's note; a note while the task is neither in_progress nor to_be_tested.

Accepted: the owner's notes, with the hand-in too.

Do: let the verb write it, or write your own name into `by`; people give a reason with what they decide:

    git codifica note ID "text"
    git codifica return ID -m "why"                (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.packs.codifica.vocabulary import is_signer, owns
from codifica_guard.rules import commands
from codifica_guard.rules.advice import by_hand, instead, path_of, put_parts_back
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD402", "note-by-another", "Codifica 0.2, 5"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge new notes."""
    notes = change.new_entries("execution_notes")
    if view.actor is None or not notes or change.old is None:
        return  # what comes with a new task is CD411's
    line = change.line_of("execution_notes")
    if view.by_human and not owns(change.old.owner, view.actor):
        yield Breach(
            found=f"an execution note by {view.actor}",
            expected="notes by the agent at work; people write human_review or a reason",
            do=(*put_parts_back(path_of(change)), f"what is to be said about it: {commands.give_back(change.id)}")
            if change.old.state == "to_be_tested"
            else put_parts_back(path_of(change)),
            line=line,
        )
        return
    for note in notes:
        by = note.get("by")
        if by != view.actor and not (view.by_human and is_signer(by, view.actor)):
            yield Breach(
                found=f"a note by {by}, signed by {view.actor}",
                expected=f"by: {view.actor}",
                do=instead(view, change, commands.note(change.id), by_hand(view, f"write `by: {view.actor}`")),
                line=line,
            )
    if change.old.state not in {"in_progress", "to_be_tested"} and not change.is_claim:
        yield Breach(
            found=f"a note on a task that is {change.old.state}",
            expected="notes while the task is in_progress or to_be_tested",
            do=instead(
                view, change, commands.claim(change.id) if change.old.state == "todo" else commands.show(change.id)
            ),
            line=line,
        )
