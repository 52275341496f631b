"""One broken rule, as a value."""

from enum import Enum

from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.model.value import value


class Severity(Enum):
    """What a finding does: an error refuses, a warning is told."""

    ERROR = "error"
    WARNING = "warning"


@value
class Finding:
    """One broken rule: where, what was found, what was expected, what to do next.

    Attributes:
        code: the rule's code.
        name: the rule's short name.
        severity: whether it refuses.
        found: what is there; may repeat pushed text, which reports escape.
        expected: what ought to be there; may be empty.
        do: commands or words, one a line; may be empty.
        path, line, column: the place in the tree; None where it says nothing.
        task: the task that it is about.
        commit: the commit that it is about.
        ref: the ref that it is about.
        actor: the proven principal.
    """

    code: str
    name: str
    severity: Severity
    found: str
    expected: str = ""
    do: tuple[str, ...] = ()
    path: RepoPath | None = None
    line: int | None = None
    column: int | None = None
    task: TaskId | None = None
    commit: ObjectId | None = None
    ref: bytes | None = None
    actor: str | None = None


@value
class Verdict:
    """What a push came to."""

    findings: tuple[Finding, ...] = ()

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that refuse."""
        return tuple(f for f in self.findings if f.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are told only."""
        return tuple(f for f in self.findings if f.severity is Severity.WARNING)

    @property
    def accepted(self) -> bool:
        """Whether the push may go in."""
        return not self.errors
