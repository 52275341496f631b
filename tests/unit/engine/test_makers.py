"""Whose a new branch is: what signed commits it brings, and what others brought before it."""

from pathlib import Path
from typing import Any

import pytest

from codifica_guard.engine.refs import Refs
from codifica_guard.errors import LimitExceeded
from codifica_guard.model.ids import ObjectId, Principal, RefName
from tests.unit.engine.land import NOW, Land, codes, errors, work

FIT, UNFIT = "refs/heads/build/FEAT-1-x", "refs/heads/topic"


def code(land: Land, parent: ObjectId, by: str | None = "builder", name: str = "b", proof: str = "git") -> ObjectId:
    return land.commit({f"src/{name}.py": name}, parent, by=by, proof=proof)


@pytest.mark.parametrize("proof", ["git", "trailer"])
def test_an_agents_new_branch_is_named_after_its_task(land: Land, intro: ObjectId, proof: str) -> None:
    tip = code(land, intro, proof=proof)
    verdict = land.judge((UNFIT, None, tip))
    assert errors(verdict) == {"CD408"}
    assert (verdict.errors[0].commit, verdict.errors[0].ref) == (tip, UNFIT.encode())
    assert land.judge((FIT, None, tip)).findings == ()


def test_people_nobody_and_whoever_only_claims_to_be_an_agent_name_branches_as_they_like(
    land: Land, intro: ObjectId
) -> None:
    for by in ("alice", None, "stranger"):
        assert errors(land.judge((UNFIT, None, code(land, intro, by)))) == set()
    claimed = land.commit({"src/b.py": "b"}, intro, trailers=[("Codifica-Actor", "agent:builder")])
    assert errors(land.judge((UNFIT, None, claimed))) == set()


def test_the_newest_proven_commit_says_whose_the_branch_is(land: Land, intro: ObjectId) -> None:
    agents = code(land, intro)
    assert errors(land.judge((UNFIT, None, code(land, agents, None, "c")))) == {"CD408"}
    assert errors(land.judge((UNFIT, None, code(land, agents, "alice", "c")))) == set()
    assert errors(land.judge((UNFIT, None, code(land, code(land, intro, "alice"), "builder", "c")))) == {"CD408"}


def test_of_a_merge_the_first_parent_is_asked_first(land: Land, intro: ObjectId) -> None:
    agents, peoples, nobodys = code(land, intro), code(land, intro, "alice", "c"), code(land, intro, None, "d")
    assert errors(land.judge((UNFIT, None, land.commit({}, agents, peoples)))) == {"CD408"}
    assert errors(land.judge((UNFIT, None, land.commit({}, peoples, agents)))) == set()
    assert errors(land.judge((UNFIT, None, land.commit({}, nobodys, agents)))) == {"CD408"}


def test_a_branch_that_is_there_a_protected_one_and_other_refs_have_any_name(tmp_path: Path) -> None:
    land = Land(tmp_path / "r", protected_branches=["main", "release/*"])
    intro = land.introduce()
    tip = code(land, intro)
    land.point("topic", intro)
    for ref, old in ((UNFIT, intro), ("refs/heads/release/1", None), ("refs/tags/v1", None), ("refs/notes/x", None)):
        assert codes(land.judge((ref, old, tip))) == set()


def test_what_lies_on_another_branch_already_is_not_the_new_ones(land: Land, intro: ObjectId) -> None:
    tip = code(land, intro)
    land.point("build/FEAT-1-x", tip)
    assert codes(land.judge((UNFIT, None, tip))) == set()
    assert codes(land.judge((UNFIT, None, code(land, tip, None, "c")))) == set()
    assert errors(land.judge((UNFIT, None, code(land, tip, "builder", "c")))) == {"CD408"}
    land.plain.git("pack-refs", "--all")
    assert codes(land.judge((UNFIT, None, tip))) == set()


def test_what_a_branch_that_is_there_gets_in_the_same_push_is_not_the_new_ones(land: Land, intro: ObjectId) -> None:
    tip = code(land, intro)
    land.point("old", intro)
    for updates in (
        (("refs/heads/main", intro, tip), (UNFIT, None, tip)),
        ((UNFIT, None, tip), ("refs/heads/old", intro, tip)),
    ):
        assert codes(land.judge(*updates)) == set()
    assert errors(land.judge((UNFIT, None, tip), ("refs/heads/other", None, tip))) == {"CD408"}


