import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard import __version__
from codifica_guard.errors import KeyUnavailable, PolicyError, UnknownFormat, UsageError
from codifica_guard.install import bare as server
from codifica_guard.install import clone as client
from codifica_guard.install import doctor, shim
from codifica_guard.install.check import Check, Level, Probes
from codifica_guard.install.plan import apply
from codifica_guard.model.ids import Principal, RepoPath
from codifica_guard.model.policy import CodificaConfig, Globs, GuardConfig, Policy, PolicyFault
from codifica_guard.policy.globs import compile_globs, scope_globs
from tests.unit.install.places import Git, Interpreter, key_line, write_hook

NOW = 1_800_000_000
EVERYTHING = Globs(patterns=("**",), include=("(?s:.+)",))


def policy(
    *, state: tuple[str, ...] = ("work.md",), scope: Globs = EVERYTHING, codifica: bool = True, **more: object
) -> Policy:
    guard = GuardConfig(
        repository="0" * 32,
        coordination_branch="main",
        protected_branches=EVERYTHING,
        mode="enforce",
        maintainers=(Principal("human:alice"),),
        require_signatures="transitions",
        ruleset=1,
        writer_tokens="required",
        resume_after_minutes=60,
        review_by="human-or-owner",
        self_approval="warn",
        human_proof="fresh-or-trailer",
        human_presence="any",
        web_edits="refuse",
        warnings=("guard.json: key x is unknown",),
    )
    config = CodificaConfig(
        version="0.2",
        spec=RepoPath(b"codifica.md"),
        state=compile_globs(state),
        assets=RepoPath(b"assets"),
        mode="strict",
        allowed_agents=(),
        scope=scope,
        custom_types=(),
        branch_pattern="{type}/{id}",
        max_concurrent=None,
        stale_claim_hours=24,
        warnings=("allowed_agents: builder means agent:builder",),
    )
    values: dict[str, object] = {
        "guard": guard,
        "codifica": config if codifica else None,
        "signers": (),
        "revoked": frozenset(),
        "key": (),
    }
    return Policy(**(values | more))  # type: ignore[arg-type]


def refuse(error: Exception) -> Callable[..., str]:
    def probe(*_: object) -> str:
        raise error

    return probe


def probes(**given: object) -> Probes:
    values = {
        "policy": lambda: None,
        "introduction": lambda _: "human:alice SHA256:abc",
        "key": lambda: "~/.ssh/id",
        "now": NOW,
    } | given
    return Probes(**values)  # type: ignore[arg-type]


def levels(found: tuple[Check, ...]) -> list[tuple[str, str]]:
    return [(check.level.value, check.name) for check in found]


def one(found: tuple[Check, ...], name: str, level: Level | None = None) -> Check:
    (check,) = [check for check in found if check.name == name and level in {None, check.level}]
    return check


@pytest.fixture
def installed(bare: Path, clone: Path, python: Interpreter) -> Path:
    assert clone.exists()
    python.says(f"{__version__} 3.11.7 41\n")
    apply(server.plan_bare(str(bare), maintainer=key_line(), verify_introduction=lambda _: "", python=str(python.path)))
    return bare


def says_no(python: Interpreter) -> None:
    """As the guard does: it refuses as a hook, and answers as a program."""
    python.path.write_text(f'#!/bin/sh\n[ "$2" = -c ] && echo {__version__} 3.11.7 41 || exit 1\n')


def test_all_is_well_in_a_fresh_install_and_the_hook_was_really_run(installed: Path, python: Interpreter) -> None:
    says_no(python)
    found = doctor.examine(str(installed), probes())
    assert levels(found) == [
        ("ok", "python"),
        ("ok", "pre-receive"),
        ("ok", "post-receive"),
        ("ok", "says no"),
        ("ok", "server key"),
        ("ok", "receipts"),
        ("ok", "introduction"),
        ("ok", "policy"),
    ]
    assert doctor.exit_code(found) == 0
    assert doctor.lines(found)[-1] == "0 failures, 0 warnings"
    assert doctor.lines(found, quiet=True) == ()
    assert one(found, "python").text == f"{python.path}, codifica-guard {__version__}, Python 3.11.7, imports in 41 ms"
    assert "is awaited to introduce the policy" in one(found, "introduction").text


