"""`archive`: where finished tasks may go, who may send them, and what is told of the rest."""

import pytest

from tests.building import Clone, Repo
from tests.building.board import Board
from tests.building.tasks import block, task
from tests.building.wrappers import git_wrapper
from tests.integration.test_archive import ODD, shown, two, two_fences, without
from tests.unit.cli_human.story import exits


def refuses(clone: Clone, code: int, *typed: str, says: str) -> None:
    tip = clone.repo.tip()
    exits(clone.guard("archive", *typed), code, says)
    assert clone.repo.tip() == tip


def test_places_that_are_none_are_told_with_those_that_there_are(repo: Repo) -> None:
    alice = two(repo).clone("alice")
    refuses(alice, 2, "FEAT-2", says="say where to: --to archive.md")
    refuses(alice, 2, "FEAT-2", "--to", "README.md", says="`state` in codifica.json names work.md, archive.md")
    refuses(alice, 2, "FEAT-2", "--to", "../work.md", says="no state document")
    refuses(alice, 2, "FEAT-2", "--to", "archive.md#2", says="there are #1 (Part 1)")
    refuses(alice, 2, "FEAT-9", "--to", "archive.md", says="there is no task FEAT-9")
    refuses(alice, 1, "FEAT-1", "--to", "archive.md", says="FEAT-1 is todo, not done or rejected")
    refuses(alice, 1, "FEAT-4", "--to", "archive.md", says="git codifica approve FEAT-4")


def test_one_document_with_one_fence_has_no_other_place(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "done").clone("alice")
    refuses(alice, 2, "FEAT-1", says="a maintainer adds one to `state` in codifica.json")
    exits(alice.guard("archive", "FEAT-1", "--to", "work.md"), 0, "nothing to move")


def test_line_ends_are_those_of_the_place(repo: Repo) -> None:
    two(repo)
    alice = repo.clone("alice")
    text = alice.read("archive.md").replace("\n", "\r\n")
    alice.write("archive.md", text).commit("CRLF").push().accepted(perhaps=("ST109",))
    exits(alice.guard("archive", "FEAT-2", "--to", "archive.md"), 0)
    data = alice.fresh().read("archive.md")
    assert ODD.replace("\n", "\r\n") in data
    assert "\n" not in data.replace("\r\n", "")


def test_a_dry_run_moves_nothing(repo: Repo) -> None:
    alice = two(repo).clone("alice")
    tip = repo.tip()
    exits(
        alice.guard("archive", "FEAT-2", "FEAT-3", "--to", "archive.md", "--dry-run"),
        0,
        "message: FEAT-2, FEAT-3: archive",
        "nothing was changed",
    )
    assert repo.tip() == tip


def test_it_is_lost_where_somebody_reopens_it_meanwhile(repo: Repo) -> None:
    alice, bob = two(repo).clone("alice"), repo.clone("bob")
    exits(bob.guard("reopen", "FEAT-2", "-m", "not done"), 0)
    exits(alice.guard("archive", "FEAT-2", "--to", "archive.md"), 4, "lost FEAT-2")
    assert repo.fields("FEAT-2")["state"] == "todo"


def test_a_place_that_something_else_takes_is_told(repo: Repo) -> None:
    repo.settings(state=["work.md", "old/*.md"]).file("old", "a file\n").task("FEAT-1", "done")
    refuses(repo.clone("alice"), 1, "FEAT-1", "--to", "old/may.md", says="old/may.md cannot be begun: old is a file")


def test_a_place_that_is_a_folder_is_told(repo: Repo) -> None:
    repo.settings(state=["work.md", "old/*.md"]).file("old/may.md/a.txt", "a file\n").task("FEAT-1", "done")
    refuses(repo.clone("alice"), 1, "FEAT-1", "--to", "old/may.md", says="something else is called so")


@pytest.mark.parametrize(
    ("who", "to", "code"),
    [
        ("alice", "work.md#2", 0),
        ("builder", "work.md#done-in-may", 0),
        ("alice", "work.md#1", 0),
        ("alice", "work.md#3", 2),
    ],
)
def test_fences_go_by_number_or_heading(repo: Repo, who: str, to: str, code: int) -> None:
    clone = two_fences(repo).clone(who)
    before = shown(repo, "work.md")
    exits(clone.guard("archive", "FEAT-2", "--to", to), code)
    after = shown(repo, "work.md")
    assert without(after, "FEAT-2") == without(before, "FEAT-2")
    assert (after != before) == (code == 0 and not to.endswith("#1"))


