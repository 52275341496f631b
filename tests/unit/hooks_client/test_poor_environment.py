"""Hooks that a program starts which knows little of the user: no PATH, no HOME, no agent."""

import shutil
import subprocess
from pathlib import Path

import pytest

from codifica_guard.install import shim
from tests.building import Clone, Repo
from tests.unit.hooks_client.conftest import Hooked

GIT = str(Path(shutil.which("git") or "").parent)
POOR = {"PATH": f"{GIT}:/usr/bin:/bin"}


def settled(clone: Clone, *, key: bool = True) -> Clone:
    """The clone with all settings in its own config."""
    for name in ("user.name", "user.email", "gpg.format", *(["user.signingkey"] if key else [])):
        clone.git("config", name, clone.git("config", name))
    return clone


def start(clone: Clone, *words: str, env: dict[str, str], data: bytes = b"") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, cwd=clone.folder, env=env, input=data, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("env", [POOR, {}, {**POOR, "HOME": "/nowhere/at/all"}])
def test_a_window_program_without_path_and_home_signs_all_the_same(
    repo: Repo, hooked: Hooked, env: dict[str, str]
) -> None:
    repo.task("FEAT-1")
    builder = settled(hooked("builder"))
    builder.claim("FEAT-1").git("add", "-A")
    done = start(builder, f"{GIT}/git", "commit", "-q", "-m", "FEAT-1: claim", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Codifica-Actor: agent:builder" in builder.git("log", "-1", "--format=%B")
    done = start(builder, f"{GIT}/git", "push", "-q", "origin", "HEAD:main", env=env)
    assert done.returncode == 0, done.stderr
    assert repo.tip() == builder.head()


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("~nobody-of-this-name/key", "~nobody-of-this-name/key names no home folder that is known here"),
        ("~/.ssh/key", "the key /nowhere/.ssh/key cannot be read"),
    ],
)
def test_a_key_that_lies_in_a_home_that_is_not_there_is_told(repo: Repo, hooked: Hooked, where: str, why: str) -> None:
    repo.task("FEAT-1")
    builder = settled(hooked("builder"), key=False)
    builder.git("config", "codifica.signingKey", where)
    builder.claim("FEAT-1").git("add", "-A")
    done = start(builder, f"{GIT}/git", "commit", "-q", "-m", "FEAT-1: claim", env={**POOR, "HOME": "/nowhere"})
    assert done.returncode == 0
    assert "codifica-guard: a push of this would be refused, 1 error: ID106" in done.stderr
    assert "codifica-guard: not signed: " in done.stderr
    assert why in done.stderr
    done = start(builder, f"{GIT}/git", "push", "-q", "origin", "HEAD:main", env=POOR)
    assert done.returncode != 0
    assert "this push would be refused" in done.stderr


def test_tokens_in_a_home_that_is_not_there_are_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.git("config", "codifica.tokenDir", "~nobody-of-this-name/tokens")
    builder.claim("FEAT-1").git("add", "-A")
    done = builder.try_git("commit", "-q", "-m", "FEAT-1: claim")
    assert done.code == 0
    assert "codifica-guard: not signed: codifica.tokenDir ~nobody-of-this-name/tokens names no home folder" in done.said


@pytest.mark.parametrize("name", shim.CLIENT)
@pytest.mark.parametrize("policy", [True, False])
def test_without_any_git_one_line_says_so_and_what_would_be_signed_is_refused(
    repo: Repo,
    hooked: Hooked,
    name: str,
    policy: bool,  # noqa: FBT001 - a table
) -> None:
    builder = (repo.task("FEAT-1") if policy else repo.not_introduced()).found().clone("builder")
    assert hooked("builder") is builder
    builder.claim("FEAT-1").git("add", "-A")
    (builder.folder / "message").write_text("FEAT-1: claim\n")
    head = builder.head()
    data = {"pre-push": f"HEAD {head} refs/heads/main {'0' * 40}\n", "post-rewrite": f"{head} {head}\n"}.get(name, "")
    builder.git("update-ref", "ORIG_HEAD", head)
    words = [str(builder.folder / ".git" / "hooks" / name), "message", "url"]
    done = start(builder, *words, env={"PATH": "/nowhere"}, data=data.encode())
    told = [line for line in done.stderr.splitlines() if line.startswith("codifica-guard: ")]
    if name == "commit-msg" and policy:
        assert done.returncode == 1
        why = "there is no git on the PATH (/nowhere); do: start this program with a PATH that has it"
        assert told == [f"codifica-guard: commit-msg: refused: {why}"]
    else:  # the others need no git program for what is asked here, or stop nothing
        assert done.returncode == 0 or name in shim.REFUSING
        assert policy or not told
