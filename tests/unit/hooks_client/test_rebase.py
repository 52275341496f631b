"""`post-rewrite` behind real rebases: one's own signatures are renewed where nothing else was lost, and all others are named."""

import pytest

from tests.building import Clone, Repo
from tests.unit.hooks_client.conftest import Hooked

MERGE, APPLY = ("--merge",), ("--apply",)


def message(clone: Clone, rev: str = "HEAD") -> str:
    return clone.git("log", "-1", "--format=%B", rev)


def told(said: str) -> list[str]:
    return [line.removeprefix("codifica-guard: ") for line in said.splitlines() if line.startswith("codifica-guard: ")]


def moved_on(repo: Repo) -> None:
    """main gets a commit that touches nothing of what the tests are about."""
    repo.clone("writer").claim("FEAT-9").commit("FEAT-9: claim").push().accepted()


@pytest.mark.parametrize("backend", [MERGE, APPLY])
def test_what_git_signed_is_signed_by_trailers_and_the_branch_is_at_it(
    repo: Repo, hooked: Hooked, backend: tuple[str]
) -> None:
    repo.task("FEAT-1").task("FEAT-9")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", options=["--no-verify"])
    builder.write("src/a.py", "x\n").commit("FEAT-1: code", proof="none")
    builder.note("FEAT-1").commit("FEAT-1: note", options=["--no-verify"])
    moved_on(repo)
    builder.git("fetch", "-q")
    done = builder.try_git("rebase", "-q", *backend, "origin/main")
    assert (done.code, told(done.said)) == (
        0,
        ["signed again as agent:builder, 2 commits: FEAT-1 todo -> in_progress, FEAT-1 changed"],
    )
    assert builder.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert builder.git("status", "--porcelain") == ""
    assert builder.git("log", "-3", "--format=%s") == "FEAT-1: note\nFEAT-1: code\nFEAT-1: claim"
    assert "codifica-guard: signed again" in builder.git("reflog", "--all")
    builder.push().accepted()


