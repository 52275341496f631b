"""Names that want to be commands, options or lines of their own stay words, in what is printed and in what is written."""

from pathlib import Path

import pytest

from tests.unit.cli_proof.alone import Alone
from tests.unit.cli_proof.stage import Stage, board, task
from tests.unit.cli_proof.stories import work
from tests.unit.views import document

PATHS = (
    "src/a'b.py", 'src/a"b.py', "src/$(touch hit).py", "src/`touch hit`.py", "src/a b;touch hit.py", "src/-rf", "-rf",
    ":(top)x", ":x", "src/a\\b", "src/a\nb", "src/ends\n", "src/\u00e4\u202e", "src/%s%n", "src/a\tb", "src/*", "~", "=x", "src/\udcff",
    "a..b", "src/!x",
)  # fmt: skip


def test_paths_of_every_kind_are_words(tmp_path: Path) -> None:
    stage, alone = Stage(tmp_path), Alone(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    stage.decide(
        {
            "work.md": work(task("FEAT-1"), state="rejected"),
            **dict.fromkeys(PATHS, "x\n"),
            "src/a.py": ("120000", stage.blob("a")),
        },
        by="carol",
    )
    proof = stage.proof("FEAT-2", "--proof", tmp_path / "proof")
    script = (tmp_path / "proof" / "check.sh").read_bytes()
    assert script.isascii()
    for shell in ("sh", "bash"):
        assert alone.failing(proof, stage.plain.path, shell) == []
        assert alone.check(tmp_path / "proof", stage.plain.path, shell) == (0, [])
    assert not list(tmp_path.rglob("hit"))
    # Away again, so that the other side of each line is told.
    stage.decide({"work.md": work(task("FEAT-1")), **dict.fromkeys(PATHS), "src/a.py": "b\n"}, by="carol")
    assert alone.failing(stage.proof("FEAT-2", "--proof"), stage.plain.path) == []


def test_what_is_printed_is_ascii_on_lines_of_its_own(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    stage.decide({"work.md": work(task("FEAT-1"), state="rejected"), "src/\x1b[31m\u202e": "x\n"}, by="carol")
    said = stage.guard("log", "FEAT-2", "--proof").out
    assert b"\x1b" not in said
    assert said.isascii()


@pytest.mark.parametrize("path", ["wo rk's.md", "w$(touch hit).md", "\u00e4.md"])
def test_a_state_document_may_have_any_name(tmp_path: Path, path: str) -> None:
    stage, alone = Stage(tmp_path), Alone(tmp_path)
    scope = {"mode": "strict", "file_scope": {"include": ["**"]}}
    stage.begun({path: work(task("FEAT-1"))}, settings={"state": path, "rules": scope})
    stage.decide({path: work(task("FEAT-1"), state="rejected")}, by="carol")
    proof = stage.proof("FEAT-2", "--proof", tmp_path / "proof")
    assert alone.failing(proof, stage.plain.path) == []
    assert alone.check(tmp_path / "proof", stage.plain.path) == (0, [])
    assert not list(tmp_path.rglob("hit"))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("-rf", '"-rf"'),
        ("a'b", '"a\'b"'),
        ("$(touch hit)", '"$(touch hit)"'),
        ('a"b c', "'a\"b c'"),
        ("a%s;b", '"a%s;b"'),
        ("a\\b", "'a\\b'"),
    ],
)
def test_ids_of_any_form_are_words(tmp_path: Path, name: str, written: str) -> None:
    stage, alone = Stage(tmp_path), Alone(tmp_path)
    odd = task("ID").replace("id: ID", f"id: {written}")
    stage.begun({"work.md": board(odd)})
    stage.decide({"work.md": board(odd.replace("state: todo", "state: rejected"))}, by="carol")
    proof = stage.proof("--proof", tmp_path / "proof", "--at", stage.tip.decode())
    assert proof["task"] == name
    assert alone.failing(proof, stage.plain.path) == []
    assert alone.check(tmp_path / "proof", stage.plain.path) == (0, [])
    assert not list(tmp_path.rglob("hit"))


