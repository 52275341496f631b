"""The words of the protocol: states, types, priorities, owners, and the table of transitions."""

from enum import Enum
from typing import Final

from codifica_guard.model.document import Task
from codifica_guard.model.ids import NAME, Principal, is_human
from codifica_guard.model.policy import CodificaConfig

STATES: Final = ("todo", "in_progress", "to_be_tested", "done", "blocked", "rejected")
TYPES: Final = ("build", "test", "review", "investigate", "followup")
PRIORITIES: Final = ("critical", "high", "normal", "low")
UNASSIGNED: Final = "unassigned"


class Who(Enum):
    """Who may make a transition."""

    ANYBODY = "an agent or a human"
    OWNER = "the owner"
    OWNER_OR_HUMAN = "the owner or a human"
    HUMAN = "a human"


TABLE: Final = {
    ("todo", "in_progress"): Who.ANYBODY,
    ("in_progress", "to_be_tested"): Who.OWNER,
    ("in_progress", "done"): Who.OWNER,
    ("to_be_tested", "done"): Who.OWNER_OR_HUMAN,
    ("to_be_tested", "todo"): Who.OWNER_OR_HUMAN,
    ("todo", "blocked"): Who.HUMAN,
    ("in_progress", "blocked"): Who.HUMAN,
    ("to_be_tested", "blocked"): Who.HUMAN,
    ("done", "blocked"): Who.HUMAN,
    ("rejected", "blocked"): Who.HUMAN,
    ("blocked", "todo"): Who.HUMAN,
    ("blocked", "in_progress"): Who.HUMAN,
    ("todo", "rejected"): Who.HUMAN,
    ("blocked", "rejected"): Who.HUMAN,
    ("in_progress", "rejected"): Who.HUMAN,
    ("rejected", "todo"): Who.HUMAN,
    ("done", "todo"): Who.HUMAN,
    ("in_progress", "todo"): Who.HUMAN,
}
"""From and to, and who may: clauses 7.1 and 7.2."""


def follows_build(task: Task, config: CodificaConfig) -> bool:
    """Whether a task is tested before it is done, and needs acceptance criteria: of type build, or of a custom type."""
    return task.type == "build" or task.type in config.custom_types


def types(config: CodificaConfig) -> tuple[str, ...]:
    """The types that a repository knows."""
    return (*TYPES, *config.custom_types)


def is_owner_form(owner: str) -> bool:
    """Whether an owner is written as the protocol has it: human, human:<name>, agent:<name>, unassigned."""
    kind, colon, name = owner.partition(":")
    if not colon:
        return owner in {"human", UNASSIGNED}
    return kind in {"human", "agent"} and NAME.fullmatch(name) is not None


def owns(owner: str | None, actor: Principal | None) -> bool:
    """Whether a principal is the owner; `human` means any human."""
    if actor is None or owner is None:
        return False
    return owner == actor or (owner == "human" and is_human(actor))


def is_signer(name: object, actor: Principal | None) -> bool:
    """Whether a name in `by` or `reviewer` means the signer; people may leave out the prefix, or write `human`."""
    if not isinstance(name, str) or actor is None:
        return False
    return name == actor or (is_human(actor) and name in {"human", actor.partition(":")[2]})
