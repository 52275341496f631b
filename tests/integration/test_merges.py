"""Merges: one that only joins is anybody's; one that decides needs a human."""

import pytest

from tests.building import Clone, Repo
from tests.building.board import Board, document, fence
from tests.building.tasks import block, task
from tests.building.times import at


def two_sides(repo: Repo) -> tuple[Clone, Clone]:
    """Two people's clones of a repository with a few tasks."""
    repo.task("FEAT-1", "in_progress").task("FEAT-2").task("FEAT-3", "in_progress", "agent:writer").task("FEAT-4").task(
        "FEAT-5"
    )
    return repo.clone("builder"), repo.clone("alice")


def test_a_merge_of_changes_of_different_tasks_needs_no_signature(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.edit("FEAT-4", priority="low").commit("FEAT-4: priority").push().accepted()
    builder.note("FEAT-1").commit("FEAT-1: note").pull().push().accepted()


def test_a_merge_of_code_needs_no_signature(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.code(path="src/a.py").push().accepted()
    builder.code(path="src/b.py").pull().push().accepted()


def test_two_sides_that_changed_different_fields_of_one_task_join(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.edit("FEAT-1", priority="low").commit("FEAT-1: priority").push().accepted()
    builder.note("FEAT-1").commit("FEAT-1: note").pull().push().accepted()


def test_a_clean_merge_that_changes_one_word_more_is_refused(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.edit("FEAT-4", priority="low").commit("FEAT-4: priority").push().accepted()
    builder.note("FEAT-1").commit("FEAT-1: note").fetch()
    builder.try_git("merge", "-q", "--no-commit", "origin/main")
    builder.edit("FEAT-2", title="Something easier").commit("Merge", proof="git").push().refused("CD501", "FEAT-2")


def test_the_same_is_refused_to_people_who_merge_unsigned(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    builder.note("FEAT-1").commit("FEAT-1: note").push().accepted()
    alice.edit("FEAT-4", priority="low").commit("FEAT-4: priority").fetch()
    alice.try_git("merge", "-q", "--no-commit", "origin/main")
    alice.edit("FEAT-2", title="Something easier").commit("Merge", proof="none").push().refused({"CD501", "ID106"})


def test_a_merge_that_drops_the_other_side_is_refused(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.edit("FEAT-2", acceptance=["It works", "It is tested", "It is fast"]).commit(
        "FEAT-2: faster"
    ).push().accepted()
    builder.note("FEAT-1").commit("FEAT-1: note").fetch().merge("origin/main", options=["-s", "ours"]).push().refused(
        "CD501", "FEAT-2"
    )


def test_an_agent_with_one_note_of_its_own_does_not_merge_a_humans_change_away(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.edit("FEAT-1", acceptance=["It works", "It is tested", "It is fast"]).commit(
        "FEAT-1: faster"
    ).push().accepted()
    builder.note("FEAT-1").commit("FEAT-1: note").fetch().merge("origin/main", options=["-s", "ours"]).push().refused(
        {"CD501", "CD502"}
    )


def test_a_merge_that_slips_a_file_in_outside_the_scope_is_refused(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**"]})
    builder, alice = two_sides(repo)
    alice.code(path="src/a.py").push().accepted()
    builder.code(path="src/b.py").fetch().try_git("merge", "-q", "--no-commit", "origin/main")
    builder.write("README.md", "# Mine\n").commit("Merge", proof="none").push().refused("CD407", "README.md")


def test_a_merge_that_slips_a_policy_change_in_is_refused(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.code(path="src/a.py").push().accepted()
    builder.code(path="src/b.py").fetch().try_git("merge", "-q", "--no-commit", "origin/main")
    builder.write(".codifica/revoked_keys", f"{repo.keys.line('alice')}\n").commit("Merge", proof="git").push().refused(
        "ID109"
    )


def test_a_merge_that_slips_prose_in_is_refused(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.code(path="src/a.py").push().accepted()
    builder.code(path="src/b.py").fetch().try_git("merge", "-q", "--no-commit", "origin/main")
    builder.replace("The tasks of the shop.", "The tasks.").commit("Merge", proof="git").push().refused("CD405")


def conflicting(repo: Repo) -> tuple[Clone, str, str]:
    """Two humans retitle one task; bob's clone, and both texts."""
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", title="Alice's title").commit("FEAT-1: title").push().accepted()
    bob.edit("FEAT-1", title="Bob's title").commit("FEAT-1: title").fetch()
    return bob, alice.read(), bob.read()


def test_two_histories_of_one_task_need_a_humans_choice(repo: Repo) -> None:
    bob, theirs, _ = conflicting(repo)
    bob.merge("origin/main", files={"work.md": theirs}).push().refused({"CD502", "ID106"}, "FEAT-1")


@pytest.mark.parametrize("side", ["theirs", "mine"])
@pytest.mark.parametrize("proof", ["git", "trailers"])
def test_a_human_chooses_and_signs(repo: Repo, side: str, proof: str) -> None:
    bob, theirs, mine = conflicting(repo)
    bob.merge("origin/main", files={"work.md": theirs if side == "theirs" else mine}, proof=proof).push().accepted()  # type: ignore[arg-type]


def test_an_agent_does_not_choose(repo: Repo) -> None:
    bob, theirs, _ = conflicting(repo)
    bob.push("HEAD:mine").accepted()
    builder = repo.clone("builder").fetch()
    builder.checkout("origin/main").merge("origin/mine", files={"work.md": theirs}, proof="git").push().refused("CD502")


def test_an_id_that_was_born_on_both_sides_is_refused(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.add("FEAT-9", title="Alice's").commit("FEAT-9: new").push().accepted()
    builder.add("FEAT-9", title="The builder's").commit("FEAT-9: new").fetch()
    builder.merge("origin/main", files={"work.md": alice.read()}).push().refused({"CD503", "CD104"}, "FEAT-9")


def test_two_tasks_appended_on_both_sides_join(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.add("FEAT-8").commit("FEAT-8: new").push().accepted()
    builder.add("FEAT-9").commit("FEAT-9: new").fetch()
    board = Board(alice.read())
    board.add(Board(builder.read()).block("FEAT-9"))
    builder.merge("origin/main", files={"work.md": board.text}).push().accepted()


def test_notes_that_both_sides_appended_join_by_time_and_in_no_other_order(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder, twin = repo.clone("builder"), repo.clone("builder", "twin")
    twin.note("FEAT-1", "The second", when=at(2)).commit("FEAT-1: note").push().accepted()
    builder.note("FEAT-1", "The first", when=at(1)).commit("FEAT-1: note").fetch()
    mine, theirs = (c.fields("FEAT-1")["execution_notes"] for c in (builder, twin))
    before, board = builder.head(), builder.read()
    for notes, fine in (([*theirs, *mine], False), ([*mine, *theirs], True)):
        joined = Board(board)
        joined.change("FEAT-1", {"execution_notes": notes})
        builder.git("reset", "-q", "--hard", before)
        push = builder.merge("origin/main", files={"work.md": joined.text}).push()
        push.accepted() if fine else push.refused("CD501", "FEAT-1", "execution_notes")


def test_a_note_that_a_merge_loses_is_refused(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder, twin = repo.clone("builder"), repo.clone("builder", "twin")
    twin.note("FEAT-1", "The first").commit("FEAT-1: note").push().accepted()
    builder.note("FEAT-1", "The second").commit("FEAT-1: note").fetch()
    builder.merge("origin/main", files={"work.md": builder.read()}).push().refused({"CD501", "CD502", "CD208"})


def test_a_cycle_that_only_the_merge_has_is_refused(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").task("FEAT-4")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", depends_on=["FEAT-4"]).commit("FEAT-1: needs FEAT-4").push().accepted()
    bob.edit("FEAT-4", depends_on=["FEAT-1"]).commit("FEAT-4: needs FEAT-1").pull().push().refused({"CD504", "CD308"})


def test_a_limit_that_only_the_merge_passes_is_refused(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").task("FEAT-2").task("FEAT-3")
    one, two = repo.clone("builder"), repo.clone("builder", "twin")
    one.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    two.claim("FEAT-3").commit("FEAT-3: claim").pull().push().refused({"CD504", "CD305"})


def test_an_id_that_only_the_merge_has_twice_is_refused(repo: Repo) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").task("FEAT-2", document="work/b.md")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.add("FEAT-9", path="work/a.md").commit("FEAT-9: new").push().accepted()
    bob.add("FEAT-9", path="work/b.md").commit("FEAT-9: new").pull().push().refused({"CD503", "CD504", "CD104"})


def test_an_archival_against_an_edit_is_refused(repo: Repo) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", "done", document="work/a.md").task(
        "FEAT-2", document="work/a.md"
    ).task("FEAT-3", "done", document="work/b.md")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    moved: list[str] = []
    alice.rewrite(lambda board: moved.append(board.take("FEAT-1")), "work/a.md").rewrite(
        lambda board: board.add(moved[0]), "work/b.md"
    )
    alice.commit("FEAT-1: archive").push().accepted()
    bob.edit("FEAT-1", title="Better").commit("FEAT-1: title").fetch()
    bob.merge("origin/main", files={path: alice.read(path) for path in ("work/a.md", "work/b.md")}).push().refused(
        {"CD502", "CD501", "ID106"}
    )


def test_an_octopus_of_code_is_accepted(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    for name in ("a", "b", "c"):
        builder.git("checkout", "-q", "-b", name, "origin/main")
        builder.code(name, path=f"src/{name}.py")
    builder.checkout("main").git("merge", "-q", "--no-edit", "a", "b", "c")
    builder.push().accepted()


def test_an_octopus_that_drops_a_side_is_refused(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.edit("FEAT-2", priority="low").commit("FEAT-2: priority").push().accepted()
    builder.fetch()
    for name in ("a", "b"):
        builder.git("checkout", "-q", "-b", name, "origin/main^")
        builder.code(name, path=f"src/{name}.py")
    builder.checkout("origin/main")
    tree = builder.head("origin/main^^{tree}")
    oid = builder.raw_commit(
        tree=tree, parents=[builder.head(), builder.head("a"), builder.head("b")], message=b"Merge\n"
    )
    builder.at(oid).push().refused("CD501")


def test_a_criss_cross_merge_is_judged_like_any(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.edit("FEAT-4", priority="low").commit("FEAT-4: priority")
    builder.note("FEAT-1").commit("FEAT-1: note")
    builder.git("fetch", "-q", str(alice.folder), "main:theirs")
    alice.git("fetch", "-q", str(builder.folder), "main:theirs")
    alice.merge("theirs")
    builder.merge("theirs")
    alice.push().accepted()
    builder.code(path="src/x.py").pull().push().accepted()


def test_a_fast_forward_of_a_handed_in_branch_is_accepted(repo: Repo) -> None:
    builder = (
        repo.task("FEAT-1", "in_progress")
        .clone("builder")
        .switch("build/FEAT-1-login")
        .code("FEAT-1: login", proof="git")
    )
    builder.push("HEAD:build/FEAT-1-login").accepted()
    alice = repo.clone("alice").fetch()
    alice.merge("origin/build/FEAT-1-login").push().accepted()


def test_a_key_that_a_side_revoked_stays_revoked_whichever_side_a_merge_takes(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.switch("side").write(".codifica/revoked_keys", f"{repo.keys.line('stranger')}\n").commit("revoke")
    alice.checkout("main").write(".codifica/revoked_keys", f"{repo.keys.line('builder')}\n").commit("revoke")
    alice.push().accepted()
    both = "".join(f"{repo.keys.line(name)}\n" for name in ("builder", "stranger"))
    for text, fine in ((f"{repo.keys.line('stranger')}\n", False), (both, True)):
        alice.git("reset", "-q", "--hard", "origin/main")
        push = alice.merge("side", files={".codifica/revoked_keys": text}, proof="git").push()
        push.accepted() if fine else push.refused("ID109", "lists fewer keys than its sides")


def test_a_merge_does_not_move_a_task_to_another_fence(repo: Repo) -> None:
    fences = [fence(block(task(name))) for name in ("FEAT-1", "FEAT-2")]
    repo.document("work.md", document(*fences))
    alice, builder = repo.clone("alice"), repo.clone("builder")
    alice.code(path="src/a.py").push().accepted()
    builder.code(path="src/b.py").fetch().try_git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    builder.rewrite(lambda board: board.add(board.take("FEAT-1"), 1)).commit("Merge", proof="none")
    builder.push().refused("CD405", "the merge changes the order of tasks itself")


def test_a_human_deletes_a_task_that_never_began_although_somebody_edited_it(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3", "in_progress")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.edit("FEAT-2", title="Better").commit("FEAT-2: title").push().accepted()
    bob.drop("FEAT-2").commit("FEAT-2: not needed").fetch()
    without = bob.read()
    bob.merge("origin/main", files={"work.md": without}).push().refused({"CD502", "ID106"}, "FEAT-2")
    bob.git("reset", "-q", "--hard", "HEAD~1")
    bob.merge("origin/main", files={"work.md": without}, proof="git").push().accepted()


def test_what_a_merge_brings_itself_belongs_into_a_commit_of_its_own(repo: Repo) -> None:
    builder, alice = two_sides(repo)
    alice.code(path="src/a.py").push().accepted()
    builder.code(path="src/b.py").fetch().try_git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    builder.add("FEAT-9").commit("Merge", proof="git")
    builder.push().refused("CD501", "the merge brings FEAT-9, which none of its sides has")
