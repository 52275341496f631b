"""An agent's verbs: it claims, and notes how it goes; what stands in its way is told."""

import pytest

from tests.building import Clone, Repo
from tests.building.sessions import ended, entry, fields, pushed, session

pytestmark = pytest.mark.guard


# -- claim


def test_a_claim_prints_all_that_there_is_to_read(repo: Repo) -> None:
    repo.rules(branch_pattern="{type}/{id}-{slug}")
    repo.task("FEAT-0", "done", artifacts=[{"path": "src/app.py", "type": "code"}])
    repo.task(
        "FEAT-1",
        title="Password reset!",
        description="Users forget them.\nWe mail a link.",
        depends_on=["FEAT-0"],
        context={"constraints": ["must not change the users table"], "files": ["src/app.py"], "notes": "Ask bob"},
    )
    builder = repo.clone("builder")
    done = builder.guard("claim", " FEAT-1 ", env=session(repo, "s-1"))
    assert done.code == 0, done.said
    tokens = repo.root / "tokens" / "s-1" / "shop" / "FEAT-1"
    assert done.text.split("\n") == [
        f"claimed FEAT-1  Password reset!   main {repo.tip()[:7]}",
        f"token   {tokens} (keep it: only its holder may go on)",
        "branch  git switch --no-track -c build/FEAT-1-password-reset origin/main",
        "",
        "description  Users forget them.",
        "             We mail a link.",
        "acceptance",
        "  1 It works",
        "  2 It is tested",
        "constraints  must not change the users table",
        "read         src/app.py",
        '             FEAT-0: "Code and tests are written" (src/app.py)',
        "notes        Ask bob",
    ]
    assert tokens.stat().st_mode & 0o777 == 0o600


def test_the_json_of_a_claim_carries_what_its_text_does(repo: Repo) -> None:
    builder = repo.task("FEAT-1", context={"constraints": ["none"]}).clone("builder")
    done = builder.guard("claim", "FEAT-1", "--json", "-q", env=session(repo, "s-1"))
    answer = done.json
    data = answer["data"]
    assert (answer["ok"], answer["as_of"]["commit"]) == (True, repo.tip())
    assert (data["task"], data["owner"], data["session"], data["commit"]) == (
        "FEAT-1",
        "agent:builder",
        "s-1",
        repo.tip(),
    )
    assert data["token"] == str(repo.root / "tokens" / "s-1" / "shop" / "FEAT-1")
    assert answer["next"] == [data["switch"]]
    assert (data["brief"]["acceptance"], data["brief"]["constraints"]) == (["It works", "It is tested"], ["none"])
    assert entry(repo)["provenance"]["session_id"] == "s-1"


def test_a_returned_task_says_why_it_came_back_and_leads_to_its_branch(repo: Repo) -> None:
    builder, alice = repo.task("FEAT-1").clone("builder"), repo.clone("alice")
    assert builder.guard("claim", "FEAT-1").code == 0
    pushed(builder)
    assert builder.guard("submit", "FEAT-1", "--summary", "It is there").code == 0
    work = builder.head()[:7]
    alice.fresh().back("FEAT-1", reason="The link never expires").commit("FEAT-1: return").push().accepted()
    done = builder.guard("claim", "FEAT-1")
    assert done.code == 0, done.said
    assert "\nbranch  git switch build/FEAT-1-task-feat-1\n" in done.text
    assert "\nreturned     by human:alice: The link never expires\n" in done.text
    assert f"\nhanded in    {work} before this" in done.text


def test_a_human_claims_without_a_token(repo: Repo) -> None:
    alice = repo.policy(writer_tokens="required").task("REV-1", type="review").clone("alice")
    done = alice.guard("claim", "--next")
    assert done.code == 0, done.said
    assert "token" not in done.text
    assert alice.guard("claim", "REV-1").code == 0
    assert fields(repo, "REV-1")["owner"] == "human:alice"


