"""The file of a receipt, `receipt.json` in the commits of `refs/codifica/receipts`."""

from typing import Literal

from typing_extensions import TypedDict

Step = TypedDict("Step", {"from": str, "to": str})  # no class can have the name `from`


class TransitionData(Step):
    """One transition that the push brought; `from` and `to` are states, or: new, gone, unreadable, without state."""

    record: str
    """The task, such as codifica/FEAT-1."""
    actor: str | None
    """Who is proven to have done it; null where nobody is."""
    key: str | None
    """The fingerprint of the key that proves it."""
    proof: Literal["S", "T", "H", "A", "U"]
    """S signed, T signed with the writer token too, H signed by a touched hardware key, A attested by the server, U unproven."""
    commit: str
    """The full id of the commit."""


class WarningData(TypedDict):
    """One warning that the pusher was told."""

    code: str
    """The rule."""
    task: str | None
    """The task that it is about."""
    commit: str | None
    """The commit that it is about."""


class PusherData(TypedDict):
    """Who pushed, as the server authenticated him."""

    name: str
    """His account; empty where none is known."""
    by: str
    """What says so: gitea, gitolite, gitlab, http, or none."""
    how: str
    """More that it said, such as the id of the key that logged him in."""


class ReceiptFile(TypedDict):
    """A receipt."""

    number: int
    """Its place in the chain, from 1 on."""
    kind: Literal["push", "pause", "introduction"]
    """What it is about: an update of a branch, a pause that the admin set or ended, an introduction that he moved."""
    repository: str
    """The repository's id, as in every signed payload."""
    server: str
    """The principal that signs."""
    guard: str
    """Version of the guard."""
    ruleset: int
    """The ruleset of the policy that counted; 0 where none could be read."""
    time: str
    """The clock that the push was judged by, RFC 3339."""
    introduction: str | None
    """The commit from which on the server judges."""
    push: str
    """16 hexadecimal digits that all receipts of one push share."""
    ref: str | None
    """The branch, symbolic refs resolved."""
    old: str | None
    """Its tip before; null for a branch that is born."""
    new: str | None
    """Its tip after; null for a branch that was deleted."""
    coordination: str | None
    """The coordination branch's tip before the push."""
    coordinating: bool
    """Whether the branch is the coordination branch."""
    pusher: PusherData
    late: bool
    """Whether a later push wrote the receipt."""
    paused: bool
    """Whether rules were held off."""
    until: str | None
    """The end of the pause, RFC 3339."""
    reason: str
    """Why the admin paused, or moved the introduction."""
    refused: list[str]
    """Codes of the rules that would have refused the push without the pause."""
    warnings: list[WarningData]
    transitions: list[TransitionData]
    tips: dict[str, str]
    """Where the receipts have every judged branch after this one."""
