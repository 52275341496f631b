import os
import stat
from pathlib import Path

import pytest

from codifica_guard.errors import RepositoryError
from codifica_guard.git.store import EMPTY_TREE
from codifica_guard.git.writer import commit_bytes, edit_tree, write_object
from codifica_guard.limits import TREE_DEPTH
from codifica_guard.model.commit import TREE, Entry
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import PERSON, Plain
from tests.unit.git.signing import Signer

WHEN = PERSON + b" 1700000000 +0100"


@pytest.mark.parametrize("data", [b"", b"text\n", bytes(range(256)) * 100])
def test_an_object_that_is_written_is_gits(plain: Plain, data: bytes) -> None:
    oid = write_object(plain.location, plain.object_format, "blob", data)
    assert write_object(plain.location, plain.object_format, "blob", data) == oid
    assert plain.run("cat-file", "blob", oid.decode()).stdout == data
    assert plain.git("hash-object", "--stdin", stdin=data) == oid
    plain.git("fsck", "--strict")
    path = plain.git_dir / "objects" / oid[:2].decode()
    assert [file.name for file in path.iterdir()] == [oid[2:].decode()]


def test_a_repository_shared_by_a_group_stays_so(sha1: Plain) -> None:
    (sha1.git_dir / "objects").chmod(0o2775)
    oid = write_object(sha1.location, "sha1", "blob", b"x")
    folder = sha1.git_dir / "objects" / oid[:2].decode()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o2775
    assert stat.S_IMODE((folder / oid[2:].decode()).stat().st_mode) == 0o444


def test_a_disk_that_is_full_leaves_nothing_behind(sha1: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RepositoryError, match="No space left"):
        write_object(sha1.location, "sha1", "blob", b"x")
    assert [path for path in (sha1.git_dir / "objects").rglob("*") if path.is_file()] == []


def test_a_folder_in_the_way_is_an_error(sha1: Plain) -> None:
    oid = sha1.git("hash-object", "--stdin", stdin=b"x").decode()
    (sha1.git_dir / "objects" / oid[:2]).write_text("")
    with pytest.raises(RepositoryError, match="cannot write"):
        write_object(sha1.location, "sha1", "blob", b"x")


def listing(repo: Plain, tree: ObjectId) -> list[str]:
    return repo.git("ls-tree", "-r", "--name-only", tree.decode()).decode().splitlines()


def test_edited_trees_are_those_that_git_would_write(plain: Plain) -> None:
    for name in ("a/b/c", "a/d", "a.txt", "e", "gone/deep/er", "z"):
        plain.file(name, name)
    plain.commit()
    blob = plain.put("blob", b"new\n")
    changes = {
        b"a/b/c": Entry(0o100755, blob),
        b"a/b/new": Entry(0o100644, blob),
        b"gone/deep/er": None,
        b"e": None,
        b"none/at/all": None,
        b"fresh/one/two": Entry(0o100644, blob),
        b"z/now/folder": Entry(0o100644, blob),
    }
    with plain.store() as store:
        edited = edit_tree(store, plain.location, plain.id("HEAD^{tree}"), changes)
        again = edit_tree(store, plain.location, edited, {b"fresh/one/two": None, b"z": Entry(0o100644, blob)})
    (plain.path / "z").unlink()
    plain.file("z/now/folder", "new\n")
    (plain.path / "gone/deep/er").unlink()
    (plain.path / "e").unlink()
    plain.file("a/b/c", "new\n")
    (plain.path / "a/b/c").chmod(0o755)
    plain.file("a/b/new", "new\n")
    plain.file("fresh/one/two", "new\n")
    plain.commit()
    assert edited == plain.id("HEAD^{tree}")
    assert listing(plain, again) == ["a.txt", "a/b/c", "a/b/new", "a/d", "z"]
    plain.git("fsck", "--strict", "--no-dangling")


def test_a_tree_grows_from_nothing_and_shrinks_to_nothing(plain: Plain) -> None:
    blob = plain.put("blob", b"")
    with plain.store() as store:
        tree = edit_tree(store, plain.location, None, {b"a/b": Entry(0o100644, blob), b"a.b": Entry(0o120000, blob)})
        assert listing(plain, tree) == ["a.b", "a/b"]
        empty = edit_tree(store, plain.location, tree, {b"a/b": None, b"a.b": None})
        assert empty == EMPTY_TREE[store.id_length]
        assert edit_tree(store, plain.location, tree, {}) == tree
        assert edit_tree(store, plain.location, tree, {b"a.b/x": None}) == tree


@pytest.mark.parametrize(
    "path",
    [b"", b"/a", b"a//b", b"a/", b".", b"a/../b", b".git/config", b"a/.GIT", b"a\0b", b"a/" * (TREE_DEPTH + 1) + b"b"],
)
def test_a_path_that_no_tree_may_hold_is_refused(sha1: Plain, path: bytes) -> None:
    blob = sha1.put("blob", b"")
    with sha1.store() as store, pytest.raises(RepositoryError):
        edit_tree(store, sha1.location, None, {path: Entry(0o100644, blob)})


def test_a_file_and_a_folder_at_one_path_are_refused(sha1: Plain) -> None:
    entry = Entry(0o100644, sha1.put("blob", b""))
    with sha1.store() as store, pytest.raises(RepositoryError, match="both put at"):
        edit_tree(store, sha1.location, None, {b"a": entry, b"a/b": entry})


def test_a_file_may_make_room_for_a_folder(sha1: Plain) -> None:
    entry = Entry(0o100644, sha1.put("blob", b""))
    with sha1.store() as store:
        tree = edit_tree(store, sha1.location, None, {b"a": entry})
        tree = edit_tree(store, sha1.location, tree, {b"a": None, b"a/b": entry})
        whole = edit_tree(store, sha1.location, None, {b"top": Entry(TREE, tree)})
    assert listing(sha1, whole) == ["top/a/b"]


def test_a_commit_that_is_written_is_gits_and_verifies(plain: Plain, tmp_path: Path) -> None:
    signer = Signer(tmp_path, plain)
    parent = plain.commit()
    tree = plain.id("HEAD^{tree}")
    length = len(tree)
    bare = commit_bytes(tree, [parent, parent], WHEN, WHEN, b"subject\n\nbody\n", id_length=length)
    signature = signer.sign(bare).decode()
    data = commit_bytes(tree, [parent, parent], WHEN, WHEN, b"subject\n\nbody\n", signature, length)
    oid = write_object(plain.location, plain.object_format, "commit", data)
    plain.git("verify-commit", oid.decode())
    with plain.store() as store:
        got = store.commit(oid)
    assert got.signed == bare
    assert got.signature == signature.encode()
    assert got.faults == ()
    assert got.parents == (parent, parent)


@pytest.mark.parametrize("person", [b"", b"a\nb", b"a\0b"])
def test_a_person_that_does_not_fit_one_line_is_refused(person: bytes) -> None:
    with pytest.raises(RepositoryError, match="no person"):
        commit_bytes(ObjectId(b"1" * 40), [], person, WHEN, b"m\n")
