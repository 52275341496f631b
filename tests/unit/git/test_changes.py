import os
from pathlib import Path

import pytest

from codifica_guard.errors import LimitExceeded, MalformedObject, MissingObject
from codifica_guard.git import changes
from codifica_guard.git.changes import diff, entry_at, leaves, look_alikes
from codifica_guard.git.store import Store
from codifica_guard.limits import TREE_DEPTH
from codifica_guard.model.commit import SUBMODULE, SYMLINK, TREE, Delta, Entry
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import Plain


def by_git(repo: Plain, before: str, after: str) -> Delta:
    fields = repo.git("diff-tree", "-r", "-z", "--no-renames", before, after).rstrip(b"\0").split(b"\0")
    found: Delta = {}
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old, new, _ = head.lstrip(b":").split()
        sides = [
            None if mode == b"000000" else Entry(int(mode, 8), ObjectId(oid))
            for mode, oid in ((old_mode, old), (new_mode, new))
        ]
        # Git tells a new type at one path as one change, and a file that turns into a folder as two of different paths.
        before_side, after_side = found.get(path, (None, None))  # type: ignore[call-overload]
        found[path] = (sides[0] or before_side, sides[1] or after_side)  # type: ignore[index]
    return found


def trees(repo: Plain, store: Store, *names: str) -> list[ObjectId]:
    return [store.commit(repo.id(name)).tree for name in names]


def fill(repo: Plain) -> None:
    for name in ("work.md", "a/b/c.txt", "a/b/d.txt", "a.txt", "turns", "same/x", "both", "gone/deep/er"):
        repo.file(name, name)
    (repo.path / "link").symlink_to("a.txt")
    sub = Plain(repo.path / "sub", repo.object_format)
    sub.commit("sub")
    repo.commit("one")
    repo.file("work.md", "changed")
    repo.file("a/b/c.txt", "changed")
    (repo.path / "a.txt").chmod(0o755)
    (repo.path / "turns").unlink()
    repo.file("turns/into/folder", "x")
    repo.file("new/deep/file", "x")
    for name in ("gone/deep/er", "both"):
        (repo.path / name).unlink()
    (repo.path / "both").symlink_to("a.txt")
    (repo.path / "link").unlink()
    (repo.path / "link").symlink_to("work.md")
    sub.commit("sub again")
    repo.commit("two")


def test_the_changed_leaves_are_those_that_git_finds(plain: Plain) -> None:
    fill(plain)
    with plain.store() as store:
        one, two = trees(plain, store, "HEAD~", "HEAD")
        there, back = diff(store, one, two), diff(store, two, one)
        assert there == by_git(plain, "HEAD~", "HEAD")
        assert back == {path: (after, before) for path, (before, after) in there.items()}
        assert {
            b"sub",
            b"link",
            b"both",
            b"turns",
            b"turns/into/folder",
            b"gone/deep/er",
            b"new/deep/file",
        } <= there.keys()
        modes = {entry.mode for pair in there.values() for entry in pair if entry}
        assert modes == {0o100644, 0o100755, SYMLINK, SUBMODULE}
        assert diff(store, one, one) == {}
        assert diff(store, None, None) == {}


def test_against_no_tree_everything_is_new(plain: Plain) -> None:
    fill(plain)
    with plain.store() as store:
        (two,) = trees(plain, store, "HEAD")
        everything = dict(leaves(store, two))
        assert diff(store, None, two) == {path: (None, entry) for path, entry in everything.items()}
        assert diff(store, two, None) == {path: (entry, None) for path, entry in everything.items()}
        listed = plain.git("ls-tree", "-r", "-z", "--name-only", "HEAD").rstrip(b"\0").split(b"\0")
        assert list(everything) == listed


def test_only_folders_that_differ_are_read(sha1: Plain) -> None:
    fill(sha1)
    with sha1.store() as store:
        one, two = trees(sha1, store, "HEAD~", "HEAD")
        diff(store, one, two)
        assert sha1.id("HEAD:same") not in store._trees


BLOB = ObjectId(b"2" * 40)


