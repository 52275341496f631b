"""What was recorded stays: transitions and notes are only ever added to, at the end.

Why: a history that can be rewritten proves nothing.

Refused: a recorded entry that is changed, shortened, reordered or removed, by anybody; `git revert` of a claim.

Accepted: new entries below the old ones.

Do: put the old entries back and write a new one that corrects them:

    git restore --source=HEAD~1 -p -- FILE
    git codifica note ID "text"
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.advice import path_of, put_parts_back
from codifica_guard.rules.commands import note
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD208", "history-rewritten", "Codifica 0.2, 3.2"
SEVERITY, ABOUT, LIFTED = Severity.ERROR, About.TASK, True


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge the recorded lists of a task that both sides hold."""
    pair = change.both
    if view.actor is None or pair is None:
        return
    for name in ("state_transitions", "execution_notes"):
        old, new = pair[0].data.get(name) or [], pair[1].data.get(name) or []
        if not isinstance(old, list) or not old or (isinstance(new, list) and new[: len(old)] == old):
            continue
        kept = 0
        if isinstance(new, list):
            while kept < min(len(old), len(new)) and old[kept] == new[kept]:
                kept += 1
        yield Breach(
            found=f"{name}: entry {kept + 1} of {len(old)} is not what was recorded",
            expected="recorded entries stay; new ones come below them",
            do=(
                *put_parts_back(path_of(change)),
                f"correct it by a new entry: {note(change.id)}"
                if view.by_agent
                else "add a new entry that corrects it",
            ),
            line=change.line_of(name),
        )
