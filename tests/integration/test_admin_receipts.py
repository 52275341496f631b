"""The admin's side of receipts: a key that a maintainer lists, pauses in the open, and another introduction after a purge."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.building import Clone, Repo
from tests.building.inside import called, inside
from tests.building.machine import Done

pytestmark = pytest.mark.guard

RECEIPTS = "refs/codifica/receipts"


def admin(repo: Repo, *words: str | Path) -> Done:
    """The server's admin calls the program."""
    return inside(words, cwd=repo.root, home=repo.found().root / "homes" / "admin")


def receipts(repo: Repo) -> list[dict[str, Any]]:
    """What all receipts say, the oldest first."""
    told = repo.on_server("rev-list", "--reverse", RECEIPTS).split()
    return [json.loads(repo.on_server("cat-file", "blob", f"{oid}:receipt.json")) for oid in told]


def over(repo: Repo) -> None:
    """The pause ended a second ago."""
    repo.on_server("config", "codifica.pausedUntil", str(int(time.time()) - 1))


def close(clone: Clone, task: str) -> Clone:
    """Close a task as nobody may: unsigned."""
    return clone.fresh().close(task).commit(f"{task}: done", proof="none")


def test_a_maintainer_lists_the_key_that_install_prints_and_git_believes_the_receipts(repo: Repo) -> None:
    repo.task("FEAT-1").found()
    printed = admin(repo, "install", repo.bare, "--server", "git.example.org").text
    assert "human:alice: git codifica key add server:git.example.org 'ssh-ed25519 " in printed
    line = printed.rpartition("'")[0].rpartition("'")[2]
    alice = repo.clone("alice").fresh()
    assert called(alice, "install").code == 0
    added = called(alice, "key", "add", "server:git.example.org", line)
    assert added.code == 0, added.said
    assert "server key" not in admin(repo, "install", repo.bare).text
    doctor = admin(repo, "doctor", repo.bare)
    assert "listed by the policy" in doctor.text
    assert "0 failures, 0 warnings" in doctor.text

    repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    alice.fetch().git("merge", "-q", "--ff-only", "origin/main")
    signers = alice.folder / ".codifica" / "allowed_signers"
    for oid in alice.git("rev-list", RECEIPTS).split():
        alice.git("-c", f"gpg.ssh.allowedSignersFile={signers}", "verify-commit", oid)
    assert [r["number"] for r in receipts(repo)] == [1, 2]
    assert {r["server"] for r in receipts(repo)} == {"server:git.example.org"}


def test_what_a_clone_fetched_of_the_receipts_is_not_pushed_back(repo: Repo) -> None:
    repo.found()
    builder = repo.clone("builder")
    assert called(builder, "install").code == 0
    builder.code().push().accepted(perhaps="CD412")
    builder.fetch()
    assert builder.head(RECEIPTS) == repo.refs()[RECEIPTS]
    repo.clone("writer").code(path="src/other.py").push().accepted(perhaps="CD412")
    # What the clone has of the receipts is older than the server's: a mirror would rewind them.
    before = repo.refs()
    for option in ("--verify", "--no-verify"):
        mirror = builder.push_as("--mirror", option, "origin", wanted={})
        assert mirror.code != 0
        assert "do: git push --all" in " ".join(mirror.output.split())
        assert repo.refs() == before
    builder.fresh()
    builder.git("push", "-q", "--all", "origin")
    assert called(builder, "uninstall").code == 0
    assert builder.git("config", "--get-all", "remote.origin.fetch") == "+refs/heads/*:refs/remotes/origin/*"


