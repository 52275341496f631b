"""What people move by a push: refs, histories, reverts, squashes, carried signatures."""

from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.machine import run

MAIN = "refs/heads/main"


def illegal(clone: Clone, ident: str = "FEAT-1") -> Clone:
    """Commit an approval that nobody signed."""
    return clone.edit(ident, state="done").commit(f"{ident}: done", proof="none")


def only(push_said: str, tip: str, other: str) -> None:
    """A report names one commit, and not the other."""
    assert tip[:7] in push_said
    assert other[:7] not in push_said


# -- 1: several refs in one push, odd input


@pytest.mark.parametrize("order", ["the bad one first", "the bad one last"])
def test_case_01_a_legal_ref_waits_with_the_illegal_one_beside_it_and_passes_alone(repo: Repo, order: str) -> None:
    repo.policy(protected_branches=["a", "main", "z"]).task("FEAT-1", "to_be_tested")
    builder = repo.clone("builder").code()
    good = builder.head()
    illegal(builder)
    name = "a" if order == "the bad one first" else "z"
    builder.push(f"HEAD:{name}", f"{good}:main").refused("GT105", "FEAT-1", builder.head()[:7])
    assert name not in repo.refs()
    builder.push(f"{good}:{name}", f"{good}:main").accepted()


@pytest.mark.guard
@pytest.mark.parametrize("way", ["closed", "a folder", "for writing only"])
def test_case_01_a_standard_input_that_cannot_be_read_is_refused(repo: Repo, tmp_path: Path, way: str) -> None:
    hook = repo.found().bare / "hooks" / "pre-receive"
    redirect = {"closed": "<&-", "a folder": f"<'{tmp_path}'", "for writing only": f"0>'{tmp_path}/out'"}[way]
    done = run(
        ["sh", "-c", f'GIT_DIR=. "$0" {redirect}', hook], cwd=repo.bare, home=tmp_path, check=False, data=b"ignored"
    )
    assert done.code == 1
    assert done.said.startswith("codifica-guard: push refused" if way != "a folder" else "Fatal Python error")
    assert "Traceback" not in done.said


# -- 2: branches that are born and that end


