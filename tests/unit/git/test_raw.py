from pathlib import Path

import pytest

from codifica_guard.errors import LimitExceeded, MalformedObject
from codifica_guard.git.raw import parse_commit, parse_tree
from codifica_guard.limits import COMMIT_BYTES
from codifica_guard.model.commit import Commit, Entry
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import PERSON, Plain, tree_bytes
from tests.unit.git.signing import Signer

ID = ObjectId(b"1" * 40)
TREE = b"tree " + b"a" * 40 + b"\n"
PARENT = b"parent " + b"b" * 40 + b"\n"
AUTHOR = b"author " + PERSON + b" 1700000000 +0100\n"
COMMITTER = b"committer " + PERSON + b" 1700000000 +0100\n"


def commit(*lines: bytes, message: bytes = b"m\n") -> Commit:
    return parse_commit(ID, b"".join(lines) + b"\n" + message)


def test_a_commit_of_gits_is_read_whole_and_has_no_faults(plain: Plain) -> None:
    first = plain.commit("one")
    second = plain.commit("two\n\nbody")
    with plain.store() as store:
        got = store.commit(second)
    assert got.parents == (first,)
    assert got.tree == plain.id("HEAD^{tree}")
    assert got.author == b"A U Thor <author@example.org> 1700000000 +0100"
    assert got.committer == b"C O Mitter <committer@example.org> 1700000000 +0100"
    assert got.committer_time == 1_700_000_000
    assert got.message == b"two\n\nbody\n"
    assert got.signature is None
    assert got.signed == plain.git("cat-file", "commit", second.decode()) + b"\n"
    assert got.faults == ()


def test_a_merge_has_its_parents_in_order() -> None:
    other = b"parent " + b"c" * 40 + b"\n"
    assert commit(TREE, PARENT, other, AUTHOR, COMMITTER).parents == (b"b" * 40, b"c" * 40)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ((TREE, TREE, AUTHOR, COMMITTER), "two `tree` headers"),
        ((TREE, AUTHOR, AUTHOR, COMMITTER), "two `author` headers"),
        ((TREE, AUTHOR, COMMITTER, COMMITTER), "two `committer` headers"),
        ((TREE, AUTHOR, COMMITTER, b"encoding a\n", b"encoding b\n"), "two `encoding` headers"),
        ((TREE, AUTHOR, COMMITTER, b"gpgsig a\n", b"gpgsig b\n"), "two `gpgsig` headers"),
        ((TREE, AUTHOR, COMMITTER, b"gpgsig-sha256 a\n", b"gpgsig-sha256 b\n"), "two `gpgsig-sha256` headers"),
        ((TREE, AUTHOR, COMMITTER, b"gpgsigx a\n"), "an unknown header that starts with `gpgsig`"),
        ((AUTHOR, COMMITTER), "no `tree` header"),
        ((TREE, COMMITTER), "no `author` header"),
        ((TREE, AUTHOR), "no `committer` header"),
        ((PARENT, TREE, AUTHOR, COMMITTER), "headers in another order than tree, parent, author, committer"),
        ((TREE, COMMITTER, AUTHOR), "headers in another order than tree, parent, author, committer"),
        ((TREE, AUTHOR, COMMITTER, PARENT), "headers in another order than tree, parent, author, committer"),
        ((b"x y\n", TREE, AUTHOR, COMMITTER), "headers in another order than tree, parent, author, committer"),
        ((b"tree abc\n", AUTHOR, COMMITTER), "a malformed object id b'abc'"),
        ((TREE, b"parent " + b"B" * 40 + b"\n", AUTHOR, COMMITTER), f"a malformed object id {b'B' * 40!r}"),
        ((TREE, AUTHOR, COMMITTER, b"odd\n"), "a header line without a name or a value"),
        ((TREE, AUTHOR, b" folded\n", COMMITTER), "a header is folded that may not be"),
        ((b" folded\n", TREE, AUTHOR, COMMITTER), "a header is folded that may not be"),
        ((TREE, AUTHOR, COMMITTER, b"x a\0b\n"), "a NUL byte"),
    ],
)
def test_what_readers_could_read_differently_is_a_fault(lines: tuple[bytes, ...], fault: str) -> None:
    assert fault in commit(*lines).faults


def test_a_nul_byte_in_the_message_is_a_fault() -> None:
    assert commit(TREE, AUTHOR, COMMITTER, message=b"a\0b\n").faults == ("a NUL byte",)


