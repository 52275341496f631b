"""Findings as SARIF 2.1.0 (OASIS): what code scanning and editors read."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

from codifica_guard import __version__
from codifica_guard.model.audited import Audit, Noted
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId, RepoPath, show_path
from codifica_guard.model.times import stamp
from codifica_guard.model.value import value
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.pages import page, parts, sentence
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.rules.rule import Rule

VERSION: Final = "2.1.0"
SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"

ROOT: Final = "%SRCROOT%"
"""What paths are relative to: the root of the work tree, by the name that readers of SARIF know it by."""

NOWHERE: Final = RepoPath(b".codifica/guard.json")
"""Where a finding is put that no file is meant by: a forge takes no result without a file."""

_WORDS: Final = 4_000
"""Characters of one text."""

_DESCRIPTION: Final = 1_000
"""Characters of a rule's description that are surely shown."""

_VARYING: Final = re.compile(r"\b[0-9a-f]{7,64}\b|\d+")
"""Ids of commits, numbers of lines and times: what is new in the same finding after a rebase."""


@value
class Origin:
    """Where findings come from, as far as that is known.

    Attributes:
        repository: the repository's address, an absolute URI without secrets.
        revision: the commit that was looked at.
        branch: its branch, in short.
    """

    repository: str | None = None
    revision: ObjectId | None = None
    branch: str | None = None


UNKNOWN: Final = Origin()


def log(told: Audit | Verdict, origin: Origin = UNKNOWN) -> bytes:
    """The log of an audit or of a verdict; the same bytes for the same findings and rules.

    An audit knows its revision and its branch by itself.
    """
    if isinstance(told, Audit):
        first = told.branches[0] if told.branches else None
        origin = Origin(
            repository=origin.repository,
            revision=origin.revision or (first.tip if first else None),
            branch=origin.branch or (_short(first.ref) if first else None),
        )
        run = _run(told.findings, origin, kind="audit", version=told.guard, more=_of_audit(told))
    else:
        noted = tuple(Noted(finding=finding) for finding in told.findings)
        run = _run(noted, origin, kind="check", version=__version__, more={})
    answer = {"$schema": SCHEMA, "version": VERSION, "runs": [run]}
    return json.dumps(answer, indent=1, ensure_ascii=True).encode("ascii") + b"\n"


def _run(found: Iterable[Noted], origin: Origin, *, kind: str, version: str, more: Mapping[str, Any]) -> dict[str, Any]:
    found = tuple(found)
    named = {noted.finding.code: noted.finding for noted in found}
    codes = sorted(named)
    places = {code: number for number, code in enumerate(codes)}
    known = {rule.code: rule for rule in REGISTRY.all()} if codes else {}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "codifica-guard",
                "version": version,
                "rules": [_rule(known[code]) if code in known else _unknown(named[code]) for code in codes],
            }
        },
        "automationDetails": {"id": f"codifica-guard/{kind}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the work tree."}}},
        "results": list(_results(found, places)),
    }
    if origin.repository is not None:
        run["versionControlProvenance"] = [_provenance(origin, origin.repository)]
    properties = {**_named(revision=_hex(origin.revision), branch=_shown(origin.branch)), **more}
    if properties:
        run["properties"] = properties
    return run


def _provenance(origin: Origin, repository: str) -> dict[str, Any]:
    return {
        "repositoryUri": repository,
        **_named(revisionId=_hex(origin.revision), branch=_shown(origin.branch)),
        "mappedTo": {"uriBaseId": ROOT},
    }


def _of_audit(audit: Audit) -> dict[str, Any]:
    """What an audit stands on: findings alone do not say it."""
    return {
        "repository": _shown(audit.name),
        "introduction": _hex(audit.anchor.commit),
        "introductionPinned": audit.anchor.pinned,
        "ruleset": audit.ruleset,
        "receipts": {"first": audit.chain.first, "last": audit.chain.last, "held": audit.chain.held},
        "branches": [
            {"ref": _shown(show_path(b.ref)), "tip": _hex(b.tip), "commits": b.commits, "order": b.order}
            for b in audit.branches
        ],
        "notes": [plain_words(note, _WORDS) for note in audit.notes],
        "filters": {plain(name): plain_words(text) for name, text in sorted(audit.filters.items())},
    }


# -- rules


