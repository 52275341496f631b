"""Two versions of one task meet in a merge and do not join: a human chooses, and signs.

Changes of different fields join by themselves, and so do notes, artifacts and labels that both sides appended. What does not:
two states or histories, one field with two new values, an archival or a deletion against an edit, two archivals to different places.

Why: whoever merges would otherwise decide who won the race, or whose criteria hold.

Refused: such a merge that no human signed; a choice that drops notes or artifacts, or whose state is neither side's nor one legal
step from it.

Accepted: a human's signed merge that takes one side's state and keeps everybody's notes.

Do: let a human merge, or give way and take your own step again:

    git merge -S                                   (a human)
    git fetch && git branch set-aside && git reset --hard origin/main
    git codifica show ID
"""

from collections.abc import Iterator

from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, short, show_path
from codifica_guard.packs.codifica import cd105, cd203, cd205, cd206
from codifica_guard.packs.codifica.vocabulary import TABLE
from codifica_guard.rules.advice import SET_ASIDE, UNMERGE
from codifica_guard.rules.commands import log, show
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Record
from codifica_guard.rules.view import CommitView, MergeItem, MergeView, TaskChange
from codifica_guard.state.merge import LIFE

CODE, NAME, SPEC = "CD502", "two-histories", "Codifica 0.2, 8.4; codifica-guard, merges"
SEVERITY, ABOUT = Severity.ERROR, About.MERGE

AGAIN = f"merge again, and take one side's state and history whole: {UNMERGE}, then git merge -S"


NEW_ID = (f"undo the merge, give one of the two tasks a free id in a commit of its own, and merge again: {UNMERGE}",)


def _among(part: object, whole: object) -> bool:
    """Whether all entries of a list stand in another, in their order."""
    if not isinstance(part, list):
        return True
    rest = iter(whole if isinstance(whole, list) else [])
    return all(any(entry == other for other in rest) for entry in part)


def _one_step(side: Record, own: Record, item: MergeItem, view: CommitView) -> bool:
    """Whether the merge's life of a task is one legal transition from a side's."""
    change = TaskChange(id=item.task, before=side, after=own)
    if change.transition not in TABLE or len(change.new_entries("state_transitions")) != 1:
        return False
    breaches = [b for rule in (cd203, cd205, cd206) for b in rule.check(change, view)]
    return not any(b.severity in {None, Severity.ERROR} for b in breaches)


def _untouched(record: Record) -> bool:
    """Whether a human may delete the task."""
    task = record.task()
    return task is not None and cd105.untouched(task)


def _wrong(item: MergeItem, task: Task, sides: list[tuple[Record, Task]], view: CommitView) -> str | None:
    """What is wrong with a human's choice; None if nothing is."""
    for name in ("execution_notes", "artifacts"):
        if not all(_among(side.data.get(name), task.data.get(name)) for _, side in sides):
            return f"{name} of a side are lost"
    chosen = {name: task.data.get(name) for name in LIFE}
    if any({name: side.data.get(name) for name in LIFE} == chosen for _, side in sides):
        return None
    if item.own is not None and any(_one_step(record, item.own, item, view) for record, _ in sides):
        return None
    return "its state and history are neither side's, nor one step from a side's"


def _side(record: Record | None, commit: ObjectId) -> str:
    """One side's version in a few words: where it stands, in which commit, and how."""
    if record is None:
        return f"gone in {short(commit)}"
    task = record.task()
    words = f"{task.state or 'no state'}, {task.owner or 'no owner'}" if task is not None else "unreadable"
    return f"{show_path(record.path)}:{record.line} in {short(commit)}: {words}"


def _clash(item: MergeItem) -> str:
    """What of a task does not join."""
    if item.clash in {(), ("task",)}:
        return ""
    words = ["state and history" if name == "state" else name for name in item.clash]
    return f", with different {', '.join(words)}"


def judge(item: MergeItem, view: CommitView) -> Iterator[Breach]:
    """Judge one task whose versions conflict."""
    line = item.own.line if item.own else None
    if not view.by_human:
        versions = " | ".join(_side(*pair) for pair in zip(item.sides, view.commit.parents, strict=True))
        yield Breach(
            found=f"two versions of {item.name} meet{_clash(item)} ({versions}), "
            f"and {view.actor or 'nobody'} chose between them",
            expected="a human's signature on the choice",
            do=(
                *(NEW_ID if item.twice else ()),
                "let a human merge and sign: git merge -S",
                f"or give way: {SET_ASIDE}, then see what to do: {show(item.task)}",
            ),
            path=item.path,
            line=line,
            task=item.task,
        )
        return
    if item.own is None and None in item.sides and all(_untouched(record) for record in item.sides if record):
        return
    task = item.own.task() if item.own else None
    sides = [(record, side) for record in item.sides if record is not None and (side := record.task()) is not None]
    wrong = "the task is gone, or cannot be read" if task is None else _wrong(item, task, sides, view)
    if wrong:
        yield Breach(
            found=f"the choice for {item.name} does not hold: {wrong}",
            expected="one side's state and history, and the notes and artifacts of all sides",
            do=(AGAIN, f"where the sides stand: {log(item.task)}"),
            path=item.path,
            line=line,
            task=item.task,
        )


def check(view: MergeView) -> Iterator[Breach]:
    """Judge tasks whose versions conflict."""
    for item in view.decided:
        if item.kind == "record" and item.conflict and not item.twice:
            yield from judge(item, view.commit)
