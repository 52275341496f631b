"""The tasks of the coordination branch at one tip."""

import os
import time

import pytest

from codifica_guard.clone.desk import open_desk
from codifica_guard.errors import UsageError
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.remote import fetched_at
from codifica_guard.verbs.stopped import Stopped
from tests.building import Repo
from tests.unit.verbs.conftest import At

NOW = 2_000_000_000


def test_an_unknown_task_gets_the_nearest(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-101").task("FEAT-102").task("BUG-7").clone("alice")
    with at(alice), open_desk(NOW) as desk:
        board = board_at(desk)
        assert board.record(" FEAT-101\n").block.id == "FEAT-101"
        with pytest.raises(UsageError, match=r"no task feat-101 on origin/main; the nearest: FEAT-101, FEAT-102"):
            board.record("feat-101")
        with pytest.raises(UsageError, match=r"no task \?\?\?\? on origin/main$"):
            board.record("????")


def test_an_id_that_stands_twice_is_nobodys(repo: Repo, at: At) -> None:
    text = "```yaml\n- id: FEAT-1\n  type: build\n  state: todo\n  owner: unassigned\n  title: A\n```\n"
    alice = repo.document("work.md", text + "\n" + text).clone("alice")
    with at(alice), open_desk(NOW) as desk, pytest.raises(Stopped, match=r"more than once: work\.md:2, work\.md:10"):
        board_at(desk).task("FEAT-1")


def test_a_task_that_cannot_be_read_is_named_with_its_line(repo: Repo, at: At) -> None:
    text = "```yaml\n- id: FEAT-1\n  type: build\n  title: `A`\n```\n"
    alice = repo.document("work.md", text).clone("alice")
    with at(alice), open_desk(NOW) as desk, pytest.raises(Stopped, match=r"FEAT-1 cannot be read: ST101 work\.md:4"):
        board_at(desk).task("FEAT-1")


def test_without_the_remotes_branch_it_says_what_to_fetch(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("update-ref", "-d", "refs/remotes/origin/main")
    with (
        at(alice),
        open_desk(NOW) as desk,
        pytest.raises(UsageError, match=r"no main, as last fetched: git fetch origin"),
    ):
        board_at(desk)


def test_without_the_clones_own_branch_it_says_how_to_make_it(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice").switch("work")
    alice.git("branch", "-D", "-q", "main")
    with at(alice), open_desk(NOW) as desk, pytest.raises(UsageError, match=r"git branch main origin/main"):
        board_at(desk, local=True)


def test_a_branch_of_ones_own_without_policy_asks_for_the_introduction(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice").switch("work")
    alice.git("branch", "-f", "main", "HEAD~1")
    with (
        at(alice),
        open_desk(NOW) as desk,
        pytest.raises(UsageError, match=r"lacks what origin/main has: git switch main && git pull"),
    ):
        board_at(desk, local=True)
    alice.git("update-ref", "-d", "refs/remotes/origin/main")
    with (
        at(alice),
        open_desk(NOW) as desk,
        pytest.raises(UsageError, match=r"main has no policy yet: git codifica init"),
    ):
        board_at(desk, local=True)


def test_a_broken_codifica_json_is_told_when_it_is_asked_for(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").file("codifica.json", None).settings(protocol="other").clone("alice")
    with at(alice), open_desk(NOW) as desk:
        board = board_at(desk)
        with pytest.raises(UsageError, match=r"codifica\.json is missing on origin/main"):
            _ = board.codifica


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("../shop.git", "shop"),
        ("git@example.org:team/shop.git", "shop"),
        ("example.org:shop", "shop"),
        ("https://example.org/a/My%20Shop.git/", "My-20Shop"),
        ("https://example.org/..", "repository"),
    ],
)
def test_the_repository_has_the_remotes_name(repo: Repo, at: At, url: str, name: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("config", "remote.origin.url", url)
    with at(alice), open_desk(NOW) as desk:
        assert board_at(desk).repository == name


def test_without_a_remote_it_has_the_folders_name(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("remote", "remove", "origin")
    with at(alice), open_desk(NOW) as desk:
        board = board_at(desk)
        assert (board.repository, board.ref, board.shared) == ("alice", "main", False)


def test_the_only_remote_is_the_one_whatever_it_is_called(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.git("remote", "rename", "origin", "up")
    with at(alice), open_desk(NOW) as desk:
        assert (board_at(desk).ref, board_at(desk).shared) == ("up/main", True)


@pytest.mark.parametrize(("named", "words"), [("orgin", "names orgin, which is no remote"), (None, "several remotes")])
def test_a_remote_that_is_not_known_is_never_taken_for_none(repo: Repo, at: At, named: str | None, words: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    if named:
        alice.git("config", "codifica.remote", named)
    else:
        alice.git("remote", "rename", "origin", "up")
        alice.git("remote", "add", "fork", "../fork.git")
    with at(alice), open_desk(NOW) as desk, pytest.raises(UsageError, match=words) as told:
        board_at(desk)
    assert "git config codifica.remote NAME" in str(told.value)


def test_the_age_of_what_is_shown_is_that_of_the_last_look(repo: Repo, at: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    now = int(time.time())
    with at(builder), open_desk(now) as desk:
        assert fetched_at(desk) is not None  # a new clone was fetched when it was made
        fetch_head = builder.folder / ".git" / "FETCH_HEAD"
        fetch_head.touch()
        os.utime(fetch_head, (now - 600, now - 600))
        assert fetched_at(desk) == now - 600
        assert board_at(desk).headline.endswith(", fetched 10 min ago")
    with at(builder), open_desk(now) as desk:
        fetch_head.unlink()
        (builder.folder / ".git" / "refs" / "remotes" / "origin" / "HEAD").unlink()
        assert fetched_at(desk) is None
        assert board_at(desk).headline.endswith(", not fetched yet")
        assert board_at(desk).as_of["fetched"] is None


def test_a_task_that_the_branch_always_had_changed_in_its_first_commit(repo: Repo, at: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    with at(alice), open_desk(NOW) as desk:
        board = board_at(desk)
        first = alice.git("rev-list", "--max-parents=0", "HEAD")
        assert board.changed_in(board.record("FEAT-1").block.id) == first.encode()
        assert board.silent_since(board.record("FEAT-1").block.id) == int(alice.git("log", "-1", "--format=%ct", first))
