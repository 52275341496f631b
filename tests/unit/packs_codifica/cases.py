"""Cases of the protocol's rules as rows of a table: tasks before and after, who did it, and what the rule says.

The blocks are written with one line a field and one line an entry, so that what was there before stands as it was.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import Principal
from codifica_guard.packs.all import REGISTRY
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView
from tests.unit.advised import wrong
from tests.unit.views import BUILDER, NOW, commit_view, document, trailers

MIGRATION: Final = trailers(("Codifica-Migrate", "ids of the old tool"))


def at(minutes: float = 0) -> str:
    """An RFC 3339 time, so many minutes from the server's now."""
    return datetime.fromtimestamp(NOW + minutes * 60, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def block(name: str = "FEAT-1", /, **fields: Any) -> str:
    """One task block; a field that is `...` is left out, None is null, a text of letters and digits stands without quotes."""
    every = {"type": "build", "state": "todo", "owner": "unassigned", "title": "Login form", **fields}
    lines = [f"- id: {name}"]
    for key, value in every.items():
        if isinstance(value, list) and value:
            lines += [f"  {key}:", *(f"    - {json.dumps(entry)}" for entry in value)]
        elif value is None:
            lines.append(f"  {key}:")
        elif value is not ...:
            lines.append(f"  {key}: {value if isinstance(value, str) and value.isalnum() else json.dumps(value)}")
    return "\n".join(lines) + "\n"


def step(source: str, target: str, by: object = BUILDER, minutes: float = 0, **more: Any) -> dict[str, Any]:
    """One entry of `state_transitions`."""
    return {"from": source, "to": target, "by": by, "timestamp": at(minutes), **more}


def note(text: str = "Found the cause", by: object = BUILDER, minutes: float = 0, **more: Any) -> dict[str, Any]:
    """One entry of `execution_notes`."""
    return {"by": by, "note": text, "timestamp": at(minutes), **more}


CLAIM: Final = step("todo", "in_progress", minutes=-60)
HAND_IN: Final = step("in_progress", "to_be_tested", minutes=-30)
CLOSING: Final = note("All of it", minutes=-30, summary="Done and tested")


def running(name: str = "FEAT-1", /, **fields: Any) -> str:
    """A task that builder works on since an hour."""
    first = {"state": "in_progress", "owner": BUILDER, "claimed_at": at(-60), "state_transitions": [CLAIM]}
    return block(name, **{**first, **fields})


def handed_in(name: str = "FEAT-1", /, **fields: Any) -> str:
    """A task that builder handed in half an hour ago."""
    first = {"state": "to_be_tested", "execution_notes": [CLOSING], "state_transitions": [CLAIM, HAND_IN]}
    return running(name, **{**first, **fields})


def documents(blocks: str | Sequence[str] | Mapping[str, str]) -> Mapping[str, str]:
    """One document with some blocks; what is a mapping already stays as it is."""
    if isinstance(blocks, Mapping):
        return blocks
    return {"work.md": document(*([blocks] if isinstance(blocks, str) else blocks))}


Blocks = str | Sequence[str] | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """One row: what stood there, what stands there now, who did it, what the rule says (`error: ...`, `warning: ...`)."""

    code: str
    name: str
    before: Blocks
    after: Blocks
    actor: Principal | None
    says: tuple[str, ...] = ()
    view: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.code}-{self.name}"

    def shown(self) -> CommitView:
        """What the rule is given."""
        return commit_view(documents(self.before), documents(self.after), actor=self.actor, **self.view)


def refused(
    code: str, name: str, before: Blocks, after: Blocks, actor: Principal | None, *says: str, **view: Any
) -> Case:
    """A row whose rule says something."""
    assert says
    return Case(code, name, before, after, actor, says, view)


def accepted(code: str, name: str, before: Blocks, after: Blocks, actor: Principal | None, **view: Any) -> Case:
    """A row whose rule is silent."""
    return Case(code, name, before, after, actor, (), view)


def breaches(code: str, view: CommitView) -> list[Breach]:
    """What one rule yields, if the policy switches it on and no migration lifts it."""
    rule = REGISTRY.find(code)
    if rule not in REGISTRY.under(view.policy, rule.about) or (rule.lifted and view.migrates):
        return []
    if rule.about is About.COMMIT:
        return list(rule.check(view))
    assert rule.about is About.TASK
    return [breach for change in view.changes for breach in rule.check(change, view)]


def told(code: str, found: Iterable[Breach]) -> tuple[str, ...]:
    """Breaches as a table has them: severity and text."""
    rule = REGISTRY.find(code)
    return tuple(f"{(breach.severity or rule.severity).value}: {breach.found}" for breach in found)


def check(case: Case) -> None:
    """Hold a row against its rule: the texts, the severities, and that every breach helps on."""
    view = case.shown()
    found = breaches(case.code, view)
    assert told(case.code, found) == case.says
    for breach in found:
        error = (breach.severity or REGISTRY.find(case.code).severity) is Severity.ERROR
        assert not error or (breach.expected and breach.do)
        assert wrong("\n".join(breach.do)) == []
        assert all(line.isascii() and line.strip() == line for line in breach.do)
        if breach.line is not None:
            lengths = {
                len(text.splitlines()) for text in (*documents(case.before).values(), *documents(case.after).values())
            }
            assert 1 <= breach.line <= max(lengths)
