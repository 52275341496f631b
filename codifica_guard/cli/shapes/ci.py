"""The JSON of `ci`."""

from collections.abc import Mapping
from typing import Any, Final

from typing_extensions import TypedDict

from codifica_guard.cli.shapes.look import ConflictData


class CiData(TypedDict):
    """What was judged; broken rules are the findings of the envelope."""

    event: str | None
    """The event that says what was judged; null where the command line does."""
    number: int | None
    """The number of the pull request."""
    pushed: bool
    """Whether it has happened: a push; else it is proposed."""
    ref: str
    """The branch that it would go to, or went to."""
    base: str | None
    """The full id of the commit where the branch stood; null where it was not there."""
    head: str | None
    """The full id of the newest commit; null where the branch was deleted."""
    idle: bool
    """Whether the repository has no policy, so that no commit is judged."""
    protected: bool
    """Whether commits of the branch are judged."""
    commits: int
    """How many commits there are."""
    conflicts: list[ConflictData]
    """Files that the merge would leave in conflict."""
    policy: list[str]
    """Files of the policy that are changed."""
    workflows: list[str]
    """Files that tell a host what to run, and are changed."""
    told: list[str]
    """What a person has to know beside, as sentences."""


SHAPES: Final[Mapping[str, Any]] = {"ci": CiData}
"""Command to what its envelope holds."""
