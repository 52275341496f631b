"""One commit on the coordination branch: made beside what is checked out, judged, pushed, made anew."""

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard.errors import UsageError
from codifica_guard.identity.tokens import new_token
from codifica_guard.model.document import Task
from codifica_guard.verbs import landing, moves
from codifica_guard.verbs.act import plan_of, propose
from codifica_guard.verbs.landing import Landed, land
from codifica_guard.verbs.moves import Edit
from codifica_guard.verbs.seat import How, Plan, Proposal, Seat
from codifica_guard.verbs.stopped import LATER, LOST, NEEDS_OTHER, REFUSED, Stopped
from tests.building import Clone, Repo
from tests.unit.verbs.conftest import At


def block(name: str = "FEAT-1", why: str = "Waits") -> Plan:
    return plan_of(name, "block", lambda seat, task: moves.block(task, seat.hands(), why, None))


def state(repo: Repo, name: str = "FEAT-1") -> str:
    return str(repo.fields(name)["state"])


def place(clone: Clone) -> tuple[str, ...]:
    """All that a verb may not touch: what is checked out, staged and changed, and every local branch."""
    return (
        (clone.folder / ".git" / "index").read_bytes().hex(),
        clone.git("--no-optional-locks", "status", "--porcelain"),
        clone.git("symbolic-ref", "HEAD"),
        clone.git("for-each-ref", "refs/heads"),
    )


def moved_by_others(repo: Repo, times: int = 1) -> Callable[[Seat, Task], Edit]:
    """A change before which somebody else moves the branch, so many times."""
    left = [times]
    other = repo.clone("bob")

    def change(seat: Seat, task: Task) -> Edit:
        if left[0]:
            left[0] -= 1
            other.fresh().code(f"code {left[0]}", path=f"src/{left[0]}.py").push().accepted()
        return moves.block(task, seat.hands(), "Waits", None)

    return change


