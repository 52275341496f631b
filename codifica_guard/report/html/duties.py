"""Separation of duties: who approved whose work, and who his own."""

from collections.abc import Iterator, Mapping
from typing import Final

from codifica_guard.model.act import Act, Deed
from codifica_guard.model.audited import Audit
from codifica_guard.model.ids import is_agent, is_human
from codifica_guard.model.value import value
from codifica_guard.report.audit_figures import NOBODY
from codifica_guard.report.html.index import Index
from codifica_guard.report.html.text import count, name, number

_SQUARE: Final = 16
"""Authors up to which each has a column of their own, though they approved nothing: that is told, too."""

_LISTED: Final = 40
"""Approvals of own work that are listed."""


@value
class Approval:
    """One approval.

    Attributes:
        act: the approval.
        author: who handed the work in, else whose the task is; `NOBODY` where nobody is proven.
        approver: who approved; `NOBODY` where nobody is proven.
    """

    act: Act
    author: str
    approver: str

    @property
    def own(self) -> bool:
        """Whether he approved his own work."""
        return self.author == self.approver != NOBODY


def approvals(audit: Audit) -> tuple[Approval, ...]:
    """Each step from to_be_tested to done, in the order of history, with who had handed the work in."""
    handed: dict[str, str] = {}
    found: list[Approval] = []
    for act in audit.acts:
        if act.deed is Deed.HAND_IN:
            handed[act.task] = act.actor or NOBODY
        elif act.deed is Deed.APPROVE:
            author = handed.get(act.task) or act.owner or NOBODY
            found.append(Approval(act=act, author=author, approver=act.actor or NOBODY))
    return tuple(found)


def duties(index: Index) -> Iterator[str]:
    """The section."""
    found = approvals(index.audit)
    yield (
        '<p class="lead">Who approved whose work. Struck through: the same name on both '
        "sides. Grey: an agent and the work of others, which the protocol leaves to people.</p>"
    )
    if found:
        yield from _matrix(found)
        yield from _own(index, [told for told in found if told.own])
    else:
        yield "<p>Nothing was approved.</p>"
    closed = [act for act in index.audit.acts if act.deed is Deed.CLOSE]
    if closed:
        yield (
            f"<p>{count(len(closed), 'task was', 'tasks were')} closed by their owners without a hand-in, as the protocol has it "
            "for other types than build; there is no approval to count.</p>"
        )


def _matrix(found: tuple[Approval, ...]) -> Iterator[str]:
    counts: dict[tuple[str, str], int] = {}
    for told in found:
        counts[told.author, told.approver] = counts.get((told.author, told.approver), 0) + 1
    authors = _sorted({told.author for told in found})
    square = {told.author for told in found} - {NOBODY} if len(authors) <= _SQUARE else set()
    approvers = _sorted({told.approver for told in found} | square)
    yield '<div class="scroll"><table class="grid"><caption class="soft">Approvals: rows handed the work in, columns approved it</caption><thead><tr><th scope="col">Handed in by</th>'
    yield "".join(f'<th scope="col">{_who(approver)}</th>' for approver in approvers)
    yield '<th scope="col">All</th></tr></thead><tbody>'
    for author in authors:
        cells = "".join(_cell(author, approver, counts) for approver in approvers)
        total = sum(many for (of, _), many in counts.items() if of == author)
        yield f'<tr><th scope="row">{_who(author)}</th>{cells}<td>{number(total)}</td></tr>'
    yield '<tr><th scope="row">All</th>'
    yield "".join(f"<td>{number(sum(n for (_, by), n in counts.items() if by == who))}</td>" for who in approvers)
    yield f"<td>{number(len(found))}</td></tr></tbody></table></div>"


def _cell(author: str, approver: str, counts: Mapping[tuple[str, str], int]) -> str:
    many = counts.get((author, approver), 0)
    if approver == NOBODY:
        return f'<td class="no{" ill" if many else ""}">{f"! {number(many)}" if many else "&middot;"}</td>'
    if author == approver:
        return f'<td class="self{" has" if many else ""}">{number(many) if many else "&ndash;"}<span class="kind">own work</span></td>'
    if is_agent(approver):
        return f'<td class="no{" ill" if many else ""}">{f"! {number(many)}" if many else "&middot;"}</td>'
    return f"<td>{number(many) if many else '&ndash;'}</td>"


def _own(index: Index, own: list[Approval]) -> Iterator[str]:
    if not own:
        yield '<p class="good">&#10003; Nobody approved work that they had handed in themselves.</p>'
        return
    items = [f"{name(told.approver)} {index.link(told.act.task)}" for told in own[:_LISTED]]
    more = f" and {len(own) - _LISTED:,} more" if len(own) > _LISTED else ""
    yield (
        f'<p><span class="warn">! {count(len(own), "approval")} of own work:</span> {", ".join(items)}{more}. Whether that may be, '
        "<code>self_approval</code> and <code>review_by</code> of the policy say.</p>"
    )


def _sorted(names: set[str]) -> list[str]:
    return sorted(names, key=lambda n: (n == NOBODY, 0 if is_human(n) else 1 if is_agent(n) else 2, n))


def _who(principal: str) -> str:
    return '<em class="bad">nobody proven</em>' if principal == NOBODY else name(principal)