@pytest.mark.parametrize("proven", [True, False])
@pytest.mark.parametrize(
    "bad",
    [
        ((b"100644", b"a", BLOB), (b"100644", b"a", BLOB)),
        ((b"100644", b"b", BLOB), (b"100644", b"a", BLOB)),
        ((b"100644", b"a", BLOB), (b"100644", b"a-b", BLOB), (b"40000", b"a", BLOB)),
        ((b"100600", b"a", BLOB),),
        ((b"100644", b".GIT", BLOB),),
        ((b"100644", b"..", BLOB),),
        ((b"100644", b"m", BLOB), (b"100644", b"k", BLOB), (b"100644", b"l", BLOB)),
        ((b"100644", b"k", BLOB), (b"100644", b"z", BLOB), (b"100644", b"l", BLOB), (b"100644", b"m", BLOB)),
    ],
)
def test_a_new_tree_that_readers_could_read_differently_is_refused(
    sha1: Plain, bad: tuple[tuple[bytes, bytes, ObjectId], ...], *, proven: bool
) -> None:
    good = sha1.put_tree((b"100644", b"k", BLOB), (b"100644", b"l", BLOB), (b"100644", b"m", BLOB))
    inner = sha1.put_tree(*bad)
    before, after = sha1.put_tree((b"40000", b"d", good)), sha1.put_tree((b"40000", b"d", inner))
    with sha1.store() as store:
        if proven:
            diff(store, None, before)
        for _ in range(2):
            with pytest.raises(MalformedObject):
                diff(store, before, after)
        with pytest.raises(MalformedObject):
            diff(store, None, after)


def test_a_new_tree_that_is_cut_off_is_refused(sha1: Plain) -> None:
    good = sha1.put_tree((b"100644", b"k", BLOB))
    with sha1.store() as store:
        diff(store, None, good)
        for cut in (5, 10, 27):
            with pytest.raises(MalformedObject):
                diff(store, good, sha1.put("tree", store.tree(good)[:cut]))


def test_an_old_tree_out_of_order_is_still_compared(sha1: Plain) -> None:
    other = ObjectId(b"3" * 40)
    old = sha1.put_tree(
        (b"100644", b"b", BLOB), (b"100600", b"a", BLOB), (b"100644", b"c", BLOB), (b"100644", b"c", other)
    )
    new = sha1.put_tree((b"100644", b"a", BLOB), (b"100644", b"b", BLOB))
    with sha1.store() as store:
        assert diff(store, old, new) == {
            b"a": (Entry(0o100600, BLOB), Entry(0o100644, BLOB)),
            b"c": (Entry(0o100644, BLOB), None),
        }
        swapped = sha1.put_tree((b"100644", b"b", BLOB), (b"100644", b"a", BLOB))
        assert diff(store, swapped, new) == {}
        with pytest.raises(MalformedObject):
            diff(store, sha1.put("tree", b"100644 cut"), new)


def test_an_id_that_looks_like_an_entry_confuses_nobody(sha1: Plain) -> None:
    tricky = ObjectId((b" a\0" + b"x" * 8 + b"100644 b\0").hex().encode())
    first = sha1.put_tree((b"100644", b"0", tricky), (b"100644", b"c", BLOB))
    second = sha1.put_tree((b"100644", b"0", tricky), (b"100644", b"b", BLOB), (b"100644", b"c", BLOB))
    with sha1.store() as store:
        diff(store, None, first)
        assert diff(store, first, second) == {b"b": (None, Entry(0o100644, BLOB))}
        assert entry_at(store, first, b"a") is None
        assert entry_at(store, first, b"b") is None
        assert entry_at(store, second, b"b") == Entry(0o100644, BLOB)


def test_a_tree_full_of_false_entries_is_searched_once(sha1: Plain) -> None:
    false = [b"100644 a\0" + b"%011d" % number for number in range(100_000)]
    tree = sha1.put("tree", b"".join(b"160000 s%06d\0%s" % (number, oid) for number, oid in enumerate(false)))
    with sha1.store() as store:
        assert entry_at(store, tree, b"a") is None
        assert entry_at(store, tree, b"s099999") == Entry(SUBMODULE, ObjectId(false[-1].hex().encode()))


def test_very_many_new_files_in_a_known_folder_are_checked_at_once(sha1: Plain) -> None:
    few = sha1.put_tree((b"100644", b"0", BLOB))
    names = [b"%04d" % number for number in range(100)]
    many = sha1.put_tree((b"100644", b"0", BLOB), *((b"100644", name, BLOB) for name in names))
    with sha1.store() as store:
        diff(store, None, few)
        assert len(diff(store, few, many)) == 100


def nested(repo: Plain, depth: int) -> ObjectId:
    tree = repo.put_tree((b"100644", b"f", BLOB))
    for _ in range(depth):
        tree = repo.put_tree((b"40000", b"d", tree))
    return tree


