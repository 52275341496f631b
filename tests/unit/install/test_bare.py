import os
import pwd
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard.errors import GuardError, PolicyError, RepositoryError, UnknownFormat, UsageError
from codifica_guard.identity.keys import fingerprint, parse_public
from codifica_guard.install import bare as server
from codifica_guard.install import shim
from codifica_guard.install.plan import Action, Plan, apply
from codifica_guard.install.repository import is_bare, open_bare
from tests.unit.install.places import Git, Interpreter, key_line, write_hook

KEY = key_line()
FINGERPRINT = fingerprint(parse_public(KEY).blob)
Snapshot = dict[str, tuple[int, bytes]]


def never_asked(_: str) -> str:
    raise AssertionError("no introduction was named")


def plan(bare: Path, python: Interpreter, **options: object) -> Plan:
    options = {"maintainer": KEY, "verify_introduction": never_asked, "python": str(python.path)} | options
    return server.plan_bare(str(bare), **options)  # type: ignore[arg-type]


def snapshot(folder: Path) -> Snapshot:
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_dir():
            found[str(path.relative_to(folder))] = (
                path.lstat().st_mode,
                os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes(),
            )
    return found


def config(bare: Path, key: str) -> str | None:
    return open_bare(str(bare)).own(key)


def commit_policy(clone: Path, git: Git) -> str:
    (clone / ".codifica").mkdir()
    (clone / ".codifica" / "guard.json").write_text("{}")
    git("add", ".", cwd=clone)
    git("commit", "-qm", "introduce", cwd=clone)
    git("push", "-q", "origin", "main", cwd=clone)
    return git("rev-parse", "HEAD", cwd=clone).strip()


def test_a_dry_run_says_what_would_be_kept_written_and_set_and_changes_nothing(
    bare: Path, clone: Path, python: Interpreter
) -> None:
    assert clone.exists()
    write_hook(bare / "hooks" / "post-receive", "mail")
    before = snapshot(bare)
    told = plan(bare, python, server="git.example.org").preview()
    assert (told.exit_code, told.changed) == (0, False)
    lines = list(told.lines)
    assert lines[0] == f"{bare}   bare repository, sha1, 1 commits on main, no policy yet"
    assert [" ".join(line.split()) for line in lines[1:]] == [
        f"would set codifica.trust {FINGERPRINT} (alice@laptop)",
        "would set codifica.pusher none (plain ssh: git knows no pusher)",
        "would set codifica.fsckObjectsBefore unset (to tell it at uninstall)",
        "would set receive.fsckObjects true",
        f"would make codifica-guard/receipt_ed25519 (0600, owner {pwd.getpwuid(os.geteuid()).pw_name})",
        "would set codifica.receiptKey codifica-guard/receipt_ed25519",
        "would set codifica.server server:git.example.org",
        "would keep hooks/post-receive yours; ours calls it with the same input",
        "would write hooks/post-receive",
        "would write hooks/pre-receive",
        "nothing was changed",
    ]
    assert snapshot(bare) == before


def test_installing_puts_both_hooks_in_place_and_tells_what_it_waits_for(
    bare: Path, clone: Path, python: Interpreter
) -> None:
    assert clone.exists()
    report = apply(plan(bare, python))
    assert (report.exit_code, report.changed) == (0, True)
    assert report.lines[-2:] == (
        f"installed. idle until a commit on main adds .codifica/guard.json, signed by {FINGERPRINT}.",
        "until then pushes pass as before. that commit and all after it are judged; the 1 before is not.",
    )
    for name in shim.SERVER:
        assert (bare / "hooks" / name).read_bytes() == shim.render(name, str(python.path))
        assert (bare / "hooks" / name).stat().st_mode & 0o7777 == 0o755
    assert config(bare, "codifica.trust") == FINGERPRINT
    assert config(bare, "codifica.pusher") == "none"
    assert config(bare, "receive.fsckObjects") == "true"


