"""What `status`, `ready`, `show` and `log` say of a real repository, to a human, to an agent, and to nobody it knows."""

import os
import re
import subprocess
import time
from collections.abc import Mapping
from typing import Any, Final

import pytest

from tests.building import Clone, NewRepo, Repo, at, board, tasks
from tests.building.machine import Done
from tests.building.times import seconds

pytestmark = pytest.mark.guard

NOBODY: Final = {"GIT_CONFIG_GLOBAL": "/dev/null"}
"""An environment in which Git names no key."""

ALIKE: Final = (
    (r"\b\d+ (s|min|h|d)( ago)?\b", "AGE"),
    (r"\bnow\b", "AGE"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "TIME"),
    (r"\b[0-9a-f]{40}\b|\b[0-9a-f]{64}\b", "OID"),
    (r"\b[0-9a-f]{7}\b", "COMMIT"),
    (r"session s-[0-9a-f]+", "session SESSION"),
)


def alike(done: Done) -> str:
    """The text for people without what differs from run to run: ages, times, commits, and how wide columns are."""
    text = done.text
    for pattern, word in ALIKE:
        text = re.sub(pattern, word, text)
    return "\n".join(re.sub(r"  +", "  ", line) for line in text.splitlines())


def told(clone: Clone, *words: str, code: int = 0, env: Mapping[str, str] | None = None) -> str:
    """What a command says that ends as it has to."""
    done = clone.guard(*words, env=env)
    assert done.code == code, done.said
    return done.said


def data(clone: Clone, *words: str, code: int = 0, env: Mapping[str, str] | None = None) -> Any:
    """The data of a command under `--json`."""
    done = clone.guard(*words, "--json", "-q", env=env)
    assert done.code == code, done.said
    return done.json["data"]


def ask(kind: str, why: str, by: str, when: float = -5) -> tasks.Fields:
    """A note that asks a human."""
    return tasks.note(by, why, summary=f"request: {kind}: {why}", when=at(when))


# -- ready


def shop(repo: Repo) -> Repo:
    """A board with a task for every reason why it is not for agent:builder."""
    return (
        repo.rules(max_concurrent_tasks_per_agent=1, custom_types=["spike"])
        .task("FEAT-107", title="Mail templates")
        .task("FEAT-104", priority="high", owner="agent:builder", title="Password reset")
        .task("FEAT-102", priority="critical", title="Implement login flow", depends_on=["FEAT-101"])
        .task("FEAT-101", "done")
        .task("FEAT-103", depends_on=["FEAT-102", "FEAT-0"])
        .task("FEAT-105", owner="agent:writer")
        .task("FEAT-108", type="review")
        .task("FEAT-109", acceptance=[])
        .task("FEAT-110", depends_on=["FEAT-111"])
        .task("FEAT-111", depends_on=["FEAT-110"])
        .task("FEAT-112", type="spike", acceptance=[" "])
    )


def test_ready_tells_an_agent_what_is_free_and_why_all_else_is_not(repo: Repo) -> None:
    builder = shop(repo).clone("builder")
    done = builder.guard("ready")
    assert done.code == 0
    assert alike(done) == (
        "agent:builder, 0 of 1 tasks held  main COMMIT, fetched AGE\n"
        "FEAT-102  critical  build  Implement login flow\n"
        "FEAT-104  high  build  Password reset  assigned to you\n"
        "FEAT-107  normal  build  Mail templates\n"
        "not for you AGE (7): FEAT-103 needs FEAT-102, FEAT-0 (not there); FEAT-105 owner agent:writer;\n"
        "  FEAT-108 review: humans only; FEAT-109 no acceptance criteria;\n"
        "  FEAT-110 cycle FEAT-110 -> FEAT-111 -> FEAT-110; FEAT-111 cycle FEAT-111 -> FEAT-110 -> FEAT-111;\n"
        "  FEAT-112 no acceptance criteria"
    )
    answer = builder.guard("ready", "--json", "-q").json
    assert answer["next"] == ["git codifica claim --next"]
    assert answer["as_of"]["commit"] == repo.tip()
    assert abs(time.time() - _seconds(answer["as_of"]["fetched"])) < 60
    found = answer["data"]
    assert [task["task"] for task in found["free"]] == ["FEAT-102", "FEAT-104", "FEAT-107"]
    assert [task["assigned"] for task in found["free"]] == [False, True, False]
    assert (found["actor"], found["limit"], found["held"], found["left"]) == ("agent:builder", 1, [], 10)
    assert {row["task"]: row["why"] for row in found["not_now"]}["FEAT-105"] == "owner agent:writer"


def _seconds(text: str) -> float:
    from datetime import datetime  # noqa: PLC0415

    return datetime.fromisoformat(text).timestamp()