def test_a_dry_run_shows_the_commit_and_keeps_no_token(repo: Repo) -> None:
    builder, tip = repo.task("FEAT-1").clone("builder"), repo.tip()
    done = builder.guard("claim", "FEAT-1", "--dry-run", "--json", env=session(repo, "s-1"))
    data = done.json["data"]
    assert (data["commit"], data["token"], repo.tip()) == (None, None, tip)
    assert "+  state: in_progress" in done.said
    assert "message: FEAT-1: claim" in done.said
    assert not (repo.root / "tokens").exists()


@pytest.mark.parametrize(
    ("ident", "code", "told"),
    [
        ("FEAT-1", 6, "FEAT-1 is not for you now: owner agent:writer"),
        ("REV-1", 6, "review: humans only"),
        ("HALT-1", 6, "HALT-1 is blocked: human:alice moved it to blocked"),
        ("NEED-1", 1, "NEED-1 is not for you now: needs FEAT-1"),
        ("DONE-1", 4, "lost DONE-1: human:alice closed it"),
        ("FEAT-9", 2, "there is no task FEAT-9"),
    ],
)
def test_what_cannot_be_claimed_says_why(repo: Repo, ident: str, code: int, told: str) -> None:
    repo.task("FEAT-1", owner="agent:writer").task("REV-1", type="review").task("HALT-1", "blocked")
    repo.task("NEED-1", depends_on=["FEAT-1"]).task("DONE-1", "done")
    done = repo.clone("builder").guard("claim", ident)
    ended(done, code, told)
    assert code == 2 or "git codifica claim --next" in done.said


def test_a_task_that_is_assigned_to_an_agent_is_claimed_by_it(repo: Repo) -> None:
    repo.task("FEAT-1", owner="agent:builder")
    assert repo.clone("writer").guard("claim", "--next").code == 5
    assert repo.clone("builder").guard("claim", "--next").text.startswith("claimed FEAT-1 ")


def test_an_agent_that_is_not_allowed_is_told_so_before_anything_else(repo: Repo) -> None:
    builder = repo.rules(allowed_agents=["agent:writer"]).task("FEAT-1").clone("builder")
    for words in (("--next",), ("FEAT-1",)):
        ended(builder.guard("claim", *words), 6, "agent:builder is not in allowed_agents of codifica.json")


