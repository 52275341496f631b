"""The shims as Git runs them, with a stand-in for the interpreter."""

import os
import subprocess
from pathlib import Path

import pytest

from codifica_guard.install import shim
from tests.unit.install.places import Git, Interpreter, write_hook


def put(hooks: Path, name: str, python: Path) -> Path:
    path = hooks / name
    path.write_bytes(shim.render(name, str(python)))
    path.chmod(0o755)
    return path


def guarded(clone: Path) -> None:
    (clone / "codifica.json").write_text("{}")


def start(
    path: Path, *arguments: str, data: bytes = b"", cwd: Path, limit: bool = False
) -> subprocess.CompletedProcess[bytes]:
    command = [str(path), *arguments]
    if limit:  # one block of 512 bytes a file: the disk is full as far as this process can see
        command = ["sh", "-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "sh", *command]
    return subprocess.run(command, input=data, cwd=cwd, capture_output=True, check=False)


def test_a_push_starts_the_guard_isolated_and_its_exit_code_decides(
    bare: Path, clone: Path, git: Git, python: Interpreter
) -> None:
    put(bare / "hooks", "pre-receive", python.path)
    before = git("rev-parse", "main", cwd=bare)
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=clone)
    python.ends_with(1)
    told = git("push", "origin", "main", cwd=clone, check=False)
    assert "remote: guard: code 1" in told
    assert git("rev-parse", "main", cwd=bare) == before
    assert f"{python.path}: -I -m codifica_guard hook pre-receive\n{before.strip()} " in python.calls()
    python.ends_with(0)
    git("push", "-q", "origin", "main", cwd=clone)
    assert git("rev-parse", "main", cwd=bare) == git("rev-parse", "main", cwd=clone)


def test_without_its_interpreter_pre_receive_refuses_and_tells_the_admin_what_to_do(
    bare: Path, clone: Path, git: Git
) -> None:
    put(bare / "hooks", "pre-receive", Path("/gone/bin/python"))
    before = git("rev-parse", "main", cwd=bare)
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=clone)
    told = [
        line
        for line in git("push", "origin", "main", cwd=clone, check=False).splitlines()
        if line.startswith("remote:")
    ]
    line = "push refused: no Python at /gone/bin/python; the admin runs ./install.sh, then codifica-guard doctor --fix"
    assert [text.rstrip() for text in told] == [f"remote: codifica-guard: {line}"]
    assert git("rev-parse", "main", cwd=bare) == before


def test_an_interpreter_that_lost_its_x_bit_refuses_too(bare: Path, python: Interpreter) -> None:
    path = put(bare / "hooks", "pre-receive", python.path)
    python.path.chmod(0o644)
    done = start(path, cwd=bare)
    assert (done.returncode, python.calls()) == (1, "")


def test_five_thousand_refs_reach_the_guard_and_then_the_kept_hook_byte_for_byte(
    bare: Path, python: Interpreter
) -> None:
    path = put(bare / "hooks", "pre-receive", python.path)
    write_hook(bare / "hooks" / f"pre-receive{shim.KEPT}", 'cat >kept-input; echo "kept $# $1"; exit 3')
    data = b"".join(b"%040x %040x refs/heads/\xff\\n$(id)%d\n" % (0, n, n) for n in range(5000))
    done = start(path, "a b", data=data, cwd=bare)
    assert done.returncode == 3
    assert done.stdout == b"kept 1 a b\n"
    assert (bare / "kept-input").read_bytes() == data
    assert python.log.read_bytes() == os.fsencode(f"{python.path}: -I -m codifica_guard hook pre-receive a b\n") + data
    assert not list(bare.glob("codifica-guard-input*"))


def test_what_the_guard_refuses_never_reaches_the_kept_hook(bare: Path, python: Interpreter) -> None:
    path = put(bare / "hooks", "pre-receive", python.path)
    write_hook(bare / "hooks" / f"pre-receive{shim.KEPT}", "touch kept-ran")
    python.ends_with(1)
    assert start(path, data=b"x\n", cwd=bare).returncode == 1
    assert not (bare / "kept-ran").exists()
    assert not list(bare.glob("codifica-guard-input*"))


def test_a_kept_hook_that_ends_without_reading_still_decides(bare: Path, python: Interpreter) -> None:
    path = put(bare / "hooks", "pre-receive", python.path)
    write_hook(bare / "hooks" / f"pre-receive{shim.KEPT}", "exit 7")
    assert start(path, data=b"x\n" * 100_000, cwd=bare).returncode == 7


