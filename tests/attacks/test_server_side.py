"""What the pusher may choose around a push: environment, settings, options, input; nothing of it moves the verdict."""

from pathlib import Path

import pytest

from tests.building import Clone, Repo


def illegal(repo: Repo) -> Clone:
    """builder is about to push an unsigned approval."""
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    return builder.close("FEAT-1").commit("FEAT-1: done", proof="none")


@pytest.mark.parametrize(
    "env",
    [
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "codifica.introduction", "GIT_CONFIG_VALUE_0": "0" * 40},
        {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "codifica.pausedUntil",
            "GIT_CONFIG_VALUE_0": "2099-01-01T00:00:00Z",
        },
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "codifica.trust", "GIT_CONFIG_VALUE_0": "SHA256:mine"},
        {"GIT_CONFIG_PARAMETERS": "'codifica.mode=report'"},
        {"CODIFICA_ACTOR": "human:alice", "CODIFICA_SKIP": "1", "CODIFICA_GUARD": "off", "SKIP": "codifica-guard"},
        {"GIT_NO_REPLACE_OBJECTS": "0", "GIT_REPLACE_REF_BASE": "refs/heads/"},
        {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONOPTIMIZE": "2", "PYTHONHASHSEED": "0"},
        {"LC_ALL": "C", "LANG": "C", "TZ": "Pacific/Kiritimati"},
        {"GITEA_PUSHER_NAME": "alice", "SSH_ORIGINAL_COMMAND": "gitea-internal", "GITEA_INTERNAL_PUSH": "true"},
        {"GL_USER": "alice", "REMOTE_USER": "alice", "GL_ID": "user-1", "GITEA_REPO_IS_WIKI": "true"},
    ],
    ids=[
        "introduction",
        "pause",
        "trust",
        "parameters",
        "our own names",
        "replace refs",
        "python",
        "language",
        "a forge's",
        "other servers'",
    ],
)
def test_case_14_no_variable_of_the_pusher_moves_the_verdict(repo: Repo, env: dict[str, str]) -> None:
    illegal(repo).push(env=env).refused("ID106")


def test_case_14_a_module_in_the_pushers_python_path_is_not_loaded(repo: Repo, tmp_path: Path) -> None:
    builder = illegal(repo)
    for name in ("codifica_guard.py", "dulwich.py", "json.py", "ruamel.py", "usercustomize.py", "sitecustomize.py"):
        (tmp_path / name).write_text("import os\nos._exit(0)\n")
    builder.push(env={"PYTHONPATH": str(tmp_path), "PYTHONUSERBASE": str(tmp_path)}).refused("ID106")


def test_case_14_a_home_of_the_pushers_own_does_not_count(repo: Repo) -> None:
    builder = illegal(repo)
    with (builder.home / ".gitconfig").open("a") as config:
        config.write("[codifica]\n\tintroduction = 0000\n\tpausedUntil = 2099-01-01T00:00:00Z\n\ttrust = SHA256:mine\n")
    builder.push().refused("ID106")


def test_case_14_push_options_do_not_matter(repo: Repo) -> None:
    illegal(repo).push(options=["-o", "codifica.skip", "-o", "ci.skip", "-o", "force"]).refused("ID106")


def test_no_verify_on_both_sides_does_not_matter(repo: Repo) -> None:
    illegal(repo).push(options=["--no-verify"]).refused("ID106")


def test_an_atomic_push_is_judged_as_any(repo: Repo) -> None:
    illegal(repo).push(options=["--atomic"]).refused("ID106")


@pytest.mark.guard
@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"nonsense\n", b"a b c d\n", b"\xff\xfe\n", b"0 0 refs/heads/main\n"],
    ids=["empty", "blank", "a word", "four words", "no text", "short ids"],
)
def test_case_01_an_input_that_cannot_be_read_is_refused(repo: Repo, data: bytes) -> None:
    done = repo.found().hook("pre-receive", data)
    assert done.code == 1
    assert "codifica-guard" in done.said
    assert "Traceback" not in done.said


@pytest.mark.guard
def test_case_01_the_name_of_a_ref_may_be_as_long_as_it_likes(repo: Repo) -> None:
    oid = repo.found().tip()
    done = repo.hook("pre-receive", f"{'0' * 40} {oid} refs/heads/{'x' * 70000}\n".encode())
    assert done.code == 1
    assert "GD102" in done.said
    assert "Traceback" not in done.said
    assert len(done.said) < 4000


@pytest.mark.guard
def test_an_old_id_that_the_server_does_not_have_lets_nothing_in(repo: Repo) -> None:
    oid = repo.found().tip()
    done = repo.hook("pre-receive", f"{'1' * 40} {oid} refs/heads/main\n".encode())
    assert done.code == 1
    assert "Traceback" not in done.said


@pytest.mark.guard
def test_case_16_a_guard_that_fails_lets_nothing_in_and_says_so(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").code()
    repo.on_server("config", "extensions.unheardOf", "true")
    (repo.bare / "config").write_text(
        (repo.bare / "config").read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    )
    before = (repo.bare / "packed-refs").exists(), sorted(str(path) for path in (repo.bare / "refs").rglob("*"))
    done = builder.try_git("push", "origin", "HEAD:main")
    assert done.code != 0
    assert before == (
        (repo.bare / "packed-refs").exists(),
        sorted(str(path) for path in (repo.bare / "refs").rglob("*")),
    )


def test_control_characters_of_a_push_do_not_reach_the_terminal(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**"]})
    builder = repo.clone("builder").code("\x1b]0;owned\x07", path="a\x1b[31mred\u202etxt")
    push = builder.push().refused("CD407")
    assert not push.guarded or not set(push.remote) & {"\x1b", "\x07", "\u202e"}


def test_the_report_is_narrow_plain_ascii(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested", title="Zoë's very long title " * 20).clone("alice")
    push = alice.edit("FEAT-1", state="done").commit("FEAT-1: Zoë", proof="none").push().refused("ID106")
    if push.guarded:
        assert push.remote.isascii()
        assert all(len(line) <= 80 or " " not in line.strip() for line in push.remote.splitlines())


def test_many_findings_are_shown_up_to_ten(repo: Repo) -> None:
    for number in range(30):
        repo.task(f"FEAT-{number}", "to_be_tested")
    alice = repo.clone("alice")
    for number in range(30):
        alice.edit(f"FEAT-{number}", state="done")
    push = alice.commit("all done", proof="none").push().refused("ID106", "more")
    assert not push.guarded or len(push.remote) < 12000


def test_case_38_a_push_into_a_repository_without_the_protocol_prints_nothing(repo: Repo) -> None:
    builder = repo.without_protocol().clone("builder")
    builder.code("code").push().accepted(silent=True)
    builder.git("commit", "-q", "--amend", "-m", "better")
    builder.push("+HEAD:main").accepted(silent=True)


def test_case_36_a_person_without_a_key_pushes_code_and_is_told_nothing(repo: Repo) -> None:
    repo.task("FEAT-1").clone("stranger").code("code").push().accepted(silent=True)


def test_case_36_a_person_without_a_key_who_touches_a_task_is_told_how_to_sign(repo: Repo) -> None:
    stranger = repo.task("FEAT-1").clone("stranger").edit("FEAT-1", priority="low")
    stranger.commit("FEAT-1: less urgent", proof="none").push().refused(
        "ID106", "git config gpg.format ssh", "git config user.signingkey"
    )


def test_two_pushes_at_once_have_one_winner(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").clone("builder"), repo.clone("writer")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    writer.claim("FEAT-1").commit("FEAT-1: claim").push().refused_by_git()