def test_an_agent_moves_its_own_alone(repo: Repo) -> None:
    two(repo)
    refuses(repo.clone("writer"), 6, "FEAT-2", "--to", "archive.md", says="only a human archives what is not yours")
    builder = repo.clone("builder")
    refuses(builder, 1, "FEAT-4", "--to", "archive.md", says="FEAT-4 is to_be_tested")
    exits(builder.guard("archive", "FEAT-2", "--to", "archive.md"), 0)
    assert ODD in shown(repo, "archive.md")


def test_an_agent_names_one_task(repo: Repo) -> None:
    repo.settings(state=["work.md", "archive.md"]).task("FEAT-1", "done").task("FEAT-2", "done")
    repo.task("OLD-1", "done", document="archive.md")
    refuses(repo.clone("builder"), 2, "FEAT-1", "FEAT-2", "--to", "archive.md", says="one task a commit")
    alice = repo.clone("alice")
    exits(alice.guard("archive", "FEAT-1", " FEAT-2", "FEAT-1", "--to", "archive.md"), 0)
    assert repo.on_server("log", "-1", "--format=%s", "main") == "FEAT-1, FEAT-2: archive"


def test_documents_that_take_no_task_are_told(repo: Repo) -> None:
    repo.settings(state=["work.md", "a#b.md", "prose.md", "broken.md", "old/*.md"]).task("FEAT-1", "done").task(
        "FEAT-2"
    )
    repo.document("prose.md", "# Prose\n").document("broken.md", "```yaml\ntext\n```\n")
    repo.document(
        "a#b.md", f"```yaml\n{block(task('OLD-1', 'done'))}```\n\n# Same\n\n```yaml\n```\n\n# Same #\n\n```yml\n```\n"
    )
    alice = repo.clone("alice")
    refuses(alice, 1, "FEAT-1", "--to", "prose.md", says="prose.md has no yaml fence")
    refuses(alice, 3, "FEAT-1", "--to", "broken.md", says="broken.md takes no task: a line that belongs to no task")
    refuses(alice, 2, "FEAT-1", "--to", "a#b.md#same", says="several fences #same; there are #1, #2 (Same), #3 (Same)")
    refuses(alice, 2, "FEAT-1", "--to", "a#b.md#", says="no fence #")
    refuses(alice, 2, "FEAT-1", says="--to a#b.md")
    refuses(repo.clone("builder"), 6, "FEAT-1", "--to", "old/may.md", says="only a human begins a state document")
    refuses(alice, 2, "FEAT-1", "--to", "old/may.md#2", says="so it has no fence #2")
    exits(alice.guard("archive", "FEAT-1", "--to", "a#b.md"), 0, "-> a#b.md:")
    assert Board(shown(repo, "a#b.md")).holds("FEAT-1")
    exits(alice.guard("fix"), 1)


def test_a_new_document_is_begun(repo: Repo) -> None:
    alice = repo.settings(state=["work.md", "old/*.md"]).task("FEAT-1", "done").task("FEAT-2", "done").clone("alice")
    exits(alice.guard("archive", "FEAT-1", "FEAT-2", "--to", "old/may.md#1"), 0, "old/may.md:6")
    assert shown(repo, "old/may.md").startswith("# Archive\n")


def test_it_is_lost_where_somebody_moves_it_between_two_tries(repo: Repo) -> None:
    alice, bob = two(repo).clone("alice"), repo.clone("bob")
    bob.back("FEAT-2").commit("FEAT-2: reopen")
    act = f"cd {bob.folder} && HOME={bob.home} git push origin HEAD:main"
    env = git_wrapper(repo.root / "bin", "before the first push", act)
    exits(alice.guard("archive", "FEAT-2", "--to", "archive.md", env=env), 4, "lost FEAT-2")
    assert repo.fields("FEAT-2")["state"] == "todo"


def test_it_goes_through_while_main_moves_by_other_tasks(repo: Repo) -> None:
    alice, bob = two(repo).clone("alice"), repo.clone("bob")
    bob.edit("FEAT-1", title="Other").commit("FEAT-1: title")
    act = f"cd {bob.folder} && HOME={bob.home} git push origin HEAD:main"
    env = git_wrapper(repo.root / "bin", "before the first push", act)
    exits(alice.guard("archive", "FEAT-2", "--to", "archive.md", env=env), 0)
    assert ODD in shown(repo, "archive.md")
    assert repo.fields("FEAT-1")["title"] == "Other"


def test_a_document_that_would_grow_too_long_takes_no_task(repo: Repo) -> None:
    repo.settings(state=["work.md", "archive.md"]).task("FEAT-1", "done")
    repo.document("archive.md", "x" * ((8 << 20) - 20) + "\n\n```yaml\n```\n")
    refuses(
        repo.clone("alice"),
        1,
        "FEAT-1",
        "--to",
        "archive.md",
        says="archive.md would not hold the same tasks, or grow too long",
    )
