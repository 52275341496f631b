"""The merge driver in a clone's config."""

import subprocess
from pathlib import Path

import pytest

from codifica_guard.install import clone as client
from codifica_guard.install import doctor, merge_driver
from codifica_guard.install.check import Level
from codifica_guard.install.plan import apply
from codifica_guard.install.repository import open_clone
from tests.unit.install.places import Git, Interpreter
from tests.unit.install.test_doctor import one, policy, probes


def install(clone: Path, python: Path) -> None:
    apply(client.plan_clone(str(clone), python=str(python)))


def test_it_is_set_with_the_interpreter_of_the_hooks_shared_by_worktrees_and_taken_back(
    clone: Path, git: Git, python: Interpreter, tmp_path: Path
) -> None:
    install(clone, python.path)
    assert git("config", "merge.codifica.name", cwd=clone).strip() == "codifica-guard: tasks merged by meaning"
    quoted = str(python.path).replace("'", "'\\''")
    call = f"'{quoted}' -I -m codifica_guard merge-driver %O %A %B %L %P"
    wanted = f"if test -x '{quoted}'; then {call}; else git merge-file --marker-size=%L %A %O %B; fi"
    assert git("config", "merge.codifica.driver", cwd=clone).strip() == wanted
    assert merge_driver.interpreter_of(open_clone(str(clone))) == str(python.path)
    git("worktree", "add", "-q", "-b", "side", tmp_path / "linked", cwd=clone)
    assert git("config", "merge.codifica.driver", cwd=tmp_path / "linked").strip() == wanted
    apply(client.plan_uninstall_clone(str(clone)))
    assert git("config", "--get-regexp", r"^merge\.", cwd=clone, check=False) == ""


@pytest.mark.parametrize("folder", ["a b", "it's", "100%A", "%%", '"$HOME"`id`', "\N{SNOWMAN}"])
def test_a_real_merge_starts_any_interpreter_with_the_three_sides(
    clone: Path, git: Git, tmp_path: Path, folder: str
) -> None:
    place = tmp_path / folder
    place.mkdir()
    (place / "python").write_text('#!/bin/sh\necho "$1 $2 $3 $4 $# $8 $9" >called\nprintf "merged\\n" >"$6"\n')
    (place / "python").chmod(0o755)
    install(clone, place / "python")
    (clone / ".gitattributes").write_text("/work.md merge=codifica\n")
    for branch, text in (("main", "one\n"), ("side", "two\n"), ("main", "three\n")):
        git("checkout", "-q", *(["-b"] if branch == "side" else []), branch, cwd=clone)
        (clone / "work.md").write_text(text)
        git("add", "-A", cwd=clone)
        git("commit", "-q", "-m", text, cwd=clone)
    git("merge", "-q", "--no-edit", "side", cwd=clone)
    assert (clone / "work.md").read_text() == "merged\n"
    assert (clone / "called").read_text() == "-I -m codifica_guard merge-driver 9 7 work.md\n"
    assert merge_driver.interpreter_of(open_clone(str(clone))) == str(place / "python")


def test_without_its_interpreter_lines_are_merged_and_conflicts_marked(
    clone: Path, git: Git, python: Interpreter
) -> None:
    install(clone, python.path)
    python.path.unlink()
    (clone / ".gitattributes").write_text("/work.md merge=codifica\n")
    for branch, text in (("main", "one\n"), ("side", "two\n"), ("main", "three\n")):
        git("checkout", "-q", *(["-b"] if branch == "side" else []), branch, cwd=clone)
        (clone / "work.md").write_text(text)
        git("add", "-A", cwd=clone)
        git("-c", "core.hooksPath=/nowhere", "commit", "-q", "-m", text, cwd=clone)
    git("-c", "core.hooksPath=/nowhere", "merge", "-q", "--no-edit", "side", cwd=clone, check=False)
    lines = (clone / "work.md").read_text().splitlines()
    assert [lines[0][:7], *lines[1:4], lines[4][:7]] == ["<<<<<<<", "three", "=======", "two", ">>>>>>>"]


def test_a_driver_of_somebody_else_is_left_alone(clone: Path, git: Git, python: Interpreter) -> None:
    git("config", "merge.codifica.driver", "mine %A", cwd=clone)
    report = apply(client.plan_clone(str(clone), python=str(python.path)))
    assert any("there is another merge driver codifica, not ours" in line for line in report.lines)
    assert one(doctor.examine(str(clone), probes()), "merge driver").level is Level.WARN
    apply(client.plan_uninstall_clone(str(clone)))
    assert git("config", "merge.codifica.driver", cwd=clone).strip() == "mine %A"


def test_doctor_tells_whether_it_is_set_and_starts_and_mends_it(clone: Path, git: Git, python: Interpreter) -> None:
    def told() -> tuple[Level, str]:
        check = one(doctor.examine(str(clone), probes()), "merge driver")
        return check.level, check.text

    assert told() == (Level.WARN, "merge.codifica.driver is not set: tasks are merged line by line here")
    install(clone, python.path)
    assert told() == (Level.OK, "merge.codifica.driver is ours")
    git("config", "merge.codifica.driver", "/x -I -m codifica_guard merge-driver %O", cwd=clone)
    assert told() == (Level.FAIL, "merge.codifica.driver was edited")
    doctor.fix(str(clone), 0)
    assert told() == (Level.OK, "merge.codifica.driver is ours")
    python.path.chmod(0o644)
    assert told() == (Level.FAIL, f"{python.path} is missing: tasks are merged line by line here")
    doctor.fix(str(clone), 0)
    assert told() == (Level.OK, "merge.codifica.driver is ours")


def test_doctor_tells_which_state_documents_it_does_not_serve(clone: Path, git: Git, python: Interpreter) -> None:
    install(clone, python.path)
    for number in range(5):
        (clone / f"work {number}.md").write_text("")
    git("add", "-A", cwd=clone)
    git("commit", "-q", "-m", "work", cwd=clone)

    def told() -> list[str]:
        found = doctor.examine(str(clone), probes(policy=lambda: policy(state=("work*.md",))))
        return [check.text for check in found if check.name == "merge driver"][1:]

    assert told() == [
        *(
            f".gitattributes does not say merge=codifica for work {number}.md: its tasks are merged line by line"
            for number in range(3)
        ),
        "nor for 2 more state documents",
    ]
    (clone / ".gitattributes").write_text("work*.md text eol=lf merge=codifica\n")
    assert told() == []


def test_the_command_that_doctor_names_for_a_document_mends_it(clone: Path, python: Interpreter, git: Git) -> None:
    install(clone, python.path)
    (clone / "work.md").write_text("")
    git("add", "-A", cwd=clone)
    git("commit", "-q", "-m", "work", cwd=clone)
    found = doctor.examine(str(clone), probes(policy=lambda: policy(state=("work.md",))))
    (check,) = [check for check in found if check.text.startswith(".gitattributes does not")]
    subprocess.run(check.do[0], shell=True, cwd=clone, check=True)  # noqa: S602 - as a person types it
    found = doctor.examine(str(clone), probes(policy=lambda: policy(state=("work.md",))))
    assert not [check for check in found if check.text.startswith(".gitattributes does not")]
