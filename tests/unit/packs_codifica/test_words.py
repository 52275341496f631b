"""The protocol's words, a task's own history, and what is free to take."""

from typing import Final

import pytest

from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal, TaskId
from codifica_guard.model.times import parse_time
from codifica_guard.packs.codifica import choosing, history, vocabulary
from codifica_guard.packs.codifica.pack import FILE_PACK, PACK
from codifica_guard.rules.snapshot import Snapshot
from tests.unit.packs_codifica.cases import CLAIM, HAND_IN, at, block, documents, running, step
from tests.unit.views import ALICE, BOB, BUILDER, WRITER, codifica, policy, snapshot
from tests.unit.views import document as page

CRITERIA: Final = {"acceptance": ["It works"]}

# -- words


@pytest.mark.parametrize(
    ("owner", "fits"),
    [
        ("human", True), ("human:alice", True), ("agent:a", True), ("unassigned", True), ("agent:" + "a" * 64, True),
        ("agent", False), ("alice", False), ("", False), ("human:", False), ("agent:A", False), ("server:x", False),
        ("unassigned:x", False), ("human:alice:bob", False), ("agent:" + "a" * 65, False), ("agent:-", False), (" human", False),
    ],
)  # fmt: skip
def test_an_owner_has_one_of_four_forms(owner: str, *, fits: bool) -> None:
    assert vocabulary.is_owner_form(owner) is fits


@pytest.mark.parametrize(
    ("owner", "actor", "fits"),
    [
        (BUILDER, BUILDER, True), ("human", ALICE, True), (ALICE, ALICE, True), ("human", BUILDER, False), (ALICE, BOB, False),
        ("builder", BUILDER, False), ("alice", ALICE, False), (None, BUILDER, False), (BUILDER, None, False), (None, None, False),
        ("unassigned", BUILDER, False),
    ],
)  # fmt: skip
def test_a_task_is_owned_by_its_owner_and_any_humans_by_every_human(
    owner: str | None, actor: Principal | None, *, fits: bool
) -> None:
    assert vocabulary.owns(owner, actor) is fits


@pytest.mark.parametrize(
    ("name", "actor", "fits"),
    [
        (ALICE, ALICE, True), ("alice", ALICE, True), ("human", ALICE, True), (BUILDER, BUILDER, True), ("builder", BUILDER, False),
        ("human", BUILDER, False), ("bob", ALICE, False), ([ALICE], ALICE, False), (None, ALICE, False), (ALICE, None, False),
        ({"a": "b"}, BUILDER, False),
    ],
)  # fmt: skip
def test_people_may_sign_without_their_prefix(name: object, actor: Principal | None, *, fits: bool) -> None:
    assert vocabulary.is_signer(name, actor) is fits


def test_custom_types_are_types() -> None:
    assert vocabulary.types(codifica()) == ("build", "test", "review", "investigate", "followup")
    assert vocabulary.types(codifica(custom_types=("design",)))[-1] == "design"


# -- a task's own history


def task(**fields: object) -> Task:
    found = snapshot(documents(block(**fields))).task(TaskId("FEAT-1"))
    assert found is not None
    return found


RESUME: Final = step("in_progress", "in_progress", minutes=-20)
UNBLOCK: Final = step("blocked", "in_progress", ALICE, minutes=-10)


def test_the_last_entry_to_a_state_is_the_lowest() -> None:
    told = task(state_transitions=[CLAIM, HAND_IN, "text", RESUME])
    assert history.last_entry(told, "in_progress") == RESUME
    assert history.last_entry(told, "done") is None
    assert history.last_entry(task(state_transitions="x"), "done") is None


def test_a_resume_and_an_unblocking_are_no_claims() -> None:
    assert history.last_claim(task(state_transitions=[CLAIM, RESUME, UNBLOCK])) == CLAIM
    assert history.last_claim(task(state_transitions=[RESUME, UNBLOCK])) is None


def test_a_hand_in_is_for_testing_or_closes_at_once() -> None:
    closing = step("in_progress", "done", minutes=-5)
    approval = step("to_be_tested", "done", minutes=-1)
    assert history.handed_in_at(task(state_transitions=[CLAIM, HAND_IN, approval])) == parse_time(at(-30))
    assert history.handed_in_at(task(state_transitions=[HAND_IN, closing])) == parse_time(at(-5))
    assert history.handed_in_at(task(state_transitions=[CLAIM])) is None
    assert history.handed_in_at(task(state_transitions=[{"to": "to_be_tested"}])) is None


