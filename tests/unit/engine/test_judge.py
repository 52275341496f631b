"""From a push to its verdict: policies, revocations, introductions, and that nothing passes unjudged."""

from pathlib import Path
from typing import Any

import pytest

from codifica_guard.errors import RepositoryError
from codifica_guard.model.ids import ObjectId
from tests.unit.engine.land import NOW, Land, board, codes, errors, line_of, work
from tests.unit.views import task


def signers(land: Land, **changed: str | None) -> str:
    """allowed_signers: names and principals; None takes one out."""
    rows = {**land.signers, **changed}
    return "".join(f"{principal} {line_of(name)}\n" for name, principal in rows.items() if principal)


# -- ordinary pushes


def test_code_of_nobody_and_a_humans_change_of_a_task_are_let_in(any_land: Land) -> None:
    intro = any_land.introduce()
    code = any_land.commit({"src/a.py": "b\n"}, intro)
    edit = any_land.commit({"work.md": work(FEAT_1="Better")}, code, by="alice")
    trailer = any_land.commit({"work.md": work(FEAT_1="Best")}, edit, by="alice", proof="trailer")
    assert any_land.push(trailer).findings == ()


def test_an_unsigned_change_of_a_task_is_refused(land: Land, intro: ObjectId) -> None:
    assert codes(land.push(land.commit({"work.md": work(FEAT_1="Better")}, intro))) == {"ID106"}


def test_every_commit_of_a_push_is_judged_by_itself(land: Land, intro: ObjectId) -> None:
    bad = land.commit({"work.md": work(FEAT_1="Better")}, intro)
    back = land.commit({"work.md": work()}, bad, by="alice")
    verdict = land.push(back)
    assert [f.commit for f in verdict.errors] == [bad]


def test_a_signature_survives_a_rebase_and_dies_over_the_same_task(land: Land, intro: ObjectId) -> None:
    edit = {"work.md": work(FEAT_1="Better")}
    cover = land.payload({**land.trees[intro], "work.md": land.leaf(work(FEAT_1="Better"))}, [intro], "human:alice")
    below = land.commit({"work.md": work(FEAT_2="Else")}, intro, by="alice")
    moved = land.commit(
        {"work.md": work(FEAT_1="Better", FEAT_2="Else")}, below, by="alice", proof="trailer", payload=cover
    )
    assert land.push(moved).accepted
    again = land.commit(edit, moved, by="alice", proof="trailer", payload=cover)
    assert errors(land.push(again)) == {"ID101"}


def test_a_task_that_goes_to_another_fence_is_a_change_of_order(land: Land) -> None:
    one, two = task("A-1", title="T"), task("B-1", title="T")
    before = f"# W\n\n```yaml\n{one}{two}```\n\n## Done\n\n```yaml\n```\n"
    after = f"# W\n\n```yaml\n{one}```\n\n## Done\n\n```yaml\n{two}```\n"
    intro = land.introduce(land.begin({"work.md": before}))
    assert errors(land.push(land.commit({"work.md": after}, intro))) == {"ID106"}
    assert errors(land.push(land.commit({"work.md": after}, intro, by="builder"))) == {"CD405"}
    assert land.push(land.commit({"work.md": after}, intro, by="bob")).accepted


# -- under whose policy


def test_a_commit_from_an_old_base_is_judged_under_the_tip_as_well(land: Land, intro: ObjectId) -> None:
    without = land.commit({".codifica/allowed_signers": signers(land, bob=None)}, intro, by="alice")
    assert land.push(without).accepted
    old = land.commit({"work.md": work(FEAT_1="Bob's")}, intro, by="bob")
    merge = land.commit({"work.md": work(FEAT_1="Bob's")}, without, old)
    assert errors(land.push(merge)) == {"ID102"}


