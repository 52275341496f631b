import os
from pathlib import Path

import pytest

from codifica_guard.errors import RepositoryError
from codifica_guard.git.location import at
from codifica_guard.git.refs import check_name, head_branch, resolve, tips
from codifica_guard.limits import REF_NAME_BYTES
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import Plain

MAIN = b"refs/heads/main"


def by_git(repo: Plain, prefix: str) -> dict[bytes, bytes]:
    lines = repo.git("for-each-ref", "--format=%(refname) %(objectname)", prefix).splitlines()
    return {line.split()[0]: line.split()[1] for line in lines}


def resolved(repo: Plain) -> dict[bytes, ObjectId | None]:
    return {name: resolve(repo.location, name)[1] for name in by_git(repo, "refs/")}


def test_loose_and_packed_refs_are_read_and_the_loose_one_wins(plain: Plain) -> None:
    old = plain.commit("old")
    plain.git("tag", "-a", "-m", "t", "v1")
    plain.git("branch", "side/deep")
    plain.git("pack-refs", "--all")
    assert resolve(plain.location, MAIN) == (MAIN, old)
    assert resolve(plain.location, b"refs/tags/v1") == (b"refs/tags/v1", plain.id("v1"))
    new = plain.commit("new")
    assert resolve(plain.location, MAIN) == (MAIN, new)
    assert resolved(plain) == by_git(plain, "refs/")


def test_a_name_that_only_ends_alike_is_another_ref(sha1: Plain) -> None:
    sha1.commit()
    sha1.git("update-ref", "refs/heads/x/refs/heads/y", "HEAD")
    sha1.git("pack-refs", "--all")
    assert resolve(sha1.location, b"refs/heads/y") == (b"refs/heads/y", None)


def test_symbolic_refs_are_followed_to_their_end(sha1: Plain) -> None:
    oid = sha1.commit()
    sha1.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    sha1.git("symbolic-ref", "refs/heads/alias2", "refs/heads/alias")
    sha1.git("symbolic-ref", "refs/heads/dangling", "refs/heads/none")
    assert resolve(sha1.location, b"refs/heads/alias2") == (MAIN, oid)
    assert resolve(sha1.location, b"HEAD") == (MAIN, oid)
    assert resolve(sha1.location, b"refs/heads/dangling") == (b"refs/heads/none", None)
    assert resolved(sha1) == by_git(sha1, "refs/")


def test_symbolic_refs_that_go_round_are_refused(sha1: Plain) -> None:
    for name, target in (("a", "b"), ("b", "a")):
        (sha1.git_dir / "refs/heads" / name).write_text(f"ref: refs/heads/{target}\n")
    with pytest.raises(RepositoryError, match="more than 5 deep"):
        resolve(sha1.location, b"refs/heads/a")


def test_the_old_form_of_a_symbolic_ref_is_followed(sha1: Plain) -> None:
    oid = sha1.commit()
    (sha1.git_dir / "HEAD").unlink()
    (sha1.git_dir / "HEAD").symlink_to("refs/heads/main")
    assert head_branch(sha1.location) == MAIN
    assert resolve(sha1.location, b"HEAD") == (MAIN, oid)
    (sha1.git_dir / "refs/heads/linked").symlink_to("main")
    assert resolve(sha1.location, b"refs/heads/linked") == (b"refs/heads/linked", oid)


def test_head_names_a_branch_that_is_not_born_and_none_when_detached(sha1: Plain) -> None:
    assert head_branch(sha1.location) == MAIN
    assert resolve(sha1.location, b"HEAD") == (MAIN, None)
    sha1.commit()
    sha1.git("checkout", "-q", "--detach")
    assert head_branch(sha1.location) is None
    assert resolve(sha1.location, b"HEAD") == (b"HEAD", sha1.id("HEAD"))


def test_a_repository_without_head_is_refused(sha1: Plain) -> None:
    where = sha1.location
    (sha1.git_dir / "HEAD").unlink()
    with pytest.raises(RepositoryError, match="no HEAD"):
        head_branch(where)


def test_a_linked_worktree_has_its_own_head_and_shares_the_branches(sha1: Plain, tmp_path: Path) -> None:
    oid = sha1.commit()
    sha1.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    linked = at(os.fsencode(sha1.git_dir / "worktrees/linked"), {})
    assert head_branch(linked) == b"refs/heads/side"
    assert head_branch(sha1.location) == MAIN
    assert resolve(linked, b"refs/heads/main") == (MAIN, oid)
    own = sha1.git_dir / "worktrees/linked/refs/worktree"
    own.mkdir(parents=True)
    (own / "x").write_bytes(oid + b"\n")
    assert resolve(linked, b"refs/worktree/x")[1] == oid
    assert resolve(sha1.location, b"refs/worktree/x")[1] is None


