"""`demo`: every trick is refused by the rule that is meant, also on a machine with odd settings."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard.cli import demo, sandbox
from codifica_guard.cli.demo import table
from codifica_guard.cli.sandbox import Done, Sandbox
from codifica_guard.cli.scenes import SCENES, Scene, Step
from codifica_guard.errors import RepositoryError
from codifica_guard.model.ids import Principal
from tests.unit.cli_b.conftest import inside


@pytest.fixture
def odd(tmp_path: Path) -> dict[str, str]:
    """Settings that would break a careless demo."""
    home = tmp_path / "home"
    (home / "hooks").mkdir(parents=True)
    (home / "hooks" / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (home / "hooks" / "pre-commit").chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[commit]\ngpgsign = true\n[core]\nhooksPath = {home}/hooks\nautocrlf = true\n[init]\ndefaultBranch = trunk\n"
        "[user]\nuseConfigOnly = true\n[gpg]\nprogram = /nonexistent\n[pull]\nrebase = true\n"
    )
    return {"GIT_DIR": "/nonexistent", "GIT_AUTHOR_NAME": "Eve", "GIT_INDEX_FILE": "/nonexistent", "PYTHONPATH": "/x"}


def test_every_scene_comes_out_and_leaves_nothing(tmp_path: Path, odd: dict[str, str]) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    tempfile.tempdir = None
    done = inside(["demo", "--fast"], cwd=tmp_path, home=tmp_path / "home", env={**odd, "TMPDIR": str(temporary)})
    tempfile.tempdir = None
    assert done.code == 0, done.said
    assert done.err == b""
    assert done.out.isascii()
    text = done.text
    for number, scene in enumerate(SCENES, 1):
        assert f"{number}/6  {scene.title}\n" in text
    for code in ("CD301", "CD303", "ID106", "ID112", "ID109"):
        assert f"     remote: {code} " in text
    assert text.count("remote: codifica-guard: push refused, ") == 5
    assert text.count("git push  accepted") == 5
    assert "FEAT-103  to_be_tested -> done         human:alice    signed trailer" in text
    assert str(temporary) not in text
    assert list(temporary.iterdir()) == []


def only(monkeypatch: pytest.MonkeyPatch, number: int, first: Callable[[Sandbox], object] = bool) -> None:
    """Let the demo have one scene, before which something happens to the world."""
    scene = SCENES[number - 1]

    def play(world: Sandbox) -> tuple[Step, ...]:
        first(world)
        return scene.play(world)

    monkeypatch.setattr(demo, "SCENES", (Scene(scene.title, scene.told, play),))


def test_the_folders_may_stay_and_programs_get_the_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, 3)
    kept = tmp_path / "a b" / "demo"
    done = inside(["demo", "--json", "--keep", kept], cwd=tmp_path, home=tmp_path)
    assert done.code == 0, done.said
    data = json.loads(done.out)["data"]
    assert data["scenes"] == [{"title": "a forged approval", "pushes": [{"who": "builder", "accepted": False, "due": "ID106", "fault": None}]}]  # fmt: skip
    assert data["faults"] == data["history"] == []
    assert (kept / "shop.git" / "HEAD").is_file()
    again = inside(["demo", "--keep", kept], cwd=tmp_path, home=tmp_path)
    assert (again.code, b"is there already" in again.err) == (2, True)
    (tmp_path / "file").touch()
    assert inside(["demo", "--keep", tmp_path / "file" / "x"], cwd=tmp_path, home=tmp_path).code == 2


def test_a_server_without_the_guard_fails_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, 3, lambda world: (world.root / "shop.git" / "hooks" / "pre-receive").unlink())
    done = inside(["demo", "--fast"], cwd=tmp_path, home=tmp_path)
    assert done.code == 1
    assert done.err == b"codifica-guard demo: scene 1, a forged approval: builder's push was to be refused by ID106 and was taken\n"  # fmt: skip
    assert "builder: git push  accepted" in done.text
    assert "FEAT-101  to_be_tested -> done  nobody  unsigned" in done.text


def test_an_introduction_that_is_refused_ends_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sandbox.PEOPLE, "alice", Principal("agent:alice"))
    done = inside(["demo", "--fast"], cwd=tmp_path, home=tmp_path)
    assert (done.code, b"the introduction was refused" in done.err) == (3, True)


def test_without_git_it_says_so(tmp_path: Path) -> None:
    done = inside(["demo", "--fast"], cwd=tmp_path, home=tmp_path, env={"PATH": str(tmp_path)})
    assert (done.code, b"cannot run git" in done.err) == (3, True)


@pytest.mark.parametrize(
    ("done", "code", "words", "fault"),
    [
        (Done(0, ""), None, (), None),
        (Done(1, ""), None, (), "builder's push was to be taken and was refused"),
        (Done(0, ""), "ID106", (), "builder's push was to be refused by ID106 and was taken"),
        (Done(1, "! [rejected]"), "ID106", (), "builder's push was to be refused by ID106, and was not by that"),
        (Done(1, "remote: g: push refused, 1 error: ID109"), "ID106", (), "builder's push was to be refused by ID106, and was not by that"),
        (Done(1, "remote: g: push refused, 1 error: ID106"), "ID106", (), None),
        (Done(1, "remote: g: push refused, 1 error: ID106"), "ID106", ("alice",), "ID106 does not say alice"),
        (Done(1, "remote: g: push refused, 1 error: ID106\nremote:   of   alice"), "ID106", ("of alice",), None),
    ],
)  # fmt: skip
def test_a_scene_that_comes_out_wrong_is_told(
    done: Done, code: str | None, words: tuple[str, ...], fault: str | None
) -> None:
    assert Step(who="builder", done=done, code=code, words=words).fault == fault


def test_a_table_is_in_columns() -> None:
    assert table([("a", "b -> c", "human:x", "p", "1234567")]) == (
        "task  from -> to  who      proof  commit",
        "a     b -> c      human:x  p      1234567",
    )


def test_a_step_that_has_to_work_says_what_went_wrong(tmp_path: Path) -> None:
    world = Sandbox.at(tmp_path / "w")
    with pytest.raises(RepositoryError, match="git status"):
        world.must(["git", "status"], tmp_path)
    with pytest.raises(RepositoryError, match="cannot run"):
        world.run([tmp_path / "nothing"], tmp_path)
    clone = world.root / "builder"
    clone.mkdir()
    (clone / "work.md").write_text("```yaml\n- id: FEAT-1\n  state: [\n```\n")
    with pytest.raises(RepositoryError, match="FEAT-1 cannot be read"):
        world.task("builder", "FEAT-1")