def test_nobody_judges_himself_by_the_policy_that_he_brings(land: Land, intro: ObjectId) -> None:
    land.signers["mallory"] = "human:mallory"
    promoted = land.commit(land.policy(maintainers=["human:mallory"]), intro, by="mallory")
    assert "ID109" in errors(land.push(promoted))


def test_a_side_branch_from_before_the_introduction_is_judged_under_the_tips_policy(land: Land) -> None:
    first = land.begin()
    intro = land.introduce(first)
    legal = land.commit({"src/b.py": "b"}, first)
    signed = land.commit({"work.md": work(FEAT_1="Alice's")}, legal, by="alice")
    merge = land.commit({"src/b.py": "b", "work.md": work(FEAT_1="Alice's")}, intro, signed)
    assert land.push(merge).accepted
    for change, refused in (({"work.md": work(FEAT_1="x")}, "ID106"), ({"outside": "x"}, "CD407")):
        side = land.commit(change, first)
        assert refused in errors(land.judge(("refs/heads/main", intro, land.commit(change, intro, side))))


def test_the_introduction_on_a_side_branch_that_is_merged(land: Land) -> None:
    first = land.begin()
    main = land.commit({"src/b.py": "b"}, first)
    land.point("main", main)
    land.config("codifica.trust", "first-push")
    intro = land.introduce(first, pinned=False)
    merge = land.commit(land.policy(), main, intro)
    assert land.push(merge).accepted
    bad = land.commit({"outside": "x"}, merge)
    assert errors(land.push(bad)) == {"CD407"}


def test_a_foxtrot_merge_is_one_step_against_the_old_tip(land: Land, intro: ObjectId) -> None:
    side = land.commit({"src/s.py": "s"}, intro)
    main = land.commit({"src/m.py": "m"}, intro)
    assert land.push(main).accepted
    assert land.push(land.commit({"src/m.py": "m"}, side, main)).accepted


def test_a_second_introduction_is_refused(land: Land, intro: ObjectId) -> None:
    other = land.commit({**land.policy(), "work.md": work(), "spec.md": "# Spec\n"}, by="alice")
    assert "ID110" in errors(land.push(land.commit({}, intro, other)))


# -- another branch


@pytest.fixture
def release(tmp_path: Path) -> tuple[Land, ObjectId]:
    land = Land(tmp_path / "r", protected_branches=["main", "release/*"])
    intro = land.introduce()
    land.point("release/1", intro)
    return land, intro


def test_keys_that_the_coordination_branch_took_back_count_nowhere(release: tuple[Land, ObjectId]) -> None:
    land, intro = release
    assert land.push(land.commit({".codifica/allowed_signers": signers(land, bob=None)}, intro, by="alice")).accepted
    for who, refused in (("bob", {"CD407"}), ("alice", set[str]())):
        oid = land.commit({"docs/x": "x"}, intro, by=who)
        assert errors(land.judge(("refs/heads/release/1", intro, oid))) == refused


def test_roles_and_revocations_of_the_coordination_branch_count_too(release: tuple[Land, ObjectId]) -> None:
    land, intro = release
    tip = land.commit(land.policy(maintainers=["human:alice", "human:bob"]), intro, by="alice")
    assert land.push(tip).accepted
    by_bob = land.commit({".codifica/x": "x"}, intro, by="bob")
    assert errors(land.judge(("refs/heads/release/1", intro, by_bob))) == {"ID109"}
    assert land.push(land.commit({".codifica/revoked_keys": line_of("bob") + "\n"}, tip, by="alice")).accepted
    assert errors(land.judge(("refs/heads/release/1", intro, land.commit({"src/x": "x"}, intro, by="bob")))) == {
        "ID105"
    }


def test_state_changes_only_where_the_coordination_branch_has_them(release: tuple[Land, ObjectId]) -> None:
    land, intro = release
    edit = land.commit({"work.md": work(FEAT_1="x")}, intro, by="alice")
    assert errors(land.push(edit, "release/1")) == {"GT105"}
    assert land.push(edit).accepted
    assert land.push(edit, "release/1").accepted


