"""What waits for whom, and since when: from what a task says of itself."""

from typing import Any

import pytest

from codifica_guard.clone.desk import open_desk
from codifica_guard.model.document import Task
from codifica_guard.model.ids import Principal
from codifica_guard.verbs.account import came_back, request_of, spoke_at, started_at
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.census import census_of
from codifica_guard.verbs.reader import Reader
from codifica_guard.verbs.waiting import Wait, silent_tasks, waiting_for
from tests.building import Repo, tasks
from tests.building import at as moment
from tests.building.times import seconds
from tests.unit.verbs.conftest import At

BUILDER, ALICE = "agent:builder", "human:alice"


def task(state: str = "in_progress", owner: str = BUILDER, **more: Any) -> Task:
    """A task as it is read."""
    return Task(data=tasks.task("FEAT-1", state, owner, **more))


def note(minutes: float, by: str = BUILDER, summary: str | None = "request: block: needs a password") -> tasks.Fields:
    """A note; as a rule one that asks."""
    return tasks.note(by, "needs a password, or a key", summary=summary, when=moment(minutes))


def entry(source: str, target: str, by: str, minutes: float = -5, reason: str = "Why") -> tasks.Fields:
    """An entry of the task's history."""
    return tasks.entry(source, target, by, when=moment(minutes), reason=reason)


PLAIN = note(-4, summary=None)


@pytest.mark.parametrize(
    ("asking", "told"),
    [
        (task(execution_notes=[note(-5)]), ("block", "needs a password")),
        (task(execution_notes=[note(-9, summary="request: release: a"), note(-5)]), ("block", "needs a password")),
        (task(execution_notes=[note(-5, summary="request: change")]), ("change", "needs a password, or a key")),
        (task(execution_notes=[note(-5, summary="request: : ")]), ("", "needs a password, or a key")),
        (task("todo", execution_notes=[note(-5)]), ("block", "needs a password")),
        # an answer of other agents is none
        (task(execution_notes=[note(-5), note(-4, "agent:writer", None)]), ("block", "needs a password")),
        # times that cannot be read answer nothing
        (
            task(
                execution_notes=[{**note(-5), "timestamp": "soon"}],
                state_transitions=[entry("blocked", "in_progress", ALICE)],
            ),
            ("block", "needs a password"),
        ),
        (task(execution_notes=[note(-5), PLAIN]), None),
        (task(execution_notes=[note(-5, "agent:writer")]), None),
        (task(execution_notes=[note(-5, summary="requests are done")]), None),
        (task(execution_notes=[note(-5), note(-4, ALICE, None)]), None),
        (task(execution_notes=[note(-5), note(-4, "alice", None)]), None),
        (
            task(execution_notes=[note(-5)], state_transitions=[entry("in_progress", "blocked", ALICE, -4)]),
            None,
        ),
        (task("done", execution_notes=[note(-5)]), None),
        (task("rejected", BUILDER, execution_notes=[note(-5)]), None),
        (task(execution_notes=[]), None),
    ],
)
def test_a_request_is_open_until_a_human_answers_or_its_owner_goes_on(
    asking: Task, told: tuple[str, str] | None
) -> None:
    found = request_of(asking)
    assert (found and (found.ask, found.text)) == told


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("to_be_tested", "returned"),
        ("done", "reopened"),
        ("rejected", "reopened"),
        ("in_progress", "taken back"),
        ("blocked", "unblocked"),
        ("odd", "moved"),
    ],
)
def test_a_task_in_todo_says_how_it_came_back(source: str, how: str) -> None:
    back = came_back(task("todo", state_transitions=[entry(source, "todo", ALICE, -5)]))
    assert back is not None
    assert (back.how, back.by, back.at, back.reason) == (how, ALICE, seconds(-5), "Why")


@pytest.mark.parametrize(
    "fresh",
    [
        task("todo"),
        task("in_progress", state_transitions=[entry("done", "todo", ALICE)]),
        task("todo", state_transitions=[entry("todo", "in_progress", BUILDER)]),
    ],
)
def test_a_task_that_is_new_or_elsewhere_did_not_come_back(fresh: Task) -> None:
    assert came_back(fresh) is None


def test_a_task_runs_since_its_claim_not_since_a_resume() -> None:
    rows = [entry("todo", "in_progress", BUILDER, -50), entry("in_progress", "in_progress", BUILDER, -5)]
    assert started_at(task(state_transitions=rows)) == seconds(-50)
    assert started_at(task(state_transitions=[], claimed_at=moment(-40))) == seconds(-40)
    assert started_at(task(state_transitions=[], claimed_at="then")) is None