def test_a_lost_x_bit_is_named_with_what_git_does_then_and_fix_gives_it_back(
    installed: Path, python: Interpreter
) -> None:
    says_no(python)
    path = installed / "hooks" / "pre-receive"
    path.chmod(0o644)
    found = doctor.examine(str(installed), probes())
    check = one(found, "pre-receive")
    assert (check.level, check.text) == (Level.FAIL, "hooks/pre-receive is 0644: git skips it and ACCEPTS every push")
    assert one(found, "says no") == Check(
        level=Level.SKIP, name="says no", text="(empty input must be refused)  not run: not executable"
    )
    assert doctor.exit_code(found) == 1
    assert doctor.lines(found, quiet=True) == (
        "FAIL  pre-receive    hooks/pre-receive is 0644: git skips it and ACCEPTS every push",
        f"      do             codifica-guard doctor --fix '{installed}'",
    )
    assert doctor.lines(found)[-1] == "1 failure, 0 warnings"
    assert [line.split() for line in doctor.fix(str(installed), NOW).lines] == [["wrote", "hooks/pre-receive"]]
    assert doctor.exit_code(doctor.examine(str(installed), probes())) == 0
    assert doctor.fix(str(installed), NOW).lines == ("nothing to do",)
    (installed / "hooks" / "post-receive").chmod(0o600)
    assert (
        one(doctor.examine(str(installed), probes()), "post-receive").text
        == "hooks/post-receive is 0600: git skips it, so no receipts are written"
    )


def test_a_missing_hook_fails_and_is_written_again(installed: Path, python: Interpreter) -> None:
    says_no(python)
    for name in shim.SERVER:
        (installed / "hooks" / name).unlink()
    found = doctor.examine(str(installed), probes())
    assert one(found, "pre-receive").text == "hooks/pre-receive is missing: git ACCEPTS every push"
    assert one(found, "post-receive").text == "hooks/post-receive is missing: no receipts are written"
    assert one(found, "says no").level is Level.SKIP
    doctor.fix(str(installed), NOW)
    assert (installed / "hooks" / "pre-receive").read_bytes() == shim.render("pre-receive", shim.interpreter())


def test_a_hook_that_lets_empty_input_pass_fails(installed: Path, python: Interpreter) -> None:
    python.ends_with(0)
    assert one(doctor.examine(str(installed), probes()), "says no").level is Level.FAIL


def test_an_interpreter_that_is_gone_fails_and_fix_writes_this_one(installed: Path, python: Interpreter) -> None:
    python.path.unlink()
    found = doctor.examine(str(installed), probes())
    assert one(found, "python").text == f"{python.path} is missing: the hooks cannot start"
    assert one(found, "says no").level is Level.OK
    doctor.fix(str(installed), NOW)
    data = (installed / "hooks" / "pre-receive").read_bytes()
    assert shim.interpreter_of(data) == shim.interpreter()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "echo No module named codifica_guard >&2; exit 1",
            "cannot load codifica-guard: No module named codifica_guard",
        ),
        ("exit 0", "cannot load codifica-guard: no answer"),
        ("kill -9 $$", "cannot load codifica-guard: no answer"),
    ],
)
def test_an_interpreter_that_cannot_load_the_guard_fails_with_what_it_said(
    installed: Path, python: Interpreter, body: str, said: str
) -> None:
    write_hook(python.path, body)
    check = one(doctor.examine(str(installed), probes()), "python")
    assert (check.level, check.text) == (Level.FAIL, f"{python.path} {said}")


def test_an_interpreter_that_is_no_program_fails(installed: Path, python: Interpreter) -> None:
    python.path.write_bytes(b"\x7fELF nonsense")
    assert "Exec format error" in one(doctor.examine(str(installed), probes()), "python").text


