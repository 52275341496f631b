"""`merge-driver`: what Git calls to merge a state document."""

import json
from pathlib import Path

import pytest

from codifica_guard.cli import merge_driver
from codifica_guard.cli.program import run
from tests.building.shapes import check_envelope

BASE = "# Work\n\n```yaml\n- id: A\n  title: t\n  priority: low\n```\n"


def files(folder: Path, *texts: str) -> list[str]:
    paths = [folder / name for name in ("base", "ours", "theirs")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def drive(folder: Path, *texts: str, size: str = "7", path: str = "work.md") -> tuple[int, str]:
    code = run(["merge-driver", *files(folder, *texts), size, path])
    return code, (folder / "ours").read_text()


def test_neighbouring_lines_join_and_git_is_told_that_all_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = BASE.replace("title: t", "title: x"), BASE.replace("low", "high")
    assert drive(tmp_path, BASE, ours, theirs) == (0, ours.replace("low", "high"))
    assert capsys.readouterr() == ("", "")


def test_a_conflict_is_marked_and_git_is_told_and_the_person_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = drive(tmp_path, BASE, BASE.replace("title: t", "title: x"), BASE.replace("title: t", "title: y"))
    assert code == 1
    assert text.count("<<<<<<< ours") == text.count(">>>>>>> theirs") == 1
    said = capsys.readouterr().err
    assert "work.md: two versions of A" in said
    assert "git add work.md && git commit -S" in said


@pytest.mark.parametrize(("theirs", "code"), [("# Two\n", 1), ("# One\n\nMore.\n", 0)])
def test_what_is_no_list_of_tasks_is_merged_line_by_line(
    tmp_path: Path, theirs: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = "# One\n\n```yaml\n- id: A\n"
    done, text = drive(tmp_path, broken, "# Three\n\n```yaml\n- id: A\n", broken.replace("# One\n", theirs), size="9")
    assert done == code
    assert ("<<<<<<<<< ours\n" in text) is bool(code)
    assert "work.md: " in capsys.readouterr().err


def test_text_that_both_sides_changed_is_left_to_a_person_even_where_its_lines_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = BASE + "\nThe end.\n"
    code, text = drive(tmp_path, base, base.replace("# Work", "# Tasks"), base.replace("The end.", "Finis."))
    assert (code, text) == (1, base.replace("# Work", "# Tasks").replace("The end.", "Finis."))
    assert "both sides changed the text around tasks" in capsys.readouterr().err


def test_a_defect_of_the_guard_does_not_pass_off_one_side_as_the_merge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("a defect")

    monkeypatch.setattr(merge_driver, "weave", broken)
    code, text = drive(tmp_path, BASE, BASE.replace("title: t", "title: x"), BASE.replace("title: t", "title: y"))
    assert code == 1
    assert "<<<<<<< ours" in text
    assert "settle the conflicts" in capsys.readouterr().err


def test_files_that_are_not_there_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = files(tmp_path, BASE, BASE, BASE)
    (tmp_path / "theirs").unlink()
    assert run(["merge-driver", *names]) == 3
    assert "theirs: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("theirs", "data"),
    [
        (BASE.replace("low", "high"), {"path": "work.md", "by": "tasks", "conflicts": []}),
        (BASE.replace("title: t", "title: y"), {"path": "work.md", "by": "tasks", "conflicts": ["A"]}),
        ("# None\n", {"path": "work.md", "by": "lines", "conflicts": []}),
    ],
)
def test_the_same_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str], theirs: str, data: object) -> None:
    code = run(
        ["merge-driver", "--json", *files(tmp_path, BASE, BASE.replace("title: t", "title: x"), theirs), "7", "work.md"]
    )
    told = json.loads(capsys.readouterr().out)
    check_envelope(told)
    assert (told["exit"], told["data"]) == (code, data)
