"""A push through both hooks: what its receipts say, and what becomes of pushes whose own hook did not come to it."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.audit import handover, pending
from codifica_guard.audit.writing import append_chosen
from codifica_guard.identity.keys import fingerprint
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import PUSH, Line, Pusher, Receipt, Warned
from codifica_guard.model.times import stamp
from tests.building import tasks
from tests.building.board import document, fence
from tests.unit.engine.land import NOW, Land, key_of, work
from tests.unit.hooks_server.served import MAIN, Served, make_served

DAY = 24 * 60 * 60
RELEASE = "refs/heads/release/1"


def code(land: Land, parent: ObjectId, name: str = "b") -> ObjectId:
    return land.commit({f"src/{name}.py": name}, parent)


def board(*fields: tasks.Fields) -> str:
    return document(fence(*(tasks.block(f) for f in fields)))


def rejected(task: tasks.Fields) -> tasks.Fields:
    """Rejected with a reason, by somebody else's name and without the time: two warnings."""
    row = tasks.entry("todo", "rejected", "agent:builder", when=stamp(NOW), reason="no")
    return tasks.changed(task, {"state": "rejected", "state_transitions": [row]})


def refs(receipts: list[Receipt]) -> list[tuple[str, bytes | None, bytes | None, bool]]:
    return [((r.ref or b"").decode(), r.old, r.new, r.late) for r in receipts]


def test_a_push_has_one_receipt_that_says_all_of_it(served: Served) -> None:
    intro = served.land.introduce()
    new = code(served.land, intro)
    assert served.push((intro, new, MAIN)) == ""
    [receipt] = served.sound()
    assert receipt == Receipt(
        number=1, kind=PUSH, repository="00112233445566778899aabbccddeeff", server="server:git.example.org", guard="0.1.0", ruleset=1,
        time=NOW, introduction=intro, push=receipt.push, ref=RefName(MAIN.encode()), old=intro, new=new, coordination=intro,
        coordinating=True, pusher=Pusher(), tips={RefName(MAIN.encode()): new},
    )  # fmt: skip
    assert len(receipt.push) == 16
    assert int(receipt.push, 16) >= 0
    assert served.pending == []
    assert not (served.git_dir / "codifica-guard" / "pending").exists()


def test_transitions_and_warnings_are_told_with_who_is_proven(served: Served) -> None:
    task = tasks.task("FEAT-1")
    intro = served.land.introduce(served.land.begin({"work.md": board(task)}))
    new = served.land.commit({"work.md": board(rejected(task))}, intro, by="alice")
    assert "push accepted, 2 warnings: CD207 CD209" in served.push((intro, new, MAIN))
    [receipt] = served.sound()
    assert receipt.lines == (
        Line(record="codifica/FEAT-1", source="todo", target="rejected", actor="human:alice", key=fingerprint(key_of("alice").key), proof="S", commit=new),
    )  # fmt: skip
    assert receipt.warnings == tuple(Warned(code=c, task="FEAT-1", commit=new) for c in ("CD207", "CD209"))


def test_a_refused_push_leaves_nothing(served: Served) -> None:
    intro = served.land.introduce()
    good, bad = code(served.land, intro), served.land.commit({"work.md": work(FEAT_1="x")}, intro)
    assert served.pre((intro, bad, MAIN), (None, good, "refs/heads/x"))[0] == 1
    assert served.pending == []


def test_free_branches_have_no_receipt_and_start_nothing(served: Served) -> None:
    intro = served.land.introduce()
    served.push((None, code(served.land, intro), "refs/heads/topic"))
    assert served.receipts() == []
    assert not (served.git_dir / "codifica-guard" / "pending").exists()


