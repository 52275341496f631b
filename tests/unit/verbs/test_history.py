"""The past of tasks, from the commits of the coordination branch."""

import re
import subprocess

import pytest

from codifica_guard.clone.desk import open_desk
from codifica_guard.model.act import Act, Deed, Mark
from codifica_guard.model.ids import TaskId
from codifica_guard.verbs import history
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.history import History, signing_acts
from tests.building import Clone, Repo, at, tasks
from tests.building.times import seconds
from tests.unit.verbs.conftest import At


def steps(clone: Clone, at_: At, task: str | None = None) -> list[Act]:
    """The steps of a task, newest first, of the clone's own tip."""
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    with at_(clone), open_desk(seconds()) as desk:
        return list(History(board=board_at(desk)).acts(None if task is None else TaskId(task)))


@pytest.fixture(name="at_")
def _at(at: At) -> At:
    return at


def moves(found: list[Act]) -> list[tuple[str, str]]:
    """From and to."""
    return [(step.source, step.target) for step in found]


def test_a_merge_that_decides_is_told_and_one_that_takes_a_side_is_not(repo: Repo, at_: At) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.switch("side").move("FEAT-1", "rejected", completed_at=at()).commit("FEAT-1: reject")
    alice.checkout("main").move("FEAT-1", "blocked", blocked_reason="x").commit("FEAT-1: block")
    text = alice.read().replace("state: blocked", "state: done")
    alice.merge("side", options=["-X", "ours"], files={"work.md": text}, proof="trailers")
    found = steps(alice, at_, "FEAT-1")
    assert moves(found)[0] == ("blocked", "done")
    assert found[0].commit.decode() == alice.head()
    assert (found[0].actor, found[0].deed) == ("human:alice", Deed.CHOOSE)
    assert sorted(moves(found)[1:]) == [("new", "todo"), ("todo", "blocked"), ("todo", "rejected")]


def test_a_merge_that_only_joins_did_nothing_itself(repo: Repo, at_: At) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.switch("side").edit("FEAT-1", labels=["a"]).commit("FEAT-1: label")
    alice.checkout("main").edit("FEAT-1", priority="low").commit("FEAT-1: priority")
    joined = alice.read().replace("priority: low", "priority: low\n  labels: [a]")
    alice.merge("side", options=["-X", "ours"], files={"work.md": joined}, proof="none")
    found = steps(alice, at_, "FEAT-1")
    assert [step.deed for step in found] == [Deed.EDIT, Deed.EDIT, Deed.NEW]
    assert {step.mark for step in found[:2]} == {Mark.SIGNED}


def test_a_task_that_a_merge_drops_is_gone(repo: Repo, at_: At) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.switch("side").code("x").checkout("main").edit("FEAT-2", title="y").commit("FEAT-2: title")
    block = tasks.block(alice.fields("FEAT-1"))
    alice.merge("side", files={"work.md": alice.read().replace(block, "")})
    assert moves(steps(alice, at_, "FEAT-1")) == [("todo", "gone"), ("new", "todo")]
    assert ("FEAT-1", "gone") in [(step.task, step.target) for step in steps(alice, at_)]