def test_on_a_full_disk_pre_receive_refuses_and_leaves_nothing(bare: Path, python: Interpreter) -> None:
    path = put(bare / "hooks", "pre-receive", python.path)
    write_hook(bare / "hooks" / f"pre-receive{shim.KEPT}", "touch kept-ran")
    done = start(path, data=b"x" * 4096, cwd=bare, limit=True)
    assert done.returncode == 1
    assert b"codifica-guard: push refused: no room for the hooks' input" in done.stderr
    assert python.calls() == ""
    assert not (bare / "kept-ran").exists()
    assert not list(bare.glob("codifica-guard-input*"))


def test_the_input_lies_in_the_quarantine_that_git_clears_if_the_hook_is_killed(
    bare: Path, clone: Path, git: Git, python: Interpreter
) -> None:
    put(bare / "hooks", "pre-receive", python.path)
    write_hook(bare / "hooks" / f"pre-receive{shim.KEPT}", "cat >/dev/null; kill -9 $$")
    python.path.write_text('#!/bin/sh\nls "$GIT_QUARANTINE_PATH" . >&2\nkill -9 $PPID\n')
    before = git("rev-parse", "main", cwd=bare)
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=clone)
    git("push", "origin", "main", cwd=clone, check=False)
    assert git("rev-parse", "main", cwd=bare) == before
    assert not list(bare.rglob("*codifica-guard-input*"))


def test_a_real_push_passes_the_guard_and_then_the_kept_hook_which_reads_the_same(
    bare: Path, clone: Path, git: Git, python: Interpreter
) -> None:
    put(bare / "hooks", "pre-receive", python.path)
    write_hook(bare / "hooks" / f"pre-receive{shim.KEPT}", "cat >kept-input")
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=clone)
    git("push", "-q", "origin", "main", "main:refs/heads/x", "main:refs/tags/y", cwd=clone)
    told = (bare / "kept-input").read_text()
    assert told.count("\n") == 3
    assert python.calls().endswith(f"hook pre-receive\n{told}")
    assert git("rev-parse", "x", cwd=bare) == git("rev-parse", "main", cwd=clone)
    git("fsck", "--strict", cwd=bare)
    assert not list(bare.rglob("*codifica-guard-input*"))


def test_a_kept_hook_that_was_not_executable_stays_off(bare: Path, clone: Path, python: Interpreter) -> None:
    for name in ("pre-receive", "post-receive"):
        path = put(bare / "hooks", name, python.path)
        write_hook(bare / "hooks" / f"{name}{shim.KEPT}", "touch kept-ran; exit 1", 0o644)
        assert start(path, data=b"x\n", cwd=bare).returncode == 0
    guarded(clone)
    for name in shim.CLIENT:
        path = put(clone / ".git/hooks", name, python.path)
        write_hook(clone / ".git/hooks" / f"{name}{shim.KEPT}", "touch kept-ran; exit 1", 0o644)
        assert start(path, data=b"x\n", cwd=clone).returncode == 0
    assert not (bare / "kept-ran").exists()
    assert not (clone / "kept-ran").exists()


def test_post_receive_gives_the_kept_hook_input_and_arguments_and_is_silent_without_one(
    bare: Path, python: Interpreter
) -> None:
    path = put(bare / "hooks", "post-receive", python.path)
    done = start(path, data=b"x\n", cwd=bare)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    write_hook(bare / "hooks" / f"post-receive{shim.KEPT}", 'echo "$# $1"; cat; exit 4')
    done = start(path, "a b", data=b"1 2 3\n\xff\0\n", cwd=bare)
    assert (done.returncode, done.stdout) == (4, b"1 a b\n1 2 3\n\xff\0\n")


@pytest.fixture
def due(bare: Path) -> Path:
    """A repository in which receipts are due."""
    (bare / "codifica-guard" / "pending").mkdir(parents=True)
    return bare


