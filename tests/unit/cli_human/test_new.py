"""`new`: where a task goes, which id it gets, who files it."""

import subprocess

import pytest

from tests.building import Clone, Repo
from tests.building.board import document, fence
from tests.building.machine import environment
from tests.building.tasks import block, task
from tests.unit.cli_human.story import exits


def shown(clone: Clone, rev: str, path: str = "work.md") -> bytes:
    return subprocess.run(
        ["git", "show", f"{rev}:{path}"], cwd=clone.folder, env=environment(clone.home), capture_output=True, check=True
    ).stdout


def test_a_new_task_is_filed_whole_and_claimed(repo: Repo) -> None:
    repo.task("FEAT-007", "done").task("FEAT-009")
    alice, builder = repo.clone("alice"), repo.clone("builder")
    start = shown(alice, "main")
    typed = (
        "new", "--title", "Mail: # templates", "--priority", "high", "--accept", 'It "arrives"', "--accept", "- in time",
        "--depends-on", "FEAT-007", "--label", "mail", "--description", "-", "--owner", "builder",
        "--constraint", "no new table", "--read", "src/app.py",
    )  # fmt: skip
    done = exits(alice.guard(*typed, data=b"Two lines:\n\tof text\n"), 0)
    assert done.text.splitlines()[0].startswith("FEAT-010  new -> todo, agent:builder   Mail: # templates   work.md:")
    assert "next      for agent:builder: git codifica claim FEAT-010" in done.text
    fields = repo.fields("FEAT-010")
    assert fields == {
        "id": "FEAT-010",
        "type": "build",
        "state": "todo",
        "owner": "agent:builder",
        "title": "Mail: # templates",
        "description": "Two lines:\n\tof text",
        "priority": "high",
        "depends_on": ["FEAT-007"],
        "labels": ["mail"],
        "acceptance": ['It "arrives"', "- in time"],
        "context": {"files": ["src/app.py"], "constraints": ["no new table"]},
    }
    end = shown(alice, "main")
    at = next(n for n, pair in enumerate(zip(start, end, strict=False)) if pair[0] != pair[1])
    assert end.startswith(start[:at])
    assert end.endswith(start[at:])
    line = int(done.text.splitlines()[0].split("work.md:")[1].split()[0])
    assert end.splitlines()[line - 1] == b"- id: FEAT-010"
    exits(builder.guard("claim", "FEAT-010"), 0)


def test_a_new_task_goes_to_the_last_fence_of_the_first_document(repo: Repo) -> None:
    repo.settings(state=["tasks/b.md", "tasks/a.md"])
    repo.document("tasks/a.md", document(fence(block(task("A-1")))))
    repo.document("tasks/b.md", document(fence(block(task("B-7"))), fence(block(task("B-2")))).replace("\n", "\r\n"))
    alice = repo.clone("alice")
    exits(alice.guard("new", "--title", "Mail", "--accept", "It arrives"), 0, "B-8  new -> todo", "tasks/b.md:")
    text = shown(alice, "main", "tasks/b.md")
    assert text.index(b"B-8") > text.index(b"B-2")
    assert b"\n" not in text.replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("ids", "new"),
    [
        ((), "TASK-001"),
        (("SITE-9",), "SITE-10"),
        (("A-1", "B-001"), "B-002"),
        (("B-5", "A-1", "B-2"), "B-6"),
        (("login",), "login-2"),
        (("feat-2", "FEAT-1"), "TASK-001"),
        (("TASK-001", "feat-2", "FEAT-1"), "TASK-002"),
        (("TASK-001", "task-002", "feat-2", "FEAT-1"), "TASK-003"),
    ],
)
def test_ids_are_counted_on_from_the_last_task(repo: Repo, ids: tuple[str, ...], new: str) -> None:
    repo.document("work.md", document(fence(*(block(task(ident)) for ident in ids))))
    alice = repo.clone("alice")
    exits(alice.guard("new", "--title", "Mail", "--accept", "It arrives"), 0, f"{new}  new -> todo")


def test_of_documents_that_a_pattern_names_the_first_by_name_takes_it(repo: Repo) -> None:
    repo.settings(state="tasks/*.md").task("B-1", document="tasks/b.md").task("A-1", document="tasks/a.md")
    alice = repo.clone("alice")
    exits(alice.guard("new", "--title", "Mail", "--accept", "It arrives"), 0, "A-2  new -> todo", "tasks/a.md:")


