"""`check --merge`: what a merge would come to, before anybody makes it, and without a trace."""

from pathlib import Path

import pytest

from tests.building import Clone, NewRepo, Repo
from tests.building.inside import inside
from tests.building.machine import run
from tests.unit.cli_simulate.tale import Tale, build

pytestmark = pytest.mark.guard


@pytest.fixture
def builder(repo: Repo) -> Clone:
    """Two free tasks, far from one another, and somebody who may take them."""
    return repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").clone("builder")


def traces(folder: Path) -> dict[str, bytes]:
    """All files of a repository and its work tree, but for policies that were checked before."""
    files = (path for path in folder.rglob("*") if path.is_file() and "policies" not in path.parts)
    return {str(path): path.read_bytes() for path in files}


def test_a_clean_merge_is_judged_as_its_push_and_leaves_no_trace(builder: Clone) -> None:
    builder.switch("topic").code("FEAT-1 one").code("FEAT-1 two", text="x = 2\n")
    builder.checkout("main").code("other", path="src/other.py")
    builder.guard("check")
    before = traces(builder.folder)
    done = builder.guard("check", "--merge", "topic")
    assert done.code == 0, done.said
    assert done.text.splitlines()[0].endswith(": 2 new commits")
    assert done.text.endswith("ok, it merges clean")
    assert traces(builder.folder) == before
    data = builder.guard("check", "--json", "--merge", "topic").json["data"]
    assert (data["range"], data["commits"], data["conflicts"]) == ("--merge topic", 2, [])


def test_commits_that_the_merge_would_bring_are_judged(builder: Clone) -> None:
    builder.switch("topic").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    builder.checkout("main").code("other")
    done = builder.guard("check", "--merge", "topic")
    assert done.code == 1
    assert "the push of it would be refused, 1 error: ID106" in done.text
    assert "ok" not in done.text.splitlines()[-1]


def test_a_branch_that_only_moves_on_makes_no_merge(builder: Clone) -> None:
    builder.switch("topic").code("one").checkout("main")
    done = builder.guard("check", "--merge", "topic")
    assert (done.code, " moves on to topic " in done.text) == (0, True)
    builder.switch("ahead").code("two").checkout("ahead")
    done = builder.guard("check", "--merge", "main")
    assert done.text == "ok, ahead has all of main already"
    assert builder.guard("check", "--json", "--merge", "main").json["data"]["range"] == "--merge main"


def test_neighbouring_claims_merge_by_the_driver_though_no_clone_set_it_up(repo: Repo) -> None:
    repo.file(".gitattributes", "work.md merge=codifica\n").task("FEAT-1").task("FEAT-2")
    builder, writer = repo.clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.claim("FEAT-2").commit("FEAT-2: claim").fetch()
    done = builder.guard("check", "--merge", "origin/main")
    assert done.code == 0, done.said
    assert "ok, it merges clean" in done.text


