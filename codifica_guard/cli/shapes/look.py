"""The JSON of commands that look: check, explain, whoami, prime."""

from typing import Final, Literal

from typing_extensions import TypedDict

from codifica_guard.cli.shapes import proof, tasks


class ConflictData(TypedDict):
    """A file that Git cannot merge."""

    path: str
    """The file, relative to the root of the repository."""
    tasks: list[str]
    """Ids of tasks in it that both sides changed, each in its own way; empty for what is no state document."""


class CheckData(TypedDict):
    """What was judged; broken rules are the findings of the envelope."""

    idle: bool
    """Whether the repository has no policy, so that no commit is judged."""
    range: str | None
    """What was judged: A..B, a commit, --staged, --tree and paths, or --merge and a branch; null where nothing was."""
    commits: int
    """How many commits were judged, or would be merged."""
    documents: int | None
    """How many state documents were looked at as they stand; null where commits were judged."""
    tasks: int | None
    """How many tasks are in them; null where commits were judged."""
    conflicts: list[ConflictData]
    """Files that a merge would leave in conflict."""


class RuleData(TypedDict):
    """A rule."""

    code: str
    """Its code, such as CD303."""
    name: str
    """Its name, such as lost-race."""
    severity: Literal["error", "warning"]
    """An error refuses, a warning is told."""


class RuleList(TypedDict):
    """All rules, where no code was given."""

    rules: list[RuleData]


class RuleParts(TypedDict):
    """The parts of a rule's page."""

    why: str
    """What the rule is for."""
    refused: str
    """An example that breaks it."""
    accepted: str
    """An example that does not."""
    do: str
    """What mends it."""


class RulePage(RuleData):
    """One rule's page."""

    clause: str
    """Where the rule comes from."""
    since: int
    """The first ruleset that has it."""
    sentence: str
    """The rule in one sentence."""
    parts: RuleParts


class SigningKey(TypedDict):
    """The key that signs here."""

    fingerprint: str
    """As ssh-keygen -l shows it: SHA256:..."""
    public: str
    """The public half: type and base64."""
    source: str
    """Where it lies, in words: a file, the agent, or a variable."""
    named_by: str
    """The variable or setting that names it."""


class WhoamiData(TypedDict):
    """Which key signs here, and whose it is."""

    key: SigningKey
    policy: bool
    """Whether the repository has a policy."""
    listed: bool
    """Whether the policy lists the key."""
    principals: list[str]
    """Whom the key is listed for."""
    actor: str | None
    """Who acts with it here; null where nobody does, or where it is listed for several and none of them is named."""
    maintainer: bool
    """Whether that principal may change the policy."""
    state: Literal["valid", "not yet", "expired", "revoked"] | None
    """How the key stands now; null where it is not listed."""
    maintainers: list[str]
    """The maintainers whom the policy names."""


class PrimeData(TypedDict):
    """The manual."""

    text: str
    """The whole text, with its last line end."""
    actor: str | None
    """Who it is for; null where nobody's key is listed, and for the section."""


class SimulatedCount(TypedDict):
    """A name and how often it comes."""

    name: str
    """A rule's code, an actor, a task, or a document."""
    findings: int
    """How often."""


class SimulatedFinding(TypedDict):
    """A rule that a commit of the past would have broken."""

    code: str
    """The rule's code, such as CD213."""
    name: str
    """The rule's name, such as self-approval."""
    severity: Literal["error", "warning"]
    """An error would have refused the commit, a warning would have been told."""
    commit: str
    """The full id of the commit."""
    at: str
    """The commit's time, as its committer says."""
    actor: str
    """Who is said to have acted; nothing proves it."""
    named_by: Literal["transition", "note", "review", "owner", "trailer", "author", "unnamed author"]
    """What says so: the task's new transition, note or review, its owner, the trailer Codifica-Actor, the author line."""
    task: str | None
    """The id of the task that it is about."""
    path: str | None
    """The file that it is about, relative to the root of the repository."""
    line: int | None
    """The line in the file, from 1."""
    column: int | None
    """The column in the line, from 1."""
    found: str
    """What is there; may repeat text of the repository, so escape it before it is shown."""
    expected: str | None
    """What ought to be there."""
    first: bool
    """Whether a push would have been told it; of what one act breaks, that is the first group of rules alone."""


class SimulatedGap(TypedDict):
    """A commit that could not be judged."""

    commit: str
    """The full id of the commit."""
    why: str
    """What is damaged, missing, or cannot be read."""


class SimulateData(TypedDict):
    """What of a history would have been refused."""

    range: str
    """The branch or range."""
    tip: str
    """The full id of the commit that it ends at."""
    since: str | None
    """Only commits from this time on were judged; null for all."""
    until: str | None
    """Only commits up to this time were judged; null for all."""
    identities: Literal["claimed"]
    """Who acted is what the commits say; nothing is proven."""
    left_out: list[str]
    """Codes of the rules that say nothing without keys, refs or a server."""
    first: str | None
    """The full id of the first commit that brings a codifica.json, which is taken as it is; null where none of the commits does."""
    commits: int
    """How many commits were looked at."""
    judged: int
    """How many of them have a codifica.json to be judged by."""
    refused: int
    """How many of them would have been refused."""
    rules: list[SimulatedCount]
    """What would have been refused by rule, the most frequent first."""
    actors: list[SimulatedCount]
    """The same by who is said to have acted."""
    tasks: list[SimulatedCount]
    """The same by task."""
    findings: list[SimulatedFinding]
    """Every broken rule, in the order of history."""
    not_judged: list[SimulatedGap]
    """Commits that could not be judged."""
    unknown: list[SimulatedCount]
    """Tasks and documents that could not be read for a while, and how many changes of them say nothing for that."""


SHAPES: Final = {
    "check": CheckData,
    "simulate": SimulateData,
    "explain": RuleList | RulePage,
    "whoami": WhoamiData,
    "prime": PrimeData,
    **tasks.SHAPES,
    **proof.SHAPES,
}
"""Command to what its envelope holds."""
