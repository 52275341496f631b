"""SARIF: what code scanning reads, held against the standard's schema."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator  # type: ignore[import-untyped]  # it ships no types

from codifica_guard.model.audited import Audit
from codifica_guard.model.finding import Finding, Severity, Verdict
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.sarif import Origin, log, uri
from tests.building import audits

SCHEMA: Final = Path(__file__).resolve().parents[2] / "schemas" / "sarif-2.1.0.json"
COMMIT: Final = ObjectId(b"3f2a91c" + b"0" * 33)


@cache
def _schema() -> Any:
    return Draft7Validator(json.loads(SCHEMA.read_bytes()))


def read(data: bytes) -> dict[str, Any]:
    """The one run of a log that fits the schema."""
    found = json.loads(data)
    wrong = [f"{list(e.absolute_path)}: {e.message}" for e in _schema().iter_errors(found)]
    assert not wrong, wrong
    (run,) = found["runs"]
    assert isinstance(run, dict)
    return run


def finding(code: str = "CD303", **changed: Any) -> Finding:
    fields: dict[str, Any] = {
        "name": "lost-race",
        "severity": Severity.ERROR,
        "found": "agent:writer claims FEAT-102",
        "path": RepoPath(b"work.md"),
        "line": 41,
        "column": 3,
        "task": TaskId("FEAT-102"),
        "commit": COMMIT,
        "actor": "agent:writer",
    }
    return Finding(code=code, **{**fields, **changed})


def results(*found: Finding) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = read(log(Verdict(findings=found)))["results"]
    return made


def marks(*found: Finding) -> list[dict[str, str]]:
    return [result["partialFingerprints"] for result in results(*found)]


@pytest.mark.parametrize("audit", [audits.clean(), audits.small(), audits.hostile()], ids=["clean", "small", "hostile"])
def test_audits_fit_the_schema_and_are_the_same_bytes_twice(audit: Audit) -> None:
    data = log(audit)
    assert data == log(audit)
    assert data.isascii()
    run = read(data)
    assert len(run["results"]) == len(audit.findings)
    assert run["tool"]["driver"]["version"] == audit.guard
    assert run["properties"]["introductionPinned"] is audit.anchor.pinned


def test_nothing_found_is_a_run_without_results_and_rules() -> None:
    run = read(log(Verdict()))
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
    assert "versionControlProvenance" not in run


def test_a_result_says_rule_place_task_commit_and_actor() -> None:
    (result,) = results(finding(expected="a free task", do=("git fetch", "git codifica claim --next")))
    assert result["ruleId"] == "CD303"
    assert result["level"] == "error"
    assert result["message"]["text"] == (
        "agent:writer claims FEAT-102\nexpected: a free task\ndo: git fetch\ndo: git codifica claim --next"
    )
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "work.md", "uriBaseId": "%SRCROOT%"}
    assert location["physicalLocation"]["region"] == {"startLine": 41, "startColumn": 3}
    assert location["logicalLocations"] == [
        {"name": "FEAT-102", "fullyQualifiedName": "codifica/FEAT-102", "kind": "task"}
    ]
    assert result["properties"] == {"commit": COMMIT.decode(), "actor": "agent:writer", "task": "FEAT-102"}


def test_a_warning_and_what_has_no_file_have_their_place_too() -> None:
    told = results(
        finding(severity=Severity.WARNING, line=None),
        finding("GT101", path=None, task=None, ref=b"refs/heads/main"),
        finding(line=0, column=0),
        finding(column=None),
    )
    places = [result["locations"][0]["physicalLocation"] for result in told]
    assert [result["level"] for result in told] == ["warning", "error", "error", "error"]
    assert [place.get("region") for place in places] == [None, None, None, {"startLine": 41}]
    assert [place["artifactLocation"]["uri"] for place in places] == [
        "work.md",
        ".codifica/guard.json",
        *["work.md"] * 2,
    ]
    assert told[1]["locations"][0]["message"]["text"] == "No file is meant."
    assert told[1]["properties"]["ref"] == "refs/heads/main"


def test_every_rule_has_its_page_in_the_log() -> None:
    found = tuple(finding(rule.code, name=rule.name, severity=rule.severity) for rule in reversed(REGISTRY.all()))
    run = read(log(Verdict(findings=found)))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in REGISTRY.all()]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for rule, told in zip(REGISTRY.all(), rules, strict=True):
        assert told["name"] == rule.name
        assert told["defaultConfiguration"]["level"] == rule.severity.value
        assert told["help"]["markdown"].startswith(f"# {rule.code} {rule.name}\n")
        assert "## Why" in told["help"]["text"]
        assert told["shortDescription"]["text"].endswith(".")
        assert told["fullDescription"]["text"].startswith(told["shortDescription"]["text"])
        assert len(told["fullDescription"]["text"]) <= 1000


def test_a_code_that_no_rule_has_is_told_all_the_same() -> None:
    run = read(log(Verdict(findings=(finding("ZZ999", name="other"),))))
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("ZZ999", "other")
    assert rule["help"]["text"] == "git codifica explain ZZ999"


def test_fingerprints_outlive_moved_lines_and_rebased_commits() -> None:
    one = finding(found="agent:builder holds it since 09:14 (8c1d02e)", line=41)
    moved = replace(
        one, found="agent:builder holds it since 11:02 (0a12ffe9)", line=77, column=1, commit=ObjectId(b"9" * 40)
    )
    assert marks(one) == marks(moved)


@pytest.mark.parametrize(
    "change",
    [
        {"code": "CD404"},
        {"path": RepoPath(b"old.md")},
        {"task": TaskId("FEAT-9")},
        {"actor": None},
        {"ref": b"refs/heads/release"},
        {"found": "somebody else claims FEAT-102"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_fingerprints_tell_findings_apart(change: dict[str, Any]) -> None:
    assert marks(finding()) != marks(replace(finding(), **change))


def test_equal_findings_are_counted() -> None:
    first, second = marks(finding(), finding(line=50))
    assert first["codificaGuard/v1"].endswith(":1")
    assert second == {name: text.removesuffix("1") + "2" for name, text in first.items()}


def test_where_findings_come_from_is_told_where_it_is_known() -> None:
    origin = Origin(repository="https://git.example.org/acme/shop", revision=COMMIT, branch="main")
    run = read(log(Verdict(), origin))
    assert run["versionControlProvenance"] == [
        {
            "repositoryUri": "https://git.example.org/acme/shop",
            "revisionId": COMMIT.decode(),
            "branch": "main",
            "mappedTo": {"uriBaseId": "%SRCROOT%"},
        }
    ]
    told = read(log(audits.small(), Origin(repository="https://git.example.org/acme/shop")))
    assert told["versionControlProvenance"][0]["revisionId"] == audits.small().branches[0].tip.decode()
    assert told["versionControlProvenance"][0]["branch"] == "main"


def test_an_audit_says_receipt_time_and_how_to_check() -> None:
    run = read(log(audits.small()))
    told = run["results"][0]["properties"]
    noted = audits.small().findings[0]
    assert told["receipt"] == noted.receipt
    assert told["time"].endswith("Z")
    assert told["check"] == list(noted.check)


def test_an_audit_without_branches_is_a_log_as_well() -> None:
    run = read(log(replace(audits.small(), branches=())))
    assert "revision" not in run["properties"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (b"work.md", "work.md"),
        (b"a b/%2e#?.md", "a%20b/%252e%23%3F.md"),
        (b"javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("ü/\u202e".encode(), "%C3%BC/%E2%80%AE"),
        (b"\xff\n\r\x00", "%FF%0A%0D%00"),
    ],
)
def test_paths_are_uris_byte_for_byte(path: bytes, shown: str) -> None:
    assert uri(path) == shown
    assert unquote_to_bytes(uri(path)) == path
    assert urlsplit(uri(path)).scheme == ""


def test_pushed_text_is_neither_a_placeholder_nor_a_link() -> None:
    (result,) = results(finding(found="{0} {x} [look](https://evil.example.org) \x1b[31m \u202e \ud800 \n"))
    assert result["message"]["text"] == (
        "{{0}} {{x}} [look] (https://evil.example.org) \\u001b[31m \\u202e \\ud800 \\n"
    )


@given(st.text(), st.text(), st.binary(min_size=1), st.integers(), st.integers())
def test_any_text_gives_a_log_that_fits(found: str, task: str, path: bytes, line: int, column: int) -> None:
    told = finding(
        found=found, task=TaskId(task), path=RepoPath(path), line=line, column=column, expected=found, do=(task,)
    )
    data = log(Verdict(findings=(told,)))
    read(data)
    assert data.isascii()
