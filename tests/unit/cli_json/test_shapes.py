"""The shapes of the JSON: one a command, generated into `schemas/cli/`, open for readers and closed for these tests."""

import json
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.envelope import envelope
from codifica_guard.cli.export import main, schema_of, schemas
from codifica_guard.cli.program import GROUPS, HIDDEN, NO_COMMAND, commands
from codifica_guard.cli.shapes.all import SHAPES
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RepoPath
from tests.building.shapes import check_envelope

ROOT = Path(__file__).resolve().parents[3]
Json: TypeAlias = dict[str, Any]

FINDING = Finding(
    code="CD303",
    name="lost-race",
    severity=Severity.ERROR,
    found="somebody else holds it",
    path=RepoPath(b"w\xffrk.md"),
    commit=ObjectId(b"0" * 40),
    do=("git codifica claim --next",),
)


JUDGED: dict[str, Any] = {"idle": False, "range": None, "commits": 1, "documents": None, "tasks": None, "conflicts": []}


def answer(name: str = "check", **changes: Any) -> Json:
    """An envelope as the program makes it, changed."""
    data = {**JUDGED, "range": "HEAD"} if name == "check" else None
    made = envelope(name, 1, Outcome(exit=1, data=data, findings=(FINDING,), as_of={"commit": None, "fetched": None}))
    return {**json.loads(made), **changes}


@cache
def made() -> dict[str, str]:
    """The schemas, made once: that takes a second."""
    return schemas()


def test_every_command_has_a_shape_and_every_shape_an_answer() -> None:
    assert set(SHAPES) == {*commands(), NO_COMMAND, "version"}
    assert set(commands()) == {name for _, rows in GROUPS for name, _ in rows} | set(HIDDEN)


def test_the_schemas_in_the_repository_are_those_of_the_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0
    assert capsys.readouterr().err == ""


def test_drift_is_named_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "cli"
    assert main(["--check"], folder) == 1
    assert not folder.exists()
    assert main([], folder) == 0
    assert {path.name for path in folder.iterdir()} == {f"{name}.schema.json" for name in SHAPES}
    changed, stale = folder / "check.schema.json", folder / "gone.schema.json"
    text = changed.read_text()
    changed.write_text(text.replace("commits", "commit"))
    stale.write_text("{}")
    capsys.readouterr()
    assert main(["--check"], folder) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{name}.schema.json is not up to date; run: python -m codifica_guard.cli.export" for name in ("check", "gone")
    ]
    assert main([], folder) == 0
    assert main(["--check"], folder) == 0
    assert changed.read_text() == text
    assert not stale.exists()


def test_the_module_can_be_run_and_a_wrong_call_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["export", "--chek"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "codifica_guard" / "cli" / "export.py"), run_name="__main__")
    assert ended.value.code == 2
    assert capsys.readouterr().err == "usage: python -m codifica_guard.cli.export [--check]\n"


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_each_schema_is_one_and_says_what_it_is_about(name: str) -> None:
    schema = json.loads(made()[f"{name}.schema.json"])
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["title"] == f"codifica-guard {name} --json"
    assert schema["properties"]["schema"]["const"].startswith(f"codifica-guard/{name}@")
    assert all(key.get("description") for key in schema["properties"].values())
    shapes = [schema, *schema["$defs"].values()]
    for shape in shapes:
        assert shape["description"]
        assert set(shape["required"]) == set(shape["properties"]), "what is absent is null, and its key is there"
        assert "additionalProperties" not in shape


def test_keys_of_a_shape_that_is_extended_keep_their_descriptions() -> None:
    shapes = schema_of("explain")["$defs"]
    assert shapes["RulePage"]["properties"]["code"] == shapes["RuleData"]["properties"]["code"]
    assert "description" in shapes["RulePage"]["properties"]["code"]
    assert list(schema_of("key")["$defs"]["ListedKey"]["properties"])[:2] == ["from", "until"]


def test_a_reader_of_today_takes_the_answer_of_tomorrow() -> None:
    tomorrow = answer(more=1, data={**JUDGED, "more": {}})
    assert Draft202012Validator(schema_of("check")).is_valid(tomorrow)
    assert not Draft202012Validator(schema_of("check", closed=True)).is_valid(tomorrow)


def test_what_the_program_makes_fits() -> None:
    assert check_envelope(answer())["findings"][0]["path"] == "w\\xffrk.md"
    assert check_envelope(json.dumps(answer(NO_COMMAND)).encode())["data"] is None


FINDING_DATA: Json = answer()["findings"][0]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (answer(extra=1), "'extra' was unexpected"),
        (answer(data={**JUDGED, "extra": 1}), "data: "),
        (answer(data={"idle": False, "range": None}), "data: "),
        (answer(data={**JUDGED, "commits": "1"}), "data: "),
        (answer(data=[]), "data: "),
        (answer(schema="codifica-guard/check@2"), "schema: "),
        (answer(schema="codifica-guard/frobnicate@1"), "frobnicate has no shape"),
        (answer(findings=None), "findings: "),
        (answer(findings=[{**FINDING_DATA, "extra": 1}]), "findings.0: "),
        (answer(findings=[{**FINDING_DATA, "severity": "fatal"}]), "findings.0.severity: "),
        (answer(as_of={"commit": None}), "as_of: "),
        (answer(ok=True), "ok is to say"),
        (answer(NO_COMMAND, data={}), "data: "),
        ("[]", "no object"),
    ],
)
def test_what_does_not_fit_is_found(wrong: Json | str, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_envelope(wrong)


def test_a_second_object_on_standard_output_is_found() -> None:
    with pytest.raises(json.JSONDecodeError):
        check_envelope(json.dumps(answer()) * 2)


def test_no_command_loads_the_shapes_when_it_runs(tmp_path: Path) -> None:
    code = (
        "import sys; from codifica_guard.cli.program import commands, find\n"
        "[find(name) for name in commands()]\n"
        "from codifica_guard.cli.main import main; main(['explain', '--json', '-q'])\n"
        "print([name for name in sys.modules if name.startswith('codifica_guard.cli.shapes')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True, text=True)
    assert done.stderr == "[]\n"
    assert check_envelope(done.stdout)["ok"] is True
