"""Which tasks an agent may take next, best first: clause 5.1."""

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, TaskId
from codifica_guard.model.policy import CodificaConfig
from codifica_guard.packs.codifica.vocabulary import PRIORITIES, UNASSIGNED
from codifica_guard.rules.snapshot import Snapshot


def unmet(task: Task, snapshot: Snapshot) -> tuple[str, ...]:
    """Dependencies of a task that are not done, or are not there."""
    found = []
    for name in task.texts("depends_on"):
        other = snapshot.task(TaskId(name))
        if other is None or other.state != "done":
            found.append(name)
    return tuple(found)


def free_for(actor: Principal | None, snapshot: Snapshot, config: CodificaConfig) -> list[Task]:
    """Tasks in todo that are the agent's or unassigned, with dependencies done: by priority, leaves first, then by place."""
    free = []
    for record, task in snapshot.holding(b"todo"):
        mine = task.owner in {UNASSIGNED, actor}
        build = task.type == "build" or task.type in config.custom_types
        if (
            task.state != "todo"
            or not mine
            or task.type == "review"
            or (build and not task.texts("acceptance"))
            or unmet(task, snapshot)
        ):
            continue
        priority = task.text("priority") or "normal"
        rank = PRIORITIES.index(priority) if priority in PRIORITIES else len(PRIORITIES)
        free.append((rank, bool(task.texts("depends_on")), record.path, record.line, task))
    return [row[-1] for row in sorted(free, key=lambda row: row[:-1])]