def test_at_the_limit_next_goes_on_with_the_task_of_this_very_session_alone(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").task("FEAT-2")
    builder, mine = repo.clone("builder"), session(repo, "s-1")
    assert builder.guard("claim", "FEAT-1", env=mine).code == 0
    again = builder.guard("claim", "--next", env=mine)
    assert again.code == 0, again.said
    assert again.text.startswith("claimed FEAT-1  Task FEAT-1   you hold it already, session s-1: go on\n")
    ended(builder.guard("claim", "FEAT-2", env=mine), 1, "you hold 1 of 1 tasks: FEAT-1", "git codifica submit FEAT-1")
    twin = {**mine, "CODIFICA_SESSION": "s-2"}
    ended(builder.guard("claim", "--next", env=twin), 1, "git codifica submit FEAT-1")
    ended(builder.guard("claim", "--next"), 1, "in other sessions", 'git codifica resume FEAT-1 -m "why"')
    ended(builder.guard("claim", "FEAT-1", env=twin), 4, "if that was you: go on, its token is at hand")
    ended(builder.guard("claim", "FEAT-1"), 4, 'the token is gone: git codifica resume FEAT-1 -m "why"')


def test_at_the_limit_with_a_request_open_nothing_more_is_claimed(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").task("FEAT-2")
    builder, mine = repo.clone("builder"), session(repo, "s-1")
    assert builder.guard("claim", "FEAT-1", env=mine).code == 0
    assert builder.guard("note", "FEAT-1", "--ask", "release", "wrong skills", env=mine).code == 0
    ended(builder.guard("claim", "--next", env=mine), 6, "FEAT-1 (waits for a human); nothing more before")


def test_a_claim_names_a_task_or_the_next_one(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    for words in ((), ("FEAT-1", "--next"), ("FEAT-1", "--wait", "1h"), ("--next", "--wait", "soon")):
        assert builder.guard("claim", *words).code == 2


# -- note


def test_a_note_is_written_in_the_owners_name_and_session(repo: Repo) -> None:
    builder, mine = repo.task("FEAT-1").clone("builder"), session(repo, "s-1")
    assert builder.guard("claim", "FEAT-1", env=mine).code == 0
    done = builder.guard("note", "FEAT-1", "--summary", "Half of it", "Half of it\nis done", env=mine)
    assert (done.code, done.text) == (0, f"FEAT-1  noted   main {repo.tip()[:7]}"), done.said
    told = entry(repo, "execution_notes")
    assert (told["by"], told["note"], told["summary"]) == ("agent:builder", "Half of it\nis done", "Half of it")
    assert told["provenance"] == {"session_id": "s-1"}
    assert builder.guard("note", "FEAT-1", "-", data=b"from a pipe\n", env=mine).code == 0
    assert entry(repo, "execution_notes")["note"] == "from a pipe"
    assert builder.guard("note", "FEAT-1", "-m", "by option", env=mine).code == 0
    assert entry(repo, "execution_notes")["note"] == "by option"


@pytest.mark.parametrize(
    "words", [("--ask", "block", "needs the SMTP password"), ("needs the SMTP password", "--ask", "block")]
)
def test_a_request_says_what_to_do_next(repo: Repo, words: tuple[str, ...]) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("claim", "FEAT-1").code == 0
    done = builder.guard("note", "FEAT-1", *words)
    assert done.code == 0, done.said
    assert done.text.split("\n") == [
        f"FEAT-1  asks a human to block it   main {repo.tip()[:7]}",
        "stop on FEAT-1 until somebody answers; other work: git codifica claim --next",
    ]
    assert entry(repo, "execution_notes")["summary"] == "request: block: needs the SMTP password"
    answer = builder.guard("note", "FEAT-1", "--json", "-q", "--ask", "change", "two criteria contradict").json
    assert (answer["data"]["ask"], answer["next"]) == ("change", ["git codifica claim --next"])


def test_a_note_on_what_is_not_ones_own_needs_another_hand(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress", "agent:writer").task("FEAT-2")
    ended(repo.clone("builder").guard("note", "FEAT-1", "x"), 6, "owner agent:writer", "git codifica claim --next")
    ended(repo.clone("builder").guard("note", "FEAT-2", "x"), 6, "git codifica claim FEAT-2")
    human = repo.clone("alice").guard("note", "FEAT-1", "x", "--json", "-q")
    ended(human, 6)
    assert human.json["next"] == [
        'git codifica block FEAT-1 -m "why"',
        "git codifica show FEAT-1",
    ]
    assert repo.clone("alice").guard("note", "FEAT-2", "x", "--json", "-q").json["next"] == [
        'git codifica block FEAT-2 -m "why"',
        "git codifica assign FEAT-2 OWNER",
        "git codifica show FEAT-2",
    ]


def test_a_note_on_what_does_not_run_is_refused(repo: Repo) -> None:
    repo.task("FEAT-1", owner="agent:builder").task("FEAT-2", "done")
    ended(repo.clone("builder").guard("note", "FEAT-1", "x"), 1, "FEAT-1 is todo", "git codifica claim FEAT-1")
    ended(repo.clone("builder").guard("note", "FEAT-2", "x"), 1, "FEAT-2 is done", "git codifica show FEAT-2")


def test_a_note_on_what_a_human_took_away_meanwhile_is_lost(repo: Repo) -> None:
    builder, alice = repo.task("FEAT-1", "in_progress").clone("builder"), repo.clone("alice")
    alice.reclaim("FEAT-1", owner="agent:builder").commit("FEAT-1: reclaim").push().accepted(perhaps={"CD310"})
    ended(builder.guard("note", "FEAT-1", "x"), 4, "lost FEAT-1: human:alice took it back")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("x", "-m", "y"),
        ("  ",),
        ("x", "--ask", "coffee"),
        ("x", "--ask", "block", "--summary", "y"),
        ("x", "--summary", "y" * 121),
        ("x", "--summary", "two\nlines"),
        ("x", "--artifact", "y"),
    ],
)
def test_a_note_of_another_form_is_a_wrong_call(repo: Repo, words: tuple[str, ...]) -> None:
    assert repo.task("FEAT-1", "in_progress").clone("builder").guard("note", "FEAT-1", *words).code == 2


# -- what stands in the way


def test_a_remote_that_is_not_reached_is_tried_again_later(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.git("remote", "set-url", "origin", str(repo.root / "nowhere.git"))
    done = builder.guard("claim", "FEAT-1")
    ended(done, 7, "origin is not reached")
    assert not (builder.folder / ".git/codifica-guard/tokens/FEAT-1").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "GitLab: You are not allowed to push code to protected branches on this project.",
            "main is protected on origin",
        ),
        ("no pushes on Mondays", "origin did not take it"),
    ],
)
def test_another_hook_that_refuses_is_no_rule_of_ours(repo: Repo, words: str, told: str) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    hook = repo.bare / "hooks" / "pre-receive"
    hook.unlink()
    hook.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
    hook.chmod(0o755)
    ended(builder.guard("claim", "FEAT-1"), 7, told, words)
    assert not (builder.folder / ".git/codifica-guard/tokens/FEAT-1").exists()


