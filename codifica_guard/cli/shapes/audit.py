"""The JSON of `audit`: everything that an audit came to."""

from typing import Final, Literal

from typing_extensions import TypedDict

from codifica_guard.cli.shapes.envelope import FindingData
from codifica_guard.cli.shapes.tasks import Move


class AnchorData(TypedDict):
    """The introduction that everything stands on."""

    commit: str
    """The full id of the commit."""
    by: str
    """The maintainer who signed it."""
    key: str
    """The fingerprint of his key."""
    pinned: bool
    """Whether the auditor named it, or his clone had pinned it; else it is taken from the repository itself."""


class AuditedBranch(TypedDict):
    """One judged branch."""

    ref: str
    """Its full name on the server."""
    tip: str
    """The full id of the commit that it ends at."""
    commits: int
    """How many of its commits were judged."""
    order: Literal["receipts", "first parents"]
    """Where the order of pushes is taken from."""
    first: str | None
    """The time of the first judged commit; null where there is none."""
    last: str | None
    """The time of the last one."""
    coordinating: bool
    """Whether it is the coordination branch."""


class GapData(TypedDict):
    """Commits that came without a receipt."""

    ref: str
    """The branch."""
    old: str | None
    """Where it stood before; null where the branch began."""
    new: str
    """Where it stood after."""
    commits: int
    """How many there are."""
    since: str | None
    """The time of the receipt before; null where there is none."""
    until: str | None
    """The time of the receipt after; null where there is none."""


class ServerData(TypedDict):
    """A key that signed receipts."""

    server: str
    """The server's principal."""
    key: str
    """The key's fingerprint."""


class ChainData(TypedDict):
    """The receipts."""

    first: int
    """The number of the first one that is believed; 0 where there is none."""
    last: int
    """The number of the last one that is believed; 0 where there is none."""
    held: bool
    """Whether all that are there are believed."""
    servers: list[ServerData]
    """The keys that signed them."""
    gaps: list[GapData]
    """Commits that came without one, though receipts had begun."""
    before: int
    """How many commits lie between the introduction and the first receipt."""


class ActData(Move):
    """One task that one commit changed; `from` and `to` are states, or: new, gone, unreadable, without state."""

    task: str
    """The task's id."""
    deed: str
    """What it comes to, in the words of the verbs: claim, hand-in, approve, ...; choose for a merge that chose between versions."""
    transition: bool
    """Whether the task's life went on by it."""
    commit: str
    """The full id of the commit."""
    at: str | None
    """The time that counts: the receipt's where there is one, else the committer's."""
    dated: str | None
    """What the committer says."""
    written: str | None
    """The time that the task's own entry gives; null where the commit added none."""
    actor: str | None
    """The proven principal; null where nobody is."""
    claimed: str | None
    """Who is said to have done it; pushed text, which nothing proves."""
    mark: Literal["S", "T", "H", "A", "U"]
    """How the actor is known: Signed, with the writer Token too, by Hand with a touched hardware key, Attested by the server, Unproven."""
    token: bool
    """Whether the writer key that the act asks for has signed it, too."""
    key: str | None
    """The fingerprint of the key that proved him."""
    receipt: int | None
    """The number of the receipt that saw the commit; null where none did."""
    owner: str | None
    """Whose the task is after the act."""
    session: str | None
    """The session that the entry names."""
    reason: str | None
    """The entry's reason."""
    summary: str | None
    """The summary of a note that the commit brought."""
    review: str | None
    """The status of a review that it brought."""
    edited: list[str]
    """What the task asks for, or whose it is, as far as the commit changed that beside the step: names of fields."""
    acceptance: list[str] | None
    """The criteria after the act, where it made, claimed or changed them."""
    migration: str | None
    """Why a maintainer rewrote what was recorded; null where the commit is no migration."""
    judged: bool
    """Whether there was a policy to judge the commit by."""


class NotedData(FindingData):
    """A broken rule, when and where it happened."""

    at: str | None
    """The time of its commit or receipt; null where neither is meant."""
    ref: str | None
    """The branch."""
    receipt: int | None
    """The number of the receipt that it is about, or that saw the commit."""
    check: list[str]
    """Commands of git and ssh-keygen that show the same without the guard."""


class KeyUseData(TypedDict):
    """One key of one principal."""

    principal: str
    """Whose it is."""
    key: str
    """The key's fingerprint."""
    since: str | None
    """From when on it is listed as valid; null where that is open."""
    until: str | None
    """Until when."""
    listed: str | None
    """The full id of the commit that listed it; null where the introduction did."""
    revoked: str | None
    """The full id of the commit that revoked it; null where none did."""
    revoker: str | None
    """Who revoked it."""
    gone: bool
    """Whether no line of the newest policy has it any more."""
    first: str | None
    """The time of the first proven commit with it."""
    last: str | None
    """The time of the last one."""
    uses: int
    """How many there are."""
    maintainer: bool
    """Whether the principal is a maintainer now."""