def test_a_branch_that_is_born_is_judged_from_the_coordination_branch_on(release: tuple[Land, ObjectId]) -> None:
    land, intro = release
    code = land.commit({"src/n.py": "n"}, intro)
    assert land.judge(("refs/heads/release/2", None, code)).accepted
    outside = land.commit({"outside": "x"}, code)
    verdict = land.judge(("refs/heads/release/2", None, outside))
    assert [(f.code, f.commit) for f in verdict.errors] == [("CD407", outside)]
    rootless = land.commit({"src/x": "x"})
    assert land.judge(("refs/heads/release/3", None, rootless)).accepted
    assert errors(land.judge(("refs/heads/release/3", None, land.commit({"outside": "x"})))) == {"CD407"}


def test_a_release_branch_from_before_the_introduction_takes_it_over(release: tuple[Land, ObjectId]) -> None:
    land, intro = release
    first = land.parents[intro][0]
    land.point("release/0", first)
    assert land.push(intro, "release/0").accepted
    fix = land.commit({"src/fix.py": "f"}, first)
    land.point("release/0", first)
    assert land.push(fix, "release/0").accepted
    assert errors(land.push(land.commit({"outside": "x"}, fix), "release/0")) == {"CD407"}


# -- revocation


def revoking(land: Land, parent: ObjectId, who: str = "bob", *, by: str = "alice") -> ObjectId:
    return land.commit({".codifica/revoked_keys": line_of(who) + "\n"}, parent, by=by)


def test_what_an_earlier_step_let_in_is_not_judged_again(land: Land, intro: ObjectId) -> None:
    early = land.commit({"src/b.py": "b"}, intro, by="bob")
    revoked = revoking(land, early)
    assert land.push(revoked).accepted
    assert errors(land.push(land.commit({"src/c.py": "c"}, revoked, by="bob"))) == {"ID105"}


def test_a_revocation_counts_within_its_own_step_for_all_that_is_no_ancestor_of_it(land: Land, intro: ObjectId) -> None:
    early = land.commit({"src/b.py": "b"}, intro, by="bob")
    revoked = revoking(land, early)
    beside = land.commit({"src/c.py": "c"}, early, by="bob")
    both = land.commit({"src/c.py": "c", ".codifica/revoked_keys": line_of("bob") + "\n"}, beside, revoked)
    merge = land.commit(
        {"src/b.py": "b", "src/c.py": "c", ".codifica/revoked_keys": line_of("bob") + "\n"}, intro, both
    )
    verdict = land.push(merge)
    assert [(f.code, f.commit) for f in verdict.errors] == [("ID105", beside)]


def test_a_revoked_key_on_an_old_base_is_refused(land: Land, intro: ObjectId) -> None:
    old = land.commit({"src/b.py": "b"}, intro, by="bob")
    revoked = revoking(land, intro)
    assert land.push(revoked).accepted
    assert errors(land.push(land.commit({"src/b.py": "b"}, revoked, old))) == {"ID105"}


def test_a_merge_of_a_revocation_is_no_second_one(land: Land, intro: ObjectId) -> None:
    early = land.commit({"src/b.py": "b"}, intro, by="bob")
    side = revoking(land, early)
    merge = land.commit({"src/b.py": "b", ".codifica/revoked_keys": line_of("bob") + "\n"}, intro, side)
    assert land.push(merge).accepted


# -- modes


def test_report_mode_warns_but_for_what_guards_the_guard(tmp_path: Path) -> None:
    land = Land(tmp_path / "r", mode="report")
    intro = land.introduce()
    edit = land.push(land.commit({"work.md": work(FEAT_1="x"), "outside": "x"}, intro))
    assert edit.accepted
    assert codes(edit) == {"ID106", "CD407"}
    assert errors(land.push(land.commit({"spec.md": "# x\n"}, intro))) == {"GT101"}
    assert errors(land.push(land.commit({"spec.md": "# x\n"}, land.at("main") or intro))) == {"ID109"}
    broken = land.push(land.commit({"work.md": "no tasks"}, land.at("main") or intro))
    assert broken.accepted


