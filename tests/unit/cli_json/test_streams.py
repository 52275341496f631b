"""Under `--json` standard output holds one object, whatever happens; text for people goes to standard error."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import codifica_guard
from codifica_guard.cli import explain
from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.main import main
from codifica_guard.cli.program import JSON_VARIABLE
from codifica_guard.errors import RepositoryError
from codifica_guard.verbs.stopped import LOST, Stopped
from tests.building.shapes import check_envelope

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Told:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        answer = check_envelope(self.out)
        assert answer["exit"] == self.code
        return answer


Call = Callable[..., Told]


@pytest.fixture(params=["--json", JSON_VARIABLE])
def asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, call: Call) -> Call:
    """Call the program for JSON, by the option or by the variable."""
    if request.param == "--json":
        return lambda *words: call(*words, "--json")
    monkeypatch.setenv(JSON_VARIABLE, "1")
    return call


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call the program, in a folder that is no clone."""
    monkeypatch.delenv(JSON_VARIABLE, raising=False)

    def run(*words: str) -> Told:
        try:
            code = main(words)
        except SystemExit as ended:
            code = int(str(ended.code))
        told = capsys.readouterr()
        return Told(code, told.out, told.err)

    return run


def test_an_answer_is_an_object_and_its_text_is_beside_it(asked: Call) -> None:
    told = asked("explain", "CD303")
    assert told.json["data"]["name"] == "lost-race"
    assert told.err.startswith("# CD303 lost-race\n")
    assert asked("explain", "CD303", "-q") == Told(0, told.out, "")


@pytest.mark.parametrize(
    ("words", "name", "said"),
    [
        (("explain", "CD999999"), "explain", "there is no rule"),
        (("check", "--bogus"), "check", "unrecognized arguments: --bogus"),
        (("check", "-C", "/nowhere/at/all"), "check", "cannot go to /nowhere/at/all"),
        (("-C", "/nowhere/at/all", "check"), "check", "cannot go to /nowhere/at/all"),
        (("key",), "key", "required: new|add|list|token"),
        (("key", "list", "--bogus"), "key", "unrecognized arguments: --bogus"),
        (("install", "--pusher", "x"), "install", "invalid choice: 'x'"),
        (("schema", "../check"), "schema", "there is no schema of '../check'"),
        (("frobnicate",), "usage", "there is no command 'frobnicate'"),
        (("verify",), "usage", "you may mean: check"),
    ],
)
def test_wrong_usage_is_an_object_too(asked: Call, words: tuple[str, ...], name: str, said: str) -> None:
    told = asked(*words)
    assert (told.json["schema"], told.code, told.json["data"]) == (f"codifica-guard/{name}@1", 2, None)
    assert said in told.err
    assert asked(*words, "-q") == Told(2, told.out, "")


