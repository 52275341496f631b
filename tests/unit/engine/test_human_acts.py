"""What takes a human's own hand: evidence does, a message does not; and what a merge decides about evidence."""

from pathlib import Path

from codifica_guard.model.ids import ObjectId
from tests.unit.engine.land import Land, codes, errors, work

SHOT = "assets/FEAT-1/shot.png"


def test_a_change_of_evidence_is_a_humans_own_and_an_addition_is_anybodys(land: Land, intro: ObjectId) -> None:
    old = land.commit({SHOT: "old"}, intro, by="alice")
    assert land.push(old).accepted
    assert errors(land.push(land.commit({SHOT: "new"}, old, by="alice", stale_author=True))) == {"ID112"}
    assert errors(land.push(land.commit({"src/x.py": "x"}, old, by="alice", stale_author=True))) == set()
    assert errors(land.push(land.commit({SHOT: "new"}, land.at("main") or old, by="alice"))) == set()


def test_presence_is_asked_for_tasks_and_not_for_files(tmp_path: Path) -> None:
    land = Land(tmp_path / "r", human_presence="hardware-key")
    intro = land.introduce()
    old = land.commit({SHOT: "old"}, intro, by="alice")
    assert errors(land.push(old)) == set()
    new = land.commit({SHOT: "new", "README.md": "x"}, old, by="alice")
    assert errors(land.push(new)) == set()
    assert errors(land.push(land.commit({"work.md": work(FEAT_1="x")}, new, by="alice"))) == {"ID111"}


def test_a_message_without_a_task_is_told_and_makes_no_humans_act(land: Land, intro: ObjectId) -> None:
    filed = land.commit({"work.md": work().replace("```\n", "- id: NEW-1\n  type: build\n  state: todo\n  owner: unassigned\n  title: N\n```\n")}, intro, by="alice", stale_author=True, message="One more")  # fmt: skip
    verdict = land.push(filed)
    assert (verdict.accepted, codes(verdict)) == (True, {"CD412"})


def test_an_agents_merge_decides_nothing_about_evidence(land: Land, intro: ObjectId) -> None:
    base = land.commit({SHOT: "old", "assets/FEAT-2/a": "a"}, intro, by="alice")
    assert land.push(base).accepted
    mine = land.commit({SHOT: "new"}, base, by="alice")
    theirs = land.commit({"src/b.py": "b"}, base)
    assert land.push(mine).accepted
    kept, undone, own = (
        land.commit({"src/b.py": "b", **files}, mine, theirs, by="builder")
        for files in ({}, {SHOT: "old"}, {"assets/FEAT-2/a": "b"})
    )
    assert errors(land.push(undone)) == {"CD406"}
    assert errors(land.push(own)) == {"CD406"}
    assert errors(land.push(kept)) == set()
