"""The JSON of commands about the guard itself: demo, completion, schema, merge-driver, version; and of calls that name no command."""

from typing import Any, Final, Literal

from typing_extensions import TypedDict


class DemoStep(TypedDict):
    """One command of a scene."""

    who: str
    """Who types it."""
    typed: str
    """What is typed."""
    exit: int
    """The exit code that it had."""
    due: str | None
    """The rule by which the server had to refuse it; null for what had to go through, or to be told by the verb itself."""
    fault: str | None
    """What is not as it has to be."""


class DemoScene(TypedDict):
    """One scene."""

    title: str
    steps: list[DemoStep]


class DemoMove(TypedDict):
    """One transition on the demo's main branch."""

    task: str
    """The task's id."""
    move: str
    """Its states: from -> to."""
    who: str
    """The proven principal, or nobody."""
    proof: str
    """How that is proven, in words."""
    commit: str
    """The commit's short id."""


class DemoData(TypedDict):
    """What the scenes came to."""

    scenes: list[DemoScene]
    history: list[DemoMove]
    """Every transition, the oldest first."""
    page: str | None
    """The page of the audit; null where none was asked for."""
    faults: list[str]
    """What is not as it has to be, over all scenes."""


class SchemaData(TypedDict):
    """The schemas of the JSON."""

    names: list[str]
    """What there is a schema of."""
    schema: dict[str, Any] | None
    """The JSON Schema that was asked for; null where no name was given."""


class CompletionData(TypedDict):
    """What makes a shell complete."""

    shell: str
    script: str


class MergedData(TypedDict):
    """How a state document was merged, for Git."""

    path: str | None
    """The document; null where it was not named."""
    by: Literal["tasks", "lines"]
    """Task by task, or line by line, where that could not be."""
    conflicts: list[str]
    """Ids of the tasks that stand between conflict markers."""


class VersionData(TypedDict):
    """Which guard this is."""

    version: str


SHAPES: Final = {
    "demo": DemoData,
    "completion": CompletionData,
    "schema": SchemaData,
    "merge-driver": MergedData,
    "version": VersionData,
    "usage": None,
}
"""Command to what its envelope holds; `usage` answers a call that names no command that there is, and its data is null."""