def test_post_receive_starts_python_only_where_a_receipt_is_due(bare: Path, python: Interpreter) -> None:
    path = put(bare / "hooks", "post-receive", python.path)
    assert start(path, data=b"x\n", cwd=bare).returncode == 0
    assert python.calls() == ""
    (bare / "codifica-guard" / "pending").mkdir(parents=True)
    done = start(path, data=b"1 2 refs/heads/main\n", cwd=bare)
    assert (done.returncode, done.stdout) == (0, b"")
    assert python.calls() == f"{python.path}: -I -m codifica_guard hook post-receive\n1 2 refs/heads/main\n"


LINES = b"".join(b"%040x %040x refs/heads/\xff\\n$(id)%d \n" % (0, n, n) for n in range(5000))


@pytest.mark.parametrize(
    "data", [b"x\n", b"x", b"", b"\n\n", LINES], ids=["line", "no end", "empty", "blank lines", "many"]
)
def test_guard_and_kept_hook_of_post_receive_read_the_same_byte_for_byte(
    due: Path, python: Interpreter, data: bytes
) -> None:
    path = put(due / "hooks", "post-receive", python.path)
    write_hook(due / "hooks" / f"post-receive{shim.KEPT}", 'cat >kept-input; echo "$# $1"; exit 5')
    done = start(path, "a b", data=data, cwd=due)
    assert (done.returncode, done.stdout) == (5, b"1 a b\n")
    assert (due / "kept-input").read_bytes() == data
    assert python.log.read_bytes().endswith(b"hook post-receive\n" + data)


@pytest.mark.parametrize("code", [1, 3, 137])
@pytest.mark.parametrize("kept", [True, False])
def test_a_guard_that_fails_behind_the_push_is_told_and_fails_nothing(
    due: Path,
    python: Interpreter,
    code: int,
    kept: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    path = put(due / "hooks", "post-receive", python.path)
    python.ends_with(code)
    if kept:
        write_hook(due / "hooks" / f"post-receive{shim.KEPT}", "cat; exit 0")
    done = start(path, data=b"x\n", cwd=due)
    assert (done.returncode, done.stdout) == (0, b"x\n" if kept else b"")
    assert done.stderr.decode().splitlines()[-1] == (
        f"codifica-guard: the push is in, its receipt is not written yet ({python.path} failed); the admin runs codifica-guard doctor --fix"
    )


def test_an_interpreter_that_is_gone_fails_no_push_and_stays_no_secret(due: Path, clone: Path, git: Git) -> None:
    put(due / "hooks", "post-receive", Path("/gone/it's/python"))
    write_hook(due / "hooks" / f"post-receive{shim.KEPT}", "cat >kept-input")
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=clone)
    told = git("push", "origin", "main", cwd=clone)
    assert "remote: codifica-guard: the push is in, its receipt is not written yet (/gone/it's/python failed)" in told
    assert (due / "kept-input").read_text().endswith(" refs/heads/main\n")
    assert git("rev-parse", "main", cwd=due) == git("rev-parse", "main", cwd=clone)


def test_a_kept_post_receive_that_reads_nothing_still_decides(due: Path, python: Interpreter) -> None:
    path = put(due / "hooks", "post-receive", python.path)
    write_hook(due / "hooks" / f"post-receive{shim.KEPT}", "exit 7")
    done = start(path, data=LINES * 20, cwd=due)
    assert (done.returncode, done.stderr) == (7, b"guard: code 0\n")


@pytest.mark.usefixtures("clone")
def test_in_a_linked_worktree_it_is_the_repositorys_folder_that_counts(
    bare: Path, git: Git, python: Interpreter, tmp_path: Path
) -> None:
    path = put(bare / "hooks", "post-receive", python.path)
    git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "main", cwd=bare)
    linked = bare / "worktrees" / "linked"
    assert start(path, data=b"x\n", cwd=linked).returncode == 0
    assert python.calls() == ""
    (bare / "codifica-guard" / "pending").mkdir(parents=True)
    assert start(path, data=b"x\n", cwd=linked).returncode == 0
    assert python.calls().endswith("hook post-receive\nx\n")


def test_an_upgrade_that_flips_the_link_leaves_a_running_push_where_it_started(bare: Path, python: Interpreter) -> None:
    home = python.path.parent.parent.parent
    (home / "current").symlink_to(python.path.parent.parent.name)
    path = put(bare / "hooks", "pre-receive", home / "current" / "bin" / "python")
    start(path, data=b"", cwd=bare)
    assert python.calls().startswith(f"{python.path}: ")


