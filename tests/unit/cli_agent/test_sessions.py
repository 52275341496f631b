"""Sessions of one agent: who has the token goes on, and what a dead one held is taken over."""

import re
from datetime import timedelta

import pytest

from tests.building import Repo, at
from tests.building.sessions import ended, fields, pushed, session
from tests.building.times import STARTED

pytestmark = pytest.mark.guard


# -- sessions and tokens


def test_without_its_token_a_session_is_told_who_holds_the_task_and_what_may_be_done(repo: Repo) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1", env=session(repo, "s-1")).code == 0
    done = builder.guard("note", "FEAT-1", "continuing", "--json", env=session(repo, "s-2"))
    ended(
        done,
        6,
        "ID107 writer-token   FEAT-1 is held by session s-1 of agent:builder; this session has no token for it",
        f"found    there is no folder {repo.root / 'tokens' / 's-2' / 'shop'}, CODIFICA_WRITER_TOKEN is not set",
        "  do       git codifica claim --next   (other work)\n",
        '  later    git codifica resume FEAT-1 -m "why"   (possible from ',
        '  a human  git codifica reclaim FEAT-1 --for agent:builder -m "why"\n',
        "Z, 60 min after its last sign of life)",
    )
    assert done.json["next"] == ["git codifica claim --next"], "nothing that comes too early, or is a human's"
    [finding] = done.json["findings"]
    assert finding["do"] == done.json["next"]
    assert (finding["code"], finding["task"], finding["path"]) == ("ID107", "FEAT-1", "work.md")


def test_an_emptied_token_folder_is_told_and_a_surviving_one_is_all_it_takes(repo: Repo) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    mine = session(repo, "s-1")
    assert builder.guard("claim", "FEAT-1", env=mine).code == 0
    heir = repo.clone("builder", "container")
    assert heir.guard("note", "FEAT-1", "the volume survived", env={**mine, "CODIFICA_SESSION": "s-2"}).code == 0
    told = heir.guard("resume", "FEAT-1", "-m", "restart", env=mine)
    assert (told.code, told.text.split("\n")[0]) == (0, "FEAT-1 is yours, and its token is at hand: go on")
    kept = repo.root / "tokens" / "s-1" / "shop"
    secret = (kept / "FEAT-1").read_text()
    (kept / "FEAT-1").unlink()
    ended(heir.guard("note", "FEAT-1", "x", env=mine), 6, f"no token of this claim in {kept}", "git codifica resume")
    by_variable = {"CODIFICA_WRITER_TOKEN": f"cgw1_{'A' * 43} {secret}"}
    assert heir.guard("note", "FEAT-1", "x", env=by_variable).code == 0
    wrong = {"CODIFICA_WRITER_TOKEN": f"cgw1_{'A' * 43}"}
    ended(heir.guard("note", "FEAT-1", "x", env=wrong), 6, "CODIFICA_WRITER_TOKEN has none either")


