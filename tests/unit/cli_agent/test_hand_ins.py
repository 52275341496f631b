"""Hand-ins by `submit` and `done`: pushed work that waits for a human, or closes its task."""

import shlex

import pytest

from tests.building import Repo, at
from tests.building.sessions import ended, entry, fields, pushed, session

pytestmark = pytest.mark.guard


# -- submit


def test_a_hand_in_of_pushed_work_waits_for_a_human(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").signer("human:carol", "carol").revoked("carol")
    builder, mine = repo.clone("builder"), session(repo, "s-1")
    assert builder.guard("claim", "FEAT-1", env=mine).code == 0
    pushed(builder)
    done = builder.guard(
        "submit", "FEAT-1", "--summary", "Reset link", "-m", "Long\nstory", "--artifact", "src/part0.py:code", env=mine
    )
    assert done.code == 0, done.said
    assert done.text.split("\n") == [
        f"FEAT-1  in_progress -> to_be_tested   main {repo.tip()[:7]}",
        f"work      build/FEAT-1-task-feat-1 @ {builder.head()[:7]} (written to provenance.commit_sha)",
        "waits for a human: human:alice, human:bob.  You hold 0 of 1 tasks.",
    ]
    provenance = {"session_id": "s-1", "commit_sha": builder.head()}
    assert entry(repo)["provenance"] == provenance
    closing = entry(repo, "execution_notes")
    assert (closing["summary"], closing["note"], closing["provenance"]) == ("Reset link", "Long\nstory", provenance)
    assert fields(repo)["artifacts"] == [{"path": "src/part0.py", "type": "code"}]
    assert not list((repo.root / "tokens" / "s-1" / "shop").glob("FEAT-1")), "its token is of no use any more"


@pytest.mark.parametrize(
    ("begun", "command"),
    [
        ("origin/main", "git push -u origin HEAD"),
        ("--no-track", "git push -u origin HEAD"),
        ("pushed", "git push"),
        ("detached", "git push origin HEAD:refs/heads/build/FEAT-1-task-feat-1"),
    ],
)
def test_work_that_is_not_pushed_is_not_handed_in(repo: Repo, begun: str, command: str) -> None:
    builder = repo.rules(branch_pattern="{type}/{id}-{slug}").task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    if begun == "pushed":
        pushed(builder, "topic")
    elif begun == "detached":
        builder.git("switch", "-q", "--detach", "origin/main")
    else:
        builder.git("switch", "-q", "-c", "topic", *(["--no-track"] if begun == "--no-track" else []), "origin/main")
    builder.code("FEAT-1: late", path="src/late.py")
    tip = repo.tip()
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there")
    name = "a detached HEAD" if begun == "detached" else "topic"
    assert (done.code, repo.tip()) == (1, tip), done.said
    assert done.text.split("\n") == [
        f"not submitted: 1 commit on {name} is not pushed; a reviewer could not see it",
        f"do: {command}",
    ]
    builder.git(*command.split()[1:])
    assert builder.guard("submit", "FEAT-1", "--summary", "It is there").code == 0
    assert entry(repo)["provenance"]["commit_sha"] == builder.head()


def test_the_work_may_be_named(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    builder.git("switch", "-q", "-c", "topic", "origin/main")
    work = builder.code("FEAT-1: one").code("FEAT-1: two", text="x = 2\n").head()
    builder.checkout("main")
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there", "--work", "topic")
    ended(done, 1, "not submitted: 2 commits on topic are not pushed", "do: git push origin topic")
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there", "--work", work)
    ended(done, 1, f"do: git push origin {work}:refs/heads/")
    ended(builder.guard("submit", "FEAT-1", "--summary", "It is there", "--work", "nothing"), 2, "names no commit")
    builder.git("push", "-q", "origin", "topic")
    assert builder.guard("submit", "FEAT-1", "--summary", "It is there", "--work", "topic").code == 0
    assert entry(repo)["provenance"]["commit_sha"] == work


def test_without_work_beyond_main_no_commit_is_written_down(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    done = builder.guard("submit", "FEAT-1", "--summary", "Nothing to do after all")
    assert done.code == 0, done.said
    assert "work      no commit beyond main: none is written down" in done.text
    assert "You hold 0 tasks." in done.text
    assert "commit_sha" not in str(entry(repo))


@pytest.mark.parametrize("place", ["main", "topic", "detached"])
@pytest.mark.parametrize("files", [("src/app.py",), ("notes.txt",), ("src/new/a.py", "src/app.py")])
def test_a_hand_in_with_nothing_but_loose_files_stops(repo: Repo, place: str, files: tuple[str, ...]) -> None:
    builder = repo.rules(branch_pattern="{type}/{id}-{slug}").task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    if place == "topic":
        builder.git("switch", "-q", "--no-track", "-c", "topic", "origin/main")
    elif place == "detached":
        builder.git("switch", "-q", "--detach")
    for path in files:
        builder.write(path, "half = 1\n")
    tip = repo.tip()
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there", "--json", "-q")
    shown = ", ".join(sorted(path.replace("new/a.py", "new/") for path in files))
    assert (done.code, repo.tip()) == (1, tip), done.said
    assert f"not submitted: nothing is committed; changed or new here: {shown}\ndo: git " in done.json["error"]
    (step,) = done.json["next"]
    assert step.endswith("git add -A && git commit -m 'FEAT-1: what was done' && git push -u origin HEAD")
    assert step.startswith(
        "git add" if place == "topic" else "git switch --no-track -c build/FEAT-1-task-feat-1 origin"
    )
    for command in step.split(" && "):
        builder.git(*shlex.split(command)[1:])
    assert builder.guard("submit", "FEAT-1", "--summary", "It is there").code == 0
    assert entry(repo)["provenance"]["commit_sha"] == builder.head()


def test_loose_files_do_not_stop_what_needs_no_work_and_are_not_pushed_where_there_is_no_remote(repo: Repo) -> None:
    builder = repo.task("INV-1", "in_progress", type="investigate").task("FEAT-1", "in_progress").clone("builder")
    builder.write("notes.txt", "so far\n")
    assert builder.guard("submit", "INV-1", "--summary", "It was the cache").code == 0
    builder.git("remote", "remove", "origin")
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there")
    ended(done, 1, "not submitted: nothing is committed; changed or new here: notes.txt\n")
    assert "git push" not in done.said


def test_an_artifact_that_is_nowhere_is_told_at_once(repo: Repo) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    pushed(builder)
    deep = "/".join("a" * 3000)
    named = ("src/part0.py", "src/app.py", "src", "src/part9.py", deep)
    words = [word for path in named for word in ("--artifact", f"{path}:code")]
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there", *words, "--json")
    assert done.code == 0, done.said
    assert done.json["data"]["missing_artifacts"] == ["src/part9.py", deep]
    assert (
        "artifact src/part9.py is not in build/FEAT-1-task-feat-1: is it committed, and called so?" in done.err.decode()
    )
    builder.checkout("main")
    assert builder.guard("claim", "FEAT-2").code == 0
    done = builder.guard("submit", "FEAT-2", "--summary", "It was there", "--artifact", "src/part0.py:code")
    assert "artifact src/part0.py is not on main: is it" in done.err.decode()


def test_an_artifact_that_a_rule_misses_is_told_once(repo: Repo) -> None:
    builder = repo.task("INV-1", "in_progress", type="investigate").clone("builder")
    done = builder.guard("submit", "INV-1", "--summary", "It was the cache", "--artifact", "src/no.py:code")
    assert done.code == 0, done.said
    assert "CD413" in done.err.decode()
    assert "is it committed" not in done.err.decode()


def test_what_is_not_committed_is_told_and_does_not_stop_the_hand_in(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    pushed(builder).write("src/app.py", "half = 1\n").write("work.md", builder.read() + "\nA line.\n")
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there", "--json", "-q")
    assert done.json["data"]["uncommitted"] == ["src/app.py"]
    assert done.json["data"]["waits_for"] == ["human:alice", "human:bob"]


def test_the_note_about_what_is_not_committed_goes_to_standard_error(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    pushed(builder).write("src/app.py", "half = 1\n")
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there")
    assert done.code == 0
    assert done.err.decode() == "not in it: changes that are not committed, in src/app.py\n"


def test_without_a_remote_nothing_needs_to_be_pushed(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.git("remote", "remove", "origin")
    assert builder.guard("claim", "FEAT-1").code == 0
    builder.git("switch", "-q", "-c", "topic")
    builder.code("FEAT-1: work")
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there")
    assert done.code == 0, done.said
    assert f"work      topic @ {builder.head()[:7]}" in done.text


@pytest.mark.parametrize("kind", ["test", "investigate", "followup"])
@pytest.mark.parametrize("verb", ["submit", "done"])
def test_what_needs_no_testing_is_closed_by_its_hand_in(repo: Repo, kind: str, verb: str) -> None:
    more = {"derived_from": "FEAT-0"} if kind == "followup" else {}
    builder = repo.task("FEAT-0", "done").task("FEAT-1", type=kind, **more).clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    done = builder.guard(verb, "FEAT-1", "--summary", "It was the cache", "--json")
    assert done.code == 0, done.said
    assert (done.json["data"]["to"], done.json["data"]["waits_for"]) == ("done", [])
    assert "closed with that.  You hold 0 tasks." in done.said
    assert fields(repo)["state"] == "done"


def test_a_custom_type_is_tested_like_build(repo: Repo) -> None:
    builder = repo.rules(custom_types=["deploy"]).task("FEAT-1", type="deploy").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    assert builder.guard("submit", "FEAT-1", "--summary", "It is there").code == 0
    assert fields(repo)["state"] == "to_be_tested"


def test_only_the_owner_hands_in_and_only_what_runs(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress", "agent:writer").task("FEAT-2", "to_be_tested").task(
        "REV-1", "in_progress", type="review"
    )
    builder, said = repo.clone("builder"), ("--summary", "It is there")
    ended(builder.guard("submit", "FEAT-1", *said), 6, "FEAT-1 is not yours: owner agent:writer")
    ended(builder.guard("submit", "FEAT-2", *said), 1, "FEAT-2 is to_be_tested, not in_progress")
    ended(builder.guard("submit", "REV-1", *said), 6, "a human judges it")
    assert repo.clone("alice").guard("submit", "FEAT-1", *said, "--json", "-q").json["next"] == [
        'git codifica reclaim FEAT-1 -m "why"',
        "git codifica show FEAT-1",
    ]


def test_where_only_the_owner_closes_the_hand_in_says_so(repo: Repo) -> None:
    builder = repo.policy(review_by="owner").task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    done = builder.guard("submit", "FEAT-1", "--summary", "It is there")
    assert "only its owner closes it (review_by): git codifica done FEAT-1." in done.text


@pytest.mark.parametrize(
    "words",
    [
        ("--summary", "x" * 121),
        ("--summary", "  "),
        ("--summary", "x", "-m", ""),
        ("--summary", "x", "--artifact", "src/app.py"),
        ("--summary", "x", "--artifact", ":code"),
        ("--summary", "x", "--artifact", "/etc/passwd:text"),
        ("--summary", "x", "--artifact", "../out.py:code"),
        (),
    ],
)
def test_a_hand_in_of_another_form_is_a_wrong_call(repo: Repo, words: tuple[str, ...]) -> None:
    assert repo.task("FEAT-1", "in_progress").clone("builder").guard("submit", "FEAT-1", *words).code == 2


# -- done


def test_the_owner_closes_what_was_handed_in_where_the_policy_only_warns(repo: Repo) -> None:
    builder = repo.policy(self_approval="warn").task("FEAT-1", "to_be_tested").clone("builder")
    done = builder.guard("done", "FEAT-1", "--json")
    assert (done.code, [finding["code"] for finding in done.json["findings"]]) == (0, ["CD213"]), done.said
    assert done.json["data"]["from"] == "to_be_tested"
    assert "FEAT-1  to_be_tested -> done   signed by agent:builder   main" in done.said
    again = builder.guard("done", "FEAT-1", "--json", "-q")
    assert (again.code, again.json["data"]["already"]) == (0, True)


def test_where_a_human_has_to_approve_done_says_what_he_types(repo: Repo) -> None:
    builder = repo.policy(self_approval="refuse").task("FEAT-1", "to_be_tested").clone("builder")
    done = builder.guard("done", "FEAT-1", "--json")
    ended(done, 6, "so a human approves it (self_approval: refuse)", "\na human: git codifica approve FEAT-1")
    assert done.json["next"] == ["git codifica claim --next"], "what he types is nothing that the agent may run"


def test_where_only_the_owner_closes_and_only_behind_a_pass_done_says_so(repo: Repo) -> None:
    repo.policy(self_approval="refuse", review_by="owner").task("FEAT-1", "to_be_tested")
    done = repo.clone("builder").guard("done", "FEAT-1")
    ended(done, 6, "\nonce a human's review is a pass: git codifica done FEAT-1")


def test_after_a_humans_pass_the_owner_closes_his_task(repo: Repo) -> None:
    passed = {"status": "pass", "reviewer": "human:alice", "recorded_at": at(-5)}
    repo.policy(self_approval="refuse").task("FEAT-1", "to_be_tested", human_review=passed)
    assert repo.clone("builder").guard("done", "FEAT-1").code == 0


def test_done_before_the_hand_in_says_what_comes_first(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("INV-1", "in_progress", type="investigate").task(
        "FEAT-2", owner="agent:builder"
    )
    builder = repo.clone("builder")
    ended(builder.guard("done", "FEAT-1"), 1, "FEAT-1 is in_progress: hand it in first", "git codifica submit FEAT-1")
    ended(builder.guard("done", "INV-1"), 2, 'git codifica done INV-1 --summary "one line"')
    ended(builder.guard("done", "FEAT-2"), 1, "FEAT-2 is todo, not to_be_tested: nothing was handed in")


def test_done_is_the_owners_and_takes_no_summary_behind_the_hand_in(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested", "agent:writer").task("FEAT-2", "to_be_tested")
    builder = repo.clone("builder")
    ended(builder.guard("done", "FEAT-1"), 6, "owner agent:writer", "git codifica claim --next")
    ended(repo.clone("alice").guard("done", "FEAT-1"), 6, "git codifica approve FEAT-1")
    ended(builder.guard("done", "FEAT-2", "--summary", "x"), 2, "--summary belongs to the hand-in")
    ended(builder.guard("done", "FEAT-2", "-m", "x"), 2, "which says --summary too")
