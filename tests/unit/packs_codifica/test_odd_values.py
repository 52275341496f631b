"""Every field of a task, once with each kind of value that it is not meant to have: no rule raises, before or after."""

from typing import Final

import pytest

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal
from codifica_guard.packs.all import REGISTRY
from codifica_guard.rules.rule import About
from codifica_guard.rules.snapshot import Snapshot
from tests.unit.views import ALICE, BUILDER, WRITER, codifica, commit_view, document, policy, snapshot, task

FULL: Final = """\
  type: followup
  state: STATE
  owner: agent:builder
  title: Login form
  priority: high
  depends_on: [FEAT-2]
  labels: [a]
  acceptance: [works]
  derived_from: FEAT-2
  context:
    constraints: [a]
  claimed_at: 2026-11-30T00:00:00Z
  completed_at: 2026-11-30T00:10:00Z
  blocked_reason: waits
  human_review:
    status: needs_work
    reviewer: human:bob
    recorded_at: 2026-11-30T00:20:00Z
  execution_notes:
    - by: agent:builder
      summary: one line
      timestamp: 2026-11-30T00:05:00Z
      provenance:
        commit_sha: cccccccccccccccccccccccccccccccccccccccc
  artifacts:
    - path: src/a.py
      type: code
  state_transitions:
    - from: todo
      to: in_progress
      by: agent:builder
      reason: mine
      timestamp: 2026-11-30T00:01:00Z
      provenance:
        writer: ssh-ed25519 AAAA
"""
ENTRY: Final = """\
    - from: SOURCE
      to: STATE
      by: agent:builder
      reason: because
      timestamp: 2026-11-30T00:30:00Z
"""
ODD: Final = {"list": " [a]", "null": "", "text": " text", "boolean": " true", "mapping": "\n{}a: b"}
MOVES: Final = (
    ("todo", "in_progress"),
    ("in_progress", "in_progress"),
    ("in_progress", "to_be_tested"),
    ("in_progress", "done"),
    ("to_be_tested", "done"),
    ("to_be_tested", "todo"),
    ("done", "todo"),
    ("todo", "blocked"),
)


def odd(text: str) -> list[str]:
    """The text with one value after the other made an odd one of each kind; what was below the value goes."""
    lines, found = text.splitlines(), []
    for number, line in enumerate(lines):
        key, colon, _ = line.partition(":")
        depth = len(key) - len(key.lstrip(" -"))
        below = next(
            (
                n
                for n, other in enumerate(lines[number + 1 :], number + 1)
                if len(other) - len(other.lstrip(" -")) <= depth
            ),
            len(lines),
        )
        found += [
            "\n".join([*lines[:number], key + colon + value.format(" " * (depth + 2)), *lines[below:]]) + "\n"
            for value in ODD.values()
        ]
    return found


def tree(texts: list[str], state: str, source: str) -> Snapshot:
    """A tree with one task a text, and what they depend on."""
    blocks = [
        f"- id: FEAT-{n}\n{text.replace('STATE', state).replace('SOURCE', source)}" for n, text in enumerate(texts, 10)
    ]
    return snapshot({"work.md": document(task("FEAT-2", state="done"), *blocks)})


ONE: Final = policy(
    config=codifica(max_concurrent=1, allowed_agents=(WRITER,)), writer_tokens="required", self_approval="refuse"
)


@pytest.mark.parametrize("side", ["before", "after", "both"])
@pytest.mark.parametrize("actor", [BUILDER, ALICE])
@pytest.mark.parametrize(("source", "target"), MOVES)
def test_no_rule_raises(source: str, target: str, actor: Principal, side: str) -> None:
    strange = odd(FULL + ENTRY)
    sane = [FULL + ENTRY] * len(strange)
    before = tree(
        odd(FULL) if side == "before" else [FULL] * len(strange) if side == "after" else strange, source, source
    )
    after = tree(sane if side == "before" else strange, target, source)
    view = commit_view(before, after, actor=actor, under=ONE)
    told = {
        rule.code
        for rule in REGISTRY.under(view.policy, About.TASK)
        for change in view.changes
        for breach in rule.check(change, view)
        if breach.found
    }
    assert told or not view.changes


def test_odd_values_are_read_as_what_they_are() -> None:
    """Else the table above would hold rules against nothing."""
    there = tree(odd(FULL), "done", "todo")
    read = [record.task() for records in there.records.values() for record in records]
    kinds = {type(found.data.get(name)) for found in read if isinstance(found, Task) for name in found.data}
    assert sum(isinstance(found, Task) for found in read) > len(read) * 0.9
    assert kinds == {str, bool, list, dict, type(None)}
