"""An audit of what has no receipts, of half a history, and of a repository that names its own beginning."""

from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.inside import called, inside
from tests.building.machine import run
from tests.building.shapes import check_envelope

pytestmark = pytest.mark.guard


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clone, "guard", called)


def rejected_by_its_agent(repo: Repo) -> Clone:
    """A claim, and a rejection by the agent itself, that came to the server around its hooks."""
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim")
    builder.reject("FEAT-1").commit("FEAT-1: reject")
    repo.on_server("fetch", "-q", str(builder.folder), "+HEAD:refs/heads/main")
    return repo.clone("bob")


def test_case_46_an_audit_without_receipts_says_so_and_judges_all_the_same(repo: Repo) -> None:
    bob = rejected_by_its_agent(repo)
    done = bob.guard("audit")
    assert done.code == 1, done.said
    assert "receipts  none: order from first parents, times as committers say them\n" in done.text
    assert "CD202 human-only" in done.text
    answer = check_envelope(bob.guard("audit", "--json", "-q").out)
    [branch] = answer["data"]["branches"]
    assert (branch["order"], answer["data"]["chain"]["last"]) == ("first parents", 0)
    assert {act["receipt"] for act in answer["data"]["acts"]} == {None}


def test_case_46_in_a_shallow_clone_it_cannot_be_told_and_the_command_is_named(repo: Repo, tmp_path: Path) -> None:
    bob = rejected_by_its_agent(repo)
    intro = bob.head("origin/main~2")
    folder = tmp_path / "shallow"
    run(["git", "clone", "-q", "--depth=2", f"file://{repo.bare}", folder], cwd=tmp_path, home=bob.home)
    for words in ((), ("--introduction", intro), ("--no-fetch",), ("--since", "1d"), ("--since-receipt",)):
        done = inside(["audit", "--json", *words], cwd=folder, home=bob.home)
        assert done.code == 3, done.said
        answer = check_envelope(done.out)
        assert answer["data"] is None
        assert "cannot tell: " in answer["error"]
        assert "git fetch --unshallow" in answer["error"]
        assert answer["next"][0] == "git fetch --unshallow"
    run(["git", "fetch", "-q", "--unshallow"], cwd=folder, home=bob.home)
    assert inside(["audit"], cwd=folder, home=bob.home).code == 1


def test_case_46_an_introduction_that_nobody_pinned_is_said_and_how_to_pin_it(repo: Repo) -> None:
    bob = rejected_by_its_agent(repo)
    intro = bob.head("origin/main~2")
    text = bob.guard("audit").text
    assert "taken from the repository itself, not pinned by you" in text
    assert f"git codifica audit --introduction {intro}\n" in text
    pinned = bob.guard("audit", "--introduction", intro).text
    assert "not pinned" not in pinned
    assert "pinned: you, or this clone, had named it before" in pinned