def test_the_commit_is_pushed_and_what_is_checked_out_stays(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice").switch("work").code()
    alice.write("src/new.py", "y = 2\n").write("work.md", alice.read() + "\nNot mine to commit\n").git("add", "work.md")
    before = place(alice)
    with at(alice):
        landed = land(How(), block())
    assert landed.commit is not None
    assert (landed.pushed, landed.seat.attempt, landed.notes) == (True, 1, ())
    assert repo.refs()["refs/heads/main"] == landed.commit.id.decode()
    assert state(repo) == "blocked"
    assert place(alice) == before
    assert landed.as_of["commit"] == landed.commit.id.decode()


def test_a_clean_checkout_of_the_branch_follows(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.write("untracked.txt", "mine\n")
    with at(alice):
        landed = land(How(), block())
    assert landed.commit is not None
    assert alice.head() == landed.commit.id.decode()
    assert "state: blocked" in alice.read()


@pytest.mark.parametrize("staged", [False, True])
def test_a_changed_checkout_of_the_branch_stays_and_is_told(repo: Repo, at: At, *, staged: bool) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.write("README.md", "# Mine\n")
    if staged:
        alice.git("add", "README.md")
    before = place(alice)
    with at(alice):
        landed = land(How(), block())
    assert any("git pull --no-rebase once they are committed" in note for note in landed.notes)
    assert place(alice) == before
    assert state(repo) == "blocked"


def test_a_file_in_the_way_of_following_is_left(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    repo.clone("bob").code(path="src/extra.py", text="theirs = 1\n").push().accepted()
    alice.write("src/extra.py", "mine = 1\n")
    with at(alice):
        landed = land(How(), block())
    assert any("git pull --no-rebase once they are committed" in note for note in landed.notes)
    assert alice.read("src/extra.py") == "mine = 1\n"


def test_own_commits_of_the_branch_go_first(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice").code().code(path="src/b.py")
    with at(alice), pytest.raises(Stopped, match=r"your main is 2 ahead of origin/main: git push origin main") as stop:
        land(How(), block())
    assert stop.value.exit == REFUSED
    repo.clone("bob").code(path="src/c.py").push().accepted()
    with (
        at(alice),
        pytest.raises(Stopped, match=r"2 ahead of origin/main: git pull --no-rebase origin main && git push"),
    ):
        land(How(), block())
    assert state(repo) == "todo"


def test_it_starts_anew_when_the_branch_moves_by_others(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    with at(alice):
        landed = land(How(), plan_of("FEAT-1", "block", moved_by_others(repo, 2)))
    assert landed.seat.attempt == 3
    assert state(repo) == "blocked"
    assert repo.on_server("log", "--format=%s", "-1", "main") == "FEAT-1: block"


def test_without_fetching_there_is_one_try(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    with at(alice), pytest.raises(Stopped, match="without --no-fetch") as stop:
        land(How(fetch=False), plan_of("FEAT-1", "block", moved_by_others(repo)))
    assert stop.value.exit == LATER
    assert state(repo) == "todo"


def test_a_branch_that_never_rests_ends_the_tries(repo: Repo, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    monkeypatch.setattr(landing, "RETRY_SECONDS", 0)
    monkeypatch.setattr(landing, "RETRY_TRIES", 2)
    with at(alice), pytest.raises(Stopped, match="kept moving") as stop:
        land(How(), plan_of("FEAT-1", "block", moved_by_others(repo, 5)))
    assert stop.value.exit == LATER


@pytest.mark.parametrize("by", ["state", "owner"])
def test_a_task_that_moved_meanwhile_is_lost(repo: Repo, at: At, by: str) -> None:
    alice, bob = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    done: list[int] = []

    def change(seat: Seat, task: Task) -> Edit:
        if not done:
            done.append(1)
            bob.fresh()
            (bob.reject("FEAT-1") if by == "state" else bob.edit("FEAT-1", owner="human:bob")).commit("FEAT-1").push()
        return moves.block(task, seat.hands(), "Waits", None)

    before = place(alice)
    with at(alice), pytest.raises(Stopped, match=r"lost FEAT-1: .*Nothing of yours changed") as stop:
        land(How(), plan_of("FEAT-1", "block", change))
    assert stop.value.exit == LOST
    assert place(alice) == before
    assert state(repo) == ("rejected" if by == "state" else "todo")


def test_another_field_of_the_task_may_change_meanwhile(repo: Repo, at: At) -> None:
    alice, bob = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    done: list[int] = []

    def change(seat: Seat, task: Task) -> Edit:
        if not done:
            done.append(1)
            bob.fresh().edit("FEAT-1", priority="critical").commit("FEAT-1 is urgent").push().accepted()
        return moves.block(task, seat.hands(), "Waits", None)

    with at(alice):
        land(How(), plan_of("FEAT-1", "block", change))
    fields = repo.fields("FEAT-1")
    assert (fields["state"], fields["priority"]) == ("blocked", "critical")


def test_what_the_judge_refuses_is_not_pushed(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    before = repo.refs()
    plan = plan_of("FEAT-1", "reject", lambda _, __: Edit(sets={"state": "rejected"}))
    with at(alice), pytest.raises(Stopped) as stop:
        land(How(), plan)
    assert stop.value.exit == REFUSED
    assert "CD206" in {finding.code for finding in stop.value.findings}
    assert repo.refs() == before


def test_what_only_another_may_do_is_exit_6(repo: Repo, at: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    with at(builder), pytest.raises(Stopped) as stop:
        land(How(), block())
    assert stop.value.exit == NEEDS_OTHER
    assert {finding.code for finding in stop.value.findings} == {"CD202"}


def test_a_dry_run_shows_the_change_and_makes_none(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    before = repo.refs()
    with at(alice):
        landed = land(How(dry_run=True), block())
    assert landed.commit is None
    assert "+  state: blocked" in landed.diff
    assert "message: FEAT-1: block" in landed.diff
    assert repo.refs() == before


# -- without the remote


def test_without_pushing_it_lands_on_the_clones_own_branch(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    before = repo.refs()
    with at(alice):
        landed = land(How(push=False), block())
    assert (landed.pushed, repo.refs()) == (False, before)
    assert "state: blocked" in alice.read()
    assert alice.git("status", "--porcelain") == ""
    alice.push().accepted()


def test_a_clone_without_remote_works_on_its_own_branch(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("remote", "remove", "origin")
    with at(alice):
        landed = land(How(), block())
    assert landed.seat.board.headline.endswith("no remote")
    assert landed.as_of["fetched"] is None
    assert "state: blocked" in alice.read()


def test_an_own_branch_that_lags_behind_is_pulled_first(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    repo.clone("bob").code().push().accepted()
    alice.fetch()
    with at(alice), pytest.raises(Stopped, match="main lacks commits that origin/main has: git switch main"):
        land(How(push=False), block())


def test_a_changed_document_is_not_written_over(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("remote", "remove", "origin")
    alice.write("work.md", alice.read() + "\nMine\n")
    with at(alice), pytest.raises(Stopped, match=r"work\.md is changed here"):
        land(How(), block())
    assert alice.read().endswith("Mine\n")


# -- the remote


@pytest.mark.parametrize("word", ["nowhere.git", "https://127.0.0.1:9/shop.git"])
def test_a_remote_that_is_not_reached_is_exit_7(repo: Repo, at: At, word: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("config", "remote.origin.url", word)
    with at(alice), pytest.raises(Stopped, match="origin is not reached") as stop:
        land(How(), block())
    assert stop.value.exit == LATER


def test_a_remote_without_the_branch_is_told(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    repo.on_server("update-ref", "-d", "refs/heads/main")
    with at(alice), pytest.raises(Stopped, match="origin has no branch main yet: git push origin main"):
        land(How(), block())


def hook(repo: Repo, text: str) -> None:
    """Another hook of the server's, in place of the guard's."""
    path = repo.bare / "hooks" / "pre-receive"
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "GitLab: You are not allowed to push code to protected branches on this project.",
            "main is protected on origin",
        ),
        ("the build is red", "origin did not take it"),
    ],
)
def test_a_refusal_for_a_reason_of_the_servers_own_is_exit_7(repo: Repo, at: At, said: str, words: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    hook(repo, f"echo '{said}' >&2; exit 1")
    with at(alice), pytest.raises(Stopped, match=words) as stop:
        land(How(), block())
    assert stop.value.exit == LATER
    assert said in str(stop.value)


@pytest.mark.parametrize(("code", "ended"), [("CD303", LOST), ("CD301 CD305", REFUSED), ("GD101", 3)])
def test_a_refusal_by_the_servers_guard_ends_as_its_codes_say(repo: Repo, at: At, code: str, ended: int) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    hook(repo, f"echo 'codifica-guard: push refused, 1 error: {code}' >&2; echo 'found: x' >&2; exit 1")
    with at(alice), pytest.raises(Stopped, match="the server refused it") as stop:
        land(How(), block())
    assert stop.value.exit == ended
    assert "found: x" in str(stop.value)


def wrapped(folder: Path, script: str) -> dict[str, str]:
    """An environment in which `git` is a script that may call the real one, `$real`."""
    folder.mkdir()
    real = next(p for p in map(Path, os.environ["PATH"].split(os.pathsep)) if (p / "git").exists()) / "git"
    path = folder / "git"
    path.write_text(f"#!/bin/sh\nreal={real}\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def test_a_push_whose_answer_is_lost_is_found_on_the_remote(repo: Repo, at: At, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    lossy = 'for word; do [ "$word" = push ] && { "$real" "$@" >/dev/null 2>&1; echo "fatal: the line broke" >&2; exit 128; }; done; exec "$real" "$@"'
    with at(alice, wrapped(tmp_path / "bin", lossy)):
        landed = land(How(), block())
    assert landed.commit is not None
    assert repo.refs()["refs/heads/main"] == landed.commit.id.decode()


def test_a_push_that_never_arrived_is_told(repo: Repo, at: At, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    broken = (
        'for word; do [ "$word" = push ] && { echo "fatal: the line broke" >&2; exit 128; }; done; exec "$real" "$@"'
    )
    with at(alice, wrapped(tmp_path / "bin", broken)), pytest.raises(Stopped, match="the line broke") as stop:
        land(How(), block())
    assert stop.value.exit == LATER
    assert state(repo) == "todo"


def test_a_push_of_which_nothing_is_known_keeps_the_token(repo: Repo, at: At, tmp_path: Path) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    gone = 'for word; do [ "$word" = push ] && { touch "$0.gone"; echo "fatal: the line broke" >&2; exit 128; }; [ "$word" = fetch ] && [ -e "$0.gone" ] && exit 128; done; exec "$real" "$@"'
    env = {**wrapped(tmp_path / "bin", gone), "CODIFICA_TOKEN_DIR": str(tmp_path / "tokens")}
    made: list[str] = []
    with at(builder, env), pytest.raises(Stopped, match="not known: look again") as stop:
        land(How(), claim(made))
    assert stop.value.exit == LATER
    assert (tmp_path / "tokens" / "shop" / "FEAT-1").read_text().split() == made


def test_a_secret_of_a_token_never_leaves(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    before = repo.refs()
    secret = new_token().text
    with at(alice), pytest.raises(Stopped) as stop:
        land(How(), block(why=f"take {secret}"))
    assert [finding.code for finding in stop.value.findings] == ["ID108"]
    assert secret not in str(stop.value)
    assert repo.refs() == before


def test_a_git_that_does_not_end_is_given_up(
    repo: Repo, at: At, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codifica_guard.verbs.remote.NETWORK_SECONDS", 0.5)
    alice = repo.task("FEAT-1").clone("alice")
    slow = 'for word; do [ "$word" = fetch ] && exec sleep 20; done; exec "$real" "$@"'
    with (
        at(alice, wrapped(tmp_path / "bin", slow)),
        pytest.raises(Stopped, match=r"did not end within 0\.5 seconds"),
    ):
        land(How(), block())


def test_a_server_that_says_nothing_is_given_up(repo: Repo, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "codifica_guard.verbs.remote._STALLED", ("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=1")
    )
    alice = repo.task("FEAT-1").clone("alice")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        alice.git("config", "remote.origin.url", f"http://127.0.0.1:{silent.getsockname()[1]}/shop.git")
        with at(alice), pytest.raises(Stopped, match="origin is not reached") as stop:
            land(How(), block())
    assert stop.value.exit == LATER


def test_a_ref_that_another_process_holds_is_as_good(repo: Repo, at: At, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    busy = 'for word; do [ "$word" = fetch ] && { echo "error: cannot lock ref \'refs/remotes/origin/main\'" >&2; exit 1; }; done; exec "$real" "$@"'
    with at(alice, wrapped(tmp_path / "bin", busy)):
        assert land(How(), block()).pushed


# -- who


def test_without_a_policy_there_is_nothing_to_land_on(repo: Repo, at: At) -> None:
    alice = repo.not_introduced().clone("alice")
    with at(alice), pytest.raises(UsageError, match="no policy yet"):
        land(How(), block())


def test_a_branch_that_the_remote_has_no_policy_on_is_told(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    repo.on_server("update-ref", "refs/heads/main", alice.head("main~1"))
    with at(alice), pytest.raises(UsageError, match="origin/main has no policy yet: git push origin main"):
        land(How(), block())


def test_an_agent_that_git_does_not_know_goes_by_its_own_name(repo: Repo, at: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    (builder.home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n[gc]\n\tauto = 0\n")
    plan = plan_of("FEAT-1", "claim", lambda seat, task: moves.claim(task, seat.hands(), None, "Starting"))
    with at(builder, {"CODIFICA_SIGNING_KEY": str(repo.keys.private("builder"))}):
        landed = land(How(), plan)
    assert landed.commit is not None
    assert landed.commit.author.startswith(b"builder <builder@agent.invalid> ")


def test_a_person_that_git_does_not_know_is_asked_to_say_who_he_is(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    (alice.home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    with (
        at(alice, {"CODIFICA_SIGNING_KEY": str(repo.keys.private("alice"))}),
        pytest.raises(UsageError, match=r"user\.name"),
    ):
        land(How(), block())


# -- tokens


def claim(token_of: list[str]) -> Plan:
    def plan(seat: Seat) -> Proposal:
        task, token = seat.board.task("FEAT-1"), new_token()
        token_of.append(token.text)
        return propose(seat, task, moves.claim(task, seat.hands("s-1"), token.public_line, "Go"), "claim", token)

    return plan


def test_a_new_token_is_kept_and_one_of_a_try_that_did_not_land_is_not(repo: Repo, at: At, tmp_path: Path) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    made: list[str] = []
    other = repo.clone("bob")
    inner = claim(made)

    def plan(seat: Seat) -> Proposal:
        if not made:
            other.fresh().code().push().accepted()
        return inner(seat)

    with at(builder, {"CODIFICA_TOKEN_DIR": str(tmp_path / "tokens")}):
        landed: Landed = land(How(), plan)
    assert landed.seat.attempt == 2
    path = tmp_path / "tokens" / "shop" / "FEAT-1"
    assert path.read_text().split() == [made[1]]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_token_folder_in_the_work_tree_is_refused(repo: Repo, at: At) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    with at(builder, {"CODIFICA_TOKEN_DIR": "tokens"}), pytest.raises(UsageError, match="an absolute path"):
        land(How(), claim([]))
    assert builder.git("status", "--porcelain") == ""
    assert state(repo) == "todo"


def test_a_refused_claim_leaves_no_token(repo: Repo, at: At, tmp_path: Path) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    hook(repo, "exit 1")
    with at(builder, {"CODIFICA_TOKEN_DIR": str(tmp_path / "tokens")}), pytest.raises(Stopped):
        land(How(), claim([]))
    assert not (tmp_path / "tokens" / "shop" / "FEAT-1").exists()


def test_a_dry_run_keeps_no_token(repo: Repo, at: At, tmp_path: Path) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    with at(builder, {"CODIFICA_TOKEN_DIR": str(tmp_path / "tokens")}):
        land(How(dry_run=True), claim([]))
    assert not (tmp_path / "tokens").exists()