def test_each_judged_branch_of_a_push_has_its_own_with_what_it_brought(served: Served) -> None:
    land = served.land
    task = tasks.task("FEAT-1")
    intro = land.introduce(land.begin({"work.md": board(task)}))
    released = code(land, intro)
    new = land.commit({"work.md": board(rejected(task))}, intro, by="alice")
    served.push((intro, new, MAIN), (None, released, RELEASE), (None, released, "refs/heads/topic"))
    chain = served.sound()
    assert refs(chain) == [(MAIN, intro, new, False), (RELEASE, None, released, False)]
    assert {r.push for r in chain} == {chain[0].push}
    assert [len(r.lines) for r in chain] == [1, 0]
    assert [bool(r.warnings) for r in chain] == [True, False]
    assert [r.coordinating for r in chain] == [True, False]
    assert {r.coordination for r in chain} == {intro}


def test_a_push_to_a_symbolic_ref_has_the_receipt_of_what_it_names(served: Served) -> None:
    intro = served.land.introduce()
    served.land.plain.git("symbolic-ref", "refs/heads/alias", MAIN)
    new = code(served.land, intro)
    assert served.pre((intro, new, "refs/heads/alias"), (intro, new, MAIN)) == (0, "")
    served.land.point("main", new)
    assert served.post((intro, new, "refs/heads/alias"), (intro, new, MAIN)) == (0, "")
    assert refs(served.sound()) == [(MAIN, intro, new, False)]


def test_the_push_that_introduces_the_guard_has_the_first_receipt(served: Served) -> None:
    land = served.land
    first = land.begin()
    land.point("main", first)
    land.config("codifica.trust", fingerprint(key_of("alice").key))
    intro = land.commit(land.policy(), first, by="alice")
    served.push((first, intro, MAIN))
    [receipt] = served.sound()
    assert (receipt.introduction, receipt.repository, receipt.ruleset) == (intro, "00112233445566778899aabbccddeeff", 1)


def test_before_the_guard_is_introduced_there_are_none(served: Served) -> None:
    first = served.land.begin()
    served.land.point("main", first)
    served.push((first, served.land.commit({"src/x.py": "x"}, first), MAIN))
    assert served.receipts() == []


def test_a_server_without_a_key_writes_none_and_says_nothing(served: Served) -> None:
    served.key.unlink()
    intro = served.land.introduce()
    assert served.push((intro, code(served.land, intro), MAIN)) == ""
    assert (served.receipts(), served.pending) == ([], [])


def test_sha256_repositories_have_receipts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served = make_served(tmp_path / "r.git", monkeypatch, capsys, "sha256")
    intro = served.land.introduce()
    one = code(served.land, intro)
    served.push((intro, one, MAIN))
    served.push((one, code(served.land, one, "c"), MAIN))
    assert len(served.sound()) == 2


# -- a hook that was killed


def test_the_next_push_writes_what_a_killed_hook_did_not_and_says_that_it_is_late(served: Served) -> None:
    intro = served.land.introduce()
    one = code(served.land, intro, "1")
    two, three = code(served.land, one, "2"), code(served.land, one, "3")
    served.push((intro, one, MAIN), killed=True, now=NOW - 50)
    served.push((None, three, RELEASE), killed=True, now=NOW - 40)
    served.push((one, two, MAIN), now=NOW)
    chain = served.sound()
    assert refs(chain) == [(MAIN, intro, one, True), (RELEASE, None, three, True), (MAIN, one, two, False)]
    assert [r.time for r in chain] == [NOW - 50, NOW - 40, NOW]
    assert served.pending == []


def test_a_push_of_a_free_branch_writes_it_too(served: Served) -> None:
    intro = served.land.introduce()
    one = code(served.land, intro, "1")
    served.push((intro, one, MAIN), killed=True)
    served.push((None, one, "refs/heads/topic"))
    assert refs(served.sound()) == [(MAIN, intro, one, True)]


@pytest.mark.parametrize("data", [b"", b"nonsense\n", b"0 1 2"])
def test_what_cannot_be_read_on_standard_input_still_lets_earlier_pushes_have_theirs(
    served: Served, data: bytes
) -> None:
    intro = served.land.introduce()
    one = code(served.land, intro, "1")
    served.push((intro, one, MAIN), killed=True)
    assert served.post(data=data) == (0, "")
    assert refs(served.sound()) == [(MAIN, intro, one, True)]


