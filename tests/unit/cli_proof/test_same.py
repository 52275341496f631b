"""`log` and the audit say the same about the same commit."""

import os
from pathlib import Path

import pytest

from codifica_guard.clone.desk import open_desk
from codifica_guard.model.act import Act
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.history import History, witnesses_of
from tests.unit.cli_proof.stage import Stage, board, task
from tests.unit.cli_proof.stories import Story
from tests.unit.engine.land import Value


def logged(stage: Stage) -> set[Act]:
    """What the log knows, without what is older than the guard."""
    environ = {b"HOME": os.fsencode(stage.folder), b"PATH": os.fsencode(os.environ["PATH"])}
    with open_desk(stage.now, os.fsencode(stage.plain.path), environ) as desk:
        here = board_at(desk)
        return {act for act in History(board=here, witnesses=witnesses_of(here)).acts() if act.judged}


@pytest.mark.parametrize("receipt", [True, False])
def test_every_act_of_a_story_is_told_alike(tmp_path: Path, receipt: bool) -> None:  # noqa: FBT001 - a row
    story = Story(tmp_path, receipt=receipt)
    story.merge()
    stage = story.stage
    if not receipt:
        stage.chain([])
    assert logged(stage) == set(stage.audit().acts)
    assert len(logged(stage)) == 7


def test_sides_from_before_the_guard_revocations_and_clean_joins_are_told_alike(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begun({"work.md": board(task("FEAT-1"), task("FEAT-2"), task("FEAT-3"))})
    begin, base = stage.parents[stage.tip][0], stage.tip

    def told(one: str = "a", two: str = "b", *more: str) -> dict[str, Value]:
        return {"work.md": board(task("FEAT-1", title=one), task("FEAT-2", *more, title=two), task("FEAT-3"))}

    # A side that knows no policy yet, and one that is signed with a key which is revoked meanwhile.
    old = stage.commit(
        {"work.md": board(task("FEAT-1"), task("FEAT-2"), task("FEAT-3", title="old"))}, begin, by="alice"
    )
    side = stage.decide(told(two="by carol"), base, by="carol", push=False)
    key = next(line for line in str(stage.policy()[".codifica/allowed_signers"]).splitlines() if "carol" in line)
    stage.decide({".codifica/revoked_keys": f"{key.split(' ', 1)[1]}\n"}, by="alice", proof="git")
    stage.decide(told(one="by bob", two="Login form"), by="bob")
    both = told(one="by bob", two="by carol")
    # One brings only what its sides have.
    stage.main(stage.commit(both, stage.tip, side))
    with_old = {
        "work.md": str(both["work.md"]).replace(
            "- id: FEAT-3\n  type: build\n  state: todo\n  owner: unassigned\n  title: Login form",
            "- id: FEAT-3\n  type: build\n  state: todo\n  owner: unassigned\n  title: old",
        )
    }
    stage.main(stage.commit(with_old, stage.tip, old))
    mine, theirs = logged(stage), set(stage.audit().acts)
    assert mine == theirs
    assert {(act.task, act.actor) for act in mine} >= {("FEAT-1", "human:bob"), ("FEAT-3", "human:alice")}
