import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from codifica_guard.errors import UsageError
from codifica_guard.policy.defaults import minimal_codifica, new_guard, new_repository_id
from codifica_guard.policy.export import main, schemas
from codifica_guard.policy.schema import CodificaFile, GuardFile, check

from .test_policy_load import CODIFICA, GUARD, REPOSITORY, load

ROOT = Path(__file__).resolve().parents[3]


def test_the_schemas_in_the_repository_are_those_of_the_models(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"], ROOT / "schemas") == 0
    assert capsys.readouterr().err == ""


def test_drift_is_named_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "schemas"
    assert main(["--check"], folder) == 1
    assert not folder.exists()
    assert main([], folder) == 0
    (folder / "guard.schema.json").write_text("{}")
    capsys.readouterr()
    assert main(["--check"], folder) == 1
    assert (
        capsys.readouterr().err == "guard.schema.json is not up to date; run: python -m codifica_guard.policy.export\n"
    )
    assert main([], folder) == 0
    assert main(["--check"], folder) == 0


def test_the_module_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["export", "--check"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "codifica_guard" / "policy" / "export.py"), run_name="__main__")
    assert ended.value.code == 0


def test_a_wrong_call_is_told(tmp_path: Path) -> None:
    assert main(["--chek"], tmp_path) == 2


@pytest.mark.parametrize("name", ["codifica.schema.json", "guard.schema.json"])
def test_each_schema_is_one_and_describes_every_key(name: str) -> None:
    schema = json.loads(schemas()[name])
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    shapes = [schema, *schema.get("$defs", {}).values()]
    assert all(inner.get("description") for shape in shapes for inner in [shape, *shape["properties"].values()])


GUARDS: list[tuple[Any, bool]] = [
    (GUARD, True),
    (new_guard(REPOSITORY, "human:alice"), True),
    (GUARD | {"unknown": 1, "$schema": "x"}, True),
    (GUARD | {"coordination_branch": None, "protected_branches": None}, True),
    (GUARD | {"ruleset": 2}, False),
    (GUARD | {"version": 2}, False),
    (GUARD | {"mode": "off"}, False),
    (GUARD | {"maintainers": []}, False),
    (GUARD | {"maintainers": ["agent:x"]}, False),
    (GUARD | {"repository": "A" * 32}, False),
    (GUARD | {"openclaw": {}}, False),
    (GUARD | {"forge_accounts": {"x": "y"}}, False),
    (GUARD | {"resume_after_minutes": -1}, False),
    (GUARD | {"coordination_branch": ""}, False),
    ({}, False),
    ([], False),
]
CODIFICAS: list[tuple[Any, bool]] = [
    (CODIFICA, True),
    (minimal_codifica(), True),
    (minimal_codifica(agents=("agent:builder",)), True),
    (CODIFICA | {"version": "0.1", "rules": "strict", "unknown": 1}, True),
    (CODIFICA | {"state": ["a.md", "b/*.md", "!b/c.md"]}, True),
    (
        CODIFICA
        | {
            "rules": {
                "max_concurrent_tasks_per_agent": None,
                "custom_types": ["deploy"],
                "allowed_agents": ["a", "agent:b"],
            }
        },
        True,
    ),
    (CODIFICA | {"rules": {"file_scope": {"include": ["src/**"], "exclude": ["!a..b"]}}}, True),
    (CODIFICA | {"version": "1"}, False),
    (CODIFICA | {"state": []}, False),
    (CODIFICA | {"state": ""}, False),
    (CODIFICA | {"state": "../a"}, False),
    (CODIFICA | {"state": "!/a"}, False),
    (CODIFICA | {"spec": "/a"}, False),
    (CODIFICA | {"spec": "a/.."}, False),
    (CODIFICA | {"assets": "a\\b"}, False),
    (CODIFICA | {"rules": "loose"}, False),
    (CODIFICA | {"rules": {"custom_types": ["build"]}}, False),
    (CODIFICA | {"rules": {"custom_types": ["A B"]}}, False),
    (CODIFICA | {"rules": {"allowed_agents": ["human:a"]}}, False),
    (CODIFICA | {"rules": {"stale_claim_hours": -1}}, False),
    (CODIFICA | {"rules": {"branch_pattern": "a b"}}, False),
    ({"protocol": "codifica"}, False),
]


@pytest.mark.parametrize(
    ("shape", "name", "value", "good"),
    [(GuardFile, "guard.schema.json", v, g) for v, g in GUARDS]
    + [(CodificaFile, "codifica.schema.json", v, g) for v, g in CODIFICAS],
)
def test_schema_and_model_agree(shape: type[Any], name: str, value: Any, *, good: bool) -> None:
    assert Draft202012Validator(json.loads(schemas()[name])).is_valid(value) is good
    assert (check(shape, value)[0] is not None) is good


def test_a_new_guard_spells_out_every_key_with_what_a_new_policy_has() -> None:
    guard = new_guard(REPOSITORY, "human:alice")
    fields = {field.alias or name for name, field in GuardFile.model_fields.items()}
    assert set(guard) == fields
    assert (guard["mode"], guard["writer_tokens"], guard["resume_after_minutes"]) == ("enforce", "required", 60)
    assert (guard["coordination_branch"], guard["protected_branches"]) == ("main", ["main"])
    assert (guard["version"], guard["ruleset"], guard["web_edits"], guard["forge_accounts"]) == (1, 1, "refuse", {})
    assert (guard["require_signatures"], guard["review_by"], guard["self_approval"]) == (
        "transitions",
        "human-or-owner",
        "warn",
    )
    assert (guard["human_proof"], guard["human_presence"], guard["maintainers"]) == (
        "fresh-or-trailer",
        "any",
        ["human:alice"],
    )


def test_choices_of_a_new_guard_are_taken() -> None:
    guard = new_guard(REPOSITORY, "human:alice", coordination_branch="trunk", self_approval="refuse")
    assert (guard["protected_branches"], guard["self_approval"]) == (["trunk"], "refuse")


def test_a_choice_that_is_no_key_is_refused() -> None:
    with pytest.raises(UsageError, match="selfapproval is no key"):
        new_guard(REPOSITORY, "human:alice", selfapproval="refuse")


def test_repository_ids_are_sound_and_never_the_same() -> None:
    first, second = new_repository_id(), new_repository_id()
    assert first != second
    assert load(new_guard(first, "human:alice")).faults == ()


def test_a_minimal_codifica_json_is_sound() -> None:
    assert load(codifica=minimal_codifica()).faults == ()
    policy = load(codifica=minimal_codifica(state="tasks.md", agents=("agent:builder",)))
    assert policy.codifica is not None
    assert policy.codifica.allowed_agents == ("agent:builder",)
    assert policy.codifica.warnings == ()