def test_headers_without_an_end_are_a_fault() -> None:
    got = parse_commit(ID, TREE + AUTHOR + COMMITTER)
    assert got.faults == ("no blank line ends the headers",)
    assert got.message == b""
    assert parse_commit(ID, b"").faults


@pytest.mark.parametrize(
    ("person", "fault"),
    [
        (PERSON + b" 253402300800 +0000", "impossible time"),
        (PERSON + b" 99999999999999999999 +0000", "impossible time"),
        (PERSON + b" -1 +0000", "is not"),
        (PERSON + b" 01 +0000", "is not"),
        (PERSON + b" 1 +1500", "is not"),
        (PERSON + b" 1 +0060", "is not"),
        (PERSON + b" 1 0000", "is not"),
        (PERSON + b" 1 +000", "is not"),
        (PERSON + b" 1", "is not"),
        (b"A > U <a@b> 1 +0000", "is not"),
        (b"nobody", "is not"),
    ],
)
def test_a_person_with_an_impossible_time_or_form_is_a_fault(person: bytes, fault: str) -> None:
    got = commit(TREE, b"author " + person + b"\n", b"committer " + person + b"\n")
    assert [fault in text for text in got.faults] == [True, True]
    assert got.faults[1].startswith("the `committer` header")


def test_the_time_of_a_commit_is_read_as_far_as_it_can_be() -> None:
    def time(person: bytes) -> int:
        return commit(TREE, AUTHOR, b"committer " + person + b"\n").committer_time

    assert time(b"<a@b> 5 +0000") == 5
    assert time(b"x <a@b> 7 -7530") == 7
    assert time(b"x <a@b> 253402300799 +0000") == 253_402_300_799
    assert time(b"x <a@b> 253402300800 +0000") == 0
    assert time(b"nonsense") == 0


def test_names_that_are_not_utf8_are_no_fault() -> None:
    got = commit(TREE, b"author \xe9 <\xe9@x> 1 +0000\n", COMMITTER, b"encoding latin-1\n", b"HG:extra x\n y\n")
    assert got.faults == ()


def test_headers_that_git_repeats_are_no_fault() -> None:
    assert commit(TREE, AUTHOR, COMMITTER, b"mergetag a\n b\n", b"mergetag c\n").faults == ()


def test_headers_in_capital_digits_are_followed_as_git_follows_them() -> None:
    got = commit(b"tree " + b"A" * 40 + b"\n", AUTHOR, COMMITTER)
    assert got.tree == b"a" * 40
    assert commit(b"tree x\n", AUTHOR, COMMITTER).tree == b"0" * 40


def test_parents_that_stand_elsewhere_do_not_count() -> None:
    assert commit(TREE, AUTHOR, PARENT, COMMITTER).parents == ()


def test_each_object_format_has_its_own_signature_header() -> None:
    lines = (AUTHOR, COMMITTER, b"gpgsig a\n b\n", b"gpgsig-sha256 c\n d\n", b"mergetag x\n  \n y\n")
    short = commit(TREE, *lines)
    long = parse_commit(ObjectId(b"1" * 64), b"tree " + b"a" * 64 + b"\n" + b"".join(lines) + b"\nm\n")
    assert (short.signature, long.signature) == (b"a\nb\n", b"c\nd\n")
    assert short.signed == TREE + AUTHOR + COMMITTER + b"mergetag x\n  \n y\n\nm\n"
    assert short.faults == long.faults == ()


def test_a_commit_past_the_limit_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="more than"):
        commit(TREE, AUTHOR, COMMITTER, message=b"x" * COMMIT_BYTES)


def test_a_hostile_commit_costs_little_and_tells_some_of_its_faults() -> None:
    lines = commit(TREE, AUTHOR, COMMITTER, b"x y\n" + b" z\n" * 300_000)
    assert lines.faults == ()
    assert len(commit(TREE, b"".join(b"parent %d\n" % n for n in range(50_000)), AUTHOR, COMMITTER).faults) == 20


def test_a_commit_with_very_many_parents_is_read_at_once() -> None:
    assert len(commit(TREE, PARENT * 20_000, AUTHOR, COMMITTER).parents) == 20_000


def test_what_git_signs_is_what_we_read(plain: Plain, tmp_path: Path) -> None:
    signer = Signer(tmp_path, plain)
    plain.commit("signed", "-S")
    with plain.store() as store:
        got = store.commit(plain.id("HEAD"))
    plain.git("verify-commit", "HEAD")
    assert got.signature is not None
    assert signer.verifies(got.signed, got.signature)
    assert not signer.verifies(got.signed + b"x", got.signature)