def _rule(rule: Rule) -> dict[str, Any]:
    said = sentence(rule)
    whole = page(rule)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": said},
        "fullDescription": {"text": _cut(f"{said} {' '.join(parts(rule)['Why'].split())}", _DESCRIPTION)},
        "help": {"text": whole, "markdown": whole},
        "defaultConfiguration": {"level": rule.severity.value},
        "properties": {
            "tags": ["codifica", rule.about.value],
            "problem.severity": rule.severity.value,
            "precision": "very-high",
            "clause": rule.spec,
            "since": rule.since,
        },
    }


def _unknown(finding: Finding) -> dict[str, Any]:
    """A rule that this guard has no page of: another one found it."""
    return {
        "id": plain(finding.code),
        "name": plain(finding.name),
        "shortDescription": {"text": f"{plain(finding.name)}."},
        "help": {"text": f"git codifica explain {plain(finding.code)}"},
        "defaultConfiguration": {"level": finding.severity.value},
    }


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3].rpartition(" ")[0] + "..."


# -- results


def _results(found: Iterable[Noted], places: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for noted in found:
        finding = noted.finding
        mark = _mark(noted)
        seen[mark] += 1
        yield {
            "ruleId": plain(finding.code),
            "ruleIndex": places[finding.code],
            "kind": "fail",
            "level": finding.severity.value,
            "message": {"text": _message(finding)},
            "locations": [_location(finding)],
            "partialFingerprints": {
                "codificaGuard/v1": f"{mark}:{seen[mark]}",
                # By this name code scanning asks for it, and would make one from lines otherwise.
                "primaryLocationLineHash": f"{mark[:16]}:{seen[mark]}",
            },
            "properties": _facts(noted),
        }


def _mark(noted: Noted) -> str:
    """What makes a finding the same one after lines moved and commits were rebased; equal ones are counted."""
    finding = noted.finding
    told = (
        finding.code,
        show_path(finding.path or b""),
        finding.task or "",
        finding.actor or "",
        show_path(noted.ref or finding.ref or b""),
        _VARYING.sub("#", finding.found),
    )
    return sha256(json.dumps(told).encode("ascii")).hexdigest()


def _message(finding: Finding) -> str:
    """A message in which nothing pushed is a placeholder or a link (SARIF 3.11.5, 3.11.6)."""
    lines = [plain_words(finding.found, _WORDS)]
    if finding.expected:
        lines.append(f"expected: {plain_words(finding.expected, _WORDS)}")
    lines += [f"do: {plain_words(step, _WORDS)}" for step in finding.do]
    return "\n".join(lines).replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _location(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": uri(finding.path or NOWHERE), "uriBaseId": ROOT}}
    if finding.path is not None and finding.line is not None and finding.line > 0:
        place["region"] = {"startLine": finding.line}
        if finding.column is not None and finding.column > 0:
            place["region"]["startColumn"] = finding.column
    location: dict[str, Any] = {"physicalLocation": place}
    if finding.path is None:
        location["message"] = {"text": "No file is meant."}
    if finding.task:
        name = plain(finding.task)
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": f"codifica/{name}", "kind": "task"}]
    return location


def uri(path: bytes) -> str:
    """A path of the tree as a relative URI: no byte of it is a scheme, a query, a fragment or a control character."""
    return quote(path, safe="/")


def _facts(noted: Noted) -> dict[str, Any]:
    finding = noted.finding
    ref = noted.ref or finding.ref
    return _named(
        commit=_hex(finding.commit),
        actor=_shown(finding.actor),
        task=_shown(finding.task),
        ref=None if ref is None else _shown(show_path(ref)),
        receipt=noted.receipt,
        time=None if noted.at is None else _time(noted.at),
        check=[plain_words(line, _WORDS) for line in noted.check] or None,
    )


# -- values


def _named(**values: Any) -> dict[str, Any]:
    """Those that are there."""
    return {name: value for name, value in values.items() if value is not None}


def _time(seconds: int) -> str | None:
    """A time; None where it lies outside the calendar, which a commit may well say."""
    try:
        return stamp(seconds)
    except (ValueError, OverflowError, OSError):
        return None


def _hex(oid: ObjectId | None) -> str | None:
    return None if oid is None else oid.decode("ascii")


def _shown(text: str | None) -> str | None:
    return None if text is None else plain(text)


def _short(ref: bytes) -> str:
    return show_path(ref.removeprefix(b"refs/heads/"))
