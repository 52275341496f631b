"""`applypatch-msg`, run by a real `git am`: what a patch brings is judged, and signed where that launders nothing."""

from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.machine import Done, run
from tests.unit.hooks_client.conftest import Hooked

HUMAN = "it comes from a patch (ID112)"


def message(clone: Clone, rev: str = "HEAD") -> str:
    return clone.git("log", "-1", "--format=%B", rev)


def mail(clone: Clone, count: int = 1) -> list[Path]:
    """The newest commits as patches, and the clone's branch back behind them."""
    folder = clone.folder.parent / f"mail-{clone.name}"
    clone.git("format-patch", "-q", f"-{count}", "-o", str(folder))
    clone.git("reset", "-q", "--hard", f"HEAD~{count}")
    return sorted(folder.iterdir())


def am(clone: Clone, patches: list[Path], *options: str, env: dict[str, str] | None = None) -> Done:
    return clone.try_git("am", "-q", "--no-gpg-sign", *options, *patches, env=env)


def test_an_agents_patch_of_its_own_is_signed_for_the_place_where_it_lands(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    builder = hooked("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim\n\nChange-Id: I7", proof="none", options=["--no-verify"])
    patches = mail(builder)
    done = am(builder, patches)
    assert (done.code, done.said) == (0, "")
    keys = [line.split(":")[0] for line in message(builder).split("\n\n")[1].splitlines()]
    assert keys == ["Change-Id", "Codifica-Actor", "Codifica-Signature"]
    assert builder.guard("check", "HEAD").code == 0
    builder.push().accepted()


@pytest.mark.parametrize("options", [[], ["--3way"], ["--signoff"], ["--ignore-whitespace", "--3way"], ["-C1"]])
def test_a_series_is_signed_patch_by_patch_whatever_the_options(repo: Repo, hooked: Hooked, options: list[str]) -> None:
    repo.task("FEAT-1", "in_progress")
    builder = hooked("builder")
    for number in range(2):
        builder.note("FEAT-1", f"Note {number}").commit(f"FEAT-1: note {number}", proof="none", options=["--no-verify"])
    patches = mail(builder, 2)
    builder.code("FEAT-1: code")
    assert am(builder, patches, *options).said == ""
    assert all("Codifica-Actor: agent:builder" in message(builder, rev) for rev in ("HEAD", "HEAD~1"))
    builder.push().accepted()


def test_a_signature_that_fits_stays_whosever_it_is(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2")
    alice, builder = repo.clone("alice"), hooked("builder")
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    patches = mail(alice)
    builder.code("FEAT-2: code")
    assert am(builder, patches).said == ""
    assert message(builder).count("Codifica-Signature: ") == 1
    assert "Codifica-Actor: human:alice" in message(builder)
    builder.push().accepted()


def test_anothers_signature_that_does_not_fit_is_not_taken_over(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress", owner="agent:writer").task("FEAT-2")
    writer, builder = repo.clone("writer"), hooked("builder")
    writer.note("FEAT-1").commit("FEAT-1: note", proof="trailers")
    (patch,) = mail(writer)
    patch.write_text(patch.read_text().replace("Half of it is done", "All of it is done"))
    done = am(builder, [patch])
    assert done.code == 0
    assert "codifica-guard: a push of this would be refused, 1 error: ID101" in done.said
    assert "codifica-guard: not signed: it is agent:writer's, whose signature does not fit here\n" in done.said
    assert "look again, then: git codifica sign HEAD" in done.said
    assert "Codifica-Actor: agent:writer" in message(builder)
    builder.push(options=["--no-verify"]).refused("ID101")
    told = builder.guard("sign", "HEAD")
    assert (told.code, f"git codifica sign --drop {builder.head()[:7]}" in told.said) == (1, True)


@pytest.mark.parametrize("signer", ["nobody", "by git", "herself long ago"])
def test_a_humans_act_in_a_patch_is_never_signed_as_hers(repo: Repo, hooked: Hooked, signer: str) -> None:
    """Whoever wrote it: that its author line names her proves nothing."""
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2")
    alice, eve = hooked("alice"), repo.clone("builder")
    eve.close("FEAT-1").write("src/new.py", "x = 1\n")
    eve.commit("FEAT-1: done", proof="none", author="Alice <alice@example.org>", when=-5)
    patches = mail(eve)
    if signer == "herself long ago":
        # She approved just this once, and took it back: her dead signature is pasted under other work.
        alice.approve("FEAT-1").commit("FEAT-1: approve", proof="none")
        old = message(alice).split("\n\n")[1]
        alice.git("reset", "-q", "--hard", "HEAD~1")
        patches[0].write_text(patches[0].read_text().replace("\n---\n", f"\n\n{old}\n---\n", 1))
    done = am(alice, patches) if signer != "by git" else alice.try_git("am", "-q", "-S", *patches)
    assert done.code == 0, done.said
    assert HUMAN in done.said
    assert "git commit --amend -S --no-edit --reset-author" in done.said
    alice.push(options=["--no-verify"]).refused({"nobody": "ID106", "by git": "ID112"}.get(signer, "ID101"))
    if signer == "nobody":
        alice.git("commit", "-q", "--amend", "-S", "--no-edit", "--reset-author", "--no-verify")
        alice.push(options=["--no-verify"]).accepted(perhaps={"CD207", "CD401"})


def test_code_in_a_patch_of_anybody_is_taken_unsigned(repo: Repo, hooked: Hooked) -> None:
    builder, alice = repo.task("FEAT-1").clone("builder"), hooked("alice")
    builder.code("code", proof="none")
    assert am(alice, mail(builder)).said == ""
    assert "Codifica" not in message(alice)
    alice.push().accepted()


def test_what_the_server_would_refuse_is_not_applied(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    builder = hooked("builder")
    builder.claim("FEAT-2", without=["owner"]).commit("FEAT-2: claim", proof="none", options=["--no-verify"])
    patches = mail(builder)
    head = builder.head()
    done = am(builder, patches)
    assert (done.code, builder.head()) == (1, head)
    assert "codifica-guard: patch refused, 1 error: CD301" in done.said
    assert "it was not applied; without it: git am --skip, and without all: git am --abort" in done.said
    assert builder.git("status", "--porcelain", "--untracked-files=no") == ""
    builder.git("am", "--skip")
    assert builder.head() == head


def test_what_takes_a_merge_is_left_to_git_and_said(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress")
    builder = hooked("builder")
    builder.write("src/app.py", "print('mine')\n").note("FEAT-1")
    builder.commit("FEAT-1: note", proof="none", options=["--no-verify"])
    patches = mail(builder)
    builder.write("src/app.py", "print('other')\n").commit("code", proof="none")
    for options in ([], ["--3way"]):
        done = am(builder, patches, *options)
        assert "codifica-guard: not checked and not signed: it needs a merge; once it is in:" in done.said
        assert done.code != 0
        assert "Patch failed at 0001" in done.said
        if options:
            builder.write("src/app.py", "print('both')\n").git("add", "-A")
            builder.git("am", "--continue")
            assert builder.guard("sign", "HEAD").code == 0
            builder.push().accepted()
        else:
            builder.git("am", "--abort")


def test_a_merge_that_git_makes_by_itself_is_foreseen(repo: Repo, hooked: Hooked) -> None:
    """The patch alone does not apply: what stands around its lines was changed, and the files that it was made of are here."""
    repo.file("src/app.py", "".join(f"line {number}\n" for number in range(9))).task("FEAT-1", "in_progress")
    builder = hooked("builder")
    text = builder.read("src/app.py")
    builder.write("src/app.py", text.replace("line 4", "line four")).note("FEAT-1")
    builder.commit("FEAT-1: note", proof="none", options=["--no-verify"])
    patches = mail(builder)
    builder.write("src/app.py", text.replace("line 2", "line two")).commit("code", proof="none")
    done = am(builder, patches, "--3way")
    assert done.code == 0, done.said
    assert builder.read("src/app.py") == text.replace("line 2", "line two").replace("line 4", "line four")
    assert builder.guard("check", "HEAD").code == 0
    builder.push().accepted()


def test_a_rebase_by_patches_is_no_mail(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2")
    alice = hooked("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="none")
    repo.clone("writer").claim("FEAT-2").commit("FEAT-2: claim").push().accepted()
    alice.git("fetch", "-q")
    done = alice.try_git("rebase", "-q", "--apply", "origin/main")
    assert (done.code, "codifica-guard" in done.said) == (0, False)
    alice.push().accepted()


def test_the_first_commit_of_an_unborn_branch_is_taken(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    builder.code("code")
    patches = mail(builder)
    builder.git("remote", "set-head", "origin", "main")
    builder.git("checkout", "-q", "--orphan", "new")
    builder.git("rm", "-rfq", ".")
    done = am(builder, patches)
    assert done.code == 0, done.said
    assert builder.git("ls-files") == "src/new.py"


def test_without_a_policy_nothing_happens(repo: Repo, hooked: Hooked) -> None:
    repo.not_introduced()
    alice = hooked("alice")
    alice.code("one")
    assert am(alice, mail(alice)).said == ""


def test_without_a_patch_it_says_that_it_cannot_tell(repo: Repo, hooked: Hooked) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    (builder.folder / "message").write_text("x\n")
    done = builder.guard("hook", "applypatch-msg", "message")
    assert (done.code, "it needs a merge" in done.said) == (0, True)
    del hooked


def test_in_a_linked_worktree_mail_is_applied_too(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "in_progress")
    builder = hooked("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", proof="none", options=["--no-verify"])
    patches = mail(builder)
    first, builder.folder = builder.folder, builder.folder.parent / "tree"
    try:
        run(["git", "worktree", "add", "-q", "-b", "t", builder.folder], cwd=first, home=builder.home)
        assert am(builder, patches).said == ""
        assert "Codifica-Actor: agent:builder" in message(builder)
        assert list((first / ".git" / "worktrees" / "tree").glob("codifica-guard-*")) == []
        builder.push().accepted()
    finally:
        builder.folder = first