def test_permissive_mode_warns_of_the_protocol_only(tmp_path: Path) -> None:
    land = Land(tmp_path / "r", settings={"rules": {"mode": "permissive", "file_scope": {"include": ["src/**"]}}})
    intro = land.introduce()
    code = land.push(land.commit({"outside": "x"}, intro))
    assert code.accepted
    assert codes(code) == {"CD407"}
    assert errors(land.push(land.commit({"work.md": work(FEAT_1="x")}, land.at("main") or intro))) == {"ID106"}


def test_a_policy_without_codifica_has_no_state_documents(land: Land, intro: ObjectId) -> None:
    off = land.commit({"codifica.json": None}, intro, by="alice")
    assert land.push(off).accepted
    assert land.push(land.commit({"work.md": "anything", "outside": "x"}, off)).accepted
    merge = land.commit({"y": "2"}, off, land.commit({"y": "2"}, off))
    assert land.judge(("refs/heads/main", off, merge)).accepted


def test_a_migration_is_a_maintainers_and_never_a_merge(land: Land, intro: ObjectId) -> None:
    odd = board(
        *(
            task(n, title=f"Title of {n}", state=s)
            for n, s in (("FEAT-1", "done"), ("FEAT-2", "todo"), ("FEAT-3", "todo"))
        )
    )
    change, mark = {"work.md": odd}, [("Codifica-Migrate", "to the new board")]
    assert "CD201" in errors(land.push(land.commit(change, intro, by="alice")))
    assert "CD201" in errors(land.push(land.commit(change, intro, by="bob", trailers=mark)))
    assert errors(land.push(land.commit(change, intro, by="alice", trailers=mark, stale_author=True))) == {"ID112"}
    assert "CD201" not in errors(land.push(land.commit(change, intro, by="alice", trailers=mark)))


# -- human acts


def test_a_stale_git_signature_is_no_proof_of_a_humans_act(land: Land, intro: ObjectId) -> None:
    changes: dict[str, dict[str, Any]] = {
        "task": {"work.md": work(FEAT_1="x")}, "scope": {"outside": "x"}, "policy": {"spec.md": "# x\n"},
    }  # fmt: skip
    for change in changes.values():
        stale = land.commit(change, intro, by="alice", stale_author=True)
        assert errors(land.judge(("refs/heads/main", intro, stale))) == {"ID112"}, change
        trailer = land.commit(change, intro, by="alice", stale_author=True, proof="trailer")
        assert "ID112" not in codes(land.judge(("refs/heads/main", intro, trailer)))
    code = land.commit({"src/a.py": "x"}, intro, by="alice", stale_author=True)
    assert land.push(code).findings == ()


def test_a_choice_between_versions_is_a_humans_act_and_a_clean_merge_is_none(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="One")}, intro, by="alice")
    two = land.commit({"work.md": work(FEAT_1="Two")}, intro, by="alice")
    assert land.push(one).accepted
    choice = land.commit({}, one, two, by="alice", stale_author=True)
    assert errors(land.judge(("refs/heads/main", one, choice))) == {"ID112"}
    clean = land.commit({"src/x": "x"}, one, land.commit({"src/x": "x"}, intro), by="alice", stale_author=True)
    assert land.judge(("refs/heads/main", one, clean)).accepted


