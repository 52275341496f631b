"""`demo`: every trick is refused by the rule that is meant, also on a machine with odd settings."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard.cli import demo, sandbox
from codifica_guard.cli.demo import table
from codifica_guard.cli.sandbox import PEOPLE, Done, Sandbox
from codifica_guard.cli.scenes import SCENES, Scene, Step, close, race, zombie
from codifica_guard.errors import RepositoryError
from codifica_guard.model.ids import Principal
from tests.building.inside import inside


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
    for number, scene in enumerate(SCENES, 2):
        assert f"{number}/6  {scene.title}\n" in text
    for codes in ("1 error: CD213", "1 error: ID106", "1 error: ID107"):
        assert f"     remote: codifica-guard: push refused, {codes}\n" in text
    assert text.count("remote: codifica-guard: push refused, ") == 3
    assert "lost FEAT-102: agent:" in text
    assert "claimed FEAT-104" in text
    assert re.search(r"FEAT-10[24]  to_be_tested -> done +human:alice +signed trailer +[0-9a-f]{7}\n", text)
    assert re.search(r"receipts  1-7, all hold, signed by server:shop SHA256:", text)
    assert text.endswith("; to see it as a page: codifica-guard demo --html demo.html")
    assert str(temporary) not in text
    assert list(temporary.iterdir()) == []


def plays(monkeypatch: pytest.MonkeyPatch, play: Callable[[Sandbox], tuple[Step, ...]]) -> None:
    """Let the demo have one scene."""
    monkeypatch.setattr(demo, "SCENES", (Scene("a scene", play),))


def forged(world: Sandbox) -> tuple[Step, ...]:
    world.fresh("builder")
    close(world, "builder", "FEAT-102", PEOPLE["alice"])
    world.commit("builder", "FEAT-102: approved", "--author=Alice <alice@example.org>")
    return (Step(who="builder", typed="git push", done=world.push("builder"), code="ID106"),)


def test_the_folders_may_stay_and_programs_get_the_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plays(monkeypatch, forged)
    kept = tmp_path / "a b" / "demo"
    page = tmp_path / "demo.html"
    done = inside(["demo", "--json", "--keep", kept, "--html", "demo.html"], cwd=tmp_path, home=tmp_path)
    assert done.code == 0, done.said
    data = done.json["data"]
    assert data["page"] == str(page)
    assert page.read_bytes().startswith(b"<!DOCTYPE html>")
    assert b"server:shop" in page.read_bytes()
    assert b"2/2  a scene\n" in done.err
    assert data["scenes"] == [{"title": "a scene", "steps": [{"who": "builder", "typed": "git push", "exit": 1, "due": "ID106", "fault": None}]}]  # fmt: skip
    assert data["faults"] == data["history"] == []
    assert (kept / "shop.git" / "HEAD").is_file()
    again = inside(["demo", "--keep", kept], cwd=tmp_path, home=tmp_path)
    assert (again.code, b"is there already" in again.err) == (2, True)
    (tmp_path / "file").touch()
    assert inside(["demo", "--keep", tmp_path / "file" / "x"], cwd=tmp_path, home=tmp_path).code == 2


def test_a_server_without_the_guard_fails_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unguarded(world: Sandbox) -> tuple[Step, ...]:
        (world.root / "shop.git" / "hooks" / "pre-receive").unlink()
        return forged(world)

    plays(monkeypatch, unguarded)
    done = inside(["demo", "--fast", "--html", tmp_path / "nowhere" / "x.html"], cwd=tmp_path, home=tmp_path)
    assert done.code == 1
    taken, unwritten = done.err.decode().splitlines()
    assert taken == "codifica-guard demo: scene 2, a scene: builder's git push was to be refused by ID106 and was taken"
    assert unwritten.startswith("codifica-guard demo: the audit ended with 2: codifica-guard audit: cannot write ")
    assert f"not written: {tmp_path}/nowhere/x.html\n" in done.text
    assert "FEAT-102  todo -> done  nobody  unsigned" in done.text


def test_a_race_that_both_lose_ends_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(world: Sandbox) -> tuple[Step, ...]:
        world.try_guard("alice", "claim", "FEAT-102")
        return race(world)

    plays(monkeypatch, taken)
    done = inside(["demo", "--fast"], cwd=tmp_path, home=tmp_path)
    assert (done.code, b"one of two claims had to be lost" in done.err) == (3, True)


def test_who_holds_nothing_ends_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plays(monkeypatch, zombie)
    done = inside(["demo", "--fast"], cwd=tmp_path, home=tmp_path)
    assert (done.code, b"writer has no task that is in_progress" in done.err) == (3, True)


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
        (Done(0, "claimed  it"), None, ("claimed it",), None),
        (Done(0, "lost it"), None, ("claimed it",), "builder's it does not say claimed it"),
        (Done(1, ""), None, (), "builder's it had to end with 0 and ended with 1"),
        (Done(0, ""), "ID106", (), "builder's it was to be refused by ID106 and was taken"),
        (Done(1, "! [rejected]"), "ID106", (), "builder's it was to be refused by ID106, and was not by that"),
        (Done(1, "remote: g: push refused, 1 error: ID109"), "ID106", (), "builder's it was to be refused by ID106, and was not by that"),
        (Done(1, "remote: g: push refused, 1 error: ID106"), "ID106", (), None),
        (Done(1, "remote: g: push refused, 1 error: ID106"), "ID106", ("alice",), "builder's it does not say alice"),
        (Done(1, "remote: g: push refused, 1 error: ID106\nremote:   of   alice"), "ID106", ("of alice",), None),
    ],
)  # fmt: skip
def test_a_scene_that_comes_out_wrong_is_told(
    done: Done, code: str | None, words: tuple[str, ...], fault: str | None
) -> None:
    assert Step(who="builder", typed="it", done=done, code=code, words=words).fault == fault


def test_the_exit_code_of_a_verb_is_what_was_said() -> None:
    assert Step(who="builder", typed="it", done=Done(4, ""), exit=4).fault is None


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
