"""What a merge decided, on real histories."""

from itertools import permutations
from pathlib import Path

import pytest

from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.segments import Segment
from codifica_guard.model.identity import Attribution
from codifica_guard.model.ids import ObjectId
from codifica_guard.rules.view import MergeItem
from tests.unit.engine.land import NOW, Land, Value, board, codes, errors, line_of, work
from tests.unit.views import task


def decided(land: Land, oid: ObjectId, intro: ObjectId) -> tuple[MergeItem, ...]:
    with land.store() as store:
        world = land.world(store, intro)
        commit = store.commit(oid)
        step = Segment(base=commit.parents[0], tip=oid, new=(oid,), with_base=frozenset({oid}))
        expansion = Expansion(world, commit, step, NOW)
        policy = world.policy(commit.parents[0])
        assert policy is not None
        return expansion.merge(expansion.view(policy, Attribution())).decided


def summary(items: tuple[MergeItem, ...]) -> set[tuple[str, str, bool]]:
    return {(i.kind, i.name, i.conflict) for i in items}


def merged(land: Land, intro: ObjectId, changes: dict[str, Value], *parents: ObjectId) -> set[tuple[str, str, bool]]:
    """What a merge decided; the same whichever parent comes first."""
    files: dict[str, Value] = {**dict.fromkeys(land.trees[parents[0]]), **land.trees[parents[0]], **changes}
    answers = []
    for order in permutations(parents):
        start: dict[str, Value] = {p: None for p in land.trees[order[0]] if p not in files}
        answers.append(
            summary(
                decided(
                    land,
                    land.commit(
                        {**start, **{p: v for p, v in files.items() if v is not None or p in land.trees[order[0]]}},
                        *order,
                    ),
                    intro,
                )
            )
        )
    assert all(a == answers[0] for a in answers)
    return answers[0]


def test_a_clean_merge_decides_nothing(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="Other")}, intro, by="alice")
    two = land.commit({"work.md": work(FEAT_3="Last")}, intro, by="alice")
    assert merged(land, intro, {"work.md": work(FEAT_1="Other", FEAT_3="Last")}, one, two) == set()


def test_a_merge_that_picks_a_side_or_makes_a_change_of_its_own_decides(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="Other")}, intro)
    two = land.commit({"work.md": work(FEAT_3="Last")}, intro)
    assert merged(land, intro, {"work.md": work(FEAT_1="Other")}, one, two) == {("record", "FEAT-3", False)}
    own = work(FEAT_1="Other", FEAT_2="Own", FEAT_3="Last")
    assert merged(land, intro, {"work.md": own}, one, two) == {("record", "FEAT-2", False)}


def test_a_merge_back_to_an_old_value_decides(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="Other")}, intro)
    two = land.commit({"src/a.py": "b\n"}, intro)
    assert merged(land, intro, {"work.md": work()}, one, two) == {("record", "FEAT-1", False)}


def test_two_versions_of_a_field_conflict_whatever_the_merge_takes(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="One")}, intro)
    two = land.commit({"work.md": work(FEAT_1="Two")}, intro)
    for text in (work(FEAT_1="One"), work(FEAT_1="Two"), work(), work(FEAT_1="Three")):
        assert merged(land, intro, {"work.md": text}, one, two) == {("record", "FEAT-1", True)}


def with_fields(*lines: str, title: str = "Title of FEAT-1") -> str:
    rest = (task(n, title=f"Title of {n}") for n in ("FEAT-2", "FEAT-3"))
    return board(task("FEAT-1", *lines, title=title), *rest)


