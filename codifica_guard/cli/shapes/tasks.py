"""The JSON of commands that look at tasks: status, ready, show; and of `log` what goes without a proof. What tasks say is pushed text: escape it before it is shown."""

from typing import Final, Literal

from typing_extensions import TypedDict

from codifica_guard.cli.shapes.agent import BriefData


class UnreadableTask(TypedDict):
    """A task, or a whole document, that cannot be taken as it stands."""

    path: str
    """The document, relative to the root of the repository."""
    line: int
    """The line in it, from 1."""
    code: str
    """The rule that it breaks, such as ST101."""
    task: str | None
    """The task's id; null for a whole document."""
    found: str
    """What is there."""


class BackData(TypedDict):
    """How a task came back to todo."""

    how: str
    """One of: returned, reopened, taken back, unblocked, moved."""
    by: str | None
    """Who did it."""
    at: str | None
    """When, such as 2026-12-01T09:14:02Z."""
    reason: str | None


class WaitingTask(TypedDict):
    """A task that waits for somebody."""

    task: str
    """The task's id."""
    kind: Literal["asks", "handed in", "silent", "blocked", "assigned", "returned", "held", "lost"]
    """What it waits for."""
    asks: str | None
    """What a request asks for: block, release or change; null for all other kinds."""
    title: str | None
    owner: str | None
    since: str | None
    """Since when; null where that is not known."""
    by: str | None
    """Who made it so."""
    text: str | None
    """His words."""


class HeldTask(TypedDict):
    """A task in progress that the reader owns."""

    task: str
    """The task's id."""
    title: str | None
    since: str | None
    """When it was claimed."""
    session: str | None
    """The session that holds it."""
    asks: bool
    """Whether it waits for a human's answer."""
    token: bool
    """Whether this clone may go on with it: it has the writer token, or needs none."""
    resume_from: str | None
    """From when on it can be resumed without the token; null where it is here, and where the policy allows no resume."""


class FreeTask(TypedDict):
    """A task that the reader may take."""

    task: str
    """The task's id."""
    priority: str | None
    type: str | None
    title: str | None
    owner: str | None
    assigned: bool
    """Whether it is the reader's by name."""
    returned: BackData | None
    """How it came back; null where that was not the last thing that happened to it."""


class HinderedTask(TypedDict):
    """A task in todo that the reader may not take now."""

    task: str
    """The task's id."""
    why: str
    """The reason, in a few words."""


class ReadyData(TypedDict):
    """What there is for the reader."""

    actor: str | None
    """Who reads; null where nobody's key is listed."""
    doubt: str | None
    """What ought to be known about who reads."""
    limit: int | None
    """How many tasks the reader may hold at once; null where nothing limits it."""
    held: list[HeldTask]
    """What he holds."""
    free: list[FreeTask]
    """What he may take, the best first; at his limit he hands one in before."""
    not_now: list[HinderedTask]
    """All other tasks in todo."""
    waiting: list[WaitingTask]
    """What of his waits for a human."""
    unreadable: list[UnreadableTask]
    """What cannot be read."""
    left: int
    """How many tasks are neither done nor rejected: where nothing is free, 0 says that the board is finished."""


class RunningTask(TypedDict):
    """A task in progress."""

    task: str
    """The task's id."""
    title: str | None
    owner: str | None
    since: str | None
    """When it was claimed."""


class ReadyTask(TypedDict):
    """A task in todo that waits for nothing but somebody who takes it."""

    task: str
    """The task's id."""
    priority: str | None
    type: str | None
    title: str | None
    owner: str | None
    startable: bool
    """Whether it can be started: false where acceptance criteria are missing."""


class StatusData(TypedDict):
    """What goes on."""

    repository: str
    """A name for the repository."""
    actor: str | None
    """Who reads; null where nobody's key is listed."""
    doubt: str | None
    """What ought to be known about who reads."""
    maintainer: bool
    """Whether he may change the policy."""
    waiting: list[WaitingTask]
    """What waits for the reader, the most urgent first; for nobody, what waits for any human. With --stale, silent tasks alone."""
    with_human: list[WaitingTask]
    """What of an agent's tasks waits for a human."""
    in_progress: list[RunningTask]
    ready: list[ReadyTask]
    """For an agent what it may take, the best first; for people all that could be taken by somebody."""
    done: list[str]
    """Tasks that were done in the last seven days."""
    unreadable: list[UnreadableTask]
    """What cannot be read."""
    left: int
    """How many tasks are neither done nor rejected."""


Move = TypedDict("Move", {"from": str, "to": str})  # no class can have the name `from`


Standing = Literal["signed", "attested", "unproven", "before the guard"]
"""What is known about who did something."""