@pytest.mark.parametrize("name", shim.CLIENT)
def test_where_no_protocol_is_used_a_client_hook_is_silent_and_starts_no_python(
    name: str, clone: Path, python: Interpreter
) -> None:
    path = put(clone / ".git/hooks", name, python.path)
    done = start(path, "message", data=b"x\n", cwd=clone)
    assert (done.returncode, done.stdout, done.stderr, python.calls()) == (0, b"", b"", "")
    missing = put(clone / ".git/hooks", name, Path("/gone/python"))
    done = start(missing, "message", data=b"x\n", cwd=clone)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("name", shim.CLIENT)
@pytest.mark.parametrize("sign", ["work tree", "policy folder", "head alone", "pinned"])
def test_where_a_protocol_is_used_a_client_hook_starts_the_guard(
    name: str, sign: str, clone: Path, git: Git, python: Interpreter
) -> None:
    path = put(clone / ".git/hooks", name, python.path)
    match sign:
        case "work tree":
            guarded(clone)
        case "policy folder":
            (clone / ".codifica").mkdir()
            (clone / ".codifica" / "guard.json").write_text("{}")
        case "head alone":
            (clone / ".codifica").mkdir()
            (clone / ".codifica" / "guard.json").write_text("{}")
            git("add", ".codifica", cwd=clone)
            git("-c", "core.hooksPath=/nowhere", "commit", "-qm", "policy", cwd=clone)
            git("rm", "-rq", ".codifica", cwd=clone)
        case _:
            git("config", "codifica.introduction", "0" * 40, cwd=clone)
    python.ends_with(5)
    done = start(path, "a b", "c", data=b"in\xff\0put\n", cwd=clone)
    assert done.returncode == 5
    read = python.log.read_bytes()
    assert read == os.fsencode(f"{python.path}: -I -m codifica_guard hook {name} a b c\n") + b"in\xff\0put\n"


@pytest.mark.parametrize("name", shim.CLIENT)
@pytest.mark.parametrize("sign", ["protocol alone", "policy", "policy in HEAD alone", "pinned"])
@pytest.mark.parametrize("lost", ["venv", "x bit", "package"])
def test_where_the_guard_is_gone_one_line_says_so_and_what_would_be_signed_is_refused(
    name: str, sign: str, lost: str, clone: Path, git: Git, python: Interpreter
) -> None:
    match sign:
        case "protocol alone":
            guarded(clone)
        case "pinned":
            git("config", "codifica.introduction", "0" * 40, cwd=clone)
        case _:
            (clone / ".codifica").mkdir()
            (clone / ".codifica" / "guard.json").write_text("{}")
    if sign == "policy in HEAD alone":
        git("add", ".codifica", cwd=clone)
        git("commit", "-qm", "policy", cwd=clone)
        git("rm", "-rq", ".codifica", cwd=clone)
    match lost:
        case "x bit":
            python.path.chmod(0o644)
        case "package":
            python.ends_with(1)
            python.loads(1)
    gone = Path("/gone/python") if lost == "venv" else python.path
    done = start(put(clone / ".git/hooks", name, gone), "message", data=b"x\n", cwd=clone)
    refuses = sign != "protocol alone" and name in shim.REFUSING
    assert done.returncode == int(refuses)
    (line,) = [line for line in done.stderr.decode().splitlines() if line.startswith("codifica-guard: ")]
    assert line.endswith(f": codifica-guard is gone from {gone}; do: install it again, then codifica-guard install")
    assert ("refused" in line) == refuses


@pytest.mark.parametrize("name", sorted(shim.REFUSING))
def test_a_refusal_of_the_guard_is_no_loss_of_it(name: str, clone: Path, python: Interpreter) -> None:
    guarded(clone)
    python.ends_with(1)
    done = start(put(clone / ".git/hooks", name, python.path), "message", cwd=clone)
    assert (done.returncode, done.stderr) == (1, b"guard: code 1\n")


def test_pre_push_without_the_guard_refuses_before_the_kept_hook_runs(clone: Path) -> None:
    (clone / ".codifica").mkdir()
    (clone / ".codifica" / "guard.json").write_text("{}")
    path = put(clone / ".git/hooks", "pre-push", Path("/gone/python"))
    write_hook(clone / ".git/hooks" / f"pre-push{shim.KEPT}", "touch kept-ran")
    assert start(path, "origin", "url", data=b"x\n", cwd=clone).returncode == 1
    assert not (clone / "kept-ran").exists()
    (clone / ".codifica" / "guard.json").unlink()
    guarded(clone)
    assert start(path, "origin", "url", data=b"x\n", cwd=clone).returncode == 0
    assert (clone / "kept-ran").exists()