def test_a_review_counts_unless_it_is_older_than_the_hand_in() -> None:
    def counts(recorded: object, *entries: object) -> bool:
        return history.review_counts(task(human_review={"recorded_at": recorded}, state_transitions=[*entries]))

    assert counts(at(-30), HAND_IN)
    assert counts(at(-29), HAND_IN)
    assert not counts(at(-31), HAND_IN)
    assert counts(None, HAND_IN)
    assert counts("soon", HAND_IN)
    assert counts(at(-31))
    assert history.review(task(human_review=["x"])) == {}


# -- what is free


def free(*blocks: str, actor: Principal | None = BUILDER) -> list[str]:
    config = codifica(custom_types=("design",))
    return [t.id for t in choosing.free_for(actor, snapshot(documents(blocks)), config)]


def test_free_is_what_waits_for_the_agent_or_for_nobody() -> None:
    assert free(block("A", **CRITERIA), block("B", owner=BUILDER, **CRITERIA)) == ["A", "B"]
    assert (
        free(block("A", owner=WRITER, **CRITERIA), block("B", owner=None, **CRITERIA), running("C", **CRITERIA)) == []
    )
    assert free(block("A", owner="human", **CRITERIA), actor=ALICE) == ["A"]


def test_what_follows_build_needs_criteria() -> None:
    assert free(block("A"), block("B", acceptance=[" "]), block("C", type="design"), block("D", type="test")) == ["D"]
    assert free(block("A", type="design", **CRITERIA)) == ["A"]


def test_reviews_are_for_people() -> None:
    assert free(block("A", type="review")) == []
    assert free(block("A", type="review"), actor=None) == []
    assert free(block("A", type="review"), actor=BOB) == ["A"]


def test_dependencies_are_done_first() -> None:
    waiting = block("A", type="test", depends_on=["B"])
    assert free(waiting) == []
    assert free(waiting, block("B", state="to_be_tested")) == []
    assert free(waiting, block("B", state="done")) == ["A"]
    there = snapshot(documents((waiting, block("B"))))
    assert choosing.unmet(there.task(TaskId("A")) or task(), there) == ("B",)


def test_the_order_is_priority_then_leaves_then_place() -> None:
    def plain(name: str, **fields: object) -> str:
        return block(name, type="test", **fields)

    done = block("X", state="done")
    blocks = (
        done, plain("odd", priority="urgent"), plain("low", priority="low"), plain("second"), plain("deep", priority="high", depends_on=["X"]),
        plain("leaf", priority="high"), plain("first", priority="critical"), plain("third", priority="normal"),
    )  # fmt: skip
    assert free(*blocks) == ["first", "leaf", "deep", "second", "third", "low", "odd"]
    two = snapshot({"b.md": page(plain("B")), "a.md": page(plain("A"))})
    assert [t.id for t in choosing.free_for(BUILDER, two, codifica())] == ["A", "B"]


def test_a_state_that_only_the_parser_sees_is_found() -> None:
    hidden = block("A", type="test").replace("state: todo", 'state: "t\\x6fdo"')
    assert free(hidden) == ["A"]
    assert free(block("A", type="test", labels=["todo"], state="done")) == []
    assert free(block("A", type="test") + "  x: `a`\n") == []
    assert isinstance(snapshot({}), Snapshot)


# -- the pack


def test_the_pack_is_switched_on_by_codifica_json() -> None:
    assert PACK.active(policy())
    assert not PACK.active(policy(without_codifica=True))
    assert FILE_PACK.active(policy(without_codifica=True))


def test_a_migration_lifts_what_the_history_of_another_tool_may_break_and_nothing_else() -> None:
    lifted = {rule.code for rule in (*PACK.rules, *FILE_PACK.rules) if rule.lifted}
    assert lifted == {"CD103", "CD105", "CD201", "CD207", "CD208", "CD209", "CD302", "CD402", "CD403", "CD404", "CD410"}
