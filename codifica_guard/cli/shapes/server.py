"""The JSON of commands that put the guard into a repository: install, uninstall, doctor."""

from typing import Final

from typing_extensions import TypedDict


class PlanData(TypedDict):
    """What was done to the hooks and settings of a repository."""

    changed: bool
    """Whether anything was changed."""
    lines: list[str]
    """The steps, for people."""


class CheckedData(TypedDict):
    """One thing that was looked at."""

    level: str
    """How it ended: ok, warn, fail or skip."""
    name: str
    """What was looked at, in a word or two."""
    text: str
    """What was found."""
    do: list[str]
    """Commands or words that mend it, one an item, in order."""


class DoctorData(TypedDict):
    """Whether the guard really stands."""

    fixed: bool
    """Whether --fix changed anything."""
    checks: list[CheckedData]


SHAPES: Final = {"install": PlanData, "uninstall": PlanData, "doctor": DoctorData}
"""Command to what its envelope holds."""
