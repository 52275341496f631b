"""Agents that claim, lose races, wake up as zombies and take over: what the engine has to know for the rules."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.engine.apply import human_act
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.judge import Court, judge_commit, judge_merged
from codifica_guard.engine.refs import Refs
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.trust import Trust, introduction_findings
from codifica_guard.identity.sshsig import to_line
from codifica_guard.identity.tokens import WriterToken, new_token
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId, Principal, RefName, TaskId
from codifica_guard.packs.all import REGISTRY
from tests.building import tasks
from tests.building.board import document, fence
from tests.building.times import at
from tests.unit.engine.land import Land, Value, codes, errors

BUILDER = "agent:builder"
Tasks = Mapping[str, tasks.Fields]


def board_of(fields: Tasks) -> dict[str, Value]:
    return {"work.md": document(fence(*(tasks.block(f) for f in fields.values())))}


def moved(
    fields: tasks.Fields, target: str, by: str, *, writer: WriterToken | None = None, **more: Any
) -> tasks.Fields:
    line = writer.public_line if writer else None
    row = tasks.entry(fields["state"], target, by, writer=line, session="s-2" if line else None, when=at())
    return tasks.changed(fields, {"state": target, "state_transitions": [*fields["state_transitions"], row], **more})


def claimed(fields: tasks.Fields, by: str, writer: WriterToken | None = None) -> tasks.Fields:
    return moved(fields, "in_progress", by, writer=writer, owner=by, claimed_at=at())


def noted(fields: tasks.Fields, by: str, text: str = "Half of it") -> tasks.Fields:
    return tasks.changed(fields, {"execution_notes": [*fields["execution_notes"], tasks.note(by, text, when=at())]})


class Story:
    """A guarded repository with tasks in the form that the protocol wants, and pushes at this very time."""

    def __init__(self, folder: Path, **states: str) -> None:
        self.land = Land(folder / "repo", resume_after_minutes=60)
        self.land.clock = int(time.time()) - 86_400
        self.fields = {
            name.replace("_", "-"): tasks.task(name.replace("_", "-"), state, acceptance=["It works"])
            for name, state in states.items()
        }
        self.intro = self.land.introduce(self.land.begin(board_of(self.fields)))

    def commit(
        self, parent: ObjectId, fields: Tasks, by: str, *tokens: WriterToken, when: int = 0, proof: str = "git"
    ) -> ObjectId:
        """A commit that leaves the board as `fields` say, made so many minutes ago."""
        files = {p: self.land.leaf(v) for p, v in board_of({**self.fields, **fields}).items() if v is not None}
        cover = self.land.payload({**self.land.trees[parent], **files}, [parent], self.land.signers[by])
        signed = [("Codifica-Writer", to_line(token.sign(cover))) for token in tokens]
        moment = int(time.time()) - 60 * when
        return self.land.commit(dict(files), parent, by=by, trailers=signed, time=moment, proof=proof)

    def judge(self, old: ObjectId, new: ObjectId) -> set[str]:
        return errors(self.land.judge(("refs/heads/main", old, new), now=int(time.time())))


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path, FEAT_1="todo", FEAT_2="todo")


def test_a_claim_with_a_token_and_a_note_by_its_holder(story: Story) -> None:
    token = new_token()
    held = claimed(story.fields["FEAT-1"], BUILDER, token)
    claim = story.commit(story.intro, {"FEAT-1": held}, "builder", token)
    note = story.commit(claim, {"FEAT-1": noted(held, BUILDER)}, "builder", token)
    assert story.judge(story.intro, note) == set()
    stranger = story.commit(claim, {"FEAT-1": noted(held, BUILDER)}, "builder", new_token())
    assert story.judge(claim, stranger) == {"ID107"}
    assert story.judge(claim, story.commit(claim, {"FEAT-1": noted(held, BUILDER)}, "builder")) == {"ID107"}


def test_a_lost_race_is_told_on_the_losers_claim_whatever_its_merge_takes(story: Story) -> None:
    won = story.commit(story.intro, {"FEAT-1": claimed(story.fields["FEAT-1"], BUILDER)}, "builder")
    lost = story.commit(story.intro, {"FEAT-1": claimed(story.fields["FEAT-1"], "agent:writer")}, "writer")
    for side in (won, lost):
        board = {"work.md": story.land.trees[side]["work.md"]}
        merge = story.land.commit(board, won, lost, by="alice")
        verdict = story.land.judge(("refs/heads/main", won, merge), now=int(time.time()))
        assert ("CD303", lost) in {(f.code, f.commit) for f in verdict.errors}
    assert story.judge(story.intro, lost) == set()


def test_the_race_is_lost_inside_one_push_as_well(story: Story) -> None:
    won = story.commit(story.intro, {"FEAT-1": claimed(story.fields["FEAT-1"], BUILDER)}, "builder")
    lost = story.commit(story.intro, {"FEAT-1": claimed(story.fields["FEAT-1"], "agent:writer")}, "writer")
    merge = story.land.commit({}, won, lost, by="alice")
    assert "CD303" in story.judge(story.intro, merge)


def test_a_zombies_note_is_refused_although_it_merges_clean(story: Story) -> None:
    held = claimed(story.fields["FEAT-1"], BUILDER)
    claim = story.commit(story.intro, {"FEAT-1": held}, "builder")
    reclaimed = moved(held, "todo", "human:alice", owner="unassigned", claimed_at="null")
    tip = story.commit(claim, {"FEAT-1": reclaimed}, "alice")
    zombie = story.commit(claim, {"FEAT-1": noted(held, BUILDER)}, "builder")
    merge = story.land.commit(board_of({**story.fields, "FEAT-1": noted(reclaimed, BUILDER)}), tip, zombie)
    verdict = story.land.judge(("refs/heads/main", tip, merge), now=int(time.time()))
    assert ("ID107", zombie) in {(f.code, f.commit) for f in verdict.errors}


@pytest.mark.parametrize(("when", "refused"), [(90, set()), (5, {"CD314"})])
def test_a_session_is_resumed_only_after_silence(story: Story, when: int, refused: set[str]) -> None:
    held = claimed(story.fields["FEAT-1"], BUILDER, first := new_token())
    claim = story.commit(story.intro, {"FEAT-1": held}, "builder", first, when=when)
    second = new_token()
    resumed = story.commit(claim, {"FEAT-1": moved(held, "in_progress", BUILDER, writer=second)}, "builder", second)
    assert story.judge(claim, resumed) == refused


def test_a_root_commit_is_judged_without_a_parent(story: Story) -> None:
    files: dict[str, Value] = dict(story.land.trees[story.intro])
    root = story.land.commit({"src/x": "x"})
    taken = {"FEAT-1": claimed(story.fields["FEAT-1"], BUILDER)}
    other = story.land.commit(board_of({**story.fields, **taken}), by="builder")
    assert story.judge(story.intro, story.land.commit(files, story.intro, root)) >= set()
    assert story.judge(story.intro, story.land.commit(files, story.intro, other))


# -- what others ask the judge


def court(story: Story, store: Any, intro: ObjectId) -> Court:
    world = story.land.world(store, intro)
    refs = Refs(
        world=world, location=story.land.plain.location, coordination=RefName(b"refs/heads/main"), coordination_tip=intro, policy_tip=intro,
    )  # fmt: skip
    return Court(world=world, refs=refs, trust=Trust(pinned=intro), registry=REGISTRY, now=int(time.time()))


def test_a_range_is_judged_as_if_it_were_merged(story: Story) -> None:
    won = story.commit(story.intro, {"FEAT-1": claimed(story.fields["FEAT-1"], BUILDER)}, "builder")
    lost = story.commit(story.intro, {"FEAT-1": claimed(story.fields["FEAT-1"], "agent:writer")}, "writer")
    with story.land.store() as store:
        here = court(story, store, story.intro)
        assert "CD303" in errors(judge_merged(here, won, lost))
        assert codes(judge_merged(here, lost, lost)) == set()


def single(story: Story, store: Any, oid: ObjectId, tip: ObjectId | None = None) -> list[Finding]:
    here = court(story, store, story.intro)
    commit = store.commit(oid)
    step = Segment(base=None, tip=oid, new=(oid,), with_base=frozenset())
    return list(judge_commit(here, commit, step, tip))


def test_one_commit_is_judged_by_itself_under_its_parents_or_else_under_the_other_tip(story: Story) -> None:
    bad = story.land.commit({"outside": "x"}, story.intro)
    before = story.land.commit({"outside": "x"}, story.land.parents[story.intro][0])
    with story.land.store() as store:
        assert [f.code for f in single(story, store, bad)] == ["CD407"]
        assert single(story, store, before) == []
        assert [f.code for f in single(story, store, before, story.intro)] == ["CD407"]


def test_what_takes_a_human_is_said_before_it_is_signed(story: Story) -> None:
    alice = Principal("human:alice")
    close = story.commit(
        story.intro, {"FEAT-1": moved(story.fields["FEAT-1"], "rejected", "human:alice", completed_at=at())}, "alice"
    )
    code = story.land.commit({"src/a.py": "x"}, story.intro)
    title = story.commit(story.intro, {"FEAT-1": {**story.fields["FEAT-1"], "title": "Else"}}, "alice")
    retitled = story.commit(story.intro, {"FEAT-1": {**story.fields["FEAT-1"], "title": "Third"}}, "alice")
    merge = story.land.commit({}, title, retitled)
    added = {"FEAT-0": tasks.task("FEAT-0"), **story.fields, "FEAT-2": {**story.fields["FEAT-2"], "title": "Else"}}
    second = story.land.commit(board_of(added), story.intro)
    outside = story.land.commit({"outside": "x"}, story.intro)
    with story.land.store() as store:
        world = story.land.world(store, story.intro)
        policy = world.policy(story.intro)
        assert policy is not None

        def act(oid: ObjectId) -> str | None:
            commit = store.commit(oid)
            step = Segment(base=commit.parents[0], tip=oid, new=(oid,), with_base=frozenset({oid}))
            return human_act(Expansion(world, commit, step, int(time.time())), policy, alice, REGISTRY)

        assert act(close) == "FEAT-1: todo -> rejected"
        assert act(title) == "FEAT-1 is changed"
        assert act(code) is None
        assert act(second) == "FEAT-2 is changed"
        assert act(merge) == "it chooses between versions of FEAT-1"
        assert act(outside) is not None


def test_who_wrote_and_since_when_it_is_silent_is_looked_up_for_the_rules(story: Story) -> None:
    edit = story.commit(story.intro, {"FEAT-1": {**story.fields["FEAT-1"], "title": "Else"}}, "alice", when=10)
    later = story.land.commit({"src/a.py": "x"}, edit)
    root = story.land.commit({"src/a.py": "x"})
    with story.land.store() as store:
        world = story.land.world(store, story.intro)
        policy = world.policy(story.intro)
        assert policy is not None

        def view(oid: ObjectId, base: ObjectId | None, *, descends: bool) -> Any:
            commit = store.commit(oid)
            step = Segment(base=base, tip=oid, new=(oid,), with_base=frozenset({oid} if descends else ()))
            expansion = Expansion(world, commit, step, int(time.time()))
            return expansion.view(policy, expansion.attribution(policy, lambda _: False))

        task = TaskId("FEAT-1")
        here = view(later, edit, descends=True)
        assert here.written_in(task) == edit
        assert here.silent_since(task, 3600) == store.commit(edit).committer_time
        assert here.silent_since(TaskId("NONE"), 3600) is None
        assert here.base is None
        assert view(later, story.intro, descends=False).written_in(task) == story.land.parents[story.intro][0]
        assert view(later, story.intro, descends=False).base.task(task).text("title") == "Task FEAT-1"
        assert view(root, None, descends=False).written_in(task) is None
        assert view(root, None, descends=False).silent_since(task, 3600) is None
        assert not here.proves_writer("ssh-ed25519 nonsense")


def test_an_introduction_without_policy_is_told(story: Story) -> None:
    first = story.land.parents[story.intro][0]
    with story.land.store() as store:
        here = court(story, store, first)
        commit = store.commit(first)
        step = Segment(base=None, tip=first, new=(first,), with_base=frozenset())
        found = list(introduction_findings(here.trust, Expansion(here.world, commit, step, here.now), commit, REGISTRY))
        assert [(f.code, f.commit) for f in found] == [("ID110", first)]
        commit = store.commit(story.intro)
        found = list(
            introduction_findings(Trust(pinned=first), Expansion(here.world, commit, step, here.now), commit, REGISTRY)
        )
        assert [f.found for f in found] == ["another introduction is pinned"]
