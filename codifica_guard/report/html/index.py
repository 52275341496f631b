"""An audit, looked up: which task has which number, what happened to it, and where its part of the page is."""

from collections.abc import Iterator, Mapping
from typing import Final

from codifica_guard.model.act import Act
from codifica_guard.model.audited import Audit, Noted, TaskNow
from codifica_guard.model.ids import TaskId
from codifica_guard.model.value import value
from codifica_guard.report.html.text import name

FOLDED: Final = 2_000
"""Tasks that one page holds in full; with more of them they are in a folder."""

ROOMY: Final = 300
"""Tasks up to which a page has room for long texts, and a lane of its own for a crowded task; a folder always has."""

SHEET: Final = 100
"""Tasks on one sheet of the folder."""


@value
class Told:
    """One task of the report.

    Attributes:
        number: its place, from 1 on; the anchor is `t` and the number.
        task: its id; may be pushed text.
        now: as it stands; None where it is gone, or is no longer on the branch.
        acts: what was done to it, in the order of history.
        findings: what is wrong with it, and the numbers of these findings.
    """

    number: int
    task: TaskId
    now: TaskNow | None
    acts: tuple[Act, ...]
    findings: tuple[tuple[int, Noted], ...]

    @property
    def state(self) -> str:
        """The state that it is in, or came to last."""
        return self.now.state if self.now is not None else self.acts[-1].target if self.acts else "gone"

    @property
    def owner(self) -> str | None:
        """Whose it is, or was last."""
        return self.now.owner if self.now is not None else self.acts[-1].owner if self.acts else None


class Index:
    """What several parts of a page look up.

    Attributes:
        audit: the audit.
        tasks: the tasks at the tip by place, then those that are gone, in the order of history.
        folder: whether the page is the first of a folder.
        whole: whether the page itself holds the tasks in full.
        roomy: whether there is room for long texts.
    """

    def __init__(self, audit: Audit, *, folder: bool = False) -> None:
        self.audit = audit
        self.folder = folder
        self.tasks = tuple(_told(audit))
        self.whole = not folder and len(self.tasks) <= FOLDED
        self.roomy = folder or len(self.tasks) <= ROOMY
        self._numbers: Mapping[str, int] = {told.task: told.number for told in reversed(self.tasks)}

    def sheets(self) -> Iterator[tuple[Told, ...]]:
        """The tasks, as many at a time as a sheet of the folder holds."""
        for start in range(0, len(self.tasks), SHEET):
            yield self.tasks[start : start + SHEET]

    def href(self, told: Told) -> str:
        """Where a task's part is, seen from the first page."""
        return f"tasks/{(told.number - 1) // SHEET + 1}.html#t{told.number}" if self.folder else f"#t{told.number}"

    def link(self, task: str) -> str:
        """Markup of a task's id that leads to its part; without a link where there is none."""
        number = self._numbers.get(task)
        if number is None:
            return name(task)
        return f'<a href="{self.href(self.tasks[number - 1])}">{name(task) or "?"}</a>'


def _told(audit: Audit) -> Iterator[Told]:
    acts: dict[str, list[Act]] = {}
    for act in audit.acts:
        acts.setdefault(act.task, []).append(act)
    findings: dict[str, list[tuple[int, Noted]]] = {}
    for number, noted in enumerate(ordered(audit), 1):
        if noted.finding.task is not None:
            findings.setdefault(noted.finding.task, []).append((number, noted))
    there = {task.task for task in audit.tasks}
    gone = [(TaskId(task), None) for task in acts if task not in there]
    for number, (task, now) in enumerate((*((now.task, now) for now in audit.tasks), *gone), 1):
        # An id that stands twice is told twice; what was done to it, the first time.
        done, wrong = acts.pop(task, ()), findings.pop(task, ())
        yield Told(number=number, task=task, now=now, acts=tuple(done), findings=tuple(wrong))


def ordered(audit: Audit) -> tuple[Noted, ...]:
    """The findings as they are numbered: errors, then warnings."""
    return (*audit.errors, *audit.warnings)
