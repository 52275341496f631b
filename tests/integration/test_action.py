"""`action.yml`: what a runner makes of it, and that no word of an event becomes a part of a script."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft7Validator  # type: ignore[import-untyped]  # it ships no types
from ruamel.yaml import YAML

from tests.building import Repo
from tests.building.events import Runner, propose, pull_request, runner

pytestmark = pytest.mark.guard

ROOT: Final = Path(__file__).resolve().parents[2]
EXPRESSION: Final = re.compile(r"\$\{\{(.*?)\}\}")
KNOWN: Final = {"inputs": None, "github": {"token": "t0ken", "action_path": str(ROOT)}}


@cache
def action() -> Any:
    return YAML(typ="safe", pure=True).load(ROOT / "action.yml")


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = action()["runs"]["steps"]
    return found


def value(text: str, given: Mapping[str, str]) -> str:
    """A value as the runner fills it in: inputs, and what it knows of itself."""

    def known(match: re.Match[str]) -> str:
        space, _, name = match[1].strip().partition(".")
        if space == "inputs":
            return given.get(name, value(str(action()["inputs"][name]["default"]), given))
        return str(KNOWN[space][name])  # type: ignore[index]  # another space fails, as it should

    return EXPRESSION.sub(known, text)


def test_it_fits_the_schema_of_actions() -> None:
    schema = json.loads((ROOT / "tests" / "schemas" / "github-action.json").read_bytes())
    assert not [error.message for error in Draft7Validator(schema).iter_errors(action())]


def test_no_expression_stands_in_a_script_and_none_is_about_the_event() -> None:
    whole = (ROOT / "action.yml").read_text("utf-8")
    assert not re.search(r"\$\{\{[^}]*github\s*\.\s*(event|head_ref|ref)", whole)
    allowed = {"github.token", "github.action_path", *(f"inputs.{name}" for name in action()["inputs"])}
    assert {found.strip() for found in EXPRESSION.findall(whole)} <= allowed
    for step in steps():
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        assert "uses" not in step


def test_every_input_has_a_default_and_is_used() -> None:
    used = {found.strip() for step in steps() for text in step["env"].values() for found in EXPRESSION.findall(text)}
    for name, said in action()["inputs"].items():
        assert "default" in said
        assert f"inputs.{name}" in used


def test_scripts_are_sound_for_bash_and_run_only_what_is_there() -> None:
    for step in steps():
        assert step["run"].startswith("set -euo pipefail\n")
        subprocess.run(["bash", "-n"], input=step["run"].encode(), check=True)
    assert "\n./install.sh\n" in steps()[0]["run"]
    assert os.access(ROOT / "install.sh", os.X_OK)
    assert 'python" -I -m codifica_guard' in steps()[1]["run"]


def blocks(page: str) -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_workflow_of_the_docs_is_the_careful_one() -> None:
    workflow = YAML(typ="safe", pure=True).load(blocks("docs/ci.md")[0])
    assert set(workflow["on"]) == {"pull_request_target", "push"}
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    checkout, guard = job["steps"]
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
    assert all(step["uses"].endswith("@<full commit id>") for step in (checkout, guard))
    assert set(guard) == {"uses"}


def test_the_docs_name_every_input() -> None:
    table = re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "ci.md").read_text("utf-8"), re.MULTILINE)
    assert set(table) == set(action()["inputs"])


def run_step(
    machine: Runner, number: int, variables: Mapping[str, str], **inputs: str
) -> subprocess.CompletedProcess[bytes]:
    """Run one step as a runner does: bash, and an environment of the job's own."""
    step = steps()[number]
    given = {name.replace("_", "-"): text for name, text in inputs.items()}
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(machine.home),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{name: text for name, text in os.environ.items() if name.startswith("COVERAGE_")},
        **variables,
        **{name: value(text, given) for name, text in step["env"].items()},
    }
    script = machine.temporary / "step.sh"
    script.write_text(step["run"])
    argv = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    return subprocess.run(argv, cwd=machine.folder, env=env, capture_output=True, check=False)


def with_guard(machine: Runner) -> None:
    """Let the runner have what the first step leaves: a link to an environment that has the guard."""
    there = machine.temporary / "codifica-guard" / "current" / "bin"
    there.mkdir(parents=True)
    (there / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (there / "python").chmod(0o755)


def test_the_second_step_judges_and_its_exit_code_is_the_verdict(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    base, head = propose(builder)
    machine = runner(repo)
    with_guard(machine)
    variables = machine.variables("pull_request_target", pull_request(base, head))
    done = run_step(machine, 1, variables, sarif="found it.sarif")
    assert done.returncode == 1, done
    assert b"::error file=work.md," in done.stdout
    assert "| error | ID106" in machine.summary
    assert json.loads((machine.folder / "found it.sarif").read_bytes())["runs"][0]["results"]
    traps = {"introduction": "$(touch pwned); touch pwned", "working_directory": ".", "token": "`touch pwned`"}
    done = run_step(machine, 1, variables, **traps)
    assert done.returncode == 2
    assert b"names no commit here" in done.stderr
    assert not list(machine.folder.rglob("pwned*"))


def test_a_module_in_the_work_tree_is_not_imported(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    base, head = propose(builder.code("one"))
    machine = runner(repo)
    with_guard(machine)
    for name in ("codifica_guard", "json", "sitecustomize"):
        (machine.folder / f"{name}.py").write_text("open('pwned', 'w').close()\n")
    done = run_step(machine, 1, machine.variables("pull_request_target", pull_request(base, head)))
    assert done.returncode == 0, done
    assert not (machine.folder / "pwned").exists()


def test_the_first_step_installs_from_the_actions_own_checkout(repo: Repo, tmp_path: Path) -> None:
    machine = runner(repo.task("FEAT-1"))
    source = tmp_path / "action"
    source.mkdir()
    (source / "install.sh").write_text('#!/bin/sh\necho "$CODIFICA_HOME|$CODIFICA_BIN|${PYTHON-unset}|$(pwd -P)"\n')
    (source / "install.sh").chmod(0o755)
    (machine.folder / "install.sh").write_text("#!/bin/sh\ntouch pwned\n")
    (machine.folder / "install.sh").chmod(0o755)
    variables = {"RUNNER_TEMP": str(machine.temporary), "GITHUB_ACTION_PATH": str(source)}
    home = machine.temporary / "codifica-guard"
    for python, shown in (("", "unset"), ("python3.12", "python3.12")):
        done = run_step(machine, 0, variables, python=python)
        assert done.stdout.decode().strip() == f"{home}|{home}/bin|{shown}|{source.resolve()}"
    assert not (machine.folder / "pwned").exists()
