"""What an audit has come to so far: grows commit by commit, and is kept for the next audit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from codifica_guard.audit.belief import End
from codifica_guard.audit.made import Made
from codifica_guard.model.act import Act
from codifica_guard.model.audited import Branch, Gap, Noted, Order, Pause
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import Receipt


@dataclass(slots=True)
class Row:
    """One branch so far: how many commits, times of the first and last, and whether receipts brought some."""

    commits: int = 0
    first: int | None = None
    last: int | None = None
    order: Order = "first parents"

    def count(self, at: int) -> None:
        """One commit more, of this time."""
        self.commits += 1
        self.first = at if self.first is None else min(self.first, at)
        self.last = at if self.last is None else max(self.last, at)

    def branch(self, ref: RefName, tip: ObjectId, *, coordinating: bool) -> Branch:
        """The branch as reports take it."""
        return Branch(
            ref=ref,
            tip=tip,
            commits=self.commits,
            order=self.order,
            first=self.first,
            last=self.last,
            coordinating=coordinating,
        )


@dataclass(slots=True)
class Tally:
    """All that is told, in order.

    Attributes:
        anchor: the introduction that was judged from.
        end: where belief in the receipts has got to.
        checked: the coordination branch's tip whose history says which servers are listed.
        reached: where the coordination branch was judged up to behind the receipts; None where it was not.
        start: a commit with the policy of when receipts began, and the time of the first one; None where there is none.
        first: number of the first receipt that counts.
        before: commits between the introduction and the first receipt.
        lost: receipts whose commits are not here, since a branch was rewound.
        acts, notes, gaps, pauses, introductions, served: as in `Replayed` and `Chain`.
        findings: by what they say, so that none is told twice.
        made: by commit, in order.
        ruled: commits that were judged on the coordination branch.
        strays: commits that have a policy and do not descend from the introduction.
        secrets: files with secrets in them that were told, where no receipt brought them.
        rows: the branches.
    """

    anchor: ObjectId
    end: End = field(default_factory=End)
    checked: ObjectId | None = None
    reached: ObjectId | None = None
    start: tuple[ObjectId | None, int] | None = None
    first: int = 0
    before: int = 0
    lost: int = 0
    acts: list[Act] = field(default_factory=list)
    findings: dict[Finding, Noted] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)
    pauses: list[Pause] = field(default_factory=list)
    introductions: list[Receipt] = field(default_factory=list)
    served: list[tuple[str, str, int]] = field(default_factory=list)
    made: dict[ObjectId, Made] = field(default_factory=dict)
    ruled: set[ObjectId] = field(default_factory=set)
    strays: dict[ObjectId, None] = field(default_factory=dict)
    secrets: dict[ObjectId, None] = field(default_factory=dict)
    rows: dict[RefName, Row] = field(default_factory=dict)

    def note(self, noted: Noted) -> None:
        """Tell a finding, unless it is told already."""
        self.findings.setdefault(noted.finding, noted)

    def row(self, ref: RefName) -> Row:
        """The row of a branch."""
        return self.rows.setdefault(ref, Row())

    def servers(self) -> Iterator[tuple[str, str]]:
        """Principals and keys that signed receipts, each once."""
        yield from dict.fromkeys((principal, key) for principal, key, _ in self.served)

    def unknown(self, commits: Iterable[ObjectId], *, coordinating: bool) -> tuple[ObjectId, ...]:
        """Those of some commits that were not judged yet: on the coordination branch, or on any."""
        known = self.ruled if coordinating else self.made
        return tuple(oid for oid in commits if oid not in known)
