"""`check`: what the server would say, said at home."""

import pytest

from tests.building import Clone, NewRepo, Repo


@pytest.fixture
def builder(repo: Repo) -> Clone:
    """A task that waits for review and one that is free; builder stands where the server is."""
    return repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder")


def test_what_the_upstream_branch_lacks_is_judged_by_default(builder: Clone) -> None:
    assert builder.guard("check").text == "ok, 0 commits"
    builder.code("one").code("two", text="x = 2\n")
    assert builder.guard("check").text == "ok, 2 commits"
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    done = builder.guard("check")
    assert done.code == 1
    assert done.text.startswith("codifica-guard: a push would be refused, 1 error: ID106\n")
    assert "why:      git codifica explain ID106" in done.text
    builder.push().refused("ID106")


def test_a_branch_without_upstream_is_held_against_the_remotes_main_branch(builder: Clone) -> None:
    builder.switch("topic").code("one")
    assert builder.guard("check").text == "ok, 1 commit"
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    assert "ID106" in builder.guard("check").said


def test_without_a_remote_it_is_the_last_commit(builder: Clone) -> None:
    builder.git("remote", "remove", "origin")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    done = builder.guard("check")
    assert done.code == 1
    assert "the commit would be refused, 1 error: ID106" in done.said
    builder.code("one")
    assert builder.guard("check").text == "ok, 1 commit"
    assert "ID106" in builder.guard("check", "HEAD~1").said


def test_one_commit_is_judged_behind_its_parents(builder: Clone) -> None:
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none").code("after it")
    assert builder.guard("check", "HEAD").code == 0
    assert builder.guard("check", "HEAD~1").code == 1
    assert builder.guard("check", "HEAD~2").code == 0  # the introduction
    assert builder.guard("check", "HEAD~3").code == 0  # before it, nothing is judged


def test_a_range_may_leave_its_ends_out(builder: Clone) -> None:
    builder.code("one")
    assert builder.guard("check", "HEAD~1..").text == "ok, 1 commit"
    assert builder.guard("check", "origin/main..").text == "ok, 1 commit"
    builder.git("checkout", "-q", "origin/main")
    assert builder.guard("check", "..main").text == "ok, 1 commit"


@pytest.mark.parametrize("words", [["a...b"], ["nowhere"], ["HEAD..nowhere"], ["--staged", "HEAD"], ["--branch", "x", "HEAD"], ["--staged", "--branch", "x"]])  # fmt: skip
def test_a_wrong_call_ends_with_two_and_no_verdict(builder: Clone, words: list[str]) -> None:
    done = builder.guard("check", *words)
    assert done.code == 2
    assert done.out == b""
    assert done.err.startswith(b"codifica-guard check: ")


def test_a_claim_that_another_claim_has_overtaken_is_told_before_the_merge(repo: Repo) -> None:
    builder, writer = repo.task("FEAT-1").task("FEAT-2").clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.claim("FEAT-1").commit("FEAT-1: claim").fetch()
    done = builder.guard("check", "origin/main..HEAD")
    assert done.code == 1
    assert "CD303" in done.text
    assert "GT101" not in done.said
    assert b"judged as if both were merged" in done.err


def test_another_branch_is_judged_as_that_branch(builder: Clone) -> None:
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    done = builder.guard("check", "origin/main..HEAD", "--branch", "topic")
    assert done.code == 0
    assert b"does not protect topic" in done.err
    assert builder.guard("check", "origin/main..HEAD", "--branch", "main").code == 1


def test_warnings_alone_are_no_failure(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.approve("FEAT-1", without=["entry"]).commit("FEAT-1: approve")
    done = alice.guard("check")
    assert (done.code, done.text.splitlines()[-1]) == (0, "ok, 1 commit")
    assert done.text.startswith("codifica-guard: a push would be accepted, 1 warning: CD207\n")
    alice.push().accepted(warnings={"CD207"})


def test_without_a_policy_the_guard_is_idle(repo: Repo) -> None:
    done = repo.not_introduced().clone("builder").guard("check")
    assert done.code == 0
    assert done.text.startswith("idle: ")
    assert repo.clone("builder").guard("check", "--json").json["data"]["idle"] is True


def test_outside_a_repository_it_cannot_tell(repo: Repo) -> None:
    assert repo.clone("builder").guard("-C", "/", "check").code == 3
    assert repo.clone("builder").guard("check", "-C", "/").code == 3


def test_an_unborn_branch_has_nothing_to_check(builder: Clone) -> None:
    builder.git("checkout", "-q", "--orphan", "new")
    builder.git("remote", "set-head", "origin", "main")
    assert builder.guard("check").code == 2


def test_what_is_staged_is_judged_as_the_hand_here_would_sign_it(builder: Clone) -> None:
    before = builder.head()
    assert builder.guard("check", "--staged").text == "ok, 1 commit"
    builder.claim("FEAT-2")
    assert builder.guard("check", "--staged").text == "ok, 1 commit"  # not added yet
    builder.git("add", "-A")
    assert builder.guard("check", "--staged").text == "ok, 1 commit"
    builder.edit("FEAT-2", owner="agent:writer").git("add", "-A")
    done = builder.guard("check", "--staged")
    assert done.code == 1
    assert "the commit would be refused" in done.text
    assert builder.head() == before


def test_what_a_human_stages_says_what_he_will_sign(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1")
    alice.git("add", "-A")
    done = alice.guard("check", "--staged")
    assert done.text == "ok, 1 commit"
    assert b"signed as human:alice: FEAT-1 to_be_tested -> done" in done.err


def test_what_nobody_can_sign_lacks_its_signature(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder").close("FEAT-1")
    builder.git("config", "gpg.format", "openpgp")
    builder.git("add", "-A")
    done = builder.guard("check", "--staged")
    assert done.code == 1
    assert "ID106" in done.text
    assert b"not signed: there is no key to sign with" in done.err


def test_programs_get_the_findings(builder: Clone) -> None:
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    done = builder.guard("check", "--json")
    answer = done.json
    assert (done.code, answer["exit"], answer["ok"]) == (1, 1, False)
    assert [f["code"] for f in answer["findings"]] == ["ID106"]
    nothing: dict[str, object] = {"documents": None, "tasks": None, "conflicts": []}
    assert answer["data"] == {"idle": False, "range": "origin/main..HEAD", "commits": 1, **nothing}
    assert answer["next"] == ["git codifica explain ID106"]


def test_more_findings_than_fit_are_counted(repo: Repo) -> None:
    for number in range(12):
        repo.task(f"FEAT-{number}", "to_be_tested")
    builder = repo.clone("builder")
    for number in range(12):
        builder.close(f"FEAT-{number}").commit(f"FEAT-{number}: done", proof="none")
    assert "and 2 more: git codifica check --json origin/main..HEAD" in builder.guard("check").text


def test_sha256_repositories_are_judged_alike(new_repo: NewRepo) -> None:
    builder = new_repo("sha256").task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    assert "ID106" in builder.guard("check").said
    builder.git("reset", "-q", "--soft", "HEAD~1")
    assert builder.guard("check", "--staged").code == 0