def test_no_command_at_all_is_an_object_too(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(JSON_VARIABLE, "1")
    told = call()
    assert (told.json["schema"], told.code) == ("codifica-guard/usage@1", 2)
    assert told.err.startswith("usage: codifica-guard COMMAND")


def test_the_version_is_an_object_too(asked: Call) -> None:
    version = asked("--version").json["data"]["version"]
    assert asked("version").json["data"] == {"version": version}


def test_the_version_is_told_to_people_who_want_quiet(call: Call) -> None:
    assert call("--version", "-q").out == call("--version").out != ""


@pytest.mark.parametrize("words", [("--help",), ("check", "--help"), ("key", "add", "--help")])
def test_help_is_for_people(asked: Call, words: tuple[str, ...]) -> None:
    told = asked(*words)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("usage: codifica-guard ")


@pytest.mark.parametrize("words", [("explain", "--", "--json"), ("frobnicate", "--", "--json", "-q")])
def test_what_stands_behind_two_dashes_asks_for_nothing(call: Call, words: tuple[str, ...]) -> None:
    told = call(*words)
    assert (told.code, told.out) == (2, "")
    assert told.err


@pytest.mark.parametrize("value", ["", "0", "true"])
def test_the_variable_has_one_value(call: Call, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(JSON_VARIABLE, value)
    assert call("explain", "CD303").out.startswith("# CD303")


ENDS: list[tuple[BaseException | Outcome, int, str]] = [
    (Stopped("gone", exit=LOST, next=("git codifica claim --next",), as_of={"commit": "1" * 40, "fetched": None}), 4, "codifica-guard explain: gone\n"),
    (Stopped("held already", exit=LOST, answer=True), 4, "held already\n"),
    (RepositoryError("no repository"), 3, "codifica-guard explain: no repository\n"),
    (KeyboardInterrupt(), 130, "interrupted\n"),
    (ZeroDivisionError("x"), 3, "codifica-guard explain: the guard itself failed: ZeroDivisionError: x\n"),
    (Outcome(notes=("first",), lines=("second",)), 0, "first\nsecond\n"),
    (Outcome(raw=b"\xff"), 0, ""),
]  # fmt: skip


@pytest.mark.parametrize(("end", "code", "said"), ENDS)
def test_however_a_command_ends_there_is_one_object(
    asked: Call, monkeypatch: pytest.MonkeyPatch, end: BaseException | Outcome, code: int, said: str
) -> None:
    def run(_: object) -> Outcome:
        if isinstance(end, Outcome):
            return end
        raise end

    command = Command(name="explain", summary="", configure=explain.COMMAND.configure, run=run)
    monkeypatch.setattr(explain, "COMMAND", command)
    told = asked("explain")
    assert (told.json["exit"], told.err) == (code, said)
    assert asked("explain", "-q") == Told(code, told.out, "")


def test_the_object_of_a_command_that_stops_says_what_comes_next(asked: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        explain,
        "nearest",
        lambda *_: (_ for _ in ()).throw(Stopped("gone", next=("a",), as_of={"commit": "1", "fetched": "2"})),
    )
    told = asked("explain", "CD999999").json
    assert (told["next"], told["as_of"], told["data"]) == (["a"], {"commit": "1", "fetched": "2"}, None)


@pytest.mark.parametrize("name", ["check", "schema", "usage"])
def test_a_schema_is_printed_as_it_is_kept(call: Call, name: str) -> None:
    kept = ROOT / "schemas" / "cli" / f"{name}.schema.json"
    assert call("schema", name) == Told(0, kept.read_text(), "")


def test_without_a_name_the_schemas_are_listed(call: Call) -> None:
    names = sorted(path.name.removesuffix(".schema.json") for path in (ROOT / "schemas" / "cli").iterdir())
    assert call("schema").out.split() == names
    assert call("schema", "--json").json["data"] == {"names": names, "schema": None}


def test_programs_get_a_schema_in_an_object(call: Call) -> None:
    data = call("schema", "check", "--json").json["data"]
    assert data["schema"]["title"] == "codifica-guard check --json"


def test_the_overview_does_not_show_schema(call: Call) -> None:
    assert "schema" not in call("--help").out


def test_the_schemas_of_the_wheel_come_first(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(codifica_guard, "__file__", str(tmp_path / "codifica_guard" / "__init__.py"))
    told = call("schema")
    assert (told.code, told.out) == (3, "")
    assert "the schemas are missing; install it again" in told.err
    for place, text in (("schemas", "{}"), ("codifica_guard/policy/schemas", "{ }\n")):
        (tmp_path / place / "cli").mkdir(parents=True)
        (tmp_path / place / "cli" / "check.schema.json").write_text(text)
        assert call("schema", "check") == Told(0, text, "")


@pytest.mark.parametrize("words", [("explain",), ("explain", "--json"), ("schema", "check")])
def test_a_reader_that_went_away_changes_no_exit_code(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        command = [sys.executable, "-m", "codifica_guard", *words]
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("words", "code"), [(["explain", "CD303"], 0), (["explain", "CD999"], 2)])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_that_cannot_be_written_keeps_the_exit_code(words: list[str], code: int, stream: str) -> None:
    with Path("/dev/full").open("wb") as full:
        streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
        done = subprocess.run([sys.executable, "-m", "codifica_guard", *words], check=False, timeout=60, **streams)
    assert done.returncode == code
    assert b"Traceback" not in (done.stdout or b"") + (done.stderr or b"")
