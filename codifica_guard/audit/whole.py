"""Everything that an audit tells, from what the replay came to: keys, changes of the policy and tasks with it."""

from collections.abc import Iterator
from typing import Final

from codifica_guard import __version__
from codifica_guard.audit.keyring import keyring
from codifica_guard.audit.replayed import Replayed
from codifica_guard.audit.standing import tasks_at
from codifica_guard.audit.trust_changes import trust_changes
from codifica_guard.engine.world import World, state_files
from codifica_guard.errors import LimitExceeded
from codifica_guard.model.audited import Audit, TaskNow
from codifica_guard.model.ids import show_path

NAMED: Final = 5
"""Documents that a note names."""


def whole(world: World, found: Replayed, name: str) -> Audit:
    """The audit of a history that was judged.

    Args:
        world: what is read.
        found: what the replay came to.
        name: a name of the repository, for people.

    Raises:
        RepositoryError: an object that is needed is missing or damaged.
    """
    changes = tuple(trust_changes(world, (made for made in found.made if made.trust)))
    keys = keyring(world, found.anchor.commit, found.tip, changes, found.made, found.served)
    tasks, doubts = _tasks(world, found)
    codifica = found.policy.codifica
    return Audit(
        name=name,
        guard=__version__,
        ruleset=found.ruleset,
        preview=found.ruleset != found.policy.guard.ruleset,
        anchor=found.anchor,
        branches=found.branches,
        chain=found.chain,
        acts=found.acts,
        findings=found.findings,
        notes=(*found.notes, *doubts),
        keys=keys,
        policies=changes,
        pauses=found.pauses,
        introductions=found.introductions,
        tasks=tasks,
        stale_hours=float(codifica.stale_claim_hours) if codifica is not None else None,
    )


def _tasks(world: World, found: Replayed) -> tuple[tuple[TaskNow, ...], tuple[str, ...]]:
    """The tasks at the tip, and what of them cannot be told."""
    try:
        return tasks_at(world, found.tip, found.policy), tuple(_unread(world, found))
    except LimitExceeded as error:
        return (), (f"the tasks as they stand are not told: {error}",)


def _unread(world: World, found: Replayed) -> Iterator[str]:
    snapshot = world.snapshot(world.store.commit(found.tip).tree, state_files((found.policy,)))
    names = [show_path(path) for path, document in sorted(snapshot.documents.items()) if not document.splittable]
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        yield f"the tasks of {', '.join(names[:NAMED])}{more} are not told: it cannot be read as it stands"
