"""What the six facts say, also of decisions that nobody should rely on."""

import re
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.cli.steps import standing, step_row, who
from codifica_guard.identity import sshsig
from codifica_guard.identity.keys import public_line
from codifica_guard.identity.tokens import WriterToken
from codifica_guard.model.act import Act, Deed, Mark
from codifica_guard.model.ids import ObjectId, RefName, TaskId
from codifica_guard.model.receipt import Pusher, Warned
from codifica_guard.model.value import replace
from tests.unit.cli_proof.alone import Alone
from tests.unit.cli_proof.stage import Stage, board, task
from tests.unit.cli_proof.stories import running, work
from tests.unit.engine.land import NOW, key_of
from tests.unit.identity.sshkit import SoftFido

ID = re.compile(r"\b[0-9a-f]{7}\b")


def told(proof: dict[str, Any], number: int) -> list[str]:
    """What one fact says, without ids and keys."""
    lines = proof["facts"][number - 1]["lines"]
    return [re.sub(r"SHA256:[A-Za-z0-9+/]+", "KEY", ID.sub("COMMIT", line)) for line in lines]


def held(proof: dict[str, Any]) -> list[int]:
    """The facts that hold."""
    return [fact["number"] for fact in proof["facts"] if fact["holds"]]


@pytest.fixture(name="stage")
def _stage(tmp_path: Path) -> Stage:
    """A stage whose board has two tasks."""
    stage = Stage(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    return stage


def rejected(state: str = "rejected") -> dict[str, str]:
    """FEAT-2 in another state."""
    return {"work.md": work(task("FEAT-1"), state=state)}


def test_the_text_has_six_facts_and_commands_that_can_be_copied(stage: Stage, tmp_path: Path) -> None:
    stage.decide(rejected(), by="alice", receipt=False)
    said = ID.sub("COMMIT", stage.guard("log", "FEAT-2", "--proof").out.decode())
    lines = said.splitlines()
    assert re.fullmatch(r"who rejected FEAT-2\?   human:alice, commit COMMIT, \S+ \S+Z", lines[0])
    assert lines[1] == "how do we know?"
    facts = [line for line in lines if re.match(r"  [1-6] ", line)]
    assert [line[2:18].strip() for line in facts] == [
        "1 the change", "2 the signature", "3 the key", "4 allowed to", "5 seen", "6 the anchor",
    ]  # fmt: skip
    assert "work.md at COMMIT, lines 11-15: todo -> rejected; no other task, no other file" in facts[0]
    assert "d=$(mktemp -d)" in lines
    assert [line for line in lines if line.startswith(": ")] == [
        ": 1 the change", ": 2 the signature", ": 3 the key", ": 4 allowed to", ": 6 the anchor",
    ]  # fmt: skip
    assert all(len(line.encode()) == len(line) for line in lines)
    printed = stage.guard("log", "FEAT-2", "--proof").out.decode().partition("each command succeeds:\n")[2]
    ran = Alone(tmp_path).run(f"set -e\n{printed}", stage.plain.path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("Good ") >= 2


def test_what_else_changed_is_named(stage: Stage) -> None:
    files = {f"src/{number}.py": "x\n" for number in range(10)}
    both = board(task("FEAT-1", title="Other"), task("FEAT-2", state="rejected"), text="# Work\n\nOther words.\n")
    stage.decide({"work.md": both, **files}, by="alice")
    proof = stage.proof("FEAT-2", "--proof")
    names = ", ".join(f"src/{number}.py" for number in range(8))
    rest = f"also FEAT-1, {names} and 2 more files, the text around the tasks of work.md"
    assert told(proof, 1) == [f"work.md at COMMIT, lines 11-15: todo -> rejected; {rest}"]


def test_a_decision_that_nobody_signed_does_not_hold(stage: Stage, tmp_path: Path) -> None:
    oid = stage.commit(rejected(), stage.tip, trailers=[("Codifica-Actor", "human:bob")])
    stage.main(oid)
    done = stage.guard("log", "FEAT-2", "--proof")
    assert done.code == 1
    assert "nobody who is proven, commit" in done.said
    assert "2 the signature  DOES NOT HOLD: there is none" in done.said
    proof = stage.proof("FEAT-2", "--proof", tmp_path / "proof", code=1)
    assert held(proof) == [1, 5, 6]
    assert "DOES NOT HOLD" in (tmp_path / "proof" / "README.txt").read_text()
    code, failed = Alone(tmp_path).check(tmp_path / "proof", stage.plain.path)
    assert (code, [fact[0] for fact in failed]) == (1, ["2", "3", "4"])


def test_a_signature_that_fails_is_told_with_its_problem(stage: Stage) -> None:
    signature = sshsig.to_line(stage.signer_of("bob").sign(b"something else", "codifica-guard"))
    trailers = [("Codifica-Actor", "human:bob"), ("Codifica-Signature", signature)]
    stage.main(stage.commit(rejected(), stage.tip, trailers=trailers))
    assert told(stage.proof("FEAT-2", "--proof", code=1), 2)[0].startswith(
        "ID101 the key KEY of human:bob signed something else"
    )


def test_a_decision_against_the_rules_is_told_with_the_rule(tmp_path: Path) -> None:
    stage = Stage(tmp_path, mode="enforce")
    stage.begun({"work.md": work(task("FEAT-1"))})
    stage.decide(rejected(), by="robot", proof="git")
    proof = stage.proof("FEAT-2", "--proof", code=1)
    assert held(proof) == [1, 2, 3, 5, 6]
    assert told(proof, 4)[0].startswith("CD202 human-only: ")


def test_who_approves_its_own_work_is_told_and_who_handed_in_unproven(stage: Stage) -> None:
    for state, by in (("in_progress", "robot"), ("to_be_tested", "robot"), ("done", "robot")):
        stage.decide({"work.md": work(running(stage, state))}, by=by, token=stage.token)
    assert told(stage.proof("FEAT-1", "--proof"), 4)[-1] == (
        "review_by human-or-owner; handed in by agent:robot in COMMIT, the same principal: self_approval is warn"
    )
    for state in ("in_progress", "to_be_tested"):
        two = task("FEAT-2", state=state, owner="agent:robot")
        stage.main(stage.commit({"work.md": work(running(stage, "done"), two)}, stage.tip))
    stage.decide(
        {"work.md": work(running(stage, "done"), task("FEAT-2", state="done", owner="agent:robot"))}, by="carol"
    )
    assert told(stage.proof("FEAT-2", "--proof"), 4)[-1] == (
        "review_by human-or-owner; handed in by nobody who is proven, in COMMIT"
    )


def test_a_review_without_hand_in_says_so(stage: Stage) -> None:
    stage.decide({"work.md": work(task("FEAT-1"), state="in_progress")}, by="alice")
    stage.decide({"work.md": work(task("FEAT-1"), state="done")}, by="alice")
    assert told(stage.proof("FEAT-2", "--proof"), 4)[-1] == "review_by human-or-owner; nobody handed it in"


def test_a_task_that_goes_and_one_that_comes_with_its_document(stage: Stage, tmp_path: Path) -> None:
    alone = Alone(tmp_path)
    gone = stage.decide({"work.md": work(task("FEAT-1")).replace(task("FEAT-2"), "")}, by="alice")
    proof = stage.proof("FEAT-2", "--proof")
    assert told(proof, 1) == ["work.md at COMMIT^, lines 11-15: todo -> gone; no other task, no other file"]
    assert alone.failing(proof, stage.plain.path) == []
    stage.decide({"work.md": None}, by="alice")
    stage.decide({"work.md": work(task("FEAT-1"))}, by="alice")
    assert told(stage.proof("FEAT-2", "--proof", "--at", gone.decode()), 1)[0].startswith("work.md at COMMIT^, ")
    proof = stage.proof("FEAT-2", "--proof")
    assert told(proof, 1)[0].endswith("new -> todo; also FEAT-1, no other file")
    assert alone.failing(proof, stage.plain.path) == []


def test_a_document_of_one_task_that_comes_is_no_other_tasks(stage: Stage, tmp_path: Path) -> None:
    stage.decide({"work.md": board(task("FEAT-1"))}, by="alice")
    stage.decide({"work.md": board(task("FEAT-1", title="Other"), text="# Words\n")}, by="alice")
    proof = stage.proof("FEAT-1", "--proof", "--at", "main")
    assert told(proof, 1)[0].endswith(
        "edited title; no other task, no other file, the text around the tasks of work.md"
    )
    stage.decide({"work.md": None}, by="alice")
    stage.decide({"work.md": board(task("FEAT-1"))}, by="alice")
    assert Alone(tmp_path).failing(stage.proof("FEAT-1", "--proof"), stage.plain.path) == []


def test_a_token_among_others_is_found(stage: Stage, tmp_path: Path) -> None:
    running_ = {"work.md": work(running(stage, "in_progress"))}
    other = sshsig.to_line(WriterToken(bytes(32)).sign(b"x"))
    more = [("Codifica-Writer", other), ("Codifica-Writer", "none")]
    stage.decide(running_, by="robot", token=stage.token, more=more)
    proof = stage.proof("FEAT-1", "--proof")
    assert told(proof, 2)[2] == "and the session that holds the task, with its writer key ED25519 KEY"
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


# -- keys


def test_a_key_that_was_revoked_later_still_proves_what_was_there(stage: Stage, tmp_path: Path) -> None:
    decided = stage.decide(rejected(), by="carol")
    revoked = public_line(stage.signer_of("carol").key) + "\n"
    stage.decide({".codifica/revoked_keys": revoked}, by="alice", proof="git")
    stage.decide(rejected("todo"), by="alice")
    proof = stage.proof("FEAT-2", "--proof", tmp_path / "proof", "--at", decided.decode())
    assert told(proof, 3)[-1] == "revoked later, in COMMIT: what was there before stands"
    alone = Alone(tmp_path)
    assert alone.failing(proof, stage.plain.path) == []
    assert alone.check(tmp_path / "proof", stage.plain.path) == (0, [])
    # The log says the same of both sides of the revocation.
    late = stage.decide(rejected(), by="carol")
    assert [step["actor"] for step in stage.proof("FEAT-2")["steps"]][1:] == ["human:carol", "human:alice", None]
    assert held(stage.proof("FEAT-2", "--proof", "--at", late.decode(), code=1)) == [1, 5, 6]


def test_without_a_list_nothing_is_revoked(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    stage.decide({".codifica/revoked_keys": None}, by="alice", proof="git")
    stage.decide(rejected(), by="carol")
    proof = stage.proof("FEAT-2", "--proof")
    assert told(proof, 3)[-1] == "not revoked at main COMMIT"
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


def test_a_revocation_that_a_merge_brings_leaves_what_was_there_before(stage: Stage, tmp_path: Path) -> None:
    base = stage.tip
    decided = stage.decide(rejected(), by="carol")
    revoked = {".codifica/revoked_keys": public_line(stage.signer_of("carol").key) + "\n"}
    side = stage.decide(revoked, base, by="alice", proof="git", push=False)
    stage.decide(revoked, stage.tip, side, by="alice")
    proof = stage.proof("FEAT-2", "--proof", "--at", decided.decode())
    assert told(proof, 3)[-1] == "revoked later, in COMMIT: what was there before stands"
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


def test_a_revoked_key_on_the_side_of_a_revocation_proves_nothing(stage: Stage) -> None:
    base = stage.tip
    revoked = {".codifica/revoked_keys": public_line(stage.signer_of("carol").key) + "\n"}
    side = stage.decide(rejected(), base, by="carol", push=False)
    stage.decide(revoked, by="alice", proof="git")
    stage.decide(rejected(), stage.tip, side, by="alice")
    (step,) = (step for step in stage.proof("FEAT-2")["steps"] if step["commit"] == side.decode())
    # Its parent's policy did not revoke it, and the branch did before: pre-receive refuses it for the one, and the audit says the same.
    assert step["actor"] == "human:carol"
    assert told(stage.proof("FEAT-2", "--proof", "--at", side.decode(), code=1), 4)[0].startswith("ID105 ")


def test_dates_of_a_key_are_held_against_the_receipts_time(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.listed["carol"] = 'valid-after="20261130",valid-before="20270101Z"'
    stage.begun({"work.md": work(task("FEAT-1"))})
    oid = stage.decide(rejected(), by="carol", proof="git")
    assert stage.clock < NOW - 90_000
    proof = stage.proof("FEAT-2", "--proof", "--at", oid.decode())
    assert told(proof, 3)[1] == "valid from 2026-11-30 00:00Z until 2027-01-01 00:00Z, and so at the receipt's time"
    commands = proof["facts"][1]["commands"]
    assert any("-Overify-time=2026" in command for command in commands)
    assert not any("verify-commit" in command for command in commands)  # it asks for the committer's date
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


def test_who_lists_a_key_is_followed_back_to_the_introduction(stage: Stage, tmp_path: Path) -> None:
    stage.signers["dora"] = "human:dora"
    stage.decide({".codifica/allowed_signers": stage.policy()[".codifica/allowed_signers"]}, by="alice", proof="git")
    stage.signers["emil"] = "agent:emil"
    maintained = stage.policy(maintainers=["human:alice", "human:dora"])[".codifica/guard.json"]
    stage.decide({".codifica/guard.json": maintained}, by="alice")
    stage.decide({".codifica/allowed_signers": stage.policy()[".codifica/allowed_signers"]}, by="dora")
    stage.decide(rejected("in_progress"), by="emil")
    proof = stage.proof("FEAT-2", "--proof", tmp_path / "proof")
    assert told(proof, 3)[:3] == [
        "agent:emil's key is listed since COMMIT, by human:dora",
        "human:dora's key is listed since COMMIT, by human:alice",
        "human:alice's key is listed since the introduction, COMMIT",
    ]
    alone = Alone(tmp_path)
    assert alone.failing(proof, stage.plain.path) == []
    assert alone.check(tmp_path / "proof", stage.plain.path) == (0, [])


def test_a_key_that_nobody_proven_listed_does_not_hold(stage: Stage) -> None:
    stage.signers["dora"] = "human:dora"
    changes = {".codifica/allowed_signers": stage.policy()[".codifica/allowed_signers"]}
    stage.main(stage.commit(changes, stage.tip))
    stage.decide(rejected(), by="dora")
    proof = stage.proof("FEAT-2", "--proof", code=1)
    assert held(proof) == [1, 2, 4, 5, 6]
    assert told(proof, 3)[0] == "human:dora's key is listed since COMMIT, by nobody who is proven"


@pytest.mark.parametrize("curve", [False, True])
def test_a_hardware_keys_touch_is_in_the_signatures_own_bytes(tmp_path: Path, curve: bool) -> None:  # noqa: FBT001 - a row
    stage = Stage(tmp_path)
    stage.hardware["carol"] = SoftFido(curve=curve)
    stage.begun({"work.md": work(task("FEAT-1"))})
    stage.decide(rejected(), by="carol")
    proof = stage.proof("FEAT-2", "--proof", tmp_path / "proof")
    kind = "ECDSA-SK" if curve else "ED25519-SK"
    assert told(proof, 2)[0] == f"SSHSIG, namespace codifica-guard, {kind} KEY, user present"
    assert stage.proof("FEAT-2")["steps"][-1]["touched"] is True
    assert "signed+touch" in stage.guard("log", "FEAT-2").said
    alone = Alone(tmp_path)
    assert alone.failing(proof, stage.plain.path) == []
    assert alone.check(tmp_path / "proof", stage.plain.path) == (0, [])


# -- receipts and the anchor


def test_who_pushed_when_and_what_he_was_told(stage: Stage, tmp_path: Path) -> None:
    oid = stage.commit(rejected(), stage.tip, by="alice")
    warned = (
        Warned(code="CD207", commit=oid),
        Warned(code="CD209", commit=oid),
        Warned(code="CD101", commit=stage.tip),
    )
    pusher = Pusher(name="alice", by="gitea", how="ssh key 12")
    stage.main(oid, pusher=pusher, warnings=warned, late=True, paused="a restore")
    proof = stage.proof("FEAT-2", "--proof")
    assert told(proof, 5) == [
        told(proof, 5)[0].partition(", pusher")[0] + ", pusher alice (gitea, ssh key 12)",
        "signed with ED25519 KEY",
        "written late: the push's own hook did not come to it",
        "it passed in a pause: no rule held it up",
        "the pusher was warned: CD207, CD209",
    ]
    assert re.fullmatch(r"receipt 2 by server:git\.example\.org, \S+ \S+Z, pusher.*", told(proof, 5)[0])
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


def test_a_servers_key_with_an_end_is_held_against_the_receipts_time(stage: Stage, tmp_path: Path) -> None:
    signers = str(stage.policy()[".codifica/allowed_signers"])
    dated = signers.replace("server:git.example.org ", 'server:git.example.org valid-before="20261201Z" ')
    stage.decide({".codifica/allowed_signers": dated}, by="alice")
    stage.decide(rejected(), by="alice")
    proof = stage.proof("FEAT-2", "--proof")
    assert any("-I server:git.example.org -Overify-time=2026" in command for command in proof["facts"][4]["commands"])
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


def test_without_receipts_it_is_told_how_to_get_them(stage: Stage) -> None:
    stage.decide(rejected(), by="alice", receipt=False)
    stage.chain([])
    fetch = "git fetch origin '+refs/codifica/*:refs/codifica/*'"
    assert told(stage.proof("FEAT-2", "--proof"), 5) == [f"no receipts are here; if the server keeps some: {fetch}"]


def test_the_receipt_of_a_branchs_birth_has_no_tip_before(stage: Stage, tmp_path: Path) -> None:
    oid = stage.decide(rejected(), by="alice", receipt=False)
    last = stage.receipt(stage.receipts[-1])
    stage.rewritten(replace(last, old=None, new=oid, number=1, tips={RefName(b"refs/heads/main"): oid}))
    proof = stage.proof("FEAT-2", "--proof")
    assert told(proof, 5)[0].startswith("receipt 1 by ")
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


def test_a_receipt_of_nobodys_is_none(stage: Stage) -> None:
    oid = stage.commit(rejected(), stage.tip, by="alice")
    stage.main(oid)
    receipts = [stage.receipt(receipt) for receipt in stage.receipts]
    stage.rewritten(*receipts, signer=key_of("bob"))
    assert told(stage.proof("FEAT-2", "--proof"), 5) == ["no receipt of a server that the policy lists saw it"]
    data = stage.proof("FEAT-2")
    assert (data["times"], data["differ"]) == ("commits", None)


def test_a_servers_key_that_is_listed_no_more_is_believed_for_what_it_saw(stage: Stage, tmp_path: Path) -> None:
    oid = stage.decide(rejected(), by="alice")
    del stage.signers["server"]
    stage.decide({".codifica/allowed_signers": stage.policy()[".codifica/allowed_signers"]}, by="alice", receipt=False)
    proof = stage.proof("FEAT-2", "--proof", "--at", oid.decode())
    assert told(proof, 5)[0].startswith("receipt 2 by server:git.example.org, ")
    assert Alone(tmp_path).failing(proof, stage.plain.path) == []


def test_an_introduction_that_the_reader_knows_is_held_against_the_histories(stage: Stage) -> None:
    stage.decide(rejected(), by="alice")
    introduction = stage.plain.git("config", "codifica.introduction").decode()
    assert told(stage.proof("FEAT-2", "--proof"), 6)[1] == "pinned in this clone (git config codifica.introduction)"
    named = stage.proof("FEAT-2", "--proof", "--introduction", introduction[:10])
    assert told(named, 6)[1] == "pinned: you named it"
    other = stage.proof("FEAT-2", "--proof", "--introduction", "main", code=1)
    assert told(other, 6)[1] == "you named COMMIT, and this history begins elsewhere"
    stage.plain.git("config", "--unset", "codifica.introduction")
    assert stage.proof("FEAT-2", "--proof")["facts"][5]["lines"][1] == (
        f"not pinned, taken from the repository itself. If you know it from elsewhere: --introduction {introduction}"
    )


# -- which decision


def test_the_newest_decision_is_proven_and_an_edit_only_where_there_is_no_decision(stage: Stage) -> None:
    stage.decide({"work.md": work(task("FEAT-1"), task("FEAT-3"))}, by="alice")
    stage.decide({"work.md": work(task("FEAT-1"), task("FEAT-3", title="Other"))}, by="bob")
    assert stage.proof("FEAT-3", "--proof")["question"] == "who filed FEAT-3?"
    edit = stage.decide({"work.md": work(task("FEAT-1", title="Other"), task("FEAT-3", title="Other"))}, by="bob")
    proof = stage.proof("FEAT-1", "--proof", "--at", edit.decode())
    assert (proof["question"], told(proof, 1)[0].partition(": ")[2]) == (
        "who changed FEAT-1?",
        "edited title; no other task, no other file",
    )


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (
            ["FEAT-1", "--proof"],
            1,
            "who filed FEAT-1 cannot be proven: COMMIT is older than the introduction of the guard",
        ),
        (["FEAT-9", "--proof"], 2, "there is no task FEAT-9"),
        (["FEAT-1", "--proof", "--at", "nothing"], 2, "nothing names no commit here"),
        (["FEAT-1", "--proof", "--at", "main"], 2, "changes nothing about FEAT-1 that is recorded"),
        (["FEAT-1", "--proof", "--at", "side"], 2, "COMMIT is not on main"),
        (["--proof"], 2, "name the task whose decision is to be proven, or a commit with --at"),
        (["--proof", "FEAT-1"], 2, "or a commit with --at: git codifica log FEAT-1 --proof"),
        (["FEAT-1", "--proof", ""], 2, "--proof takes a folder, and its name is empty here"),
        (["FEAT-1", "--at", "main"], 2, "--at and --introduction go with --proof"),
        (["FEAT-1", "--introduction", "main"], 2, "--at and --introduction go with --proof"),
        (["FEAT-1", "--proof", "--since", "7d"], 2, "--at COMMIT chooses it"),
        (["FEAT-1", "--proof", "-n", "2"], 2, "--at COMMIT chooses it"),
        (["FEAT-1", "--proof", "--introduction", "nothing"], 2, "nothing names no commit here"),
    ],
)
def test_what_cannot_be_proven_is_said(stage: Stage, words: list[str], code: int, text: str) -> None:
    stage.point("side", stage.commit(rejected(), stage.tip, by="alice"))
    done = stage.guard("log", *words)
    assert done.code == code
    assert text in ID.sub("COMMIT", done.said)
    answer = stage.guard("log", *words, "--json", "-q")
    assert (answer.json["exit"], answer.json["data"]) == (code, None)


def test_in_a_shallow_clone_nobody_can_tell(stage: Stage, tmp_path: Path) -> None:
    stage.decide(rejected(), by="alice")
    stage.plain.git("clone", "-q", "--depth", "1", f"file://{stage.plain.path}", str(tmp_path / "shallow"))
    done = stage.guard("-C", tmp_path / "shallow", "log", "FEAT-2", "--proof")
    assert done.code == 3
    assert "git fetch --unshallow" in done.said


def test_no_look_changes_anything(stage: Stage) -> None:
    stage.decide(rejected(), by="alice")
    before = stage.clean()
    stage.proof("FEAT-2", "--proof")
    stage.guard("log")
    kept = {name: data for name, data in stage.clean().items() if "/codifica-guard/policies/" not in name}
    assert kept == {name: data for name, data in before.items() if "/codifica-guard/policies/" not in name}


def test_words_of_an_act_that_the_log_seldom_has() -> None:
    act = Act(
        task=TaskId("FEAT-1"), deed=Deed.EDIT, source="todo", target="todo", commit=ObjectId(b"1" * 40), at=NOW, dated=NOW,
        actor="human:alice", claimed=None, mark=Mark.ATTESTED, edited=("title",), migration="v0.1 to v0.2",
    )  # fmt: skip
    row = step_row(act, named=False)
    assert row[1:4] == ("migrated, edited title", "human:alice", "attested")
    assert row[-1] == 'migration "v0.1 to v0.2"'
    assert standing(replace(act, judged=False)) == "before the guard"
    assert who(replace(act, actor=None, mark=Mark.UNPROVEN)) == "nobody, unproven"


def test_a_folder_that_cannot_be_made_is_said(stage: Stage) -> None:
    stage.decide(rejected(), by="alice")
    done = stage.guard("log", "FEAT-2", "--proof", "/proc/proof")
    assert done.code == 3
    assert "/proc/proof cannot be written: " in done.said
