"""Which tasks are free for whom, in which order, and what stands in the way of the others."""

import pytest

from codifica_guard.clone.desk import open_desk
from codifica_guard.model.ids import Principal
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.offer import Offer, offer_of
from codifica_guard.verbs.reader import Reader
from tests.building import Repo, board, tasks
from tests.building.times import seconds
from tests.unit.verbs.conftest import At


def offer(repo: Repo, at: At, actor: str | None) -> Offer:
    """What there is for somebody."""
    with at(repo.clone("alice")), open_desk(seconds()) as desk:
        return offer_of(board_at(desk), Reader(actor=None if actor is None else Principal(actor)))


@pytest.mark.parametrize(
    ("actor", "free", "hindered"),
    [
        (
            "agent:builder",
            ["OPEN-1", "BUILDER-1"],
            {
                "WRITER-1": "owner agent:writer",
                "HUMAN-1": "owner human",
                "ALICE-1": "owner human:alice",
                "REVIEW-1": "review: humans only",
                "EMPTY-1": "no acceptance criteria",
                "SPIKE-1": "no acceptance criteria",
                "NEEDS-1": "needs OPEN-1, GONE-1 (not there)",
                "RING-1": "cycle RING-1 -> RING-2 -> RING-1",
                "RING-2": "cycle RING-2 -> RING-1 -> RING-2",
            },
        ),
        (
            "human:alice",
            ["OPEN-1", "HUMAN-1", "ALICE-1", "REVIEW-1"],
            {
                "WRITER-1": "owner agent:writer",
                "BUILDER-1": "owner agent:builder",
                "EMPTY-1": "no acceptance criteria",
                "SPIKE-1": "no acceptance criteria",
                "NEEDS-1": "needs OPEN-1, GONE-1 (not there)",
                "RING-1": "cycle RING-1 -> RING-2 -> RING-1",
                "RING-2": "cycle RING-2 -> RING-1 -> RING-2",
            },
        ),
        (
            None,
            ["OPEN-1"],
            {
                "WRITER-1": "owner agent:writer",
                "BUILDER-1": "owner agent:builder",
                "HUMAN-1": "owner human",
                "ALICE-1": "owner human:alice",
                "REVIEW-1": "review: humans only",
                "EMPTY-1": "no acceptance criteria",
                "SPIKE-1": "no acceptance criteria",
                "NEEDS-1": "needs OPEN-1, GONE-1 (not there)",
                "RING-1": "cycle RING-1 -> RING-2 -> RING-1",
                "RING-2": "cycle RING-2 -> RING-1 -> RING-2",
            },
        ),
    ],
)
def test_every_task_in_todo_is_free_or_has_its_reason(
    repo: Repo, at: At, actor: str | None, free: list[str], hindered: dict[str, str]
) -> None:
    repo.rules(custom_types=["spike"]).task("OPEN-1").task("WRITER-1", owner="agent:writer")
    repo.task("BUILDER-1", owner="agent:builder").task("HUMAN-1", owner="human").task("ALICE-1", owner="human:alice")
    repo.task("REVIEW-1", type="review").task("EMPTY-1", acceptance=[]).task("SPIKE-1", type="spike", acceptance=["  "])
    repo.task("NEEDS-1", depends_on=["OPEN-1", "GONE-1", "DONE-1"]).task("DONE-1", "done")
    repo.task("RING-1", depends_on=["RING-2"]).task("RING-2", depends_on=["RING-1"])
    found = offer(repo, at, actor)
    assert [task.id for task in found.free] == free
    assert {task.id: why for task, why in found.hindered} == hindered
    assert found.left == 11


def test_free_tasks_are_ordered_by_priority_then_leaves_then_place(repo: Repo, at: At) -> None:
    repo.settings(state=["a.md", "work.md"])
    repo.task("LOW-1", priority="low").task("DEEP-1", priority="high", depends_on=["DONE-1"]).task("DONE-1", "done")
    repo.task("LEAF-1", priority="high").task("PLAIN-1").task("TOP-1", priority="critical").task(
        "ODD-1", priority="odd"
    )
    repo.task("FIRST-1", document="a.md")
    names = [task.id for task in offer(repo, at, "agent:builder").free]
    assert names == ["TOP-1", "LEAF-1", "DEEP-1", "FIRST-1", "PLAIN-1", "LOW-1", "ODD-1"]


def test_an_id_that_stands_twice_is_free_for_nobody(repo: Repo, at: At) -> None:
    twice = tasks.block(tasks.task("FEAT-1"))
    repo.document("work.md", board.document(board.fence(twice, tasks.block(tasks.task("FEAT-2")), twice)))
    found = offer(repo, at, "agent:builder")
    assert [task.id for task in found.free] == ["FEAT-2"]
    assert [(task.id, why) for task, why in found.hindered] == [("FEAT-1", "its id stands there more than once")]
    assert [item.code for item in found.census.unreadable] == ["CD104"]


@pytest.mark.parametrize(
    ("actor", "limit", "full"), [("agent:builder", 2, True), ("human:bob", None, False), (None, None, False)]
)
def test_only_agents_have_a_limit(repo: Repo, at: At, actor: str | None, limit: int | None, full: bool) -> None:  # noqa: FBT001 - a parameter of the test
    repo.rules(max_concurrent_tasks_per_agent=2)
    for number in (1, 2):
        repo.task(f"FEAT-{number}", "in_progress", actor or "human:alice")
    found = offer(repo, at, actor)
    assert (found.limit, found.full, len(found.held)) == (limit, full, 2 if actor else 0)


def test_a_document_that_is_no_file_is_named(repo: Repo, at: At) -> None:
    alice = repo.settings(state=["work.md", "more.md"]).task("FEAT-1").clone("alice")
    (alice.folder / "more.md").symlink_to("work.md")
    alice.commit("A link")
    alice.git("update-ref", "refs/remotes/origin/main", "HEAD")
    found = offer(repo, at, "agent:builder")
    assert [(item.code, item.place) for item in found.census.unreadable] == [("ST106", "more.md:1")]
    assert [task.id for task in found.free] == ["FEAT-1"]


def test_a_task_without_a_state_is_named(repo: Repo, at: At) -> None:
    repo.document("work.md", "```yaml\n- id: FEAT-1\n  type: build\n  owner: unassigned\n  title: A\n```\n")
    found = offer(repo, at, "agent:builder")
    assert [str(item) for item in found.census.unreadable] == ["CD101 work.md:2 FEAT-1 it has no state"]
    assert found.left == 1
