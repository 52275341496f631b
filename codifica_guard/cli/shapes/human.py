"""The JSON of people's verbs: new, assign, approve, return, block, unblock, reject, reopen, reclaim."""

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


SHAPES: Final = {
    "new": NewTask,
    "approve": ApproveData,
    **dict.fromkeys(("assign", "return", "block", "unblock", "reject", "reopen", "reclaim"), DecisionData),
}
"""Command to what its envelope holds."""
