"""The hook as Git calls it, in this process: environment and standard input in, exit code out."""

import io
import os
import sys
from pathlib import Path

import pytest

from codifica_guard.hooks.server import main
from codifica_guard.model.ids import ObjectId
from tests.unit.engine.land import NOW, Land, work

NULL = b"0" * 40


class Server:
    """A land with Git's own way to ask its hook."""

    def __init__(self, land: Land, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.land, self._patch, self._capsys = land, monkeypatch, capsys
        monkeypatch.setenv("GIT_DIR", str(land.plain.git_dir))
        for name in ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"):
            monkeypatch.delenv(name, raising=False)

    def ask(self, *updates: tuple[ObjectId | None, ObjectId | None, str], data: bytes | None = None) -> tuple[int, str]:
        rows = b"".join(b"%s %s %s\n" % (old or NULL, new or NULL, ref.encode()) for old, new, ref in updates)
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows if data is None else data)))
        code = main(["pre-receive"], clock=lambda: float(NOW))
        return code, " ".join(self._capsys.readouterr().err.split())  # without the lines that it is wrapped into


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Server:
    return Server(Land(tmp_path / "r.git"), monkeypatch, capsys)


MAIN = "refs/heads/main"


def test_a_repository_without_policy_is_silent(server: Server) -> None:
    first = server.land.begin()
    assert server.ask((None, first, MAIN)) == (0, "")
    server.land.point("main", first)
    tree, blob = server.land.tree({}), server.land.blob("x")
    assert server.ask((None, blob, "refs/tags/b"), (first, None, "refs/heads/x"), (None, first, "refs/heads/a..b")) == (
        0,
        "",
    )
    assert server.ask((first, tree, MAIN)) == (0, "")


def test_a_guarded_repository_judges(server: Server) -> None:
    intro = server.land.introduce()
    good, bad = server.land.commit({"src/b.py": "b"}, intro), server.land.commit({"work.md": work(FEAT_1="x")}, intro)
    assert server.ask((intro, good, MAIN)) == (0, "")
    code, said = server.ask((intro, bad, MAIN))
    assert code == 1
    assert "ID106" in said


def test_who_pushes_a_task_without_any_trailer_is_told_how_to_begin(server: Server) -> None:
    land, hint = server.land, "no tool? pip install codifica-guard, or by hand: edit, git commit -S, git push"
    intro = land.introduce()
    task, code = land.commit({"work.md": work(FEAT_1="x")}, intro), land.commit({"outside": "x"}, intro)
    assert server.ask((intro, task, MAIN))[1].endswith(hint)
    tag = land.plain.put(
        "tag", b"object %s\ntype commit\ntag t\ntagger A <a@example.org> 1796000000 +0000\n\nt\n" % task
    )
    assert server.ask((intro, tag, MAIN), (None, land.blob("x"), "refs/tags/b"))[1].endswith(hint)
    _, said = server.ask((intro, code, MAIN))  # refused, and about no task
    assert "CD407" in said
    assert "no tool?" not in said
    trailer = land.commit({"src/b.py": "b"}, task, message="b\n\nCodifica-Actor: agent:builder\n")
    code_, said = server.ask((intro, trailer, MAIN))
    assert (code_, "ID106" in said, "no tool?" in said) == (1, True, False)


def test_where_it_cannot_be_told_whether_trailers_were_pushed_nothing_is(server: Server) -> None:
    land = server.land
    intro = land.introduce()
    bad = land.commit({"work.md": work(FEAT_1="x")}, intro)
    _, said = server.ask((intro, bad, MAIN), (None, ObjectId(b"e" * 40), "refs/heads/x"))
    assert "ID106" in said
    assert "no tool?" not in said
    (land.plain.git_dir / "HEAD").write_bytes(intro + b"\n")
    land.config("codifica.coordination", "main")
    _, said = server.ask((intro, bad, MAIN))
    assert said.endswith("git push")
    assert "no tool?" in said


def test_a_policy_wakes_the_judge_on_the_main_branch_only(server: Server) -> None:
    first = server.land.begin()
    server.land.point("main", first)
    intro = server.land.commit(server.land.policy(), first, by="alice")
    assert server.ask((None, intro, "refs/heads/other")) == (0, "")
    code, said = server.ask((first, intro, MAIN))
    assert code == 1
    assert "codifica.trust is not set" in said
    server.land.plain.git("symbolic-ref", "refs/heads/alias", MAIN)
    assert server.ask((first, intro, "refs/heads/alias"))[0] == 1


