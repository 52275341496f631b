"""Comparing raw trees agrees with comparing parsed ones, and finds what a whole check finds."""

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.errors import MalformedObject
from codifica_guard.git.raw import check_tree, parse_commit, parse_tree, sort_key
from codifica_guard.git.treediff import RawEntry, clashes, compare, find
from codifica_guard.model.ids import ObjectId

WIDTHS = st.sampled_from((20, 32))
NAMES = st.sampled_from(
    [bytes(name) for name in (b"a", b"b", b"a.b", b"a-", b"a0", b"ab", b"c" * 40, b"\xff", b"1 x", b"100644 a")]
)
MODES = st.sampled_from([b"100644", b"100755", b"40000", b"120000", b"160000"])
BYTES = st.sampled_from([0, 1, 32, 48, 97, 255])


def ids(width: int) -> st.SearchStrategy[bytes]:
    return st.lists(BYTES, min_size=width, max_size=width).map(bytes) | st.sampled_from([bytes(width), b"\1" * width])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[int, list[RawEntry], list[RawEntry]]:
    width = draw(WIDTHS)
    entry = st.tuples(MODES, NAMES, ids(width)).map(lambda parts: RawEntry(*parts))
    before = {e.name: e for e in draw(st.lists(entry, max_size=10))}
    after = {name: e for name, e in before.items() if draw(st.integers(0, 4))}
    after |= {e.name: e for e in draw(st.lists(entry, max_size=4))}
    return width, in_order(before), in_order(after)


def in_order(entries: dict[bytes, RawEntry]) -> list[RawEntry]:
    return sorted(entries.values(), key=lambda e: sort_key(e.mode, e.name))


def raw(entries: list[RawEntry]) -> bytes:
    return b"".join(b"%s %s\0%s" % entry for entry in entries)


@settings(max_examples=120, deadline=None)
@given(pairs())
def test_the_difference_of_two_trees_is_that_of_their_entries(case: tuple[int, list[RawEntry], list[RawEntry]]) -> None:
    width, before, after = case
    removed, added = compare(raw(before), raw(after), width)
    assert removed == [e for e in before if e not in after]
    assert added == [e for e in after if e not in before]
    for name in (b"a", b"a.b", b"100644 a", b"zz", b"x"):
        assert find(raw(after), name, width) == next((e for e in after if e.name == name), None)


@settings(max_examples=120, deadline=None)
@given(pairs(), st.data())
def test_a_tree_that_a_whole_check_refuses_is_refused_beside_a_sound_one(
    case: tuple[int, list[RawEntry], list[RawEntry]], data: st.DataObject
) -> None:
    width, before, after = case
    spoiled = list(after)
    for _ in range(data.draw(st.integers(0, 2))):
        if spoiled:
            entry = data.draw(st.sampled_from(spoiled + before))
            spoiled.insert(data.draw(st.integers(0, len(spoiled))), entry)
    try:
        check_tree(raw(spoiled), width)
        sound = True
    except MalformedObject:
        sound = False
    try:
        _, added = compare(raw(before), raw(spoiled), width)
        if clashes(raw(spoiled), added):
            check_tree(raw(spoiled), width)
        passed = True
    except MalformedObject:
        passed = False
    assert passed == sound


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=200), pairs(), WIDTHS)
def test_any_bytes_give_our_errors_only(
    junk: bytes, case: tuple[int, list[RawEntry], list[RawEntry]], width: int
) -> None:
    _, before, _ = case
    for ask in (
        lambda: parse_tree(junk, width),
        lambda: compare(raw(before), junk, width),
        lambda: find(junk, b"a", width),
    ):
        try:
            ask()
        except MalformedObject:
            continue
    commit = parse_commit(ObjectId(b"1" * 40), junk)
    assert commit.faults
    assert len(commit.tree) == 40
