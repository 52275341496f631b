"""`commit-msg`, run by a real `git commit`: what it signs, what it stops, what it leaves alone."""

import pytest

from codifica_guard.identity.tokens import new_token, store_token
from codifica_guard.model.ids import TaskId
from tests.building import Clone, Repo
from tests.building.machine import Done
from tests.unit.hooks_client.conftest import Hooked


def message(clone: Clone, rev: str = "HEAD") -> str:
    return clone.git("log", "-1", "--format=%B", rev)


def commit(clone: Clone, *options: str, env: dict[str, str] | None = None) -> Done:
    """Commit whatever changed, unsigned by Git."""
    clone.git("add", "-A")
    return clone.try_git("commit", "-q", "--no-gpg-sign", *options, env=env)


def test_a_claim_is_signed_with_key_and_writer_token(repo: Repo, hooked: Hooked) -> None:
    repo.policy(writer_tokens="required").task("FEAT-1")
    builder, token = hooked("builder"), new_token()
    store_token(builder.folder / ".git" / "codifica-guard" / "tokens", TaskId("FEAT-1"), token)
    done = commit(builder.claim("FEAT-1", writer=token.public_line), "-m", "FEAT-1: claim\n\nChange-Id: I7")
    assert (done.code, done.said) == (0, "")
    keys = [line.split(":")[0] for line in message(builder).split("\n\n")[1].splitlines()]
    assert keys == ["Change-Id", "Codifica-Actor", "Codifica-Signature", "Codifica-Writer"]
    assert commit(builder.note("FEAT-1"), "-m", "FEAT-1: note").said == ""
    builder.push().accepted()


def test_code_is_not_signed_unless_the_policy_says_so(repo: Repo, hooked: Hooked) -> None:
    builder = hooked("builder").write("src/a.py", "x\n")
    assert commit(builder, "-m", "code").said == ""
    assert message(builder) == "code"
    alice = hooked("alice").write(
        ".codifica/guard.json", str(repo.trust_files(require_signatures="all")[".codifica/guard.json"])
    )
    assert commit(alice, "-m", "all signed").code == 0
    alice.push().accepted()
    assert commit(builder.pull("--rebase").write("src/b.py", "x\n"), "-m", "more code").code == 0
    assert "Codifica-Actor: agent:builder" in message(builder)


@pytest.mark.parametrize("what", ["prose", "trust", "scope"])
def test_what_only_a_person_may_touch_is_signed(repo: Repo, hooked: Hooked, what: str) -> None:
    repo.rules(file_scope={"include": ["src/**"]}).task("FEAT-1")
    alice = hooked("alice")
    if what == "prose":
        alice.replace("The tasks of the shop.", "More.")
    elif what == "trust":
        alice.write("codifica-spec.md", "# New\n")
    else:
        alice.write("README.md", "# New\n")
    assert commit(alice, "-m", what).code == 0
    assert "Codifica-Actor: human:alice" in message(alice)
    alice.push().accepted()