def test_two_claims_of_one_task_are_a_conflict_that_is_named_and_the_loser_is_told(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    builder, writer = repo.clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.claim("FEAT-1").commit("FEAT-1: claim").fetch()
    done = builder.guard("check", "--json", "--merge", "HEAD", "--branch", "main")
    assert done.code == 1
    assert done.json["data"]["conflicts"] == [{"path": "work.md", "tasks": ["FEAT-1"]}]
    lost = [(f["code"], f["actor"]) for f in done.json["findings"] if f["severity"] == "error"]
    assert lost == [("CD303", "agent:builder")]
    again = builder.guard("check", "--json", "--merge", "origin/main").json
    assert [(f["code"], f["actor"]) for f in again["findings"] if f["severity"] == "error"] == lost
    text = builder.guard("check", "--merge", "origin/main").text
    assert "conflict  work.md: FEAT-1 changed on both sides" in text
    assert "do: git merge -S origin/main, settle these" in text


def test_a_task_that_moved_on_one_side_and_changed_on_the_other_is_named(repo: Repo) -> None:
    repo.settings(state=["work.md", "old.md"]).task("FEAT-1", "done").task("FEAT-2").task("OLD-1", document="old.md")
    alice = repo.clone("alice")
    alice.switch("topic").edit("FEAT-1", title="Better words").commit("FEAT-1: title")
    alice.checkout("main")
    taken: list[str] = []
    alice.rewrite(lambda board: taken.append(board.take("FEAT-1")))
    alice.rewrite(lambda board: board.add(taken[0]), "old.md").commit("Archive FEAT-1")
    told = "conflict  work.md: FEAT-1 changed on one side, and moved to another document on the other"
    for ours, theirs in (("main", "topic"), ("topic", "main")):
        done = alice.checkout(ours).guard("check", "--merge", theirs)
        assert done.code == 1
        assert told in done.text
    data = alice.guard("check", "--json", "--merge", "main").json["data"]
    assert {"path": "work.md", "tasks": ["FEAT-1"]} in data["conflicts"]


def test_one_id_that_was_born_twice_is_said_to_be(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.switch("topic").add("FEAT-9", title="One").commit("FEAT-9: one")
    alice.checkout("main").add("FEAT-9", title="Other").commit("FEAT-9: other")
    done = alice.guard("check", "--merge", "topic")
    assert done.code == 1
    assert "conflict  work.md: FEAT-9 born on both sides\n" in done.text


def test_a_task_that_one_side_took_away_is_said_to_be(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.switch("topic").edit("FEAT-2", title="Other").commit("FEAT-2: title")
    alice.checkout("main").drop("FEAT-2").commit("FEAT-2: away")
    text = alice.guard("check", "--merge", "topic").text
    assert "conflict  work.md: FEAT-2 changed on one side, and taken away on the other\n" in text


def test_what_the_branch_lacks_is_judged_on_whichever_side_it_stands(builder: Clone) -> None:
    builder.switch("topic").code("one")
    builder.checkout("main").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    assert "ID106" in builder.guard("check", "--merge", "topic").text
    builder.code("two", text="x = 2\n")
    done = builder.guard("check", "--merge", "topic")
    assert ("ID106" in done.text, "conflict  src/new.py" in done.text) == (True, True)


def test_a_branch_that_the_policy_leaves_alone_is_said_to_be_free(builder: Clone) -> None:
    builder.switch("free").code("zero", path="src/zero.py").switch("topic", "main")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    done = builder.guard("check", "--merge", "topic", "--branch", "free")
    assert (done.code, "does not protect free" in done.said) == (0, True)


def test_conflicts_of_other_files_are_named_too(builder: Clone) -> None:
    builder.switch("topic").code("one").checkout("main").code("two", text="x = 2\n")
    done = builder.guard("check", "--merge", "topic")
    assert done.code == 1
    assert "conflict  src/new.py\n" in done.text
    assert done.text.count("conflict ") == 1


@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        (["--merge", "nowhere"], 2, "nowhere names no commit here"),
        (["--merge", "main", "--branch", "nowhere"], 2, "there is no branch nowhere, here or on origin"),
        (["--merge", "--json"], 2, "expected one argument"),
        (["--merge", "other"], 2, "share no history"),
    ],
)
def test_what_cannot_be_merged_is_said(builder: Clone, argv: list[str], code: int, says: str) -> None:
    builder.git("checkout", "-q", "--orphan", "other")
    builder.git("commit", "-q", "--no-gpg-sign", "-m", "Other")
    builder.checkout("main")
    done = builder.guard("check", *argv)
    assert done.code == code
    assert says in done.said


def test_an_unborn_branch_is_merged_into_only_by_name(builder: Clone) -> None:
    builder.switch("topic").code("one")
    builder.git("checkout", "-q", "--orphan", "new")
    done = builder.guard("check", "--merge", "topic")
    assert (done.code, "say what to merge into, --branch NAME" in done.said) == (2, True)
    assert builder.guard("check", "--merge", "topic", "--branch", "main").code == 0


def test_a_detached_head_is_merged_into_as_well(builder: Clone) -> None:
    builder.switch("topic").code("one")
    builder.git("checkout", "-q", "--detach", "main")
    assert builder.guard("check", "--merge", "topic").text.startswith("HEAD ")


def test_a_git_that_is_too_old_is_told(builder: Clone, tmp_path: Path) -> None:
    builder.switch("topic").code("one").checkout("main").code("two", path="src/two.py")
    real = run(["sh", "-c", "command -v git"], cwd=tmp_path, home=tmp_path).text
    for words, says in (
        ("usage: git merge-tree <base-tree>", "2.38 or newer"),
        ("fatal: odd", "git merge-tree: fatal: odd"),
    ):
        old = tmp_path / "git"
        old.write_text(f'#!/bin/sh\ncase "$*" in *merge-tree*) echo "{words}" >&2; exit 129;; esac\nexec {real} "$@"\n')
        old.chmod(0o755)
        done = builder.guard("check", "--merge", "topic", env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
        assert done.code == 3
        assert says in done.said


def test_a_shallow_clone_cannot_tell_where_its_sides_come_from(builder: Clone, tmp_path: Path) -> None:
    builder.switch("topic").code("one").code("more", text="x = 3\n")
    builder.checkout("main").code("two", path="src/two.py").code("three", path="src/three.py")
    folder = tmp_path / "shallow"
    argv: list[str | Path] = [
        "git",
        "clone",
        "-q",
        "--template=",
        "--depth=1",
        "--no-single-branch",
        f"file://{builder.folder}",
        folder,
    ]
    run(argv, cwd=tmp_path, home=builder.home)
    done = inside(["check", "--merge", "origin/topic"], cwd=folder, home=builder.home)
    assert (done.code, "git fetch --unshallow" in done.said) == (3, True)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_on_a_server_it_is_tried_with_the_attributes_of_the_branch(new_repo: NewRepo, object_format: str) -> None:
    repo = (
        new_repo(object_format, name="a:b.git")
        .file(".gitattributes", "work.md merge=codifica\n")
        .task("FEAT-1")
        .task("FEAT-2")
    )
    builder, writer = repo.clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.claim("FEAT-2").commit("FEAT-2: claim").push("HEAD:build/FEAT-2-it").accepted()
    done = inside(["check", "--merge", "build/FEAT-2-it", "--branch", "main"], cwd=repo.bare, home=builder.home)
    assert done.code == 0, done.said
    assert "ok, it merges clean" in done.text


def test_without_a_policy_the_merged_documents_are_read(tmp_path: Path) -> None:
    tale = Tale(tmp_path).begin(build("FEAT-1"), build("FEAT-2"), build("FEAT-3"))
    tale.git("checkout", "-q", "-b", "topic")
    tale.edit("FEAT-1", priority="soon").commit("Soon")
    tale.git("checkout", "-q", "main")
    tale.edit("FEAT-3", depends_on=["FEAT-1"]).commit("Later")
    done = tale.guard("check", "--merge", "topic")
    assert done.code == 1
    assert "idle: this repository has no policy" in done.text
    assert "CD102 FEAT-1: priority: soon" in done.text
    tale.git("checkout", "-q", "-b", "bare", "main")
    tale.write("codifica.json", None).write("x", "x\n").commit("No settings")
    tale.git("checkout", "-q", "-b", "other", "HEAD")
    tale.write("y", "y\n").commit("Other")
    tale.git("checkout", "-q", "bare")
    tale.write("z", "z\n").write("y", "z\n").commit("More")
    done = tale.guard("check", "--merge", "other")
    assert (done.code, "conflict  y" in done.text) == (1, True)
    tale.git("reset", "-q", "--hard", "HEAD~1")
    tale.write("z", "z\n").commit("More")
    assert tale.guard("check", "--merge", "other").code == 0