def test_case_02_a_new_branch_is_not_asked_about_what_main_has(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested")
    builder = repo.clone("builder")
    illegal(builder)
    old = builder.head()
    repo.on_server("fetch", "-q", str(builder.folder), f"HEAD:{MAIN}")  # the admin lets it in, around the guard
    builder.fetch().push("HEAD:release/1", "HEAD^:release/0").accepted()
    push = illegal(builder, "FEAT-2").push("HEAD:release/2").refused({"GT105", "ID106"}, "FEAT-2")
    assert not push.guarded or old[:7] not in push.said


def test_case_02_of_a_deletion_beside_other_refs_each_is_judged(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder").code()
    builder.push("HEAD:topic").accepted()
    good = builder.head()
    illegal(builder).push(":topic", "HEAD:main").refused("ID106", "FEAT-1", without={"GT102"})
    builder.push(":topic", f"{good}:main").accepted()
    assert "refs/heads/topic" not in repo.refs()


@pytest.mark.guard
def test_case_02_a_deletion_of_what_is_not_there_is_no_crash(repo: Repo) -> None:
    done = repo.found().hook("pre-receive", f"{'0' * 40} {'0' * 40} refs/heads/nothing\n".encode())
    assert (done.code, done.said) == (0, "")


# -- 3: parked first, brought to main later


def test_case_03_what_stands_on_another_protected_branch_is_judged_when_main_is_moved_on_to_it(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "stable"]).task("FEAT-1", "to_be_tested")
    builder = repo.clone("builder").code()
    good = builder.head()
    illegal(builder)
    bad = builder.head()
    repo.on_server("fetch", "-q", str(builder.folder), "HEAD:refs/heads/stable")
    builder.push(f"{bad}:main").refused("ID106", "FEAT-1", bad[:7])
    builder.push(f"{good}:main").accepted()


def test_case_03_what_was_parked_and_is_legal_comes_to_main(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim")
    builder.push("HEAD:build/FEAT-1-form").accepted()
    builder.push("HEAD:main").accepted()


def test_case_03_code_goes_to_a_release_branch_and_state_does_not(repo: Repo) -> None:
    builder = repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1").clone("builder").code()
    builder.push("HEAD:release/1").accepted()
    builder.claim("FEAT-1").commit("FEAT-1: claim").push("HEAD:release/1").refused("GT105", "work.md", "main")


# -- 4: inside one push


def test_case_04_several_legal_steps_in_one_push_pass(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim").code("FEAT-1: page")
    builder.hand_in("FEAT-1").commit("FEAT-1: hand in").push().accepted()


def test_case_04_of_a_push_of_three_only_the_illegal_commit_is_named(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").task("FEAT-2", "to_be_tested").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: first")
    first = builder.head()
    middle = illegal(builder, "FEAT-2").head()
    last = builder.code("FEAT-1: last").head()
    push = builder.push().refused("ID106", "FEAT-2", "to_be_tested -> done")
    if push.guarded:
        only(push.said, middle, first)
        only(push.said, middle, last)


# -- 6: reverts and squashes


@pytest.mark.parametrize(("who", "code"), [("builder", "CD202"), ("alice", "CD208")])
def test_case_06_a_revert_of_a_claim_is_refused_and_what_it_wants_has_an_act_of_its_own(
    repo: Repo, who: str, code: str
) -> None:
    builder, alice = repo.task("FEAT-1").clone("builder"), repo.clone("alice")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    clone = repo.clone(who).fresh()
    clone.git("revert", "--no-edit", "-S", "HEAD")
    clone.push().refused(code, "FEAT-1")
    alice.fresh().reclaim("FEAT-1").commit("FEAT-1: reclaim").push().accepted(perhaps={"CD310"})


def test_case_06_a_revert_of_done_is_refused_and_a_reopening_is_not(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve")
    alice.push().accepted()
    alice.git("revert", "--no-edit", "-S", "HEAD")
    alice.push().refused("CD201", "done -> to_be_tested")
    alice.fresh().back("FEAT-1").commit("FEAT-1: reopen").push().accepted()


def test_case_06_a_merge_commit_keeps_what_a_squash_buries(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").switch("topic")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers").hand_in("FEAT-1")
    builder.commit("FEAT-1: hand in", proof="trailers").checkout("main").git("merge", "-q", "--squash", "topic")
    builder.git("commit", "-q", "-m", "FEAT-1: all of it\n\n" + builder.git("log", "--format=%B", "main..topic"))
    builder.push().refused("ID101", "git merge --no-ff", "it keeps the signatures")
    builder.fresh().merge("topic").push().accepted()


# -- 7: what a signature outlives


def report(clone: Clone, text: str) -> str:
    """Commit an approval whose message carries a report, signed by the program; its message."""
    clone.approve("FEAT-1").commit(f"FEAT-1: approve\n\nREPORT done\nresult: {text}", proof="none")
    done = clone.guard("sign", "HEAD")
    assert done.code == 0, done.said
    return clone.git("log", "-1", "--format=%B")


@pytest.mark.guard
@pytest.mark.parametrize("change", ["another word", "another report", "none any more"])
def test_case_07_a_changed_report_kills_the_signature(repo: Repo, change: str) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    told = report(alice, "works")
    new = {
        "another word": told.replace("result: works", "result: fails"),
        "another report": told.replace("\n\nCodifica-", "\n\nREPORT accepted\nby: me\n\nCodifica-", 1),
        "none any more": told.replace("REPORT done\n", "About: done\n"),
    }[change]
    assert new != told
    signed = alice.head()
    alice.git("commit", "-q", "--amend", "--no-gpg-sign", "-m", new)
    alice.push().refused("ID101", alice.head()[:7], "git codifica sign")
    alice.git("reset", "-q", "--hard", signed)
    alice.push().accepted()


@pytest.mark.guard
def test_case_07_words_beside_a_report_do_not_kill_the_signature(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    told = report(alice, "works")
    new = told.replace("FEAT-1: approve\n", "FEAT-1: approve it\n\nAt last.\n", 1)
    alice.git("commit", "-q", "--amend", "--no-gpg-sign", "-m", new)
    alice.push().accepted()


def test_case_07_the_signature_of_git_does_not_outlive_another_word(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve")
    raw = alice.git("cat-file", "commit", "HEAD") + "\n"
    signed = alice.head()
    alice.at(alice.object("commit", raw.replace("FEAT-1: approve", "FEAT-1: approve!").encode())).push().refused(
        "ID101", "human:alice", "git codifica sign"
    )
    alice.at(signed).push().accepted()


@pytest.mark.guard
def test_case_07_who_signs_again_after_a_look_is_let_in(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested", description="Text").clone("alice"), repo.clone("builder")
    alice.switch("mine").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    builder.note("FEAT-1", "One more thing").commit("FEAT-1: note").push().accepted()
    alice.fetch().git("rebase", "-q", "-X", "theirs", "origin/main")
    assert "One more thing" in alice.read()
    alice.push().refused("ID101", "look again", "git codifica sign")
    assert alice.guard("sign", "HEAD").code == 0
    alice.push().accepted()


# -- 8: words of a message


@pytest.mark.parametrize("subject", ["fixup! FEAT-1: claim", "amend! FEAT-1", "Merge branch 'x'", 'Revert "FEAT-1"'])
def test_case_08_a_legal_commit_may_have_any_of_these_words(repo: Repo, subject: str) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit(f"{subject} FEAT-1")
    builder.push().accepted()