def test_a_human_is_told_what_she_signs(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    done = commit(alice.approve("FEAT-1"), "-m", "FEAT-1: approve")
    assert done.said == "codifica-guard: signed as human:alice: FEAT-1 to_be_tested -> done\n"
    alice.push().accepted()


def test_what_the_server_would_refuse_is_not_committed(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2")
    builder = hooked("builder")
    head = builder.head()
    done = commit(builder.claim("FEAT-2", without=["owner"]), "-m", "FEAT-2: claim")
    assert (done.code, builder.head()) == (1, head)
    assert "codifica-guard: commit refused, 1 error: CD301" in done.said
    assert commit(builder, "--no-verify", "-m", "FEAT-2: claim").code == 0


def test_a_warning_is_told_and_commits(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    done = commit(alice.approve("FEAT-1", without=["entry"]), "-m", "FEAT-1: approve")
    assert done.code == 0
    assert "codifica-guard: commit accepted, 1 warning: CD207" in done.said


@pytest.mark.parametrize("what", ["task", "scope", "trust"])
def test_what_only_lacks_a_proof_is_left_to_git_and_the_push(repo: Repo, hooked: Hooked, what: str) -> None:
    repo.rules(file_scope={"include": ["src/**"]}).task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    alice.git("config", "--global", "gpg.format", "openpgp")
    alice.approve("FEAT-1") if what == "task" else alice.write("README.md" if what == "scope" else "codifica.json", "{}\n" if what == "scope" else alice.read("codifica.json") + "\n")  # fmt: skip
    done = commit(alice, "-m", "FEAT-1: approve")
    assert done.code == 0
    assert "codifica-guard: a push of this would be refused, 1 error: " in done.said
    assert "codifica-guard: not signed: there is no key to sign with" in done.said
    alice.git("-c", "gpg.format=ssh", "commit", "-q", "--amend", "-S", "--no-edit", "--reset-author")
    alice.push("HEAD:main", options=["--no-verify"]).accepted(perhaps={"ST111"})


@pytest.mark.parametrize("how", ["-a", "-p", "--only", "-i"])
def test_what_is_committed_is_judged_and_not_what_lies_around(repo: Repo, hooked: Hooked, how: str) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder = hooked("builder")
    builder.write("src/app.py", "print('staged')\n").git("add", "-A")
    builder.note("FEAT-1").write("src/new.py", "not added\n")
    words = {"-a": ["-a"], "-p": ["-p", "work.md"], "--only": ["--only", "work.md"], "-i": ["-i", "work.md"]}[how]
    done = builder.try_git("commit", "-q", *words, "-m", "FEAT-1: note", data=b"y\n" * 9)
    assert done.code == 0, done.said
    assert "Codifica-Actor: agent:builder" in message(builder)
    assert builder.guard("check", "HEAD").code == 0
    builder.git("stash", "-q", "-u")
    builder.push().accepted()


def test_the_signature_covers_what_git_stores_of_an_edited_message(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    builder = hooked("builder")
    editor = builder.home / "editor"
    editor.write_text(
        '#!/bin/sh\nprintf "FEAT-1: claim  \\n# aside\\n\\nREPORT start\\n# more\\nall well   \\n" >x\ncat "$1" >>x\nmv x "$1"\n'
    )
    editor.chmod(0o755)
    for number, words in enumerate((["-v"], [], ["-c", "core.commentChar=;"])):
        builder.claim("FEAT-1") if number == 0 else builder.note("FEAT-1", f"note {number}")
        builder.git("add", "-A")
        settings, options = (words, []) if words[:1] == ["-c"] else ([], words)
        builder.git(*settings, "commit", "-q", *options, env={"GIT_EDITOR": str(editor)})
        assert "diff --git" not in message(builder)
        assert builder.guard("check", "HEAD").code == 0, message(builder)
    assert ("# aside" in message(builder), "# aside" in message(builder, "HEAD~1")) == (True, False)
    builder.push().accepted()


def test_linked_worktrees_and_subfolders_are_at_home_too(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    tree = builder.folder.parent / "tree"
    builder.git("worktree", "add", "-q", str(tree), "-b", "t")
    builder.folder, first = tree, builder.folder
    builder.claim("FEAT-1").git("add", "-A")
    done = builder.try_git("-C", "src", "commit", "-q", "-m", "FEAT-1: claim")
    assert (done.code, done.said) == (0, "")
    assert "Codifica-Actor: agent:builder" in message(builder)
    builder.folder = first


def test_an_amend_of_ones_own_is_signed_anew(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    commit(builder.claim("FEAT-1"), "-m", "FEAT-1: claim")
    done = commit(builder.edit("FEAT-1", claimed_at="2026-01-01T00:00:00Z"), "--amend", "-m", "FEAT-1: claim")
    assert done.code == 0, done.said
    assert builder.guard("check").code == 0
    builder.git("commit", "-q", "--amend", "-m", "FEAT-1: other words")
    assert builder.guard("check").code == 0
    builder.push().accepted(perhaps={"CD108"})


def test_a_merge_that_decides_is_signed_by_the_human_who_decides(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    alice, bob = hooked("alice"), repo.clone("bob")
    bob.edit("FEAT-1", title="Bob's").commit("FEAT-1: title").push().accepted()
    commit(alice.edit("FEAT-1", title="Alice's"), "-m", "FEAT-1: title")
    alice.git("fetch", "-q")
    assert alice.try_git("merge", "-q", "origin/main").code == 1
    alice.git("checkout", "-q", "--ours", "work.md")
    assert commit(alice, "-m", "Merge").code == 0
    assert "Codifica-Actor: human:alice" in message(alice)
    assert alice.guard("check").code == 0
    alice.push().accepted()


@pytest.mark.parametrize("options", [("-s", "ours"), ("-X", "theirs"), ("-X", "ours")])
def test_a_choice_that_git_made_by_itself_is_not_signed_until_somebody_looked(
    repo: Repo, hooked: Hooked, options: tuple[str, str]
) -> None:
    repo.task("FEAT-1")
    alice, bob = hooked("alice"), repo.clone("bob")
    bob.edit("FEAT-1", title="Bob's").commit("FEAT-1: title").push().accepted()
    commit(alice.edit("FEAT-1", title="Alice's"), "-m", "FEAT-1: title")
    alice.git("config", "--unset", "merge.codifica.driver")
    before = alice.fetch().head()
    done = alice.try_git("merge", *options, "--no-edit", "origin/main")
    assert done.code != 0
    assert "not signed: it chooses between versions of FEAT-1, and Git made the merge by itself" in done.said
    assert "look first: git merge --no-commit" in done.said
    assert "CD502" in done.said
    assert "reset --hard HEAD~1" not in done.said
    assert alice.head() == before
    alice.try_git("merge", "--abort")
    alice.git("merge", "-q", "--no-commit", *options, "origin/main")
    done = commit(alice, "-m", "Merge: as I want it")
    assert done.code == 0
    assert "signed as human:alice: the merge chooses between versions of FEAT-1" in done.said
    alice.push().accepted()


def test_a_merge_that_only_joins_is_not_signed(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    builder = hooked("builder")
    commit(builder.claim("FEAT-1"), "-m", "FEAT-1: claim")
    repo.clone("writer").code("main moves").push().accepted()
    builder.git("pull", "-q", "--no-rebase", "--no-edit")
    assert "Codifica" not in message(builder)
    builder.push().accepted()


def test_a_humans_name_is_not_put_on_a_picked_act_of_another(repo: Repo, hooked: Hooked) -> None:
    builder, alice = repo.task("FEAT-1", "to_be_tested").clone("builder"), hooked("alice")
    builder.close("FEAT-1").write("src/app.py", "builder\n").commit("FEAT-1: done", proof="none", when=-5)
    builder.push("HEAD:topic").accepted()
    commit(alice.write("src/app.py", "alice\n"), "-m", "code")
    alice.git("fetch", "-q")
    assert alice.try_git("cherry-pick", "origin/topic").code == 1
    alice.write("src/app.py", "both\n").git("add", "-A")
    done = alice.try_git("cherry-pick", "--continue", env={"GIT_EDITOR": "true"})
    assert done.code == 0, done.said
    assert "it carries on" in done.said
    assert "(ID112)" in done.said
    assert "Codifica" not in message(alice)
    alice.push(options=["--no-verify"]).refused("ID106")
    alice.git("commit", "-q", "--amend", "-S", "--no-edit", "--reset-author")
    alice.push(options=["--no-verify"]).accepted(warnings={"CD207"}, perhaps={"CD401"})


def test_a_humans_name_is_not_put_on_what_is_squashed_from_another_branch(repo: Repo, hooked: Hooked) -> None:
    builder, alice = repo.task("FEAT-1", "to_be_tested").clone("builder"), hooked("alice")
    builder.close("FEAT-1").write("src/new.py", "x = 1\n").commit("FEAT-1: done", proof="none", when=-5).push(
        "HEAD:topic"
    ).accepted()
    alice.git("fetch", "-q")
    alice.git("merge", "-q", "--squash", "origin/topic")
    done = commit(alice, "-m", "the feature")
    assert "it is squashed from commits of another branch" in done.said
    assert "Codifica" not in message(alice)
    alice.push(options=["--no-verify"]).refused("ID106")


def test_code_may_be_squashed(repo: Repo, hooked: Hooked) -> None:
    builder, alice = repo.task("FEAT-1").clone("builder"), hooked("alice")
    builder.code().push("HEAD:topic").accepted()
    alice.git("fetch", "-q")
    alice.git("merge", "-q", "--squash", "origin/topic")
    assert commit(alice, "-m", "the feature").said == ""
    alice.push().accepted()


def test_what_she_made_herself_may_be_picked_and_signed_again(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    alice.git("checkout", "-q", "-b", "side")
    commit(alice.approve("FEAT-1").write("src/app.py", "side\n"), "-m", "FEAT-1: approve")
    alice.git("checkout", "-q", "main")
    commit(alice.write("src/app.py", "main\n"), "-m", "code")
    assert alice.try_git("cherry-pick", "side").code == 1
    alice.write("src/app.py", "both\n").git("add", "-A")
    alice.git("cherry-pick", "--continue", env={"GIT_EDITOR": "true"})
    assert "Codifica-Actor: human:alice" in message(alice)
    alice.push().accepted()


def test_an_amend_does_not_put_a_humans_name_on_anothers_act(repo: Repo, hooked: Hooked) -> None:
    builder, alice = repo.task("FEAT-1", "to_be_tested").clone("builder"), hooked("alice")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none", when=-5).push("HEAD:topic").accepted()
    alice.git("fetch", "-q")
    alice.git("cherry-pick", "origin/topic")
    entries = alice.fields("FEAT-1")["state_transitions"]
    alice.edit("FEAT-1", state_transitions=[*entries[:-1], {**entries[-1], "reason": "Fine"}])
    done = commit(alice, "--amend", "--no-edit")
    assert "Codifica" not in message(alice), done.said
    assert alice.guard("check").code == 1


def test_another_author_than_who_commits_gets_no_humans_trailer(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    done = commit(alice.approve("FEAT-1"), "-m", "FEAT-1: approve", "--author=Eve <eve@example.org>")
    assert "the author is <eve@example.org> (ID112)" in done.said
    assert "Codifica" not in message(alice)


def test_a_commit_that_is_gone_while_it_is_picked_is_not_trusted(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1", "to_be_tested")
    alice = hooked("alice")
    alice.approve("FEAT-1").git("add", "-A")
    (alice.folder / ".git" / "REBASE_HEAD").write_text("1" * 40 + "\n")
    done = commit(alice, "-m", "FEAT-1: approve")
    assert "it carries on a commit that cannot be read" in done.said
    assert "Codifica" not in message(alice)


def test_the_first_commit_of_an_unborn_branch_is_taken(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    alice = hooked("alice")
    alice.git("remote", "set-head", "origin", "main")
    alice.git("checkout", "-q", "--orphan", "new")
    assert commit(alice, "-m", "from scratch").code == 0


def test_without_a_policy_nothing_happens(repo: Repo, hooked: Hooked) -> None:
    repo.not_introduced()
    alice = hooked("alice")
    assert commit(alice.drop("FEAT-1"), "-m", "drop").said == ""
    assert message(alice) == "drop"


def test_a_token_that_cannot_be_read_is_told(repo: Repo, hooked: Hooked) -> None:
    repo.task("FEAT-1")
    builder = hooked("builder")
    tokens = builder.folder / ".git" / "t"
    tokens.mkdir()
    (tokens / "FEAT-1").write_text("cgw1_nonsense\n")
    builder.git("config", "codifica.tokenDir", str(tokens))
    done = commit(builder.claim("FEAT-1"), "-m", "FEAT-1: claim")
    assert done.code == 0
    assert "not signed: the writer token" in done.said
