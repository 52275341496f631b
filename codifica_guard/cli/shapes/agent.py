"""The JSON of an agent's commands: claim, note, submit, resume, done."""

from typing import Final, Literal

from typing_extensions import TypedDict


class DependencyData(TypedDict):
    """A task that had to be done first."""

    id: str
    summary: str | None
    """What came of it, in one line."""
    artifacts: list[str]
    """The files that it made."""


class BriefData(TypedDict):
    """What whoever takes a task reads; pushed text, so escape it before it is shown."""

    description: str | None
    acceptance: list[str]
    checklist: list[str]
    constraints: list[str]
    files: list[str]
    """Files to read first."""
    references: list[str]
    """Other things to read first."""
    notes: list[str]
    returned: str | None
    """Why it came back; null where that was not the last thing that happened to it."""
    returned_by: str | None
    """Who sent it back."""
    handed_in: str | None
    """The commit that was handed in before."""
    dependencies: list[DependencyData]


class TakenData(TypedDict):
    """A task that somebody takes."""

    task: str
    """The task's id."""
    title: str | None
    type: str | None
    priority: str | None
    owner: str
    """Who holds it now."""
    branch: str
    """The branch that its work lives on."""
    switch: str
    """The command that leads there."""
    brief: BriefData
    commit: str | None
    """The full id of the commit that took it; null in a dry run, and where nothing had to be done."""
    session: str | None
    """The session that holds it."""
    token: str | None
    """The file of the new writer token, a secret; null where none was made."""
    already: bool
    """Whether this session held it before."""


class ClaimedData(TakenData):
    """A claim that holds."""

    tries: int
    """How often it was tried, since others were faster with other tasks."""


class NotClaimedData(TypedDict):
    """A claim that was lost, or that found nothing."""

    task: str | None
    """The id of the lost task; null where none was named."""
    owner: str | None
    """Who has it."""
    state: str | None
    free: list[str]
    """Tasks that are free instead, the best one first."""
    waiting: list[str]
    """Where nothing is free: tasks that will be, once others have ended theirs."""


class LeftData(TypedDict):
    """What the old session pushed."""

    branch: str
    tip: str
    """The full id of its newest commit."""
    commits: int
    """How many commits lie beyond the coordination branch."""


class ResumedData(TakenData):
    """A claim that was taken over."""

    fenced_off: str | None
    """The session that held it before, as far as it is named."""
    left_behind: LeftData | None
    """What it pushed; null where it pushed nothing."""


class NoteData(TypedDict):
    """A note."""

    task: str
    """The task's id."""
    ask: Literal["block", "release", "change"] | None
    """What a human is asked for."""
    commit: str | None
    """The full id of the commit; null in a dry run."""


class HandedInWork(TypedDict):
    """The work behind a hand-in."""

    name: str
    """What it is called: a branch, or what was typed."""
    commit: str
    """The commit's full id."""


HandInData = TypedDict(
    "HandInData",
    {  # no class can have the key `from`
        "task": str,
        "from": str,
        "to": str,
        "commit": str | None,
        "work": HandedInWork | None,
        "uncommitted": list[str],
        "waits_for": list[str],
        "missing_artifacts": list[str],
    },
)


class SubmitData(HandInData):
    """A task that was handed in, from one state to another.

    `commit` is null in a dry run, `work` where nothing lies beyond the coordination branch. `uncommitted` are changed files that
    no commit holds, `waits_for` the humans who may approve it, `missing_artifacts` those named artifacts that are neither in the
    work nor on the coordination branch.
    """


class DoneData(HandInData):
    """A task that was closed, as `submit` has it."""

    already: bool
    """Whether it was closed before."""


SHAPES: Final = {
    "claim": ClaimedData | NotClaimedData,
    "note": NoteData,
    "submit": SubmitData,
    "resume": ResumedData,
    "done": DoneData,
}
"""Command to what its envelope holds."""
