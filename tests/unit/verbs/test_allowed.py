"""What somebody may do with a task now."""

import pytest

from codifica_guard.clone.desk import open_desk
from codifica_guard.model.ids import Principal
from codifica_guard.verbs.allowed import commands
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.reader import Reader
from tests.building import Repo
from tests.building.times import seconds
from tests.unit.verbs.conftest import At

TESTING = ["approve FEAT-1", 'return FEAT-1 -m "why"', 'block FEAT-1 -m "why"']
WORKING = ['submit FEAT-1 --summary "one line" --artifact path:type', 'note FEAT-1 "text"']


def may(repo: Repo, at: At, actor: str | None, *, token: bool = False) -> list[str]:
    """What somebody may do with FEAT-1."""
    fences = frozenset([repo.keys.line("token")] if token else [])
    with at(repo.clone("alice")), open_desk(seconds()) as desk:
        board = board_at(desk)
        reader = Reader(actor=None if actor is None else Principal(actor), fences=fences)
        found = commands(board, board.task("FEAT-1"), reader)
        assert all(step.startswith("git codifica ") for step in found)
        return [step.removeprefix("git codifica ") for step in found]


@pytest.mark.parametrize(
    ("actor", "expected"),
    [("human:bob", [TESTING[2]]), ("human:alice", TESTING), ("agent:builder", []), (None, [])],
)
def test_under_review_by_owner_only_the_owner_reviews(
    repo: Repo, at: At, actor: str | None, expected: list[str]
) -> None:
    repo.policy(review_by="owner").task("FEAT-1", "to_be_tested", "human:alice")
    assert may(repo, at, actor) == expected


@pytest.mark.parametrize(
    ("approval", "expected"), [("refuse", []), ("warn", ["done FEAT-1"]), ("allow", ["done FEAT-1"])]
)
def test_an_agent_closes_its_own_only_where_it_may(repo: Repo, at: At, approval: str, expected: list[str]) -> None:
    repo.policy(self_approval=approval).task("FEAT-1", "to_be_tested")
    assert may(repo, at, "agent:builder") == expected


@pytest.mark.parametrize(
    ("minutes", "token", "expected"),
    [
        (60, True, [*WORKING, 'note FEAT-1 --ask block "why"']),
        (60, False, ['resume FEAT-1 -m "why"']),
        (100_000, False, []),
        (None, False, []),
    ],
)
def test_a_claim_is_gone_on_with_by_its_token_and_resumed_after_its_silence(
    repo: Repo,
    at: At,
    minutes: int | None,
    token: bool,  # noqa: FBT001 - a parameter of the test
    expected: list[str],
) -> None:
    repo.policy(resume_after_minutes=minutes).task("FEAT-1", "in_progress", writer="token")
    assert may(repo, at, "agent:builder", token=token) == expected


@pytest.mark.parametrize(("limit", "expected"), [(1, []), (2, ["claim FEAT-1"]), (None, ["claim FEAT-1"])])
def test_an_agent_at_its_limit_claims_nothing(repo: Repo, at: At, limit: int | None, expected: list[str]) -> None:
    if limit is not None:
        repo.rules(max_concurrent_tasks_per_agent=limit)
    repo.task("FEAT-1").task("FEAT-2", "in_progress")
    assert may(repo, at, "agent:builder") == expected


def test_a_human_goes_on_with_his_own_and_takes_back_what_is_anothers(repo: Repo, at: At) -> None:
    repo.task("FEAT-1", "in_progress", "human:alice")
    own, other = may(repo, at, "human:alice"), may(repo, at, "human:bob")
    assert own[:2] == WORKING
    assert not any(step.startswith("reclaim") for step in own)
    assert 'reclaim FEAT-1 -m "why"' in other
    assert not any(step.startswith(("submit", "note")) for step in other)
