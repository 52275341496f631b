"""What an audit came to: plain values that every report is made from. All times are seconds since the epoch."""

from collections.abc import Mapping
from typing import Literal

from codifica_guard.model.act import Act
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RefName, TaskId
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.value import EMPTY, value

Order = Literal["receipts", "first parents"]
"""Where the order of pushes is taken from."""


@value
class Anchor:
    """The introduction that everything stands on.

    Attributes:
        commit: the commit.
        by: who signed it, a maintainer that it names.
        key: fingerprint of his key.
        pinned: whether the auditor named it, or his clone had pinned it; else it is taken from the repository itself.
    """

    commit: ObjectId
    by: str
    key: str
    pinned: bool


@value
class Branch:
    """One judged branch.

    Attributes:
        ref: its name on the server.
        tip: where it ends.
        commits: how many of its commits were judged.
        order: where the order of pushes is taken from.
        first, last: times of the first and the last judged commit; None where there is none.
        coordinating: whether it is the coordination branch.
    """

    ref: RefName
    tip: ObjectId
    commits: int
    order: Order
    first: int | None = None
    last: int | None = None
    coordinating: bool = False


@value
class Gap:
    """Commits that came without a receipt.

    Attributes:
        ref: the branch.
        old, new: where it stood before and after; `old` is None where the branch began.
        commits: how many there are.
        since, until: times of the receipts before and after; None where there is none.
    """

    ref: RefName
    old: ObjectId | None
    new: ObjectId
    commits: int
    since: int | None = None
    until: int | None = None


@value
class Chain:
    """The receipts.

    Attributes:
        first, last: numbers of the first and the last one that is believed; 0 where there is none.
        held: whether all that are there are believed.
        servers: principals and fingerprints of the keys that signed them.
        gaps: commits that came without one, though receipts had begun.
        before: commits between the introduction and the first receipt.
    """

    first: int = 0
    last: int = 0
    held: bool = True
    servers: tuple[tuple[str, str], ...] = ()
    gaps: tuple[Gap, ...] = ()
    before: int = 0


@value
class Noted:
    """A finding, and when and where it happened.

    Attributes:
        finding: the finding.
        at: the time of its commit or receipt; None where neither is meant.
        ref: the branch.
        receipt: number of the receipt that it is about, or that saw the commit; None for none.
        check: commands of git and ssh-keygen that show the same without the guard; may be empty.
    """

    finding: Finding
    at: int | None = None
    ref: RefName | None = None
    receipt: int | None = None
    check: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether it makes the audit fail."""
        return self.finding.severity is Severity.ERROR


@value
class Key:
    """One key of one principal.

    Attributes:
        principal: whose it is.
        fingerprint: of the key.
        since, until: validity as listed; None where open.
        listed: the commit that listed it, and None where the introduction did.
        revoked: the commit that revoked it; None where none did.
        revoker: who revoked it.
        gone: whether no line of the newest policy has it any more.
        first, last: times of the first and last proven commits with it; None where there is none.
        uses: how many proven commits there are.
        maintainer: whether the principal is a maintainer now.
    """

    principal: str
    fingerprint: str
    since: int | None = None
    until: int | None = None
    listed: ObjectId | None = None
    revoked: ObjectId | None = None
    revoker: str | None = None
    gone: bool = False
    first: int | None = None
    last: int | None = None
    uses: int = 0
    maintainer: bool = False


@value
class PolicyChange:
    """One commit that changed who may do what.

    Attributes:
        commit, at, receipt: which, when, seen by which receipt.
        actor: the proven maintainer; None where nobody is proven.
        key: fingerprint of his key.
        subject: the first line of the message; pushed text.
        lines: the change, as lines that begin with `-`, `+` or the file's name; pushed text.
    """

    commit: ObjectId
    at: int
    actor: str | None
    key: str | None
    subject: str
    lines: tuple[str, ...]
    receipt: int | None = None


@value
class Pause:
    """What passed while the admin held the rules off, or the server's own word that he set the pause.

    Attributes:
        receipt: the receipt.
        commits: how many commits a push brought.
        findings: what would have refused them.
    """

    receipt: Receipt
    commits: int = 0
    findings: tuple[Finding, ...] = ()


@value
class Artifact:
    """One piece of evidence that a task names; pushed text.

    Attributes:
        path, kind: as the task says.
        present: whether the file is at the branch's tip.
    """

    path: str
    kind: str
    present: bool


@value
class TaskNow:
    """One task as it stands at the coordination branch's tip; all texts are pushed.

    Attributes:
        task: its id.
        title, type, state, owner: as it says.
        acceptance: its criteria.
        notes: who, when (as written), and what: summary and text.
        artifacts: its evidence.
    """

    task: TaskId
    title: str
    type: str
    state: str
    owner: str
    acceptance: tuple[str, ...] = ()
    notes: tuple[tuple[str, str, str], ...] = ()
    artifacts: tuple[Artifact, ...] = ()


@value
class Audit:
    """All of it.

    Attributes:
        name: a name of the repository, for people.
        guard: version of the guard that audited.
        ruleset: the ruleset that was judged by: the policy's, or the one that was asked for.
        preview: whether another ruleset than the policy's was asked for.
        anchor: the introduction.
        branches: the judged branches, the coordination branch first.
        chain: the receipts.
        acts: what was done, in the order of history.
        findings: errors and warnings, in the order of history.
        notes: sentences that are no findings, such as where an order was taken from.
        keys, policies, pauses, introductions: whose keys, who changed the policy, what passed unjudged, and receipts of moved introductions.
        tasks: the tasks at the coordination branch's tip, by place.
        stale_hours: hours of silence after which a claim counts as stale; None where the policy does not say.
        filters: how the report was narrowed down, option and value; empty where it is whole.
    """

    name: str
    guard: str
    ruleset: int
    anchor: Anchor
    branches: tuple[Branch, ...]
    chain: Chain = Chain()
    preview: bool = False
    acts: tuple[Act, ...] = ()
    findings: tuple[Noted, ...] = ()
    notes: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    policies: tuple[PolicyChange, ...] = ()
    pauses: tuple[Pause, ...] = ()
    introductions: tuple[Receipt, ...] = ()
    tasks: tuple[TaskNow, ...] = ()
    stale_hours: float | None = None
    filters: Mapping[str, str] = EMPTY

    @property
    def errors(self) -> tuple[Noted, ...]:
        """The findings that make the audit fail."""
        return tuple(n for n in self.findings if n.is_error)

    @property
    def warnings(self) -> tuple[Noted, ...]:
        """The findings that are told only."""
        return tuple(n for n in self.findings if not n.is_error)

    @property
    def transitions(self) -> tuple[Act, ...]:
        """The acts by which a task's life went on."""
        return tuple(act for act in self.acts if act.is_transition)
