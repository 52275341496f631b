"""A clone, opened: which branch is which, whose policy counts, what the server would say."""

import pytest

from codifica_guard.clone.program import git, setting
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.model.ids import ObjectId, RefName
from tests.building import Repo
from tests.unit.clone.conftest import Open

MAIN = RefName(b"refs/heads/main")


def oid(text: str) -> ObjectId:
    return ObjectId(text.encode())


def test_the_coordination_branch_is_the_policys(repo: Repo, opened: Open) -> None:
    with opened(repo.clone("builder")) as desk:
        assert (desk.coordination, desk.branch, desk.remote) == (MAIN, MAIN, "origin")


@pytest.mark.parametrize("head", ["trunk", None])
def test_without_a_policy_it_is_what_the_remotes_head_names_else_main(
    repo: Repo, opened: Open, head: str | None
) -> None:
    builder = repo.not_introduced().clone("builder")
    if head is None:
        builder.git("remote", "set-head", "origin", "--delete")
    else:
        builder.git("update-ref", f"refs/remotes/origin/{head}", "HEAD")
        builder.git("remote", "set-head", "origin", head)
    with opened(builder) as desk:
        assert desk.coordination == f"refs/heads/{head or 'main'}".encode()
        with pytest.raises(UsageError, match="no policy yet"):
            desk.needs_policy()


def test_a_coordination_branch_of_its_own_is_named_in_the_config(repo: Repo, opened: Open) -> None:
    builder = repo.task("FEAT-1").clone("builder").checkout("HEAD~1")
    builder.git("remote", "set-head", "origin", "--delete")
    builder.git("branch", "-f", "tasks", "main")
    builder.git("update-ref", "-d", "refs/remotes/origin/main")
    with opened(builder) as desk:
        assert desk.policy is None
    builder.git("config", "codifica.coordination", "tasks")
    with opened(builder) as desk:
        assert desk.policy is not None


def test_the_policy_of_the_remotes_main_branch_counts_where_head_has_none(repo: Repo, opened: Open) -> None:
    builder = repo.task("FEAT-1").clone("builder").checkout("HEAD~1")
    builder.git("remote", "set-head", "origin", "--delete")
    with opened(builder) as desk:
        assert desk.policy is not None
        assert desk.branch is None
    builder.git("update-ref", "-d", "refs/remotes/origin/main")
    with opened(builder) as desk:
        assert desk.policy is None
        assert desk.judge_one(desk.world.store.commit(oid(builder.head()))).accepted


def test_an_introduction_that_is_pinned_but_not_here_is_found_in_history(repo: Repo, opened: Open) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.git("config", "codifica.introduction", "0" * 39 + "1")
    with opened(builder) as desk:
        assert desk.policy is not None
        assert desk.world.introduction == oid(builder.head())
    builder.git("config", "codifica.introduction", builder.head())
    with opened(builder) as desk:
        assert desk.world.introduction == oid(builder.head())
        assert desk.policy is not None


def test_a_push_is_judged_as_the_server_will(repo: Repo, opened: Open) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    old = builder.head()
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    with opened(builder) as desk:
        judged = desk.judge_update(MAIN, oid(old), oid(builder.head()))
        assert {f.code for f in judged.errors} == {"ID106"}
        assert desk.judge_update(RefName(b"refs/heads/topic"), None, oid(builder.head())).accepted
        assert {f.code for f in desk.judge_update(MAIN, oid(old), None).errors} == {"GT102"}
        assert {f.code for f in desk.judge_update(MAIN, oid(builder.head()), oid(old)).errors} == {"GT101"}


def test_a_range_that_left_the_branch_is_judged_as_if_merged(repo: Repo, opened: Open) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    repo.clone("writer").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.claim("FEAT-1").commit("FEAT-1: claim").fetch()
    with opened(builder) as desk:
        judged = desk.judge_range(MAIN, oid(builder.head("origin/main")), oid(builder.head()))
        assert {f.code for f in judged.errors} == {"CD303"}