def test_a_policy_may_ask_for_the_trailer_or_for_a_touched_key(tmp_path: Path) -> None:
    trailer = Land(tmp_path / "t", human_proof="trailer")
    intro = trailer.introduce()
    assert errors(trailer.push(trailer.commit({"work.md": work(FEAT_1="x")}, intro, by="alice"))) == {"ID112"}
    assert trailer.push(trailer.commit({"work.md": work(FEAT_1="x")}, intro, by="alice", proof="trailer")).accepted
    touch = Land(tmp_path / "h", human_presence="hardware-key")
    intro = touch.introduce()
    assert errors(touch.push(touch.commit({"work.md": work(FEAT_1="x")}, intro, by="alice"))) == {"ID111"}
    assert touch.push(touch.commit({"outside": "x"}, intro, by="alice")).accepted


# -- who may introduce


def fingerprint(name: str) -> str:
    from codifica_guard.identity.keys import fingerprint as of  # noqa: PLC0415 - shares its name
    from tests.unit.engine.land import key_of  # noqa: PLC0415 - only here

    return of(key_of(name).key)


def awaiting(land: Land, trust: str | None) -> ObjectId:
    first = land.begin()
    land.point("main", first)
    if trust is not None:
        land.config("codifica.trust", trust)
    return first


@pytest.mark.parametrize(
    ("trust", "by", "refused"),
    [
        (fingerprint("alice"), "alice", set()),
        ("first-push", "alice", set()),
        (fingerprint("bob"), "alice", {"ID110"}),
        (None, "alice", {"ID110"}),
        (fingerprint("alice"), None, {"ID110"}),
        (fingerprint("builder"), "builder", {"ID110"}),
        (fingerprint("bob"), "bob", {"ID110"}),
    ],
)
def test_an_introduction_is_trusted_only_with_the_awaited_key_of_a_maintainer(
    land: Land, trust: str | None, by: str | None, refused: set[str]
) -> None:
    first = awaiting(land, trust)
    assert errors(land.push(land.commit(land.policy(), first, by=by))) == refused


def test_what_follows_an_introduction_in_the_same_push_is_judged(land: Land) -> None:
    first = awaiting(land, "first-push")
    intro = land.commit(land.policy(), first, by="alice")
    assert errors(land.push(land.commit({"outside": "x"}, intro))) == {"CD407"}


def test_the_next_push_pins_the_introduction(land: Land) -> None:
    first = awaiting(land, fingerprint("alice"))
    intro = land.commit(land.policy(), first, by="alice")
    assert land.push(intro).accepted
    assert land.push(land.commit({"src/b.py": "b"}, intro)).accepted
    assert land.plain.git("config", "codifica.introduction") == intro
    assert land.plain.git("config", "codifica.coordination") == b"main"


def test_another_pinned_introduction_is_not_taken(land: Land, intro: ObjectId) -> None:
    other = land.commit({**land.policy(), "spec.md": "# Else\n"}, land.parents[intro][0], by="alice")
    assert "GT101" in errors(land.push(other))


# -- nothing passes unjudged


def test_a_policy_that_vanished_does_not_switch_the_guard_off(land: Land, intro: ObjectId) -> None:
    gone = land.commit({".codifica/guard.json": None}, intro, by="alice")
    assert errors(land.push(gone)) == {"ID109"}
    after = land.commit({"outside": "x"}, gone)
    assert errors(land.push(after)) == {"ID109"}
    land.point("main", gone)  # around the judge
    assert errors(land.push(after)) == {"ID109"}
    assert errors(land.push(land.commit({"outside": "x"}, intro))) >= {"GT101"}
    assert errors(land.push(land.commit({"outside": "x"}, land.parents[intro][0]))) >= {"GT101"}
    beside = land.commit({"outside": "x"}, land.parents[intro][0])
    assert errors(land.push(land.commit({}, gone, beside))) == {"ID109"}


def test_a_pinned_introduction_that_is_not_there_refuses_with_its_name(land: Land, intro: ObjectId) -> None:
    for odd in ("1" * 40, "main", "", "\u00e9", land.trees[intro]["spec.md"][1].decode()):
        land.config("codifica.introduction", odd)
        with pytest.raises(RepositoryError, match=r"codifica.introduction is .* no such commit"):
            land.push(land.commit({"src/b.py": "b"}, intro))


