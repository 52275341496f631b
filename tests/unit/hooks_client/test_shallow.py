"""Clones whose history is cut: agents mostly get a repository so."""

import pytest

from tests.building import Clone, Repo


def shallow(repo: Repo, depth: int) -> Clone:
    """builder's clone, made anew with only the newest commits."""
    clone = repo.clone("builder")
    address = f"file://{repo.bare}"
    clone.git("fetch", "-q", f"--depth={depth}", address, "main")
    clone.git("update-ref", "refs/remotes/origin/main", "FETCH_HEAD")
    clone.git("reflog", "expire", "--expire=now", "--all")
    clone.git("checkout", "-q", "-B", "main", "FETCH_HEAD")
    clone.git("gc", "-q", "--prune=now")
    assert (clone.folder / ".git" / "shallow").exists()
    return clone


@pytest.mark.parametrize("depth", [1, 2])
def test_a_shallow_clone_signs_and_pushes(repo: Repo, depth: int) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice = repo.clone("alice")
    for priority in ("high", "low", "critical"):
        alice.edit("FEAT-2", priority=priority).commit(f"FEAT-2: {priority}").push().accepted()
    builder = shallow(repo, depth)
    assert builder.guard("install").code == 0
    assert "agent:builder" in builder.guard("whoami").text
    builder.claim("FEAT-1").git("add", "-A")
    builder.git("commit", "-q", "--no-gpg-sign", "-m", "FEAT-1: claim")
    assert "Codifica-Signature" in builder.git("log", "-1", "--format=%B")
    builder.push().accepted()


def test_what_a_shallow_clone_cannot_tell_it_says(repo: Repo) -> None:
    repo.task("FEAT-1")
    alice = repo.clone("alice")
    for priority in ("high", "low"):
        alice.edit("FEAT-1", priority=priority).commit(f"FEAT-1: {priority}").push().accepted()
    done = shallow(repo, 1).guard("check", "HEAD")
    assert (done.code, "git fetch --unshallow" in done.said) == (3, True)


def test_install_in_a_clone_pins_what_the_remote_branch_holds(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    assert alice.guard("install").code == 0
    pinned = alice.git("config", "codifica.introduction")
    assert ".codifica/guard.json" in alice.git("ls-tree", "-r", "--name-only", pinned)
    assert ".codifica/guard.json" not in alice.git("ls-tree", "-r", "--name-only", f"{pinned}^")
    assert alice.guard("install").code == 0
