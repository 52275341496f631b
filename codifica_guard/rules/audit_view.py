"""What rules of an audit are given: one thing about branches and receipts that is not as it has to be."""

from codifica_guard.model.ids import ObjectId, RefName, show_path
from codifica_guard.model.times import show_time
from codifica_guard.model.value import value

_HEADS = b"refs/heads/"


@value
class AuditView:
    """One place where what a server has written down and what is there differ.

    Attributes:
        said: what differs, in words of the one who found it; empty where the rule itself has all that it needs.
        ref: the branch.
        old, new: where it was, and where it is; None where it was or is not there.
        commits: how many commits lie between.
        after, before: numbers of the receipts around it; None where there is none.
        since, until: their times, seconds since the epoch.
        receipt: the commit of the receipt that is meant.
        number: its number, as far as it can be told.
        introduction: the commit that the receipts take for the introduction.
        known: what this clone remembers of the chain: a file of its own; empty where it is not meant.
        here: how the branch is called in this repository.
        remote: the remote that it was fetched from; None on the server itself.
    """

    said: str = ""
    ref: RefName | None = None
    old: ObjectId | None = None
    new: ObjectId | None = None
    commits: int = 0
    after: int | None = None
    before: int | None = None
    since: int | None = None
    until: int | None = None
    receipt: ObjectId | None = None
    number: int | None = None
    introduction: ObjectId | None = None
    known: str = ""
    here: RefName | None = None
    remote: str | None = None

    @property
    def branch(self) -> str:
        """The branch's name, as people say it."""
        return show_path((self.ref or b"").removeprefix(_HEADS)) or "the branch"


def during(view: AuditView) -> str:
    """When something happened, by the receipts around it; empty where there are none."""
    behind = _point("receipt", view.after, view.since)
    ahead = _point("receipt", view.before, view.until)
    if behind and ahead:
        return f", between {behind} and {ahead}"
    return f", behind {behind}" if behind else f", before {ahead}" if ahead else ""


def _point(word: str, number: int | None, at: int | None) -> str:
    if number is None:
        return ""
    return f"{word} {number}" + (f" of {show_time(at)}" if at is not None else "")
