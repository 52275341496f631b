from pathlib import Path

import pytest

from codifica_guard.errors import UnknownFormat, UsageError
from codifica_guard.install import clone as client
from codifica_guard.install import shim
from codifica_guard.install.plan import Plan, apply
from codifica_guard.install.repository import open_clone
from tests.unit.install.places import Git, Interpreter, write_hook


def plan(clone: Path, python: Interpreter, introduction: str | None = None) -> Plan:
    return client.plan_clone(str(clone), introduction=introduction, python=str(python.path))


def hooks_of(clone: Path) -> dict[str, tuple[int, bytes]]:
    folder = clone / ".git" / "hooks"
    return {p.name: (p.stat().st_mode & 0o7777, p.read_bytes()) for p in folder.iterdir() if p.suffix != ".sample"}


def test_the_hooks_are_installed_once_and_taken_out_again(clone: Path, python: Interpreter) -> None:
    config = (clone / ".git" / "config").read_bytes()
    report = apply(plan(clone, python))
    assert report.lines[-1] == "here: hooks commit-msg applypatch-msg post-rewrite pre-push post-merge, merge driver"
    installed = hooks_of(clone)
    assert installed == {name: (0o755, shim.render(name, str(python.path))) for name in shim.CLIENT}
    again = apply(plan(clone, python))
    assert (again.changed, again.lines[-1]) == (False, "nothing to do")
    assert hooks_of(clone) == installed
    assert apply(client.plan_uninstall_clone(str(clone))).changed
    assert hooks_of(clone) == {}
    assert (clone / ".git" / "config").read_bytes() == config
    assert apply(client.plan_uninstall_clone(str(clone))).lines == ("nothing to do",)


def test_hooks_that_were_there_are_kept_chained_and_restored(clone: Path, python: Interpreter) -> None:
    for number, name in enumerate(shim.CLIENT):
        write_hook(clone / ".git/hooks" / name, f"echo {number}", 0o700 + number)
    before = hooks_of(clone)
    apply(plan(clone, python))
    kept = hooks_of(clone)
    assert {name: kept[f"{name}{shim.KEPT}"] for name in shim.CLIENT} == before
    apply(client.plan_uninstall_clone(str(clone)))
    assert hooks_of(clone) == before


def test_from_a_linked_worktree_or_a_subfolder_the_common_hooks_are_installed(
    clone: Path, git: Git, python: Interpreter, tmp_path: Path
) -> None:
    git("worktree", "add", "-q", "-b", "side", tmp_path / "linked tree", cwd=clone)
    (tmp_path / "linked tree" / "sub").mkdir()
    made = plan(tmp_path / "linked tree" / "sub", python)
    assert made.heading == f"{tmp_path / 'linked tree'}   clone, hooks in {clone / '.git' / 'hooks'}"
    apply(made)
    assert sorted(hooks_of(clone)) == sorted(shim.CLIENT)
    assert not plan(clone, python).changes
    (tmp_path / "linked tree" / "codifica.json").write_text("{}")
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=tmp_path / "linked tree")
    assert "hook commit-msg" in python.calls()
    apply(client.plan_uninstall_clone(str(tmp_path / "linked tree")))
    assert hooks_of(clone) == {}


def test_a_separate_git_folder_is_found(git: Git, python: Interpreter, tmp_path: Path) -> None:
    git("init", "-q", "--separate-git-dir", tmp_path / "elsewhere", tmp_path / "tree")
    apply(plan(tmp_path / "tree", python))
    assert (tmp_path / "elsewhere" / "hooks" / "pre-push").exists()


def test_the_introduction_is_pinned_if_it_is_given_and_never_moved(clone: Path, git: Git, python: Interpreter) -> None:
    first = git("rev-parse", "HEAD", cwd=clone).strip()
    report = apply(plan(clone, python, first[:8]))
    assert any(line.split() == ["set", "codifica.introduction", first] for line in report.lines)
    assert git("config", "codifica.introduction", cwd=clone).strip() == first
    assert not plan(clone, python).changes
    git("-c", "core.hooksPath=/nowhere", "commit", "-q", "--allow-empty", "-m", "second", cwd=clone)
    with pytest.raises(UsageError, match=f"{first[:12]} is pinned as introduction in this clone already"):
        plan(clone, python, "HEAD")
    with pytest.raises(UsageError, match="no such commit"):
        plan(clone, python, "nobody")
    apply(client.plan_uninstall_clone(str(clone)))
    assert git("config", "codifica.introduction", cwd=clone, check=False) == ""


def test_a_hooks_path_that_is_the_own_folder_is_none(clone: Path, git: Git, python: Interpreter) -> None:
    git("config", "core.hooksPath", ".git/hooks", cwd=clone)
    assert plan(clone, python).changes
    git("config", "core.hooksPath", clone / ".git" / "hooks", cwd=clone)
    assert plan(clone, python).changes


def test_a_hook_of_ours_that_the_pre_commit_framework_calls_is_renewed_there_and_never_looped(
    clone: Path, git: Git, python: Interpreter
) -> None:
    hooks = clone / ".git" / "hooks"
    apply(plan(clone, python))
    (hooks / "pre-push").rename(hooks / "pre-push.legacy")
    other = write_hook(hooks / "pre-push", 'exec "${0%/*}/pre-push.legacy" "$@"')
    assert not plan(clone, python).changes
    (hooks / "pre-push.legacy").write_bytes(shim.render("pre-push", "/older/python"))
    apply(plan(clone, python))
    assert (hooks / "pre-push.legacy").read_bytes() == shim.render("pre-push", str(python.path))
    assert (hooks / "pre-push").read_bytes() == other
    (clone / "codifica.json").write_text("{}")
    git("push", "-q", "origin", "HEAD:refs/heads/x", cwd=clone)
    assert python.calls().count("hook pre-push origin") == 1
    apply(client.plan_uninstall_clone(str(clone)))
    assert sorted(hooks_of(clone)) == ["pre-push"]


def test_what_is_no_clone_is_refused_with_the_reason(
    bare: Path, clone: Path, python: Interpreter, tmp_path: Path
) -> None:
    assert clone.exists()
    for path, why in [
        (tmp_path, "lies in no clone: fatal: not a git repository"),
        (bare, "lies in no clone: fatal: this operation must be run in a work tree"),
        (tmp_path / "nowhere", "is no folder"),
    ]:
        with pytest.raises(UsageError, match=why):
            plan(path, python)


def test_a_format_that_git_does_not_know_is_named(clone: Path, python: Interpreter) -> None:
    config = clone / ".git" / "config"
    text = config.read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    config.write_text(f"{text}[extensions]\nrefstorage = pigeon\n")
    with pytest.raises(UnknownFormat, match="refstorage"):
        plan(clone, python)


def test_the_head_of_a_linked_worktree_is_its_own(clone: Path, git: Git, tmp_path: Path) -> None:
    git("worktree", "add", "-q", "-b", "side", tmp_path / "linked", cwd=clone)
    assert open_clone(str(tmp_path / "linked")).head() == "side"
    assert open_clone(str(clone)).head() == "main"
    git("checkout", "-q", "--detach", cwd=clone)
    assert open_clone(str(clone)).head() == "HEAD"


def test_without_a_path_for_the_interpreter_the_running_one_is_taken(clone: Path) -> None:
    apply(client.plan_clone(str(clone)))
    assert shim.interpreter_of(hooks_of(clone)["pre-push"][1]) == shim.interpreter()