def test_files_that_a_killed_hook_left_behind_its_receipt_make_no_second_one(served: Served) -> None:
    intro = served.land.introduce()
    one = code(served.land, intro, "1")
    two = code(served.land, one, "2")
    assert served.pre((intro, one, MAIN))[0] == 0
    [left] = served.pending
    kept = left.read_bytes()
    served.land.point("main", one)
    served.post((intro, one, MAIN))
    left.parent.mkdir()
    left.write_bytes(kept)  # it was killed between the ref and the file
    served.push((one, two, MAIN), killed=True)
    assert served.post((intro, one, MAIN)) == (0, "")  # and is run again
    served.post()
    assert refs(served.sound()) == [(MAIN, intro, one, False), (MAIN, one, two, True)]
    assert served.pending == []


def test_a_whole_push_that_came_back_from_the_dead_is_known_by_its_id(served: Served) -> None:
    land = served.land
    intro = land.introduce()
    one = code(land, intro, "1")
    kept: dict[Path, bytes] = {}
    two = code(land, one, "2")
    for old, new in ((intro, one), (one, two)):
        served.pre((old, new, MAIN))
        kept |= {p: p.read_bytes() for p in served.pending}
        served.move((old, new, MAIN))
        served.post((old, new, MAIN))
    for path, data in kept.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    assert served.post((intro, one, MAIN)) == (0, "")
    assert len(served.sound()) == 2
    assert served.pending == []


def test_a_push_that_lost_its_race_never_has_one_and_its_file_goes(served: Served) -> None:
    intro = served.land.introduce()
    won, lost = code(served.land, intro, "1"), code(served.land, intro, "2")
    assert served.pre((intro, lost, MAIN))[0] == 0
    served.push((intro, won, MAIN))
    assert refs(served.sound()) == [(MAIN, intro, won, False)]
    assert served.pending == []


def test_a_push_whose_branch_moved_before_it_was_judged_leaves_nothing(served: Served) -> None:
    intro = served.land.introduce()
    won, late = code(served.land, intro, "1"), code(served.land, intro, "2")
    served.push((intro, won, MAIN))
    assert served.pre((intro, late, MAIN))[0] == 0  # Git refuses it then
    assert served.pending == []


def test_a_push_that_another_hook_refused_goes_after_a_day(served: Served) -> None:
    intro = served.land.introduce()
    never, other = code(served.land, intro, "1"), code(served.land, intro, "2")
    assert served.pre((intro, never, MAIN), now=NOW)[0] == 0
    served.push((None, other, RELEASE), now=NOW + DAY - 10)
    assert len(served.pending) == 1
    served.post(now=NOW + DAY + 1)
    assert served.pending == []
    assert refs(served.sound()) == [(RELEASE, None, other, False)]


def test_what_came_in_has_its_receipt_however_old_it_is(served: Served) -> None:
    intro = served.land.introduce()
    one = code(served.land, intro, "1")
    served.push((intro, one, MAIN), killed=True, now=NOW - 90 * DAY)
    served.post()
    assert refs(served.sound()) == [(MAIN, intro, one, True)]


def test_a_ref_that_moved_behind_the_hook_gets_none(served: Served) -> None:
    land = served.land
    intro = land.introduce()
    one = code(land, intro, "1")
    two = code(land, one, "2")
    three = code(land, two, "3")
    served.push((intro, one, MAIN))
    land.point("main", two)
    served.push((two, three, MAIN))
    chain = served.sound()
    assert refs(chain) == [(MAIN, intro, one, False), (MAIN, two, three, False)]


