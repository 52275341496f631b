"""The one JSON object that every command prints under `--json`."""

import json
from typing import Any

from codifica_guard.cli.command import Outcome
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import show_path


def envelope(name: str, version: int, outcome: Outcome) -> str:
    """One JSON object: schema, ok, exit, as_of, data, findings, next. Absent values are null, collections are lists."""
    return json.dumps(
        {
            "schema": f"codifica-guard/{name}@{version}",
            "ok": outcome.exit == 0,
            "exit": outcome.exit,
            "as_of": None if outcome.as_of is None else dict(outcome.as_of),
            "data": outcome.data,
            "findings": [finding_json(f) for f in outcome.findings],
            "next": list(outcome.next),
        },
        ensure_ascii=True,
    )


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding, as the envelope holds it."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "path": None if finding.path is None else show_path(finding.path),
        "line": finding.line,
        "column": finding.column,
        "task": finding.task,
        "commit": None if finding.commit is None else finding.commit.decode("ascii"),
        "actor": finding.actor,
        "found": finding.found,
        "expected": finding.expected or None,
        "do": list(finding.do),
        "doc": f"docs/rules/{finding.code}.md",
    }