def test_a_commit_without_an_entry_names_whom_its_signature_claims(repo: Repo, at_: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.edit("FEAT-1", state="in_progress").commit(
        "FEAT-1: claim", proof="none", trailers=[("Codifica-Actor", "agent:writer")]
    )
    found = steps(builder, at_, "FEAT-1")[0]
    assert (found.actor, found.claimed, found.mark, found.judged, found.reason) == (
        None,
        "agent:writer",
        Mark.UNPROVEN,
        True,
        None,
    )


def test_what_is_asked_for_and_whose_it_is_are_told_beside_the_steps(repo: Repo, at_: At) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.edit("FEAT-1", acceptance=["Less"], owner="agent:builder").commit("FEAT-1: less")
    alice.move("FEAT-1", "blocked", blocked_reason="x", owner="unassigned", priority="low").commit("FEAT-1: block")
    alice.note("FEAT-1").commit("FEAT-1: a note is daily work", proof="none")
    found = steps(alice, at_, "FEAT-1")
    assert [(step.source, step.target, set(step.edited)) for step in found] == [
        ("todo", "blocked", {"priority"}),
        ("todo", "todo", {"acceptance", "owner"}),
        ("new", "todo", set()),
    ]
    assert found[1].actor == "human:alice"


def test_a_token_of_another_claim_proves_no_session(repo: Repo, at_: At) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", writer=repo.keys.line("mine")).commit("FEAT-1: claim", proof="trailers", tokens=["other"])
    builder.hand_in("FEAT-1").commit("FEAT-1: hand in", proof="trailers", tokens=["mine"])
    assert [step.token for step in steps(builder, at_, "FEAT-1")] == [True, False, False]


def test_what_the_introduction_itself_moves_is_judged_by_its_own_policy(repo: Repo, at_: At) -> None:
    alice = repo.not_introduced().task("FEAT-1").clone("alice")
    alice.write_all(repo.trust_files()).edit("FEAT-1", state="rejected").commit("Introduce the guard")
    found = steps(alice, at_, "FEAT-1")
    assert [(step.actor, step.judged) for step in found] == [("human:alice", True), (None, False)]


def test_a_fence_of_wildcards_is_followed_below_its_folder(repo: Repo, at_: At) -> None:
    alice = repo.settings(state=["work/**/*.md", "more.md"]).task("FEAT-1", document="work/a/b.md").clone("alice")
    alice.code("no task moves").move("FEAT-1", "rejected", completed_at=at()).commit("FEAT-1: reject")
    assert moves(steps(alice, at_, "FEAT-1")) == [("todo", "rejected"), ("new", "todo")]
    with at_(alice), open_desk(seconds()) as desk:
        assert len(History(board=board_at(desk)).commits) == 2


def test_documents_may_lie_anywhere(repo: Repo, at_: At) -> None:
    alice = repo.settings(state=["*.md", "work/**"]).task("FEAT-1", document="tasks.md").clone("alice")
    alice.code("no task moves").move("FEAT-1", "rejected", completed_at=at()).commit("FEAT-1: reject")
    assert moves(steps(alice, at_, "FEAT-1")) == [("todo", "rejected"), ("new", "todo")]


def test_more_commits_than_are_looked_at_are_told(repo: Repo, at_: At, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = repo.task("FEAT-1").clone("alice").move("FEAT-1", "rejected", completed_at=at()).commit("FEAT-1: reject")
    alice.git("update-ref", "refs/remotes/origin/main", "HEAD")
    monkeypatch.setattr(history, "HISTORY_COMMITS", 1)
    with at_(alice), open_desk(seconds()) as desk:
        past = History(board=board_at(desk))
        assert past.too_long
        assert moves(list(past.acts())) == [("todo", "rejected")]


def test_who_signed_is_the_newest_claim_and_what_followed_it(repo: Repo, at_: At) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").task("FEAT-3", "to_be_tested").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").hand_in("FEAT-1").commit("FEAT-1: hand in")
    first = builder.head()
    builder.back("FEAT-1").commit("FEAT-1: back").claim("FEAT-1").commit("FEAT-1: claim")
    builder.git("update-ref", "refs/remotes/origin/main", "HEAD")
    with at_(builder), open_desk(seconds()) as desk:
        board = board_at(desk)
        claim, handed_in = signing_acts(board, board.task("FEAT-1"))
        assert claim is not None
        assert (claim.commit.decode(), handed_in) == (builder.head(), None)
        assert signing_acts(board, board.task("FEAT-2")) == (None, None)
        assert signing_acts(board, board.task("FEAT-3")) == (None, None)
    builder.git("update-ref", "refs/remotes/origin/main", first)
    with at_(builder), open_desk(seconds()) as desk:
        board = board_at(desk)
        claim, handed_in = signing_acts(board, board.task("FEAT-1"))
        assert claim is not None
        assert handed_in is not None
        assert (claim.commit.decode(), handed_in.commit.decode()) == (builder.head(f"{first}~1"), first)


def test_the_edits_of_a_long_history_are_all_found(repo: Repo, at_: At) -> None:
    for number in range(50):
        repo.task(f"FEAT-{number}")
    alice = repo.clone("alice")
    text, stream = alice.read(), []
    for number in range(200):
        name = f"FEAT-{number % 50}"
        text = re.sub(rf"(- id: {name}\n(?:  .*\n)*?  title: )[^\n]*", rf"\g<1>Title {number}", text, count=1)
        stream.append(
            f"commit refs/heads/main\ncommitter A <a@example.org> {seconds()} +0000\ndata 4\nWork\n"
            + ("from refs/heads/main^0\n" if number == 0 else "")
            + f"M 100644 inline work.md\ndata {len(text)}\n{text}\n"
        )
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=alice.folder, input="".join(stream).encode(), check=True, timeout=100
    )
    found = steps(alice, at_, "FEAT-7")
    assert [step.edited for step in found] == [("title",)] * 4 + [()]
    assert found[-1].source == "new"
