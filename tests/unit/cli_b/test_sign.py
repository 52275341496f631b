"""`sign`: trailers on commits that are there already, never another's, never a human's by accident."""

import shutil

import pytest

from tests.building import Clone, NewRepo, Repo


def message(clone: Clone, rev: str = "HEAD") -> str:
    return clone.git("log", "-1", "--format=%B", rev)


def header(clone: Clone, rev: str) -> list[str]:
    return [line for line in clone.git("cat-file", "commit", rev).splitlines() if line.startswith(("author", "commi"))]


def test_the_last_commit_is_signed_if_it_needs_it(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    before, people = builder.head(), header(builder, "HEAD")
    builder.write("src/open.py", "unfinished\n")
    done = builder.guard("sign")
    assert done.code == 0, done.said
    assert done.text == f"signed {before[:7]} -> {builder.head()[:7]}  agent:builder  FEAT-1 todo -> in_progress"
    assert header(builder, "HEAD") == people
    assert builder.git("rev-parse", "HEAD^{tree}") == builder.git("rev-parse", f"{before}^{{tree}}")
    assert builder.git("status", "--porcelain") == "?? src/open.py"
    assert builder.git("symbolic-ref", "HEAD") == "refs/heads/main"
    builder.push().accepted()


def test_signing_twice_signs_once(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    assert builder.guard("sign").code == 0
    head = builder.head()
    for words in ([], ["HEAD"], ["origin/main..HEAD"]):
        assert builder.guard("sign", *words).text == "nothing to sign"
    assert builder.head() == head


def test_all_that_need_it_are_signed_and_what_stands_on_them_moves_along(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none").code("code")
    builder.note("FEAT-1").commit("FEAT-1: note", proof="none").code("more code", text="x = 2\n")
    done = builder.guard("sign")
    words = [line.split()[0] for line in done.text.splitlines()]
    assert words == ["signed", "moved", "signed", "moved"]
    assert done.text.splitlines()[1].endswith("  code")
    assert "Codifica" not in message(builder, "HEAD") + message(builder, "HEAD~2")
    builder.push().accepted()


def test_a_commit_that_is_named_is_signed_needed_or_not(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").code("one").code("two", text="x = 2\n")
    assert builder.guard("sign", "HEAD~1").text.split()[0] == "signed"
    assert "Codifica-Actor: agent:builder" in message(builder, "HEAD~1")
    assert builder.guard("sign").text == "nothing to sign"


def test_writer_tokens_sign_too(repo: Repo) -> None:
    repo.policy(writer_tokens="required").task("FEAT-1")
    builder = repo.clone("builder")
    folder = builder.folder / ".git" / "codifica-guard" / "tokens"
    folder.mkdir(parents=True)
    from codifica_guard.identity.tokens import new_token, store_token  # noqa: PLC0415 - the one place of tokens
    from codifica_guard.model.ids import TaskId  # noqa: PLC0415

    token = new_token()
    store_token(folder, TaskId("FEAT-1"), token)
    builder.claim("FEAT-1", writer=token.public_line).commit("FEAT-1: claim", proof="none")
    done = builder.guard("sign")
    assert done.err == b""
    builder.push().accepted()
    builder.note("FEAT-1").commit("FEAT-1: note", proof="none")
    (folder / "FEAT-1").unlink()
    done = builder.guard("sign")
    assert done.code == 0
    assert b"breaks ID107 all the same" in done.err


def test_a_signature_that_died_in_a_rebase_is_renewed(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1").task("FEAT-2").clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", title="Better words").commit("FEAT-1: title", proof="trailers")
    bob.edit("FEAT-1", labels=["soon"]).commit("FEAT-1: labels").push().accepted()
    alice.fetch().git("rebase", "-q", "origin/main")
    alice.push().refused("ID101")
    assert alice.guard("sign").code == 0
    alice.push().accepted()


def test_an_act_whose_signature_died_in_a_rebase_is_renewed_if_it_held_here_before(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("alice"), repo.clone("bob")
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers", when=-5)
    bob.edit("FEAT-1", title="Better words").commit("FEAT-1: title").push().accepted()
    alice.fetch().git("rebase", "-q", "origin/main")
    logs = alice.folder / ".git" / "logs"
    log = (logs / "HEAD").read_text()
    (logs / "HEAD").write_text(log.replace(alice.head("ORIG_HEAD"), "1" * 40))
    assert alice.guard("sign").code == 1
    shutil.move(logs, alice.home / "logs")
    assert alice.guard("sign").code == 1
    shutil.move(alice.home / "logs", logs)
    (logs / "HEAD").write_text(log)
    tree = alice.head("ORIG_HEAD^{tree}")
    pruned = alice.folder / ".git" / "objects" / tree[:2] / tree[2:]
    shutil.move(pruned, alice.home / "tree")
    assert alice.guard("sign").code == 1
    shutil.move(alice.home / "tree", pruned)
    assert alice.guard("sign").code == 0
    alice.push().accepted()


def test_a_copied_signature_of_hers_does_not_make_an_act_hers(repo: Repo) -> None:
    alice, builder = (
        repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").clone("alice"),
        repo.clone("builder"),
    )
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers").push().accepted()
    trailers = message(alice).split("\n\n")[1]
    builder.pull().approve("FEAT-2", by="human:alice")
    builder.commit(f"FEAT-2: approve\n\n{trailers}", proof="none", author="Alice <alice@example.org>", when=-5)
    builder.push("HEAD:build/FEAT-1-x").accepted()
    alice.fetch().git("cherry-pick", "origin/build/FEAT-1-x")
    before = alice.head()
    done = alice.guard("sign", "HEAD")
    assert (done.code, alice.head()) == (1, before)
    assert "ID112" in done.text


@pytest.mark.parametrize("how", ["unsigned", "gpgsign"])
def test_another_hands_act_does_not_become_a_humans(repo: Repo, how: str) -> None:
    builder, alice = repo.task("FEAT-1", "to_be_tested").clone("builder"), repo.clone("alice")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none", when=-5).push("HEAD:build/FEAT-1-x").accepted()
    alice.fetch().git("cherry-pick", *(["-S"] if how == "gpgsign" else []), "origin/build/FEAT-1-x")
    before = alice.head()
    done = alice.guard("sign", "--json")
    assert (done.code, alice.head()) == (1, before)
    answer = done.json
    assert [f["code"] for f in answer["findings"]] == ["ID112"]
    assert answer["findings"][0]["task"] is None
    alice.git("commit", "-q", "--amend", "-S", "--no-edit", "--reset-author")
    alice.push().accepted(perhaps={"CD207", "CD401"})


def test_a_commit_made_just_then_under_another_name_is_not_hers(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1")
    alice.git("add", "-A")
    env = {f"GIT_{who}_{what}": "eve@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    alice.git("commit", "-q", "-m", "FEAT-1: approve", env=env)
    done = alice.guard("sign")
    assert (done.code, "<eve@example.org>" in done.text) == (1, True)


def test_without_a_mail_of_her_own_nothing_is_hers(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve", proof="none")
    env = {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.email", "GIT_CONFIG_VALUE_0": "", "GIT_CONFIG_KEY_1": "user.useConfigOnly", "GIT_CONFIG_VALUE_1": "true"}  # fmt: skip
    assert alice.guard("sign", env=env).code == 1
    key = repo.keys.private("alice")
    nobody = {**env, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true"}  # fmt: skip
    assert alice.guard("sign", "--key", key, env=nobody).code == 1
    assert alice.guard("sign").code == 0
    alice.push().accepted()


def test_where_the_policy_asks_for_the_trailer_gits_signature_is_not_enough(repo: Repo) -> None:
    alice = repo.policy(human_proof="trailer").task("FEAT-1", "to_be_tested").clone("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID112", "git codifica sign HEAD")
    assert alice.guard("sign", "HEAD").code == 0
    alice.push().accepted()


def test_another_principals_commit_is_not_signed(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers").push("HEAD:build/FEAT-1-x").accepted()
    builder.code("main moves").fetch().git("cherry-pick", "origin/build/FEAT-1-x")
    assert builder.guard("sign").text == "nothing to sign"  # it holds
    builder.edit("FEAT-1", priority="low").git("commit", "-q", "-a", "--amend", "--no-edit")
    done = builder.guard("sign")
    assert done.code == 1
    assert b"is agent:writer's; agent:builder does not sign it" in done.err
    assert f"do: git codifica sign --drop {builder.head()[:7]}\n".encode() in done.err
    assert b"git codifica sign HEAD" in done.err


def test_the_way_that_is_told_makes_a_dead_commit_of_anothers_ones_own(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", title="Better words").commit("FEAT-1: title", proof="trailers")
    alice.push("HEAD:topic").accepted()
    bob.edit("FEAT-1", labels=["soon"]).commit("FEAT-1: labels").fetch().git("cherry-pick", "origin/topic")
    dead = bob.head()[:7]
    done = bob.guard("sign", "HEAD")
    assert done.code == 1
    assert f"{dead} is human:alice's; human:bob does not sign it\n" in done.said
    assert f"do: git codifica sign --drop {dead}\n  git commit --amend -S --no-edit --reset-author" in done.said
    assert bob.guard("sign", "--drop", dead).code == 0
    bob.git("commit", "-q", "--amend", "-S", "--no-edit", "--reset-author")
    bob.push().accepted()


def test_an_agent_makes_a_dead_commit_below_others_its_own(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").clone("builder"), repo.clone("writer")
    writer.edit("FEAT-1", title="Better").commit("FEAT-1: title", proof="trailers")
    writer.push("HEAD:build/FEAT-1-x").accepted()
    builder.edit("FEAT-1", labels=["soon"]).commit("FEAT-1: labels", proof="trailers").fetch()
    base = builder.head()[:7]
    builder.git("cherry-pick", "origin/build/FEAT-1-x")
    dead = builder.head()[:7]
    done = builder.code("on top").guard("sign", "HEAD~1")
    assert done.code == 1
    assert (
        f"do: git codifica sign --drop {dead}\n  git rebase -i {base}, mark it `edit`, and there:\n"
        "  git commit --amend --no-gpg-sign --no-edit --reset-author\n  git codifica sign HEAD\n  git rebase --continue"
    ) in done.said


def test_whoever_signed_a_commit_is_asked_where_his_proof_is_only_too_little(repo: Repo) -> None:
    repo.policy(human_proof="trailer").task("FEAT-1", "to_be_tested")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.approve("FEAT-1").commit("FEAT-1: approve").push("HEAD:topic").accepted()
    bob.fetch().switch("topic", "origin/topic").git("branch", "-q", "--unset-upstream")
    done = bob.guard("sign", "HEAD")
    assert done.code == 1
    assert f"ask human:alice to run: git codifica sign {bob.head()[:7]}" in done.said
    assert "--drop" not in done.said


def test_what_is_published_is_not_made_anew(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").code("one")
    builder.push().accepted()
    builder.code("two", text="x = 2\n")
    done = builder.guard("sign", "HEAD~1")
    assert (done.code, b"is on origin/main already" in done.err) == (2, True)
    assert builder.guard("sign", "HEAD~1", "--drop").text == "nothing to drop"
    builder.switch("topic").code("three", text="x = 3\n").git("push", "-q", "-u", "origin", "topic")
    assert b"is on origin/topic already" in builder.guard("sign", "HEAD").err


def test_a_merge_on_top_stays_a_merge(repo: Repo) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    repo.clone("writer").code("main moves", path="src/w.py").push().accepted()
    builder.fetch().merge("origin/main")
    side = builder.head("HEAD^2")
    assert builder.guard("sign").code == 0
    assert builder.head("HEAD^2") == side
    assert "Codifica-Actor" in message(builder, "HEAD^1")
    builder.push().accepted()


def test_what_stands_on_it_keeps_its_proof_or_is_signed_again(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").clone("alice")
    alice.edit("FEAT-1", priority="low").commit("FEAT-1: priority", proof="none")
    alice.edit("FEAT-2", priority="low").commit("FEAT-2: priority", proof="trailers")
    alice.edit("FEAT-3", priority="low").commit("FEAT-3: priority", proof="git").code("code", proof="git")
    done = alice.guard("sign", "HEAD~3")
    assert [line.split()[0] for line in done.text.splitlines()] == ["signed", "moved", "signed", "moved"]
    assert b"has no longer Git's signature of human:alice; it needs none" in done.err
    alice.push().accepted()


def test_nobody_loses_a_signature_that_counts(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1").task("FEAT-2").clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", priority="low").commit("FEAT-1: priority", proof="none").push("HEAD:build/FEAT-1-x").accepted()
    bob.fetch().checkout("origin/build/FEAT-1-x").edit("FEAT-2", priority="low").commit("FEAT-2: priority")
    bob.push("HEAD:build/FEAT-1-x").accepted()
    alice.fetch().git("reset", "-q", "--hard", "origin/build/FEAT-1-x")
    before = alice.head()
    done = alice.guard("sign", "HEAD~1")
    assert (done.code, alice.head()) == (1, before)
    assert b"is signed by human:bob, and would lose that signature" in done.err
    assert alice.guard("sign", "HEAD~1", "--drop").text == "nothing to drop"


@pytest.mark.parametrize("proof", ["trailers", "git"])
def test_dead_trailers_of_code_are_dropped(repo: Repo, proof: str) -> None:
    alice, writer = repo.task("FEAT-1").clone("alice"), repo.clone("writer").switch("topic")
    writer.code("code", proof="trailers" if proof == "trailers" else "git").code("more", text="x = 2\n")
    alice.write(".codifica/revoked_keys", repo.keys.line("writer") + "\n").commit("revoke").push().accepted()
    writer.fetch()
    done = writer.guard("sign", "--drop", "origin/main..HEAD")
    assert done.code == 0, done.said
    assert [line.split()[0] for line in done.text.splitlines()] == ["dropped", "moved"]
    assert "Codifica" not in writer.git("log", "--format=%B", "origin/main..HEAD")
    writer.merge("origin/main").push().accepted()
    assert writer.guard("sign", "--drop").text == "nothing to drop"


def test_dropping_needs_no_key(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").code("code", proof="trailers")
    builder.write("src/new.py", "x = 2\n").git("commit", "-q", "-a", "--amend", "--no-edit")
    builder.git("config", "gpg.format", "openpgp")
    assert builder.guard("sign").code == 1
    assert builder.guard("sign", "--drop").text.startswith("dropped ")
    builder.push().accepted()


def test_dropping_below_a_signed_commit_asks_for_who_signed_it(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").code("code", proof="trailers")
    builder.write("src/new.py", "x = 2\n").git("commit", "-q", "-a", "--amend", "--no-edit")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="git")
    builder.git("config", "gpg.format", "openpgp")
    done = builder.guard("sign", "--drop", "HEAD~1")
    assert done.code == 1
    assert b"agent:builder has to do this" in done.err
    builder.git("config", "gpg.format", "ssh")
    done = builder.guard("sign", "--drop", "HEAD~1")
    assert [line.split()[0] for line in done.text.splitlines()] == ["dropped", "signed"]
    builder.push().accepted()


def test_a_key_and_a_name_may_be_given(repo: Repo) -> None:
    repo.signer("agent:helper", "builder").task("FEAT-1")
    builder = repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    done = builder.guard("sign")
    assert (done.code, b"say which" in done.err) == (1, True)
    assert builder.guard("sign", "--as", "writer").code == 1
    assert builder.guard("sign", "--as", "builder", "--key", repo.keys.private("writer")).code == 1
    assert builder.guard("sign", "--as", "agent:builder", "--key", repo.keys.private("builder")).code == 0
    assert "Codifica-Actor: agent:builder" in message(builder)


@pytest.mark.parametrize("words", [["origin/build/FEAT-1-x"], ["nowhere"], ["a...b"]])
def test_a_wrong_call_changes_nothing(repo: Repo, words: list[str]) -> None:
    builder = repo.task("FEAT-1").clone("builder").switch("t").code("side")
    builder.push("HEAD:build/FEAT-1-x").accepted()
    builder.fetch().checkout("main")
    done = builder.guard("sign", *words)
    assert done.code == 2, done.said
    assert done.err.startswith(b"codifica-guard sign: ")


def test_an_unborn_branch_and_a_repository_without_policy_have_nothing_to_sign(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.git("remote", "set-head", "origin", "main")
    builder.git("checkout", "-q", "--orphan", "new")
    assert builder.guard("sign").code == 2


def test_without_a_policy_nothing_is_signed(repo: Repo) -> None:
    done = repo.not_introduced().clone("builder").guard("sign")
    assert (done.code, b"git codifica init" in done.err) == (2, True)


def test_without_a_remote_the_last_commit_alone_is_looked_at(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.git("remote", "remove", "origin")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none").code("code")
    assert builder.guard("sign").text == "nothing to sign"
    assert builder.guard("sign", "HEAD~1").text.startswith("signed ")


def test_sha256_repositories_are_signed_alike(new_repo: NewRepo) -> None:
    builder = new_repo("sha256").task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    assert builder.guard("sign").code == 0
    builder.push().accepted()


def test_a_commit_that_readers_could_read_differently_is_not_made_anew(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    raw = builder.git("cat-file", "commit", "HEAD") + "\n"
    author = next(line for line in raw.splitlines() if line.startswith("author "))
    builder.at(builder.object("commit", raw.replace(author, f"{author}\n{author}").encode()))
    done = builder.guard("sign")
    assert (done.code, b"is malformed and cannot be signed" in done.err) == (1, True)
