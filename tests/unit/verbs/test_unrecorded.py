"""What commits left out of the records: only what the guard saw."""

from pathlib import Path

from codifica_guard.clone.desk import open_desk
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.unrecorded import Unrecorded, recorded_state
from tests.building import Repo
from tests.building.times import seconds


def test_without_an_introduction_nothing_is_anybodys(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "done", completed_at=None).clone("alice")
    with open_desk(int(seconds()), str(Path(alice.folder)).encode()) as desk:
        board = board_at(desk)
        task = board.task("FEAT-1")
        assert not Unrecorded(board=board).undated(task)
        desk.world.introduction = None
        assert not Unrecorded(board=board).undated(task)
        assert Unrecorded(board=board).steps(task) == ()
        assert recorded_state(task) == "done"
