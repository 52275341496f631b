"""What a finished task lists as its artifacts can be found.

Why: an artifact that is nowhere helps nobody who reads the task later.

Refused: nothing; this is a warning, on reaching done.

Accepted: a file in the commit's tree, or in the commit that `provenance.commit_sha` of the hand-in names.

Do: correct the path, or merge the branch that holds it. The verb names the commit with the work, so that it can be found:

    git codifica submit ID --summary "one line" --artifact path:type
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, RepoPath
from codifica_guard.rules.advice import NEXT_TIME
from codifica_guard.rules.commands import submit
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD413", "artifact-missing", "Codifica 0.2, 8.2"
SEVERITY, ABOUT = Severity.WARNING, About.TASK

COMMITS = 8
"""Commits that are looked into, the newest named ones: each look reads trees."""


def _handed_in(change: TaskChange) -> Iterator[ObjectId]:
    for name in ("state_transitions", "execution_notes"):
        for entry in change.new.entries(name) if change.new else ():
            provenance = entry.get("provenance")
            sha = provenance.get("commit_sha") if isinstance(provenance, dict) else None
            if isinstance(sha, str) and len(sha) in {40, 64}:
                yield ObjectId(sha.encode("ascii", "replace"))


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge the artifacts of a task that is done now."""
    if view.actor is None or not change.transition or change.transition[1] != "done" or change.new is None:
        return
    handed_in = [*dict.fromkeys(_handed_in(change))][-COMMITS:]
    for artifact in change.new.entries("artifacts"):
        name = artifact.get("path")
        if not isinstance(name, str) or not name:
            continue
        path = RepoPath(name.encode("utf-8", "surrogateescape"))
        if not view.exists(path, None) and not any(view.exists(path, commit) for commit in handed_in):
            yield Breach(
                found=f"artifact {name} is neither in this tree nor in the handed-in commit",
                do=(f"{NEXT_TIME}{submit(change.id)}",),
                line=change.line_of("artifacts"),
            )