def test_silence_ends_with_a_note_or_a_transition_and_is_counted_to_the_hour(repo: Repo, at: At) -> None:
    limit = -24 * 60
    old = [entry("todo", "in_progress", BUILDER, limit - 60)]
    repo.rules(stale_claim_hours=24)
    repo.task("FEAT-1", "in_progress", state_transitions=old)
    repo.task("FEAT-2", "in_progress", state_transitions=old, execution_notes=[note(limit - 1, summary=None)])
    repo.task("FEAT-3", "in_progress", state_transitions=old, execution_notes=[note(limit + 30, summary=None)])
    repo.task("FEAT-4", "to_be_tested", state_transitions=old)
    repo.task("FEAT-5", "in_progress", state_transitions=[], claimed_at="then")
    with at(repo.clone("alice")), open_desk(seconds()) as desk:
        board = board_at(desk)
        found = silent_tasks(board, census_of(board))
        assert [wait.task.id for wait in found] == ["FEAT-1", "FEAT-2"]
        silent = board.snapshot.task(found[0].task.id)
        assert silent is not None
        assert spoke_at(board, silent) == seconds(limit - 60)
        fallback = next(t for t in census_of(board).tasks if t.id == "FEAT-5")
        assert spoke_at(board, fallback) == board.silent_since(fallback.id)


def kinds(repo: Repo, at: At, actor: str | None) -> list[tuple[str, str]]:
    """What waits for somebody: ids and kinds."""
    with at(repo.clone("alice")), open_desk(seconds()) as desk:
        board = board_at(desk)
        reader = Reader(actor=None if actor is None else Principal(actor))
        waits: tuple[Wait, ...] = waiting_for(board, census_of(board), reader)
        return [(wait.task.id, wait.kind) for wait in waits]


def test_each_task_waits_once_for_the_most_urgent_reason(repo: Repo, at: At) -> None:
    old = [entry("todo", "in_progress", BUILDER, -2000)]
    repo.task("FEAT-1", "in_progress", state_transitions=old)
    repo.task("FEAT-2", "in_progress", state_transitions=old, execution_notes=[note(-1900)])
    repo.task("FEAT-3", "to_be_tested", execution_notes=[note(-5)])
    repo.task("FEAT-4", "in_progress", "human:bob", execution_notes=[note(-5, "human:bob")])
    repo.task("FEAT-5", owner=ALICE, depends_on=["FEAT-1"])
    repo.task("FEAT-6", owner=ALICE)
    repo.task("FEAT-7", "to_be_tested", state_transitions=[])
    expected = [("FEAT-2", "asks"), ("FEAT-3", "asks"), ("FEAT-7", "handed in"), ("FEAT-1", "silent")]
    assert kinds(repo, at, ALICE) == [*expected, ("FEAT-6", "assigned")]
    assert kinds(repo, at, "human:bob") == expected
    assert kinds(repo, at, None) == expected


def test_an_agent_loses_a_claim_only_to_somebody_else_and_for_some_days(repo: Repo, at: At) -> None:
    claim = entry("todo", "in_progress", BUILDER, -90)
    taken = entry("in_progress", "todo", ALICE, -60)
    days = -8 * 24 * 60
    stories: dict[str, list[tasks.Fields]] = {
        "LOST-1": [claim, taken],
        "LOST-2": [claim, taken, entry("todo", "in_progress", "agent:writer", -50)],
        "OLD-1": [entry("todo", "in_progress", BUILDER, days), entry("in_progress", "todo", ALICE, days)],
        "NEVER-1": [entry("todo", "in_progress", "agent:writer", -90), taken],
        "AGAIN-1": [claim, taken, entry("todo", "in_progress", BUILDER, -50)],
        "BLOCK-1": [claim, entry("in_progress", "blocked", ALICE, -60)],
        "SELF-1": [claim, entry("in_progress", "to_be_tested", BUILDER, -60)],
    }
    for name, rows in stories.items():
        repo.task(name, owner="unassigned", state_transitions=rows)
    repo.task("MINE-1", owner=BUILDER, state_transitions=[claim, taken])
    assert kinds(repo, at, BUILDER) == [("MINE-1", "returned"), ("LOST-1", "lost"), ("LOST-2", "lost")]
