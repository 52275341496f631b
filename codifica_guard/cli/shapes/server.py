"""The JSON of commands for those who run a server: install, uninstall, doctor, pause, introduce."""

from typing import Final, Literal

from typing_extensions import TypedDict


class PlanData(TypedDict):
    """What was done to the hooks and settings of a repository."""

    changed: bool
    """Whether anything was changed."""
    lines: list[str]
    """The steps, for people."""


class ServerKeyData(TypedDict):
    """The key that a server signs its receipts with."""

    principal: str
    """Whose it is: server:NAME."""
    key: str
    """The public half, as one line."""
    fingerprint: str
    listed: bool
    """Whether the policy lists it, so that audits believe the receipts."""
    add: str | None
    """The command by which a maintainer lists it; null once it is listed, or revoked."""


class InstallData(PlanData):
    """What was done, and the server's key."""

    server_key: ServerKeyData | None
    """Null in a clone, and in a dry run that would make it."""


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


class PauseData(TypedDict):
    """How a pause stands, after what was done to it."""

    state: Literal["on", "over", "off"]
    """Whether pushes pass now; whether a pause is over and still in the config; or neither."""
    until: str | None
    """Its end."""
    reason: str | None
    receipt: int | None
    """The receipt that was written; null where none was."""
    changed: bool
    """Whether anything was changed."""
    lines: list[str]
    """All of it, for people."""


class IntroduceData(TypedDict):
    """The commit from which on is judged, in place of another one."""

    introduction: str
    """Its full id."""
    by: str
    """Who signed it, a maintainer that it names, and the fingerprint of his key."""
    before: str | None
    """The one that was pinned before; null where none was."""
    coordination: str
    """The branch that holds the tasks."""
    receipt: int | None
    """The receipt that was written; null where none was."""
    changed: bool
    """Whether anything was changed."""
    lines: list[str]
    """All of it, for people."""


SHAPES: Final = {
    "install": InstallData,
    "uninstall": PlanData,
    "doctor": DoctorData,
    "pause": PauseData,
    "introduce": IntroduceData,
}
"""Command to what its envelope holds."""
