"""`check` leaves the same reports as `ci`: SARIF, annotations, a summary."""

import json
from pathlib import Path

import pytest

from tests.building import Clone, Repo

pytestmark = pytest.mark.guard


@pytest.fixture
def builder(repo: Repo) -> Clone:
    return repo.task("FEAT-1").task("FEAT-2").clone("builder")


def test_a_range_is_told_to_machines(builder: Clone, tmp_path: Path) -> None:
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    log, summary = tmp_path / "out.sarif", tmp_path / "summary.md"
    env = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"}
    done = builder.guard("check", "origin/main..HEAD", "--sarif", log, "--github", env=env)
    assert done.code == 1
    assert "\n::error file=work.md,line=" in done.text
    assert [r["ruleId"] for r in json.loads(log.read_bytes())["runs"][0]["results"]] == ["ID106"]
    assert summary.read_text().startswith("## codifica-guard: check origin/main..HEAD: refused, 1 error\n")


def test_nothing_is_left_unless_it_is_asked_for(builder: Clone, tmp_path: Path) -> None:
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    env = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_ACTIONS": "true"}
    done = builder.guard("check", env=env)
    assert (done.code, "::error" in done.text, (tmp_path / "summary.md").exists()) == (1, False, False)


def test_documents_are_told_as_they_lie_there(builder: Clone, tmp_path: Path) -> None:
    builder.edit("FEAT-2", state="nowhere")
    log = tmp_path / "out.sarif"
    assert builder.guard("check", "--tree", "--json", "--sarif", log).json["exit"] == 1
    (result,) = json.loads(log.read_bytes())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "work.md"
    line = builder.read().splitlines()[place["region"]["startLine"] - 1]
    assert "nowhere" in line


def test_a_conflict_alone_is_annotated_too(builder: Clone) -> None:
    builder.switch("topic").code("one").checkout("main").code("two", text="x = 2\n")
    done = builder.guard("check", "--merge", "topic", "--github")
    assert done.code == 1
    assert "::error title=codifica-guard::conflict  src/new.py" in done.text
