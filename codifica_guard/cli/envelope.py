"""The one JSON object that every command prints under `--json`."""

import json
from typing import TYPE_CHECKING, Any, Literal

from codifica_guard.cli.command import Outcome
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import show_path

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.envelope import Envelope, FindingData


def envelope(name: str, version: int, outcome: Outcome) -> str:
    """One JSON object: schema, ok, exit, as_of, error, data, findings, next. Absent values are null, collections are lists."""
    seen = outcome.as_of
    answer: Envelope[Any] = {
        "schema": f"codifica-guard/{name}@{version}",
        "ok": outcome.exit == 0,
        "exit": outcome.exit,
        "as_of": None if seen is None else {"commit": seen["commit"], "fetched": seen["fetched"]},
        "error": "\n".join((*outcome.notes, *outcome.lines)) or None if outcome.exit else None,
        "data": outcome.data,
        "findings": [finding_json(f) for f in outcome.findings],
        "next": list(outcome.next),
    }
    # In this form runners of CI take commands from anywhere in a line; to readers of JSON it is the same text.
    return json.dumps(answer, ensure_ascii=True).replace("##[", "#\\u0023[")


def finding_json(finding: Finding) -> "FindingData":
    """A finding, as the envelope holds it."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": severity_json(finding.severity),
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


def severity_json(severity: Severity) -> Literal["error", "warning"]:
    """A severity, as findings and rules hold it."""
    return "error" if severity is Severity.ERROR else "warning"
