"""What reports count in an audit: how acts are proven, week by week, and who did what."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from codifica_guard.model.act import Act, Deed, Mark
from codifica_guard.model.audited import Noted, PolicyChange
from codifica_guard.model.ids import is_agent, is_human
from codifica_guard.model.value import value

WEEK: Final = 7 * 86400

_MONDAY: Final = 4 * 86400
"""The first Monday since the epoch."""

POLICY: Final = "policy"
"""What a change of the policy is called beside the names of deeds."""

NOBODY: Final = "nobody"
"""Who made what nobody is proven to have made."""

HUMANS_ONLY: Final = frozenset(
    {Deed.BLOCK, Deed.UNBLOCK, Deed.REJECT, Deed.REOPEN, Deed.RECLAIM, Deed.DELETE, Deed.CHOOSE, POLICY}
)
"""What no agent may do, whatever the policy says; all else hangs on whose task it is."""


@value
class Week:
    """One week, Monday to Sunday in UTC.

    Attributes:
        start: its first second, since the epoch.
        marks: how many transitions are known how.
    """

    start: int
    marks: Mapping[Mark, int]

    @property
    def transitions(self) -> int:
        """How many there are."""
        return sum(self.marks.values())

    @property
    def proven(self) -> int:
        """How many of them somebody is proven to have made."""
        return self.transitions - self.marks.get(Mark.UNPROVEN, 0)


@value
class Doer:
    """What one principal did.

    Attributes:
        name: the principal, or `NOBODY`.
        deeds: how often he did what; changes of the policy under `POLICY`.
    """

    name: str
    deeds: Mapping[Deed | str, int]

    def allowed(self, deed: Deed | str) -> bool:
        """Whether the table of the protocol lets such a principal do it at all."""
        return is_human(self.name) or (is_agent(self.name) and deed not in HUMANS_ONLY)


def marks(acts: Iterable[Act]) -> Mapping[Mark, int]:
    """How many acts are known how; every mark has its number, in its own order."""
    found = Counter(act.mark for act in acts)
    return {mark: found[mark] for mark in Mark}


def week_of(seconds: int) -> int:
    """The first second of the week that a time lies in."""
    return (seconds - _MONDAY) // WEEK * WEEK + _MONDAY


def weeks(acts: Iterable[Act]) -> tuple[Week, ...]:
    """The weeks in which something was done, the oldest first; weeks in which nothing was are left out."""
    found: dict[int, Counter[Mark]] = {}
    for act in acts:
        found.setdefault(week_of(act.at), Counter())[act.mark] += 1
    return tuple(Week(start=start, marks=dict(found[start])) for start in sorted(found))


def doers(acts: Iterable[Act], policies: Iterable[PolicyChange]) -> tuple[Doer, ...]:
    """Who did what: humans first, then agents, all others, and nobody; by name. Edits and choices count, too."""
    found: dict[str, Counter[Deed | str]] = {}
    for act in acts:
        found.setdefault(act.actor or NOBODY, Counter())[act.deed] += 1
    for change in policies:
        found.setdefault(change.actor or NOBODY, Counter())[POLICY] += 1
    return tuple(Doer(name=name, deeds=dict(found[name])) for name in sorted(found, key=_place))


def columns(rows: Sequence[Doer]) -> tuple[Deed | str, ...]:
    """The deeds that any of some principals did, in the order of a task's life."""
    done = {deed for row in rows for deed in row.deeds}
    return tuple(deed for deed in (*Deed, POLICY) if deed in done)


def name_of(deed: Deed | str) -> str:
    """A deed in one word."""
    return deed if isinstance(deed, str) else deed.value


def by_actor(acts: Iterable[Act]) -> tuple[tuple[str, int], ...]:
    """Principals and how many acts are theirs, the most frequent first; nobody's are left out."""
    found = Counter(act.actor for act in acts if act.actor is not None)
    return tuple(sorted(found.items(), key=lambda row: (-row[1], row[0])))


def by_code(findings: Iterable[Noted]) -> tuple[tuple[str, tuple[Noted, ...]], ...]:
    """Codes and their findings, in the order of the codes."""
    found: dict[str, list[Noted]] = {}
    for noted in findings:
        found.setdefault(noted.finding.code, []).append(noted)
    return tuple((code, tuple(found[code])) for code in sorted(found))


def _place(name: str) -> tuple[int, str]:
    kind = 0 if is_human(name) else 1 if is_agent(name) else 3 if name == NOBODY else 2
    return kind, name
