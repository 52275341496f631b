"""Which tasks somebody may take next, best first: clause 5.1."""

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, TaskId, is_human
from codifica_guard.model.policy import CodificaConfig
from codifica_guard.packs.codifica.vocabulary import PRIORITIES, UNASSIGNED, follows_build, owns
from codifica_guard.rules.snapshot import Snapshot


def has_criteria(task: Task) -> bool:
    """Whether a task has acceptance criteria that say something."""
    return any(text.strip() for text in task.texts("acceptance"))


def unmet(task: Task, snapshot: Snapshot) -> tuple[str, ...]:
    """Dependencies of a task that are not done, or are not there."""
    found = []
    for name in task.texts("depends_on"):
        other = snapshot.task(TaskId(name))
        if other is None or other.state != "done":
            found.append(name)
    return tuple(found)


def free_for(actor: Principal | None, snapshot: Snapshot, config: CodificaConfig) -> list[Task]:
    """Tasks in todo that are somebody's or unassigned, with dependencies done: by priority, leaves first, then by place.

    Reviews are for people only; what follows build needs acceptance criteria.
    """
    free = []
    for record, task in snapshot.in_state("todo"):
        mine = task.owner == UNASSIGNED or owns(task.owner, actor)
        build = follows_build(task, config)
        if (
            not mine
            or (task.type == "review" and not is_human(actor))
            or (build and not has_criteria(task))
            or unmet(task, snapshot)
        ):
            continue
        priority = task.text("priority") or "normal"
        rank = PRIORITIES.index(priority) if priority in PRIORITIES else len(PRIORITIES)
        free.append((rank, bool(task.texts("depends_on")), record.path, record.line, task))
    return [row[-1] for row in sorted(free, key=lambda row: row[:-1])]
