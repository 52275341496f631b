"""Whose times `log` tells, and which receipt it takes them from."""

from pathlib import Path

import pytest

from codifica_guard.audit.receipt_file import write_receipt
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import PAUSE
from codifica_guard.model.times import show_time, stamp
from codifica_guard.model.value import replace
from tests.building.shapes import check_envelope
from tests.unit.cli_proof.stage import Stage, task
from tests.unit.cli_proof.stories import work
from tests.unit.engine.land import key_of
from tests.unit.views import entered


@pytest.fixture(name="stage")
def _stage(tmp_path: Path) -> Stage:
    stage = Stage(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    return stage


def moved(state: str, *lines: str) -> dict[str, str]:
    """FEAT-2 in another state."""
    return {"work.md": work(task("FEAT-1"), task("FEAT-2", *lines, state=state))}


def receipts(stage: Stage) -> list[int | None]:
    """The receipts that the log of FEAT-2 names, oldest first."""
    return [step["receipt"] for step in stage.proof("FEAT-2")["steps"]]


def test_times_are_the_servers_and_the_files_own_are_compared_with_them(stage: Stage) -> None:
    clock = stage.now + 60
    written = stamp(clock - 4)
    stage.decide(
        moved("in_progress", "  state_transitions:", *entered("in_progress", at=written)), by="alice", now=clock
    )
    data = stage.proof("FEAT-2", "-n", "1")
    assert (data["times"], data["differ"], data["steps"][0]["receipt"]) == ("receipts", 4, 2)
    step = data["steps"][0]
    assert (step["at"], step["written"]) == (stamp(clock), written)
    assert step["dated"] < written
    said = stage.guard("log", "FEAT-2", "-n", "1").said
    assert said.splitlines()[-2:-1] == ["times are the server's (receipts); the file's own differ by at most 4 s"]
    assert f"  {show_time(clock, exact=True)[:-1]}  todo -> in_progress" in said


def test_without_an_entry_the_commits_own_time_is_the_files(stage: Stage) -> None:
    stage.decide(moved("rejected"), by="alice", now=stage.clock + 17)
    assert stage.proof("FEAT-2", "-n", "1")["differ"] == 7


def test_where_some_are_the_servers_the_others_are_marked(stage: Stage) -> None:
    stage.decide(moved("rejected"), by="alice")
    stage.decide(moved("todo"), by="alice", receipt=False)
    data = stage.proof("FEAT-2")
    assert data["times"] == "both"
    assert receipts(stage) == [None, 2, None]
    told = stage.guard("log", "FEAT-2").said.splitlines()
    assert ["*" in line for line in told[1:4]] == [True, False, True]
    assert told[4].startswith(
        "times are the server's (receipts); those with * are the commits' own; the file's own differ by "
    )
    assert "those with *" in stage.guard("log").said


def test_since_counts_by_the_servers_time(stage: Stage) -> None:
    stage.decide(moved("rejected"), by="alice", now=stage.now + 864_000)
    assert len(stage.proof("FEAT-2", "--since", "2026-12-05")["steps"]) == 1
    assert stage.proof("FEAT-2", "--since", "2026-12-20")["steps"] == []


def test_a_receipt_is_believed_for_itself(stage: Stage) -> None:
    for state in ("rejected", "todo", "rejected", "todo"):
        stage.decide(moved(state), by="alice")
    first, *rest = stage.receipts
    told = [stage.receipt(oid) for oid in rest]
    assert receipts(stage) == [None, 2, 3, 4, 5]
    # One of them is nobody's, one says another number, one is no receipt at all: the others are still the server's word.
    stage.chain([first])
    stage.write(told[0])
    stage.write(told[1], signer=key_of("bob"))
    stage.write(replace(told[2], number=9))
    assert receipts(stage) == [None, 2, None, None, None]
    stage.chain([first])
    stage.write(told[0])
    stage.write(b"{}")
    stage.write(told[2])
    assert receipts(stage) == [None, 2, None, None, None]  # nothing says what it follows from
    stage.write(told[3], parents=(stage.receipts[-1],))
    assert receipts(stage) == [None, 2, None, None, 5]
    stage.chain([])
    stage.write(b"{}")
    assert receipts(stage) == [None] * 5


def test_of_two_receipts_for_one_commit_the_believed_one_counts(stage: Stage) -> None:
    stage.decide(moved("rejected"), by="alice")
    last = stage.receipt(stage.receipts[-1])
    stage.write(replace(last, number=3, time=last.time + 5), signer=key_of("bob"))
    assert receipts(stage) == [None, 2]
    stage.decide(moved("todo"), by="alice", receipt=False)
    assert receipts(stage) == [None, 2, None]


def test_receipts_of_other_branches_pauses_and_what_is_not_here_tell_nothing(stage: Stage) -> None:
    stage.decide(moved("rejected"), by="alice", receipt=False)
    last = stage.receipt(stage.receipts[-1])
    tips = {**last.tips, RefName(b"refs/heads/release"): stage.tip}
    other = replace(last, number=2, ref=RefName(b"refs/heads/release"), old=last.new, new=stage.tip, tips=tips)
    stage.write(other)
    stage.write(replace(other, number=3, kind=PAUSE, ref=None, old=None, new=None))
    stage.write(replace(other, number=4, ref=RefName(b"refs/heads/main"), new=ObjectId(b"1" * 40)))
    stage.write(replace(other, number=5, ref=RefName(b"refs/heads/main"), old=ObjectId(b"1" * 40)))
    assert receipts(stage) == [None, None]


def test_the_receipt_of_a_commit_is_named_for_git(stage: Stage) -> None:
    oid = stage.decide(moved("rejected"), by="alice")
    done = stage.guard("payload", "--receipt", oid.decode())
    assert (done.code, done.out) == (0, stage.receipts[-1] + b"\n")
    data = check_envelope(stage.guard("payload", "--receipt", oid.decode(), "--json").out)["data"]
    assert (data["receipt"], data["number"], data["server"]) == (
        stage.receipts[-1].decode(),
        2,
        "server:git.example.org",
    )
    signers = stage.folder / "signers"
    signers.write_bytes(stage.plain.git("cat-file", "blob", "main:.codifica/allowed_signers") + b"\n")
    stage.plain.git("-c", f"gpg.ssh.allowedSignersFile={signers}", "verify-commit", done.out.decode().strip())
    stage.decide(moved("todo"), by="alice", receipt=False)
    none = stage.guard("payload", "--receipt")
    assert (none.code, none.out) == (1, b"")
    assert "no receipt that is here, and believed, saw" in none.said
    answer = check_envelope(stage.guard("payload", "--receipt", "--json", "-q").out)
    assert (answer["data"], answer["next"]) == (None, ["git fetch origin '+refs/codifica/*:refs/codifica/*'"])
    assert stage.guard("payload", "--receipt", "--signature").code == 2


def test_a_receipt_for_another_repository_is_none(stage: Stage) -> None:
    stage.decide(moved("rejected"), by="alice")
    first, last = stage.receipts
    told = replace(stage.receipt(last), repository="f" * 32)
    stage.chain([first])
    stage.write(write_receipt(told))
    assert receipts(stage) == [None, None]