def test_another_version_in_the_hooks_is_a_warning(installed: Path, python: Interpreter) -> None:
    python.says("0.0.1 3.11.7 41\n")
    check = one(doctor.examine(str(installed), probes()), "python")
    assert (check.level, check.text) == (Level.WARN, f"{python.path} holds codifica-guard 0.0.1, this is {__version__}")


def test_a_shim_of_another_version_warns_and_one_that_is_not_ours_fails(installed: Path, python: Interpreter) -> None:
    says_no(python)
    path = installed / "hooks" / "pre-receive"
    path.write_bytes(path.read_bytes() + b"# edited\n")
    assert one(doctor.examine(str(installed), probes()), "pre-receive").level is Level.WARN
    foreign = write_hook(path, "exit 0")
    found = doctor.examine(str(installed), probes())
    check = one(found, "pre-receive")
    assert (check.level, check.do) == (Level.FAIL, (f"codifica-guard install '{installed}'",))
    assert one(found, "says no").text.endswith("not run: not ours")
    lines = doctor.fix(str(installed), NOW).lines
    assert any("another hook stands here; do: codifica-guard install" in line for line in lines)
    assert path.read_bytes() == foreign


def test_a_chained_hook_is_named(installed: Path, python: Interpreter) -> None:
    says_no(python)
    kept = installed / "hooks" / f"pre-receive{shim.KEPT}"
    write_hook(kept, "exit 0")
    assert one(doctor.examine(str(installed), probes()), "pre-receive").text.endswith(
        "it calls the one that was there before"
    )
    kept.chmod(0o644)
    assert one(doctor.examine(str(installed), probes()), "pre-receive").text.endswith("the one before was and is off")


def test_a_hooks_path_on_the_server_fails_and_fix_keeps_its_hands_off(installed: Path, git: Git) -> None:
    git("--git-dir", installed, "config", "core.hooksPath", "/etc/hooks")
    check = one(doctor.examine(str(installed), probes()), "hooks folder")
    assert check.level is Level.FAIL
    assert check.do == (f"git --git-dir='{installed}' config core.hooksPath '{installed}'/hooks",)
    report = doctor.fix(str(installed), NOW)
    assert report.exit_code == 1
    assert "is not ours to mend" in report.lines[-1]


def test_who_may_introduce_the_policy_is_checked(installed: Path, git: Git, clone: Path) -> None:
    def looked(**given: object) -> Check:
        return one(doctor.examine(str(installed), probes(**given)), "introduction")

    set_ = ["--git-dir", installed, "config"]
    git(*set_, "codifica.trust", "first-push")
    assert looked().level is Level.WARN
    git(*set_, "--unset", "codifica.trust")
    assert looked().text == "nobody is named who may introduce the policy"
    git(*set_, "codifica.introduction", "0" * 40)
    assert looked().text == f"codifica.introduction is {'0' * 40}: there is no such commit here"
    head = git("rev-parse", "HEAD", cwd=clone).strip()
    git(*set_, "codifica.introduction", head)
    assert looked().text == f"{head[:12]} by human:alice SHA256:abc, pinned"
    failed = looked(introduction=refuse(PolicyError("no maintainer signed it")))
    assert (failed.level, failed.text) == (Level.FAIL, f"{head[:12]} does not hold: no maintainer signed it")


def test_an_unknown_pusher_fails(installed: Path, git: Git) -> None:
    git("--git-dir", installed, "config", "codifica.pusher", "github")
    assert "'github'" in one(doctor.examine(str(installed), probes()), "pusher").text


def commit(clone: Path, git: Git, **files: str) -> None:
    for name, text in files.items():
        path = clone / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git("add", ".", cwd=clone)
    git("commit", "-qm", "files", cwd=clone)
    git("push", "-q", "origin", "HEAD", cwd=clone)


