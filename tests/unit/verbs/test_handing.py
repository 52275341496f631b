"""Handing in, closing and taking over: what no push of a test reaches."""

import pytest

from codifica_guard.errors import UsageError
from codifica_guard.verbs.act import plan_of
from codifica_guard.verbs.handing import HandIn, forget_tokens, parse_artifact
from codifica_guard.verbs.landing import land
from codifica_guard.verbs.resuming import Resume
from codifica_guard.verbs.seat import How, Proposal, Seat
from codifica_guard.verbs.stopped import LOST, Stopped
from tests.building import Repo
from tests.unit.verbs.conftest import At


def hand_in(summary: str = "It is there") -> HandIn:
    return HandIn(summary=summary, text=None, artifacts=(), ref=None)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("src/reset.py:code", ("src/reset.py", "code")),
        (" docs/a:b.md : text ", ("docs/a:b.md", "text")),
        ("Grüße.md:text", ("Grüße.md", "text")),
    ],
)
def test_an_artifact_is_a_path_and_a_type(text: str, parts: tuple[str, str]) -> None:
    assert parse_artifact(text) == parts


@pytest.mark.parametrize("text", ["", "a", "a:", ":b", "a\nb:c", "/a:b", "a/../../b:c"])
def test_anything_else_is_no_artifact(text: str) -> None:
    with pytest.raises(UsageError):
        parse_artifact(text)


def test_a_token_stays_while_the_hand_in_is_not_pushed(repo: Repo, at: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    builder.pull()
    kept = builder.folder / ".git/codifica-guard/tokens/FEAT-1"
    with at(builder):
        landed = land(How(push=False), plan_of("FEAT-1", "submit", hand_in()))
        assert forget_tokens(landed) == ()
    assert kept.exists()


def test_a_token_that_cannot_be_taken_out_is_told(repo: Repo, at: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    kept = builder.folder / ".git/codifica-guard/tokens/FEAT-1"
    with at(builder):
        landed = land(How(), plan_of("FEAT-1", "submit", hand_in()))
        kept.chmod(0o644)
        [told] = forget_tokens(landed)
    assert str(kept) in told
    assert told.endswith("it is of no use any more")


def test_a_bare_repository_has_nothing_that_is_not_committed(repo: Repo, at: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    builder.git("clone", "-q", "--bare", str(repo.bare), str(repo.root / "bare.git"))
    kept = {"CODIFICA_TOKEN_DIR": str(builder.folder / ".git/codifica-guard/tokens")}
    with at(builder, env=kept | {"GIT_DIR": str(repo.root / "bare.git")}):
        closing = hand_in()
        landed = land(How(dry_run=True), plan_of("FEAT-1", "submit", closing))
    assert landed.commit is None
    assert closing.work.loose == ()


def test_a_resume_whose_task_moves_meanwhile_is_lost(repo: Repo, at: At) -> None:
    builder, twin = repo.task("FEAT-1", "in_progress", writer="old").clone("builder"), repo.clone("builder", "twin")
    resume, tries = Resume("FEAT-1", "container lost"), [0]

    def plan(seat: Seat) -> Proposal:
        tries[0] += 1
        proposal = resume(seat)
        if tries[0] == 1:
            assert twin.guard("resume", "FEAT-1", "-m", "container lost").code == 0
        return proposal

    with at(builder), pytest.raises(Stopped, match="lost FEAT-1: agent:builder") as stopped:
        land(How(), plan)
    assert (stopped.value.exit, tries) == (LOST, [2])
    assert not (builder.folder / ".git/codifica-guard/tokens/FEAT-1").exists()