def test_folders_past_the_depth_are_refused(sha1: Plain) -> None:
    fine, deep = nested(sha1, TREE_DEPTH), nested(sha1, TREE_DEPTH + 2)
    with sha1.store() as store:
        assert len(diff(store, None, fine)) == len(list(leaves(store, fine))) == 1
        for ask in (
            lambda: diff(store, None, deep),
            lambda: list(leaves(store, deep)),
            lambda: entry_at(store, deep, b"d/" * (TREE_DEPTH + 1) + b"f"),
            lambda: look_alikes(store, deep, b"d/" * (TREE_DEPTH + 1) + b"f"),
        ):
            with pytest.raises(LimitExceeded, match="deep"):
                ask()


def test_too_many_paths_are_refused(sha1: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "CHANGED_PATHS", 5)
    tree = sha1.put_tree(*((b"100644", b"%d" % number, BLOB) for number in range(6)))
    with sha1.store() as store:
        with pytest.raises(LimitExceeded, match="more than 5 changed paths"):
            diff(store, None, tree)
        with pytest.raises(LimitExceeded, match="more than 5 paths"):
            list(leaves(store, tree))


def test_an_entry_is_found_by_its_path(plain: Plain) -> None:
    fill(plain)
    with plain.store() as store:
        (tree,) = trees(plain, store, "HEAD")
        assert entry_at(store, tree, b"work.md") == Entry(0o100644, plain.id("HEAD:work.md"))
        assert entry_at(store, tree, b"a/b/c.txt") == Entry(0o100644, plain.id("HEAD:a/b/c.txt"))
        assert entry_at(store, tree, b"a/b") == Entry(TREE, plain.id("HEAD:a/b"))
        assert entry_at(store, tree, b"link") == Entry(SYMLINK, plain.id("HEAD:link"))
        for absent in (
            b"",
            b"/",
            b"none",
            b"a/none",
            b"work.md/x",
            b"a/b/",
            b"/work.md",
            b"a//b",
            b"sub/x",
            b"WORK.md",
        ):
            assert entry_at(store, tree, absent) is None
        with pytest.raises(MissingObject):
            entry_at(store, ObjectId(b"1" * store.id_length), b"x")


def test_the_leaves_of_one_folder_or_file_are_listed(plain: Plain) -> None:
    fill(plain)
    with plain.store() as store:
        (tree,) = trees(plain, store, "HEAD")
        assert [path for path, _ in leaves(store, tree, b"a/")] == [b"a/b/c.txt", b"a/b/d.txt"]
        assert [path for path, _ in leaves(store, tree, b"work.md")] == [b"work.md"]
        assert list(leaves(store, tree, b"none")) == []


def test_names_that_a_file_system_takes_for_the_same_are_found(plain: Plain) -> None:
    blob = plain.put("blob", b"")
    inner = plain.put_tree((b"100644", b"GUARD.json", blob), (b"100644", b"guard.json", blob))
    names = [
        b".CODIFICA", b"Work.md", b"WORK.MD", "wor\u212a.md".encode(), "work\u200c.md".encode(), b"work.md",
        b"work.mdx", "caf\u00e9".encode(), "cafe\u0301".encode(), b"w\xff.md", "\uff57ork.md".encode(),
    ]  # fmt: skip
    files = [(b"100644", name, blob) for name in names]
    tree = plain.put_tree(*sorted([*files, (b"40000", b".codifica", inner)], key=lambda entry: entry[1]))
    with plain.store() as store:
        assert set(look_alikes(store, tree, b"work.md")) == {
            b"WORK.MD", b"Work.md", "wor\u212a.md".encode(), "work\u200c.md".encode(), "\uff57ork.md".encode(),
        }  # fmt: skip
        assert look_alikes(store, tree, b".codifica/guard.json") == (b".CODIFICA", b".codifica/GUARD.json")
        assert look_alikes(store, tree, b".codifica/none/x") == (b".CODIFICA",)
        assert look_alikes(store, tree, "caf\u00e9".encode()) == ("cafe\u0301".encode(),)
        assert look_alikes(store, tree, b"work.mdx/y") == ()
        assert look_alikes(store, tree, b"w\xff.md") == ()


def test_a_path_of_odd_bytes_is_a_path(plain: Plain) -> None:
    name = b"new\nline\xff"
    (plain.path / Path(os.fsdecode(name))).write_text("x")
    plain.commit()
    with plain.store() as store:
        (tree,) = trees(plain, store, "HEAD")
        assert list(diff(store, None, tree)) == [name]