def test_two_sides_that_changed_different_fields_of_one_task_join(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": with_fields(title="One")}, intro)
    two = land.commit({"work.md": with_fields("  priority: low")}, intro)
    gone = board(*(task(n, title=f"Title of {n}") for n in ("FEAT-2", "FEAT-3")))
    for text in (with_fields("  priority: low", title="One"), with_fields('  priority: "low"', title="One")):
        assert merged(land, intro, {"work.md": text}, one, two) == set()
    for text in (with_fields(title="One"), with_fields("  priority: low"), with_fields("  x: &a b"), gone, work()):
        assert merged(land, intro, {"work.md": text}, one, two) == {("record", "FEAT-1", False)}


def test_a_join_stays_where_its_sides_have_it(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": with_fields(title="One")}, intro)
    two = land.commit({"work.md": with_fields("  priority: low")}, intro)
    both = with_fields("  priority: low", title="One")
    twice = board(both.split("```yaml\n")[1].split("```")[0], task("FEAT-1", "  priority: low", title="One"))
    assert ("record", "FEAT-1", False) in merged(land, intro, {"work.md": twice}, one, two)


def test_a_task_that_one_side_cannot_read_conflicts(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": with_fields("  x: &a b")}, intro)
    two = land.commit({"work.md": with_fields("  priority: low")}, intro)
    assert merged(land, intro, {"work.md": with_fields("  priority: low")}, one, two) == {("record", "FEAT-1", True)}


def test_a_deletion_wins_over_what_stayed_and_conflicts_with_an_edit(land: Land, intro: ObjectId) -> None:
    rest = board(*(task(n, title=f"Title of {n}") for n in ("FEAT-1", "FEAT-2")))
    gone = land.commit({"work.md": rest}, intro)
    same = land.commit({"src/a.py": "b\n"}, intro)
    edit = land.commit({"work.md": work(FEAT_3="Edited")}, intro)
    assert merged(land, intro, {"work.md": rest}, gone, same) == set()
    assert merged(land, intro, {"work.md": work()}, gone, same) == {("record", "FEAT-3", False)}
    assert merged(land, intro, {"work.md": rest}, gone, edit) == {("record", "FEAT-3", True)}


def test_a_task_born_twice_is_said_to_be(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": board(task("NEW-1", title="One"))}, intro)
    two = land.commit({"work.md": board(task("NEW-1", title="Two"))}, intro)
    item = next(i for i in decided(land, land.commit({}, one, two), intro) if i.name == "NEW-1")
    assert item.conflict
    assert item.twice
    assert [s and s.block.id for s in item.sides] == ["NEW-1", "NEW-1"]


def archive(*done: str) -> str:
    return board(*(task(n, title=f"Title of {n}") for n in done), text="# Done\n")


def test_two_archivals_of_one_task_are_one_and_into_two_documents_conflict(tmp_path: Path) -> None:
    land = Land(tmp_path / "r")
    first = land.begin({"done.md": archive("OLD-1"), "more.md": archive("OLD-2")})
    intro = land.introduce(first, settings={"state": ["work.md", "done.md", "more.md"]})
    left = board(*(task(n, title=f"Title of {n}") for n in ("FEAT-1", "FEAT-2")))
    one = land.commit({"work.md": left, "done.md": archive("OLD-1", "FEAT-3")}, intro)
    two = land.commit({"work.md": left, "done.md": archive("OLD-1", "FEAT-3"), "src/a.py": "x"}, intro)
    other = land.commit({"work.md": left, "more.md": archive("OLD-2", "FEAT-3")}, intro)
    assert merged(land, intro, {"src/a.py": "x"}, one, two) == set()
    took = {"done.md": archive("OLD-1", "FEAT-3"), "more.md": archive("OLD-2")}
    assert merged(land, intro, {**took}, one, other) == {("record", "FEAT-3", True)}
    edit = land.commit({"work.md": work(FEAT_3="Edited")}, intro)
    assert merged(land, intro, {}, one, edit) == {("record", "FEAT-3", True)}


def test_an_octopus_takes_from_each_side(land: Land, intro: ObjectId) -> None:
    sides = [land.commit({"work.md": work(**{name: "Own"})}, intro) for name in ("FEAT_1", "FEAT_2", "FEAT_3")]
    every = work(FEAT_1="Own", FEAT_2="Own", FEAT_3="Own")
    assert merged(land, intro, {"work.md": every}, *sides) == set()
    assert merged(land, intro, {"work.md": work(FEAT_1="Own", FEAT_2="Own")}, *sides) == {("record", "FEAT-3", False)}


def test_histories_that_cross_conflict_where_both_values_are_old(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="One")}, intro)
    two = land.commit({"work.md": work(FEAT_1="Two")}, intro)
    left = land.commit({"work.md": work(FEAT_1="One")}, one, two)
    right = land.commit({"work.md": work(FEAT_1="Two")}, two, one)
    for text in (work(FEAT_1="One"), work(FEAT_1="Two")):
        assert merged(land, intro, {"work.md": text}, left, right) == {("record", "FEAT-1", True)}
    third = land.commit({"work.md": work(FEAT_1="Three")}, right)
    assert merged(land, intro, {"work.md": work(FEAT_1="Three")}, left, third) == set()


def test_roots_without_a_common_base_conflict_in_all_that_both_have(land: Land, intro: ObjectId) -> None:
    root = land.commit({**land.policy(), "work.md": work(FEAT_1="Else"), "spec.md": "# Other\n", "src/n.py": "n"})
    found = merged(land, intro, {"src/n.py": "n"}, intro, root)
    assert ("record", "FEAT-1", True) in found
    assert ("trust", "spec.md", True) in found
    assert not any(name == "src/n.py" for _, name, _ in found)
    item = next(i for i in decided(land, land.commit({}, intro, root), intro) if i.name == "FEAT-1")
    assert item.twice


def test_frames_trust_files_and_guarded_paths_are_items_and_free_paths_are_none(land: Land, intro: ObjectId) -> None:
    base: dict[str, Value] = {"docs/x": "1", "assets/FEAT-1/log": "1", "src/f.py": "1"}
    start = land.commit(base, intro)
    one = land.commit(
        dict.fromkeys(base, "2") | {"work.md": work().replace("# Work", "# One"), "spec.md": "# 2\n"}, start
    )
    two = land.commit(
        dict.fromkeys(base, "3") | {"work.md": work().replace("# Work", "# Two"), "spec.md": "# 3\n"}, start
    )
    quiet = land.commit({"src/q.py": "q"}, start)
    conflicts = {
        ("frame", "work.md", True), ("trust", "spec.md", True), ("path", "docs/x", True), ("path", "assets/FEAT-1/log", True),
    }  # fmt: skip
    assert merged(land, intro, {}, one, two) == conflicts
    assert merged(land, intro, {"src/q.py": "q"}, one, quiet) == set()
    own = {"docs/new": "n", "docs/x": "9", "work.md": work().replace("# Work", "# Own")}
    found = {("path", "docs/new", False), ("path", "docs/x", False), ("frame", "work.md", False)}
    assert merged(land, intro, {"src/q.py": "q", **own}, one, quiet) == found


def test_a_merge_with_a_document_that_one_side_cannot_split(land: Land, intro: ObjectId) -> None:
    broken = work().replace("  state: todo", " state: todo")
    bad = land.commit({"work.md": broken}, intro)
    good = land.commit({"src/a.py": "b\n"}, intro)
    assert merged(land, intro, {"src/a.py": "b\n"}, bad, good) == set()
    mended = land.commit({"work.md": work(FEAT_1="Mended")}, bad)
    assert (
        merged(
            land,
            intro,
            {"work.md": work(FEAT_1="Mended"), "src/a.py": "b\n"},
            mended,
            land.commit({"src/a.py": "b\n"}, bad),
        )
        == set()
    )
    edit = land.commit({"work.md": work(FEAT_1="Edited")}, intro)
    assert ("frame", "work.md", True) not in merged(land, intro, {"work.md": work(FEAT_1="Edited")}, bad, edit)
    assert ("record", "FEAT-1", True) in merged(land, intro, {"work.md": work(FEAT_1="Edited")}, bad, edit)


def test_a_document_that_ends_on_one_side(land: Land, intro: ObjectId) -> None:
    gone = land.commit({"work.md": None}, intro)
    same = land.commit({"src/a.py": "b\n"}, intro)
    assert merged(land, intro, {"src/a.py": "b\n"}, gone, same) == set()


def test_a_merge_keeps_the_order_that_all_sides_have(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="Other")}, intro)
    two = land.commit({"src/a.py": "b\n"}, intro)
    names = {"FEAT-2": "Title of FEAT-2", "FEAT-1": "Other", "FEAT-3": "Title of FEAT-3"}
    text = board(*(task(n, title=t) for n, t in names.items()))
    assert merged(land, intro, {"work.md": text, "src/a.py": "b\n"}, one, two) == {("order", "work.md", False)}
    land.point("main", one)
    assert errors(land.push(land.commit({"work.md": text, "src/a.py": "b\n"}, one, two, by="alice"))) == {"CD405"}


