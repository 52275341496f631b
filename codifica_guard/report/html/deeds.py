"""Who did what: principals against deeds, and which tasks each number is made of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from codifica_guard.model.act import Act, Deed
from codifica_guard.model.audited import PolicyChange
from codifica_guard.model.ids import is_agent
from codifica_guard.model.value import value
from codifica_guard.report.audit_figures import NOBODY, POLICY, Doer, columns, doers, name_of
from codifica_guard.report.html.index import Index
from codifica_guard.report.html.text import commit, count, name, number

ALWAYS: Final = (
    Deed.NEW, Deed.CLAIM, Deed.HAND_IN, Deed.APPROVE, Deed.RETURN, Deed.BLOCK, Deed.UNBLOCK, Deed.REJECT, Deed.REOPEN,
    Deed.RECLAIM, POLICY,
)  # fmt: skip
"""Columns that are there though nobody did it: that nobody did is told, too."""

_LISTED: Final = 400
"""Tasks that are listed for one number."""


@value
class Cell:
    """One number.

    Attributes:
        row, column: their places, from 1 on.
        doer: who.
        deed: what.
        acts, changes: what the number counts.
        allowed: whether his role may.
    """

    row: int
    column: int
    doer: Doer
    deed: Deed | str
    acts: tuple[Act, ...]
    changes: tuple[PolicyChange, ...]
    allowed: bool

    @property
    def many(self) -> int:
        """The number."""
        return len(self.acts) + len(self.changes)

    @property
    def ill(self) -> tuple[Act | PolicyChange, ...]:
        """What his role may not have done; what was done where no policy held yet breaks none."""
        return () if self.allowed else (*(act for act in self.acts if act.judged), *self.changes)

    @property
    def anchor(self) -> str:
        """The name of its list."""
        return f"w{self.row}-{self.column}"


def deeds(index: Index) -> Iterator[str]:
    """The section."""
    rows = doers(index.audit.acts, index.audit.policies)
    if not rows:
        yield "<p>Nobody did anything yet.</p>"
        return
    heads = _heads(rows)
    cells = _cells(index, rows, heads)
    yield (
        '<p class="lead">How often each principal did what. A number leads to the tasks that it counts. Grey: the protocol '
        "does not give that to such a principal at all, whatever the policy says.</p>"
    )
    yield '<div class="scroll"><table class="grid"><caption class="soft">People first, then agents, then what nobody is proven to have done</caption><thead><tr><th scope="col">Who</th>'
    yield "".join(f'<th scope="col">{_head(deed)}</th>' for deed in heads)
    yield "</tr></thead><tbody>"
    for place, row in enumerate(rows):
        yield f'<tr><th scope="row">{_row(row.name)}</th>{"".join(_cell(cell) for cell in cells[place])}</tr>'
    yield "</tbody></table></div>"
    flat = [cell for row in cells for cell in row]
    yield from _ill(index, [cell for cell in flat if cell.ill])
    yield from _lists(index, [cell for cell in flat if cell.many])


def _heads(rows: Sequence[Doer]) -> tuple[Deed | str, ...]:
    done = {*columns(rows), *ALWAYS}
    return tuple(deed for deed in (*Deed, POLICY) if deed in done)


def _cells(index: Index, rows: Sequence[Doer], heads: Sequence[Deed | str]) -> list[list[Cell]]:
    acts: dict[tuple[str, Deed | str], list[Act]] = {}
    for act in index.audit.acts:
        acts.setdefault((act.actor or NOBODY, act.deed), []).append(act)
    changes: dict[str, list[PolicyChange]] = {}
    for change in index.audit.policies:
        changes.setdefault(change.actor or NOBODY, []).append(change)
    return [
        [
            Cell(
                row=row,
                column=column,
                doer=doer,
                deed=deed,
                acts=tuple(acts.get((doer.name, deed), ())),
                changes=tuple(changes.get(doer.name, ())) if deed == POLICY else (),
                allowed=doer.allowed(deed),
            )
            for column, deed in enumerate(heads, 1)
        ]
        for row, doer in enumerate(rows, 1)
    ]


def _head(deed: Deed | str) -> str:
    return "choose in a merge" if deed is Deed.CHOOSE else name_of(deed)


def _row(principal: str) -> str:
    if principal == NOBODY:
        return '<em class="bad">nobody proven</em>'
    return name(principal)


def _cell(cell: Cell) -> str:
    kind = "" if cell.allowed else ' class="no ill"' if cell.ill else ' class="no"'
    if not cell.many:
        return f"<td{kind}>{'&middot;' if kind else '&ndash;'}</td>"
    sign = "! " if cell.ill else ""
    return f'<td{kind}>{sign}<a href="#{cell.anchor}">{number(cell.many)}</a></td>'


def _ill(index: Index, cells: Sequence[Cell]) -> Iterator[str]:
    if not cells:
        yield '<p class="good">&#10003; No number stands in a grey cell: nobody did what their role does not give them.</p>'
        return
    yield '<ul class="plain">'
    for cell in cells:
        nobody = cell.doer.name == NOBODY
        what = "did what only people may do" if is_agent(cell.doer.name) else "is neither a person nor an agent"
        who = "nobody is proven to have done it" if nobody else f"{name(cell.doer.name)} {what}"
        where = [_where(index, done) for done in cell.ill[:12]]
        more = f" and {len(cell.ill) - 12:,} more" if len(cell.ill) > 12 else ""
        yield (
            f'<li><span class="bad">! {_head(cell.deed)}, {count(len(cell.ill), "time")}:</span> {who}: '
            f"{', '.join(where)}{more}</li>"
        )
    yield "</ul>"


def _where(index: Index, done: Act | PolicyChange) -> str:
    if isinstance(done, Act):
        return f"{index.link(done.task)} in {commit(done.commit)}"
    return f'<a href="#s8">the policy</a> in {commit(done.commit)}'


def _lists(index: Index, cells: Sequence[Cell]) -> Iterator[str]:
    yield "<details><summary>What each number counts</summary>"
    for cell in cells:
        told: Mapping[str, int] = _by_task(cell.acts)
        items = [
            f"{index.link(task)}{f' &times;{many}' if many > 1 else ''}" for task, many in list(told.items())[:_LISTED]
        ]
        items += [commit(change.commit) for change in cell.changes[:_LISTED]]
        left = len(told) + len(cell.changes) - len(items)
        more = f" and {left:,} more tasks, in section 6" if left > 0 else ""
        who = "nobody proven" if cell.doer.name == NOBODY else name(cell.doer.name)
        yield f'<p id="{cell.anchor}"><b>{who}, {_head(cell.deed)}: {number(cell.many)}</b><br>{", ".join(items)}{more}</p>'
    yield "</details>"


def _by_task(acts: Sequence[Act]) -> dict[str, int]:
    told: dict[str, int] = {}
    for act in acts:
        told[act.task] = told.get(act.task, 0) + 1
    return told
