"""Which introduction an audit stands on, and whether that is the one that the receipts were judged from."""

from collections.abc import Callable, Sequence

from codifica_guard.audit.belief import Link
from codifica_guard.audit.faults import fault
from codifica_guard.model.audited import Noted
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.model.receipt import INTRODUCTION
from codifica_guard.model.value import value
from codifica_guard.rules.audit_view import AuditView


@value
class Anchoring:
    """What an audit stands on.

    Attributes:
        commit: the introduction; None where there is none at all.
        pinned: whether the auditor named it, or his settings do.
        differs: the finding that it is not the one that the receipts name; None where all agree.
    """

    commit: ObjectId | None
    pinned: bool
    differs: Noted | None = None


def anchored(
    given: ObjectId | None, found: ObjectId | None, links: Sequence[Link], within: Callable[[ObjectId], bool]
) -> Anchoring:
    """The introduction that is judged from.

    What the auditor names counts, as long as the branch has it; then what the receipts name; then what history has.

    Args:
        given: what the auditor or the settings name; None where nothing does.
        found: the commit that brought the policy into the branch's history.
        links: the receipts that are believed, oldest first.
        within: whether a commit is in the branch's history.
    """
    named = [link for link in links if link.receipt.introduction is not None]
    newest = named[-1] if named else None
    said = newest.receipt.introduction if newest is not None else None
    rest = said if said is not None and within(said) else found
    if given is None:
        if newest is not None and said is not None and rest != said:
            return Anchoring(
                commit=rest, pinned=False, differs=_differs(newest, f"{_names(newest)}, which the branch does not have")
            )
        return Anchoring(commit=rest, pinned=False, differs=_moved(links))
    if not within(given):
        view = AuditView(
            said=f"the branch does not have {short(given)}, which is pinned here as introduction",
            introduction=said or found,
        )
        return Anchoring(commit=rest, pinned=False, differs=fault("AU107", view))
    if newest is not None and said != given:
        return Anchoring(
            commit=given,
            pinned=True,
            differs=_differs(newest, f"{_names(newest)}; this audit stands on {short(given)}"),
        )
    return Anchoring(commit=given, pinned=True, differs=_moved(links))


def replayed(links: Sequence[Link]) -> int:
    """How many receipts lie before the introduction was moved for the last time, that one included: they are not replayed."""
    return max((place + 1 for place, link in enumerate(links) if link.receipt.kind == INTRODUCTION), default=0)


def _moved(links: Sequence[Link]) -> Noted | None:
    """The first receipt that is judged from another introduction than the one before, though none says that it was moved."""
    before: ObjectId | None = None
    for link in links[replayed(links) :]:
        now = link.receipt.introduction
        if before is not None and now is not None and now != before:
            return _differs(link, f"{_names(link)}, the one before {short(before)}; no receipt says that it was moved")
        before = now or before
    return None


def _names(link: Link) -> str:
    receipt = link.receipt
    word = "moved the introduction to" if receipt.kind == INTRODUCTION else "was judged from the introduction"
    return f"receipt {receipt.number} {word} {short(receipt.introduction or b'')}"


def _differs(link: Link, said: str) -> Noted:
    receipt = link.receipt
    view = AuditView(said=said, introduction=receipt.introduction, receipt=link.commit, number=receipt.number)
    return fault("AU107", view, receipt.time)