def test_the_fingerprint_is_the_one_that_ssh_keygen_prints(bare: Path, python: Interpreter, tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(key)], check=True)
    line = key.with_suffix(".pub").read_text()
    apply(plan(bare, python, maintainer=line))
    printed = subprocess.run(["ssh-keygen", "-lf", f"{key}.pub"], capture_output=True, check=True, text=True).stdout
    assert config(bare, "codifica.trust") == printed.split()[1]


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o000])
def test_installing_twice_equals_once_whatever_the_umask(bare: Path, python: Interpreter, umask: int) -> None:
    write_hook(bare / "hooks" / "pre-receive", "cat", 0o755)
    old = os.umask(umask)
    try:
        apply(plan(bare, python))
        once = snapshot(bare)
        again = plan(bare, python)
        report = apply(again)
    finally:
        os.umask(old)
    assert not again.changes
    assert not report.changed
    assert report.lines[-1] == "nothing to do"
    assert again.preview().lines[-1] == "nothing to do"
    assert snapshot(bare) == once
    assert apply(server.plan_bare(str(bare), verify_introduction=never_asked, python=str(python.path))).changed is False


def test_a_foreign_hook_is_kept_with_bytes_and_mode_and_comes_back_the_same(bare: Path, python: Interpreter) -> None:
    write_hook(bare / "hooks" / "pre-receive", "echo \xff", 0o750)
    write_hook(bare / "hooks" / "post-receive", "mail", 0o644)
    hooks = snapshot(bare / "hooks")
    apply(plan(bare, python))
    kept = snapshot(bare / "hooks")
    assert kept["pre-receive.codifica-guard-kept"] == hooks["pre-receive"]
    assert kept["post-receive.codifica-guard-kept"] == hooks["post-receive"]
    told = [" ".join(line.split()) for line in apply(server.plan_uninstall(str(bare))).lines]
    assert snapshot(bare / "hooks") == hooks
    assert told == [
        "restored hooks/post-receive byte for byte, mode 0644",
        "restored hooks/pre-receive byte for byte, mode 0750",
        "unset codifica.trust",
        "unset codifica.pusher",
        "unset codifica.receiptKey",
        "unset codifica.server",
        "unset codifica.fsckObjectsBefore",
        "left receive.fsckObjects true (was unset; nobody else may rely on it: git config --unset receive.fsckObjects)",
        "left codifica-guard/receipt_ed25519 the server's key (--purge removes it)",
    ]


def test_a_foreign_hook_that_is_a_link_stays_that_link(bare: Path, python: Interpreter, tmp_path: Path) -> None:
    write_hook(tmp_path / "shared", "cat")
    (bare / "hooks" / "pre-receive").symlink_to(tmp_path / "shared")
    hooks = snapshot(bare / "hooks")
    apply(plan(bare, python))
    assert (bare / "hooks" / "pre-receive.codifica-guard-kept").readlink() == tmp_path / "shared"
    assert not (bare / "hooks" / "pre-receive").is_symlink()
    apply(server.plan_uninstall(str(bare)))
    assert snapshot(bare / "hooks") == hooks


