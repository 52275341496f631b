"""Which files hold the tasks: one path, globs, lists of both, and what happens when they come, go and move."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.building import Clone, Repo
from tests.building.board import document, fence
from tests.building.tasks import block, entry, note, task


def page(*idents: str, state: str = "todo") -> str:
    """A document with some tasks."""
    return document(fence(*(block(task(ident, state)) for ident in idents)))


def changed(clone: Clone, path: str) -> Clone:
    """An unsigned commit that changes the title of the one task of a document."""
    return clone.rewrite(lambda board: board.replace("title: Task", "title: Other task"), path).commit(
        "Titles", proof="none"
    )


# -- which paths are state documents: whatever is one is closed to unsigned commits


@pytest.mark.parametrize(
    ("state", "path", "is_state"),
    [
        ("work.md", "work.md", True),
        ("./work.md", "work.md", True),
        ("./work/*.md", "work/a.md", True),
        ("work/*.md", "work/a.md", True),
        ("work/*.md", "work/.hidden.md", True),
        ("work/*.md", "work/deep/a.md", False),
        ("work/**/*.md", "work/a.md", True),
        ("work/**/*.md", "work/deep/down/a.md", True),
        ("**/tasks.md", ".plans/tasks.md", True),
        ("*.md", "sub/a.md", False),
        ("{work,plan}/[ab].md", "plan/b.md", True),
        ("{work,plan}/[ab].md", "plan/c.md", False),
        (["work.md", "plans/**"], "plans/a/b.md", True),
        (["plans/**", "!plans/old/**"], "plans/old/a.md", False),
        (["!plans/old/**", "plans/**"], "plans/new/a.md", True),
        (["work.md", "Work/*.md"], "work/a.md", False),
        ("work/@(a|b).md", "work/b.md", True),
        (r"work/\[a\].md", "work/[a].md", True),
    ],
)
def test_what_the_settings_name_is_a_state_document(
    repo: Repo, state: str | Sequence[str], path: str, *, is_state: bool
) -> None:
    repo.settings(state=state).document(path, page("FEAT-1"))
    for other in ("work.md", "work/a.md", "a.md", "plans/new/a.md", "plan/a.md", "plans/a.md"):
        if other != path:  # so that the settings always name something
            repo.document(other, "# Nothing yet\n")
    push = changed(repo.clone("builder"), path).push()
    if is_state:
        push.refused("ID106", path)
    else:
        push.accepted()


def test_tasks_of_several_documents_are_one_board(repo: Repo) -> None:
    repo.settings(state=["work.md", "web/*.md"]).rules(max_concurrent_tasks_per_agent=1)
    repo.task("FEAT-1").task("WEB-1", document="web/a.md").task("WEB-2", document="web/b.md", depends_on=["FEAT-1"])
    builder = repo.clone("builder")
    builder.claim("WEB-2").commit("WEB-2: claim").push().refused("CD307", "FEAT-1")
    builder.fresh().claim("WEB-1").commit("WEB-1: claim").push().accepted()
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().refused("CD305", "WEB-1")


def test_a_dependency_stands_in_another_document(repo: Repo) -> None:
    repo.settings(state=["work.md", "web.md"]).task("FEAT-1", "done").task(
        "WEB-1", document="web.md", depends_on=["FEAT-1"]
    )
    repo.clone("builder").claim("WEB-1").commit("WEB-1: claim").push().accepted()


def test_circles_and_followups_reach_over_documents(repo: Repo) -> None:
    repo.settings(state=["work.md", "web.md"]).task("FEAT-1", depends_on=["WEB-1"]).task("WEB-1", document="web.md")
    alice = repo.clone("alice")
    alice.add("FOL-1", type="followup", derived_from="WEB-1").commit("FOL-1: new").push().accepted()
    alice.edit("WEB-1", depends_on=["FEAT-1"]).commit("WEB-1: waits").push().refused("CD308", "FEAT-1", "WEB-1")


def test_an_id_that_differs_by_case_in_another_document_is_refused(repo: Repo) -> None:
    repo.settings(state=["work.md", "web.md"]).task("FEAT-1").task("WEB-1", document="web.md")
    repo.clone("alice").add("feat-1", path="web.md").commit("feat-1: new").push().refused("CD103", "FEAT-1")


def test_one_document_that_cannot_be_read_leaves_the_others_alone(repo: Repo) -> None:
    broken = page("WEB-1").replace("title: Task", "title: `a` Task")
    repo.settings(state=["work.md", "web.md"]).document("web.md", broken).document("work.md", page("FEAT-1"))
    builder = repo.clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    assert "title: `a`" in builder.read("web.md")


# -- documents that come and go


def test_a_human_begins_a_document_that_a_pattern_names(repo: Repo) -> None:
    alice = repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").clone("alice")
    alice.write("work/b.md", page("FEAT-2")).commit("FEAT-2: new").push().accepted()
    changed(alice, "work/b.md").push().refused("ID106")


def test_an_agent_begins_no_document(repo: Repo) -> None:
    builder = repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").clone("builder")
    builder.write("work/b.md", page("FEAT-2")).commit("FEAT-2: new").push().refused("CD405", "work/b.md")


def test_nobody_unsigned_begins_a_document(repo: Repo) -> None:
    builder = repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").clone("builder")
    builder.write("work/b.md", page("FEAT-2")).commit("New", proof="none").push().refused("ID106")


def _renamed(repo: Repo, who: str) -> Clone:
    clone = (
        repo.settings(state=["work.md", "web.md"]).task("FEAT-1", "done").task("WEB-1", document="web.md").clone(who)
    )
    clone.git("mv", "web.md", "site.md")
    settings = json.loads(clone.read("codifica.json"))
    return clone.write("codifica.json", json.dumps({**settings, "state": ["work.md", "site.md"]})).commit(
        "WEB-1: site.md"
    )


def test_a_maintainer_gives_a_document_another_name(repo: Repo) -> None:
    alice = _renamed(repo, "alice")
    alice.push().accepted()
    changed(alice, "site.md").push().refused("ID106")


def test_nobody_else_gives_a_document_another_name(repo: Repo) -> None:
    _renamed(repo, "bob").push().refused("ID109")


def test_a_document_is_divided_by_a_human(repo: Repo) -> None:
    alice = repo.settings(state="work/*.md").document("work/a.md", page("FEAT-1", "FEAT-2", "FEAT-3")).clone("alice")
    moved: list[str] = []
    alice.rewrite(lambda board: moved.append(board.take("FEAT-2")), "work/a.md")
    alice.write("work/b.md", document(fence(*moved))).commit("FEAT-2: a page of its own").push().accepted()


def test_settings_that_let_a_document_go_leave_its_tasks_to_a_maintainer(repo: Repo) -> None:
    repo.settings(state=["work.md", "web.md"]).task("FEAT-1").task("WEB-1", "in_progress", document="web.md")
    builder = repo.clone("builder")
    settings = json.loads(builder.read("codifica.json"))
    builder.write("codifica.json", json.dumps({**settings, "state": "work.md"})).commit("WEB-1: free")
    builder.push().refused("ID109")


# -- tasks that move between documents


def _moved(repo: Repo, who: str, ident: str = "FEAT-1", proof: str = "git", **changes: str) -> Clone:
    repo.settings(state="work/*.md").task("FEAT-1", "done", document="work/a.md").task("FEAT-2", document="work/a.md")
    repo.task("FEAT-3", "in_progress", document="work/a.md").task(
        "FEAT-4", "done", "agent:writer", document="work/a.md"
    )
    clone = repo.task("OLD-1", "done", document="work/old.md").clone(who)
    if changes:
        clone.edit(ident, **changes)
    moved: list[str] = []
    clone.rewrite(lambda board: moved.append(board.take(ident)), "work/a.md")
    clone.rewrite(lambda board: board.add(moved[0]), "work/old.md")
    return clone.commit(f"{ident}: archive", proof=proof)  # type: ignore[arg-type]


@pytest.mark.parametrize("proof", ["git", "trailers"])
@pytest.mark.parametrize("who", ["alice", "bob", "builder"])
def test_a_finished_task_moves_as_it_is(repo: Repo, who: str, proof: str) -> None:
    _moved(repo, who, proof=proof).push().accepted()


@pytest.mark.parametrize("ident", ["FEAT-2", "FEAT-3"])
def test_a_human_moves_any_task(repo: Repo, ident: str) -> None:
    _moved(repo, "alice", ident).push().accepted()


def test_an_agent_moves_no_unfinished_task(repo: Repo) -> None:
    _moved(repo, "builder", "FEAT-3").push().refused("CD405", "only a finished one moves")


@pytest.mark.parametrize("ident", ["FEAT-2", "FEAT-4"])
def test_an_agent_moves_no_task_of_others(repo: Repo, ident: str) -> None:
    _moved(repo, "builder", ident).push().refused("CD404")


def test_nobody_unsigned_moves_a_task(repo: Repo) -> None:
    _moved(repo, "alice", proof="none").push().refused("ID106")


def test_an_agent_edits_nothing_in_a_move(repo: Repo) -> None:
    _moved(repo, "builder", labels="[x]").push().refused("CD410", "work/a.md", "work/old.md", without={"CD405"})


def test_an_agent_does_not_close_and_archive_at_once(repo: Repo) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", "in_progress", type="test", document="work/a.md")
    builder = repo.task("OLD-1", "done", document="work/old.md").clone("builder").hand_in("FEAT-1", target="done")
    moved: list[str] = []
    builder.rewrite(lambda board: moved.append(board.take("FEAT-1")), "work/a.md")
    builder.rewrite(lambda board: board.add(moved[0]), "work/old.md").commit("FEAT-1: done").push().refused("CD410")


def test_the_way_that_the_refusal_of_an_edited_move_tells_works(repo: Repo) -> None:
    builder = _moved(repo, "builder", labels="[x]")
    builder.push().refused("CD410")
    builder.git("reset", "--soft", "HEAD~1")
    builder.git("restore", "--staged", "--worktree", "--", "work/a.md", "work/old.md")
    assert builder.git("status", "--porcelain") == ""


def test_a_human_who_approves_and_archives_at_once_is_told(repo: Repo) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", "to_be_tested", document="work/a.md")
    repo.task("FEAT-2", document="work/a.md")
    alice = repo.task("OLD-1", "done", document="work/old.md").clone("alice").approve("FEAT-1")
    moved: list[str] = []
    alice.rewrite(lambda board: moved.append(board.take("FEAT-1")), "work/a.md")
    alice.rewrite(lambda board: board.add(moved[0]), "work/old.md").commit("FEAT-1: approve").push().accepted(
        warnings={"CD410"}
    )


def test_a_task_that_is_copied_instead_of_moved_is_refused_with_both_places(repo: Repo) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", "done", document="work/a.md").task(
        "OLD-1", "done", document="work/z.md"
    )
    alice = repo.clone("alice")
    alice.rewrite(lambda board: board.add(block(alice.fields("FEAT-1"))), "work/z.md")
    alice.commit("FEAT-1: archive").push().refused("CD104", "work/a.md", "work/z.md")


def test_a_move_and_back_in_one_push_is_nothing_but_two_moves(repo: Repo) -> None:
    builder = _moved(repo, "builder")
    moved: list[str] = []
    builder.rewrite(lambda board: moved.append(board.take("FEAT-1")), "work/old.md")
    builder.rewrite(lambda board: board.add(moved[0]), "work/a.md").commit("FEAT-1: back").push().accepted()


def test_a_signed_move_stands_after_a_rebase_over_other_tasks(repo: Repo) -> None:
    alice = _moved(repo, "alice", proof="trailers")
    repo.clone("bob").edit("FEAT-2", priority="high").commit("FEAT-2: sooner").push().accepted()
    alice.git("pull", "-q", "--rebase")
    alice.push().accepted()


# -- what stood there before: version 0.1, old entries


OLD: dict[str, Any] = {
    "execution_notes": [{"by": "agent", "note": "Long ago", "timestamp": "2024-01-01"}],
    "state_transitions": [
        {"from": "todo", "to": "in_progress", "by": "agent", "reason": "x", "timestamp": "2024-01-01"},
        {"from": "in_progress", "to": "to_be_tested", "by": "human", "reason": "x", "timestamp": "yesterday"},
    ],
}


@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_old_entries_stay_as_they_are(repo: Repo, version: str) -> None:
    alice = repo.settings(version=version).task("FEAT-1", "to_be_tested", **OLD).clone("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve").push().accepted()
    assert "by: agent\n" in alice.read()


def test_a_new_entry_in_the_old_way_is_refused(repo: Repo) -> None:
    builder = repo.settings(version="0.1").task("FEAT-1", "in_progress").clone("builder")
    builder.append("FEAT-1", "execution_notes", note("agent", "Now")).commit("FEAT-1: note").push().refused("CD402")
    builder.fresh().hand_in("FEAT-1", without={"entry"})
    builder.append("FEAT-1", "state_transitions", entry("in_progress", "to_be_tested", "agent")).commit(
        "FEAT-1: hand in"
    )
    builder.push().refused("CD207")


def test_old_entries_are_not_put_right_by_an_agent(repo: Repo) -> None:
    builder = repo.settings(version="0.1").task("FEAT-1", "to_be_tested", **OLD).clone("builder")
    builder.replace("by: human\n", "by: human:alice\n").commit("FEAT-1: names").push().refused("CD208")


def test_a_whole_life_under_version_0_1(repo: Repo) -> None:
    repo.settings(version="0.1").task("FEAT-1", without=["priority", "depends_on", "artifacts", "execution_notes"])
    builder, alice = repo.clone("builder"), repo.clone("alice")
    builder.claim("FEAT-1", without={"claimed_at"}).commit("FEAT-1: claim").push().accepted(warnings={"CD301"})
    builder.move("FEAT-1", "to_be_tested").commit("FEAT-1: hand in").push().accepted(warnings={"CD210"})
    alice.fresh().move("FEAT-1", "done").commit("FEAT-1: done").push().accepted(warnings={"CD209"})


def test_what_version_0_1_does_not_ask_for_version_0_2_does(repo: Repo) -> None:
    builder = repo.task("FEAT-1", without=["priority", "depends_on", "artifacts", "execution_notes"]).clone("builder")
    builder.claim("FEAT-1", without={"claimed_at"}).commit("FEAT-1: claim").push().refused("CD301", "claimed_at")
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.move("FEAT-1", "to_be_tested").commit("FEAT-1: hand in").push().refused("CD210")