def test_a_task_that_only_the_branch_has_counts_and_so_does_one_that_main_got_since(
    land: Land, intro: ObjectId
) -> None:
    filed = land.commit({"work.md": work() + "\n```yaml\n- id: NEW-1\n  type: test\n```\n"}, intro, by="builder")
    assert codes(land.judge(("refs/heads/test/NEW-1-x", None, filed))) == set()
    side = code(land, intro)
    assert errors(land.judge(("refs/heads/test/NEW-1-x", None, side))) == {"CD408"}
    land.point("main", filed)
    assert codes(land.judge(("refs/heads/test/NEW-1-x", None, side))) == set()


@pytest.mark.parametrize("changed", [{"mode": "report"}, {"settings": {"rules": "permissive"}}])
def test_where_rules_only_warn_this_one_does(tmp_path: Path, changed: dict[str, Any]) -> None:
    land = Land(tmp_path / "r")
    verdict = land.judge((UNFIT, None, code(land, land.introduce(**changed))))
    assert verdict.accepted
    assert codes(verdict) == {"CD408"}


def test_without_the_protocol_branches_have_any_name(tmp_path: Path) -> None:
    land = Land(tmp_path / "r")
    intro = land.introduce()
    gone = land.commit({"codifica.json": None}, intro, by="alice")
    land.point("main", gone)
    assert codes(land.judge((UNFIT, None, code(land, gone)))) == set()


def test_a_branch_of_its_own_history_and_one_that_names_no_commit(land: Land, intro: ObjectId) -> None:
    root = land.commit({"src/b.py": "b"}, by="builder")
    assert errors(land.judge((UNFIT, None, root))) == {"CD408"}
    assert codes(land.judge((UNFIT, None, land.blob("x")), (f"{UNFIT}2", None, None))) == set()
    assert intro


def test_only_so_many_signatures_are_looked_at(land: Land, intro: ObjectId, monkeypatch: pytest.MonkeyPatch) -> None:
    tip = code(land, intro)
    for number in range(3):
        tip = code(land, tip, "stranger", f"c{number}")
    assert errors(land.judge((UNFIT, None, tip))) == {"CD408"}
    monkeypatch.setattr("codifica_guard.engine.makers.MAKER_PROOFS", 3)
    assert errors(land.judge((UNFIT, None, tip))) == set()


def test_so_many_new_branches_of_agents_at_once_are_a_limit(
    land: Land, intro: ObjectId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codifica_guard.engine.refs.AGENT_BRANCHES", 3)
    agents, peoples = code(land, intro), code(land, intro, "alice", "c")
    many = [(f"{FIT}{n}", None, agents) for n in range(3)] + [(f"{UNFIT}{n}", None, peoples) for n in range(9)]
    assert codes(land.judge(*many)) == set()
    with pytest.raises(LimitExceeded, match="more than 3 new branches of agents"):
        land.judge(*many, (f"{FIT}-more", None, agents))


def test_a_long_row_of_commits_is_walked_once_for_all_branches(land: Land, intro: ObjectId) -> None:
    tip = intro
    for number in range(200):
        tip = code(land, tip, None, f"c{number % 5}")
    with land.store() as store:
        world = land.world(store, intro)
        refs = Refs(
            world=world,
            location=land.plain.location,
            coordination=RefName(b"refs/heads/main"),
            coordination_tip=intro,
            policy_tip=intro,
            news=(tip,),
        )
        policy = refs.policy()
        assert policy is not None
        assert refs.maker(tip, policy, NOW) is None
        world.store.commit = None  # type: ignore[assignment,method-assign]  # whatever is asked again would fail
        assert [refs.maker(tip, policy, NOW) for _ in range(1000)] == [None] * 1000


def test_a_task_that_nobody_can_name_is_no_ones(land: Land, intro: ObjectId) -> None:
    with land.store() as store:
        refs = Refs(
            world=land.world(store, intro),
            location=land.plain.location,
            coordination=RefName(b"refs/heads/main"),
            coordination_tip=None,
            policy_tip=intro,
        )
        policy = refs.policy()
        assert policy is not None
        tip = code(land, intro)
        assert refs.maker(tip, policy, NOW) == Principal("agent:builder")
        assert [len(state.documents) for state in refs.states(tip, policy)] == [1]
