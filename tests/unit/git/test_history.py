from collections.abc import Callable

import pytest

from codifica_guard.errors import LimitExceeded, MalformedObject, MissingObject
from codifica_guard.git import history
from codifica_guard.git.history import first_parents, is_ancestor, merge_bases, new_commits
from codifica_guard.git.store import Store
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import Plain


def chain(
    repo: Plain, length: int, *, start: ObjectId | None = None, time: int = 1000, step: int = 1
) -> list[ObjectId]:
    made: list[ObjectId] = [] if start is None else [start]
    for number in range(length):
        made.append(repo.put_commit(made[-1:], time + number * step, b"%d %d\n" % (time, number)))
    return made if start is None else made[1:]


def reads(store: Store, ask: Callable[[], object]) -> int:
    """How many commits an answer costs."""
    before = len(store._commits)
    ask()
    return len(store._commits) - before


def test_new_is_what_the_tips_reach_and_the_known_do_not(plain: Plain) -> None:
    old = chain(plain, 3)
    new = chain(plain, 4, start=old[1], time=5000)
    with plain.store() as store:
        assert new_commits(store, [new[-1]], [old[-1]]) == tuple(new)
        assert new_commits(store, [new[-1]], []) == (old[0], old[1], *new)
        assert new_commits(store, [old[1]], [old[-1]]) == ()
        assert new_commits(store, [], [old[-1]]) == ()
        assert new_commits(store, [new[1], new[-1]], [new[0]]) == tuple(new[1:])


def test_parents_come_before_children_in_merges(sha1: Plain) -> None:
    base = sha1.put_commit()
    left, right = chain(sha1, 2, start=base, time=5000), chain(sha1, 2, start=base, time=100)
    merge = sha1.put_commit([left[-1], right[-1]], 50)
    with sha1.store() as store:
        assert new_commits(store, [merge], [base]) == (*left, *right, merge)
        assert new_commits(store, [merge], [left[-1]]) == (*right, merge)


def test_a_small_push_into_a_long_history_reads_little(sha1: Plain) -> None:
    old = chain(sha1, 400)
    new = chain(sha1, 2, start=old[-1], time=5000)
    with sha1.store() as store:
        assert reads(store, lambda: new_commits(store, [new[-1]], [old[-1]])) < 25
    with sha1.store() as store:
        assert reads(store, lambda: new_commits(store, [new[-1]], [old[-1], old[5]])) < 45
    with sha1.store() as store:
        assert reads(store, lambda: is_ancestor(store, old[-1], new[-1])) == 3
    with sha1.store() as store:
        assert reads(store, lambda: is_ancestor(store, new[-1], old[-1])) < 5


def test_a_clock_that_was_wrong_once_does_not_make_old_commits_new(sha1: Plain) -> None:
    old = chain(sha1, 5)
    behind = sha1.put_commit([old[-1]], 1)
    tip = sha1.put_commit([behind], 2000)
    side = sha1.put_commit([old[-1]], 3000)
    merge = sha1.put_commit([tip, side], 3001)
    with sha1.store() as store:
        assert new_commits(store, [merge], [tip]) == (side, merge)


def test_old_commits_of_the_same_second_are_all_looked_at(sha1: Plain) -> None:
    root = sha1.put_commit([], 1000, b"root\n")
    old = chain(sha1, 100, start=root, step=0)
    new = sha1.put_commit([root], 1000, b"new\n")
    with sha1.store() as store:
        assert new_commits(store, [new], [old[-1]]) == (new,)


def test_the_patience_with_commits_of_the_same_second_ends(sha1: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    old = chain(sha1, 300, step=0)
    orphan = sha1.put_commit([], 1000, b"orphan\n")
    monkeypatch.setattr(history, "HISTORY_WALK", 20)
    with sha1.store() as store:
        assert new_commits(store, [orphan], [old[-1]]) == (orphan,)
        assert len(store._commits) < 60


def test_too_many_new_commits_are_refused(sha1: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    made = chain(sha1, 6)
    monkeypatch.setattr(history, "COMMITS", 4)
    with sha1.store() as store:
        assert len(new_commits(store, [made[-1]], [made[1]])) == 4
        with pytest.raises(LimitExceeded, match="more than 4 new commits"):
            new_commits(store, [made[-1]], [made[0]])


def test_a_missing_parent_is_always_an_error(sha1: Plain) -> None:
    nothing = ObjectId(b"1" * 40)
    lone = sha1.put_commit([nothing])
    tip = sha1.put_commit([lone])
    other = sha1.put_commit([], 5)
    (sha1.git_dir / "shallow").write_bytes(lone + b"\n")
    with sha1.store() as store:
        for ask in (
            lambda: new_commits(store, [tip], []),
            lambda: new_commits(store, [tip], [other]),
            lambda: is_ancestor(store, other, tip),
            lambda: merge_bases(store, other, tip),
            lambda: list(first_parents(store, tip)),
            lambda: new_commits(store, [nothing], []),
            lambda: new_commits(store, [], [nothing]),
        ):
            with pytest.raises(MissingObject):
                ask()


def test_what_is_no_commit_is_an_error(sha1: Plain) -> None:
    blob = sha1.put("blob", b"x")
    with sha1.store() as store, pytest.raises(MalformedObject, match="not a commit"):
        new_commits(store, [blob], [])


def test_first_parents_go_down_to_the_root(sha1: Plain) -> None:
    old = chain(sha1, 3)
    side = sha1.put_commit([old[0]], 7)
    merge = sha1.put_commit([old[-1], side])
    with sha1.store() as store:
        assert list(first_parents(store, merge)) == [merge, *reversed(old)]


def test_a_commit_is_its_own_ancestor_and_base(sha1: Plain) -> None:
    one, other = sha1.put_commit(message=b"one\n"), sha1.put_commit(message=b"other\n")
    with sha1.store() as store:
        assert is_ancestor(store, one, one)
        assert not is_ancestor(store, one, other)
        assert merge_bases(store, one, one) == {one}
        assert merge_bases(store, one, other) == frozenset()


def test_an_ancestor_of_a_base_is_no_base_though_a_date_between_them_lies(sha1: Plain) -> None:
    below = sha1.put_commit([sha1.put_commit([], 4000, b"root\n")], 5000)
    between = sha1.put_commit([below], 0)
    base = sha1.put_commit([between], 1000)
    left, right = sha1.put_commit([base, below], 7000), sha1.put_commit([below, base], 8000)
    with sha1.store() as store:
        assert merge_bases(store, left, right) == {base}


def test_a_criss_cross_has_both_bases(plain: Plain) -> None:
    root = plain.put_commit()
    a, b = plain.put_commit([root], 1, b"a\n"), plain.put_commit([root], 2, b"b\n")
    left, right = plain.put_commit([a, b], 3), plain.put_commit([b, a], 4)
    with plain.store() as store:
        assert merge_bases(store, left, right) == {a, b}
        assert merge_bases(store, left, a) == {a}