def test_a_lost_push_is_not_believed_because_the_branch_came_there_later(served: Served) -> None:
    land = served.land
    intro = land.introduce()
    one = code(land, intro, "1")
    two = code(land, one, "2")
    assert served.pre((intro, two, MAIN))[0] == 0  # two commits at once, which loses
    served.push((intro, one, MAIN), killed=True)
    os.utime(served.pending[0])
    served.push((one, two, MAIN), killed=True)
    served.post()
    assert refs(served.sound()) == [(MAIN, intro, one, True), (MAIN, one, two, True)]
    assert served.pending == []


def test_torn_and_foreign_files_are_passed_over_and_ours_go_when_they_are_old(served: Served) -> None:
    intro = served.land.introduce()
    one = code(served.land, intro, "1")
    served.push((intro, one, MAIN), killed=True)
    [good] = served.pending
    place, data = good.parent, good.read_bytes()
    torn, other, empty = place / ("a" * 64), place / ("b" * 64), place / ("c" * 64)
    torn.write_bytes(data[:-5])
    other.write_bytes(data)  # whole, but of another name
    empty.write_bytes(b"")
    (place / "draft-1-x").write_bytes(data[:7])
    (place / "README").write_text("not ours")
    (place / ("d" * 64)).mkdir()
    (place / ("e" * 64)).symlink_to(place / "README")
    served.post(now=NOW)
    assert refs(served.sound()) == [(MAIN, intro, one, True)]
    ages = {p.name for p in (torn, other, empty, place / "draft-1-x")}
    assert ages <= {p.name for p in served.pending}
    for name in ages:
        os.utime(place / name, (NOW - 2 * DAY, NOW - 2 * DAY))
    served.post(now=NOW)
    assert {p.name for p in served.pending} == {"README", "d" * 64, "e" * 64}


def test_an_empty_folder_goes(served: Served) -> None:
    served.land.introduce()
    place = served.git_dir / "codifica-guard" / "pending"
    place.mkdir()
    assert served.post() == (0, "")
    assert not place.exists()