def test_a_pinned_introduction_without_policy_refuses(land: Land, intro: ObjectId) -> None:
    first = land.parents[intro][0]
    land.config("codifica.introduction", first.decode())
    land.point("main", first)
    with pytest.raises(RepositoryError, match=r"has no \.codifica/guard\.json"):
        land.push(land.commit({"outside": "x"}, first))
    land.point("main", None)
    assert land.at("main") is None
    with pytest.raises(RepositoryError, match=r"has no \.codifica/guard\.json"):
        land.push(first)


def test_a_coordination_branch_that_does_not_have_the_pinned_introduction_yet_takes_nothing_else(land: Land) -> None:
    first = land.begin()
    intro = land.introduce(first)
    land.point("main", first)
    assert errors(land.push(land.commit({"outside": "x"}, first))) == {"GT104"}
    assert errors(land.push(None)) == {"GT102"}
    assert land.push(land.commit({"src/b.py": "b"}, intro)).accepted


def test_missing_and_damaged_objects_refuse(land: Land, intro: ObjectId) -> None:
    absent = ObjectId(b"1" * 40)
    assert errors(land.push(absent)) == {"GT106"}
    assert errors(land.judge(("refs/heads/main", absent, intro))) == {"GT106"}
    assert errors(land.judge(("refs/heads/free", None, absent))) == {"GT106"}
    land.parents[absent], land.trees[absent] = (), dict(land.trees[intro])
    assert errors(land.push(land.commit({"src/b.py": "b"}, intro, absent))) == {"GT106"}
    hollow = land.commit({"src/b.py": ("100644", ObjectId(b"2" * 40))}, intro)
    assert "GT106" in errors(land.push(hollow))
    missing = land.commit({"work.md": ("100644", ObjectId(b"2" * 40))}, intro, by="alice")
    assert "GT106" in errors(land.push(missing))


def test_a_document_that_is_missing_is_told_of_its_commit(
    land: Land, intro: ObjectId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codifica_guard.engine.refs.SECRET_SCAN_TOTAL", -1)
    missing = land.commit({"work.md": ("100644", ObjectId(b"2" * 40))}, intro, by="alice")
    verdict = land.push(land.commit({"outside": "x"}, missing))
    assert ("GT106", missing) in {(f.code, f.commit) for f in verdict.errors}


def test_the_same_finding_is_told_once_and_the_first_of_a_task_only(land: Land, intro: ObjectId) -> None:
    owned = board(*(task(n, title=f"Title of {n}", owner="agent:writer") for n in ("FEAT-1", "FEAT-2", "FEAT-3")))
    start = land.commit({"work.md": owned}, intro, by="alice")
    land.point("main", start)
    taken = owned.replace("owner: agent:writer", "owner: agent:builder", 1).replace("state: todo", "state: done", 1)
    verdict = land.push(land.commit({"work.md": taken}, start, by="builder"))
    assert errors(verdict)
    assert len(verdict.findings) == len(set(verdict.findings))
    assert len({f.code[:3] for f in verdict.errors if f.task == "FEAT-1"}) == 1


def test_the_clock_of_the_push_counts(land: Land) -> None:
    first = land.begin()
    files = land.policy()
    files[".codifica/allowed_signers"] = (
        signers(land, bob=None) + f'human:bob valid-before="20270101Z" {line_of("bob")}\n'
    )
    intro = land.commit(files, first, by="alice")
    land.config("codifica.introduction", intro.decode())
    land.point("main", intro)
    edit = land.commit({"work.md": work(FEAT_1="x")}, intro, by="bob")
    assert land.judge(("refs/heads/main", intro, edit), now=NOW).accepted
    assert errors(land.judge(("refs/heads/main", intro, edit), now=NOW + 10**8)) == {"ID104"}