def test_an_introduction_is_pinned_by_the_next_push_and_held_against_the_trust(server: Server) -> None:
    first = server.land.begin()
    intro = server.land.commit(server.land.policy(coordination_branch=None), first, by="alice")
    server.land.point("main", intro)
    after = server.land.commit({"src/b.py": "b"}, intro)
    code, said = server.ask((intro, after, MAIN))
    assert code == 1
    assert "ID110" in said
    server.land.config("codifica.trust", "first-push")
    assert server.ask((intro, after, MAIN)) == (0, "")
    assert server.land.plain.git("config", "codifica.introduction") == intro
    assert server.land.plain.git("config", "codifica.coordination") == b"main"


def test_a_config_that_cannot_be_written_is_written_by_the_next_push(server: Server) -> None:
    intro = server.land.commit(server.land.policy(), server.land.begin(), by="alice")
    server.land.point("main", intro)
    server.land.config("codifica.trust", "first-push")
    lock = server.land.plain.git_dir / "config.lock"
    lock.write_text("")
    after = server.land.commit({"src/b.py": "b"}, intro)
    assert server.ask((intro, after, MAIN)) == (0, "")
    assert server.ask((intro, server.land.commit({"outside": "b"}, intro), MAIN))[0] == 1
    lock.unlink()
    assert server.land.plain.run("config", "codifica.introduction").stdout == b""


def test_the_coordination_branch_is_the_pinned_one_else_the_policys_else_heads(server: Server) -> None:
    land = server.land
    intro = land.introduce()
    bad = land.commit({"outside": "x"}, intro)
    land.config("codifica.coordination", "trunk")
    land.point("trunk", intro)
    assert server.ask((intro, bad, "refs/heads/trunk"))[0] == 1
    land.plain.git("config", "--unset", "codifica.coordination")
    assert server.ask((intro, bad, MAIN))[0] == 1
    land.point("main", None)
    assert server.ask((None, bad, MAIN))[0] == 1


def test_a_detached_head_is_no_way_in(server: Server) -> None:
    land = server.land
    first = land.begin()
    (land.plain.git_dir / "HEAD").write_bytes(first + b"\n")
    assert server.ask((None, first, "refs/heads/x")) == (0, "")
    intro = land.commit(land.policy(), first, by="alice")
    code, said = server.ask((None, intro, "refs/heads/x"))
    assert code == 1
    assert "HEAD names no branch" in said


@pytest.mark.parametrize("data", [b"", b"nonsense\n", b"\xff"])
def test_standard_input_that_cannot_be_read_refuses(server: Server, data: bytes) -> None:
    code, said = server.ask(data=data)
    assert code == 1
    assert "push refused" in said


def test_a_repository_that_cannot_be_judged_refuses_and_logs(server: Server) -> None:
    land = server.land
    intro = land.introduce()
    config = land.plain.git_dir / "config"
    whole = config.read_text()
    for text, told in (
        ("[extensions]\n\trefStorage = reftable\n[core]\n\trepositoryformatversion = 1\n", "reftable"),
        ("[codifica\n", "config"),
    ):
        config.write_text(text)
        code, said = server.ask((intro, intro, MAIN))
        assert code == 1
        assert told in said
    assert (land.plain.git_dir / "codifica-guard" / "errors.log").exists()
    elsewhere = land.plain.git_dir.parent / "own.log"
    config.write_text(whole + f"[codifica]\n\tlog = {elsewhere}\n\tintroduction = {'1' * 40}\n")
    code, said = server.ask((intro, intro, MAIN))
    assert code == 1
    assert "no such commit" in said
    assert elsewhere.exists()


def test_without_a_repository_nothing_passes(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert server.ask((None, ObjectId(b"1" * 40), MAIN))[0] == 1


def test_unknown_objects_on_the_main_branch_of_an_idle_repository_refuse(server: Server) -> None:
    assert server.ask((None, ObjectId(b"1" * 40), MAIN))[0] == 1


def test_post_receive_never_fails() -> None:
    assert main(["post-receive"]) == 0


def test_the_environment_is_left_as_it_was() -> None:
    assert "GIT_DIR" not in os.environ