@pytest.mark.parametrize(
    "name",
    [b"", b"main", b"head", b"../../etc/passwd", b"refs/../HEAD", b"refs/heads/../../HEAD", b"refs/heads/a..b", b"refs//x",
     b"refs/heads/", b"refs/heads/.x", b"refs/heads/x.lock", b"refs/heads/x.lock/y", b"refs/heads/a b", b"refs/heads/a\nb",
     b"refs/heads/a\0", b"refs/heads/a~1", b"refs/heads/a^", b"refs/heads/a:b", b"refs/heads/a?", b"refs/heads/*",
     b"refs/heads/[", b"refs/heads/a\\b", b"refs/heads/@{x", b"refs/heads/x.", b"refs/heads/\x7f",
     b"refs/heads/" + b"x" * 70_000],
)  # fmt: skip
def test_a_name_that_no_ref_may_have_is_refused(sha1: Plain, name: bytes) -> None:
    with pytest.raises(RepositoryError, match="no ref can have the name"):
        resolve(sha1.location, name)
    if b"\0" not in name and len(name) < 70_000 and name not in {b"main", b"head"}:
        assert sha1.run("check-ref-format", os.fsdecode(name)).returncode != 0


@pytest.mark.parametrize(
    "name", [b"HEAD", b"ORIG_HEAD", b"refs/heads/x", b"refs/heads/\xc3\xa9/\xff", b"refs/heads/a.b@-{"]
)
def test_a_name_that_a_ref_may_have_is_taken(name: bytes) -> None:
    assert check_name(name) == name


def test_a_name_that_no_file_system_takes_is_not_there(sha1: Plain) -> None:
    name = b"refs/heads/" + b"x" * (REF_NAME_BYTES - 11)
    assert resolve(sha1.location, name) == (name, None)


def test_a_folder_in_place_of_a_ref_is_no_ref(sha1: Plain) -> None:
    oid = sha1.commit()
    sha1.git("branch", "a/b")
    assert resolve(sha1.location, b"refs/heads/a") == (b"refs/heads/a", None)
    assert resolve(sha1.location, b"refs/heads/a/b/c") == (b"refs/heads/a/b/c", None)
    assert resolve(sha1.location, b"refs/heads/a/b") == (b"refs/heads/a/b", oid)


@pytest.mark.parametrize(
    "text", ["", "nonsense", "abc\n", "1" * 41 + "\n", "ref: ../../HEAD\n", "ref: refs/heads/.invalid\n"]
)
def test_a_damaged_ref_is_refused(sha1: Plain, text: str) -> None:
    (sha1.git_dir / "refs/heads/main").write_text(text)
    with pytest.raises(RepositoryError, match=r"is damaged|no ref can have"):
        resolve(sha1.location, MAIN)


def test_a_ref_that_cannot_be_read_is_refused(sha1: Plain) -> None:
    (sha1.git_dir / "refs/heads/main").symlink_to("main")
    with pytest.raises(RepositoryError, match="cannot read the ref"):
        resolve(sha1.location, MAIN)
    (sha1.git_dir / "packed-refs").mkdir()
    with pytest.raises(RepositoryError, match="cannot read packed-refs"):
        resolve(sha1.location, b"refs/heads/other")


@pytest.mark.parametrize(
    ("text", "match"), [(f"{'1' * 40} refs/heads/main", "cut off"), ("nonsense refs/heads/main\n", "is damaged")]
)
def test_damaged_packed_refs_are_refused(sha1: Plain, text: str, match: str) -> None:
    (sha1.git_dir / "packed-refs").write_text(text)
    with pytest.raises(RepositoryError, match=match):
        resolve(sha1.location, MAIN)


def test_one_of_ten_thousand_packed_refs_is_found(sha1: Plain) -> None:
    oid = sha1.commit()
    names = [f"refs/heads/b{number:05}" for number in range(10_000)]
    lines = "".join(f"{oid.decode()} {name}\n" for name in names)
    (sha1.git_dir / "packed-refs").write_text("# pack-refs with: peeled fully-peeled sorted \n" + lines)
    assert resolve(sha1.location, b"refs/heads/b09999") == (b"refs/heads/b09999", ObjectId(oid))


def test_the_tips_of_all_refs_below_a_folder_are_found_loose_and_packed(plain: Plain) -> None:
    first = plain.commit("first")
    plain.git("tag", "-a", "-m", "t", "v1")
    plain.git("branch", "side/deep")
    plain.git("pack-refs", "--all")
    second = plain.commit("second")
    plain.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    assert set(tips(plain.location, b"refs/")) == {first, second, plain.id("v1")}
    assert set(tips(plain.location, b"refs/heads/")) == {first, second}
    assert set(tips(plain.location, b"refs/tags/")) == {plain.id("v1")}
    assert set(tips(plain.location, b"refs/remotes/origin/")) == set()


def test_a_ref_that_cannot_be_read_and_a_file_that_is_none_are_no_tips(sha1: Plain) -> None:
    oid = sha1.commit()
    for name, text in (
        ("empty", ""),
        ("cut", "12345"),
        ("main.lock", oid.decode()),
        (".hidden", oid.decode()),
        ("a~", "x"),
    ):
        (sha1.git_dir / "refs/heads" / name).write_text(text)
    assert list(tips(sha1.location, b"refs/heads/")) == [oid]
