"""An audit put together from what the replay came to."""

from pathlib import Path
from typing import Any

import pytest

from codifica_guard import __version__
from codifica_guard.audit.made import Made
from codifica_guard.audit.replayed import Replayed
from codifica_guard.audit.whole import whole
from codifica_guard.engine.world import World
from codifica_guard.identity.keys import fingerprint
from codifica_guard.model.audited import Anchor, Audit, Branch, Chain
from codifica_guard.model.ids import ObjectId, RefName
from tests.building.audits import act, noted, receipt
from tests.unit.engine.land import NOW, Land, board, key_of
from tests.unit.views import task

MAIN = RefName(b"refs/heads/main")
ALICE = "human:alice"
KEY = fingerprint(key_of("alice").key)


@pytest.fixture
def land(tmp_path: Path) -> Land:
    return Land(tmp_path / "repo")


def audited(land: Land, intro: ObjectId, tip: ObjectId, **more: Any) -> Audit:
    with land.store() as store:
        world = World(store, intro)
        policy = world.own_policy(tip)
        assert policy is not None
        given: dict[str, Any] = {
            "anchor": Anchor(commit=intro, by=ALICE, key=KEY, pinned=True),
            "coordination": MAIN,
            "tip": tip,
            "policy": policy,
            "ruleset": 1,
            "branches": (Branch(ref=MAIN, tip=tip, commits=2, order="receipts", coordinating=True),),
            "chain": Chain(first=1, last=2),
            "made": tuple(Made(commit=oid, at=NOW, actor=ALICE, key=KEY) for oid in dict.fromkeys((intro, tip))),
        }
        return whole(world, Replayed(**{**given, **more}), "shop")


def test_what_the_replay_found_is_told_and_what_it_needs_besides(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"))}))
    tip = land.commit({".codifica/revoked_keys": ""}, intro, by="alice")
    acts, findings = (act("FEAT-1", "new", "todo", ALICE, NOW),), (noted("CD202", "human-only", "x"),)
    moved = (receipt(3, NOW),)
    audit = audited(land, intro, tip, acts=acts, findings=findings, notes=("a note",), introductions=moved)
    assert (audit.name, audit.guard, audit.ruleset, audit.preview) == ("shop", __version__, 1, False)
    assert (audit.acts, audit.findings, audit.notes, audit.introductions) == (acts, findings, ("a note",), moved)
    assert audit.chain == Chain(first=1, last=2)
    assert [change.commit for change in audit.policies] == [intro]
    assert {key.principal: key.uses for key in audit.keys}[ALICE] == 2
    assert [now.task for now in audit.tasks] == ["FEAT-1"]
    assert audit.stale_hours == 24.0


def test_another_ruleset_than_the_policys_is_a_preview(land: Land) -> None:
    intro = land.introduce()
    assert audited(land, intro, intro, ruleset=2).preview


def test_a_server_is_among_the_keys_by_its_receipts(land: Land) -> None:
    intro = land.introduce()
    keys = audited(land, intro, intro, served=(("server:git", "SHA256:x", NOW),)).keys
    assert [(key.principal, key.uses) for key in keys][-1] == ("server:git", 1)


def test_without_settings_of_the_protocol_there_are_no_tasks_and_nothing_is_stale(land: Land) -> None:
    intro = land.introduce()
    tip = land.commit({"codifica.json": None}, intro, by="alice")
    audit = audited(land, intro, tip)
    assert (audit.tasks, audit.stale_hours) == ((), None)


def test_documents_that_cannot_be_read_are_named(land: Land) -> None:
    names = [f"state/{n}.md" for n in range(7)]
    broken = "# Work\n\n```yaml\n- id: FEAT-1\n"
    settings = {"state": ["state/*.md"], "file_scope": {"include": ["state/*.md"]}}
    intro = land.introduce(land.begin(dict.fromkeys(names, broken)), settings=settings)
    [note] = audited(land, intro, intro).notes
    assert note.startswith("the tasks of state/0.md, state/1.md, ")
    assert note.endswith("state/4.md and 2 more are not told: it cannot be read as it stands")
    tip = land.commit({name: board(task("FEAT-1")) for name in names[1:]}, intro)
    assert audited(land, intro, tip).notes[0].startswith("the tasks of state/0.md are not told")


def test_more_tasks_than_may_be_are_told_to_be_too_many(land: Land, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.engine.world.TASKS", 1)
    intro = land.introduce()
    audit = audited(land, intro, intro)
    assert audit.tasks == ()
    assert audit.notes == ("the tasks as they stand are not told: more than 1 tasks over all state documents",)
