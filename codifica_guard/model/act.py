"""What one commit did to one task, and how it is known who did it."""

from enum import Enum

from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import ObjectId, TaskId
from codifica_guard.model.value import value

BORN, GONE, UNREADABLE, STATELESS = "new", "gone", "unreadable", "without state"
"""What a task comes from, goes to, and is where it has no state that could be told."""


class Mark(Enum):
    """How it is known who acted; the letter stands for it where colours would."""

    SIGNED = "S"
    """Signed with a key that the policy lists."""
    TOKEN = "T"  # noqa: S105 - a letter, no secret
    """Signed, and with the writer token of the claim, too."""
    TOUCHED = "H"
    """Signed with a hardware key whose user was present."""
    ATTESTED = "A"
    """The server says so: a web edit that it made for somebody who had logged in."""
    UNPROVEN = "U"
    """Nobody is proven."""


class Deed(Enum):
    """What an act comes to, in the words of the verbs."""

    NEW = "new"
    CLAIM = "claim"
    RESUME = "resume"
    HAND_IN = "hand-in"
    APPROVE = "approve"
    CLOSE = "close"
    RETURN = "return"
    BLOCK = "block"
    UNBLOCK = "unblock"
    REJECT = "reject"
    REOPEN = "reopen"
    RECLAIM = "reclaim"
    EDIT = "edit"
    DELETE = "delete"
    CHOOSE = "choose"
    """A merge that chose between versions of the task."""
    OTHER = "other"


_DEEDS = {
    ("todo", "in_progress"): Deed.CLAIM,
    ("in_progress", "in_progress"): Deed.RESUME,
    ("in_progress", "to_be_tested"): Deed.HAND_IN,
    ("in_progress", "done"): Deed.CLOSE,
    ("in_progress", "todo"): Deed.RECLAIM,
    ("to_be_tested", "done"): Deed.APPROVE,
    ("to_be_tested", "todo"): Deed.RETURN,
    ("blocked", "todo"): Deed.UNBLOCK,
    ("blocked", "in_progress"): Deed.UNBLOCK,
    ("rejected", "todo"): Deed.REOPEN,
    ("done", "todo"): Deed.REOPEN,
}


def deed_between(source: str, target: str) -> Deed:
    """What a step from one state to another is called; two equal states are a resume of the same task."""
    if source == BORN:
        return Deed.NEW
    if target == GONE:
        return Deed.DELETE
    if target in {"blocked", "rejected"} and source != target:
        return Deed.BLOCK if target == "blocked" else Deed.REJECT
    return _DEEDS.get((source, target), Deed.OTHER)


@value
class Act:
    """One task that one commit changed.

    Attributes:
        task: the task's id.
        deed: what it comes to.
        source, target: the states, or `BORN`, `GONE`, `UNREADABLE`, `STATELESS`.
        commit: the commit.
        at: the time that counts, seconds since the epoch: the receipt's where there is one, else what the committer says.
        dated: what the committer says.
        written: the time that the entry itself gives, where one was added; None where none does.
        actor: the proven principal; None where nobody is.
        claimed: who is said to have done it, by the entry, else by the commit; may be pushed text.
        mark: how the actor is known.
        proof: what proves him.
        token: whether the writer key that the act asks for has signed it, too, however else it is marked.
        key: fingerprint of the key that proved him; None where nothing did.
        receipt: the number of the receipt that saw the commit; None where none did.
        owner: whose the task is after the act.
        session: the session that the entry names.
        reason: the entry's reason.
        summary: the summary of a note that the commit brought.
        review: the status of a review that it brought.
        edited: what the task asks for, or whose it is, as far as the commit changed that beside the step: names of fields.
        acceptance: the criteria after the act, where it made, claimed or changed them; None where it left them alone.
        migration: why a maintainer rewrote what was recorded, in his words; None where the commit is no migration.
        judged: whether there was a policy to judge the commit by; its words prove nothing where there was none.
    """

    task: TaskId
    deed: Deed
    source: str
    target: str
    commit: ObjectId
    at: int
    dated: int
    actor: str | None
    claimed: str | None
    mark: Mark
    proof: Proof = Proof.NONE
    token: bool = False
    key: str | None = None
    receipt: int | None = None
    owner: str | None = None
    session: str | None = None
    reason: str | None = None
    summary: str | None = None
    review: str | None = None
    edited: tuple[str, ...] = ()
    acceptance: tuple[str, ...] | None = None
    migration: str | None = None
    written: int | None = None
    judged: bool = True

    @property
    def is_transition(self) -> bool:
        """Whether the task's life went on by it: a new task, another state, a resume, its end."""
        return self.deed not in {Deed.EDIT, Deed.CHOOSE} or self.source != self.target