def test_where_the_file_system_has_no_hard_links_the_hook_is_renamed(
    bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_hook(bare / "hooks" / "pre-receive", "cat")

    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    apply(plan(bare, python))
    assert (bare / "hooks" / "pre-receive.codifica-guard-kept").read_bytes() == data


def test_uninstalling_takes_all_out_once_and_then_says_nothing_to_do(bare: Path, python: Interpreter, git: Git) -> None:
    before = snapshot(bare)
    git("--git-dir", bare, "config", "receive.fsckObjects", "false")
    apply(plan(bare, python))
    for key in ("introduction", "receiptKey", "coordination", "server", "pausedUntil", "pauseReason"):
        git("--git-dir", bare, "config", f"codifica.{key}", "x")
    report = apply(server.plan_uninstall(str(bare)))
    assert "(was false)" in report.lines[-2]
    assert not any("codifica." in line for line in git("--git-dir", bare, "config", "--local", "--list").splitlines())
    after = snapshot(bare)
    others = {name: data for name, data in after.items() if not name.startswith("codifica-guard/receipt_ed25519")}
    assert {name: data for name, data in others.items() if name != "config"} == {
        n: d for n, d in before.items() if n != "config"
    }
    second = apply(server.plan_uninstall(str(bare)))
    assert (second.lines[-1], second.changed) == ("nothing to do", False)
    assert snapshot(bare) == after
    assert apply(server.plan_uninstall(str(bare), purge=True)).changed
    assert snapshot(bare) == others
    assert apply(server.plan_uninstall(str(bare), purge=True)).lines == ("nothing to do",)


def test_uninstalling_says_nothing_of_fsck_if_the_admin_took_it_out_himself(
    bare: Path, python: Interpreter, git: Git
) -> None:
    apply(plan(bare, python))
    git("--git-dir", bare, "config", "--unset", "receive.fsckObjects")
    assert not any("fsckObjects  " in line for line in apply(server.plan_uninstall(str(bare))).lines)


def test_an_older_or_edited_shim_of_ours_is_replaced_and_not_kept(bare: Path, python: Interpreter) -> None:
    apply(plan(bare, python))
    once = snapshot(bare)
    path = bare / "hooks" / "pre-receive"
    old = path.read_bytes().replace(b"shim 1:", b"shim 0001:") + b"# old\n"
    path.write_bytes(old)
    path.chmod(0o700)
    apply(plan(bare, python))
    assert snapshot(bare) == once
    path.chmod(0o644)
    apply(plan(bare, python))
    assert snapshot(bare) == once


def test_nobody_named_and_nothing_set_before_asks_who(bare: Path, python: Interpreter) -> None:
    with pytest.raises(UsageError) as refused:
        plan(bare, python, maintainer=None)
    assert str(refused.value) == (
        "say who may introduce the policy: --maintainer KEY.pub, --introduction COMMIT, or --trust-first-push"
    )


def test_two_ways_of_trust_at_once_are_refused(bare: Path, python: Interpreter) -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        plan(bare, python, trust_first_push=True)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "private key"),
        ("", "a public key is one line"),
        (f"{KEY}\n{key_line(2)}", "a public key is one line"),
        (KEY.replace("ssh-ed25519", "ssh-rsa", 1), "says 'ssh-rsa'"),
        (KEY[:41], "base64"),
    ],
)
def test_what_is_no_public_key_is_refused_with_the_reason(bare: Path, python: Interpreter, line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        plan(bare, python, maintainer=line)


def test_a_key_without_comment_is_told_by_its_fingerprint_alone(bare: Path, python: Interpreter) -> None:
    lines = plan(bare, python, maintainer=key_line(comment="")).preview().lines
    assert lines[1].split()[-1].startswith("SHA256:")


def test_another_maintainer_replaces_the_first_until_the_policy_is_there(
    bare: Path, clone: Path, git: Git, python: Interpreter
) -> None:
    apply(plan(bare, python))
    first = config(bare, "codifica.trust")
    apply(plan(bare, python, maintainer=key_line(2)))
    second = config(bare, "codifica.trust")
    assert second != first
    oid = commit_policy(clone, git)
    assert not plan(bare, python, maintainer=key_line(2)).changes
    with pytest.raises(UsageError, match=f"--introduction COMMIT .the first with .codifica/guard.json is {oid[:12]}"):
        plan(bare, python, maintainer=KEY)
    with pytest.raises(UsageError, match="--introduction COMMIT"):
        plan(bare, python, maintainer=None, trust_first_push=True)


def test_trust_on_first_push_is_to_be_had_by_its_name_and_is_told_what_it_means(
    bare: Path, python: Interpreter
) -> None:
    report = apply(plan(bare, python, maintainer=None, trust_first_push=True))
    assert config(bare, "codifica.trust") == "first-push"
    assert "be it an agent" in report.lines[-1]
    assert not plan(bare, python, maintainer=None, trust_first_push=True).changes
    again = plan(bare, python, maintainer=None)
    assert again.after == ("installed. first-push may introduce the policy, as before.",)


def test_an_introduction_is_verified_and_pinned_by_its_full_id(
    bare: Path, clone: Path, git: Git, python: Interpreter
) -> None:
    oid = commit_policy(clone, git)
    asked: list[str] = []

    def verify(commit: str) -> str:
        asked.append(commit)
        return "human:alice SHA256:abc"

    report = apply(plan(bare, python, maintainer=None, introduction=oid[:9], verify_introduction=verify))
    assert asked == [oid]
    assert config(bare, "codifica.introduction") == oid
    assert report.lines[-2:] == (
        f"installed. {oid[:12]} introduced the guard, signed by human:alice SHA256:abc.",
        "it and all after it are judged; the one commit before it is not.",
    )
    assert "a policy" in plan(bare, python, maintainer=None).heading
    assert plan(bare, python, maintainer=None).after == (
        f"installed. {oid[:12]} and all after it are judged, as before.",
    )
    with pytest.raises(UsageError, match=f"{oid[:12]} introduced the guard already"):
        plan(bare, python)
    first = git("rev-parse", "HEAD~1", cwd=clone).strip()
    with pytest.raises(UsageError, match=f"{oid[:12]} is pinned as introduction already"):
        plan(bare, python, maintainer=None, introduction=first, verify_introduction=verify)


def test_an_introduction_that_nobody_signed_is_not_pinned(
    bare: Path, clone: Path, git: Git, python: Interpreter
) -> None:
    oid = commit_policy(clone, git)
    before = snapshot(bare)

    def verify(_: str) -> str:
        raise PolicyError("no maintainer that it names signed it")

    with pytest.raises(GuardError, match="no maintainer"):
        plan(bare, python, maintainer=None, introduction=oid, verify_introduction=verify)
    assert snapshot(bare) == before


@pytest.mark.parametrize("name", ["0" * 40, "nobody", "-x", "--all", ""])
def test_an_introduction_that_is_not_there_is_refused(bare: Path, python: Interpreter, name: str) -> None:
    with pytest.raises(UsageError, match="no such commit"):
        plan(bare, python, maintainer=None, introduction=name)


def test_the_pusher_is_one_that_is_known_and_stays_as_it_was_set(bare: Path, python: Interpreter) -> None:
    apply(plan(bare, python, pusher="http"))
    assert config(bare, "codifica.pusher") == "http"
    assert not plan(bare, python).changes
    apply(plan(bare, python, pusher="none"))
    assert config(bare, "codifica.pusher") == "none"
    with pytest.raises(UsageError, match="unknown pusher 'github'"):
        plan(bare, python, pusher="github")


@pytest.mark.parametrize("scope", ["repository", "global"])
def test_a_hooks_path_on_the_server_is_never_seized(
    bare: Path, python: Interpreter, git: Git, tmp_path: Path, scope: str
) -> None:
    elsewhere = tmp_path / "company hooks"
    elsewhere.mkdir()
    where = ["--git-dir", bare, "config"] if scope == "repository" else ["config", "--global"]
    git(*where, "core.hooksPath", elsewhere)
    before = snapshot(tmp_path)
    with pytest.raises(UsageError, match=f"core.hooksPath is {elsewhere} .set in .*config") as refused:
        plan(bare, python)
    assert snapshot(tmp_path) == before
    command = str(refused.value).rpartition("for this repository alone: ")[2]
    subprocess.run(["sh", "-c", command], check=True)
    assert plan(bare, python).changes


def test_a_relative_hooks_path_that_is_the_own_folder_is_none(bare: Path, python: Interpreter, git: Git) -> None:
    git("--git-dir", bare, "config", "core.hooksPath", "hooks")
    assert plan(bare, python).changes


def test_a_hooks_folder_that_is_a_link_is_left_to_those_who_share_it(
    bare: Path, python: Interpreter, tmp_path: Path
) -> None:
    (bare / "hooks").rename(tmp_path / "shared")
    (bare / "hooks").symlink_to(tmp_path / "shared")
    with pytest.raises(UsageError, match="perhaps shared by other repositories"):
        plan(bare, python)


def test_a_repository_without_hooks_folder_gets_one(bare: Path, python: Interpreter, git: Git, tmp_path: Path) -> None:
    path = tmp_path / "plain.git"
    git("init", "-q", "--bare", "--template=", path)
    assert not (path / "hooks").exists()
    assert apply(plan(path, python)).lines[-1].endswith("that commit and all after it are judged.")
    assert sorted(p.name for p in (path / "hooks").iterdir()) == ["post-receive", "pre-receive"]
    assert "no commits yet" in plan(path, python).heading
    assert bare.exists()


def test_a_folder_that_a_forge_keeps_is_refused(bare: Path, python: Interpreter) -> None:
    (bare / "hooks" / "pre-receive.d").mkdir()
    (bare / "hooks" / "pre-receive.d" / "gitea").touch()
    with pytest.raises(UsageError, match="kept by a forge"):
        plan(bare, python)


def test_two_hooks_of_others_at_one_place_are_for_the_admin_to_settle(bare: Path, python: Interpreter) -> None:
    write_hook(bare / "hooks" / "pre-receive", "one")
    apply(plan(bare, python))
    (bare / "hooks" / "pre-receive").unlink()
    write_hook(bare / "hooks" / "pre-receive", "two")
    before = snapshot(bare)
    with pytest.raises(UsageError, match="holds another one from before; keep one of the two"):
        plan(bare, python)
    assert snapshot(bare) == before
    lines = apply(server.plan_uninstall(str(bare))).lines
    assert any(line.startswith("left") and "pre-receive.codifica-guard-kept" in line for line in lines)
    assert (bare / "hooks" / "pre-receive").read_bytes() == b"#!/bin/sh\ntwo\n"


def test_a_kept_hook_is_restored_although_our_shim_was_deleted(bare: Path, python: Interpreter) -> None:
    data = write_hook(bare / "hooks" / "pre-receive", "one")
    apply(plan(bare, python))
    (bare / "hooks" / "pre-receive").unlink()
    apply(server.plan_uninstall(str(bare)))
    assert (bare / "hooks" / "pre-receive").read_bytes() == data


def test_what_is_no_bare_repository_is_refused_with_what_it_is(
    bare: Path, clone: Path, python: Interpreter, tmp_path: Path
) -> None:
    assert is_bare(str(bare))
    assert not is_bare(str(clone))
    for path, why in [
        (clone, "a clone with a work tree"),
        (clone / ".git", "belongs to a clone with a work tree"),
        (tmp_path, "is no Git repository"),
        (tmp_path / "nowhere", "is no Git repository"),
        (bare / "hooks", "is no Git repository"),
    ]:
        with pytest.raises(UsageError, match=why):
            plan(path, python)


def test_a_bare_repository_whose_config_does_not_say_so_is_told_by_its_name(
    bare: Path, python: Interpreter, git: Git, clone: Path
) -> None:
    git("--git-dir", bare, "config", "--unset", "core.bare")
    assert plan(bare, python).changes
    git("config", "--unset", "core.bare", cwd=clone)
    with pytest.raises(UsageError, match="belongs to a clone"):
        plan(clone / ".git", python)


@pytest.mark.parametrize("lines", ["[extensions]\nrefstorage = pigeon\n", "[core]\nrepositoryformatversion = 7\n"])
def test_a_format_that_git_does_not_know_is_named(bare: Path, python: Interpreter, lines: str) -> None:
    text = (bare / "config").read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    (bare / "config").write_text(text + lines)
    with pytest.raises(UnknownFormat, match=r"refstorage|found 7"):
        plan(bare, python)


def test_a_repository_that_git_cannot_read_is_refused(bare: Path, python: Interpreter) -> None:
    (bare / "HEAD").write_text("nonsense")
    with pytest.raises(UsageError, match="no repository that git can read"):
        plan(bare, python)
    (bare / "config").write_text("[[[")
    with pytest.raises(UsageError, match="no repository that git can read"):
        plan(bare, python)


def test_a_config_that_is_damaged_in_between_is_an_error_of_ours(bare: Path) -> None:
    repository = open_bare(str(bare))
    (bare / "config").write_text("[[[")
    with pytest.raises(RepositoryError, match=r"cannot be read for codifica\.trust"):
        repository.own("codifica.trust")


def test_without_git_nothing_is_guessed(bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RepositoryError, match="git cannot be started"):
        plan(bare, python)


def test_a_sha256_repository_is_installed_like_any_other(python: Interpreter, git: Git, tmp_path: Path) -> None:
    path = tmp_path / "new.git"
    git("init", "-q", "--bare", "--object-format=sha256", path)
    assert "bare repository, sha256, no commits yet" in plan(path, python).heading
    assert apply(plan(path, python)).changed


def test_the_environment_of_a_running_git_has_no_effect(
    bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "codifica.trust")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "SHA256:x")
    assert apply(plan(bare, python)).changed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_root_is_sent_to_the_repositorys_owner(bare: Path, python: Interpreter) -> None:
    os.chown(bare, pwd.getpwnam("nobody").pw_uid, -1)
    with pytest.raises(UsageError, match="sudo -u nobody codifica-guard"):
        plan(bare, python)
    os.chown(bare, 54321, -1)
    with pytest.raises(UsageError, match="sudo -u #54321"):
        plan(bare, python)


