"""Ways around: through history, through merges, through the text between tasks, through files that look harmless."""

import pytest

from tests.building import Clone, Repo
from tests.building.board import Board
from tests.building.repo import NAMESPACES
from tests.building.tasks import block, task

# -- through history


def test_a_state_change_on_a_base_from_before_the_guard_is_judged(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.switch("old", "HEAD^").close("FEAT-1").commit("FEAT-1: done", proof="none")
    builder.checkout("main").merge("old").push().refused({"ID106", "CD502", "CD213"})


def test_a_policy_of_its_own_on_a_base_from_before_the_guard_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    mine = {
        **repo.trust_files(maintainers=["human:mallory"]),
        ".codifica/allowed_signers": f"human:mallory {NAMESPACES} {repo.keys.line('mallory')}\n",
    }
    builder.switch("old", "HEAD^").write_all(mine).commit("Introduce the guard", key="mallory")
    builder.merge("main", options=["-X", "ours"]).push("HEAD:main").refused({"ID110", "ID109"})


def test_main_as_the_second_parent_hides_nothing(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder").switch("mine", "HEAD^")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none").merge("main", message="Merge main").push(
        "HEAD:main"
    ).refused("ID106")


def test_a_merge_whose_tree_is_main_hides_no_illegal_commit(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder").switch("mine")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    oid = builder.raw_commit(
        tree=builder.head("main^{tree}"), parents=[builder.head("main"), builder.head()], message=b"Merge\n"
    )
    builder.at(oid).push("HEAD:main").refused("ID106")


def test_an_illegal_commit_that_main_undid_is_still_illegal(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none").git("revert", "--no-edit", "HEAD")
    builder.push().refused("ID106")


def test_a_key_that_the_maintainer_adds_counts_in_the_same_push(repo: Repo) -> None:
    alice, carol = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("carol")
    signers = alice.read(".codifica/allowed_signers") + f"human:carol {NAMESPACES} {repo.keys.line('carol')}\n"
    alice.write(".codifica/allowed_signers", signers).commit("Carol").push("HEAD:topic").accepted()
    carol.fetch().git("merge", "-q", "--ff-only", "origin/topic")
    carol.approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


def test_what_a_key_did_before_it_was_revoked_in_the_same_push_stands(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve").push("HEAD:topic").accepted()
    alice.fetch().git("merge", "-q", "--ff-only", "origin/topic")
    alice.write(".codifica/revoked_keys", f"{repo.keys.line('bob')}\n").commit("Revoke bob").push().accepted()


def test_a_pushed_revocation_is_not_merged_away(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    alice.write(".codifica/revoked_keys", f"{repo.keys.line('bob')}\n").commit("Revoke bob").push().accepted()
    bob.approve("FEAT-1").commit("FEAT-1: approve").fetch().merge("origin/main", options=["-s", "ours"], proof="git")
    bob.push().refused({"ID105", "ID109"})


def test_a_tag_is_no_branch(repo: Repo) -> None:
    alice = repo.clone("alice").code("one", proof="git")
    alice.git("tag", "-a", "-m", "One", "v1")
    push = alice.push_as("origin", "refs/tags/v1:refs/heads/main", wanted={}).refused_by_git()
    assert "GD101" not in push.output


def test_a_blob_is_no_branch(repo: Repo) -> None:
    alice = repo.clone("alice").code("one", proof="git")
    push = alice.push_as("origin", f"{alice.head('HEAD:README.md')}:refs/heads/topic", wanted={}).refused_by_git()
    assert "GD101" not in push.output


def test_tags_of_tags_of_anything_are_fine_beside(repo: Repo) -> None:
    alice = repo.clone("alice").code("one", proof="git")
    alice.git("tag", "-a", "-m", "A file", "file", "HEAD:README.md")
    alice.git("tag", "-a", "-m", "A tag", "tag", "file")
    alice.push("HEAD:main", "refs/tags/tag:refs/tags/tag").accepted()


# -- through a maintainer's own slips


@pytest.mark.parametrize("path", [".codifica/guard.json", ".codifica/allowed_signers"])
def test_not_even_a_maintainer_removes_the_policy(repo: Repo, path: str) -> None:
    repo.clone("alice").write(path, None).commit("Away").push().refused({"ID109", "ID110"})


def test_not_even_a_maintainer_links_the_policy_elsewhere(repo: Repo) -> None:
    alice = repo.clone("alice")
    text = alice.read(".codifica/allowed_signers")
    alice.write("src/signers", text).write(".codifica/allowed_signers", None)
    (alice.folder / ".codifica/allowed_signers").symlink_to("../src/signers")
    alice.commit("Link").push().refused({"ST106", "ID109"})


# -- through the text between tasks


def running(repo: Repo) -> Clone:
    """builder runs FEAT-1; two more tasks are not its own."""
    return (
        repo.task("FEAT-1", "in_progress")
        .task("FEAT-2", owner="agent:writer")
        .task("FEAT-3", "done")
        .clone("builder")
        .note("FEAT-1")
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- id: FEAT-2", "```\n\n```yaml\n- id: FEAT-2"),
        ("- id: FEAT-2", "```\n\n```text\n- id: FEAT-2"),
        ("- id: FEAT-2", "#- id: FEAT-2"),
        ("```yaml", "<!--\n\n```yaml"),
        ("```yaml", "````yaml"),
        ("```yaml", "```json"),
        ("```yaml", "   ```yaml"),
        ("```yaml", "> ```yaml"),
        ("## Part 1", "```text\n## Part 1"),
    ],
    ids=[
        "cut in two",
        "out of its language",
        "commented out",
        "inside a comment",
        "another length",
        "another language",
        "indented",
        "quoted",
        "swallowed",
    ],
)
def test_a_fence_is_not_moved_around_others_tasks(repo: Repo, old: str, new: str) -> None:
    builder = running(repo).rewrite(lambda board: board.lines.__setitem__(board.lines.index(old), new))
    builder.write("work.md", builder.read()).commit("FEAT-1: note").push().refused(
        {"CD405", "CD409", "CD105", "CD404", "ST101", "ST104", "CD102", "CD101"}
    )


def test_a_block_scalar_does_not_swallow_the_next_task(repo: Repo) -> None:
    builder = running(repo)

    def swallow(board: Board) -> None:
        first, end = board.span("FEAT-2")
        rows = [f"    {line}" if line else "" for line in board.lines[first:end]]
        board.lines[first:end] = rows
        board.lines[first:first] = ["  extra: |"]

    builder.rewrite(swallow).commit("FEAT-1: note").push().refused({"CD409", "CD105", "ST101"})


def test_a_task_is_not_hidden_behind_one_of_the_same_id(repo: Repo) -> None:
    builder = running(repo)
    builder.rewrite(lambda board: board.add(block(task("FEAT-2", title="Mine")))).commit("FEAT-1: note").push().refused(
        {"CD104", "CD411"}
    )


def test_a_second_document_does_not_bring_a_known_id(repo: Repo) -> None:
    builder = repo.settings(state=["work.md", "more/*.md"]).task("FEAT-1", "in_progress").clone("builder")
    text = builder.read()
    builder.write("more/mine.md", text).commit("FEAT-1: note").push().refused({"CD104", "CD405", "CD411"})


def test_a_claim_does_not_bring_easier_acceptance(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", acceptance=["It works"]).commit("FEAT-1: claim").push().refused({"CD302", "CD403"})


def test_a_hand_in_does_not_bring_its_own_review(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    review = {"status": "pass", "reviewer": "human:alice", "notes": ["Fine"], "recorded_at": "2026-11-30T09:00:00Z"}
    builder.hand_in("FEAT-1", human_review=review).commit("FEAT-1: hand in").push().refused("CD401")


def test_a_new_task_does_not_come_with_a_past(repo: Repo) -> None:
    row = {
        "from": "todo",
        "to": "in_progress",
        "by": "human:alice",
        "reason": "Yes",
        "timestamp": "2026-11-30T09:00:00Z",
    }
    repo.clone("builder").add("FEAT-9", state_transitions=[row]).commit("FEAT-9: new").push().refused(
        {"CD411", "CD207", "CD403"}
    )


def test_nobody_unsigned_adds_a_task(repo: Repo) -> None:
    repo.clone("builder").add("FEAT-9").commit("FEAT-9: new", proof="none").push().refused("ID106")


def test_nobody_unsigned_adds_a_document(repo: Repo) -> None:
    repo.settings(state=["work.md", "more/*.md"]).task("FEAT-1").clone("builder").code(
        path="more/x.md", text="# More\n"
    ).push().refused("ID106")


def test_a_document_is_not_moved_out_of_sight(repo: Repo) -> None:
    builder = (
        repo.settings(state="work/*.md")
        .task("FEAT-1", document="work/a.md")
        .task("FEAT-2", document="work/b.md")
        .clone("builder")
    )
    builder.git("mv", "work/a.md", "src/a.md")
    builder.commit("FEAT-1: move").push().refused({"CD405", "CD409", "CD105", "ID109", "CD404"})


# -- through Git's own ways to commit


def test_case_15_what_is_committed_counts_not_what_lies_in_the_work_tree(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder")
    legal = builder.read()
    builder.close("FEAT-1").git("add", "work.md")
    builder.write("work.md", legal).commit("FEAT-1: done", proof="none", only_index=True)
    builder.push().refused("ID106")


def test_case_15_a_partial_commit_is_judged_by_what_is_in_it(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").write("src/app.py", "print('not yet')\n")
    builder.git("commit", "-q", "-S", "-m", "FEAT-1: claim", "--only", "work.md")
    builder.push().accepted()


def test_a_key_that_main_revoked_does_nothing_on_a_release_either(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "release/*"])
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.code("one", proof="git").push("HEAD:release/1").accepted()
    alice.write(".codifica/revoked_keys", f"{repo.keys.line('bob')}\n").commit("Revoke bob").push(
        "HEAD:main"
    ).accepted()
    bob.fetch().checkout("origin/release/1").code("two", path="src/two.py", proof="git").push("HEAD:release/1").refused(
        "ID105"
    )


def test_a_maintainer_of_a_release_branch_alone_is_none(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "release/*"], maintainers=["human:alice", "human:bob"])
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.code("one", proof="git").push("HEAD:release/1").accepted()
    text = str(repo.trust_files(maintainers=["human:alice"])[".codifica/guard.json"])
    alice.write(".codifica/guard.json", text).commit("Without bob").push("HEAD:main").accepted()
    bob.fetch().checkout("origin/release/1").write(".codifica/note", "x\n").commit("Policy").push(
        "HEAD:release/1"
    ).refused("ID109")