def test_what_git_signs_is_what_we_read_with_a_mergetag(plain: Plain, tmp_path: Path) -> None:
    signer = Signer(tmp_path, plain)
    plain.commit("base")
    plain.git("checkout", "-q", "-b", "side")
    plain.commit("side")
    plain.git("tag", "-s", "-m", "signed tag", "v1")
    plain.git("checkout", "-q", "main")
    plain.commit("main")
    plain.git("merge", "-q", "--no-ff", "-S", "-m", "merge", "v1")
    data = plain.git("cat-file", "commit", "HEAD")
    assert b"\nmergetag object" in data
    with plain.store() as store:
        got = store.commit(plain.id("HEAD"))
    assert got.faults == ()
    assert got.signature is not None
    assert signer.verifies(got.signed, got.signature)


@pytest.mark.parametrize("behind", [b"", b"HG:extra a\n b\n", b"encoding latin-1\nx y\n \n z\n"])
def test_what_git_signs_is_what_we_read_with_odd_headers(plain: Plain, tmp_path: Path, behind: bytes) -> None:
    signer = Signer(tmp_path, plain)
    base = plain.commit("base")
    head = b"tree " + plain.id("HEAD^{tree}") + b"\nparent " + base + b"\n" + AUTHOR + COMMITTER
    tail = behind + b"\ngpgsig in the message\n\n gpgsig again\n"
    signature = signer.sign(head + tail)
    name = b"gpgsig" if plain.object_format == "sha1" else b"gpgsig-sha256"
    other = b"gpgsig-sha256 other\n line\n" if plain.object_format == "sha1" else b"gpgsig other\n line\n"
    header = name + b" " + signature.rstrip(b"\n").replace(b"\n", b"\n ") + b"\n"
    oid = plain.put("commit", head + header + other + tail)
    plain.git("verify-commit", oid.decode())
    with plain.store() as store:
        got = store.commit(oid)
    assert got.signed == head + tail
    assert got.signature == signature


BLOB = ObjectId(b"2" * 40)


def test_a_tree_of_gits_is_read_whole(plain: Plain) -> None:
    for name in ("b", "a.b", "a/c", "a0", "é"):
        plain.file(name, name)
    (plain.path / "link").symlink_to("b")
    (plain.path / "run").write_text("x")
    (plain.path / "run").chmod(0o755)
    plain.commit()
    with plain.store() as store:
        entries = parse_tree(store.tree(plain.id("HEAD^{tree}")), store.id_length // 2)
    listed = b"".join(
        b"%06o %s %s\t%s\0" % (e.mode, {0o040000: b"tree"}.get(e.mode, b"blob"), e.id, name) for name, e in entries
    )
    assert listed == plain.git("ls-tree", "-z", "HEAD")


def test_all_modes_that_git_writes_are_read() -> None:
    modes = (b"100644", b"100755", b"100664", b"120000", b"160000", b"40000")
    data = tree_bytes(*((mode, b"%d" % place, BLOB) for place, mode in enumerate(modes)))
    assert parse_tree(data, 20) == tuple((b"%d" % place, Entry(int(mode, 8), BLOB)) for place, mode in enumerate(modes))
    assert parse_tree(b"", 20) == ()


@pytest.mark.parametrize(
    "entries",
    [
        ((b"100600", b"a", BLOB),),
        ((b"040000", b"a", BLOB),),
        ((b"", b"a", BLOB),),
        ((b"100644", b"", BLOB),),
        ((b"100644", b"a/b", BLOB),),
        ((b"100644", b".", BLOB),),
        ((b"40000", b"..", BLOB),),
        ((b"40000", b".git", BLOB),),
        ((b"100644", b".GiT", BLOB),),
        ((b"100644", b"a", BLOB), (b"100644", b"a", BLOB)),
        ((b"100644", b"a", BLOB), (b"100644", b"a-b", BLOB), (b"40000", b"a", BLOB)),
        ((b"100644", b"b", BLOB), (b"100644", b"a", BLOB)),
        ((b"40000", b"a", BLOB), (b"100644", b"a.b", BLOB)),
    ],
)
def test_a_tree_that_readers_could_read_differently_is_refused(
    entries: tuple[tuple[bytes, bytes, ObjectId], ...],
) -> None:
    with pytest.raises(MalformedObject, match="a tree"):
        parse_tree(tree_bytes(*entries), 20)


@pytest.mark.parametrize("cut", range(1, 28))
def test_a_tree_that_is_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(MalformedObject, match="cut off"):
        parse_tree(tree_bytes((b"100644", b"a", BLOB))[:cut], 20)
