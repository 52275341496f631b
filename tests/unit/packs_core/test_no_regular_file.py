"""ST106: what stands in the place of a state document or policy file, or goes by its name."""

import pytest

from codifica_guard.model.commit import Entry
from codifica_guard.model.ids import ObjectId
from codifica_guard.packs.core import st106
from tests.unit.views import (
    ALICE,
    FILE,
    FOLDER,
    LINK,
    MODULE,
    OTHER_FILE,
    codifica,
    commit_view,
    document,
    found,
    policy,
    snapshot,
    task,
)

START = {"work.md": document(task("FEAT-1"))}
TREE = {"work/a.md": document(task("FEAT-1"))}


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (LINK, "a symlink"),
        (MODULE, "a submodule"),
        (FOLDER, "a folder"),
        (Entry(0o170000, ObjectId(b"f" * 40)), "of mode 170000"),
    ],
)
def test_a_state_document_is_a_file(entry: Entry, kind: str) -> None:
    (breach,) = st106.check(commit_view(START, snapshot({}, {"work.md": entry})))
    assert breach.found == f"work.md is {kind}"
    assert breach.path == b"work.md"


@pytest.mark.parametrize("path", [".codifica/guard.json", ".codifica/notes", "codifica.json", "codifica-spec.md"])
def test_a_file_that_carries_trust_is_a_file(path: str) -> None:
    assert found(st106.check(commit_view(START, paths={path: (FILE, LINK)}, actor=ALICE))) == [f"{path} is a symlink"]
    assert found(st106.check(commit_view(START, paths={path: (FILE, OTHER_FILE)}, actor=ALICE))) == []
    assert found(st106.check(commit_view(START, paths={path: (FILE, None)}, actor=ALICE))) == []


def test_a_symlink_that_stood_there_before_is_nobodys() -> None:
    linked = snapshot({}, {"work.md": LINK})
    assert found(st106.check(commit_view(linked, snapshot(TREE, {"work.md": LINK})))) == []


@pytest.mark.parametrize(
    "path",
    [
        "WORK.md",
        "Work.MD",
        "\uff57\uff4f\uff52\uff4b.md",
        "CODIFICA.json",
        ".codifica/Guard.json",
        ".Codifica/guard.json",
        ".CODIFICA/x",
        "work.md.",
        "work.md \u200c",
        "wo\u200drk.md",
        "work.md\n",
        "codifica.json\x1b",
        ".codifica./guard.json",
        ".codi\ufefffica/guard.json",
    ],
)
def test_a_path_that_some_file_systems_take_for_another_is_refused(path: str) -> None:
    assert len(found(st106.check(commit_view(START, paths={path: (None, FILE)}, actor=ALICE)))) == 1


def test_two_unicode_forms_of_one_name_are_told_apart_by_git_alone() -> None:
    start = {"büro.md": document(task("FEAT-1"))}
    view = commit_view(start, paths={"bu\u0308ro.md": (None, FILE)}, under=policy(config=codifica(["büro.md"])))
    assert "to some file systems" in found(st106.check(view))[0]


def test_a_path_that_a_state_pattern_would_match_but_for_its_case_is_refused() -> None:
    rules = policy(config=codifica(["tasks/*.md", "!tasks/old*.md"]))
    view = commit_view(START, paths={"Tasks/new.MD": (None, FILE)}, under=rules)
    assert found(st106.check(view)) == ["Tasks/new.MD matches tasks/*.md, !tasks/old*.md to some file systems"]
    taken_out = commit_view(START, paths={"Tasks/OLD.md": (None, FILE)}, under=rules)
    assert found(st106.check(taken_out)) == []


def test_two_state_documents_of_one_name_are_refused() -> None:
    after = {**TREE, "work/A.md": document(task("FEAT-2"))}
    view = commit_view(TREE, after, under=policy(config=codifica(["work/*.md"])))
    assert found(st106.check(view)) == ["work/A.md is work/a.md to some file systems"]


def test_a_new_state_document_of_its_own_name_is_fine() -> None:
    view = commit_view(TREE, {**TREE, "work/b.md": document()}, under=policy(config=codifica(["work/*.md"])))
    assert found(st106.check(view)) == []


@pytest.mark.parametrize("entry", [FILE, LINK, MODULE])
@pytest.mark.parametrize("path", [".codifica", ".CODIFICA", "work", "WORK"])
def test_a_leaf_in_place_of_a_folder_is_refused(path: str, entry: Entry) -> None:
    view = commit_view(TREE, paths={path: (None, entry)}, under=policy(config=codifica(["work/*.md"])))
    assert found(st106.check(view)) == [f"{path} stands where a folder of state documents or policy files is"]


