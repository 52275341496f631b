"""A hooks folder of somebody else, named by `core.hooksPath`: husky's, a company's, anybody's."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard.errors import UsageError
from codifica_guard.install import clone as client
from codifica_guard.install import doctor, lines, shim
from codifica_guard.install.check import Check, Level
from codifica_guard.install.plan import Plan, Report, apply
from tests.unit.install.places import Git, Interpreter, git_that_says, write_hook
from tests.unit.install.test_doctor import one, probes

Version = Callable[[str], None]
OLD, NEW = "2.53.9", "2.54.0"


@pytest.fixture
def git_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Version:
    def call(version: str) -> None:
        monkeypatch.setenv("PATH", git_that_says(tmp_path / f"git-{version}", version))

    return call


def plan(clone: Path, python: Interpreter, **options: bool) -> Plan:
    return client.plan_clone(str(clone), introduction="HEAD", python=str(python.path), **options)


def uninstall(clone: Path) -> Report:
    return apply(client.plan_uninstall_clone(str(clone)))


def examined(clone: Path, name: str) -> Check:
    return one(doctor.examine(str(clone), probes()), name)


def husky(clone: Path, git: Git) -> Path:
    """As husky 9 sets itself up: a folder of its own with hooks that start those above it; the folder above."""
    folder = clone / ".husky" / "_"
    folder.mkdir(parents=True)
    (folder / "h").write_text('s=$(dirname "$(dirname "$0")")/${0##*/}\n[ ! -f "$s" ] || sh -e "$s" "$@"\n')
    for name in (*shim.CLIENT, "pre-commit"):
        write_hook(folder / name, '. "$(dirname "$0")/h"')
    git("config", "core.hooksPath", ".husky/_", cwd=clone)
    return folder.parent


def folder_of(clone: Path) -> dict[str, bytes]:
    folder = clone / ".git" / "codifica-guard" / "hooks"
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def shims(python: Interpreter) -> dict[str, bytes]:
    return {name: shim.render(name, str(python.path)) for name in shim.CLIENT}


@pytest.mark.parametrize("where", ["inside", "absolute", "~/hooks"])
def test_with_an_older_git_the_folder_is_left_alone_and_the_command_that_writes_into_it_is_named(
    clone: Path, git: Git, python: Interpreter, tmp_path: Path, git_is: Version, where: str
) -> None:
    folder = {"inside": clone / "inside", "~/hooks": tmp_path / "home" / "hooks"}.get(where, tmp_path / "company")
    folder.mkdir(parents=True)
    git("config", "core.hooksPath", str(folder) if where == "absolute" else where, cwd=clone)
    git_is(OLD)
    report = apply(plan(clone, python))
    assert (report.exit_code, report.changed) == (1, True)
    assert list(folder.iterdir()) == []
    # What is possible is done: the hooks have something to call.
    assert git("config", "codifica.introduction", cwd=clone) == git("rev-parse", "HEAD", cwd=clone)
    assert git("config", "merge.codifica.name", cwd=clone) != ""
    assert folder_of(clone) == shims(python)
    assert git("config", "--get-regexp", r"^hook\.", cwd=clone, check=False) == ""
    text = "\n".join(report.lines)
    assert "Git 2.53 knows no hooks in its config" in text
    assert "\n  do: codifica-guard install --hooks-path" in text
    assert ("other repositories may use it too" in text) == (where != "inside")
    assert plan(clone, python).preview().exit_code == 1
    told = examined(clone, "commit-msg")
    assert (told.level, told.do) == (Level.FAIL, ("codifica-guard install --hooks-path",))
    assert f"{folder / 'commit-msg'} does not call codifica-guard (core.hooksPath is " in told.text


def test_with_a_newer_git_its_config_calls_ours_and_the_folder_is_left_alone(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    config = (clone / ".git" / "config").read_bytes()
    above = husky(clone, git)
    config_of_husky = (clone / ".git" / "config").read_bytes()
    before = {path: path.read_bytes() for path in above.rglob("*") if path.is_file()}
    git_is(NEW)
    report = apply(plan(clone, python))
    line = f"here: merge driver; beside .husky/_, which stays as it is, Git's config calls {' '.join(shim.CLIENT)}"
    assert (report.exit_code, report.lines[-1]) == (0, line)
    assert {path: path.read_bytes() for path in above.rglob("*") if path.is_file()} == before
    assert folder_of(clone) == shims(python)
    assert not plan(clone, python).changes
    (clone / "codifica.json").write_text("{}")
    for name in shim.CLIENT:
        assert git("config", f"hook.codifica-guard-{name}.event", cwd=clone).strip() == name
        command = git("config", f"hook.codifica-guard-{name}.command", cwd=clone).strip()
        done = subprocess.run(["sh", "-c", f'{command} "$@"', command, "a b"], cwd=clone, input=b"in", check=True)
        assert done.returncode == 0
        assert f"hook {name} a b\nin" in python.calls()
        assert examined(clone, name).text == "git's config calls ours"
    git("config", "hook.codifica-guard-pre-push.enabled", "false", cwd=clone)
    told = examined(clone, "pre-push")
    assert told.do == ("git config hook.codifica-guard-pre-push.enabled true",)
    uninstall(clone)
    assert (clone / ".git" / "config").read_bytes() == config_of_husky
    assert folder_of(clone) == {}
    assert config != config_of_husky


def test_hooks_in_the_config_that_this_git_is_too_old_for_are_a_failure(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    husky(clone, git)
    git_is(NEW)
    apply(plan(clone, python))
    git_is(OLD)
    told = examined(clone, "commit-msg")
    assert (told.level, told.do) == (Level.FAIL, ("codifica-guard install --hooks-path",))
    apply(plan(clone, python, hooks_path=True))
    assert git("config", "--get-regexp", r"^hook\.", cwd=clone, check=False) == ""
    assert examined(clone, "commit-msg").level is Level.OK


def test_when_the_folder_is_given_up_the_config_does_not_call_ours_a_second_time(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    husky(clone, git)
    git_is(NEW)
    apply(plan(clone, python))
    git("config", "--unset", "core.hooksPath", cwd=clone)
    for name, data in shims(python).items():
        write_hook(clone / ".git/hooks" / name, "")
        (clone / ".git/hooks" / name).write_bytes(data)
    assert examined(clone, "hooks twice").level is Level.WARN
    apply(plan(clone, python))
    assert git("config", "--get-regexp", r"^hook\.", cwd=clone, check=False) == ""
    assert "hooks twice" not in {check.name for check in doctor.examine(str(clone), probes())}


@pytest.mark.parametrize("version", [OLD, NEW])
def test_lines_are_written_where_husky_looks_and_taken_out_again(
    clone: Path, git: Git, python: Interpreter, git_is: Version, version: str
) -> None:
    above = husky(clone, git)
    theirs = b'echo "theirs $1" >&2\n'
    (above / "commit-msg").write_bytes(theirs)
    (above / "pre-push").write_bytes(b"cat >pushed\n")
    git_is(version)
    report = apply(plan(clone, python, hooks_path=True))
    assert report.exit_code == 0, report.lines
    assert report.lines[-1] == f"here: merge driver; the hooks in {above} call codifica-guard"
    assert not plan(clone, python, hooks_path=True).changes
    assert not plan(clone, python).changes
    (clone / "codifica.json").write_text("{}")
    said = git("commit", "-q", "--allow-empty", "-m", "x", cwd=clone)
    assert said.splitlines() == ["theirs .git/COMMIT_EDITMSG", "guard: code 0"]
    git("push", "-q", "origin", "HEAD:refs/heads/x", cwd=clone)
    assert (clone / "pushed").read_text().startswith("HEAD ")
    assert python.calls().count((clone / "pushed").read_text()) == 1
    assert all(examined(clone, name).level is Level.OK for name in shim.CLIENT)
    python.ends_with(1)
    git("commit", "-q", "--allow-empty", "-m", "y", cwd=clone, check=False)
    assert git("log", "-1", "--format=%s", cwd=clone).strip() == "x"
    uninstall(clone)
    assert sorted(path.name for path in above.iterdir()) == ["_", "commit-msg", "pre-push"]
    assert (above / "commit-msg").read_bytes() == theirs
    python.ends_with(1)
    git("commit", "-q", "--allow-empty", "-m", "z", cwd=clone)


def test_without_the_guard_committed_lines_do_nothing_and_uninstall_leaves_them(
    clone: Path, git: Git, python: Interpreter, git_is: Version, tmp_path: Path
) -> None:
    above = husky(clone, git)
    git_is(OLD)
    apply(plan(clone, python, hooks_path=True))
    (clone / ".gitignore").write_text("_\n")
    git("add", ".husky", cwd=clone)
    git("commit", "-q", "-m", "hooks for all", cwd=clone)
    git("clone", "-q", clone, tmp_path / "other")
    husky_again = tmp_path / "other"
    (husky_again / ".husky" / "_").mkdir()
    for path in (above / "_").iterdir():
        write_hook(husky_again / ".husky" / "_" / path.name, path.read_text().partition("\n")[2])
    (husky_again / ".husky" / "_" / "h").write_bytes((above / "_" / "h").read_bytes())
    git("config", "core.hooksPath", ".husky/_", cwd=husky_again)
    git("commit", "-q", "--allow-empty", "-m", "no guard here", cwd=husky_again)
    report = uninstall(clone)
    text = "\n".join(report.lines)
    assert "our lines stay: they are committed, and others may need them" in text
    assert lines.is_called((above / "commit-msg").read_bytes(), "commit-msg")
    git("commit", "-q", "--allow-empty", "-m", "no guard here either", cwd=clone)


def test_in_a_folder_that_others_share_uninstall_leaves_the_lines(
    clone: Path, git: Git, python: Interpreter, git_is: Version, tmp_path: Path
) -> None:
    company = tmp_path / "company"
    company.mkdir()
    write_hook(company / "commit-msg", "echo company >&2", 0o644)
    git("config", "--global", "core.hooksPath", company)
    git_is(OLD)
    apply(plan(clone, python, hooks_path=True))
    assert (company / "commit-msg").stat().st_mode & 0o777 == 0o755
    (clone / "codifica.json").write_text("{}")
    assert git("commit", "-q", "--allow-empty", "-m", "x", cwd=clone).splitlines() == ["company", "guard: code 0"]
    report = uninstall(clone)
    assert "our lines stay: other repositories may use this folder" in "\n".join(report.lines)
    assert git("commit", "-q", "--allow-empty", "-m", "x", cwd=clone).splitlines() == ["company"]


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("link", "it is a link"),
        ("python", "it is no script of sh"),
        ("binary", "it is no script of sh"),
        ("tool", "lefthook writes it anew"),
        ("folder", "it is no file that can be read"),
    ],
)
def test_what_is_no_place_for_lines_of_sh_is_left_and_told_with_the_lines(
    clone: Path, git: Git, python: Interpreter, git_is: Version, what: str, why: str
) -> None:
    folder = clone / "theirs"
    folder.mkdir()
    git("config", "core.hooksPath", "theirs", cwd=clone)
    path = folder / "commit-msg"
    match what:
        case "link":
            path.symlink_to(write_hook(clone / "x", "") and clone / "x")
        case "folder":
            path.mkdir()
        case _:
            text = {
                "python": b"#!/usr/bin/env python3\n",
                "binary": b"\x7fELF\0",
                "tool": b"#!/bin/sh\ncall_lefthook\n",
            }
            path.write_bytes(text[what])
            path.chmod(0o755)
    git_is(OLD)
    report = apply(plan(clone, python, hooks_path=True))
    text_told = "\n".join(report.lines)
    assert report.exit_code == 1
    assert f"{path}   ({why})" in text_told
    assert "guard_hook=$(git rev-parse --git-common-dir)/codifica-guard/hooks/commit-msg" in text_told
    assert (folder / "pre-push").exists()
    assert f"({why})" in "\n".join(plan(clone, python).blocked)
    assert examined(clone, "commit-msg").do == ("codifica-guard install",)


@pytest.mark.parametrize(("value", "why"), [("/dev/null", "/dev/null is no folder"), ("", "core.hooksPath is empty")])
def test_what_turns_all_hooks_off_is_told_and_nothing_is_written(
    clone: Path, git: Git, python: Interpreter, git_is: Version, value: str, why: str
) -> None:
    git("config", "core.hooksPath", value, cwd=clone)
    git_is(OLD)
    for options in ({}, {"hooks_path": True}):
        report = apply(plan(clone, python, **options))
        assert (report.exit_code, f"({why}" in "\n".join(report.lines)) == (1, True)
    assert git("status", "--porcelain", cwd=clone) == ""
    assert doctor.exit_code(doctor.examine(str(clone), probes())) == 1


def test_before_husky_made_its_folder_nothing_is_written_into_it(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    git("config", "core.hooksPath", ".husky/_", cwd=clone)
    git_is(OLD)
    apply(plan(clone, python, hooks_path=True))
    assert sorted(path.name for path in (clone / ".husky").iterdir()) == sorted(shim.CLIENT)
    assert examined(clone, "commit-msg").do == ("npm install",)


def test_what_cannot_be_written_is_called_by_the_config_where_git_knows_how(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    folder = clone / "theirs"
    folder.mkdir()
    git("config", "core.hooksPath", "theirs", cwd=clone)
    write_hook(folder / "commit-msg", "call_lefthook")
    git_is(NEW)
    report = apply(plan(clone, python, hooks_path=True))
    assert (report.exit_code, report.lines[-1].endswith("Git's config calls commit-msg")) == (0, True)
    assert all(examined(clone, name).level is Level.OK for name in shim.CLIENT)
    assert not plan(clone, python, hooks_path=True).changes


def test_lines_in_a_hook_that_may_no_longer_be_written_stay(
    clone: Path, git: Git, python: Interpreter, git_is: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = clone / "theirs"
    folder.mkdir()
    git("config", "core.hooksPath", "theirs", cwd=clone)
    git_is(OLD)
    apply(plan(clone, python, hooks_path=True))
    usable = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and usable(path, mode))
    monkeypatch.setattr(client, "check_writable", lambda _: None)
    text = "\n".join(client.plan_uninstall_clone(str(clone)).preview().lines)
    assert text.count("our lines stay: ") == len(shim.CLIENT)
    assert f"{folder} is not writable for you; they do nothing any more" in text


def test_a_folder_of_somebody_else_is_told_to_whoever_may_write_there(
    clone: Path, git: Git, python: Interpreter, git_is: Version, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    company = tmp_path / "company"
    company.mkdir()
    git("config", "core.hooksPath", company, cwd=clone)
    git_is(OLD)
    usable = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and usable(path, mode))
    monkeypatch.setattr(client, "check_writable", lambda _: None)
    text = "\n".join(plan(clone, python).blocked)
    assert f"{company / 'pre-push'}   ({company} is not writable for you)" in text
    assert "whoever may write there puts these lines in:" in text
    assert "what is new there begins with #!/bin/sh, and is made executable" in text
    assert "--hooks-path" not in text


def test_the_option_is_for_clones_that_have_such_a_folder(clone: Path, python: Interpreter) -> None:
    with pytest.raises(UsageError, match=r"core\.hooksPath is not set"):
        plan(clone, python, hooks_path=True)


def test_a_front_that_is_gone_or_a_hook_that_is_off_is_a_failure(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    above = husky(clone, git)
    git_is(OLD)
    apply(plan(clone, python, hooks_path=True))
    (above / "_" / "commit-msg").unlink()
    told = examined(clone, "commit-msg")
    assert (told.level, told.do) == (Level.FAIL, ("npm install",))
    (clone / "plain").mkdir()
    git("config", "core.hooksPath", "plain", cwd=clone)
    apply(plan(clone, python, hooks_path=True))
    (clone / "plain" / "pre-push").chmod(0o644)
    told = examined(clone, "pre-push")
    assert (told.level, told.do) == (Level.FAIL, (f"chmod +x '{clone}/plain/pre-push'",))
    assert examined(clone, "commit-msg").level is Level.OK


def test_the_shims_that_are_called_from_there_are_examined_and_mended(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    husky(clone, git)
    git_is(OLD)
    apply(plan(clone, python, hooks_path=True))
    folder = clone / ".git" / "codifica-guard" / "hooks"
    (folder / "commit-msg").unlink()
    (folder / "pre-push").chmod(0o644)
    (folder / "post-merge").write_bytes(shim.render("post-merge", str(python.path)) + b"# edited\n")
    assert examined(clone, "commit-msg").level is Level.FAIL
    assert examined(clone, "pre-push").level is Level.FAIL
    assert examined(clone, "post-merge").level is Level.WARN
    doctor.fix(str(clone), 0)
    assert folder_of(clone) == shims(python)
    assert all(examined(clone, name).level is Level.OK for name in shim.CLIENT)


def test_both_ways_at_once_run_twice_and_install_leaves_one(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    husky(clone, git)
    git_is(NEW)
    apply(plan(clone, python, hooks_path=True))
    git("config", "hook.codifica-guard-commit-msg.command", "x", cwd=clone)
    git("config", "hook.codifica-guard-commit-msg.event", "commit-msg", cwd=clone)
    assert "it runs twice" in examined(clone, "commit-msg").text
    apply(plan(clone, python))
    assert examined(clone, "commit-msg").level is Level.OK


def test_lines_that_somebody_wrote_himself_count_and_are_his_to_take_out(
    clone: Path, git: Git, python: Interpreter, git_is: Version
) -> None:
    (clone / "theirs").mkdir()
    git("config", "core.hooksPath", "theirs", cwd=clone)
    git_is(OLD)
    for name in shim.CLIENT:
        write_hook(clone / "theirs" / name, f'codifica-guard hook {name} "$@"')
    ready = plan(clone, python)
    assert not ready.blocked
    report = apply(ready)
    assert report.lines[-1] == f"here: merge driver; the hooks in {clone / 'theirs'} call codifica-guard"
    write_hook(clone / "theirs" / "pre-push", '# codifica-guard hook pre-push "$@"')
    assert plan(clone, python).blocked
    text = "\n".join(uninstall(clone).lines)
    assert text.count("the line that calls the guard is yours to take out") == len(shim.CLIENT) - 1