def test_commit_msg_signs_after_the_kept_hook_wrote_and_not_at_all_if_that_refuses(
    clone: Path, git: Git, python: Interpreter
) -> None:
    guarded(clone)
    hooks = clone / ".git/hooks"
    put(hooks, "commit-msg", python.path)
    write_hook(hooks / f"commit-msg{shim.KEPT}", 'echo "Change-Id: I1" >>"$1"')
    python.path.write_text('#!/bin/sh\nshift 4\necho "Signed: $(tail -n 1 "$2")" >>"$2"\n')
    git("commit", "-q", "--allow-empty", "-m", "title", cwd=clone)
    assert git("log", "-1", "--format=%B", cwd=clone).split("\n")[:3] == [
        "title",
        "Change-Id: I1",
        "Signed: Change-Id: I1",
    ]
    before = git("rev-parse", "HEAD", cwd=clone)
    write_hook(hooks / f"commit-msg{shim.KEPT}", "exit 9")
    git("commit", "-q", "--allow-empty", "-m", "no", cwd=clone, check=False)
    assert git("rev-parse", "HEAD", cwd=clone) == before
    assert start(hooks / "commit-msg", "m", cwd=clone).returncode == 9


def test_pre_push_asks_the_guard_first_then_the_kept_hook_with_the_same_input(
    clone: Path, git: Git, python: Interpreter
) -> None:
    guarded(clone)
    hooks = clone / ".git/hooks"
    put(hooks, "pre-push", python.path)
    write_hook(hooks / f"pre-push{shim.KEPT}", 'echo "$@" >kept-input; cat >>kept-input; exit "$(cat kept-code)"')
    (clone / "kept-code").write_text("0")
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=clone)
    python.ends_with(1)
    assert "guard: code 1" in git("push", "origin", "main", cwd=clone, check=False)
    assert not (clone / "kept-input").exists()
    python.ends_with(0)
    git("push", "-q", "origin", "main", cwd=clone)
    told = (clone / "kept-input").read_text()
    assert told.startswith("origin ")
    assert told.split("\n", 1)[1].startswith("refs/heads/main ")
    assert told.split("\n", 1)[1] in python.calls()
    (clone / "kept-code").write_text("6")
    assert start(hooks / "pre-push", "origin", "url", data=b"x\n", cwd=clone).returncode == 6


def test_post_rewrite_runs_both_with_the_same_input_the_guard_last(clone: Path, git: Git, python: Interpreter) -> None:
    guarded(clone)
    hooks = clone / ".git/hooks"
    put(hooks, "post-rewrite", python.path)
    write_hook(hooks / f"post-rewrite{shim.KEPT}", 'echo "kept $1" >kept-input; cat >>kept-input; exit 1')
    git("commit", "-q", "--amend", "--allow-empty", "-m", "again", cwd=clone)
    kept = (clone / "kept-input").read_text()
    assert kept.startswith("kept amend\n")
    assert f"hook post-rewrite amend\n{kept.split(chr(10), 1)[1]}" in python.calls()


def test_post_merge_tells_last_whatever_the_kept_hook_ends_with(clone: Path, python: Interpreter) -> None:
    guarded(clone)
    path = put(clone / ".git/hooks", "post-merge", python.path)
    write_hook(clone / ".git/hooks" / f"post-merge{shim.KEPT}", "echo kept >&2; exit 1")
    done = start(path, "0", cwd=clone)
    assert done.returncode == 0
    assert done.stderr == b"kept\nguard: code 0\n"


@pytest.mark.parametrize("name", ["pre-push", "post-rewrite"])
def test_a_client_hook_whose_input_cannot_be_kept_runs_neither(
    name: str, clone: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    guarded(clone)
    monkeypatch.setenv("TMPDIR", str(clone / "nowhere"))
    path = put(clone / ".git/hooks", name, python.path)
    write_hook(clone / ".git/hooks" / f"{name}{shim.KEPT}", "touch kept-ran")
    assert start(path, data=b"x\n", cwd=clone).returncode == 1
    assert python.calls() == ""
    assert not (clone / "kept-ran").exists()
