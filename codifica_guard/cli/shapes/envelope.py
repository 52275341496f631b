"""The object that every command prints under `--json`."""

from typing import Generic, Literal, TypeVar

from typing_extensions import TypedDict

Data = TypeVar("Data")


class AsOf(TypedDict):
    """The state of the tasks that an answer is about."""

    commit: str | None
    """The full id of the commit of the coordination branch that was looked at."""
    fetched: str | None
    """When the remote was last asked for it, such as 2026-12-01T09:14:02Z; null where that is not known."""


class FindingData(TypedDict):
    """A broken rule."""

    code: str
    """The rule's code, such as CD303."""
    name: str
    """The rule's name, such as lost-race."""
    severity: Literal["error", "warning"]
    """An error refuses, a warning is told."""
    path: str | None
    """The file that it is about, relative to the root of the repository."""
    line: int | None
    """The line in the file, from 1."""
    column: int | None
    """The column in the line, from 1."""
    task: str | None
    """The id of the task that it is about."""
    commit: str | None
    """The full id of the commit that it is about."""
    actor: str | None
    """The proven principal of the commit."""
    found: str
    """What is there; may repeat pushed text, so escape it before it is shown."""
    expected: str | None
    """What ought to be there."""
    do: list[str]
    """Commands or words that mend it, one an item, in order."""
    doc: str
    """The rule's page, relative to the root of the guard's own repository."""


class Envelope(TypedDict, Generic[Data]):
    """What a command came to: exactly one such object on standard output, errors and wrong usage too."""

    schema: str
    """Which answer this is, and in which version."""
    ok: bool
    """Whether the exit code is 0."""
    exit: int
    """The exit code: 0 done, 1 a rule is broken, 2 wrong usage, 3 cannot tell, 4 lost: somebody was first, 5 nothing to do, 6 needs a human or another principal, 7 try again later, 130 interrupted."""
    as_of: AsOf | None
    """The state of the tasks that the answer is about; null where no task was looked at."""
    error: str | None
    """Why it did not come to exit code 0, as people are told; may have several lines, and repeat pushed text in ASCII."""
    data: Data | None
    """What the command says; null where it did not come to that."""
    findings: list[FindingData]
    """Broken rules."""
    next: list[str]
    """Commands to run next, the best one first."""