def test_the_policy_and_what_surprises_people_in_it_is_told(
    installed: Path, git: Git, clone: Path, python: Interpreter
) -> None:
    commit(clone, git, work_dot_md="", **{".codifica__guard.json": "{}"})
    says_no(python)
    found = doctor.examine(str(installed), probes(policy=policy))
    assert "may introduce the policy" in one(found, "introduction").text
    assert [check.text for check in found if check.name == "policy"] == [
        "ruleset 1, mode enforce, maintainers human:alice",
        "guard.json: key x is unknown",
        "allowed_agents: builder means agent:builder",
    ]
    assert not [check for check in found if check.name in {"state", "scope"}]
    scope = scope_globs(["**", "src/*.py", "docs"], ["*.key", "**/*.pem", "!*.pub"])
    surprising = policy(state=("work/*.md", "todo.md"), scope=scope)
    found = doctor.examine(str(installed), probes(policy=lambda: surprising))
    assert one(found, "state").text == "codifica.json: state work/*.md, todo.md matches no file on main"
    assert [(check.text, check.do) for check in found if check.name == "scope"] == [
        ("codifica.json: file_scope *.key matches in the root folder only", ("to match everywhere: **/*.key",)),
        ("codifica.json: file_scope *.pub matches in the root folder only", ("to match everywhere: **/*.pub",)),
    ]
    assert doctor.exit_code(found) == 0
    bare = policy(codifica=False)
    assert "state" not in dict(levels(doctor.examine(str(installed), probes(policy=lambda: bare)))).values()


def test_faults_of_the_policy_fail_or_warn_as_they_would_at_a_push(installed: Path) -> None:
    faults = (
        PolicyFault(code="ID113", path=RepoPath(b".codifica/allowed_signers"), found="one key for two", line=3),
        PolicyFault(code="CD110", path=RepoPath(b"codifica.json"), found="guard.json: key x is unknown", fatal=False),
    )
    found = doctor.examine(str(installed), probes(policy=lambda: policy(faults=faults)))
    assert [(check.level, check.text) for check in found if check.name == "policy"] == [
        (Level.FAIL, "ID113 .codifica/allowed_signers:3: one key for two"),
        (Level.WARN, "CD110 codifica.json: guard.json: key x is unknown"),
        (Level.WARN, "allowed_agents: builder means agent:builder"),
    ]


def test_a_policy_that_cannot_be_read_fails_and_an_unknown_format_cannot_be_told(
    installed: Path, tmp_path: Path
) -> None:
    found = doctor.examine(str(installed), probes(policy=refuse(PolicyError("guard.json:1: no JSON"))))
    assert one(found, "policy").text == "guard.json:1: no JSON"
    assert doctor.exit_code(found) == 1
    found = doctor.examine(str(installed), probes(policy=refuse(UnknownFormat("reftable"))))
    assert one(found, "format").cannot_tell
    assert doctor.exit_code(found) == 3
    config = installed / "config"
    text = config.read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    config.write_text(f"{text}[extensions]\nrefstorage = pigeon\n")
    found = doctor.examine(str(installed), probes())
    assert levels(found) == [("FAIL", "format")]
    assert doctor.exit_code(found) == 3
    with pytest.raises(UsageError):
        doctor.examine(str(tmp_path), probes())


def test_fix_does_not_install_what_nobody_asked_for(bare: Path, clone: Path) -> None:
    with pytest.raises(UsageError, match="is not installed here; do: codifica-guard install '"):
        doctor.fix(str(bare), NOW)
    with pytest.raises(UsageError, match=r"is not installed here; do: codifica-guard install$"):
        doctor.fix(str(clone), NOW)


def test_a_clone_without_any_hook_of_ours_is_told_once_that_nobody_needs_them(
    clone: Path, git: Git, python: Interpreter
) -> None:
    shutil.rmtree(clone / ".git/hooks", ignore_errors=True)
    (clone / ".git/hooks").mkdir()
    for other in (None, "#!/bin/sh\n"):
        if other is not None:
            (clone / ".git/hooks/pre-push").write_text(other)
        found = doctor.examine(str(clone), probes())
        told = one(found, "hooks")
        assert (told.level, told.do) == (Level.WARN, ("codifica-guard install",))
        assert "nobody needs them" in told.text
        assert not {check.name for check in found} & {*shim.CLIENT}
        assert doctor.exit_code(found) == 0
    git("config", "core.hooksPath", "elsewhere", cwd=clone)
    assert one(doctor.examine(str(clone), probes()), "hooks").level is Level.WARN
    git("config", "--unset", "core.hooksPath", cwd=clone)
    python.says(f"{__version__} 3.11.7 41\n")
    apply(client.plan_clone(str(clone), python=str(python.path)))
    for name in set(shim.CLIENT) - {"pre-push"}:
        (clone / ".git/hooks" / name).unlink()
    found = doctor.examine(str(clone), probes())  # one that is there tells that the rest is missing
    assert doctor.exit_code(found) == 1
    assert "hooks" not in {check.name for check in found}


