"""Races: many sessions want the same tasks at once; each task has one holder, and who loses is told so."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.building import Clone, Repo
from tests.building.machine import Done
from tests.building.wrappers import git_wrapper

pytestmark = pytest.mark.guard


def together(calls: Sequence[Callable[[], Done]]) -> list[Done]:
    """Run calls at once, each on its own; what they came to, in order."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], Done]) -> Done:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def calling(clone: Clone, *words: str, env: Mapping[str, str] | None = None) -> Callable[[], Done]:
    """A call of the program, to be made later."""
    return lambda: clone.guard(*words, env=env)


def test_twenty_sessions_share_ten_tasks_and_each_task_has_one_holder(repo: Repo) -> None:
    tasks = [f"FEAT-{number}" for number in range(1, 11)]
    repo.policy(writer_tokens="required")
    for ident in tasks:
        repo.task(ident)
    clones = [repo.clone(who, str(number)) for number in range(10) for who in ("builder", "writer")]
    ends = together([calling(clone, "claim", "--next", "--json", "-q") for clone in clones])
    assert Counter(done.code for done in ends) == {0: 10, 5: 10}, "\n".join(done.said for done in ends)
    won = {done.json["data"]["task"]: clone for done, clone in zip(ends, clones, strict=True) if done.code == 0}
    assert sorted(won) == sorted(tasks)
    alice = repo.clone("alice").fresh()
    for ident, clone in won.items():
        fields = alice.fields(ident)
        assert (fields["state"], fields["owner"]) == ("in_progress", clone.principal)
        assert len(fields["state_transitions"]) == 1


@pytest.mark.parametrize("named", [True, False], ids=["named", "nameless"])
def test_case_26_of_twin_sessions_in_one_clone_exactly_one_wins_and_its_token_works(repo: Repo, named: bool) -> None:  # noqa: FBT001 - a parameter of the test
    builder = repo.policy(writer_tokens="required").task("FEAT-1").task("FEAT-2").clone("builder")
    tokens = repo.root / "tokens"
    shared = {"CODIFICA_TOKEN_DIR": str(tokens)}
    envs = [shared | ({"CODIFICA_SESSION": f"s-{number}"} if named else {}) for number in range(4)]
    ends = together([calling(builder, "claim", "FEAT-1", env=env) for env in envs])
    assert sorted(done.code for done in ends) == [0, 4, 4, 4], "\n".join(done.said for done in ends)
    for done in ends:
        if done.code == 4:
            assert "lost FEAT-1: agent:builder (session s-" in done.text
            assert "free for you: FEAT-2 normal" in done.text
    kept = tokens / "shop" / "FEAT-1"
    assert kept.read_text().count("cgw1_") == 1, "only the winner's token is kept"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert builder.guard("note", "FEAT-1", "on it", env=shared).code == 0


def test_case_26_a_twin_that_comes_later_does_not_take_the_claim_for_its_own(repo: Repo) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    shared = {"CODIFICA_TOKEN_DIR": str(repo.root / "tokens")}
    first, second = shared | {"CODIFICA_SESSION": "s-1"}, shared | {"CODIFICA_SESSION": "s-2"}
    assert builder.guard("claim", "FEAT-1", env=first).code == 0
    assert builder.guard("claim", "FEAT-1", env=second).code == 4
    again = builder.guard("claim", "FEAT-1", env=first)
    assert (again.code, repo.tip()) == (0, builder.head("origin/main")), again.said
    assert "you hold it already, session s-1: go on" in again.text