def test_an_id_that_is_free_may_be_chosen(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    exits(alice.guard("new", "--title", "Mail", "--accept", "It arrives", "--id", " WEB-1 "), 0, "WEB-1  new -> todo")
    assert repo.fields("WEB-1")["title"] == "Mail"


@pytest.mark.parametrize(
    ("ident", "code", "text"),
    [
        ("FEAT-1", 1, "FEAT-1 is there already; free is FEAT-2"),
        ("feat-1", 1, "differs only by case"),
        ("FEAT 1", 2, "is no id"),
        ("-x", 2, ""),
        ("x" * 65, 2, "is no id"),
    ],
)
def test_an_id_that_cannot_be_is_refused(repo: Repo, ident: str, code: int, text: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    exits(alice.guard("new", "--title", "Mail", "--id", ident), code, text)


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("--type", "party"), 2, "party is no type of task here: build, test"),
        (("--type", "followup"), 2, "--derived-from ID"),
        (("--type", "followup", "--derived-from", "FEAT-9"), 1, "CD107"),
        (("--depends-on", "FEAT-9"), 1, "CD306"),
        (("--owner", "nobody"), 2, "nobody is called nobody here"),
        (("--title", "two\nlines"), 2, "--title is one line"),
        (("--title", ""), 2, "--title needs words"),
        (("--title", " \n "), 2, "--title needs words"),
        (("--title", "x" * 201), 2, "201 characters"),
        (("--priority", "later"), 2, "invalid choice"),
    ],
)
def test_a_task_that_cannot_be_is_not_filed(repo: Repo, words: tuple[str, ...], code: int, text: str) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    tip = repo.tip()
    exits(alice.guard("new", "--title", "Mail", *words), code, text)
    assert repo.tip() == tip


def test_a_build_task_without_criteria_is_filed_with_a_warning(repo: Repo) -> None:
    alice = repo.rules(custom_types=["design"]).task("FEAT-1").clone("alice")
    warning = "cannot start: a task of type"
    for number, (kind, warned) in enumerate([("build", True), ("design", True), ("investigate", False)], 2):
        answer = alice.guard("new", "--title", "Mail", "--type", kind, "--json")
        assert answer.json["data"]["startable"] is not warned
        assert (warning in answer.said) is warned
        assert repo.fields(f"FEAT-{number}")["type"] == kind


def test_agents_file_tasks_for_anyone_and_themselves(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "done").clone("builder")
    more = ("new", "--title", "More", "--type", "followup", "--derived-from", "FEAT-1")
    exits(builder.guard(*more), 0, "FEAT-2  new -> todo, unassigned", "signed    agent:builder")
    exits(builder.guard(*more, "--owner", "builder"), 0, "FEAT-3  new -> todo, agent:builder")
    exits(builder.guard(*more, "--owner", "writer"), 6, "only a human files a task for agent:writer")


def test_a_first_document_without_a_fence_takes_no_task(repo: Repo) -> None:
    alice = repo.document("work.md", "# Work\n\nNothing yet.\n").clone("alice")
    exits(alice.guard("new", "--title", "Mail"), 3, "work.md takes no task", "no yaml fence")


def test_a_repository_without_a_state_document_takes_no_task(repo: Repo) -> None:
    repo.settings(state=["later/*.md", "work.md"]).task("FEAT-1")
    alice = repo.clone("alice").write("work.md", None).commit("Away with it")
    exits(alice.guard("new", "--title", "Mail", "--no-push"), 1, "no state document")


@pytest.mark.parametrize("options", [["--dry-run"], ["--no-push"], []])
def test_a_document_may_be_larger_than_a_policy(repo: Repo, options: list[str]) -> None:
    prose = "\n\n".join(f"Paragraph {number}. " + "Words. " * 100 for number in range(1600))
    repo.document("work.md", document(fence(block(task("FEAT-1")))) + "\n" + prose + "\n")
    alice = repo.clone("alice")
    assert len(alice.read()) > 1024 * 1024
    done = exits(alice.guard("new", "--title", "One more", *options), 0)
    assert "FEAT-2" in done.text
