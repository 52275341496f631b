"""The JSON of people's verbs: new, assign, edit, approve, return, block, unblock, reject, reopen, reclaim, archive, fix."""

from typing import Final

from typing_extensions import TypedDict


class DecisionData(TypedDict):
    """A decision about one task."""

    task: str
    """The task's id."""
    before: str | None
    """The state that it was in."""
    state: str | None
    """The state that it is in now."""
    owner: str | None
    """Its owner now."""
    by: str
    """Who decided, and signed."""
    branch: str
    """The branch that got the commit."""
    commit: str | None
    """The full id of the commit; null in a dry run, and where there was nothing to change."""
    pushed: bool
    """Whether the remote has the commit."""
    frees: list[str]
    """The tasks that can be claimed from now on, since this was the last that they waited for."""


class ApproveData(TypedDict):
    """What was approved, in order."""

    approved: list[DecisionData]
    left: list[str]
    """The ids that were not come to, the one that failed first."""


class NewTask(TypedDict):
    """A task that was filed."""

    task: str
    """Its id."""
    title: str
    type: str
    owner: str
    path: str
    """The state document that it stands in."""
    line: int
    """The line of its head in the document, from 1."""
    startable: bool
    """Whether it can be claimed as it is, by its owner, or by whoever filed it where it has none."""
    by: str
    """Who filed it, and signed."""
    branch: str
    """The branch that got the commit."""
    commit: str | None
    """The full id of the commit; null in a dry run, and where there was nothing to change."""
    pushed: bool
    """Whether the remote has the commit."""


class EditData(TypedDict):
    """A task whose text was changed."""

    task: str
    """Its id."""
    path: str
    """The state document that it stands in."""
    line: int
    """The line of its head in the document, from 1."""
    fields: list[str]
    """The fields that say something else now; empty where nothing was done, and where the task could not be read before."""
    diff: list[str]
    """The change as a unified diff, a line an item; empty where nothing was done."""
    by: str
    """Who changed it, and signed."""
    branch: str
    """The branch that got the commit."""
    commit: str | None
    """The full id of the commit; null in a dry run, and where there was nothing to change."""
    pushed: bool
    """Whether the remote has the commit."""


class Moved(TypedDict):
    """A task that went to another place."""

    task: str
    """Its id."""
    state: str
    """The state that it is in."""
    source: str
    """The state document that it stood in."""
    path: str
    """The state document that it stands in now."""
    fence: int
    """Which of the document's yaml fences holds it, from 1."""
    line: int
    """The line of its head in the document, from 1."""


class ArchiveData(TypedDict):
    """Tasks that were archived, in one commit."""

    moved: list[Moved]
    """The tasks, in the order in which they were named; empty where all of them were there already."""
    by: str
    """Who moved them, and signed."""
    branch: str
    """The branch that got the commit."""
    commit: str | None
    """The full id of the commit; null in a dry run, and where there was nothing to change."""
    pushed: bool
    """Whether the remote has the commit."""


class MendedLine(TypedDict):
    """One thing that was mended, or in a dry run would be."""

    line: int
    """The line in the document, from 1, as it is then."""
    code: str
    """The rule that it broke."""
    task: str
    """The task's id."""
    what: str
    """What was done, in words."""


class FixedFile(TypedDict):
    """One state document of the work tree."""

    path: str
    written: bool
    """Whether the file was written."""
    mended: list[MendedLine]
    diff: list[str]
    """The change as a unified diff, a line an item."""


class FixData(TypedDict):
    """What was mended in the work tree; what was not stands in `findings`."""

    files: list[FixedFile]
    dry_run: bool
    """Whether nothing was to be written."""


SHAPES: Final = {
    "new": NewTask,
    "edit": EditData,
    "archive": ArchiveData,
    "fix": FixData,
    "approve": ApproveData,
    **dict.fromkeys(("assign", "return", "block", "unblock", "reject", "reopen", "reclaim"), DecisionData),
}
"""Command to what its envelope holds."""
