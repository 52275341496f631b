"""Looks back in history, and what the world keeps."""

import pytest

from codifica_guard import limits
from codifica_guard.engine.kept import Kept
from codifica_guard.engine.past import introduction_behind, last_change
from codifica_guard.engine.world import StateFiles, state_files
from codifica_guard.errors import LimitExceeded, RepositoryError
from codifica_guard.model.commit import Entry
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.policy.globs import compile_globs
from tests.unit.engine.land import Land, board, work
from tests.unit.views import codifica, policy, task

FILES = StateFiles((compile_globs(["work.md"]),))
FEAT = TaskId("FEAT-1")


def test_the_last_change_is_the_commit_that_made_the_task_what_it_is(land: Land, intro: ObjectId) -> None:
    edit = land.commit({"work.md": work(FEAT_1="x")}, intro)
    other = land.commit({"work.md": work(FEAT_1="x", FEAT_2="y")}, edit)
    tip = land.commit({"src/a.py": "b"}, other)
    with land.store() as store:
        world = land.world(store, intro)
        assert last_change(world, tip, FILES, FEAT) == edit
        assert last_change(world, tip, FILES, TaskId("FEAT-2")) == other
        assert last_change(world, tip, FILES, TaskId("FEAT-3")) == land.parents[intro][0]
        assert last_change(world, tip, FILES, TaskId("NONE-1")) is None
        assert last_change(world, tip, FILES, FEAT, most=2) is None
        assert last_change(world, tip, FILES, FEAT, older=store.commit(other).committer_time + 1) == other


def test_a_task_that_came_later_was_changed_by_the_commit_that_brought_it(land: Land, intro: ObjectId) -> None:
    born = land.commit({"work.md": board(task("NEW-1"))}, intro)
    with land.store() as store:
        assert last_change(land.world(store, intro), land.commit({"x": "y"}, born), FILES, TaskId("NEW-1")) == born


def test_the_introduction_is_found_along_first_parents_first(land: Land, intro: ObjectId) -> None:
    other = land.commit(land.policy())
    merge = land.commit({}, intro, other)
    tip = land.commit({"x": "y"}, merge, merge)
    with land.store() as store:
        world = land.world(store, None)
        assert introduction_behind(world, tip) == intro
        assert introduction_behind(world, land.commit({}, other, intro)) == other
        assert introduction_behind(world, land.parents[intro][0]) is None


def test_an_introduction_too_far_back_is_not_found_and_nothing_passes(
    land: Land, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codifica_guard.engine.past.HISTORY_WALK", 3)
    first = land.begin()
    land.config("codifica.trust", "first-push")
    tip = land.commit(land.policy(), first, by="alice")
    for number in range(4):
        tip = land.commit({"src/x": str(number)}, tip)
    with land.store() as store:
        assert introduction_behind(land.world(store, None), tip) is None
    land.point("main", first)
    with pytest.raises(LimitExceeded, match="too far back"):
        land.push(tip)
    land.point("main", tip)
    with pytest.raises(RepositoryError, match="--introduction COMMIT"):
        land.push(land.commit({"src/x": "x"}, tip))


def test_what_is_kept_goes_when_it_weighs_too_much_the_longest_unused_first() -> None:
    kept: Kept[str, int] = Kept(3)
    for number, name in enumerate("abc"):
        assert kept.put(name, number) == number
    assert kept.get("a") == 0
    kept.put("d", 3)
    assert [kept.get(name) for name in "abcd"] == [0, None, 2, 3]
    kept.put("c", 9, 2)
    assert [kept.get(name) for name in "acd"] == [None, 9, 3]
    kept.put("e", 5, 100)
    assert [kept.get(name) for name in "cde"] == [None, None, 5]


def test_a_world_does_not_hold_more_documents_than_it_may(
    land: Land, intro: ObjectId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codifica_guard.engine.world._DOCUMENT_BYTES", 2_000)
    with land.store() as store:
        world = land.world(store, intro)
        for number in range(30):
            oid = land.commit({"work.md": work(FEAT_1=str(number))}, intro)
            tree = store.commit(oid).tree
            assert world.snapshot(tree, FILES) is world.snapshot(tree, FILES)
        for kept in (world._documents, world._snapshots, world._newest):
            assert len(kept._held) < 10


def test_patterns_with_and_without_wildcards_find_the_same_documents(land: Land) -> None:
    oid = land.commit(
        {
            "work.md": work(),
            "todo/a/x.md": board(task("A-1")),
            "todo/b.md": board(task("B-1")),
            "todo/c.txt": "c",
            "\udcff": "x",
        }
    )
    with land.store() as store:
        world = land.world(store, None)
        tree = store.commit(oid).tree
        listed = {
            pattern: sorted(world.snapshot(tree, StateFiles((compile_globs([*pattern]),))).documents)
            for pattern in (("todo/**/*.md",), ("todo/*.md", "todo/a/x.md"), ("**/*.md",), ("*.md", "todo/**"), ("no/*.md",), ("work.md", "none.md"))
        }  # fmt: skip
    assert listed[("todo/**/*.md",)] == [b"todo/a/x.md", b"todo/b.md"]
    assert listed[("todo/*.md", "todo/a/x.md")] == [b"todo/a/x.md", b"todo/b.md"]
    assert listed[("**/*.md",)] == [b"todo/a/x.md", b"todo/b.md", b"work.md"]
    assert listed[("*.md", "todo/**")] == [b"todo/a/x.md", b"todo/b.md", b"todo/c.txt", b"work.md"]
    assert listed[("no/*.md",)] == []
    assert listed[("work.md", "none.md")] == [b"work.md"]


def test_a_spec_is_no_state_document_under_any_pattern() -> None:
    files = state_files((policy(config=codifica(state=("*.md",))), policy(without_codifica=True)))
    assert RepoPath(b"work.md") in files
    assert RepoPath(b"codifica-spec.md") not in files
    exact = state_files((policy(config=codifica(state=("work.md", "codifica-spec.md"))),))
    assert exact.literal() == (b"work.md",)


def test_more_documents_or_tasks_than_may_be_are_a_limit(land: Land, monkeypatch: pytest.MonkeyPatch) -> None:
    oid = land.commit({"work.md": work(), "b.md": work()})
    files = StateFiles((compile_globs(["*.md"]),))
    for name, most in (("STATE_DOCUMENTS", 1), ("TASKS", 5)):
        with land.store() as store, monkeypatch.context() as patched:
            patched.setattr(f"codifica_guard.engine.world.{name}", most)
            with pytest.raises(LimitExceeded):
                land.world(store, None).snapshot(store.commit(oid).tree, files)


def test_trust_files_past_the_limit_and_trees_without_a_commit(land: Land, intro: ObjectId) -> None:
    big = land.commit({"codifica.json": "x" * (limits.POLICY_BYTES + 1)}, intro)
    with land.store() as store:
        world = land.world(store, intro)
        own = world.own_policy(big)
        assert own is not None
        assert own.codifica is None
        assert own.faults[0].code == "CD110"
        assert world.policy_of_tree(store.commit(big).tree) is own
        assert world.exists(big, RepoPath(b"codifica.json"))
        assert not world.exists(ObjectId(b"1" * 40), RepoPath(b"codifica.json"))
        link = Entry(0o120000, land.blob("x"))
        assert not world.document(RepoPath(b"work.md"), link).splittable