def test_a_clone_is_examined_for_hooks_introduction_policy_and_key(clone: Path, git: Git, python: Interpreter) -> None:
    python.says(f"{__version__} 3.11.7 41\n")
    apply(client.plan_clone(str(clone), python=str(python.path)))
    found = doctor.examine(str(clone), probes())
    assert levels(found) == [
        ("ok", "python"),
        ("ok", "commit-msg"),
        ("ok", "applypatch-msg"),
        ("ok", "post-rewrite"),
        ("ok", "pre-push"),
        ("ok", "post-merge"),
        ("ok", "introduction"),
        ("ok", "policy"),
        ("ok", "merge driver"),
        ("ok", "receipts"),
        ("ok", "key"),
    ]
    assert one(found, "introduction").text == "no policy yet"
    (clone / ".git/hooks/pre-push").chmod(0o644)
    (clone / ".git/hooks/commit-msg").unlink()
    found = doctor.examine(str(clone), probes(key=refuse(KeyUnavailable("no key; set user.signingkey"))))
    assert one(found, "pre-push").do == ("codifica-guard doctor --fix",)
    assert one(found, "commit-msg").text == "hooks/commit-msg is missing"
    assert (one(found, "key").level, one(found, "key").text) == (Level.WARN, "no key; set user.signingkey")
    assert one(found, "post-merge").level is Level.OK
    doctor.fix(str(clone), NOW)
    assert shim.interpreter_of((clone / ".git/hooks/commit-msg").read_bytes()) == str(python.path)
    assert doctor.exit_code(doctor.examine(str(clone), probes())) == 0
    commit(clone, git, **{".codifica__guard.json": "{}"})
    unpinned = one(doctor.examine(str(clone), probes()), "introduction")
    assert (unpinned.level, unpinned.do) == (Level.WARN, ("codifica-guard install",))
    git("config", "codifica.introduction", git("rev-parse", "HEAD", cwd=clone).strip(), cwd=clone)
    assert one(doctor.examine(str(clone), probes()), "introduction").text.endswith("by human:alice SHA256:abc, pinned")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_root_runs_the_hook_as_the_repositorys_owner(git: Git) -> None:
    with tempfile.TemporaryDirectory() as name:  # not below tmp_path, which is closed to others
        folder = Path(name)
        git("init", "-q", "--bare", folder / "shop.git")
        body = f'[ "$2" = -c ] && echo {__version__} $(id -u) 41 || {{ id -u >seen; exit 1; }}'
        write_hook(folder / "python", body)
        python = str(folder / "python")
        apply(server.plan_bare(str(folder / "shop.git"), maintainer=key_line(), verify_introduction=str, python=python))
        for path in (folder, *folder.rglob("*")):
            os.chown(path, 65534, 65534)
        found = doctor.examine(str(folder / "shop.git"), probes())
        assert "Python 65534," in one(found, "python").text
        assert one(found, "says no").level is Level.OK
        assert (folder / "shop.git" / "seen").read_text() == "65534\n"


def test_a_hook_that_the_pre_commit_framework_calls_is_seen_as_installed(clone: Path, python: Interpreter) -> None:
    hooks = clone / ".git" / "hooks"
    apply(client.plan_clone(str(clone), python=str(python.path)))
    (hooks / "pre-push").rename(hooks / "pre-push.legacy")
    write_hook(hooks / "pre-push", 'exec "${0%/*}/pre-push.legacy" "$@"')
    check = one(doctor.examine(str(clone), probes()), "pre-push")
    assert (check.level, check.text) == (Level.OK, "hooks/pre-push.legacy is ours, executable")