def test_where_the_server_has_no_guard_the_verbs_still_judge_themselves(repo: Repo) -> None:
    builder = repo.policy(self_approval="refuse").task("FEAT-1").task("FEAT-2", without=["acceptance"]).clone("builder")
    (repo.bare / "hooks" / "pre-receive").unlink()
    ended(builder.guard("claim", "FEAT-2"), 1, "no acceptance criteria")
    assert builder.guard("claim", "FEAT-1").code == 0


def test_without_a_look_at_the_remote_there_is_one_try(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    repo.clone("writer").code("Other work", path="src/other.py").push().accepted()
    ended(builder.guard("claim", "FEAT-1", "--no-fetch"), 7, "origin/main has moved: run this again without --no-fetch")
    assert builder.fetch().guard("claim", "FEAT-1", "--no-fetch").code == 0


def test_no_key_and_an_unlisted_key_say_what_to_do(repo: Repo) -> None:
    builder, stranger = repo.task("FEAT-1").clone("builder"), repo.clone("stranger")
    builder.git("config", "--global", "--unset", "user.signingkey")
    ended(builder.guard("claim", "FEAT-1"), 1, "there is no key to sign with")
    by_variable = {"CODIFICA_SIGNING_KEY": repo.keys.private("builder").read_text()}
    assert builder.guard("claim", "FEAT-1", env=by_variable).code == 0
    ended(
        stranger.guard("claim", "FEAT-1"), 1, "is nobody's here; a maintainer runs", "key add human:NAME 'ssh-ed25519"
    )


def test_unpushed_commits_on_main_itself_are_pushed_first(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.code("one").code("two", text="x = 2\n")
    ended(builder.guard("claim", "FEAT-1"), 1, "your main is 2 ahead of origin/main: git push origin main")


# -- the branch of a task that was begun before


def began(repo: Repo) -> Clone:
    """A task that came back to the builder, whose work is on the server; a clone of his that does not know it."""
    repo.rules(branch_pattern="{type}/{id}-{slug}").task("FEAT-1")
    builder, late = repo.clone("builder"), repo.clone("builder", "late")
    assert builder.guard("claim", "FEAT-1").code == 0
    pushed(builder)
    assert builder.guard("submit", "FEAT-1", "--summary", "It is there").code == 0
    repo.clone("alice").fresh().back("FEAT-1", reason="No").commit("FEAT-1: return").push().accepted()
    return late


@pytest.mark.parametrize("fetched", ["all", "main alone", "two remotes"])
def test_a_claim_of_a_task_that_was_begun_before_leads_to_its_branch(repo: Repo, fetched: str) -> None:
    late = began(repo)
    work = repo.on_server("rev-parse", "build/FEAT-1-task-feat-1")
    if fetched == "main alone":
        late.git("config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
    elif fetched == "two remotes":
        late.git("remote", "add", "fork", str(repo.bare))
        late.git("fetch", "-q", "fork")
    done = late.guard("claim", "FEAT-1")
    branch = "build/FEAT-1-task-feat-1"
    step = f"git switch {branch}" if fetched == "all" else f"git switch --no-track -c {branch} origin/{branch}"
    ended(done, 0, f"\nbranch  {step}\n")
    late.git(*step.split()[1:])
    assert late.head() == work
    late.code("FEAT-1: more", path="src/more.py").git("push", "-q", "-u", "origin", "HEAD")
    assert late.guard("claim", "FEAT-1", env={"CODIFICA_SESSION": "x"}).code == 4


def test_a_branch_that_is_looked_for_in_vain_does_not_fail_the_claim(repo: Repo) -> None:
    late = began(repo)
    repo.clone("builder").git("push", "-q", "origin", ":build/FEAT-1-task-feat-1")
    ended(late.guard("claim", "FEAT-1"), 0, "branch  git switch --no-track -c build/FEAT-1-task-feat-1 origin/main")


def test_without_a_look_at_the_remote_the_branch_is_not_looked_for(repo: Repo) -> None:
    late = began(repo).fetch()
    late.git("update-ref", "-d", "refs/remotes/origin/build/FEAT-1-task-feat-1")
    ended(late.guard("claim", "FEAT-1", "--no-fetch"), 0, "branch  git switch --no-track -c build/FEAT-1-task-feat-1")


def test_who_goes_on_with_a_claim_in_a_new_clone_is_led_to_its_branch(repo: Repo) -> None:
    mine = session(repo, "s-1")
    builder, late = repo.task("FEAT-1").clone("builder"), repo.clone("builder", "late")
    assert builder.guard("claim", "FEAT-1", env=mine).code == 0
    branch = builder.guard("claim", "FEAT-1", "--json", "-q", env=mine).json["data"]["branch"]
    pushed(builder, branch)
    for words in (("claim", "FEAT-1"), ("resume", "FEAT-1", "-m", "x")):
        late.git("update-ref", "-d", f"refs/remotes/origin/{branch}")
        done = late.guard(*words, env=mine)
        ended(done, 0, f"branch  git switch {branch}\n", "go on")


def test_a_resume_tells_what_the_old_session_pushed_and_what_lies_here(repo: Repo) -> None:
    repo.rules(branch_pattern="{type}/{id}-{slug}").task("FEAT-1", "in_progress", writer="old")
    builder, late = repo.clone("builder"), repo.clone("builder", "late")
    pushed(builder, count=2)
    late.write("src/app.py", "half = 1\n").write("notes.txt", "so far\n").write("work.md", late.read() + "\nA line.\n")
    done = late.guard("resume", "FEAT-1", "-m", "container lost")
    ended(done, 0, "left behind   build/FEAT-1-task-feat-1, 2 commits, last ", "\nbranch  git switch build/FEAT-1-task")
    assert "; not committed here: src/app.py, notes.txt\n" in done.text
    assert "lost\n" not in done.text


def test_a_new_branch_follows_none_so_that_a_push_goes_where_it_should(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    step = builder.guard("claim", "FEAT-1", "--json", "-q").json["data"]["switch"]
    builder.git(*step.split()[1:])
    assert builder.try_git("rev-parse", "--abbrev-ref", "@{upstream}").code != 0
    builder.code("FEAT-1: work").git("push", "-q", "-u", "origin", "HEAD")
    assert repo.on_server("rev-parse", builder.git("branch", "--show-current")) == builder.head()