def test_a_humans_act_that_she_signed_by_git_goes_on_without_her(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-9")
    alice = hooked("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve", options=["--no-verify"])
    moved_on(repo)
    done = alice.try_git("pull", "-q", "--rebase")
    assert told(done.said) == ["signed again as human:alice, 1 commit: FEAT-1 to_be_tested -> done"]
    assert "Codifica-Actor: human:alice" in message(alice)
    alice.push().accepted()


def test_that_git_signs_while_it_rebases_makes_no_difference(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-9")
    alice = hooked("alice")
    alice.git("config", "commit.gpgSign", "true")
    alice.approve("FEAT-1").commit("FEAT-1: approve", when=-5, options=["--no-verify"])
    moved_on(repo)
    done = alice.try_git("pull", "-q", "--rebase")
    assert told(done.said) == ["signed again as human:alice, 1 commit: FEAT-1 to_be_tested -> done"]
    alice.push().accepted()


def test_what_she_had_not_signed_is_not_signed_by_a_rebase(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-9")
    alice = hooked("alice")
    alice.git("config", "commit.gpgSign", "true")
    repo.clone("builder").close("FEAT-1").commit("FEAT-1: done", proof="none", when=-5)
    alice.git("pull", "-q", "--ff-only", str(repo.clone("builder").folder), "main")
    moved_on(repo)
    assert told(alice.try_git("pull", "-q", "--rebase").said) == []
    assert "Codifica" not in message(alice)
    alice.push(options=["--no-verify"]).refused("ID112")


def test_writer_signatures_stay_also_where_the_token_is_gone(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress", writer="one").task("FEAT-9")
    builder = hooked("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", proof="git", tokens=["one"], options=["--no-verify"])
    moved_on(repo)
    done = builder.try_git("pull", "-q", "--rebase")
    assert told(done.said) == ["signed again as agent:builder, 1 commit: FEAT-1 changed"]
    assert message(builder).count("Codifica-Writer: ") == 1
    builder.push().accepted()


def test_signatures_that_died_of_another_change_are_named_with_one_command(repo: Repo, hooked: Hooked) -> None:
    for number in (1, 2, 3, 4):
        repo.task(f"FEAT-{number}")
    alice, bob = hooked("alice"), repo.clone("bob")
    for number in (1, 2, 3, 4):
        alice.edit(f"FEAT-{number}", title="Better words").commit(f"FEAT-{number}: title", proof="none")
    for number in (1, 3):
        bob.edit(f"FEAT-{number}", labels=["soon"]).commit(f"FEAT-{number}: labels")
    bob.push().accepted()
    done = alice.try_git("pull", "-q", "--rebase")
    first, last = alice.head("HEAD~3")[:7], alice.head("HEAD~1")[:7]
    assert told(done.said) == [
        f"{first}, {last}: their signatures do not fit any more; look again, then: git codifica sign {first}~..{last}"
    ]
    assert alice.guard("sign", f"{first}~..{last}").code == 0
    alice.push().accepted()


def test_a_signature_that_died_of_another_change_is_named_alone(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice, bob = hooked("alice"), repo.clone("bob")
    alice.edit("FEAT-1", title="Better words").commit("FEAT-1: title", proof="none")
    alice.edit("FEAT-2", title="Better too").commit("FEAT-2: title", proof="none")
    bob.edit("FEAT-1", labels=["soon"]).commit("FEAT-1: labels").push().accepted()
    done = alice.try_git("pull", "-q", "--rebase")
    dead = alice.head("HEAD~1")[:7]
    assert told(done.said) == [
        f"{dead}: its signature does not fit any more; look again, then: git codifica sign {dead}"
    ]
    assert alice.guard("sign", dead).code == 0
    alice.push().accepted()


def test_what_is_renewed_and_what_has_to_be_looked_at_are_told_apart(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice, bob = hooked("alice"), repo.clone("bob")
    alice.edit("FEAT-2", title="Better too").commit("FEAT-2: title", options=["--no-verify"])
    alice.edit("FEAT-1", title="Better words").commit("FEAT-1: title", options=["--no-verify"])
    bob.edit("FEAT-1", labels=["soon"]).commit("FEAT-1: labels").push().accepted()
    done = alice.try_git("pull", "-q", "--rebase")
    dead = alice.head()[:7]
    assert told(done.said) == [
        "signed again as human:alice, 1 commit: FEAT-2 changed",
        f"{dead}: its signature does not fit any more; look again, then: git codifica sign {dead}",
    ]
    assert alice.git("log", "-1", "--format=%s") == "FEAT-1: title"


def test_anothers_signature_is_named_and_nothing_is_put_in_its_place(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-9")
    builder, alice = hooked("builder"), repo.clone("alice")
    alice.edit("FEAT-1", title="Hers").commit("FEAT-1: title", proof="git")
    builder.git("pull", "-q", "--ff-only", str(alice.folder), "main")
    builder.claim("FEAT-2").commit("FEAT-2: claim", options=["--no-verify"])
    before = builder.head()
    moved_on(repo)
    done = builder.try_git("pull", "-q", "--rebase")
    hers = builder.head("HEAD~1")[:7]
    lost = f"{hers}: the signature of human:alice does not fit any more, and is not yours to renew"
    assert told(done.said) == [
        "signed again as agent:builder, 1 commit: FEAT-2 todo -> in_progress",
        f"{lost}; as it was: git reset --keep {before[:7]}",
    ]
    assert "Codifica" not in message(builder, "HEAD~1")
    builder.git("reset", "--keep", before[:7])
    assert builder.head() == before


def test_anothers_between_ones_own_is_left_out_of_the_command(repo: Repo, hooked: Hooked) -> None:
    for number in (1, 2, 3):
        repo.task(f"FEAT-{number}")
    alice, bob, carol = hooked("alice"), repo.clone("bob"), repo.clone("bob", "again")
    alice.edit("FEAT-1", title="Mine").commit("FEAT-1: title", proof="none")
    carol.git("pull", "-q", "--ff-only", str(alice.folder), "main")
    carol.edit("FEAT-2", title="Bob's").commit("FEAT-2: title", proof="git")
    alice.git("pull", "-q", "--ff-only", str(carol.folder), "main")
    alice.edit("FEAT-3", title="Mine too").commit("FEAT-3: title", proof="none")
    bob.edit("FEAT-1", labels=["a"]).edit("FEAT-3", labels=["b"]).commit("FEAT-1 FEAT-3: labels").push().accepted()
    lines = told(alice.try_git("pull", "-q", "--rebase").said)
    last = alice.head()[:7]
    assert lines[0].endswith(f"look again, then: git codifica sign {last}")
    assert "the signature of human:bob" in lines[1]
    assert alice.guard("sign", last).code == 0


def test_a_rebase_that_kills_nothing_is_silent(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-9")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    moved_on(repo)
    assert builder.try_git("pull", "-q", "--rebase").said == ""
    builder.push().accepted()


def test_a_rebase_without_a_key_says_what_was_lost(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-9")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", options=["--no-verify"])
    moved_on(repo)
    builder.git("config", "gpg.format", "openpgp")
    done = builder.try_git("pull", "-q", "--rebase")
    dead = builder.head()[:7]
    assert told(done.said) == [
        f"{dead}: its signature does not fit any more; look again, then: git codifica sign {dead}"
    ]


def test_a_fixup_of_ones_own_is_signed_by_commit_msg_and_needs_no_more(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress")
    builder = hooked("builder")
    builder.note("FEAT-1", "One").commit("FEAT-1: note", proof="none")
    builder.note("FEAT-1", "Two").commit("fixup! FEAT-1: note", proof="none")
    done = builder.try_git("rebase", "-q", "-i", "--autosquash", "HEAD~2", env={"GIT_SEQUENCE_EDITOR": "true"})
    assert told(done.said) == []
    assert builder.git("log", "--format=%s", "origin/main..") == "FEAT-1: note"
    builder.push().accepted()


def test_commits_that_became_one_have_to_be_looked_at(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress")
    builder = hooked("builder")
    builder.note("FEAT-1", "One").commit("FEAT-1: note", proof="none")
    first = builder.head()
    builder.note("FEAT-1", "Two").commit("FEAT-1: more", proof="none")
    second = builder.head()
    builder.git("reset", "-q", "--soft", "HEAD~2")
    builder.commit("FEAT-1: both", proof="none", options=["--no-verify"])
    one = builder.head()
    rows = "".join(f"{old} {one}\n" for old in (first, second)).encode()
    said = told(builder.guard("hook", "post-rewrite", "rebase", data=rows).said)
    short = one[:7]
    assert said == [f"{short}: its signature does not fit any more; look again, then: git codifica sign {short}"]
    assert builder.head() == one


def test_stacked_branches_and_notes_move_along(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-9")
    builder = hooked("builder")
    builder.git("config", "notes.rewriteRef", "refs/notes/*")
    builder.claim("FEAT-1").commit("FEAT-1: claim", options=["--no-verify"])
    builder.git("notes", "add", "-m", "remember")
    builder.git("branch", "low")
    builder.write("src/a.py", "x\n").commit("FEAT-1: code", proof="none")
    moved_on(repo)
    builder.git("fetch", "-q")
    builder.git("rebase", "-q", "--update-refs", "origin/main")
    assert builder.head("low") == builder.head("HEAD~1")
    assert "Codifica-Actor" in message(builder, "low")
    assert builder.git("notes", "show", "low") == "remember"


def test_uncommitted_work_comes_back_as_it_was(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-9")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", options=["--no-verify"])
    builder.write("src/app.py", "half\n")
    moved_on(repo)
    done = builder.try_git("pull", "-q", "--rebase", "--autostash")
    assert "signed again as agent:builder" in done.said
    assert builder.read("src/app.py") == "half\n"
    assert builder.git("status", "--porcelain").strip() == "M src/app.py"


def test_after_a_rebase_one_is_told_what_concerns_one(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2")
    builder, alice = hooked("builder"), repo.clone("alice")
    builder.claim("FEAT-2").commit("FEAT-2: claim", proof="none")
    alice.back("FEAT-1", reason="The link is dead").commit("FEAT-1: return").push().accepted(perhaps={"CD301", "CD209"})
    said = told(builder.try_git("pull", "-q", "--rebase").said)
    assert said == [
        "FEAT-1 went from to_be_tested to todo by human:alice: The link is dead; do: git codifica claim FEAT-1"
    ]
    assert told(builder.try_git("rebase", "-q", "--force-rebase", "HEAD~1").said) == []  # nothing came


@pytest.mark.parametrize("what", ["rebase", "amend"])
def test_where_the_input_was_kept_by_a_program_between_what_git_wrote_down_is_read(
    repo: Repo, hooked: Hooked, what: str
) -> None:
    repo.task("FEAT-1").task("FEAT-9")
    builder = hooked("builder")
    hook = builder.folder / ".git" / "hooks" / "post-rewrite"
    hook.rename(hook.with_suffix(".legacy"))
    hook.write_text('#!/bin/sh\nexec "$0.legacy" "$@" </dev/null\n')
    hook.chmod(0o755)
    builder.claim("FEAT-1").commit("FEAT-1: claim", options=["--no-verify"])
    if what == "amend":
        builder.git("commit", "-q", "--amend", "--no-verify", "-m", "FEAT-1: claim it")
        assert builder.git("log", "-1", "--format=%s") == "FEAT-1: claim it"
    else:
        builder.write("src/a.py", "x\n").commit("FEAT-1: code", proof="none")
        moved_on(repo)
        assert "signed again as agent:builder, 1 commit" in builder.try_git("pull", "-q", "--rebase").said
    assert builder.guard("check", "origin/main..HEAD").code == 0
    builder.push().accepted()


def test_input_that_says_nothing_about_this_branch_changes_nothing(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", options=["--no-verify"])
    head = builder.head()
    for data in (b"", b"%s %s\n" % (head.encode(), head.encode()), b"1 2\n", b"%s %s\n" % (b"1" * 40, head.encode())):
        done = builder.guard("hook", "post-rewrite", "rebase", data=data)
        assert done.code == 0, done.said
        assert builder.head() == head


def test_what_is_not_checked_out_is_told_and_left(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", options=["--no-verify"])
    old = builder.head()
    builder.git("-c", "core.hooksPath=/nowhere", "commit", "-q", "--amend", "--no-gpg-sign", "--no-edit")
    new = builder.head()
    builder.git("-c", "core.hooksPath=/nowhere", "reset", "-q", "--hard", "HEAD~1")
    done = builder.guard("hook", "post-rewrite", "rebase", data=f"{old} {new}\n".encode())
    assert told(done.said) == [
        f"{new[:7]}: its signature does not fit any more; look again, then: git codifica sign {new[:7]}"
    ]


def test_what_would_cost_another_his_signature_is_not_renewed_by_itself(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3")
    alice, bob = hooked("alice"), repo.clone("bob")
    alice.edit("FEAT-1", title="Hers").commit("FEAT-1: title", options=["--no-verify"])
    old = alice.head()
    alice.git("-c", "core.hooksPath=/nowhere", "commit", "-q", "--amend", "--no-gpg-sign", "--no-edit")
    new = alice.head()
    bob.git("pull", "-q", "--ff-only", str(alice.folder), "main")
    bob.edit("FEAT-2", title="His").commit("FEAT-2: title")
    alice.git("pull", "-q", "--ff-only", str(bob.folder), "main")
    head = alice.head()
    done = alice.guard("hook", "post-rewrite", "rebase", data=f"{old} {new}\n{head} {head}\n".encode())
    lines = told(done.said)
    assert lines[0].startswith("not signed again: ")
    assert "is signed by human:bob, and would lose that signature" in lines[0]
    assert lines[1].startswith(f"{new[:7]}: its signature does not fit any more")
    assert alice.head() == head
