"""`post-merge`, run by a real `git pull`: what concerns whoever works here, in a few lines."""

from tests.building import Repo
from tests.unit.hooks_client.conftest import Hooked


def test_a_return_of_ones_task_is_told_with_its_reason(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2")
    builder, alice = hooked("builder"), repo.clone("alice")
    alice.back("FEAT-1", reason="The link is dead").commit("FEAT-1: return").push().accepted(perhaps={"CD301", "CD209"})
    said = builder.try_git("pull", "-q").said
    assert (
        said
        == "codifica-guard: FEAT-1 went from to_be_tested to todo by human:alice: The link is dead; do: git codifica claim FEAT-1\n"
    )
    assert builder.try_git("pull", "-q").said == ""


def test_a_task_that_went_to_another_and_one_that_came_are_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder, alice = hooked("builder"), repo.clone("alice")
    alice.reclaim("FEAT-1").edit("FEAT-2", owner="agent:builder").commit("FEAT-1 FEAT-2: swap").push().accepted(
        perhaps="CD310"
    )
    alice.add("FEAT-3", owner="agent:builder").edit("FEAT-2", priority="low").commit("FEAT-3: new").push().accepted()
    assert builder.try_git("pull", "-q").said.splitlines() == [
        "codifica-guard: FEAT-1 is not yours any more, its owner is unassigned; do: git codifica claim --next",
        "codifica-guard: FEAT-2 is yours now (todo); do: git codifica claim FEAT-2",
        "codifica-guard: FEAT-3 is yours now (todo); do: git codifica claim FEAT-3",
    ]


def test_ones_own_moves_and_other_peoples_tasks_are_no_news(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3", "to_be_tested")
    builder = hooked("builder")
    elsewhere = repo.clone("builder", "again")
    elsewhere.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.git("pull", "-q")
    elsewhere.note("FEAT-1").commit("FEAT-1: note").hand_in("FEAT-1").commit("FEAT-1: hand in").push().accepted()
    repo.clone("writer").pull().claim("FEAT-2").commit("FEAT-2: claim").push().accepted()
    repo.clone("alice").pull().edit("FEAT-3", priority="low").commit("FEAT-3: priority").push().accepted()
    assert builder.try_git("pull", "-q").said == ""


def test_a_person_is_told_where_to_look(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2", owner="human:alice")
    alice, bob = hooked("alice"), repo.clone("bob")
    bob.edit("FEAT-1", owner="human:alice").edit("FEAT-2", owner="human:bob").commit(
        "FEAT-1 FEAT-2: swap"
    ).push().accepted()
    assert alice.try_git("pull", "-q").said.splitlines() == [
        "codifica-guard: FEAT-1 is yours now (todo); do: git codifica show FEAT-1",
        "codifica-guard: FEAT-2 is not yours any more, its owner is human:bob; do: git codifica show FEAT-2",
    ]


def test_a_new_policy_is_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder, alice = hooked("builder"), repo.clone("alice")
    alice.write(".codifica/guard.json", str(repo.trust_files(self_approval="allow")[".codifica/guard.json"]))
    alice.commit("policy").push().accepted()
    one = alice.head()[:7]
    said = builder.try_git("pull", "-q").said
    assert said == f"codifica-guard: the policy changed by human:alice: {one}; see: git show {one}\n"
    for value in ("warn", "refuse"):
        alice.write(".codifica/guard.json", str(repo.trust_files(self_approval=value)[".codifica/guard.json"]))
        alice.commit("policy", proof="none" if value == "refuse" else "git")
    repo.on_server("fetch", "-q", str(alice.folder), "main:main")
    two = alice.head()[:7]
    said = builder.try_git("pull", "-q").said
    assert f"WARNING: main {two} breaks ID109, and the server let it in" in said
    assert f"the policy changed in 2 commits, the last by nobody who is known here: {two}; see: git show {two}" in said


def test_a_policy_that_a_merge_took_back_is_told_too(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    alice = hooked("alice")
    alice.switch("side").write("codifica-spec.md", "# New\n").commit("spec").checkout("main")
    alice.write(".codifica/guard.json", str(repo.trust_files(self_approval="allow")[".codifica/guard.json"]))
    alice.commit("policy").checkout("side")
    alice.git("update-ref", "ORIG_HEAD", "main")
    said = alice.guard("hook", "post-merge", "0").said
    assert "codifica-guard: the policy changed: git diff " in said


def test_what_a_server_without_guard_let_in_is_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    builder, writer = hooked("builder"), repo.clone("writer")
    writer.close("FEAT-1").commit("FEAT-1: done", proof="none")
    repo.on_server("fetch", "-q", str(writer.folder), "main:main")
    said = builder.try_git("pull", "-q").said
    bad, before = writer.head()[:7], writer.head("HEAD~1")[:7]
    assert f"codifica-guard: WARNING: main {bad} breaks ID106, and the server let it in; see: " in said
    assert f"git codifica check {before}..{bad}\n" in said
    assert builder.guard("check", f"{before}..{bad}").code == 1


def test_what_others_did_honestly_is_not_held_against_what_only_this_clone_has(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    alice, builder = hooked("alice"), repo.clone("builder")
    alice.with_driver().reclaim("FEAT-1").commit("FEAT-1: reclaim")
    builder.note("FEAT-1").commit("FEAT-1: note").push().accepted()
    said = alice.try_git("pull", "--no-rebase", "--no-edit").said
    assert alice.head("HEAD^2") == builder.head(), said
    assert "WARNING" not in said
    alice.push().accepted(warnings="CD310")


def test_of_many_commits_that_do_not_hold_two_are_named(repo: Repo, hooked: Hooked) -> None:
    for number in range(4):
        repo.task(f"FEAT-{number}", "to_be_tested")
    builder, writer = hooked("builder"), repo.clone("writer")
    for number in range(4):
        writer.close(f"FEAT-{number}").commit(f"FEAT-{number}: done", proof="none")
    repo.on_server("fetch", "-q", str(writer.folder), "main:main")
    lines = builder.try_git("pull", "-q").said.splitlines()
    assert len(lines) == 5
    assert sum("breaks ID106" in line for line in lines) == 2
    assert "WARNING: 2 more commits of main do not hold" in lines[2]
    assert lines[4].startswith("codifica-guard: and 3 more: git log -p ")


def test_what_is_merged_from_here_was_let_in_by_nobody(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    builder = hooked("builder")
    builder.switch("topic").close("FEAT-1").commit("FEAT-1: done", proof="none", options=["--no-verify"])
    builder.checkout("main")
    assert "let it in" not in builder.try_git("merge", "-q", "topic").said
    builder.checkout("topic").write("src/x.py", "x\n").commit("code", proof="none").switch("other", "main~1").write(
        "src/y.py", "y\n"
    )
    builder.commit("code", proof="none")
    assert "let it in" not in builder.try_git("merge", "-q", "--no-edit", "topic").said


def test_five_lines_are_the_most(repo: Repo, hooked: Hooked) -> None:
    for number in range(7):
        repo.task(f"FEAT-{number}")
    builder, alice = hooked("builder"), repo.clone("alice")
    for number in range(7):
        alice.edit(f"FEAT-{number}", owner="agent:builder")
    alice.commit("all yours: FEAT-0").push().accepted(perhaps={"CD412"})
    lines = builder.try_git("pull", "-q").said.splitlines()
    assert len(lines) == 5
    assert lines[-1].startswith("codifica-guard: and 3 more: git log -p ")


def test_without_a_key_only_what_concerns_all_is_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    builder, alice = hooked("builder"), repo.clone("alice")
    builder.git("config", "gpg.format", "openpgp")
    alice.back("FEAT-1").commit("FEAT-1: return").push().accepted(perhaps={"CD301"})
    assert builder.try_git("pull", "-q").said == ""


def test_documents_past_all_limits_are_passed_over(repo: Repo, hooked: Hooked) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md")
    builder, writer = hooked("builder"), repo.clone("writer")
    for number in range(1001):
        writer.write(f"work/{number}.md", "# Empty\n")
    writer.commit("many", proof="none")
    repo.on_server("fetch", "-q", str(writer.folder), "main:main")
    done = builder.try_git("pull", "-q")
    assert done.code == 0
    assert "post-merge could not look: more than 1000 state documents" in done.said
    builder.git("checkout", "-q", "-b", "topic", "main~1")
    assert builder.try_git("merge", "-q", "main").said == ""  # of another branch only tasks are told


def test_without_a_policy_nothing_happens(repo: Repo, hooked: Hooked) -> None:
    repo.not_introduced()
    alice, bob = hooked("alice"), repo.clone("bob")
    bob.code("one").push().accepted()
    assert alice.try_git("pull", "-q").said == ""
