"""A merge gives each task what its sides agree on: the one version that went on, whole.

Why: what merges clean as text is not thereby right; a merge must not slip in a change of its own.

Refused: a merge whose version of a task is not the one that all other sides yield to, by anybody.

Accepted: merges that Git makes of changes to different tasks; a change of one's own in a commit of its own.

Do: take the side's version as it is: git checkout --theirs (or --ours) -- FILE, then commit further edits separately.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import MergeView

CODE, NAME, SPEC = "CD501", "merge-differs", "Codifica 0.2, 8.2; codifica-guard, merges"
SEVERITY, ABOUT = Severity.ERROR, About.MERGE


def check(view: MergeView) -> Iterator[Breach]:
    """Judge tasks that one side's version wins."""
    for item in view.decided:
        if item.kind == "record" and not item.conflict:
            yield Breach(
                found=f"the merge's {item.name} is not the version that the other sides yield to",
                expected="the newest version, byte for byte; edits of your own in a commit of their own",
                do=("redo the merge and leave the task as its side has it",),
                path=item.path,
                line=item.own.line if item.own else None,
                task=item.task,
            )
