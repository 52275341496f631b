"""The JSON of commands about keys and signatures: init, key, sign, payload."""

from typing import Final, Literal

from typing_extensions import TypedDict


class AgentKey(TypedDict):
    """The key file of an agent."""

    principal: str
    path: str
    """The private key's file."""
    public: str
    """The public half: type, base64 and principal."""
    made: bool
    """Whether it is new; else it was there already."""


class QuotedLine(TypedDict):
    """A line of a task whose value was put in quotes."""

    path: str
    line: int
    before: str
    after: str


class InitData(TypedDict):
    """The introduction."""

    commit: str | None
    """The full id of the commit that introduces the guard; null in a dry run."""
    branch: str
    """The branch that holds the tasks."""
    repository: str
    """The id that the policy gives to the repository: 32 hexadecimal digits."""
    maintainer: str
    """Who introduces it, and may change the policy from now on."""
    fingerprint: str
    """The maintainer's key, as ssh-keygen -l shows it."""
    files: list[str]
    """The files of the commit."""
    keys: list[AgentKey]
    """The key files of agents."""
    hooks: bool
    """Whether this clone has the hooks, or in a dry run would have them."""
    quoted: list[QuotedLine]
    """Lines that were put in quotes, so that their tasks can be read."""
    notes: list[str]
    """What has to be done by hand."""


class NewKey(TypedDict):
    """`key new`: a key file."""

    principal: str
    path: str
    """The private key's file; the public half stands beside it, with .pub."""
    public: str
    """The public half: type, base64 and principal."""
    fingerprint: str
    """As ssh-keygen -l shows it: SHA256:..."""


class AddedKey(TypedDict):
    """`key add`: a key that the policy lists."""

    principal: str
    fingerprint: str
    """As ssh-keygen -l shows it: SHA256:..."""
    maintainer: bool
    """Whether this made the principal a maintainer."""
    branch: str
    """The branch that got the commit."""
    commit: str | None
    """The full id of the commit; null in a dry run."""
    pushed: bool
    """Whether the remote has it."""
    files: list[str]
    """The files that it changes."""


Validity = TypedDict("Validity", {"from": str | None, "until": str | None})  # no class can have the name `from`


class ListedKey(Validity):
    """A key of the policy; `from` and `until` bound its validity, such as 2026-12-01T00:00:00Z, and are null without a bound."""

    principal: str
    """Whose it is, several with commas between; - for a revoked key that is listed for nobody."""
    maintainer: bool
    """Whether it is a maintainer's."""
    fingerprint: str
    """As ssh-keygen -l shows it: SHA256:..."""
    type: str
    """OpenSSH's name of the kind of key, such as ssh-ed25519."""
    namespaces: list[str]
    """What it may sign."""
    state: Literal["valid", "not yet", "expired", "revoked"]
    """How it stands now."""
    last_used: str | None
    """When it last signed a commit of the coordination branch; null where it did not, or where that cannot be told."""
    line: int | None
    """Its line of .codifica/allowed_signers, from 1; null where it has none."""


class KeyList(TypedDict):
    """`key list`: the keys of the policy."""

    keys: list[ListedKey]


class WriterToken(TypedDict):
    """`key token`: a writer token."""

    task: str
    """The id of the task that it is for."""
    path: str
    """The token's file, a secret."""
    writer: str
    """The public half, for the claim's entry."""


class SignedCommit(TypedDict):
    """A commit that was made anew."""

    how: str
    """signed; dropped: dead trailers were taken away; moved: only its parents are others."""
    old: str
    """Its full id before."""
    new: str
    """Its full id now."""
    actor: str | None
    """Who signed it now; null where nobody did."""


class SignData(TypedDict):
    """What was signed."""

    commits: list[SignedCommit]
    """Parents first; empty where nothing had to be done."""


class PayloadData(TypedDict):
    """What a commit's signature covers."""

    commit: str
    """The commit's full id."""
    actor: str
    """Whose payload it is."""
    payload: str
    """The payload, ASCII, with its last line end."""


class SignatureData(TypedDict):
    """`payload --signature`: the signature itself."""

    commit: str
    """The commit's full id."""
    by: Literal["trailer", "git"]
    """What carries it: the trailer, or Git's own header, which signs the commit and not the payload."""
    signature: str
    """The armoured SSH signature, with its last line end."""


SHAPES: Final = {
    "init": InitData,
    "key": NewKey | AddedKey | KeyList | WriterToken,
    "sign": SignData,
    "payload": PayloadData | SignatureData,
}
"""Command to what its envelope holds."""
