"""How a command ends: the exit codes, and the end of one that did not do what was asked."""

from collections.abc import Mapping
from typing import Any, Final

from codifica_guard.errors import GuardError
from codifica_guard.model.finding import Finding

OK: Final = 0
REFUSED: Final = 1
USAGE: Final = 2
CANNOT_TELL: Final = 3
LOST: Final = 4
NOTHING: Final = 5
NEEDS_OTHER: Final = 6
LATER: Final = 7
INTERRUPTED: Final = 130


class Stopped(GuardError):
    """A command that does not do what was asked; nothing has changed.

    Attributes:
        exit: the exit code.
        next: commands to run next, the best one first.
        findings: the broken rules, where it is rules that refuse; the text is the whole report then.
        data: what programs are told; plain JSON values.
        as_of: the commit that was looked at, and when it was fetched.
        answer: whether it is an answer rather than an error: printed as it is, on standard output.
    """

    def __init__(
        self,
        text: str,
        *,
        exit: int = REFUSED,  # noqa: A002 - the name of the field in the JSON
        next: tuple[str, ...] = (),  # noqa: A002 - the same
        findings: tuple[Finding, ...] = (),
        data: Any = None,
        as_of: Mapping[str, str | None] | None = None,
        answer: bool = False,
    ) -> None:
        super().__init__(text)
        self.exit, self.next, self.findings, self.data, self.as_of = exit, next, findings, data, as_of
        self.answer = answer
