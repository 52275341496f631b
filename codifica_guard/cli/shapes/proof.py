"""The JSON of `log`, with a proof and without."""

from typing import Final

from typing_extensions import TypedDict

from codifica_guard.cli.shapes.tasks import LogData, StepData


class FactData(TypedDict):
    """One of the facts about a decision."""

    number: int
    """Its number, from 1."""
    name: str
    """What it is about: the change, the signature, the key, allowed to, seen, the anchor."""
    holds: bool
    """Whether it speaks for the decision; a fact that nothing is known about speaks neither way, and holds."""
    lines: list[str]
    """What is so, for people; may repeat pushed text, escaped."""
    commands: list[str]
    """What repeats it in a shell in the clone, behind the commands of `start`; each succeeds. May have several lines."""


class ProofData(TypedDict):
    """How a decision is known."""

    task: str | None
    """The task's id; null where a commit was asked for that is about none."""
    commit: str
    """The full id of the commit that decided."""
    question: str
    """What is answered."""
    answer: str
    """Who and when, for people."""
    holds: bool
    """Whether all facts hold; exit code 1 where one does not."""
    decision: StepData | None
    """What the commit did to the task; null where it is about none."""
    facts: list[FactData]
    """The six facts, in order."""
    start: list[str]
    """What goes before the commands."""
    folder: str | None
    """The folder that was written; null where none was asked for."""
    files: list[str]
    """The names of its files."""


SHAPES: Final = {"log": LogData | ProofData}
"""Command to what its envelope holds."""
