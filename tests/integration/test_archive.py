"""`archive` with real pushes: finished tasks go to another place byte for byte, and nothing else moves."""

import pytest

from tests.building import Clone, Repo
from tests.building.board import Board, document, fence
from tests.building.machine import Done
from tests.building.tasks import block, task

pytestmark = pytest.mark.guard

ODD = block(task("FEAT-2", "done")).replace(
    "  title: Task FEAT-2\n", "  title: 'Task  FEAT-2'   # as it was\n\n  x-more: {a: b}\n"
)
"""A finished task that nobody would write so twice."""


def exits(done: Done, code: int, *texts: str) -> Done:
    assert done.code == code, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
    return done


def two(repo: Repo) -> Repo:
    """A document of three tasks, and a second one."""
    work = document(
        fence(block(task("FEAT-1")), ODD, block(task("FEAT-3", "rejected")), block(task("FEAT-4", "to_be_tested")))
    )
    repo.settings(state=["work.md", "archive.md"])
    return repo.document("work.md", work).document("archive.md", document(fence(block(task("OLD-1", "done")))))


def shown(repo: Repo, path: str, rev: str = "main") -> str:
    return repo.on_server("show", f"{rev}:{path}") + "\n"


def without(text: str, *idents: str) -> list[str]:
    """The lines of a document that are not blank, without some tasks."""
    board = Board(text)
    for ident in idents:
        if board.holds(ident):
            board.take(ident)
    return [line for line in board.text.split("\n") if line.strip()]


def test_finished_tasks_go_as_they_are_in_one_commit(repo: Repo) -> None:
    alice = two(repo).clone("alice")
    start, before = repo.tip(), (shown(repo, "work.md"), shown(repo, "archive.md"))
    answer = exits(alice.guard("archive", "FEAT-2", "FEAT-3", "--to", "archive.md", "--json", "-q"), 0).json
    after = (shown(repo, "work.md"), shown(repo, "archive.md"))
    assert repo.on_server("rev-list", "--count", f"{start}..main") == "1"
    assert ODD in after[1]
    assert [Board(after[1]).block("FEAT-3")] == [Board(before[0]).block("FEAT-3")]
    assert without(after[0]) == without(before[0], "FEAT-2", "FEAT-3")
    assert without(after[1], "FEAT-2", "FEAT-3") == without(before[1])
    assert "\n\n\n" not in after[0]
    data = answer["data"]
    assert [(m["task"], m["state"], m["source"], m["path"], m["fence"]) for m in data["moved"]] == [
        ("FEAT-2", "done", "work.md", "archive.md", 1), ("FEAT-3", "rejected", "work.md", "archive.md", 1),
    ]  # fmt: skip
    assert [after[1].split("\n")[m["line"] - 1] for m in data["moved"]] == ["- id: FEAT-2", "- id: FEAT-3"]
    assert data["commit"] == repo.tip()
    again = exits(
        alice.guard("archive", "FEAT-2", "--to", "archive.md"), 0, "nothing to move: it stands in archive.md already"
    )
    assert again.code == 0
    assert repo.on_server("rev-list", "--count", f"{start}..main") == "1"


def test_an_agent_moves_its_own_finished_task_alone(repo: Repo) -> None:
    builder = two(repo).clone("builder")
    tip = repo.tip()
    exits(builder.guard("archive", "FEAT-2", "FEAT-4", "--to", "archive.md"), 1, "FEAT-4 is to_be_tested")
    exits(repo.clone("writer").guard("archive", "FEAT-2", "--to", "archive.md"), 6, "not yours", "agent:builder")
    exits(builder.guard("archive", "FEAT-3", "--to", "archive.md"), 6, "FEAT-3 is unassigned's")
    assert repo.tip() == tip
    exits(
        builder.guard("archive", "FEAT-2", "--to", "archive.md"),
        0,
        "FEAT-2  done  work.md:",
        "-> archive.md:",
        "signed    agent:builder",
    )
    assert ODD in shown(repo, "archive.md")


def two_fences(repo: Repo) -> Repo:
    """One document: tasks, and an empty fence below a heading of its own; an example between them."""
    text = document(fence(block(task("FEAT-1")), ODD, block(task("FEAT-3", "done"))))
    text += "\n## Done in May ##\n\n~~~\n## No heading\n~~~\n\n```yaml\n```\n"
    return repo.document("work.md", text)


@pytest.mark.parametrize("to", ["work.md", "work.md#2", "work.md#done-in-may", "./work.md#Done in May"])
@pytest.mark.parametrize("who", ["alice", "builder"])
def test_another_fence_of_the_same_document(repo: Repo, who: str, to: str) -> None:
    clone = two_fences(repo).clone(who)
    before = shown(repo, "work.md")
    exits(clone.guard("archive", "FEAT-2", "--to", to), 0)
    after = shown(repo, "work.md")
    assert after.endswith(f"```yaml\n{ODD}```\n")
    assert without(after, "FEAT-2") == without(before, "FEAT-2")


def refuses(clone: Clone, code: int, *typed: str, says: str) -> None:
    tip = clone.repo.tip()
    exits(clone.guard("archive", *typed), code, says)
    assert clone.repo.tip() == tip


def test_a_human_begins_a_document_that_state_names(repo: Repo) -> None:
    alice = repo.settings(state=["work.md", "old/*.md"]).task("FEAT-1", "done").task("FEAT-2", "done").clone("alice")
    builder = repo.clone("builder")
    refuses(builder, 6, "FEAT-1", "--to", "old/may.md", says="only a human begins a state document")
    refuses(alice, 2, "FEAT-1", "--to", "old/may.md#2", says="is not there yet")
    refuses(alice, 2, "FEAT-1", "--to", "old/.git/may.md", says="no state document")
    before = Board(shown(repo, "work.md")).block("FEAT-1")
    exits(alice.guard("archive", "FEAT-1", "--to", "old/may.md"), 0, "old/may.md:")
    assert Board(shown(repo, "old/may.md")).block("FEAT-1") == before
    exits(builder.guard("archive", "FEAT-2", "--to", "old/may.md"), 0)
