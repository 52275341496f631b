"""What a commit did to tasks, as receipts, the audit and `log` tell it."""

from pathlib import Path
from typing import Any

import pytest

from codifica_guard.engine.acts import acts
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.segments import Segment
from codifica_guard.identity.sshsig import to_line
from codifica_guard.identity.tokens import new_token
from codifica_guard.model.act import BORN, GONE, STATELESS, UNREADABLE, Act, Deed, Mark, deed_between
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import KeyBlob, ObjectId, Principal
from codifica_guard.model.value import replace
from tests.unit.engine.land import NOW, Land, board, key_of
from tests.unit.views import entered, task


@pytest.fixture
def land(tmp_path: Path) -> Land:
    """A repository that nobody has worked in yet."""
    return Land(tmp_path / "repo")


def seen(land: Land, oid: ObjectId, **attributed: Any) -> list[Act]:
    """The acts of a commit; who made it may be told."""
    with land.store() as store:
        introduction = next(o for o, files in land.trees.items() if ".codifica/guard.json" in files)
        world = land.world(store, introduction)
        commit = store.commit(oid)
        base = commit.parents[0]
        step = Segment(base=base, tip=oid, new=(oid,), with_base=frozenset({oid}))
        expansion = Expansion(world, commit, step, NOW)
        policy = world.policy(base)
        assert policy is not None
        attribution = expansion.attribution(policy, policy.revoked.__contains__)
        return list(acts(expansion, expansion.view(policy, replace(attribution, **attributed))))


def one(land: Land, oid: ObjectId, **attributed: Any) -> Act:
    """The only act of a commit."""
    (act,) = seen(land, oid, **attributed)
    return act


STATES = ("todo", "in_progress", "to_be_tested", "done", "blocked", "rejected")


@pytest.mark.parametrize(
    ("source", "target", "deed"),
    [
        (BORN, "todo", Deed.NEW),
        ("done", GONE, Deed.DELETE),
        ("todo", "in_progress", Deed.CLAIM),
        ("in_progress", "in_progress", Deed.RESUME),
        ("in_progress", "to_be_tested", Deed.HAND_IN),
        ("in_progress", "done", Deed.CLOSE),
        ("to_be_tested", "done", Deed.APPROVE),
        ("to_be_tested", "todo", Deed.RETURN),
        ("in_progress", "todo", Deed.RECLAIM),
        ("todo", "blocked", Deed.BLOCK),
        ("done", "blocked", Deed.BLOCK),
        ("blocked", "todo", Deed.UNBLOCK),
        ("blocked", "in_progress", Deed.UNBLOCK),
        ("in_progress", "rejected", Deed.REJECT),
        ("rejected", "todo", Deed.REOPEN),
        ("done", "todo", Deed.REOPEN),
        ("todo", "done", Deed.OTHER),
        (UNREADABLE, "todo", Deed.OTHER),
        ("todo", STATELESS, Deed.OTHER),
    ],
)
def test_a_step_has_the_name_of_its_verb(source: str, target: str, deed: Deed) -> None:
    assert deed_between(source, target) is deed


def test_a_claim_tells_who_when_and_with_which_session(land: Land) -> None:
    intro = land.introduce()
    claimed = task(
        "FEAT-1",
        "  acceptance:",
        "    - It works",
        "  state_transitions:",
        *entered("in_progress", session="s-41"),
        state="in_progress",
        owner="agent:builder",
    )
    oid = land.commit({"work.md": board(claimed, task("FEAT-2"), task("FEAT-3"))}, intro, by="builder", proof="trailer")
    acts_of = {str(act.task): act for act in seen(land, oid)}
    act = acts_of["FEAT-1"]
    assert (act.deed, act.source, act.target) == (Deed.CLAIM, "todo", "in_progress")
    assert (act.actor, act.mark, act.session, act.owner) == ("agent:builder", Mark.SIGNED, "s-41", "agent:builder")
    assert act.key is not None
    assert act.key.startswith("SHA256:")
    assert act.acceptance == ("It works",)
    assert act.at == act.dated == land.clock
    assert act.is_transition


def test_a_token_and_a_touch_are_told_from_a_signature(land: Land) -> None:
    token = new_token()
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"))}))
    entry = ("  state_transitions:", *entered("in_progress", writer=token.public_line))
    started = {"work.md": board(task("FEAT-1", *entry, state="in_progress", owner="agent:builder"))}
    oid = land.commit(started, intro, by="builder")
    assert one(land, oid).mark is Mark.SIGNED
    files = {**land.trees[intro], "work.md": land.leaf(started["work.md"])}
    fence = to_line(token.sign(land.payload(files, (intro,), "agent:builder")))
    fenced = land.commit(started, intro, by="builder", trailers=(("Codifica-Writer", fence),))
    assert one(land, fenced).mark is Mark.TOKEN
    assert one(land, oid, touched=True).mark is Mark.TOUCHED
    unsigned = one(land, oid, actor=None, proof=Proof.NONE, key=None)
    assert (unsigned.mark, unsigned.actor, unsigned.key, unsigned.claimed) == (
        Mark.UNPROVEN,
        None,
        None,
        "agent:builder",
    )