def test_case_25_of_two_agents_who_claim_one_task_at_once_one_wins(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").task("FEAT-2", priority="high").clone("builder"), repo.clone("writer")
    ends = together([calling(clone, "claim", "FEAT-1", "--json") for clone in (builder, writer)])
    assert sorted(done.code for done in ends) == [0, 4], "\n".join(done.said for done in ends)
    winner = next(clone.principal for clone, done in zip((builder, writer), ends, strict=True) if done.code == 0)
    lost = next(done.json for done in ends if done.code == 4)
    assert lost["data"] == {
        "task": "FEAT-1",
        "owner": winner,
        "state": "in_progress",
        "free": ["FEAT-2"],
        "waiting": [],
    }
    assert lost["next"] == ["git codifica claim --next"]


def test_case_25_the_loser_is_told_who_has_it_and_what_is_free(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").task("FEAT-2", priority="high").clone("builder"), repo.clone("writer")
    assert writer.guard("claim", "FEAT-1", env={"CODIFICA_SESSION": "s-7"}).code == 0
    before = builder.git("for-each-ref", "refs/heads") + builder.git("status", "--porcelain")
    done = builder.guard("claim", "FEAT-1")
    assert done.code == 4
    first, free, step = done.text.split("\n")
    assert first.startswith("lost FEAT-1: agent:writer (session s-7) claimed it ")
    assert first.endswith(f"({repo.tip()[:7]}). Nothing of yours changed.")
    assert (free, step) == ("free for you: FEAT-2 high", "next: git codifica claim --next")
    assert builder.git("for-each-ref", "refs/heads") + builder.git("status", "--porcelain") == before


def test_case_25_a_loser_that_merges_its_own_claim_over_the_winners_is_refused(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").task("FEAT-2").clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim")
    assert builder.guard("claim", "FEAT-1").code == 0
    writer.pull("-X", "ours").push().refused("CD303", "agent:builder holds it since", "FEAT-2")


def test_case_40_a_claim_goes_through_while_main_moves_by_other_commits(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").clone("builder"), repo.clone("writer")
    writer.code("Other work", path="src/other.py")
    env = git_wrapper(
        repo.root / "bin",
        "before the first push",
        f"cd {writer.folder} && HOME={writer.home} git push origin HEAD:main",
    )
    done = builder.guard("claim", "FEAT-1", env=env)
    assert done.code == 0, done.said
    assert "(2nd try: main had moved, your task had not)" in done.text
    assert repo.on_server("rev-parse", "main^") == writer.head()


def test_case_40_with_next_the_second_try_takes_another_task_where_the_first_is_gone(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1", priority="high").task("FEAT-2").clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim")
    act = f"cd {writer.folder} && HOME={writer.home} git push origin HEAD:main"
    done = builder.guard("claim", "--next", env=git_wrapper(repo.root / "bin", "before the first push", act))
    assert done.code == 0, done.said
    assert done.text.startswith("claimed FEAT-2 ")
    assert "(2nd try: main had moved, FEAT-1 went to somebody else)" in done.text


def test_a_task_that_is_taken_while_its_claim_runs_is_lost(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim")
    act = f"cd {writer.folder} && HOME={writer.home} git push origin HEAD:main"
    done = builder.guard("claim", "FEAT-1", env=git_wrapper(repo.root / "bin", "before the first push", act))
    assert done.code == 4, done.said
    assert "lost FEAT-1: agent:writer (session s-2) claimed it" in done.text
    assert not (builder.folder / ".git/codifica-guard/tokens/FEAT-1").exists()


def test_case_40_a_dirty_feature_branch_is_untouched_by_a_claim(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.switch("topic").write("src/app.py", "half = 1\n").write("src/new.py", "x = 1\n")
    builder.git("add", "src/new.py")
    told = ("status", "--porcelain", "--branch")
    before = (builder.git(*told), builder.head(), builder.git("diff"), builder.git("diff", "--cached"))
    assert builder.guard("claim", "FEAT-1").code == 0
    assert (builder.git(*told), builder.head(), builder.git("diff"), builder.git("diff", "--cached")) == before


def test_a_push_whose_answer_is_lost_is_found_to_have_arrived(repo: Repo) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    done = builder.guard("claim", "FEAT-1", env=git_wrapper(repo.root / "bin", "after a push", "true"))
    assert done.code == 0, done.said
    assert f"main {repo.tip()[:7]}" in done.text
    assert builder.guard("note", "FEAT-1", "on it").code == 0


def test_a_push_that_never_arrives_claims_nothing_and_leaves_no_token(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    elsewhere = f"git --git-dir={repo.bare} update-ref refs/heads/main HEAD~1"
    tip = repo.tip()
    done = builder.guard("claim", "FEAT-1", env=git_wrapper(repo.root / "bin", "after a push", elsewhere))
    assert (done.code, repo.tip()) == (7, tip), done.said
    assert not (builder.folder / ".git/codifica-guard/tokens/FEAT-1").exists()


def test_next_waits_for_a_task_that_somebody_is_about_to_free(repo: Repo) -> None:
    repo.policy(self_approval="allow").task("FEAT-1").task("FEAT-2", depends_on=["FEAT-1"])
    builder, writer = repo.clone("builder"), repo.clone("writer")
    assert builder.guard("claim", "FEAT-1").code == 0
    waiting = writer.guard("claim", "--next", "--json", "-q")
    assert (waiting.code, waiting.json["data"]["waiting"]) == (5, ["FEAT-2"])

    def finish() -> Done:
        assert builder.guard("submit", "FEAT-1", "--summary", "It is there").code == 0
        return builder.guard("done", "FEAT-1")

    claimed, finished = together([calling(writer, "claim", "--next", "--wait", "2m"), finish])
    assert (claimed.code, finished.code) == (0, 0), claimed.said + finished.said
    assert claimed.text.startswith("claimed FEAT-2 ")


@pytest.mark.parametrize(
    "first",
    [
        {"state": "blocked"},
        {"state": "rejected"},
        {"without": ["acceptance"]},
        {"depends_on": ["FEAT-3"]},
        {"depends_on": ["NOPE-1"]},
        {"depends_on": ["FEAT-0"]},
    ],
    ids=["blocked", "rejected", "no criteria", "a circle", "no such task", "behind one that never comes"],
)
def test_waiting_ends_where_nothing_comes_any_more(repo: Repo, first: dict[str, Any]) -> None:
    repo.task("FEAT-0", "rejected").task("FEAT-1", **first).task("FEAT-2", depends_on=["FEAT-1"])
    repo.task("FEAT-3", depends_on=["FEAT-2"]).task("FEAT-4", depends_on=["FEAT-3"])
    done = repo.clone("writer").guard("claim", "--next", "--wait", "8h", "--json", "-q")
    assert (done.code, done.json["data"]["waiting"]) == (5, [])


def test_waiting_ends_when_its_time_is_up(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2", depends_on=["FEAT-1"])
    repo.task("FEAT-3", owner="agent:builder").task("FEAT-4", depends_on=["FEAT-2", "FEAT-3"])
    done = repo.clone("writer").guard("claim", "--next", "--wait", "2s", "--json")
    assert (done.code, done.json["data"]["waiting"]) == (5, ["FEAT-2", "FEAT-4"])
    assert "FEAT-2, FEAT-4 will be, once what they need is done" in done.said