def test_a_token_folder_that_cannot_be_used_is_named(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    place = repo.root / "volume"
    place.write_text("no folder")
    env = {"CODIFICA_TOKEN_DIR": str(place)}
    tip = repo.tip()
    ended(builder.guard("claim", "FEAT-1", env=env), 1, f"the writer token cannot be kept in {place}/shop")
    assert repo.tip() == tip
    assert builder.guard("claim", "FEAT-1").code == 0
    (builder.folder / ".git/codifica-guard/tokens/FEAT-1").unlink()
    ended(builder.guard("note", "FEAT-1", "x", env=env), 6, f"there is no folder {place}/shop")


@pytest.mark.parametrize(
    ("text", "mode", "told"), [("cgw1_broken\n", 0o600, "no writer token"), (None, 0o644, "chmod 600")]
)
def test_a_token_file_that_cannot_be_taken_is_named(repo: Repo, text: str | None, mode: int, told: str) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    kept = builder.folder / ".git/codifica-guard/tokens/FEAT-1"
    if text is not None:
        kept.write_text(text)
    kept.chmod(mode)
    ended(builder.guard("note", "FEAT-1", "x"), 1, str(kept), told)


def test_under_required_tokens_a_claim_without_one_is_resumed_first(repo: Repo) -> None:
    builder = (
        repo.policy(writer_tokens="required", resume_after_minutes=None).task("FEAT-1", "in_progress").clone("builder")
    )
    done = builder.guard("note", "FEAT-1", "x")
    ended(done, 6, "no session holds FEAT-1: its latest entry to in_progress has no writer key", "(possible now)")
    assert builder.guard("resume", "FEAT-1", "-m", "from before the guard").code == 0
    assert builder.guard("note", "FEAT-1", "x").code == 0


# -- a session dies


def test_case_41_a_task_whose_session_died_is_approved_or_returned_by_a_human(repo: Repo) -> None:
    repo.policy(writer_tokens="required").task("FEAT-1", "to_be_tested", writer="old").task(
        "FEAT-2", "to_be_tested", writer="old"
    )
    alice = repo.clone("alice")
    assert alice.guard("approve", "FEAT-1", "-m", "tried it").code == 0
    assert alice.guard("return", "FEAT-2", "-m", "the link never expires").code == 0
    heir = repo.clone("builder", "heir").guard("claim", "FEAT-2")
    assert heir.code == 0, heir.said
    assert "returned     by human:alice: the link never expires" in heir.text


def test_case_41_a_resume_that_comes_too_early_names_the_time(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    builder.note("FEAT-1", when=at(-45)).commit("FEAT-1: note", tokens=["old"], when=-45).push().accepted()
    tip = repo.tip()
    done = repo.clone("builder", "heir").guard("resume", "FEAT-1", "-m", "container lost", "--json")
    time = (STARTED + timedelta(minutes=15)).strftime("%Y-%m-%d %H:%MZ")
    assert f"a resume is possible from {time}, 60 min after its last sign of life" in done.said
    ended(
        done, 6, "FEAT-1 is held by session s-1", '\na human: git codifica reclaim FEAT-1 --for agent:builder -m "why"'
    )
    assert done.json["next"] == ["git codifica claim --next"]
    assert repo.tip() == tip


def test_case_41_a_resume_in_time_fences_the_old_session_off(repo: Repo) -> None:
    repo.policy(writer_tokens="required").rules(branch_pattern="{type}/{id}-{slug}").task(
        "FEAT-1", "in_progress", writer="old"
    )
    old, heir = repo.clone("builder"), repo.clone("builder", "heir")
    pushed(old, count=3).checkout("main")
    heir.fetch()
    done = heir.guard("resume", "FEAT-1", "-m", "container lost", env=session(repo, "s-90aa"))
    assert done.code == 0, done.said
    first, token, left, branch, *_ = done.text.split("\n")
    assert first == f"resumed FEAT-1: session s-90aa holds it now; s-1 is fenced off   main {repo.tip()[:7]}"
    assert token.startswith(f"token   {repo.root / 'tokens' / 's-90aa' / 'shop' / 'FEAT-1'} ")
    assert re.fullmatch(
        r"left behind   build/FEAT-1-task-feat-1, 3 commits, last \d\d:\d\dZ; uncommitted work is lost", left
    )
    assert branch == "branch  git switch build/FEAT-1-task-feat-1"
    old.note("FEAT-1").commit("FEAT-1: note", tokens=["old"]).pull().push().refused("ID107", "s-90aa")
    assert heir.guard("note", "FEAT-1", "on it", env=session(repo, "s-90aa")).code == 0


def test_what_a_resume_finds_of_the_old_work_is_told_to_programs(repo: Repo) -> None:
    heir = repo.task("FEAT-1", "in_progress", writer="old").clone("builder", "heir")
    dry = heir.guard("resume", "FEAT-1", "-m", "container lost", "--dry-run", "--json")
    assert (dry.json["data"]["commit"], dry.json["data"]["token"]) == (None, None)
    done = heir.guard("resume", "FEAT-1", "-m", "container lost", "--json")
    data = done.json["data"]
    assert (data["fenced_off"], data["left_behind"], data["already"]) == ("s-1", None, False)
    assert "left behind   nothing on " in done.said
    again = heir.guard("resume", "FEAT-1", "-m", "again", "--json", "-q").json["data"]
    assert (again["already"], again["session"]) == (True, data["session"])


def test_a_session_without_its_token_may_resume_at_once_what_is_silent(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    done = builder.guard("note", "FEAT-1", "x", "--json", "-q")
    assert done.json["next"] == ['git codifica resume FEAT-1 -m "why"', "git codifica claim --next"]


def test_where_the_policy_allows_no_resume_a_human_reclaims(repo: Repo) -> None:
    builder = repo.policy(resume_after_minutes=None).task("FEAT-1", "in_progress", writer="old").clone("builder")
    ended(
        builder.guard("resume", "FEAT-1", "-m", "x"),
        6,
        "the policy lets no session take a claim over",
        "git codifica reclaim",
    )
    ended(
        builder.guard("note", "FEAT-1", "x"), 6, '  a human  git codifica reclaim FEAT-1 --for agent:builder -m "why"'
    )


def test_only_ones_own_running_claim_is_resumed(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress", "agent:writer", writer="old").task("FEAT-2", owner="agent:builder")
    repo.task("FEAT-3", "in_progress").task("FEAT-4", "in_progress", "human:alice")
    builder, why = repo.clone("builder"), ("-m", "x")
    ended(builder.guard("resume", "FEAT-1", *why), 6, "owner agent:writer")
    ended(builder.guard("resume", "FEAT-2", *why), 1, "there is no claim to go on with", "git codifica claim FEAT-2")
    ended(builder.guard("resume", "FEAT-3", *why), 0, "its claim has no writer key: go on")
    ended(repo.clone("alice").guard("resume", "FEAT-4", *why), 0, "people need no token: go on")
    assert builder.guard("resume", "FEAT-1").code == 2


def test_case_28_a_zombie_is_stopped_by_its_verbs_and_by_the_server(repo: Repo) -> None:
    repo.policy(writer_tokens="required").task("FEAT-0").task("FEAT-1", execution_notes=[]).task("FEAT-2")
    zombie, alice, heir = repo.clone("builder"), repo.clone("alice"), repo.clone("builder", "heir")
    mine = session(repo, "s-1")
    assert zombie.guard("claim", "FEAT-1", env=mine).code == 0
    assert zombie.guard("note", "FEAT-1", "Read the old code", env=mine).code == 0
    zombie.fresh()
    alice.fresh().reclaim("FEAT-1").commit("FEAT-1: reclaim").push().accepted(perhaps={"CD310"})
    assert heir.guard("claim", "FEAT-1", env=session(repo, "s-2")).code == 0
    zombie.note("FEAT-1").commit("FEAT-1: note", proof="none")
    signed = zombie.guard("sign", "HEAD", env=mine)
    assert signed.code == 0, signed.said
    zombie.pull().push().refused("ID107", "s-2")
    zombie.fresh()
    ended(zombie.guard("note", "FEAT-1", "I am back", env=mine), 6, "ID107", "held by session s-2 of agent:builder")
    ended(zombie.guard("submit", "FEAT-1", "--summary", "All done", env=mine), 6, "ID107")
    assert "I am back" not in str(fields(repo))
