"""A note's summary is one line of at most 120 characters.

Why: summaries are what the next agent and the reviewer scan; a page of text is no summary.

Refused: a new note whose `summary` has 121 characters, or two lines.

Accepted: 120 characters of any script; the long text belongs into `note`.

Do: shorten the summary; `git codifica submit` and `git codifica note` look at its length themselves.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import mend
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD109", "summary-length", "Codifica 0.2, 5"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

LENGTH = 120


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge the summaries of new notes."""
    if view.actor is None:
        return
    for note in change.new_entries("execution_notes"):
        summary = note.get("summary")
        if not isinstance(summary, str):
            continue
        summary = summary.strip("\n")
        lines = summary.split("\n")
        if len(lines) > 1 or len(summary) > LENGTH:
            told = f"{len(lines)} lines" if len(lines) > 1 else f"{len(summary)} characters"
            yield Breach(
                found=f"a summary of {told}",
                expected=f"one line of at most {LENGTH} characters",
                do=mend(view, "shorten the summary"),
                line=change.line_of("execution_notes"),
            )
