"""Bounded looks back in history."""

from codifica_guard.engine.world import StateFiles, World
from codifica_guard.git.history import first_parents
from codifica_guard.limits import HISTORY_WALK
from codifica_guard.model.ids import ObjectId, TaskId


def last_change(
    world: World, start: ObjectId, files: StateFiles, task: TaskId, *, most: int = HISTORY_WALK, older: int = 0
) -> ObjectId | None:
    """The commit on the first-parent line from a start that last changed a task.

    Args:
        world: what is read.
        start: where to begin.
        files: which documents hold tasks.
        task: the task.
        most: commits that are looked at; None is the answer where it did not change in them.
        older: seconds since the epoch: a commit that is older ends the walk, as if it had changed the task.
    """
    wanted, newer = None, None
    for number, oid in enumerate(first_parents(world.store, start)):
        if number >= most:
            return None
        commit = world.store.commit(oid)
        record = world.snapshot(commit.tree, files).record(task)
        if record is None or (newer is not None and record.raw != wanted):
            return newer
        wanted, newer = record.raw, oid
        if commit.committer_time < older:
            return oid
    return newer


def introduction_behind(world: World, tip: ObjectId, *, bounded: bool = True) -> ObjectId | None:
    """The commit that brought guard.json into a tip's history, first parents first.

    None for a tip without one, and, where the search is bounded, one that is not found among `HISTORY_WALK` commits.
    """
    if world.trust_ids(tip)[0] is None:
        return None
    seen, queue = {tip}, [tip]
    while not bounded or len(seen) <= HISTORY_WALK:
        oid = queue.pop()
        parents = [p for p in world.store.commit(oid).parents if world.trust_ids(p)[0] is not None]
        if not parents:
            return oid
        for parent in reversed(parents):
            if parent not in seen:
                seen.add(parent)
                queue.append(parent)
    return None
