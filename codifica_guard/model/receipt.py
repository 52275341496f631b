"""What the server saw: the signed record of one update of a judged branch, or of what its admin did."""

from collections.abc import Mapping
from typing import Final

from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.value import EMPTY, value

RECEIPTS: Final = RefName(b"refs/codifica/receipts")
"""Where the chain of receipts ends; each is the child of the one before."""

RECEIPT_FILE: Final = b"receipt.json"
"""The one file in a receipt's tree."""

PUSH, PAUSE, INTRODUCTION = "push", "pause", "introduction"
"""What a receipt is about: an update of a branch, a pause that the admin set or ended, an introduction that he moved."""


@value
class Pusher:
    """Who pushed, as the server authenticated him.

    Attributes:
        name: his account.
        by: what says so: `gitea`, `gitolite`, `gitlab`, `http`; the text `none` where nothing does, and the name is empty.
        how: more that it said, such as the id of the key that logged him in; may be empty.
    """

    name: str = ""
    by: str = "none"
    how: str = ""


@value
class Line:
    """One transition that a push brought.

    Attributes:
        record: the task, `codifica/FEAT-1`.
        source, target: its states, as `Act` tells them.
        actor: the proven principal; None where nobody is.
        key: fingerprint of his key; None where nothing proved him.
        proof: the letter of `Mark`.
        commit: the commit.
    """

    record: str
    source: str
    target: str
    actor: str | None
    key: str | None
    proof: str
    commit: ObjectId


@value
class Warned:
    """One warning that the pusher was told: the rule's code, the task and the commit that it was about."""

    code: str
    task: str | None = None
    commit: ObjectId | None = None


@value
class Receipt:
    """One receipt, as its file says it.

    Attributes:
        number: its place in the chain, from 1 on.
        kind: `push`, `pause` or `introduction`.
        repository: the repository's id, as in every signed payload.
        server: the principal that signs.
        guard: version of the guard.
        ruleset: the ruleset of the policy that counted.
        time: the clock that the push was judged by, seconds since the epoch.
        introduction: the commit from which on the server judges; None before it is in.
        push: 16 hexadecimal digits, drawn once a push: tells a push from its repetition.
        ref: the branch, symbolic refs resolved; None where no branch is meant.
        old, new: its tips; None where there is none.
        coordination: the coordination branch's tip before the push; None where it was unborn.
        coordinating: whether the branch is the coordination branch.
        pusher: who pushed.
        late: whether a later push wrote the receipt, since the push's own hook did not come to it.
        paused: whether the push was not held up by rules.
        until: end of the pause, seconds since the epoch; None outside.
        reason: why the admin paused or moved the introduction; may be empty.
        refused: codes of the rules that would have refused a push in a pause.
        warnings: what the pusher was told.
        lines: the transitions.
        tips: where the receipts have every judged branch after this one.
    """

    number: int
    kind: str
    repository: str
    server: str
    guard: str
    ruleset: int
    time: int
    introduction: ObjectId | None = None
    push: str = ""
    ref: RefName | None = None
    old: ObjectId | None = None
    new: ObjectId | None = None
    coordination: ObjectId | None = None
    coordinating: bool = False
    pusher: Pusher = Pusher()
    late: bool = False
    paused: bool = False
    until: int | None = None
    reason: str = ""
    refused: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    lines: tuple[Line, ...] = ()
    tips: Mapping[RefName, ObjectId] = EMPTY
