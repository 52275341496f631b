"""A clone fetches the receipts: one line of its config, put in once, and taken out again without the others."""

from pathlib import Path

import pytest

from codifica_guard.install import clone as client
from codifica_guard.install import doctor
from codifica_guard.install.check import Level
from codifica_guard.install.plan import Action, apply
from codifica_guard.install.receipt_refs import REFSPEC
from tests.unit.install.places import Git, Interpreter
from tests.unit.install.test_doctor import NOW, one, probes

HEADS = "+refs/heads/*:refs/remotes/origin/*"


def fetched(git: Git, clone: Path, remote: str = "origin") -> list[str]:
    return git("config", "--get-all", f"remote.{remote}.fetch", cwd=clone, check=False).splitlines()


def install(clone: Path, python: Interpreter) -> tuple[str, ...]:
    return apply(client.plan_clone(str(clone), python=str(python.path))).lines


def test_a_fetch_brings_what_the_server_signed(clone: Path, bare: Path, git: Git, python: Interpreter) -> None:
    git("--git-dir", bare, "update-ref", "refs/codifica/receipts", "main")
    planned = client.plan_clone(str(clone), python=str(python.path))
    assert [s.note for s in planned.steps if s.action is Action.ADD] == ["every fetch brings the server's receipts"]
    assert any(line.split()[:2] == ["added", "remote.origin.fetch"] for line in install(clone, python))
    assert fetched(git, clone) == [HEADS, REFSPEC]
    git("fetch", "-q", cwd=clone)
    assert git("rev-parse", "refs/codifica/receipts", cwd=clone) == git("rev-parse", "origin/main", cwd=clone)
    assert not client.plan_clone(str(clone), python=str(python.path)).changes
    apply(client.plan_uninstall_clone(str(clone)))
    assert fetched(git, clone) == [HEADS]


@pytest.mark.parametrize("line", ["refs/codifica/*:refs/codifica/*", "+refs/*:refs/*"])
def test_a_clone_that_fetches_them_already_is_left_alone(clone: Path, git: Git, python: Interpreter, line: str) -> None:
    git("config", "--add", "remote.origin.fetch", line, cwd=clone)
    install(clone, python)
    assert fetched(git, clone) == [HEADS, line]
    apply(client.plan_uninstall_clone(str(clone)))
    assert fetched(git, clone) == [HEADS, line], "what others put there stays"


def test_the_remote_is_the_one_that_is_worked_with(clone: Path, bare: Path, git: Git, python: Interpreter) -> None:
    git("remote", "add", "the.other", bare, cwd=clone)
    git("config", "codifica.remote", "the.other", cwd=clone)
    install(clone, python)
    assert (fetched(git, clone), fetched(git, clone, "the.other")[-1]) == ([HEADS], REFSPEC)
    git("config", "--unset", "codifica.remote", cwd=clone)
    install(clone, python)
    assert fetched(git, clone)[-1] == REFSPEC
    apply(client.plan_uninstall_clone(str(clone)))
    assert REFSPEC not in fetched(git, clone) + fetched(git, clone, "the.other")


def test_the_only_remote_is_the_one_whatever_it_is_called(clone: Path, git: Git, python: Interpreter) -> None:
    git("remote", "rename", "origin", "upstream", cwd=clone)
    install(clone, python)
    assert fetched(git, clone, "upstream")[-1] == REFSPEC


def test_where_nothing_is_fetched_by_itself_nothing_is_added(clone: Path, git: Git, python: Interpreter) -> None:
    python.says("")
    git("config", "--unset-all", "remote.origin.fetch", cwd=clone)
    install(clone, python)
    assert fetched(git, clone) == []
    assert "receipts" not in {check.name for check in doctor.examine(str(clone), probes())}
    git("remote", "remove", "origin", cwd=clone)
    assert not client.plan_clone(str(clone), python=str(python.path)).changes


def test_doctor_tells_a_clone_that_does_not_see_them_and_mends_it(clone: Path, git: Git, python: Interpreter) -> None:
    install(clone, python)
    assert one(doctor.examine(str(clone), probes()), "receipts").text == "every fetch from origin brings them"
    git("config", "--unset-all", "remote.origin.fetch", "codifica", cwd=clone)
    check = one(doctor.examine(str(clone), probes()), "receipts")
    assert (check.level, check.do) == (Level.WARN, ("codifica-guard install",))
    assert doctor.fix(str(clone), NOW).changed
    assert fetched(git, clone) == [HEADS, REFSPEC]
