"""What a command tells somebody to run next: just what he may run, as words of a shell, whatever a task is called."""

import re
import shlex
import subprocess
from typing import Any, Final

import pytest

from codifica_guard.packs.codifica.vocabulary import STATES
from tests.building import Clone, Repo, tasks
from tests.building.board import document, fence

pytestmark = pytest.mark.guard

ODD: Final = "A 1; touch gone $(touch gone)"
"""An id of old: a new one may not be called so."""

BY_HUMANS: Final = frozenset(["approve", "return", "block", "unblock", "reject", "reopen", "reclaim", "assign"])

TYPED: Final[dict[str, tuple[str, ...]]] = {
    "claim": (),
    "note": ("how it goes",),
    "submit": ("--summary", "x"),
    "done": (),
    "resume": ("-m", "x"),
    "approve": (),
    "return": ("-m", "x"),
    "block": ("-m", "x"),
    "unblock": (),
    "reject": ("-m", "x"),
    "reopen": ("-m", "x"),
    "reclaim": ("-m", "x"),
    "assign": ("writer",),
    "show": (),
}
"""Every verb about a task that is there, with what else is typed."""


def advised(clone: Clone, verb: str, ident: str) -> list[str]:
    """What is to be run after a verb, tried without making anything; as `show` offers it, and as findings do."""
    dry = () if verb == "show" else ("--dry-run",)
    answer: Any = clone.guard(verb, ident, *TYPED[verb], *dry, "--json", "-q").json
    offered = answer["data"]["tasks"][0]["do"] if verb == "show" else []
    judged = [] if answer["exit"] in {0, 1} else [step for found in answer["findings"] for step in found["do"]]
    return [*answer["next"], *offered, *judged]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("who", ["builder", "writer", "alice"])
def test_an_odd_id_is_one_word_of_every_advised_command(repo: Repo, who: str, state: str) -> None:
    text = tasks.block({**tasks.task("FEAT-1", state), "id": ODD})
    repo.document("work.md", document(fence(text)))
    clone = repo.clone(who)
    for verb in TYPED:
        for step in advised(clone, verb, ODD):
            words = shlex.split(step)
            assert words[:2] == ["git", "codifica"] or words[:2] == ["git", "switch"], (verb, step)
            assert "touch" not in words, (verb, step)
            subprocess.run(["/bin/sh", "-n", "-c", step], check=True)
        said = clone.guard(verb, ODD, *TYPED[verb], *(() if verb == "show" else ("--dry-run",))).said
        assert not re.search(r"git codifica [a-z]+ A 1;", said), said


@pytest.mark.parametrize("self_approval", ["refuse", "allow"])
@pytest.mark.parametrize("review_by", ["human-or-owner", "owner"])
@pytest.mark.parametrize("state", STATES)
def test_an_agent_is_never_told_to_run_what_is_for_people(
    repo: Repo, state: str, review_by: str, self_approval: str
) -> None:
    repo.policy(review_by=review_by, self_approval=self_approval).task("FEAT-1", state, writer="old")
    builder, writer = repo.clone("builder"), repo.clone("writer")
    for verb in TYPED:
        for clone in (builder, writer):
            for step in advised(clone, verb, "FEAT-1"):
                told = step.split()[2]
                own = told == "return" and state == "to_be_tested" and clone is builder
                assert told not in BY_HUMANS or own, (verb, step)
                if told == "done":
                    assert self_approval == "allow"


@pytest.mark.parametrize("minutes", [60, 100_000, None])
def test_a_resume_is_told_only_where_it_is_possible(repo: Repo, minutes: int | None) -> None:
    repo.policy(resume_after_minutes=minutes).rules(max_concurrent_tasks_per_agent=1)
    repo.task("FEAT-1", "in_progress", writer="old").task("FEAT-2")
    builder, possible = repo.clone("builder"), minutes == 60
    for verb in ("claim", "note", "submit", "resume", "show"):
        found = advised(builder, verb, "FEAT-1") + advised(builder, verb, "FEAT-2")
        told = 'git codifica resume FEAT-1 -m "why"' in found
        assert told is (possible and verb != "resume"), (verb, found)
    said = builder.guard("claim", "FEAT-1").said
    assert ("a human: git codifica reclaim FEAT-1 --for agent:builder" in said) is (minutes is None)
    assert ("   (possible from " in said) is (minutes == 100_000)


@pytest.mark.parametrize("state", STATES)
def test_a_human_is_told_only_what_the_state_lets_him_do(repo: Repo, state: str) -> None:
    repo.policy(review_by="owner").task("FEAT-1", state)
    alice = repo.clone("alice")
    for verb in TYPED:
        if verb != "show" and alice.guard(verb, "FEAT-1", *TYPED[verb], "--dry-run").code == 0:
            continue  # what is told then is about the task as it would be
        for step in dict.fromkeys(advised(alice, verb, "FEAT-1")):
            words = ["human:bob" if word == "OWNER" else word for word in shlex.split(step)[2:]]
            if words[0] in BY_HUMANS:
                done = alice.guard(*words, "--dry-run")
                assert done.code == 0, (verb, step, done.said)


def test_what_waits_is_told_with_its_odd_id_as_one_word(repo: Repo) -> None:
    text = tasks.block({**tasks.task("FEAT-1", "to_be_tested"), "id": ODD})
    repo.document("work.md", document(fence(text)))
    (step,) = repo.clone("alice").guard("status", "--json", "-q").json["next"]
    assert shlex.split(step) == ["git", "codifica", "show", ODD]
