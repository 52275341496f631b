"""What holds on every side of a merge holds after it.

Why: two sides may each be within a limit and break it together: two claims, two halves of a circle, one id twice.

Refused: a merge after which a rule about the whole (CD101-CD104, CD305, CD306, CD308, CD309) is broken that no side broke.

Accepted: faults that a side had already.

Do: mend one side first, then merge; `git codifica check` judges both before you push.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId
from codifica_guard.packs.codifica import cd101, cd102, cd103, cd104, cd305, cd306, cd308, cd309
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.rules.view import CommitView, MergeView

CODE, NAME, SPEC = "CD504", "merge-breaks", "Codifica 0.2, 8.4; codifica-guard, merges"
SEVERITY, ABOUT = Severity.ERROR, About.MERGE

WHOLE = (cd101, cd102, cd103, cd104, cd305, cd306, cd308, cd309)


def _broken(snapshot: Snapshot, ids: list[TaskId], view: CommitView) -> dict[tuple[str, TaskId, str], Breach]:
    """Breaches of rules about the whole by the named tasks: by rule, task and text."""
    found = {}
    for name in ids:
        for record in snapshot.records.get(name, ())[:1]:
            task = record.task()
            if task is None:
                continue
            for rule in WHOLE:
                for breach in rule.standing(record, task, snapshot, view):
                    found[rule.CODE, name, breach.found] = breach
    return found


def check(view: MergeView) -> Iterator[Breach]:
    """Judge the tasks that differ from some side."""
    commit = view.commit
    after = commit.after
    differing = [
        i
        for i, records in after.records.items()
        if any(_raw(s, i) != tuple(r.raw for r in records) for s in commit.parents)
    ]
    known: set[tuple[str, TaskId, str]] = set()
    broken = _broken(after, differing, commit)
    if broken:
        for side in commit.parents:
            known |= _broken(side, differing, commit).keys()
    for (code, name, text), breach in broken.items():
        # Where doubles stand moves with the text around them, so they are counted.
        doubled = code == cd104.CODE and any(len(_raw(s, name)) >= len(_raw(after, name)) for s in commit.parents)
        if (code, name, text) not in known and not doubled:
            record = after.record(name)
            yield Breach(
                found=f"{code} {text}; no side of the merge breaks it",
                expected=breach.expected,
                do=("mend one side first, then merge",),
                path=breach.path or (record.path if record else None),
                line=breach.line,
                task=name,
            )


def _raw(snapshot: Snapshot, name: TaskId) -> tuple[bytes, ...]:
    return tuple(r.raw for r in snapshot.records.get(name, ()))
