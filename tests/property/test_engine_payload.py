"""A payload says what a commit does, wherever it sits; and it says all of it."""

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.engine.facts import Facts, deed_of
from codifica_guard.model.ids import ObjectId, Principal
from tests.unit.engine.land import Land, Value
from tests.unit.views import document, task

ALICE = Principal("human:alice")


class Scene:
    """A guarded repository with two state documents."""

    def __init__(self, folder: Path) -> None:
        self.land = Land(folder / "repo")
        self.board = {"work.md": {f"W-{n}": "todo" for n in range(4)}, "done.md": {f"D-{n}": "done" for n in range(3)}}
        files: dict[str, Value] = {path: text(tasks, path) for path, tasks in self.board.items()}
        first = self.land.begin({**files, **{f"src/{n}.py": str(n) for n in range(4)}})
        self.intro = self.land.introduce(first, settings={"state": ["work.md", "done.md"]})


def text(tasks: dict[str, str], frame: str) -> str:
    return document(*(task(name, title=title) for name, title in tasks.items()), text=f"# {frame}\n")


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with tempfile.TemporaryDirectory() as folder:
        yield Scene(Path(folder))


def payload(scene: Scene, oid: ObjectId) -> bytes:
    with scene.land.store() as store:
        world = scene.land.world(store, scene.intro)
        commit = store.commit(oid)
        return Facts(world, deed_of(commit), world.trailers(commit), lambda: world.own_policy(oid)).payload(ALICE)


def changes(
    chance: random.Random, board: dict[str, dict[str, str]], names: Sequence[str], marks: str
) -> dict[str, Value]:
    """Some changes of the tasks that are named, and of paths that end in a digit of the marks; the board follows."""
    touched: dict[str, Value] = {}
    for name in names:
        home = next((path for path in board if name in board[path]), None)
        deed = chance.choice(("edit", "drop", "move", "nothing"))
        if home is None or deed == "nothing":
            continue
        title = board[home][name]
        if deed == "edit":
            board[home][name] = f"t{chance.randrange(9)}"
        else:
            del board[home][name]
            if deed == "move":
                board["done.md" if home == "work.md" else "work.md"][name] = title
    for mark in marks:
        if chance.random() < 0.5:
            touched[f"src/{mark}.py"] = chance.choice(("x", "y", None))
        if chance.random() < 0.3:
            touched[f"src/new-{mark} \u00e9"] = "n"
    return touched | {path: text(tasks, path) for path, tasks in board.items()}


def copied(board: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {path: dict(tasks) for path, tasks in board.items()}


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_guard_reads_the_grammar_as_a_second_reader_does(scene: Scene, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
    land, board = scene.land, copied(scene.board)
    one = land.commit(changes(chance, board, ["W-0", "W-1", "D-0"], "01"), scene.intro)
    side = copied(scene.board)
    two = land.commit(changes(chance, side, ["W-2", "W-1", "D-1"], "12"), scene.intro)
    merge = land.commit({path: text(tasks, path) for path, tasks in chance.choice((board, side)).items()}, one, two)
    for oid in (one, two, merge):
        assert payload(scene, oid) == land.payload(land.trees[oid], land.parents[oid], ALICE)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_other_peoples_commits_below_leave_it_as_it_is(scene: Scene, seed: int) -> None:
    land = scene.land
    moves = {"W-0", "W-1", "D-0"}

    def mine(start: ObjectId, board: dict[str, dict[str, str]]) -> ObjectId:
        chance = random.Random(seed)  # noqa: S311 - the same deeds on another base
        names = [n for n in ("W-0", "W-1", "D-0") if n in moves]
        return land.commit(changes(chance, board, names, "01"), start)

    own = mine(scene.intro, copied(scene.board))
    board = copied(scene.board)
    other = random.Random(seed + 1)  # noqa: S311 - seeded, to be the same every time
    below = land.commit(changes(other, board, ["W-2", "W-3", "D-1"], "23"), scene.intro)
    rebased = mine(below, board)
    assert payload(scene, own) == payload(scene, rebased)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(["field", "mode", "trust", "trailer", "report", "frame", "file", "order", "value"]),
)
def test_every_covered_change_more_changes_it(scene: Scene, seed: int, kind: str) -> None:
    chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
    land, board = scene.land, copied(scene.board)
    base = changes(chance, board, ["W-0", "D-0"], "0")
    plain = land.commit(base, scene.intro)
    again = land.commit(base, scene.intro, message="Other words", trailers=[("Change-Id", str(seed))])
    assert payload(scene, plain) == payload(scene, again)
    more: dict[str, Value] = dict(base)
    trailers: list[tuple[str, str]] = []
    message = "FEAT-1: change"
    work = copied(board)["work.md"]
    if kind == "field":
        more["work.md"] = text({**work, "W-3": "else"}, "work.md")
    elif kind == "mode":
        more["src/3.py"] = ("100755", land.trees[scene.intro]["src/3.py"][1])
    elif kind == "trust":
        more[".codifica/revoked_keys"] = "# nobody\n"
    elif kind == "trailer":
        trailers = [("Codifica-Reason", "why")]
    elif kind == "report":
        message += "\n\nREPORT x\nfine"
    elif kind == "frame":
        more["work.md"] = text(work, "other")
    elif kind == "file":
        more["src/slipped.py"] = "s"
    elif kind == "value":
        more["src/3.py"] = "changed"
    else:
        more["work.md"] = text(dict(reversed(work.items())), "work.md")
    assert payload(scene, plain) != payload(scene, land.commit(more, scene.intro, message=message, trailers=trailers))