def test_in_a_pause_an_illegal_push_passes_and_its_receipt_says_so(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").task("FEAT-3", "to_be_tested").found()
    builder = repo.clone("builder")
    close(builder, "FEAT-1").push().refused("ID106")
    paused = admin(repo, "pause", repo.bare, "--for", "1m", "-m", "the disk was full")
    assert paused.code == 0, paused.said
    close(builder, "FEAT-1").push().accepted("paused until", "the disk was full", perhaps="ID106")
    assert repo.fields("FEAT-1")["state"] == "done"

    over(repo)
    close(builder, "FEAT-2").push().refused("ID106")
    assert "over since" in admin(repo, "pause", repo.bare).text

    assert admin(repo, "pause", repo.bare, "--for", "2h", "-m", "again").code == 0
    close(builder, "FEAT-2").push().accepted("again", perhaps="ID106")
    ended = admin(repo, "pause", repo.bare, "--end", "-m", "bigger disk")
    assert ended.code == 0, ended.said
    close(builder, "FEAT-3").push().refused("ID106")

    found = receipts(repo)
    assert [(r["kind"], r["paused"], r["reason"]) for r in found] == [
        ("pause", True, "the disk was full"),
        ("push", True, "the disk was full"),
        ("pause", True, "again"),
        ("push", True, "again"),
        ("pause", False, "bigger disk"),
    ]
    assert found[1]["refused"] == ["ID106"]
    assert [r["number"] for r in found] == [1, 2, 3, 4, 5]
    assert "paused" not in repo.on_server("config", "--list")


def test_after_a_purge_in_a_pause_the_new_history_is_judged_from_its_own_introduction(repo: Repo) -> None:
    repo.task("FEAT-1").found()
    builder, alice = repo.clone("builder"), repo.clone("alice")
    builder.code("Code with a password", text="password = 'hunter2'\n").push().accepted(perhaps="CD412")
    old = repo.on_server("config", "codifica.introduction")
    # What came with the guard is put onto the first commit once more, without the password.
    alice.fresh().git("reset", "-q", "--hard", f"{old}^")
    alice.write_all(repo.trust_files()).commit("Introduce the guard, without the password")
    new = alice.head()
    alice.push("+HEAD:main").refused("GT101")
    before = admin(repo, "introduce", repo.tip(), repo.bare, "-m", "x")
    assert before.code == 2, before.said

    assert admin(repo, "pause", repo.bare, "--for", "1h", "-m", "a password is purged").code == 0
    alice.push("+HEAD:main").accepted("paused until", perhaps={"GT101", "GT104", "GD101"})
    doctor = admin(repo, "doctor", repo.bare)
    assert doctor.code == 0, doctor.said
    done = admin(repo, "introduce", new[:10], repo.bare, "-m", "a password is purged")
    assert done.code == 0, done.said
    assert f"in place of {old[:12]}" in done.text
    assert admin(repo, "pause", repo.bare, "--end").code == 0
    assert admin(repo, "doctor", repo.bare).code == 0

    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim", proof="none").push().refused("ID106")
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    told = [(r["kind"], r["introduction"] == new) for r in receipts(repo)]
    assert told[-4:] == [("push", False), ("introduction", True), ("pause", True), ("push", True)]


def test_a_repository_of_the_version_before_receipts_gets_them_by_install(repo: Repo) -> None:
    repo.found()
    for key in ("receiptKey", "server"):
        repo.on_server("config", "--unset", f"codifica.{key}")
    for half in ("receipt_ed25519", "receipt_ed25519.pub"):
        (repo.bare / "codifica-guard" / half).unlink()
    builder = repo.clone("builder")
    builder.code().push().accepted(perhaps="CD412")
    assert RECEIPTS not in repo.refs()
    assert "is missing: no receipts are written" in admin(repo, "doctor", repo.bare).text
    assert admin(repo, "install", repo.bare).code == 0
    builder.code(path="src/more.py").push().accepted(perhaps="CD412")
    assert [r["number"] for r in receipts(repo)] == [1]
    assert admin(repo, "doctor", repo.bare).code == 0
    gone = admin(repo, "uninstall", repo.bare, "--purge")
    assert gone.code == 0, gone.said
    assert RECEIPTS not in repo.refs()


def test_in_a_repository_that_a_group_shares_all_stays_open_to_it_but_the_key(repo: Repo) -> None:
    repo.found()
    folder = repo.bare / "codifica-guard"
    repo.on_server("config", "core.sharedRepository", "group")
    repo.bare.chmod(0o2775)
    assert admin(repo, "doctor", "--fix", repo.bare).code == 0
    repo.clone("builder").code().push().accepted(perhaps="CD412")
    assert admin(repo, "pause", repo.bare, "--for", "1h", "-m", "x").code == 0
    modes = {path.name: path.stat().st_mode & 0o7777 for path in (folder, *folder.glob("receipt_*"))}
    assert modes == {"codifica-guard": 0o2775, "receipt_ed25519": 0o600, "receipt_ed25519.pub": 0o644}
    assert (repo.bare / RECEIPTS).stat().st_mode & 0o060 == 0o060
