"""`install.sh` as far as it goes without a network; the environments that pip would fill are made by hand."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.install.places import write_hook

SCRIPT = Path(__file__).parents[3] / "install.sh"
BASICS = ("sh", "dirname", "id", "mkdir", "sed", "head", "cat", "rm", "ln", "readlink", "python3")


def run(
    *arguments: str, environment: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    scrubbed = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PYTHON": sys.executable} | (environment or {})
    return subprocess.run([SCRIPT, *arguments], cwd=cwd, env=scrubbed, capture_output=True, check=False, text=True)


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    return {"CODIFICA_HOME": str(tmp_path / "my home"), "CODIFICA_BIN": str(tmp_path / "my bin")}


def version(places: dict[str, str], name: str) -> None:
    folder = Path(places["CODIFICA_HOME"]) / name
    (folder / "bin").mkdir(parents=True)
    (folder / "installed-from").write_text("x\n")
    write_hook(folder / "bin" / "codifica-guard", f'echo {name} "$@"')


def commands(folder: Path, *left_out: str, **bodies: str) -> str:
    """A PATH with a few programs, some of them replaced."""
    folder.mkdir()
    for name in {*BASICS, "git", "ssh-keygen"} - {*left_out} - bodies.keys():
        found = sys.executable if name == "python3" else shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    for name, body in bodies.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return str(folder)


def test_help_says_where_everything_goes_and_wrong_words_end_with_2() -> None:
    told = run("--help")
    assert told.returncode == 0
    for word in ("--use VERSION", "--offline WHEELS", "demo", "test", "CODIFICA_HOME", "CODIFICA_BIN", "PYTHON"):
        assert word in told.stdout
    for wrong in (["install"], ["--use"], ["--offline"], ["--use", "1", "2"]):
        done = run(*wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == told.stdout


def test_another_version_is_used_by_flipping_a_link_from_any_folder(places: dict[str, str], tmp_path: Path) -> None:
    for name in ("1.0.0", "1.1.0"):
        version(places, name)
    current = Path(places["CODIFICA_HOME"]) / "current"
    first = run("--use", "1.0.0", cwd=tmp_path, environment=places)
    assert first.returncode == 0, first.stderr
    assert os.readlink(current) == "1.0.0"  # noqa: PTH115 - the text of the link is what counts
    second = run("--use", "1.1.0", cwd=Path("/"), environment=places)
    assert "current   1.0.0 -> 1.1.0" in second.stdout
    assert f"undo      {SCRIPT} --use 1.0.0" in second.stdout
    assert f"{places['CODIFICA_BIN']} is not on your PATH" in second.stdout
    for name in ("codifica-guard", "git-codifica"):
        assert (Path(places["CODIFICA_BIN"]) / name).readlink() == current / "bin" / name
    done = subprocess.run([Path(places["CODIFICA_BIN"]) / "codifica-guard", "a b"], capture_output=True, check=True)
    assert done.stdout == b"1.1.0 a b\n"
    assert "1.1.0 (as before)" in run("--use", "1.1.0", environment=places).stdout
    assert sorted(p.name for p in current.parent.iterdir()) == ["1.0.0", "1.1.0", "current"]


def test_a_version_that_is_not_installed_or_only_half_is_not_used(places: dict[str, str]) -> None:
    version(places, "1.0.0")
    (Path(places["CODIFICA_HOME"]) / "1.1.0").mkdir()
    for name in ("1.1.0", "9"):
        done = run("--use", name, environment=places)
        assert done.returncode == 1
        assert f"{name} is not installed in {places['CODIFICA_HOME']}; there are: 1.0.0" in done.stderr
    assert not (Path(places["CODIFICA_HOME"]) / "current").is_symlink()


def test_commands_of_somebody_else_are_not_written_over(places: dict[str, str], tmp_path: Path) -> None:
    version(places, "1.0.0")
    taken = Path(places["CODIFICA_BIN"]) / "git-codifica"
    taken.parent.mkdir()
    taken.write_text("mine")
    done = run("--use", "1.0.0", environment=places)
    assert (done.returncode, taken.read_text()) == (1, "mine")
    assert "is there and no link of ours; move it away" in done.stderr
    taken.unlink()
    taken.symlink_to(tmp_path / "pipx")
    assert f"{taken} was a link to {tmp_path / 'pipx'}" in run("--use", "1.0.0", environment=places).stdout


@pytest.mark.parametrize(
    ("words", "left_out", "bodies", "line"),
    [
        ([], ["git"], {}, "git is missing; Debian: apt-get install git"),
        ([], ["python3"], {}, "no Python 3.11 or newer found"),
        (
            [],
            [],
            {"python3": '[ "$1" = --version ] && echo Python 3.9.2'},
            "no Python 3.11 or newer found (Python 3.9.2)",
        ),
        (
            [],
            [],
            {"python3": 'case "$*" in *venv*) exit 1 ;; esac; echo "$0"'},
            "(no venv module); Debian: apt-get install",
        ),
        (
            ["demo"],
            ["ssh-keygen"],
            {},
            "ssh-keygen is missing, the demo's signing needs it; Debian: apt-get install openssh-client",
        ),
        (["test"], ["ssh-keygen"], {}, "ssh-keygen is missing, the tests' signing needs it"),
        (["--offline", "/nowhere/wheels"], [], {}, "there is no folder /nowhere/wheels"),
    ],
)
def test_what_is_missing_is_named_in_one_line_with_the_way_to_get_it(
    places: dict[str, str], tmp_path: Path, words: list[str], left_out: list[str], bodies: dict[str, str], line: str
) -> None:
    path = commands(tmp_path / "commands", *left_out, **bodies)
    done = run(*words, environment=places | {"PATH": path, "PYTHON": ""})
    assert done.returncode == 1
    assert line in done.stderr
    assert done.stderr.startswith("install.sh: ")
    assert done.stderr.count("\n") == 1


def test_a_python_that_was_asked_for_and_does_not_fit_is_not_passed_over(places: dict[str, str]) -> None:
    done = run(environment=places | {"PYTHON": "/bin/false"})
    assert (done.returncode, done.stderr) == (
        1,
        "install.sh: $PYTHON is /bin/false, which is no Python 3.11 or newer\n",
    )


def test_a_home_that_cannot_be_made_is_named(places: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run(environment=places | {"CODIFICA_HOME": str(tmp_path / "file" / "home")})
    assert done.returncode == 1
    assert done.stderr.startswith(f"install.sh: cannot make the folder {tmp_path / 'file' / 'home'}; set CODIFICA_HOME")
