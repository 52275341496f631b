"""Who may edit what: fields of tasks, others' tasks, the text around them, assets, paths outside the scope."""

import pytest

from tests.building import Clone, Repo, at
from tests.building.board import Board, document, fence
from tests.building.clone import Proof
from tests.building.tasks import block, note, review, task

# -- reviews and notes


@pytest.mark.parametrize("reviewer", ["human:alice", "alice"])
def test_a_human_reviews_in_her_own_name(repo: Repo, reviewer: str) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", human_review=review("needs_work", reviewer)).commit("FEAT-1: review").push().accepted()


@pytest.mark.parametrize("reviewer", ["human:bob", "Alice Smith"])
def test_a_human_reviews_in_no_other_name(repo: Repo, reviewer: str) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", human_review=review("pass", reviewer)).commit("FEAT-1: review").push().refused(
        "CD401", "human:alice"
    )


@pytest.mark.parametrize("state", ["in_progress", "to_be_tested"])
def test_the_owner_adds_notes(repo: Repo, state: str) -> None:
    repo.task("FEAT-1", state).clone("builder").note("FEAT-1").commit("FEAT-1: note").push().accepted()


def test_a_note_in_anothers_name_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.note("FEAT-1", by="agent:writer").commit("FEAT-1: note").push().refused("CD402")


