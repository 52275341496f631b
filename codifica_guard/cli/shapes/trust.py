"""The JSON of commands about the policy, keys and signatures: init, key, policy, sign, payload."""

from typing import Any, Final, Literal

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


class RotatedKey(TypedDict):
    """`key rotate`: a new key beside one that ends."""

    principal: str
    old: str
    """The old key, as ssh-keygen -l shows it: SHA256:..."""
    new: str
    """The new key, in the same form."""
    until: str
    """When the old one ends, such as 2026-12-15T00:00:00Z."""
    signing_key: str | None
    """What codifica.signingKey of this clone is now; null where it was left alone."""
    branch: str
    """The branch that got the commit."""
    commit: str | None
    """The full id of the commit; null in a dry run."""
    pushed: bool
    """Whether the remote has it."""


class RevokedKey(TypedDict):
    """A key that is refused for good."""

    fingerprint: str
    """As ssh-keygen -l shows it: SHA256:..."""
    public: str
    """Its line: type and base64."""
    principals: list[str]
    """For whom it is listed, as it is written there; empty where it is for nobody."""


class UnmergedCommits(TypedDict):
    """Commits of a branch that carry the signature of a revoked key and are not merged."""

    branch: str
    here: bool
    """Whether the branch is this clone's own, and not the remote's."""
    commits: int
    """How many there are."""


class HeldTask(TypedDict):
    """A task in progress whose owner signed with a revoked key."""

    task: str
    owner: str | None
    do: str
    """The command that takes it back."""


class RevokedKeys(TypedDict):
    """`key revoke`: keys that are refused from now on."""

    keys: list[RevokedKey]
    reason: str
    commits: int
    """Commits of the branch that carry their signature; what was proven stays so."""
    all_commits: bool
    """Whether all commits were looked at, those that are not merged too; else there may be more."""
    unmerged: list[UnmergedCommits]
    """Branches, as this clone knows them, with commits that can no longer be merged as they are."""
    held: list[HeldTask]
    branch: str
    """The branch that got the commit."""
    commit: str | None
    """The full id of the commit; null in a dry run."""
    pushed: bool
    """Whether the remote has it."""


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


class SeenData(TypedDict):
    """`payload --receipt`: the receipt that saw a commit."""

    commit: str
    """The commit's full id."""
    receipt: str
    """The full id of the receipt's commit."""
    number: int
    """Its number in the chain."""
    server: str
    """The principal that signed it."""
    at: str
    """The server's clock."""


class KeyChange(TypedDict):
    """The commit that gave a key its value."""

    commit: str
    """Its full id."""
    at: str
    """Its time, as its committer says."""
    by: str | None
    """Who is proven to have made it; null where nobody is."""
    judged: bool
    """Whether there was a policy to judge it by; false before the guard came."""


class PolicyKey(TypedDict):
    """A key of a policy file."""

    key: str
    """Its name, those of the objects around it before it: rules.mode."""
    value: Any
    """The value that counts, any JSON."""
    set: bool
    """Whether it is written there; else the default counts."""
    default: Any
    """What counts where it is absent; null also where it has to be there."""
    required: bool
    """Whether it has to be there."""
    meaning: str
    """What it is about, in a few words."""
    changed: KeyChange | None
    """What gave it its value; null where it was never there, or where that cannot be told."""


class RoleMember(TypedDict):
    """Somebody with a role."""

    principal: str
    keys: int
    """How many valid keys are listed by that name."""
    allowed: bool
    """For an agent, whether codifica.json lets it take tasks; else true."""


class PolicyRole(TypedDict):
    """A role, and who has it."""

    role: str
    """maintainers, agents, people or servers."""
    members: list[RoleMember]


class PolicyData(TypedDict):
    """`policy show`: the policy that counts."""

    branch: str
    """The branch that holds it."""
    keys: list[PolicyKey]
    """Those of .codifica/guard.json."""
    codifica: list[PolicyKey]
    """Those of codifica.json; empty where there is none."""
    roles: list[PolicyRole]
    faults: list[str]
    """Why the policy, or a part of it, cannot be taken."""
    warnings: list[str]
    """What in it is hardly meant."""


class ChangedPolicy(TypedDict):
    """`policy set` and `policy upgrade`: a change of .codifica/guard.json."""

    changed: list[str]
    """The keys that have another value now; empty where there was nothing to do."""
    branch: str
    """The branch that holds the policy."""
    commit: str | None
    """The full id of the commit; null in a dry run, and where there was nothing to do."""
    pushed: bool
    """Whether the remote has it."""


SHAPES: Final = {
    "init": InitData,
    "key": NewKey | AddedKey | RotatedKey | RevokedKeys | KeyList | WriterToken,
    "policy": PolicyData | ChangedPolicy,
    "sign": SignData,
    "payload": PayloadData | SignatureData | SeenData,
}
"""Command to what its envelope holds."""
