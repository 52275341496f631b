"""The JSON of commands that look: check, explain, whoami, prime."""

from typing import Final, Literal

from typing_extensions import TypedDict

from codifica_guard.cli.shapes import tasks


class CheckData(TypedDict):
    """What was judged; broken rules are the findings of the envelope."""

    idle: bool
    """Whether the repository has no policy, so that nothing is judged."""
    range: str | None
    """What was judged: A..B, a commit, or --staged; null where nothing was."""
    commits: int
    """How many commits were judged."""


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


SHAPES: Final = {
    "check": CheckData,
    "explain": RuleList | RulePage,
    "whoami": WhoamiData,
    "prime": PrimeData,
    **tasks.SHAPES,
}
"""Command to what its envelope holds."""
