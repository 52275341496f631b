"""The program itself: its list, its usage errors, its one JSON object."""

import subprocess
import sys

import pytest

from codifica_guard.cli.main import main
from tests.building.shapes import check_envelope

PROGRAM = [sys.executable, "-m", "codifica_guard"]


def test_the_list_of_commands_is_printed_and_nothing_asked_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert main([]) == 2
    assert capsys.readouterr().out.count("usage: codifica-guard COMMAND") == 2


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("codifica-guard ")


@pytest.mark.parametrize(("word", "hint"), [("verify", "check"), ("frobnicate", "--help")])
def test_an_unknown_command_exits_2_with_the_right_one(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word]) == 2
    assert hint in capsys.readouterr().err


def test_wrong_usage_is_one_json_object_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", "--bogus"]) == 2
    answer = check_envelope(capsys.readouterr().out)
    assert (answer["schema"], answer["ok"], answer["exit"]) == ("codifica-guard/check@1", False, 2)
    assert "unrecognized arguments: --bogus" in answer["error"]


def test_the_help_of_a_command_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", "--help", "--json"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: codifica-guard check")


def test_a_folder_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-C", "/nowhere/at/all"]) == 2
    assert "cannot go to /nowhere/at/all" in capsys.readouterr().err


def test_the_folder_may_stand_before_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", "/nowhere/at/all", "check"]) == 2
    assert "cannot go to /nowhere/at/all" in capsys.readouterr().err


def test_an_unknown_hook_is_refused_by_the_process() -> None:
    done = subprocess.run([*PROGRAM, "hook", "post-nothing"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no hook 'post-nothing'" in done.stderr


def test_the_verdict_stands_where_nobody_listens() -> None:
    command = " ".join([*PROGRAM, "hook", "pre-receive", "</dev/null", "2>&-"])
    assert subprocess.run(["sh", "-c", command], check=False).returncode == 1