def test_many_are_caught_up_with_in_several_pushes(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.audit.handover.RECEIPTS_AT_ONCE", 2)
    tip = served.land.introduce()
    for number in range(3):
        new = code(served.land, tip, str(number))
        served.push((tip, new, MAIN), killed=True)
        tip = new
    for left in (1, 0):
        served.post()
        assert len(served.pending) == left
    assert len(served.sound()) == 3


# -- what goes wrong


def test_a_chain_that_cannot_be_read_lets_the_push_in_and_is_told_in_one_line(served: Served) -> None:
    land = served.land
    intro = land.introduce()
    one = code(land, intro, "1")
    land.plain.git("update-ref", "refs/codifica/receipts", intro.decode())
    told = served.push((intro, one, MAIN))
    assert told.startswith("codifica-guard: the push is in; its receipt could not be written: the newest receipt")
    assert "with this reference: " in told
    assert told.rpartition(" ")[2] in (served.git_dir / "codifica-guard" / "errors.log").read_text()
    assert len(served.pending) == 1
    land.plain.git("update-ref", "-d", "refs/codifica/receipts")
    served.post()
    assert refs(served.sound()) == [(MAIN, intro, one, True)]


@pytest.mark.parametrize("damage", ["gone", "folder", "garbage", "encrypted"])
def test_a_key_that_cannot_be_used_is_told_and_the_next_push_writes_the_receipt(served: Served, damage: str) -> None:
    land = served.land
    intro = land.introduce()
    one = code(land, intro, "1")
    kept = served.key.read_text()
    land.config("codifica.receiptKey", str(served.key))
    served.key.unlink()
    if damage == "folder":
        served.key.mkdir()
    elif damage == "garbage":
        served.key.write_bytes(b"\xff\x00 no key")
    elif damage == "encrypted":
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", served.key], check=True)
    told = served.push((intro, one, MAIN))
    assert f"the server's key {served.key} cannot be" in told
    assert "Traceback" not in told
    shutil.rmtree(served.key) if served.key.is_dir() else served.key.unlink(missing_ok=True)
    served.key.write_text(kept)
    served.post()
    assert refs(served.sound()) == [(MAIN, intro, one, True)]


def test_a_file_in_the_way_of_the_folder_refuses_the_push_and_leaves_nothing(served: Served) -> None:
    intro = served.land.introduce()
    (served.git_dir / "codifica-guard" / "pending").write_text("in the way")
    code_, told = served.pre((intro, code(served.land, intro), MAIN))
    assert code_ == 1
    assert "GD101" in told
    assert "accepted" not in told
    assert served.post() == (0, "")


def test_of_two_branches_both_are_kept_or_none(served: Served) -> None:
    intro = served.land.introduce()
    new = code(served.land, intro)
    place = served.git_dir / "codifica-guard" / "pending"
    place.mkdir()
    name = pending.name_of(RefName(RELEASE.encode()), None, new)
    (place / name.decode()).mkdir()
    (place / name.decode() / "x").write_text("")
    assert served.pre((intro, new, MAIN), (None, new, RELEASE))[0] == 1
    assert [p.name for p in served.pending] == [name.decode()]


def test_an_error_of_any_kind_never_fails_the_push(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    intro = served.land.introduce()
    served.push((intro, code(served.land, intro), MAIN), killed=True)
    monkeypatch.setattr("codifica_guard.audit.handover.append_chosen", lambda *_: 1 // 0)
    code_, told = served.post()
    assert code_ == 0
    assert told.startswith("codifica-guard: the push is in; its receipt could not be written. The next push writes it")
    assert "division" not in told
    (served.git_dir / "config").write_text("[broken")
    assert served.post()[0] == 0


def test_where_the_environment_says_objects_lie_is_not_read(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    intro = served.land.introduce()
    served.push((intro, code(served.land, intro), MAIN), killed=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(elsewhere))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(tmp_path))
    served.post()
    assert list(elsewhere.iterdir()) == []
    monkeypatch.delenv("GIT_OBJECT_DIRECTORY")
    assert len(served.sound()) == 1


def test_a_receipt_that_would_be_too_large_refuses_the_push(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "RECEIPT_BYTES", 100)
    intro = served.land.introduce()
    code_, told = served.pre((intro, code(served.land, intro), MAIN))
    assert code_ == 1
    assert "GD102" in told
    assert served.pending == []


# -- who pushed


def test_the_receipt_says_who_pushed_by_what_the_config_trusts(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.land.config("codifica.pusher", "gitea")
    monkeypatch.setenv("GITEA_PUSHER_NAME", "alice")
    monkeypatch.setenv("GITEA_KEY_ID", "12")
    intro = served.land.introduce()
    served.push((intro, code(served.land, intro), MAIN))
    [receipt] = served.sound()
    assert receipt.pusher == Pusher(name="alice", by="gitea", how="key 12")


def test_a_name_that_no_ref_can_have_is_no_branch_of_ours(served: Served) -> None:
    intro = served.land.introduce()
    one = code(served.land, intro)
    served.push((intro, one, MAIN), killed=True)
    assert served.post((None, one, "refs/heads/a..b")) == (0, "")
    assert refs(served.sound()) == [(MAIN, intro, one, True)]


def test_while_another_push_comes_in_no_file_is_taken_for_lost(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    land = served.land
    intro = land.introduce()
    one, lost = code(land, intro, "1"), code(land, intro, "2")
    assert served.pre((intro, lost, MAIN))[0] == 0
    [kept] = served.pending
    assert served.pre((intro, one, MAIN))[0] == 0
    land.point("main", one)
    real = append_chosen

    def meanwhile(*arguments: Any) -> tuple[Receipt, ...]:
        added = real(*arguments)
        served.pre((None, one, RELEASE))
        return added

    monkeypatch.setattr(handover, "append_chosen", meanwhile)
    served.post((intro, one, MAIN))
    assert kept in served.pending
    assert len(served.pending) == 2