class PolicyChangeData(TypedDict):
    """One commit that changed who may do what."""

    commit: str
    """The full id of the commit."""
    at: str | None
    """When."""
    actor: str | None
    """The proven maintainer; null where nobody is proven."""
    key: str | None
    """The fingerprint of his key."""
    subject: str
    """The first line of the message; pushed text."""
    lines: list[str]
    """The change: names of files, each with lines that begin with - or + behind it; pushed text."""
    receipt: int | None
    """The number of the receipt that saw it."""


class PusherData(TypedDict):
    """Who pushed, as the server authenticated him."""

    name: str
    """His account; empty where nothing says it."""
    by: str
    """What says so: gitea, gitolite, gitlab, http; none where nothing does."""
    how: str
    """More that it said."""


class ReceiptData(TypedDict):
    """One receipt, as far as pauses and moved introductions need it."""

    number: int
    """Its place in the chain."""
    kind: Literal["push", "pause", "introduction"]
    """What it is about."""
    server: str
    """The principal that signed it."""
    time: str | None
    """The server's clock."""
    ref: str | None
    """The branch; null where none is meant."""
    old: str | None
    """Its tip before."""
    new: str | None
    """Its tip after."""
    introduction: str | None
    """The commit from which on the server judges since then."""
    pusher: PusherData
    """Who pushed."""
    paused: bool
    """Whether the rules were held off."""
    until: str | None
    """The end of the pause."""
    reason: str
    """Why; may be empty."""
    refused: list[str]
    """Codes of the rules that would have refused the push."""


class PauseData(TypedDict):
    """What passed while the admin held the rules off, or the server's word that he set or ended the pause."""

    receipt: ReceiptData
    """The receipt."""
    commits: int
    """How many commits the push brought."""
    findings: list[FindingData]
    """What would have refused them."""


class TaskNote(TypedDict):
    """A note of a task; pushed text."""

    by: str
    """Who, as it says."""
    at: str
    """When, as it says."""
    text: str
    """What."""


class TaskArtifact(TypedDict):
    """Evidence that a task names; pushed text."""

    path: str
    """Where it is said to lie."""
    kind: str
    """What it is said to be."""
    present: bool
    """Whether the file is at the branch's tip."""


class TaskNowData(TypedDict):
    """A task as it stands; pushed text."""

    task: str
    """The task's id."""
    title: str
    """Its title."""
    type: str
    """Its type."""
    state: str
    """Its state."""
    owner: str
    """Its owner."""
    acceptance: list[str]
    """Its criteria."""
    notes: list[TaskNote]
    """Its notes."""
    artifacts: list[TaskArtifact]
    """Its evidence."""


class FilterData(TypedDict):
    """How the report was narrowed down."""

    option: str
    """The option."""
    value: str
    """What was given."""


class VerdictData(TypedDict):
    """What the whole audit came to, however the report is narrowed."""

    errors: int
    """How many errors there are; the exit code is 1 where there is one."""
    warnings: int
    """How many warnings."""


class AuditData(TypedDict):
    """An audit; all texts that were pushed are as they were pushed, so escape them before they are shown."""

    name: str
    """A name of the repository, for people."""
    guard: str
    """The version of the guard that audited."""
    ruleset: int
    """The ruleset that was judged by."""
    preview: bool
    """Whether that is another one than the policy names."""
    verdict: VerdictData
    """What the whole came to."""
    anchor: AnchorData
    """The introduction."""
    branches: list[AuditedBranch]
    """The judged branches, the coordination branch first."""
    chain: ChainData
    """The receipts."""
    acts: list[ActData]
    """What was done, in the order of history."""
    findings: list[NotedData]
    """Errors and warnings, in the order of history."""
    notes: list[str]
    """Sentences that are no findings."""
    keys: list[KeyUseData]
    """Whose keys there were."""
    policies: list[PolicyChangeData]
    """Who changed the policy."""
    pauses: list[PauseData]
    """What passed unjudged."""
    introductions: list[ReceiptData]
    """Receipts of moved introductions."""
    tasks: list[TaskNowData]
    """The tasks at the coordination branch's tip, by place."""
    stale_hours: float | None
    """Hours of silence after which a claim counts as stale; null where the policy does not say."""
    filters: list[FilterData]
    """How the report was narrowed down; empty where it is whole."""


SHAPES: Final = {"audit": AuditData}
"""Command to what its envelope holds."""