def test_ready_looks_at_the_remote_first_unless_told_not_to(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    repo.clone("alice").add("FEAT-2").commit("FEAT-2: new").push().accepted()
    assert [task["task"] for task in data(builder, "ready", "--no-fetch")["free"]] == ["FEAT-1"]
    assert [task["task"] for task in data(builder, "ready")["free"]] == ["FEAT-1", "FEAT-2"]


def test_what_is_held_comes_first_and_at_the_limit_it_is_handed_in_first(repo: Repo) -> None:
    builder = repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1", title="A").task("FEAT-2").clone("builder")
    builder.guard("claim", "FEAT-1", env={"CODIFICA_SESSION": "s-41"})
    done = builder.guard("ready")
    assert alike(done) == (
        "agent:builder, 1 of 1 tasks held  main COMMIT, fetched AGE\n"
        "FEAT-1  in progress AGE  build  A  token here\n"
        "you hold 1 of 1: hand in FEAT-1 before you claim another\n"
        "FEAT-2  normal  build  Task FEAT-2"
    )
    answer = builder.guard("ready", "--json", "-q").json
    assert answer["next"] == [
        'git codifica submit FEAT-1 --summary "one line" --artifact path:type',
        'git codifica note FEAT-1 "text"',
    ]
    assert answer["data"]["held"][0]["session"] == "s-41"
    assert answer["data"]["held"][0]["token"] is True


def test_at_the_limit_with_an_open_request_there_is_nothing_to_hand_in(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-2")
    asking = ask("block", "needs the SMTP password", "agent:builder")
    builder = repo.task("FEAT-1", "in_progress", execution_notes=[asking]).clone("builder")
    assert "you hold 1 of 1: nothing more before a human answers" in told(builder, "ready")
    answer = builder.guard("ready", "--json", "-q").json
    assert (answer["data"]["held"][0]["asks"], answer["next"]) == (True, ["git codifica status"])


def test_a_session_without_the_token_is_told_how_to_resume_and_from_when_on(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.guard("claim", "FEAT-1", env={"CODIFICA_SESSION": "s-41"})
    twin = repo.clone("builder", "twin")
    said = told(twin, "ready")
    assert "no token here" in said
    assert 'session s-41 holds it: git codifica resume FEAT-1 -m "why"   (possible from 2' in said
    held = data(twin, "ready")["held"][0]
    assert held["token"] is False
    assert _seconds(held["resume_from"]) > time.time() + 3000
    assert twin.guard("ready", "--json", "-q").json["next"] == ["git codifica status"]


def test_a_silent_claim_may_be_resumed_at_once(repo: Repo) -> None:
    twin = repo.task("FEAT-1", "in_progress", writer="token").clone("builder")
    assert 'session s-1 holds it: git codifica resume FEAT-1 -m "why"\n' in told(twin, "ready")
    assert twin.guard("ready", "--json", "-q").json["next"] == ['git codifica resume FEAT-1 -m "why"']


def test_where_the_policy_allows_no_resume_a_human_reclaims(repo: Repo) -> None:
    twin = repo.policy(resume_after_minutes=None).task("FEAT-1", "in_progress", writer="token").clone("builder")
    assert 'a human: git codifica reclaim FEAT-1 -m "why"' in told(twin, "ready")


@pytest.mark.parametrize(
    ("required", "words"), [("required", "its claim has no writer key: git codifica resume FEAT-1"), ("optional", "")]
)
def test_a_claim_without_a_writer_key_is_resumed_only_where_the_policy_wants_one(
    repo: Repo, required: str, words: str
) -> None:
    builder = repo.policy(writer_tokens=required).task("FEAT-1", "in_progress").clone("builder")
    said = told(builder, "ready")
    assert words in said
    assert ("no token here" in said) is (required == "required")
    assert "token here" not in said.replace("no token here", "")


def test_a_returned_task_comes_with_the_reason(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested", title="Reset").clone("builder")
    told(repo.clone("alice"), "return", "FEAT-1", "-m", "link also works\nafter the change")
    done = builder.guard("ready")
    assert alike(done).splitlines()[1:] == [
        "FEAT-1  normal  build  Reset  returned by human:alice AGE",
        '  "link also works after the change"',
    ]
    back = data(builder, "ready")["free"][0]["returned"]
    assert (back["how"], back["by"]) == ("returned", "human:alice")
    assert 'returned AGE  by human:alice  "link' in alike(builder.guard("status"))


def test_nothing_free_now_is_told_apart_from_a_finished_board(repo: Repo, new_repo: NewRepo) -> None:
    builder = repo.task("FEAT-1", "in_progress", "agent:writer").task("FEAT-2", depends_on=["FEAT-1"]).clone("builder")
    assert "nothing is free for you now; 2 tasks are not finished" in told(builder, "ready", code=5)
    answer = builder.guard("ready", "--json", "-q").json
    assert (answer["exit"], answer["data"]["left"], answer["next"]) == (5, 2, ["git codifica status"])
    other = new_repo(name="two.git").task("FEAT-1", "done").task("FEAT-2", "rejected").clone("builder")
    assert "every task is done or rejected: nothing is left to do" in told(other, "ready", code=5)
    answer = other.guard("ready", "--json", "-q").json
    assert (answer["exit"], answer["data"]["left"], answer["next"]) == (5, 0, [])
    assert "every task is done or rejected" in told(other, "status")


def test_what_of_an_agents_waits_for_a_human_is_told(repo: Repo) -> None:
    builder = (
        repo.task("FEAT-1", "to_be_tested")
        .task("FEAT-2", "in_progress", execution_notes=[ask("block", "needs the SMTP password", "agent:builder")])
        .task("FEAT-3", "blocked")
        .clone("builder")
    )
    assert "waits for a human: FEAT-1 handed in AGE; FEAT-2 asks block AGE; FEAT-3 blocked AGE" in alike(
        builder.guard("ready")
    )
    kinds = [(wait["task"], wait["kind"], wait["asks"]) for wait in data(builder, "ready")["waiting"]]
    assert kinds == [("FEAT-1", "handed in", None), ("FEAT-2", "asks", "block"), ("FEAT-3", "blocked", None)]


def test_a_human_has_no_limit_and_may_take_reviews(repo: Repo) -> None:
    alice = (
        repo.rules(max_concurrent_tasks_per_agent=1)
        .task("FEAT-1", type="review")
        .task("FEAT-2", "in_progress", "human:alice")
        .task("FEAT-3", owner="human")
        .clone("alice")
    )
    said = told(alice, "ready")
    assert said.startswith("human:alice, 1 task held ")
    assert "token" not in said
    assert re.search(r"FEAT-1 +normal +review", said)
    assert "for any human" in said


def test_more_than_a_screenful_is_counted_and_json_has_it_all(repo: Repo) -> None:
    for number in range(1, 31):
        repo.task(f"FEAT-{number}").task(f"BUG-{number}", owner="agent:writer")
    builder = repo.clone("builder")
    said = told(builder, "ready")
    assert "and 10 more are free: --json" in said
    assert "not for you now (30): BUG-1 owner" in said
    assert "and 10 more, all of them: --json" in said.replace("\n  ", " ")
    assert len(data(builder, "ready")["free"]) == len(data(builder, "ready")["not_now"]) == 30


def test_a_remote_that_is_not_reached_is_exit_7_and_without_fetching_all_is_well(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    repo.bare.rename(repo.bare.with_name("gone.git"))
    done = builder.guard("ready", "--json", "-q")
    assert (done.code, done.json["data"]) == (7, None)
    assert told(builder, "status", "--fetch", code=7)
    assert "FEAT-1" in told(builder, "ready", "--no-fetch")
    assert "FEAT-1" in told(builder, "status")


def test_without_a_remote_the_clones_own_branch_is_read(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("remote", "remove", "origin")
    assert re.search(r"main [0-9a-f]{7}, no remote", told(alice, "ready"))
    answer = alice.guard("status", "--json", "-q").json
    assert answer["as_of"] == {"commit": alice.head("main"), "fetched": None}
    assert "FEAT-1" in told(alice, "show", "FEAT-1", "--fetch")


# -- who reads


def test_whoever_has_no_key_here_sees_what_anybody_sees(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2", owner="agent:builder").task("FEAT-3", "to_be_tested")
    alice = repo.clone("alice")
    stranger = repo.clone("stranger")
    for clone, env in ((alice, NOBODY), (stranger, {})):
        said = told(clone, "ready", env=env)
        assert said.startswith("nobody known ")
        assert "no key of yours is listed here: shown as for anybody" in said
        found = data(clone, "ready", env=env)
        assert found["actor"] is None
        assert [task["task"] for task in found["free"]] == ["FEAT-1"]
        assert "waiting for a human\n  FEAT-3" in told(clone, "status", env=env)
        assert "git codifica approve" not in told(clone, "show", "FEAT-3", env=env)


def test_as_names_the_reader_without_any_key(repo: Repo) -> None:
    alice = repo.task("FEAT-1", owner="agent:builder").clone("alice")
    for name in ("builder", "agent:builder"):
        assert data(alice, "ready", "--as", name, env=NOBODY)["actor"] == "agent:builder"
    assert data(alice, "ready", "--as", "human:eve", code=5)["actor"] == "human:eve"
    assert "say human:eve or agent:eve" in told(alice, "ready", "--as", "eve", code=2)
    assert "is no principal" in told(alice, "status", "--as", "server:x", code=2)


def test_a_name_that_is_a_humans_and_an_agents_has_to_be_whole(repo: Repo) -> None:
    alice = repo.signer("agent:alice", "robot").task("FEAT-1").clone("alice")
    assert "alice may be two, or nobody, here" in told(alice, "show", "FEAT-1", "--as", "alice", code=2)


def test_a_key_of_several_principals_asks_which(repo: Repo) -> None:
    alice = repo.signer("human:carol", "alice").task("FEAT-1").clone("alice")
    said = told(alice, "ready")
    assert "the key is listed for human:alice, human:carol: say which" in said
    assert data(alice, "ready", "--as", "carol")["actor"] == "human:carol"
    alice.git("config", "codifica.actor", "human:carol")
    assert data(alice, "ready")["actor"] == "human:carol"


def test_a_key_with_a_passphrase_says_who_reads_and_asks_for_nothing(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    locked = repo.root / "locked"
    locked.write_bytes(repo.keys.private("alice").read_bytes())
    locked.chmod(0o600)
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret", "-f", locked], check=True, capture_output=True)
    for named in (str(locked), repo.keys.line("alice"), f"key::{repo.keys.line('alice')}", locked.read_text()):
        assert data(alice, "ready", env={"CODIFICA_SIGNING_KEY": named})["actor"] == "human:alice"


@pytest.mark.parametrize(("text", "words"), [(None, "cannot be read"), ("no key\n", "shown as for anybody")])
def test_a_key_that_is_none_is_told(repo: Repo, text: str | None, words: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    place = repo.root / "odd"
    if text is not None:
        place.write_text(text)
    assert words in told(alice, "ready", env={"CODIFICA_SIGNING_KEY": str(place)})
    assert data(alice, "ready", env={"CODIFICA_SIGNING_KEY": str(place)})["actor"] is None


def test_a_token_that_others_can_read_is_told_and_counts_as_none(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.guard("claim", "FEAT-1")
    for file in (builder.folder / ".git" / "codifica-guard" / "tokens").iterdir():
        file.chmod(0o644)
    said = told(builder, "ready")
    assert "chmod 600" in said
    assert "no token here" in said


# -- status


def test_status_tells_a_human_what_waits_most_urgent_first(repo: Repo) -> None:
    long_ago = tasks.entry("todo", "in_progress", "agent:writer", when=at(-31 * 60 - 5))
    alice = (
        repo.task("FEAT-104", "to_be_tested", title="Password reset")
        .task(
            "FEAT-107",
            "in_progress",
            "agent:writer",
            execution_notes=[ask("block", "needs the SMTP password", "agent:writer")],
        )
        .task("FEAT-98", "in_progress", "agent:writer", title="Cart totals", state_transitions=[long_ago])
        .task("FEAT-96", "blocked", "agent:writer")
        .task("FEAT-95", owner="human:alice", title="Mine")
        .task("FEAT-94", owner="human")
        .task("FEAT-103", priority="high")
        .task("FEAT-109", acceptance=[])
        .task("FEAT-110", depends_on=["FEAT-103"])
        .task("FEAT-111", owner="agent:writer")
        .task("FEAT-90", "done")
        .task("FEAT-89", "done", completed_at=at(-8 * 24 * 60))
        .clone("alice")
    )
    done = alice.guard("status")
    assert done.code == 0
    assert alike(done) == (
        "shop  main COMMIT, fetched AGE  you: human:alice, maintainer\n"
        "\n"
        "waiting for you\n"
        '  FEAT-107  asks: block  agent:writer  "needs the SMTP password"\n'
        "  FEAT-104  handed in AGE  agent:builder  Password reset\n"
        "  FEAT-98  silent AGE (limit 24)  agent:writer  Cart totals\n"
        '  FEAT-96  blocked AGE  by human:alice  "Waits for the supplier"\n'
        "  FEAT-95  assigned to you  human:alice  Mine\n"
        "  FEAT-94  for any human  human  Task FEAT-94\n"
        "\n"
        "in progress  FEAT-107 agent:writer AGE; FEAT-98 agent:writer AGE\n"
        "ready  FEAT-103 high; FEAT-95 normal; FEAT-94 normal (human);\n"
        "  FEAT-109 normal (no acceptance criteria: cannot start); FEAT-111 normal (agent:writer)\n"
        "done, AGE  1 task  git codifica log --since 7d"
    )
    answer = alice.guard("status", "--json", "-q").json
    assert answer["next"] == ["git codifica show FEAT-107"]
    found = answer["data"]
    assert (found["maintainer"], found["done"], found["left"]) == (True, ["FEAT-90"], 10)
    assert [wait["kind"] for wait in found["waiting"]] == [
        "asks", "handed in", "silent", "blocked", "assigned", "assigned",
    ]  # fmt: skip
    assert found["waiting"][0]["text"] == "needs the SMTP password"
    assert [task["startable"] for task in found["ready"]] == [True, True, True, False, True]
    stale = alice.guard("status", "--stale")
    assert alike(stale).splitlines()[1:] == ["FEAT-98  silent AGE (limit 24)  agent:writer  Cart totals"]
    assert [wait["task"] for wait in data(alice, "status", "--stale")["waiting"]] == ["FEAT-98"]


def test_status_tells_an_agent_of_its_own(repo: Repo) -> None:
    lost = [
        tasks.entry("todo", "in_progress", "agent:builder", when=at(-90)),
        tasks.entry("in_progress", "todo", "human:alice", when=at(-60), reason="The agent is gone"),
    ]
    builder = (
        repo.task("FEAT-1", state_transitions=lost)
        .task("FEAT-2", "in_progress", title="Held")
        .task("FEAT-3", "to_be_tested")
        .task("FEAT-4", "to_be_tested", "agent:writer")
        .clone("builder")
    )
    assert alike(builder.guard("status")) == (
        "shop  main COMMIT, fetched AGE  you: agent:builder\n"
        "\n"
        "waiting for you\n"
        "  FEAT-2  you hold it AGE  agent:builder  Held\n"
        '  FEAT-1  lost AGE  by human:alice  "The agent is gone"\n'
        "\n"
        "waits for a human: FEAT-3 handed in AGE\n"
        "in progress  FEAT-2 agent:builder AGE\n"
        "ready  FEAT-1 normal"
    )
    found = data(builder, "status")
    assert [wait["kind"] for wait in found["waiting"]] == ["held", "lost"]
    assert [wait["task"] for wait in found["with_human"]] == ["FEAT-3"]


def test_status_does_not_fetch_unless_asked_and_tells_the_age(repo: Repo) -> None:
    bob = repo.task("FEAT-1").clone("bob")
    repo.clone("alice").add("FEAT-2").commit("FEAT-2: new").push().accepted()
    old = time.time() - 7300
    for path in (bob.folder / ".git").rglob("*"):
        if path.name in {"HEAD", "FETCH_HEAD", "fetched", "packed-refs"}:
            os.utime(path, (old, old))
    assert "fetched 2 h ago" in told(bob, "status")
    assert "FEAT-2" not in told(bob, "status")
    said = told(bob, "status", "--fetch")
    assert "fetched now" in said
    assert "FEAT-2" in said


@pytest.mark.parametrize("typed", [(), ("--stale",)])
@pytest.mark.parametrize(
    ("minutes", "age"), [(0, None), (4, None), (6, "since 6 min"), (180, "since 3 h"), (None, "yet")]
)
def test_status_says_when_the_remote_was_not_looked_at_for_a_while(
    repo: Repo, typed: tuple[str, ...], minutes: int | None, age: str | None
) -> None:
    bob = repo.task("FEAT-1", "done").clone("bob")
    old = time.time() - 60 * (minutes or 0) - 5
    for path in list((bob.folder / ".git").rglob("*")):
        if path.name in {"HEAD", "FETCH_HEAD", "fetched"}:
            os.utime(path, (old, old))
    if minutes is None:
        bob.git("update-ref", "--no-deref", "-d", "refs/remotes/origin/HEAD")
        (bob.folder / ".git" / "FETCH_HEAD").unlink(missing_ok=True)
    last = told(bob, "status", *typed).splitlines()[-1]
    assert (last == f"not looked at origin {age}: git codifica status --fetch") is (age is not None), last
    assert "not looked at" not in told(bob, "status", "--fetch", *typed)
    bob.git("remote", "remove", "origin")
    assert "not looked at" not in told(bob, "status", *typed)


def test_nothing_silent_is_told(repo: Repo) -> None:
    assert "no running task is silent for longer than 24 h" in told(
        repo.task("FEAT-1").clone("alice"), "status", "--stale"
    )


def test_an_empty_board_says_how_a_task_is_made(repo: Repo) -> None:
    repo.document("work.md", board.document(board.fence()))
    assert "no tasks yet: git codifica new" in told(repo.clone("alice"), "status")
    assert told(repo.clone("builder"), "status").rstrip().endswith("no tasks yet")
    assert "there are no tasks yet" in told(repo.clone("builder"), "ready", code=5)
    assert "no task was moved in that time" in told(repo.clone("alice"), "log", "--since", "1d")


def test_tasks_of_all_documents_are_shown(repo: Repo) -> None:
    repo.settings(state=["work.md", "teams/*.md"]).task("FEAT-1").task("WEB-1", document="teams/web.md")
    assert "WEB-1 normal; FEAT-1 normal" in told(repo.clone("alice"), "status")
    assert {task["task"] for task in data(repo.clone("alice"), "status")["ready"]} == {"FEAT-1", "WEB-1"}
    assert "before the guard" in told(repo.clone("alice"), "log", "WEB-1")


BROKEN: Final = "- id: FEAT-2\n  type: build\n  state: todo\n  owner: unassigned\n  title: `code`\n"


def test_case_17_what_cannot_be_read_is_named_and_all_other_tasks_are_there(repo: Repo) -> None:
    odd = tasks.block(tasks.task("FEAT-4", state="someday"))
    plain = [tasks.block(tasks.task(name)) for name in ("FEAT-1", "FEAT-3")]
    repo.settings(state=["work.md", "more.md"])
    repo.document("work.md", board.document(board.fence(plain[0], BROKEN, odd, plain[1], plain[1])))
    repo.document("more.md", "```yaml\n" + tasks.block(tasks.task("FEAT-5")))
    builder = repo.clone("builder")
    for verb in ("ready", "status"):
        said = told(builder, verb)
        assert "FEAT-1" in said
        assert re.search(r"ST101 work\.md:\d+ FEAT-2 ", said)
        assert re.search(r"CD102 work\.md:\d+ FEAT-4 there is no state someday", said)
        assert re.search(r"CD104 work\.md:\d+ FEAT-3 this id stands there before", said)
        assert re.search(r"ST104 more\.md:\d+ ", said)
    found = data(builder, "ready")
    assert [task["task"] for task in found["free"]] == ["FEAT-1"]
    assert [row["task"] for row in found["not_now"]] == ["FEAT-3"]
    assert found["left"] == 6
    broken = next(row for row in found["unreadable"] if row["code"] == "ST101")
    line = builder.read().splitlines().index("  title: `code`") + 1
    assert (broken["path"], broken["line"], broken["task"]) == ("work.md", line, "FEAT-2")
    assert f"FEAT-2 cannot be read: ST101 work.md:{line}" in told(builder, "show", "FEAT-2", code=1)


def test_documents_of_version_0_1_are_read(repo: Repo) -> None:
    repo.settings(version="0.1").task("FEAT-1").task("FEAT-2", "to_be_tested")
    alice = repo.clone("alice")
    assert "FEAT-2  handed in" in told(alice, "status")
    assert "FEAT-1" in told(alice, "ready")
    assert "acceptance" in told(alice, "show", "FEAT-1")
    assert "new -> to_be_tested" in told(alice, "log", "FEAT-2")


def test_hostile_text_is_escaped_wherever_it_stands(repo: Repo) -> None:
    evil = "a\x1b[31mred\u202egnp.exe \u2067\U000e0041"
    note = tasks.note("agent:builder", f"note {evil}", summary=f"request: {evil}: {evil}", when=at(-5))
    alice = (
        repo.without_fsck()
        .task("FEAT-1", title=evil.replace("\x1b", ""), description=evil.replace("\x1b", ""), priority="normal")
        .task(
            "FEAT-2",
            "in_progress",
            title="plain",
            execution_notes=[{k: v.replace("\x1b", "") for k, v in note.items()}],
        )
        .clone("alice")
    )
    for words in (["status"], ["ready"], ["show", "FEAT-1", "FEAT-2"], ["log", "FEAT-1"], ["log"]):
        done = alice.guard(*words)
        assert done.code == 0, done.said
        assert done.out.isascii()
        assert b"\x1b" not in done.out
    assert "\\u202egnp.exe" in told(alice, "ready")
    assert data(alice, "ready")["free"][0]["title"].startswith("a[31mred\u202e")


def test_long_titles_are_cut_in_tables_and_whole_in_show(repo: Repo) -> None:
    title = "word " * 50
    alice = repo.task("FEAT-1", title=title.strip()).task("FEAT-2", "to_be_tested", title=title.strip()).clone("alice")
    for verb in ("ready", "status"):
        assert all(len(line) <= 110 for line in told(alice, verb).splitlines())
    assert title.strip() in told(alice, "show", "FEAT-1")


# -- show


def test_show_tells_all_of_a_task_that_was_handed_in(repo: Repo) -> None:
    builder = (
        repo.task("FEAT-101", "done", artifacts=[{"path": "src/auth/login.py", "type": "code"}])
        .task(
            "FEAT-104",
            title="Password reset",
            priority="high",
            description="Mail a link.\nIt expires.",
            acceptance=["A reset link is mailed", "The old password stops working"],
            depends_on=["FEAT-101", "FEAT-7"],
            context={"constraints": ["must not change the users table"], "files": ["src/auth/login.py"]},
        )
        .clone("builder")
    )
    env = {"CODIFICA_SESSION": "s-71"}
    told(builder, "claim", "FEAT-104", code=1)
    repo.clone("alice").fresh().edit("FEAT-104", depends_on=["FEAT-101"]).commit(
        "FEAT-104: no FEAT-7"
    ).push().accepted()
    told(builder, "claim", "FEAT-104", env=env)
    builder.switch("build/FEAT-104-password-reset", "origin/main").code("FEAT-104: link").git(
        "push", "-q", "origin", "HEAD"
    )
    alice = repo.clone("alice").fetch()
    assert "work        build/FEAT-104-password-reset @ " in told(alice, "show", "FEAT-104")
    assert "1 commit, +1 -0, not merged, not handed in" in told(alice, "show", "FEAT-104")
    told(builder, "submit", "FEAT-104", "--summary", "Reset link, 1 h expiry", "--artifact", "src/new.py:code", env=env)
    alice.fetch()
    assert alike(alice.guard("show", "FEAT-104")) == (
        "FEAT-104  build  to_be_tested  high  agent:builder  Password reset\n"
        "  description Mail a link.\n"
        "  It expires.\n"
        "  acceptance  1 A reset link is mailed\n"
        "  2 The old password stops working\n"
        "  constraints must not change the users table\n"
        "  read  src/auth/login.py\n"
        '  depends on  FEAT-101 done: "Code and tests are written" (src/auth/login.py)\n'
        "  notes  agent:builder AGE\n"
        "  Reset link, AGE expiry\n"
        "  summary  Reset link, AGE expiry\n"
        "  artifacts  src/new.py\n"
        "  work  build/FEAT-104-password-reset @ COMMIT, 1 commit, +1 -0, not merged, unmoved since hand-in\n"
        "  git diff OID...OID\n"
        "  signed  claim agent:builder (COMMIT), hand-in agent:builder (COMMIT), same session\n"
        '  do  git codifica approve FEAT-104 | return FEAT-104 -m "why" | block FEAT-104 -m "why"'
    )
    answer = alice.guard("show", "FEAT-104", "--json", "-q").json
    shown = answer["data"]["tasks"][0]
    assert answer["next"][0] == "git codifica approve FEAT-104"
    assert (shown["work"]["standing"], shown["work"]["commits"], shown["work"]["added"]) == ("unmoved", 1, 1)
    assert shown["work"]["commit"] == builder.head()
    assert (shown["claim"]["actor"], shown["claim"]["token"], shown["hand_in"]["session"]) == (
        "agent:builder",
        True,
        "s-71",
    )
    builder.code("FEAT-104: more", text="y = 2\n").git("push", "-q", "origin", "HEAD")
    alice.fetch()
    assert "moved since hand-in: 1 commit more" in told(alice, "show", "FEAT-104")
    builder.git("push", "-q", "-f", "origin", "origin/main:build/FEAT-104-password-reset")
    alice.fetch()
    assert "the branch was rewritten since hand-in" in told(alice, "show", "FEAT-104")
    builder.git("push", "-q", "origin", "HEAD~1:refs/heads/other")
    alice.fetch()
    assert "other @ " in told(alice, "show", "FEAT-104")
    assert "unmoved since hand-in" in told(alice, "show", "FEAT-104")
    builder.git("push", "-q", "origin", ":other", ":build/FEAT-104-password-reset")
    alice.git("fetch", "-q", "--prune", "origin")
    assert "not merged, its branch is gone" in told(alice, "show", "FEAT-104")
    alice.fresh().merge(shown["work"]["commit"]).push().accepted()
    assert re.search(r"work +[0-9a-f]{7}, merged\n", told(alice, "show", "FEAT-104"))
    assert data(repo.clone("bob"), "show", "FEAT-104")["tasks"][0]["work"]["merged"] is True


def test_work_that_this_clone_does_not_have_is_told_with_the_command(repo: Repo) -> None:
    gone = tasks.entry("in_progress", "to_be_tested", "agent:builder", when=at(-9))
    entries = [
        tasks.entry("todo", "in_progress", "agent:builder", when=at(-90)),
        {**gone, "provenance": {"commit_sha": "12345678" * 5}},
    ]
    alice = repo.task("FEAT-1", "to_be_tested", state_transitions=entries).clone("alice")
    assert "work        123456781..., not in this clone: git codifica show FEAT-1 --fetch" in told(
        alice, "show", "FEAT-1"
    )
    assert "work        123456781..., in no branch of origin\n" in told(alice, "show", "FEAT-1", "--fetch")
    alice.git("remote", "remove", "origin")
    assert "work        123456781..., not in this clone\n" in told(alice, "show", "FEAT-1", "--fetch")
    assert data(alice, "show", "FEAT-1")["tasks"][0]["work"]["standing"] == "not here"


@pytest.mark.parametrize("branch", ["build/FEAT-1-task-feat-1", "topic"])
@pytest.mark.parametrize("state", ["in_progress", "to_be_tested"])
def test_show_with_fetch_fetches_the_work_too(repo: Repo, branch: str, state: str) -> None:
    repo.rules(branch_pattern="{type}/{id}-{slug}").task("FEAT-1", "in_progress").task("FEAT-2")
    alice, builder = repo.clone("alice"), repo.clone("builder")
    builder.switch(branch, "origin/main").code().git("push", "-q", "origin", "HEAD")
    if state == "to_be_tested":
        told(builder, "submit", "FEAT-1", "--summary", "Done", "--work", "HEAD")
        alice.git("fetch", "-q", "origin", "main")
        alice.git("prune", "--expire=now")
    known = "work " in told(alice, "show", "FEAT-1", "FEAT-2")
    assert known is (state == "to_be_tested")
    seen = data(alice, "show", "FEAT-1", "FEAT-2", "--fetch")["tasks"][0]["work"]
    if state == "in_progress" and branch == "topic":
        assert seen is None
        return
    assert (seen["commit"], seen["branch"]) == (builder.head(), branch)
    builder.git("push", "-q", "origin", f":{branch}")
    gone = data(alice, "show", "FEAT-1", "--fetch")["tasks"][0]["work"]
    assert (gone and gone["standing"]) == ("branch gone" if state == "to_be_tested" else None)


@pytest.mark.parametrize(
    ("state", "who", "words"),
    [
        ("todo", "alice", ["claim", "block", "reject"]),
        ("todo", "builder", ["claim"]),
        ("in_progress", "builder", ["submit", "note", "note"]),
        ("in_progress", "writer", []),
        ("to_be_tested", "bob", ["approve", "return"]),
        ("to_be_tested", "builder", ["done"]),
        ("to_be_tested", "writer", []),
        ("blocked", "alice", ["unblock", "reject"]),
        ("done", "alice", ["reopen"]),
        ("rejected", "alice", ["reopen"]),
        ("done", "builder", []),
    ],
)
def test_show_offers_just_what_the_reader_may_do(repo: Repo, state: str, who: str, words: list[str]) -> None:
    clone = repo.task("FEAT-1", state).clone(who)
    steps = [step.split(" ")[2] for step in data(clone, "show", "FEAT-1")["tasks"][0]["do"]]
    assert [step for step in steps if step in words] == words
    assert bool(steps) is bool(words)


def test_show_takes_several_ids_and_names_the_nearest_of_one_that_is_not_there(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").task("BUG-1").clone("alice")
    assert [task["task"] for task in data(alice, "show", "FEAT-2", " FEAT-1 ", "FEAT-2")["tasks"]] == [
        "FEAT-2",
        "FEAT-1",
    ]
    said = told(alice, "show", "FEAT-1", "FEAT-9", code=2)
    assert re.search(r"the nearest: FEAT-\d, FEAT-\d, FEAT-\d\n", said)


def test_show_tells_only_the_newest_notes_and_json_has_all(repo: Repo) -> None:
    notes = [tasks.note("agent:builder", f"step {number}", when=at(-60 + number)) for number in range(8)]
    alice = repo.task("FEAT-1", "in_progress", execution_notes=notes).clone("alice")
    said = told(alice, "show", "FEAT-1")
    assert "notes       3 older: --json" in said
    assert "step 2" not in said
    assert "step 7" in said
    assert len(data(alice, "show", "FEAT-1")["tasks"][0]["notes"]) == 8


def test_show_tells_requests_reviews_and_returns(repo: Repo) -> None:
    asking = ask("change", "criterion 2 cannot be tested", "agent:builder")
    repo.task("FEAT-1", "in_progress", execution_notes=[asking]).task("FEAT-2", "to_be_tested").task(
        "FEAT-3", "blocked"
    ).task("FEAT-4", depends_on=["FEAT-1"], checklist=["look twice"])
    alice = repo.clone("alice")
    told(alice, "return", "FEAT-2", "-m", "does not hold")
    said = told(alice, "show", "FEAT-1", "FEAT-2", "FEAT-3", "FEAT-4")
    assert re.search(r'asks        change, agent:builder \d+ min ago: "criterion 2 cannot be tested"', said)
    assert "review      needs_work by human:alice" in said
    assert re.search(r'returned +by human:alice \S+( s ago)?\n +"does not hold"', said)
    assert "blocked     Waits for the supplier" in said
    assert "depends on  FEAT-1 in_progress" in said
    assert "checklist   look twice" in said
    assert "not now     needs FEAT-1" in said
    found = {task["task"]: task for task in data(alice, "show", "FEAT-1", "FEAT-2", "FEAT-3")["tasks"]}
    assert found["FEAT-1"]["asks"]["ask"] == "change"
    assert found["FEAT-2"]["came_back"]["reason"] == "does not hold"
    assert found["FEAT-3"]["blocked_reason"] == "Waits for the supplier"


@pytest.mark.parametrize(
    ("recorded", "entries", "told_of_it"),
    [
        (-5, ["handed in"], "pass by human:bob"),
        (-30, ["handed in"], "pass by human:bob, before the last hand-in"),
        (-5, ["handed in", "done"], "pass by human:bob"),
        (-5, ["handed in", "done", "reopened"], "pass by human:bob, before it was reopened"),
        (None, ["handed in", "done", "reopened"], "pass by human:bob"),
    ],
)
def test_a_review_of_what_was_there_before_is_told_as_such(
    repo: Repo, recorded: int | None, entries: list[str], told_of_it: str
) -> None:
    moves = {
        "handed in": tasks.entry("in_progress", "to_be_tested", "agent:builder", when=at(-20)),
        "done": tasks.entry("to_be_tested", "done", "human:bob", when=at(-5)),
        "reopened": tasks.entry("done", "todo", "human:alice", when=at(-2)),
    }
    state = {"handed in": "to_be_tested", "done": "done", "reopened": "todo"}[entries[-1]]
    begun = tasks.entry("todo", "in_progress", "agent:builder", when=at(-60))
    review = {"status": "pass", "reviewer": "human:bob", **({"recorded_at": at(recorded)} if recorded else {})}
    rows = [begun, *(moves[name] for name in entries)]
    alice = repo.task("FEAT-1", state, state_transitions=rows, human_review=review).clone("alice")
    (line,) = (row for row in told(alice, "show", "FEAT-1").splitlines() if row.startswith("  review"))
    assert line == f"  review      {told_of_it}"


# -- log


def test_log_tells_who_moved_a_task_and_how_that_is_proven(repo: Repo) -> None:
    builder = repo.task("FEAT-0").clone("builder")
    alice = repo.clone("alice")
    alice.add("FEAT-1", title="Login form").commit("FEAT-1: new").push().accepted()
    told(builder, "claim", "FEAT-1", env={"CODIFICA_SESSION": "s-41"})
    told(builder, "submit", "FEAT-1", "--summary", "Form and tests")
    told(alice, "approve", "FEAT-1", "-m", "tried it")
    alice.fresh()
    done = alice.guard("log", "FEAT-1")
    assert alike(done) == (
        "FEAT-1  build  done  Login form\n"
        "  TIME  new -> todo  human:alice  signed  COMMIT\n"
        "  TIME  todo -> in_progress  agent:builder  signed+token  COMMIT  session SESSION\n"
        '  TIME  in_progress -> to_be_tested  agent:builder  signed+token  COMMIT  "Form and tests"\n'
        '  TIME  to_be_tested -> done  human:alice  signed  COMMIT  pass  "tried it"\n'
        "times are the commits' own: what their committers say"
    )
    steps = data(alice, "log", "FEAT-1")["steps"]
    assert [step["proof"] for step in steps] == ["git", "trailer", "trailer", "trailer"]
    assert [step["token"] for step in steps] == [False, True, True, False]
    assert steps[-1]["commit"] == alice.head()
    assert [step["commit"] for step in data(alice, "log", "FEAT-1", "-n", "1")["steps"]] == [steps[-1]["commit"]]
    every = data(alice, "log")["steps"]
    assert [step["task"] for step in every] == ["FEAT-1"] * 4 + ["FEAT-0"]
    assert every[0] == steps[-1]
    assert data(alice, "log", "-n", "2")["more"] is True
    assert "there is more than these 2: -n 20" in told(alice, "log", "-n", "2")


def test_log_tells_the_unproven_with_who_is_said_to_have_done_it(new_repo: NewRepo) -> None:
    repo = new_repo().policy(mode="report").task("FEAT-1")
    builder = repo.clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none").push()
    builder.edit("FEAT-1", state="someday", title="x").commit("FEAT-1: odd", proof="none").push()
    builder.drop("FEAT-1").add("FEAT-2").commit("FEAT-1: gone").push()
    said = alike(builder.guard("log", "FEAT-1"))
    assert said.splitlines() == [
        "FEAT-1  gone",
        "  TIME  new -> todo  -  before the guard  COMMIT",
        "  TIME  todo -> in_progress  agent:builder  unproven  COMMIT  session SESSION",
        "  TIME  in_progress -> someday, edited title  -  unproven  COMMIT",
        "  TIME  someday -> gone  agent:builder  signed  COMMIT",
        "times are the commits' own: what their committers say",
    ]
    step = data(builder, "log", "FEAT-1")["steps"][1]
    assert (step["actor"], step["claimed"], step["standing"]) == (None, "agent:builder", "unproven")


def test_log_tells_of_broken_and_mended_tasks_resumes_and_what_the_task_did_before_it_was_broken(repo: Repo) -> None:
    builder = repo.policy(mode="report").task("FEAT-1", "in_progress", writer="old").clone("builder")
    builder.resume("FEAT-1", writer=repo.keys.line("new")).commit(
        "FEAT-1: resume", proof="trailers", tokens=["new"]
    ).push()
    text = builder.read()
    builder.replace("title: Task FEAT-1", "title: `x`").commit("FEAT-1: break").push()
    assert "cannot be read" in told(builder, "log", "FEAT-1")
    builder.write("work.md", text).commit("FEAT-1: mend").push()
    assert [line.strip().split("  ")[1] for line in alike(builder.guard("log", "FEAT-1")).splitlines()[1:-1]] == [
        "new -> in_progress",
        "in_progress -> in_progress",
        "in_progress -> unreadable",
        "unreadable -> in_progress",
    ]
    assert data(builder, "log", "FEAT-1")["steps"][1]["token"] is True


def test_a_merge_is_told_only_for_what_is_in_none_of_its_parents(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    bob.move("FEAT-2", "rejected", completed_at=at()).commit("FEAT-2: reject")
    alice.move("FEAT-1", "rejected", completed_at=at()).commit("FEAT-1: reject").push().accepted()
    bob.pull().push().accepted()
    alice.fetch()
    for ident, who in (("FEAT-1", "human:alice"), ("FEAT-2", "human:bob")):
        steps = data(alice, "log", ident)["steps"]
        assert [(step["from"], step["to"]) for step in steps] == [("new", "todo"), ("todo", "rejected")]
        assert steps[-1]["actor"] == who
    assert len(data(alice, "log")["steps"]) == 5


def test_a_task_that_goes_to_another_document_has_not_moved(repo: Repo) -> None:
    repo.settings(state="*.md").task("FEAT-1", "done").task("FEAT-2").task("OLD-1", "done", document="archive.md")
    alice = repo.clone("alice")
    raw = tasks.block(alice.fields("FEAT-1"))
    alice.drop("FEAT-1")
    alice.rewrite(lambda it: it.add(raw), "archive.md").commit("FEAT-1: archive").push().accepted()
    assert [(step["from"], step["to"]) for step in data(alice, "log", "FEAT-1")["steps"]] == [("new", "done")]


def test_since_takes_a_span_and_a_date(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.move("FEAT-1", "rejected", completed_at=at()).commit("FEAT-1: reject").push().accepted()
    assert len(data(alice, "log", "FEAT-1")["steps"]) == 2
    for since, count in (("1h", 1), ("7d", 2), ("2020-01-01", 2), (at(-10), 1), ("2999-01-01", 0)):
        assert len(data(alice, "log", "FEAT-1", "--since", since)["steps"]) == count, since
        assert len(data(alice, "log", "--since", since)["steps"]) == count, since
    assert "nothing happened to it in that time" in told(alice, "log", "FEAT-1", "--since", "2999-01-01")
    assert "there is no task FEAT-7" in told(alice, "log", "FEAT-7", "--since", "7d", code=2)
    for since in ("yesterday", "2020-13-01", ""):
        assert "--since takes a span such as 7d, or a date" in told(alice, "log", "--since", since, code=2)
    assert "-n takes a number from 1 on" in told(alice, "log", "-n", "0", code=2)


def test_the_log_of_a_task_that_never_was_names_the_nearest(repo: Repo) -> None:
    assert "the nearest: FEAT-1" in told(repo.task("FEAT-1").clone("alice"), "log", "FEAT-11", code=2)


def test_a_shallow_clone_tells_what_it_has_and_that_history_is_cut(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.move("FEAT-1", "rejected", completed_at=at()).commit("FEAT-1: reject").push().accepted()
    shallow = repo.clone("bob")
    shallow.remove_folder()
    shallow.folder.parent.mkdir(exist_ok=True)
    subprocess.run(
        ["git", "clone", "-q", "--depth", "2", f"file://{repo.bare}", shallow.folder], check=True, capture_output=True
    )
    done = shallow.guard("log", "FEAT-1", "--json", "-q").json
    assert [(step["from"], step["to"]) for step in done["data"]["steps"]] == [("todo", "rejected")]
    assert (done["data"]["cut"], done["next"]) == ([alice.head("HEAD~1")], ["git fetch --unshallow"])
    assert "history is cut at" in told(shallow, "log")
    assert "history is cut here, so that cannot be told: git fetch --unshallow" in told(
        shallow, "log", "FEAT-2", code=3
    )
    assert "FEAT-2" in told(shallow, "ready")
    assert "FEAT-1" in told(shallow, "show", "FEAT-1")


def test_a_key_that_has_run_out_since_still_proves_what_it_signed(repo: Repo) -> None:
    until = time.strftime("%Y%m%d%H%M%SZ", time.gmtime(seconds(-60)))
    repo.signer("human:bob", "bob", f'namespaces="git,codifica-guard",valid-before="{until}"').task("FEAT-1")
    bob = repo.clone("bob")
    bob.move("FEAT-1", "rejected", completed_at=at(-90)).commit("FEAT-1: reject", when=-90)
    repo.on_server("fetch", "-q", str(bob.folder), "main:main")
    assert data(bob.fetch(), "log", "FEAT-1")["steps"][-1]["actor"] == "human:bob"


def test_sha256_repositories_are_read_too(new_repo: NewRepo) -> None:
    alice = new_repo(object_format="sha256").task("FEAT-1", "to_be_tested").clone("alice")
    assert "FEAT-1  handed in" in told(alice, "status")
    assert "before the guard" in told(alice, "log", "FEAT-1")
    assert len(data(alice, "log")["steps"][0]["commit"]) == 64


# -- where there is nothing to look at


@pytest.mark.parametrize("words", [["status"], ["ready"], ["show", "FEAT-1"], ["log"]])
def test_without_a_policy_the_next_command_is_told(new_repo: NewRepo, words: list[str]) -> None:
    without = new_repo().not_introduced().clone("alice")
    assert "init" in told(without, *words, code=2)
    nothing = new_repo(name="bare.git").without_protocol().clone("alice")
    assert "init" in told(nothing, *words, code=2)
    answer = nothing.guard(*words, "--json", "-q").json
    assert (answer["exit"], answer["data"]) == (2, None)


@pytest.mark.parametrize("words", [["status"], ["ready"], ["show", "FEAT-1"], ["log"]])
def test_outside_of_any_repository_it_is_said(repo: Repo, words: list[str]) -> None:
    repo.found()
    done = repo.guard(*words, cwd=repo.root)
    assert done.code == 3
    assert "Traceback" not in done.said


def test_nothing_of_the_clone_changes_by_looking(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.write("src/app.py", "dirty\n")
    before = builder.git("status", "--porcelain"), builder.head(), builder.git("for-each-ref")
    for words in (["status", "--fetch"], ["ready"], ["show", "FEAT-1"], ["log"]):
        told(builder, *words)
    assert (builder.git("status", "--porcelain"), builder.head(), builder.git("for-each-ref")) == before
