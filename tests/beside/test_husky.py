"""Beside husky, the real one: it points `core.hooksPath` at a folder of its own."""

import shutil
from pathlib import Path

import pytest

from codifica_guard.install import config_hooks
from tests.beside.conftest import BIN, Place
from tests.building.machine import run

pytestmark = pytest.mark.cold

COMMIT = 'echo "commit $(head -n 1 "$1")" >>.git/theirs\n'
PUSH = "sed 's/^/push /; s/ [0-9a-f]* / /; s/ [0-9a-f]*$//' >>.git/theirs\n"
RAN = {"commit": ["commit FEAT-1: note"], "push": ["push HEAD refs/heads/main"]}


def husky(place: Place, module: Path) -> None:
    """Run husky as `npm install` does."""
    target = place.clone.folder / "node_modules" / "husky"
    shutil.copytree(module, target, dirs_exist_ok=True)
    run([BIN / "node", target / "bin.js"], cwd=place.clone.folder, home=place.clone.home)


@pytest.fixture
def at_work(place: Place, husky_module: Path) -> Place:
    place.exclude("node_modules", ".husky/_")
    husky(place, husky_module)
    place.clone.write(".husky/commit-msg", COMMIT).write(".husky/pre-push", PUSH)
    place.clone.commit("hooks", proof="none", options=["--no-verify"]).push(options=["--no-verify"]).accepted()
    return place


def test_lines_in_the_hooks_of_husky_let_both_run_and_come_out_again(at_work: Place, husky_module: Path) -> None:
    at_work.guard("install", "--hooks-path")
    at_work.works(**RAN)
    husky(at_work, husky_module)  # the next `npm install`
    at_work.works(**RAN)
    assert " commit-msg " in at_work.guard("doctor").said
    at_work.guard("uninstall")
    assert (at_work.clone.read(".husky/pre-push"), at_work.clone.read(".husky/commit-msg")) == (PUSH, COMMIT)
    assert at_work.clone.git("status", "--porcelain") == ""
    at_work.works_without_us(commit=["commit FEAT-1: note"], push=["push HEAD refs/heads/free"])


def test_lines_that_are_committed_serve_whoever_has_the_guard_and_nobody_else(
    at_work: Place, husky_module: Path
) -> None:
    at_work.guard("install", "--hooks-path")
    assert at_work.commit("hooks for all", ".husky").code == 0
    at_work.git("push", "-q", "origin", "HEAD:main")
    bob = Place(at_work.clone.repo.clone("bob"))
    husky(bob, husky_module)
    bob.exclude("node_modules", ".husky/_")
    bob.clone.write("src/bob.py", "x\n")
    done = bob.commit("FEAT-1: note", "src/bob.py")
    assert (done.code, "codifica" in done.said, bob.ran()) == (0, False, RAN["commit"])
    done = bob.git("push", "-q", "origin", "HEAD:main")
    assert (done.code, bob.ran()) == (0, RAN["push"])
    bob.guard("install")
    assert bob.clone.git("status", "--porcelain") == ""
    bob.clone.edit("FEAT-2", priority="low")
    assert bob.commit("FEAT-2: priority").code == 0
    assert "Codifica-Actor: human:bob" in bob.message()
    said = at_work.guard("uninstall").said
    assert "our lines stay: they are committed" in said
    at_work.works_without_us(commit=["commit FEAT-1: note"], push=["push HEAD refs/heads/free"])


def test_without_the_option_the_folder_is_husky_s_alone(at_work: Place) -> None:
    before = {path: path.read_bytes() for path in (at_work.clone.folder / ".husky").rglob("*") if path.is_file()}
    done = at_work.clone.guard("install")
    assert {path: path.read_bytes() for path in before} == before
    if config_hooks.known():
        assert done.code == 0, done.said
        at_work.works(**RAN)
        at_work.guard("uninstall")
    else:
        assert done.code == 1
        assert "do: codifica-guard install --hooks-path" in done.said
        assert f"{at_work.clone.folder}/.husky:" in done.said
        doctor = at_work.clone.guard("doctor")
        assert doctor.code == 1
        assert "FAIL  commit-msg" in doctor.said
    at_work.works_without_us(commit=["commit FEAT-1: note"], push=["push HEAD refs/heads/free"])