def test_objects_that_are_missing_are_told_in_a_range_too(repo: Repo, opened: Open) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    repo.clone("writer").code("main moves").push().accepted()
    builder.git("config", "codifica.introduction", builder.head())
    builder.fetch().code("one", path="src/b.py").code("two")
    lost = builder.head("HEAD~1^{tree}")
    (builder.folder / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    with opened(builder) as desk:
        judged = desk.judge_range(MAIN, oid(builder.head("origin/main")), oid(builder.head()))
        assert "GT106" in {f.code for f in judged.errors}
        assert desk.judge_range(MAIN, oid(builder.head("HEAD~2")), oid(builder.head())).errors


def test_a_root_commit_and_the_introduction_are_judged_alone(repo: Repo, opened: Open) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    with opened(alice) as desk:
        assert desk.policy is not None
        for name in ("HEAD", "HEAD~1"):
            assert desk.judge_one(desk.world.store.commit(oid(alice.head(name)))).accepted
    alice.git("commit", "-q", "--amend", "--no-edit", "--no-gpg-sign")
    with opened(alice) as desk:
        assert desk.policy is not None
        assert not desk.judge_one(desk.world.store.commit(oid(alice.head()))).accepted


def test_a_name_that_is_no_commit_is_wrong_usage(repo: Repo, opened: Open) -> None:
    with opened(repo.clone("builder")) as desk:
        for name in ("nowhere", "HEAD:work.md", "--all", ""):
            with pytest.raises(UsageError, match="names no commit here"):
                desk.commit_id(name)


def test_what_git_says_is_told_in_one_line(repo: Repo, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(repo.clone("builder")) as desk:
        with pytest.raises(RepositoryError, match=r"^git rev-parse: "):
            desk.git("rev-parse", "nowhere")
        with pytest.raises(RepositoryError, match=r"^git config: exit code 1$"):
            git(desk.folder, b"config", "--get", "no.such")
        assert setting(desk.folder, "no.such") is None
        assert desk.git("hash-object", "--stdin", data=b"x", environ={"X": "y"})
        monkeypatch.setenv("PATH", "/nonexistent")
        with pytest.raises(RepositoryError, match="cannot run git"):
            desk.git("status")


@pytest.mark.parametrize(
    ("written", "asked", "told"),
    [
        (("codifica.signingKey", "~/a b.pub"), "codifica.signingKey", "~/a b.pub"),
        (("CODIFICA.SIGNINGKEY", "x"), "codifica.signingKey", "x"),
        (("remote.My.Own.url", "../x"), "remote.My.Own.URL", "../x"),
        (("remote.My.Own.url", "../x"), "remote.my.own.url", None),
        (("codifica.actor", "two\nlines\n"), "codifica.actor", "two\nlines\n"),
        (("codifica.actor", ""), "codifica.actor", ""),
        (("codifica.actor", "bob"), "codifica", None),
    ],
)
def test_a_desk_reads_settings_as_git_does(
    repo: Repo, opened: Open, written: tuple[str, str], asked: str, told: str | None
) -> None:
    with opened(repo.clone("alice")) as desk:
        assert desk.setting(asked) is None
        desk.git("config", *written)
        assert desk.setting(asked) == told
        assert desk.setting("user.name") == "Alice", "the user's own file counts"
        assert setting(desk.folder, asked) == told


def test_of_several_values_of_a_setting_the_last_counts_and_one_without_a_value_is_empty(
    repo: Repo, opened: Open
) -> None:
    alice = repo.clone("alice")
    with (alice.folder / ".git" / "config").open("a") as config:
        config.write("[codifica]\n\tactor = bob\n\tactor = alice\n\tremote\n")
    with opened(alice) as desk:
        assert (desk.setting("codifica.actor"), desk.setting("codifica.remote")) == ("alice", "")


def test_settings_that_git_cannot_read_are_not_set(repo: Repo, opened: Open) -> None:
    alice = repo.clone("alice")
    with opened(alice) as desk:
        (alice.home / ".gitconfig").write_text("[user\n")
        assert desk.setting("user.name") is None


@pytest.mark.parametrize("name", ["origin/main", "origin/main~0", "origin/main^{commit}", "main", "main@{0}"])
def test_a_branch_is_meant_before_a_tag_of_its_name_that_anybody_may_push(repo: Repo, opened: Open, name: str) -> None:
    builder = repo.clone("builder")
    tip = builder.head()
    builder.git("tag", "main", f"{tip}~1")
    builder.git("tag", "origin/main", f"{tip}~1")
    with opened(builder) as desk:
        assert desk.commit_id(name) == oid(tip)
        assert desk.commit_id("refs/tags/origin/main") == oid(builder.git("rev-parse", f"{tip}~1"))
        assert desk.commit_id(tip[:12]) == desk.commit_id("HEAD") == oid(tip)
        with pytest.raises(UsageError, match="names no commit"):
            desk.commit_id("nowhere")