@pytest.mark.parametrize("name", ["a b", "a'b\"c", "$(touch hit)", "-x", "a\nb", "\u00e4\u202e", "a;b", "a%s", "~"])
def test_folders_of_any_name_are_written_and_told_as_a_word(tmp_path: Path, name: str) -> None:
    stage, alone = Stage(tmp_path), Alone(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    stage.decide({"work.md": work(task("FEAT-1"), state="rejected")}, by="carol")
    done = stage.guard("log", "FEAT-2", f"--proof={name}")
    assert done.code == 0, done.said
    told = done.out.decode().splitlines()[-1]
    assert told.isascii()
    command = told.partition("ssh-keygen alone: ")[2]
    assert alone.run(command, stage.plain.path).stdout.splitlines()[-1] == "all of it holds"
    assert (stage.plain.path / name / "check.sh").exists()
    assert not list(tmp_path.rglob("hit"))


def test_a_folder_that_is_not_the_proofs_is_left_alone(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    stage.decide({"work.md": work(task("FEAT-1"), state="rejected")}, by="carol")
    full, file, empty = tmp_path / "full", tmp_path / "file", tmp_path / "empty"
    full.mkdir()
    (full / "signers").write_text("mine")
    file.write_text("mine")
    empty.mkdir()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for path, text in (
        (full, "is not empty: nothing was written"),
        (file, "is there and is no folder: nothing was written"),
        (tmp_path / "dangling", "is there and is no folder: nothing was written"),
        (tmp_path / "no" / "proof", "the folder above it is not there"),
        (file / "proof", "cannot be made"),
        (tmp_path / ("x" * 300), "cannot be looked at"),
    ):
        done = stage.guard("log", "FEAT-2", "--proof", path)
        assert (done.code, text in done.said) == (2, True), done.said
    assert [path.name for path in full.iterdir()] == ["signers"]
    assert file.read_text() == (full / "signers").read_text() == "mine"
    said = stage.guard("log", "FEAT-2", "--proof", empty).said
    assert f"wrote {len(list(empty.iterdir()))} files to {empty}/" in said
    assert (empty / "check.sh").stat().st_mode & 0o111


def test_a_payload_that_is_too_long_to_read_is_for_the_folder(tmp_path: Path) -> None:
    stage, alone = Stage(tmp_path), Alone(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    files = {f"src/{number}.py": "x\n" for number in range(50)}
    stage.decide({"work.md": work(task("FEAT-1"), state="rejected"), **files}, by="carol")
    said = stage.guard("log", "FEAT-2", "--proof").out.decode()
    notice = f"too much to read here: git codifica log --at {stage.tip.decode()} --proof DIR FEAT-2 writes it, with a check.sh"
    assert f": '{notice}'" in said.splitlines()
    assert "src/49.py" not in said
    assert "ssh-keygen -Y verify -n codifica-guard" not in said
    stage.proof("FEAT-2", "--proof", tmp_path / "proof")
    assert alone.check(tmp_path / "proof", stage.plain.path) == (0, [])


def test_replacements_and_settings_of_the_reader_have_no_say(tmp_path: Path) -> None:
    stage, alone = Stage(tmp_path), Alone(tmp_path)
    stage.begun({"work.md": work(task("FEAT-1"))})
    oid = stage.decide({"work.md": work(task("FEAT-1"), state="rejected")}, by="carol")
    stage.plain.git("replace", oid.decode(), f"{oid.decode()}^")
    for key, value in {
        "core.quotePath": "false",
        "diff.renames": "copies",
        "log.showSignature": "true",
        "gpg.format": "openpgp",
    }.items():
        stage.plain.git("config", key, value)
    proof = stage.proof("FEAT-2", "--proof", tmp_path / "proof")
    assert alone.failing(proof, stage.plain.path) == []
    assert alone.check(tmp_path / "proof", stage.plain.path) == (0, [])


def test_the_script_says_what_it_cannot_do(tmp_path: Path) -> None:
    stage, alone = Stage(tmp_path), Alone(tmp_path)
    stage.begun({"work.md": document(task("FEAT-1"))})
    stage.decide({"work.md": document(task("FEAT-1", state="rejected"))}, by="carol")
    stage.proof("FEAT-1", "--proof", tmp_path / "proof")
    assert alone.check(tmp_path / "proof", tmp_path)[0] == 2
    assert alone.check(tmp_path / "proof", tmp_path / "nowhere")[0] == 2
    (alone.tools / "ssh-keygen").unlink()
    assert alone.check(tmp_path / "proof", stage.plain.path)[0] == 2
