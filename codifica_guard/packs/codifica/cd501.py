"""A merge gives each task what its sides come to: one side's version where it went on, else both, field by field.

Where only one side changed a task, its version is taken byte for byte. Where both did, different fields join, and so do notes,
artifacts and labels that both appended, by time.

Why: what merges clean as text is not thereby right; a merge must not slip in a change of its own, nor lose one.

Refused: a merge whose version of a task is not that, by anybody: `-s ours`, `-X theirs` and a text union often give such.

Accepted: what `git merge` makes in a clone with the guard (its merge driver does just this), edits of one's own in a commit of
their own.

Do: merge again with the guard in the clone:

    git reset --hard HEAD~1 && codifica-guard install . && git merge BRANCH
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import UNMERGE
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import MergeItem, MergeView
from codifica_guard.state.merge import frozen

CODE, NAME, SPEC = "CD501", "merge-differs", "Codifica 0.2, 8.4; codifica-guard, merges"
SEVERITY, ABOUT = Severity.ERROR, About.MERGE


AGAIN = f"merge again, by the guard's merge driver: {UNMERGE}, then codifica-guard install . and git merge"
NEW = (
    f"put it into a commit of its own, on its side before the merge or after it; the merge again: {UNMERGE}, git merge"
)


def _differs(item: MergeItem) -> str:
    """What the merge did not take, in words."""
    if not any(item.sides):
        return f"the merge brings {item.name}, which none of its sides has"
    if item.together is None:
        return f"the merge's {item.name} is not the version that the other sides yield to"
    task = item.own.task() if item.own is not None else None
    if task is None:
        return f"the merge's {item.name} is gone or cannot be read, and its sides join"
    names = [
        name
        for name in dict.fromkeys((*item.together, *task.data))
        if (name in item.together, frozen(item.together.get(name))) != (name in task.data, frozen(task.data.get(name)))
    ]
    if not names:
        names = ["its comments" if all(side is None or side.path == item.path for side in item.sides) else "its place"]
    return f"the merge's {item.name} is not what its sides come to together: {', '.join(names)}"


def check(view: MergeView) -> Iterator[Breach]:
    """Judge tasks whose sides come to something without anybody's choice."""
    for item in view.decided:
        if item.kind == "record" and not item.conflict:
            whole = item.together is None
            yield Breach(
                found=_differs(item),
                expected="the newest version, byte for byte; edits of your own in a commit of their own"
                if whole
                else "different fields of both sides, and all notes by time; edits of your own in a commit of their own",
                do=(AGAIN if any(item.sides) else NEW,),
                path=item.path,
                line=item.own.line if item.own else None,
                task=item.task,
            )