class StepData(Move):
    """What one commit did to one task; `from` and `to` are states, or: new, gone, unreadable, without state."""

    task: str
    """The task's id."""
    deed: str
    """What it comes to, in the words of the verbs: claim, hand-in, approve, ...; choose for a merge that chose between versions."""
    at: str | None
    """The time that counts: the server's, by the receipt that saw the commit; without one the commit's own."""
    dated: str | None
    """The commit's time, as its committer says."""
    written: str | None
    """The time that the task's own entry gives; null where the commit added none."""
    actor: str | None
    """Who is proven to have done it; null where nobody is."""
    claimed: str | None
    """Who is said to have done it."""
    standing: Standing
    """What is known about who did it."""
    proof: Literal["unsigned", "git", "trailer"]
    """What proves it: Git's own signature, or the commit's signed trailers."""
    key: str | None
    """The fingerprint of the key that proves it."""
    token: bool
    """Whether the writer key that the step asks for has signed it, too."""
    touched: bool
    """Whether it was signed with a hardware key whose user was present."""
    receipt: int | None
    """The number of the receipt that saw the commit; null where none is believed to have."""
    commit: str
    """The full id of the commit."""
    session: str | None
    """The session that the entry names."""
    reason: str | None
    """The entry's reason."""
    summary: str | None
    """The summary of a note that the commit brought."""
    review: str | None
    """The status of a review that the commit brought."""
    edited: list[str]
    """Names of fields that it changed beside the step: what the task asks for, and whose it is."""
    migration: str | None
    """Why a maintainer rewrote what was recorded; null where the commit is no migration."""


class LogData(TypedDict):
    """Who moved what when."""

    task: str | None
    """The task's id; null for all tasks."""
    times: Literal["receipts", "commits", "both"]
    """Whose times they are: the server's, by its receipts, the commits' own, or some of each."""
    differ: int | None
    """By how many seconds at most the times that tasks and commits give themselves differ from the server's; null where no receipt tells."""
    steps: list[StepData]
    """Of one task the oldest first, of all tasks the newest first."""
    more: bool
    """Whether there are older ones that were left out."""
    cut: list[str]
    """Full ids of the commits where a shallow clone ends; what they did, and what lies before, is left out."""


class NoteData(TypedDict):
    """One execution note."""

    by: str | None
    """Who wrote it."""
    at: str | None
    """When."""
    note: str | None
    summary: str | None


class AskData(TypedDict):
    """An open request of a task's owner."""

    ask: str | None
    """What it asks for: block, release or change."""
    by: str | None
    """Who asks."""
    at: str | None
    """When."""
    text: str | None


class WorkData(TypedDict):
    """The work on a task."""

    named: str | None
    """The commit that the hand-in names; null where nothing was handed in."""
    commit: str | None
    """Its full id; null where it is not in this clone."""
    branch: str | None
    """The branch that it is on, or was handed in on."""
    tip: str | None
    """The full id of that branch's tip."""
    merged: bool
    """Whether the coordination branch has it."""
    commits: int
    """Commits that the coordination branch lacks."""
    added: int
    """Lines that they add."""
    removed: int
    """Lines that they remove."""
    standing: Literal["not handed in", "unmoved", "moved", "rewritten", "branch gone", "not here"]
    """What has become of the branch since the hand-in."""
    further: int
    """Commits that the branch has got since."""


class ShownTask(TypedDict):
    """One task."""

    task: str
    """Its id."""
    type: str | None
    state: str | None
    priority: str | None
    owner: str | None
    title: str | None
    brief: BriefData
    """What it asks for, and what to read first."""
    summary: str | None
    """The newest summary among its notes."""
    blocked_reason: str | None
    """Why it is blocked; null where it is not."""
    came_back: BackData | None
    """How it came back to todo; null where that was not the last thing that happened to it."""
    asks: AskData | None
    """The open request of its owner."""
    notes: list[NoteData]
    """All notes, the newest last."""
    artifacts: list[str]
    """The files that it made."""
    work: WorkData | None
    """The work on it; null where there is none."""
    claim: StepData | None
    """The newest claim."""
    hand_in: StepData | None
    """The hand-in that followed it."""
    not_now: str | None
    """Why the reader may not take it now; null where he may, and where it is not in todo."""
    do: list[str]
    """What the reader may do with it now, the likeliest first."""
    yaml: str
    """Its own text as it stands in the state document, as `edit --from` takes it; the commit that has it is `as_of.commit`."""


class ShowData(TypedDict):
    """Tasks."""

    actor: str | None
    """Who reads; null where nobody's key is listed."""
    tasks: list[ShownTask]
    """In the order in which they were asked for."""


SHAPES: Final = {"status": StatusData, "ready": ReadyData, "show": ShowData}
"""Command to what its envelope holds."""