def test_where_sides_order_tasks_differently_no_order_is_kept(land: Land, intro: ObjectId) -> None:
    def ordered(*names: str) -> dict[str, Value]:
        return {"work.md": board(*(task(n, title=f"Title of {n}") for n in names))}

    one = land.commit(ordered("FEAT-2", "FEAT-1", "FEAT-3"), intro)
    two = land.commit({"src/a.py": "b\n"}, intro)
    for names in (("FEAT-2", "FEAT-1", "FEAT-3"), ("FEAT-1", "FEAT-2", "FEAT-3"), ("FEAT-3", "FEAT-1", "FEAT-2")):
        assert merged(land, intro, {**ordered(*names), "src/a.py": "b\n"}, one, two) == set()


def test_bases_are_looked_for_only_where_values_differ(
    land: Land, intro: ObjectId, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = land.commit({"src/b.py": "one"}, intro)
    two = land.commit({"src/c.py": "two"}, intro)
    asked: list[object] = []

    def no_bases(*commits: object) -> frozenset[ObjectId]:
        asked.append(commits)
        return frozenset()

    monkeypatch.setattr("codifica_guard.engine.merging.merge_bases", no_bases)
    assert decided(land, land.commit({"src/c.py": "two"}, one, two), intro) == ()
    assert asked == []


def test_who_may_choose(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work().replace("# Work", "# One"), "docs/x": "1"}, intro, by="alice")
    two = land.commit({"work.md": work().replace("# Work", "# Two"), "docs/x": "2"}, intro, by="alice")
    assert land.push(one).accepted
    for who, refused in ((None, {"CD405", "CD407"}), ("builder", {"CD405", "CD407"}), ("bob", set())):
        verdict = land.judge(("refs/heads/main", one, land.commit({}, one, two, by=who)))
        assert refused <= codes(verdict)
        assert bool(errors(verdict)) == bool(refused)
    trusted = land.commit({"spec.md": "# 1\n"}, one, by="alice")
    other = land.commit({"spec.md": "# 2\n"}, one, by="alice")
    assert land.push(trusted).accepted
    for who in (None, "builder", "bob", "alice"):
        verdict = land.judge(("refs/heads/main", trusted, land.commit({}, trusted, other, by=who)))
        assert errors(verdict) == (set() if who == "alice" else {"ID109"}), who
    slipped = land.commit({"spec.md": "# 3\n", "docs/y": "y"}, trusted, land.commit({"src/a.py": "q"}, one), by="alice")
    assert errors(land.judge(("refs/heads/main", trusted, slipped))) == {"ID109"}


def test_a_key_that_a_side_revoked_stays_so_whichever_file_the_merge_takes(land: Land, intro: ObjectId) -> None:
    one, two = (f"{line_of(name)}\n" for name in ("carol", "dave"))
    ours = land.commit({".codifica/revoked_keys": one}, intro, by="alice")
    theirs = land.commit({".codifica/revoked_keys": two}, intro, by="alice")
    path = ".codifica/revoked_keys"
    for text, lost in ((one, True), (two, True), ("", True), (one + two, False)):
        kinds = merged(land, intro, {path: text}, ours, theirs)
        assert (("revoked", path, False) in kinds) is lost
        assert ("trust", path, True) in kinds