def test_notes_evidence_and_checklists_alone_are_no_act(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"))}))
    noted = task(
        "FEAT-1", "  execution_notes:", "    - by: agent:builder", "      note: going on", "  checklist:", "    - a"
    )
    assert seen(land, land.commit({"work.md": board(noted)}, intro, by="builder")) == []


def test_an_edit_names_its_fields_and_new_criteria(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"))}))
    asked = task("FEAT-1", "  acceptance:", "    - One", "    - Two", owner="agent:writer", title="Other")
    act = one(land, land.commit({"work.md": board(asked)}, intro, by="alice"))
    assert (act.deed, act.source, act.target, act.is_transition) == (Deed.EDIT, "todo", "todo", False)
    assert sorted(act.edited) == ["acceptance", "owner", "title"]
    assert act.acceptance == ("One", "Two")
    shapeless = task("FEAT-1", "  acceptance: all of it", owner="agent:writer", title="Other")
    assert one(land, land.commit({"work.md": board(shapeless)}, intro, by="alice")).acceptance == ()


def test_a_review_a_reason_and_a_summary_are_told(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1", state="to_be_tested", owner="agent:builder"))}))
    done = task(
        "FEAT-1",
        "  execution_notes:",
        "    - by: human:alice",
        "      note: looked",
        "      summary: Tried on staging",
        "  human_review:",
        "    status: pass",
        "    reviewer: alice",
        "  state_transitions:",
        "    - from: to_be_tested",
        "      to: done",
        "      by: human",
        "      reason: fine",
        state="done",
        owner="agent:builder",
    )
    act = one(land, land.commit({"work.md": board(done)}, intro, by="alice"))
    assert (act.deed, act.review, act.reason, act.summary) == (Deed.APPROVE, "pass", "fine", "Tried on staging")
    assert (act.actor, act.claimed) == ("human:alice", "human")


def test_a_new_task_one_that_goes_and_what_cannot_be_read(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"), task("FEAT-2"))}))
    broken = "- id: FEAT-1\n  type: build\n  state: [todo\n"
    stateless = "- id: FEAT-3\n  type: build\n  title: No state\n"
    oid = land.commit({"work.md": board(broken, stateless)}, intro, by="alice")
    found = {act.task: (act.deed, act.source, act.target) for act in seen(land, oid)}
    assert found == {
        "FEAT-1": (Deed.OTHER, "todo", UNREADABLE),
        "FEAT-2": (Deed.DELETE, "todo", GONE),
        "FEAT-3": (Deed.NEW, BORN, STATELESS),
    }
    acts_of = {str(act.task): act for act in seen(land, oid)}
    assert (acts_of["FEAT-1"].owner, acts_of["FEAT-1"].acceptance) == (None, None)


def test_a_migration_is_an_act_whatever_it_changes(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"))}))
    noted = task("FEAT-1", "  execution_notes:", "    - by: agent:builder", "      note: an old note")
    trailers = (("Codifica-Migrate", "old notes come in"),)
    oid = land.commit({"work.md": board(noted)}, intro, by="alice", proof="trailer", trailers=trailers)
    act = one(land, oid)
    assert (act.deed, act.migration, act.is_transition) == (Deed.EDIT, "old notes come in", False)


def test_a_merge_tells_what_it_chose_and_nothing_that_it_only_joins(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"), task("FEAT-2"), task("FEAT-3"))}))

    def claim(who: str) -> str:
        entry = ("  state_transitions:", *entered("in_progress", by=f"agent:{who}"))
        return task("FEAT-1", *entry, state="in_progress", owner=f"agent:{who}")

    first = land.commit({"work.md": board(claim("builder"), task("FEAT-2"), task("FEAT-3"))}, intro, by="builder")
    second = land.commit(
        {"work.md": board(claim("writer"), task("FEAT-2"), task("FEAT-3", title="New"))}, intro, by="writer"
    )
    kept = board(claim("builder"), task("FEAT-2"), task("FEAT-3", title="New"))
    act = one(land, land.commit({"work.md": kept}, first, second, by="alice"))
    assert (act.task, act.deed, act.actor, act.is_transition) == ("FEAT-1", Deed.CHOOSE, "human:alice", False)
    third = land.commit({"src/b.py": "b\n"}, intro)
    fourth = land.commit({"LICENSE": "mine\n"}, intro)
    assert seen(land, land.commit({"src/b.py": "b\n"}, first, third)) == []
    assert seen(land, land.commit({"src/b.py": "b\n", "LICENSE": "yours\n"}, third, fourth)) == []  # a path is no task


def test_a_born_clash_that_a_merge_settles_comes_from_its_first_side(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"))}))
    first = land.commit({"work.md": board(task("FEAT-1"), task("FEAT-9", title="One"))}, intro, by="alice")
    second = land.commit({"work.md": board(task("FEAT-1"), task("FEAT-9", title="Two"))}, intro, by="bob")
    chosen = land.commit({"work.md": board(task("FEAT-1"), task("FEAT-9", title="Two"))}, first, second, by="alice")
    act = one(land, chosen)
    assert (act.task, act.deed, act.source, act.target) == ("FEAT-9", Deed.CHOOSE, "todo", "todo")


def test_a_key_proves_by_its_fingerprint(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1"))}))
    oid = land.commit({"work.md": board(task("FEAT-1", title="Other"))}, intro, by="alice")
    other = Attribution(actor=Principal("human:bob"), proof=Proof.GIT, key=KeyBlob(key_of("bob").key))
    assert one(land, oid).key != one(land, oid, actor=other.actor, key=other.key).key