@pytest.mark.parametrize("part", ["", "config", "hooks"])
def test_what_is_not_writable_is_refused_before_the_first_step(
    bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    real: Callable[..., bool] = os.access
    closed = str(bare / part) if part else str(bare)
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != closed and real(path, mode))
    before = snapshot(bare)
    for act in (lambda: plan(bare, python), lambda: apply(server.plan_uninstall(str(bare)))):
        with pytest.raises(UsageError, match="is not writable for"):
            act()
    assert snapshot(bare) == before


def test_a_step_that_fails_leaves_no_half_file_and_the_same_call_goes_on_from_there(
    bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_hook(bare / "hooks" / "pre-receive", "one")
    wanted = plan(bare, python)
    with monkeypatch.context() as patched:

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        patched.setattr(os, "fsync", full)
        with pytest.raises(
            GuardError, match="cannot make codifica-guard/receipt_ed25519: No space left on device; run it"
        ):
            apply(wanted)
        assert list((bare / "codifica-guard").iterdir()) == []
        patched.undo()
        (key,) = [step for step in wanted.steps if step.action is Action.MAKE]
        apply(Plan(heading="", steps=(key,)))
        patched.setattr(os, "fsync", full)
        with pytest.raises(GuardError, match="cannot write hooks/post-receive: No space left on device; run it again"):
            apply(plan(bare, python))
    assert not [p for p in (bare / "hooks").iterdir() if p.name.startswith(".codifica-guard")]
    assert not (bare / "hooks" / "post-receive").exists()
    apply(plan(bare, python))
    assert (bare / "hooks" / "pre-receive").read_bytes() == shim.render("pre-receive", str(python.path))


def test_a_config_that_is_locked_is_told_and_nothing_else_is_done(bare: Path, python: Interpreter) -> None:
    (bare / "config.lock").touch()
    with pytest.raises(GuardError, match=r"cannot set codifica.trust .*could not lock config file"):
        apply(plan(bare, python))
    assert not (bare / "hooks" / "pre-receive").exists()