def test_execution_notes_are_the_agents(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").clone("alice").note("FEAT-1").commit("FEAT-1: note").push().refused("CD402")


# -- what a task wants


INTENT = {
    "title": "Something easier",
    "description": "Something easier",
    "acceptance": ["It works"],
    "priority": "low",
    "depends_on": [],
    "derived_from": "FEAT-2",
    "type": "test",
}


@pytest.mark.parametrize("field", INTENT)
def test_an_agent_does_not_change_what_its_task_wants(repo: Repo, field: str) -> None:
    builder = repo.task("FEAT-1", "in_progress", depends_on=["FEAT-2"]).task("FEAT-2", "done").clone("builder")
    builder.edit("FEAT-1", **{field: INTENT[field]}).commit("FEAT-1: easier").push().refused("CD403", field)


@pytest.mark.parametrize("field", INTENT)
def test_a_human_changes_what_a_task_wants(repo: Repo, field: str) -> None:
    alice = repo.task("FEAT-1", "in_progress", depends_on=["FEAT-2"]).task("FEAT-2", "done").clone("alice")
    alice.edit("FEAT-1", **{field: INTENT[field]}).commit("FEAT-1: other").push().accepted()


def test_case_30_acceptance_that_is_dropped_on_the_way_to_done_is_named(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", acceptance=["It works"]).commit("FEAT-1: hand in").push().refused(
        "CD403", "It is tested", 'git codifica note FEAT-1 --ask change "why"'
    )


def test_an_agent_does_not_drop_constraints(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", context={"constraints": ["Must not change the users table"]}).clone(
        "builder"
    )
    builder.edit("FEAT-1", context={"constraints": ["None"]}).commit("FEAT-1: free").push().refused("CD403")


def test_an_agent_adds_artifacts_labels_and_a_checklist_while_it_works(repo: Repo) -> None:
    builder = (
        repo.task("FEAT-1", "in_progress", labels=["web"]).clone("builder").code("FEAT-1: page", path="src/page.py")
    )
    builder.edit(
        "FEAT-1", labels=["web", "mail"], checklist=["Wrote it"], artifacts=[{"path": "src/page.py", "type": "code"}]
    )
    builder.commit("FEAT-1: progress").push().accepted()


def test_an_agent_does_not_hand_its_task_over(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.edit("FEAT-1", owner="agent:writer").commit("FEAT-1: yours").push().refused("CD404")


@pytest.mark.parametrize(
    ("state", "owner"),
    [
        ("in_progress", "agent:writer"),
        ("todo", "agent:writer"),
        ("todo", "unassigned"),
        ("done", "agent:writer"),
        ("todo", "human:alice"),
    ],
)
def test_an_agent_does_not_touch_what_is_not_its_own(repo: Repo, state: str, owner: str) -> None:
    builder = repo.task("FEAT-1", state, owner).clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note").push().refused({"CD404", "CD203"})


def test_a_human_assigns(repo: Repo) -> None:
    repo.task("FEAT-1").clone("alice").edit("FEAT-1", owner="agent:builder").commit("FEAT-1: assign").push().accepted()


# -- the text around tasks


def test_an_agent_does_not_change_the_prose(repo: Repo) -> None:
    builder = repo.clone("builder").replace("The tasks of the shop.", "The tasks of the whole shop.")
    builder.commit("FEAT-1: prose").push().refused("CD405")


def test_a_human_changes_the_prose(repo: Repo) -> None:
    repo.clone("alice").replace("The tasks of the shop.", "The tasks, week 49.").commit("Prose").push().accepted()


def test_nobody_unsigned_changes_the_prose(repo: Repo) -> None:
    repo.clone("alice").replace("The tasks of the shop.", "The tasks, week 49.").commit(
        "Prose", proof="none"
    ).push().refused("ID106")


def _first_last(repo: Repo, who: str) -> Clone:
    clone = repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").clone(who)

    def swap(board: Board) -> None:
        moved = board.take("FEAT-3")
        start, _ = board.span("FEAT-1")
        board.lines[start:start] = [*moved.rstrip("\n").split("\n"), ""]

    return clone.rewrite(swap).commit("FEAT-3: first of all")


def test_a_human_reorders(repo: Repo) -> None:
    _first_last(repo, "alice").push().accepted()


def test_an_agent_does_not_reformat_its_task(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.replace("priority: normal", 'priority: "normal"').commit("FEAT-1: quotes").push().refused(
        {"CD405", "CD403"}
    )


def test_an_agent_flips_no_ends_of_lines(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.write("work.md", builder.read().replace("\n", "\r\n")).commit("FEAT-1: ends").push().refused(
        {"ST109", "CD405"}
    )


@pytest.mark.parametrize("who", ["builder", "nobody"])
@pytest.mark.parametrize("old", ["- id: FEAT-1\n", "# Work\n"], ids=["a task", "the text"])
def test_neither_agents_nor_nobody_flips_a_single_line(repo: Repo, old: str, who: str) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    assert builder.read().count(old) == 1
    builder.write("work.md", builder.read().replace(old, old.replace("\n", "\r\n")))
    builder.commit("FEAT-1: ends", proof="git" if who == "builder" else "none").push().refused("ST109", "work.md")


@pytest.mark.parametrize(("who", "proof"), [("builder", "git"), ("builder", "none"), ("alice", "git")])
def test_blank_lines_alone_are_a_persons(repo: Repo, who: str, proof: Proof) -> None:
    clone = repo.task("FEAT-1").task("FEAT-2").clone(who)
    clone.write("work.md", clone.read().replace("- id: FEAT-2", "\n\n- id: FEAT-2")).commit("Blanks", proof=proof)
    push = clone.push()
    if who == "alice":
        push.accepted()
    else:
        push.refused("ST109")


def test_a_human_normalises_ends_of_lines(repo: Repo) -> None:
    alice = repo.document("work.md", document(fence(block(task("FEAT-1")))).replace("\n", "\r\n")).clone("alice")
    alice.write("work.md", alice.read().replace("\r\n", "\n")).commit("Ends of lines").push().accepted(
        perhaps={"ST109"}
    )


def test_a_document_with_crlf_is_worked_on(repo: Repo) -> None:
    builder = repo.document("work.md", document(fence(block(task("FEAT-1")))).replace("\n", "\r\n")).clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


# -- new tasks, deleted ones, archived ones


@pytest.mark.parametrize("owner", ["unassigned", "agent:builder"])
def test_an_agent_adds_a_task(repo: Repo, owner: str) -> None:
    repo.clone("builder").add("FEAT-9", owner=owner).commit("FEAT-9: new").push().accepted()


@pytest.mark.parametrize(
    ("state", "more"),
    [
        ("done", {}),
        ("in_progress", {}),
        ("rejected", {}),
        ("todo", {"owner": "agent:writer"}),
        ("todo", {"claimed_at": at(-5)}),
        ("todo", {"owner": "human:alice"}),
    ],
    ids=["done", "in_progress", "rejected", "for another", "claimed", "for a human"],
)
def test_an_agents_new_task_is_free_and_unclaimed(repo: Repo, state: str, more: dict[str, str]) -> None:
    repo.clone("builder").add("FEAT-9", state, **more).commit("FEAT-9: new").push().refused({"CD411", "CD202", "CD203"})


def test_an_agent_deletes_no_task(repo: Repo) -> None:
    repo.task("FEAT-1", owner="agent:builder").task("FEAT-2").clone("builder").drop("FEAT-1").commit(
        "FEAT-1: away"
    ).push().refused({"CD409", "CD404"})


def _archive(repo: Repo, who: str, **changes: str) -> Clone:
    clone = (
        repo.settings(state="work/*.md")
        .task("FEAT-1", "done", document="work/a.md")
        .task("FEAT-2", document="work/a.md")
        .task("FEAT-3", "done", document="work/old.md")
        .clone(who)
    )
    if changes:
        clone.edit("FEAT-1", **changes)
    moved: list[str] = []
    clone.rewrite(lambda board: moved.append(board.take("FEAT-1")), "work/a.md")
    return clone.rewrite(lambda board: board.add(moved[0]), "work/old.md").commit("FEAT-1: archive")


@pytest.mark.parametrize("who", ["alice", "builder"])
def test_a_finished_task_is_archived(repo: Repo, who: str) -> None:
    _archive(repo, who).push().accepted()


# -- assets and scope


def test_an_agent_adds_assets_of_its_own_task(repo: Repo) -> None:
    builder = repo.rules(file_scope={"include": ["src/**"]}).task("FEAT-1", "in_progress").clone("builder")
    builder.code("FEAT-1: evidence", path="assets/FEAT-1/shot.txt", proof="git").push().accepted()


def test_a_human_changes_assets(repo: Repo) -> None:
    repo.file("assets/FEAT-1/shot.txt", "first\n").clone("alice").write("assets/FEAT-1/shot.txt", "second\n").commit(
        "Shot"
    ).push().accepted()


def scoped(repo: Repo) -> Repo:
    return repo.rules(file_scope={"include": ["src/**", "docs/**"], "exclude": ["src/secret/**"]}).task(
        "FEAT-1", "in_progress"
    )


@pytest.mark.parametrize("who", ["builder", "alice"])
@pytest.mark.parametrize("path", ["README.md", "src/secret/key.py", ".github/workflows/ci.yml"])
def test_a_path_outside_the_scope_is_refused_to_agents_and_to_nobody(repo: Repo, who: str, path: str) -> None:
    clone = scoped(repo).clone(who)
    clone.code("FEAT-1: outside", path=path, proof="git" if who == "builder" else "none").push().refused("CD407", path)


@pytest.mark.parametrize("path", ["README.md", "src/secret/key.py"])
def test_a_signed_human_goes_anywhere(repo: Repo, path: str) -> None:
    scoped(repo).clone("alice").code("outside", path=path, proof="git").push().accepted()


@pytest.mark.parametrize("path", ["src/a/b/c.py", "docs/.hidden", "src/.gitignore"])
def test_paths_inside_the_scope_are_anybodys(repo: Repo, path: str) -> None:
    scoped(repo).clone("builder").code("FEAT-1: inside", path=path).push().accepted()


def test_who_is_refused_for_the_scope_is_told_how_to_sign(repo: Repo) -> None:
    scoped(repo).clone("alice").code("outside", path="README.md").push().refused(
        "CD407", "src/**", "git config gpg.format ssh"
    )


def test_without_a_scope_everybody_pushes_code_everywhere(repo: Repo) -> None:
    repo.clone("builder").code(path=".github/workflows/ci.yml").push().accepted()


def test_a_merge_brings_what_others_did_outside_the_scope(repo: Repo) -> None:
    builder, alice = scoped(repo).clone("builder"), repo.clone("alice")
    builder.code("FEAT-1: inside")
    alice.code("outside", path="README.md", proof="git").push().accepted()
    builder.pull().push().accepted()


# -- branches and messages


def test_people_name_branches_as_they_like(repo: Repo) -> None:
    repo.clone("alice").code(proof="git").push("HEAD:my-branch").accepted()


def test_unsigned_code_goes_to_branches_of_any_name(repo: Repo) -> None:
    repo.clone("builder").code().push("HEAD:my-branch").accepted()


def test_code_need_not_name_a_task(repo: Repo) -> None:
    repo.clone("builder").code("more", proof="git").push().accepted()


def test_a_humans_week_is_one_commit(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.add("FEAT-3", priority="high").edit("FEAT-1", priority="low").edit("FEAT-2", owner="agent:builder")
    alice.replace("The tasks of the shop.", "The tasks, week 49.").write("docs/guide.md", "# Guide\n\nWeek 49.\n")
    alice.commit("Week 49: FEAT-1, FEAT-2, FEAT-3").push().accepted()


def test_a_closing_note_of_a_twin_name_is_not_this_agents(repo: Repo) -> None:
    stranger = note("agent:builder2", "Done", summary="Done", when=at(-100))
    builder = repo.task("FEAT-1", "in_progress", execution_notes=[stranger]).clone("builder")
    builder.hand_in("FEAT-1", without={"note"}).commit("FEAT-1: hand in").push().refused("CD210")


def _two_fences(repo: Repo) -> Clone:
    blocks = [block(task("FEAT-1", "done")), block(task("FEAT-2")), block(task("FEAT-3", "done", "agent:writer"))]
    return repo.document("work.md", document(fence(*blocks), fence(block(task("OLD-1", "done"))))).clone("builder")


def test_an_agent_moves_its_own_finished_task_to_another_fence(repo: Repo) -> None:
    builder = _two_fences(repo).rewrite(lambda board: board.add(board.take("FEAT-1"), 1))
    builder.commit("FEAT-1: archive").push().accepted()


@pytest.mark.parametrize("ident", ["FEAT-2", "FEAT-3"])
def test_an_agent_moves_no_other_task_to_another_fence(repo: Repo, ident: str) -> None:
    builder = _two_fences(repo).rewrite(lambda board: board.add(board.take(ident), 1))
    builder.commit(f"{ident}: archive").push().refused({"CD405", "CD404"})