@pytest.mark.parametrize("path", ["work.md/x", "WORK.md/a/b", "codifica.json/x"])
def test_a_path_below_a_state_document_is_refused(path: str) -> None:
    (text,) = found(st106.check(commit_view(START, paths={path: (None, FILE)})))
    assert "makes a folder of" in text


@pytest.mark.parametrize("path", ["works.md", "src/work.md", "src/a.py", "work.md.txt", "assets/FEAT-1/shot.png"])
def test_other_paths_are_welcome(path: str) -> None:
    assert found(st106.check(commit_view(START, paths={path: (None, LINK)}))) == []


def test_a_twin_that_goes_away_is_welcome() -> None:
    assert found(st106.check(commit_view(START, paths={"WORK.md": (FILE, None)}))) == []


def test_a_twin_that_was_there_before_may_be_edited_and_may_not_become_a_symlink() -> None:
    assert found(st106.check(commit_view(START, paths={"WORK.md": (FILE, OTHER_FILE)}))) == []
    assert len(found(st106.check(commit_view(START, paths={"WORK.md": (FILE, LINK)})))) == 1


def test_a_document_that_cannot_be_split_is_still_itself() -> None:
    assert found(st106.check(commit_view(START, paths={"work.md": (None, FILE)}))) == []


def test_without_codifica_json_policy_files_are_kept_all_the_same() -> None:
    bare = policy(without_codifica=True)
    assert len(found(st106.check(commit_view(paths={".codifica": (None, LINK)}, under=bare)))) == 1
    assert found(st106.check(commit_view(paths={"WORK.md": (None, FILE)}, under=bare))) == []


def test_a_maintainer_may_rename_a_document_by_case() -> None:
    own = policy(config=codifica(["Work.md"]))
    renamed = commit_view(START, {}, paths={"Work.md": (None, FILE)}, own_policy=own, actor=ALICE)
    assert found(st106.check(renamed)) == []
    beside = commit_view(START, START, paths={"Work.md": (None, FILE)}, own_policy=own, actor=ALICE)
    assert len(found(st106.check(beside))) == 1


def test_a_pointer_of_git_lfs_is_refused_once_it_is_new() -> None:
    pointer = {"work.md": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"}
    assert found(st106.check(commit_view(START, pointer))) == ["work.md is a pointer of Git LFS, not the document"]
    assert found(st106.check(commit_view(pointer, pointer))) == []


def test_a_name_in_a_command_is_one_word_of_the_shell() -> None:
    (breach,) = st106.check(commit_view(START, snapshot({}, {"$(rm -rf x).md": LINK})))
    assert breach.do[0] == "git rm --cached '$(rm -rf x).md'"


def test_names_that_are_no_utf8_are_compared_too() -> None:
    assert st106.fold(b"A\xff") == st106.fold(b"a\xff")
    assert st106.fold(b"\xff") != st106.fold(b"\xfe")


def test_a_folder_in_a_documents_place_is_told_once() -> None:
    view = commit_view(START, snapshot({}, {"work.md": FOLDER}), paths={"work.md/x": (None, FILE)})
    assert found(st106.check(view)) == ["work.md is a folder"]


@pytest.mark.parametrize("path", ["work/a\nb.md", "work/\x7f.md"])
def test_a_document_has_a_path_that_can_be_printed(path: str) -> None:
    after = {**TREE, path: document(task("FEAT-2"))}
    view = commit_view(TREE, after, under=policy(config=codifica(["work/*.md"])))
    (text,) = found(st106.check(view))
    assert text.endswith("has a control character in its path")
    assert found(st106.check(commit_view(after, after, under=policy(config=codifica(["work/*.md"]))))) == []


def test_a_file_beside_the_policy_has_a_path_that_can_be_printed() -> None:
    path = ".codifica/a\tb"
    view = commit_view(START, paths={path: (None, FILE)}, actor=ALICE)
    assert found(st106.check(view)) == [".codifica/a\tb has a control character in its path"]
    assert found(st106.check(commit_view(START, paths={path: (FILE, OTHER_FILE)}, actor=ALICE))) == []
    assert found(st106.check(commit_view(START, paths={path: (FILE, None)}, actor=ALICE))) == []
