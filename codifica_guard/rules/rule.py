"""What a rule is: a code that is never renumbered, and a pure check that yields breaches."""

from collections.abc import Callable, Iterator
from enum import Enum
from types import ModuleType
from typing import Any

from codifica_guard.errors import GuardError
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.model.value import value


class About(Enum):
    """What a rule looks at, and so what its check is given."""

    REF = "ref"
    """One ref update: `RefView`."""
    COMMIT = "commit"
    """One commit against its parents: `CommitView`."""
    TASK = "task"
    """One task's change in a commit with at most one parent: `TaskChange`, `CommitView`."""
    MERGE = "merge"
    """One merge: `MergeView`."""
    GUARD = "guard"
    """The guard itself: an exception."""
    AUDIT = "audit"
    """What an audit holds against a server's own records: `AuditView`. No push is judged by these."""


@value
class Breach:
    """One place where a rule is broken, as the rule's check tells it.

    Attributes:
        found: what is there.
        expected: what ought to be there.
        do: the next commands, one a line.
        path, line, column, task, commit: the place, where it differs from what the check was given.
        severity: only where it differs from the rule's own.
    """

    found: str
    expected: str = ""
    do: tuple[str, ...] = ()
    path: RepoPath | None = None
    line: int | None = None
    column: int | None = None
    task: TaskId | None = None
    commit: ObjectId | None = None
    severity: Severity | None = None


Check = Callable[..., Iterator[Breach]]


@value
class Rule:
    """One rule, ready to run.

    Attributes:
        code: such as `CD303`; never renumbered.
        name: a few words with hyphens.
        spec: the clause it enforces.
        severity: whether a breach refuses.
        about: what the check is given.
        check: yields breaches; no input or output, no clock.
        since: the first ruleset it refuses under.
        page: what the user reads: the rule's docstring.
        lifted: whether a migration by a maintainer lifts it.
        standing: whether `report` mode leaves it an error.
    """

    code: str
    name: str
    spec: str
    severity: Severity
    about: About
    check: Check
    page: str
    since: int = 1
    lifted: bool = False
    standing: bool = False


def rule_of(module: ModuleType) -> Rule:
    """The rule that a module holds.

    The module has `CODE`, `NAME`, `SPEC`, `SEVERITY`, `ABOUT`, `check` and a docstring, and may have `SINCE`, `LIFTED`
    (by a migration) and `STANDING` (an error in report mode too).

    Raises:
        GuardError: something is missing.
    """

    def get(name: str) -> Any:
        value = getattr(module, name, None)
        if value is None:
            raise GuardError(f"{module.__name__} has no {name}")
        return value

    return Rule(
        code=get("CODE"),
        name=get("NAME"),
        spec=get("SPEC"),
        severity=get("SEVERITY"),
        about=get("ABOUT"),
        check=get("check"),
        page=get("__doc__"),
        since=getattr(module, "SINCE", 1),
        lifted=getattr(module, "LIFTED", False),
        standing=getattr(module, "STANDING", False),
    )
