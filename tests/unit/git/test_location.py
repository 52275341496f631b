import os
from itertools import pairwise
from pathlib import Path

import pytest

from codifica_guard.errors import RepositoryError
from codifica_guard.git.location import at, discover, top_level
from codifica_guard.git.store import ObjectFormat, open_store
from tests.unit.git.plain import Plain


def raw(path: Path | str) -> bytes:
    return os.fsencode(path)


def test_a_clone_is_found_from_a_folder_below_it(sha1: Plain) -> None:
    below = sha1.path / "a" / "b"
    below.mkdir(parents=True)
    found = discover(raw(below), {})
    assert found.git_dir == found.common_dir == raw(sha1.path / ".git")
    assert found.object_dirs == (raw(sha1.path / ".git/objects"),)
    assert top_level(raw(below), {}) == raw(sha1.path)


def test_a_bare_repository_is_found_and_has_no_work_tree(tmp_path: Path) -> None:
    bare = Plain(tmp_path / "bare.git", bare=True)
    assert discover(raw(bare.path), {}).git_dir == raw(bare.path)
    assert top_level(raw(bare.path), {}) is None


def test_a_linked_worktree_has_its_own_folder_and_shares_the_rest(sha1: Plain, tmp_path: Path) -> None:
    sha1.commit()
    sha1.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    found = discover(raw(tmp_path / "linked"), {})
    assert found.git_dir == raw(sha1.path / ".git/worktrees/linked")
    assert Path(os.fsdecode(found.common_dir)).resolve() == sha1.path / ".git"
    assert Path(os.fsdecode(found.object_dirs[0])).resolve() == sha1.path / ".git/objects"
    assert top_level(raw(tmp_path / "linked"), {}) == raw(tmp_path / "linked")


def test_the_environment_names_the_repository_and_the_work_tree(sha1: Plain, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    start = raw(tmp_path / "elsewhere")
    given = {b"GIT_DIR": b"../repo/.git"}
    assert discover(start, given).git_dir == raw(tmp_path / "elsewhere/../repo/.git")
    assert top_level(start, given) == start
    assert top_level(start, {**given, b"GIT_WORK_TREE": b"../repo"}) == raw(sha1.path)
    assert top_level(raw(sha1.path / ".git"), {b"GIT_DIR": b"."}) is None


def test_where_there_is_no_repository_none_is_found(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="no repository"):
        discover(raw(tmp_path), {})
    with pytest.raises(RepositoryError, match="no repository"):
        at(raw(tmp_path), {})
    assert top_level(raw(tmp_path), {}) is None


def test_a_folder_without_objects_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    with pytest.raises(RepositoryError, match="no objects"):
        at(raw(tmp_path / ".git"), {})
    with pytest.raises(RepositoryError, match="no repository"):
        discover(raw(tmp_path), {})


def test_a_git_file_that_names_no_repository_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nonsense\n")
    with pytest.raises(RepositoryError, match="does not name a repository"):
        discover(raw(tmp_path), {})


def test_a_file_that_cannot_be_read_is_named(sha1: Plain) -> None:
    (sha1.path / ".git" / "commondir").mkdir()
    with pytest.raises(RepositoryError, match=r"cannot read .*commondir"):
        at(raw(sha1.path / ".git"), {})


def test_the_quarantine_comes_first_and_leads_to_the_real_store(plain: Plain, tmp_path: Path) -> None:
    quarantine = tmp_path / "incoming"
    (quarantine / "pack").mkdir(parents=True)
    environ = {
        b"GIT_OBJECT_DIRECTORY": raw(quarantine),
        b"GIT_ALTERNATE_OBJECT_DIRECTORIES": raw(plain.path / ".git/./objects"),
    }
    found = at(raw(plain.path / ".git"), environ)
    assert found.object_dirs == (raw(quarantine), raw(plain.path / ".git/./objects"))


def test_alternates_are_followed_chained_relative_and_quoted(tmp_path: Path, object_format: ObjectFormat) -> None:
    first = Plain(tmp_path / 'od"d', object_format)
    oid = first.commit()
    second, third = Plain(tmp_path / "second", object_format), Plain(tmp_path / "third", object_format)
    (second.path / ".git/objects/info").mkdir(exist_ok=True)
    (third.path / ".git/objects/info").mkdir(exist_ok=True)
    quoted = str(first.path / ".git/objects").replace('"', '\\"')
    (second.path / ".git/objects/info/alternates").write_text(f'# comment\n"{quoted}"\n')
    (third.path / ".git/objects/info/alternates").write_text("../../../second/.git/objects\n/not/there\n")
    found = third.location
    assert len(found.object_dirs) == 3
    with open_store(found, object_format) as store:
        assert store.commit(oid).id == oid
    assert third.git("cat-file", "-t", oid.decode()) == b"commit"


def test_alternates_that_go_round_are_taken_once(sha1: Plain, tmp_path: Path) -> None:
    other = Plain(tmp_path / "other")
    for here, there in ((sha1, other), (other, sha1)):
        (here.path / ".git/objects/info").mkdir(exist_ok=True)
        (here.path / ".git/objects/info/alternates").write_text(f"{there.path}/.git/objects\n")
    assert len(sha1.location.object_dirs) == 2


@pytest.mark.parametrize("line", [b"../pool\0\n", b'"../pool\\000"\n'])
def test_alternates_with_a_nul_are_refused(sha1: Plain, line: bytes) -> None:
    (sha1.path / ".git/objects/info").mkdir(exist_ok=True)
    (sha1.path / ".git/objects/info/alternates").write_bytes(line)
    with pytest.raises(RepositoryError, match="holds a NUL"):
        at(raw(sha1.path / ".git"), {})


def test_alternates_that_are_nested_too_deep_are_left_out_as_git_does(tmp_path: Path) -> None:
    chain = [Plain(tmp_path / f"r{number}") for number in range(9)]
    for here, there in pairwise(chain):
        (here.path / ".git/objects/info").mkdir(exist_ok=True)
        (here.path / ".git/objects/info/alternates").write_text(f"{there.path}/.git/objects\n")
    ids = [repo.put("blob", str(number).encode()) for number, repo in enumerate(chain)]
    seen_by_git = [chain[0].run("cat-file", "-e", oid.decode()).returncode == 0 for oid in ids]
    with chain[0].store() as store:
        assert [store.has(oid) for oid in ids] == seen_by_git
    assert not all(seen_by_git)
