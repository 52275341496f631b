"""Receipts by real pushes: what they say, that Git verifies them, and that whatever is killed, raced or broken, one whole chain comes of it."""

import json
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.cli.export import receipt_schema
from tests.building import NewRepo, Repo
from tests.building.machine import run
from tests.building.push import Push

pytestmark = pytest.mark.guard

RECEIPTS = "refs/codifica/receipts"
Json = dict[str, Any]


def chain(repo: Repo) -> list[Json]:
    """The receipts, the oldest first, each held against the schema; numbers and tips follow each other without a gap."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # noqa: PLC0415 - it ships no types

    if RECEIPTS not in repo.refs():
        return []
    schema = Draft202012Validator(receipt_schema(closed=True))
    commits = repo.on_server("rev-list", "--reverse", RECEIPTS).split()
    found = [json.loads(repo.on_server("show", f"{oid}:receipt.json")) for oid in commits]
    tips: dict[str, str] = {}
    for number, (receipt, oid) in enumerate(zip(found, commits, strict=True), 1):
        schema.validate(receipt)
        assert receipt["number"] == number
        if receipt["kind"] == "push":
            tips = {**tips, receipt["ref"]: receipt["new"]}
        assert {k: v for k, v in tips.items() if v} == receipt["tips"]
        assert len(repo.on_server("rev-list", "--parents", "-1", oid).split()) == (1 if number == 1 else 2)
    return found


def moves(receipts: list[Json]) -> list[tuple[str, str | None, str | None, bool]]:
    return [(r["ref"], r["old"], r["new"], r["late"]) for r in receipts]


def pending(repo: Repo) -> list[Path]:
    return sorted((repo.bare / "codifica-guard").glob("pending/*"))


def follows(repo: Repo, push: Push, ref: str = "refs/heads/main") -> Json:
    """The newest receipt, which is that of a push."""
    receipt = chain(repo)[-1]
    assert (receipt["old"], receipt["new"]) == (push.before.get(ref), push.after.get(ref))
    assert receipt["ref"] == ref
    return receipt


def test_claims_code_and_merges_have_receipts_that_git_verifies(repo: Repo, tmp_path: Path) -> None:
    builder, alice = repo.task("FEAT-1").task("FEAT-2", "to_be_tested").clone("builder"), repo.clone("alice")
    claimed = follows(repo, builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted())
    [line] = claimed["transitions"]
    assert (line["record"], line["from"], line["to"]) == ("codifica/FEAT-1", "todo", "in_progress")
    assert (line["actor"], line["proof"], line["commit"]) == ("agent:builder", "S", builder.head())
    assert (
        line["key"]
        == run(["ssh-keygen", "-lf", repo.keys.public("builder")], cwd=tmp_path, home=tmp_path).text.split()[1]
    )
    coded = follows(repo, builder.code("FEAT-1: code").push().accepted())
    assert coded["transitions"] == []
    alice.fresh().switch("topic").code("FEAT-2: side", path="src/side.py").checkout("main").code(
        "FEAT-2: more", path="src/more.py"
    )
    merged = follows(repo, alice.merge("topic").push().accepted())
    assert (merged["transitions"], merged["coordinating"], merged["late"]) == ([], True, False)
    # Nobody needs the guard for this.
    signers = tmp_path / "signers"
    key = (repo.bare / "codifica-guard" / "receipt_ed25519.pub").read_text()
    signers.write_text(f"{claimed['server']} {key}")
    alice.git("fetch", "-q", "origin", f"+{RECEIPTS}:{RECEIPTS}")
    alice.git("config", "gpg.ssh.allowedSignersFile", str(signers))
    for oid in alice.git("rev-list", RECEIPTS).split():
        done = alice.try_git("verify-commit", oid)
        assert f'Good "git" signature for {claimed["server"]}' in done.said
    assert alice.git("log", "-1", "--format=%an|%cn|%s", RECEIPTS) == (
        f"{merged['server']}|{merged['server']}|receipt 3: refs/heads/main {merged['old'][:7]}..{merged['new'][:7]}"
    )
    assert pending(repo) == []


def test_several_refs_of_one_push_have_one_each_if_they_are_judged(repo: Repo) -> None:
    alice = repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1").clone("alice")
    alice.code("code")
    push = alice.push("HEAD:main", "HEAD:release/1", "HEAD:topic", "HEAD:refs/tags/v1").accepted()
    main, release = chain(repo)
    assert (main["ref"], release["ref"]) == ("refs/heads/main", "refs/heads/release/1")
    assert (main["push"], main["coordination"]) == (release["push"], push.before["refs/heads/main"])
    assert (release["old"], release["coordinating"]) == (None, False)
    alice.code("on release", path="src/fix.py").push("HEAD:release/1").accepted()
    assert chain(repo)[-1]["old"] == release["new"]


def test_a_sha256_repository_has_receipts(new_repo: NewRepo, tmp_path: Path) -> None:
    repo = new_repo(object_format="sha256").task("FEAT-1")
    follows(repo, repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted())
    receipt = follows(repo, repo.clone("alice").fresh().code().push().accepted())
    signers = tmp_path / "signers"
    signers.write_text(f"{receipt['server']} {(repo.bare / 'codifica-guard' / 'receipt_ed25519.pub').read_text()}")
    repo.on_server("-c", f"gpg.ssh.allowedSignersFile={signers}", "verify-commit", RECEIPTS)
    repo.on_server("fsck", "--strict")


def test_a_post_receive_of_somebody_elses_gets_the_same_lines(repo: Repo) -> None:
    repo.not_installed().found()
    hook = repo.bare / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ncat >>mail\necho mailed >&2\nexit 3\n")
    hook.chmod(0o755)
    repo.install()
    alice = repo.clone("alice")
    alice.write_all(repo.trust_files()).commit("Introduce the guard")
    push = alice.push("HEAD:main", "HEAD:topic").accepted("mailed")
    first = chain(repo)
    lines = {f"{push.before.get(ref, '0' * 40)} {oid} {ref}" for ref, oid in push.wanted.items()}
    assert set((repo.bare / "mail").read_text().splitlines()) == lines
    assert [r["introduction"] for r in first] == [push.after["refs/heads/main"]]


# -- killed

STEPS: Mapping[str, str] = {
    "before reading": "import codifica_guard.hooks.post_receive as m; m._updates = die",
    "after the objects": "import codifica_guard.audit.writing as m; m.move_ref = die",
    "after the ref moved": "import codifica_guard.audit.writing as m; real = m.move_ref; m.move_ref = lambda *a: (real(*a), die())",
    "before the files go": "import codifica_guard.audit.pending as m; m.drop = die",
}


def changed(repo: Repo, name: str, code: str) -> bytes:
    """Let some code run before a hook does; the hook as it was."""
    hook = repo.bare / "hooks" / name
    kept = hook.read_bytes()
    hook.unlink()
    hook.write_text(
        f"#!{sys.executable} -I\nimport os, signal, sys\ndie = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n{code}\n"
        f"from codifica_guard.hooks.server import main\nsys.exit(main(['{name}']))\n"
    )
    hook.chmod(0o755)
    return kept


@pytest.mark.parametrize("step", STEPS)
def test_whatever_step_post_receive_is_killed_at_the_next_push_makes_one_whole_chain(repo: Repo, step: str) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    builder.code("first", path="src/0.py").push().accepted()
    hook, kept = repo.bare / "hooks" / "post-receive", changed(repo, "post-receive", STEPS[step])
    lost = [builder.code(f"{n}", path=f"src/{n}.py").push().accepted() for n in (1, 2)]
    assert len(pending(repo)) >= 1
    hook.write_bytes(kept)
    last = builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    found = chain(repo)
    assert [r["new"] for r in found[1:]] == [p.after["refs/heads/main"] for p in (*lost, last)]
    # What the chain held already when the hook died, nobody wrote late.
    written = step in {"after the ref moved", "before the files go"}
    assert [r["late"] for r in found[1:]] == [not written, not written, False]
    assert pending(repo) == []
    assert not (repo.bare / "codifica-guard" / "pending").exists()


def test_a_pre_receive_that_is_killed_refuses_and_the_next_push_is_as_ever(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    at = "import codifica_guard.audit.pending as m; real = os.replace; os.replace = lambda a, b: die() if b'pending' in b else real(a, b)"
    hook, kept = repo.bare / "hooks" / "pre-receive", changed(repo, "pre-receive", at)
    alice.code().push().refused_by_git()
    assert [p.name.startswith("draft-") for p in pending(repo)] == [True]
    hook.write_bytes(kept)
    follows(repo, alice.push().accepted(silent=True))
    assert len(chain(repo)) == 1


# -- at once


def test_two_that_race_for_a_branch_and_two_on_branches_of_their_own_make_one_chain(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1")
    clones = [repo.clone("alice", str(number)) for number in range(4)]
    for number, clone in enumerate(clones):
        clone.code(f"{number}", path=f"src/{number}.py")
    targets = ["main", "main", "release/1", "release/2"]
    with ThreadPoolExecutor(4) as pool:
        ends = list(
            pool.map(
                lambda pair: pair[0].try_git("push", "-q", "origin", f"HEAD:refs/heads/{pair[1]}"),
                zip(clones, targets, strict=True),
            )
        )
    assert [done.code for done in ends[2:]] == [0, 0], "\n".join(done.said for done in ends)
    assert sorted(done.code for done in ends[:2]) == [0, 1]
    refs = repo.refs()
    clones[0].fresh().code("last", path="src/last.py").push().accepted()
    found = chain(repo)
    assert len(found) == 4
    assert {(r["ref"], r["new"]) for r in found[:3]} == {(ref, oid) for ref, oid in refs.items() if ref != RECEIPTS}
    assert pending(repo) == []


# -- broken


BROKEN: Mapping[str, str] = {
    "the disk is full": "import resource; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
    "the ref is locked": "import codifica_guard.audit.writing as m; m.RECEIPT_SECONDS = 0; m.RECEIPT_TRIES = 2",
    "the key is gone": "",
}


@pytest.mark.parametrize("what", BROKEN)
def test_where_the_receipt_cannot_be_written_the_push_goes_in_and_the_next_one_writes_it(repo: Repo, what: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    hook, kept = repo.bare / "hooks" / "post-receive", changed(repo, "post-receive", BROKEN[what])
    lock, key = repo.bare / "refs" / "codifica" / "receipts.lock", repo.bare / "codifica-guard" / "receipt_ed25519"
    saved = key.read_bytes()
    lock.parent.mkdir()
    if what == "the ref is locked":
        lock.write_text("")
    elif what == "the key is gone":
        key.unlink()
    push = alice.code("one").push()
    assert push.code == 0
    assert push.after["refs/heads/main"] == alice.head()
    [told] = [line for line in push.remote.splitlines() if line]
    assert told.startswith("codifica-guard: the push is in; its receipt could not be written: ")
    lock.unlink(missing_ok=True)
    key.write_bytes(saved)
    hook.write_bytes(kept)
    alice.code("two", path="src/two.py").push().accepted(silent=True)
    assert [r["late"] for r in chain(repo)] == [True, False]


def test_free_branches_and_idle_repositories_leave_no_trace(new_repo: NewRepo) -> None:
    repo = new_repo().task("FEAT-1")
    repo.clone("alice").code().push("HEAD:topic").accepted(silent=True)
    idle = new_repo(name="idle.git").not_introduced()
    idle.clone("alice").code().push().accepted(silent=True)
    for site in (repo, idle):
        assert chain(site) == []
        assert not (site.bare / "codifica-guard" / "pending").exists()


# -- the pause


def test_a_pause_lets_an_illegal_push_in_with_its_receipt_and_when_it_is_over_refuses_again(repo: Repo) -> None:
    mallory = repo.task("FEAT-1").task("FEAT-2").clone("writer")
    mallory.edit("FEAT-1", title="Mine").commit("FEAT-1: mine", proof="none").push().refused("ID106")
    repo.on_server("config", "codifica.pauseReason", "the disk was full")
    repo.on_server("config", "codifica.pausedUntil", "2999-01-01T00:00:00Z")
    push = mallory.push()
    assert push.code == 0
    assert (
        push.said == "codifica-guard: paused until 2999-01-01 00:00Z (the disk was full): let in; else refused: ID106"
    )
    receipt = follows(repo, push)
    assert (receipt["paused"], receipt["until"], receipt["reason"]) == (
        True,
        "2999-01-01T00:00:00Z",
        "the disk was full",
    )
    assert receipt["refused"] == ["ID106"]
    mallory.push_as("origin", f"+HEAD:{RECEIPTS}", wanted={RECEIPTS: None}).refused("GT103")
    repo.on_server("config", "codifica.pausedUntil", "2026-01-01T00:00:00Z")
    mallory.edit("FEAT-2", title="Mine").commit("FEAT-2: mine", proof="none").push().refused("ID106")
    assert len(chain(repo)) == 1


def test_no_pusher_pauses(repo: Repo) -> None:
    mallory = repo.task("FEAT-1").clone("writer")
    mallory.edit("FEAT-1", title="Mine").commit("FEAT-1: mine", proof="none")
    until = "codifica.pausedUntil=2999-01-01T00:00:00Z"
    config = mallory.home / ".gitconfig"
    config.write_text(f"{config.read_text()}[codifica]\n\tpausedUntil = 2999-01-01T00:00:00Z\n")
    env = {
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "codifica.pausedUntil", "GIT_CONFIG_VALUE_0": "2999-01-01T00:00:00Z",
        "GIT_CONFIG_PARAMETERS": f"'{until}'", "CODIFICA_PAUSED_UNTIL": "2999-01-01T00:00:00Z",
    }  # fmt: skip
    mallory.push(options=("-o", until), env=env).refused("ID106")
