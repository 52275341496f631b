"""Whom a commit is taken for where nobody signs."""

from typing import Any

import pytest

from codifica_guard.engine.claimed import Cast, acting
from codifica_guard.git.message import parse_trailers
from codifica_guard.model.commit import Commit
from codifica_guard.model.document import Block
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.rules.snapshot import Record
from codifica_guard.rules.view import TaskChange
from tests.building import tasks

NAMED = b"agent:claude agent:Codex human:alice human:davide-d agent:both human:both, agent:dot."


def record(fields: dict[str, Any]) -> Record:
    raw = tasks.block(fields).encode()
    return Record(RepoPath(b"work.md"), Block(id=TaskId(fields["id"]), line=1, raw=raw, start=0, end=len(raw), fence=0))


def change(before: dict[str, Any] | None, after: dict[str, Any] | None) -> TaskChange:
    ident = (before or after or {})["id"]
    return TaskChange(id=ident, before=record(before) if before else None, after=record(after) if after else None)


def made(author: str = "Davide Dee <d@example.org>", message: str = "Work") -> Commit:
    none = ObjectId(b"0" * 40)
    line = f"{author} 0 +0000".encode()
    return Commit(
        id=none, tree=none, parents=(none,), author=line, committer=line, committer_time=0, message=message.encode(), signature=None, signed=b""
    )  # fmt: skip


def cast() -> Cast:
    known = Cast()
    known.learn(NAMED)
    return known


def who(
    *changes: TaskChange, author: str = "Davide Dee <d@example.org>", message: str = "Work"
) -> dict[str, tuple[str, str]]:
    commit = made(author, message)
    found = acting(commit, parse_trailers(commit.message), changes, cast())
    rows = {str(task): (str(claimed.actor), claimed.source) for task, claimed in found.tasks.items()}
    return {"commit": (str(found.commit.actor), found.commit.source), **rows}


def task(state: str = "in_progress", **more: Any) -> dict[str, Any]:
    return tasks.task("FEAT-1", state, more.pop("owner", "agent:claude"), **more)


# -- author lines


@pytest.mark.parametrize(
    ("author", "means"),
    [
        ("Claude <noreply@example.com>", ("agent:claude", "author")),
        ("Somebody <claude@example.com>", ("agent:claude", "author")),
        ("Somebody <123+claude@users.example.com>", ("agent:claude", "author")),
        ("Alice Miller <am@example.com>", ("human:alice", "author")),
        ("CODEX <x@example.com>", ("agent:Codex", "author")),
        ("Davide D. <x@example.com>", ("human:davide-d", "author")),
        ("Both <x@example.com>", ("human:both", "author")),
        ("dot <x>", ("agent:dot", "author")),
        ("claude[bot] <x@example.com>", ("agent:claude", "author")),
        ("renovate[bot] <29+renovate[bot]@users.example.com>", ("agent:renovate", "unnamed author")),
        ("Zoé Ünal <z@example.com>", ("human:zo-nal", "unnamed author")),
        ("王 <wang@example.com>", ("human:wang", "unnamed author")),
        ("王 <>", ("human:nobody", "unnamed author")),
        ("", ("human:nobody", "unnamed author")),
        ("\udcff <\udcfe", ("human:nobody", "unnamed author")),
    ],
)
def test_an_author_line_means_whom_tasks_name_by_it(author: str, means: tuple[str, str]) -> None:
    found = cast().of_author(author.encode("utf-8", "surrogateescape"))
    assert (found.actor, found.source) == means


# -- the task's own words


def moved(by: object, **more: Any) -> TaskChange:
    """A task that is handed in, by somebody."""
    row = {**tasks.entry("in_progress", "to_be_tested", "x"), "by": by}
    after = {**task(), "state": "to_be_tested", "state_transitions": [*task()["state_transitions"], row], **more}
    return change(task(), {key: value for key, value in after.items() if value is not None})


@pytest.mark.parametrize(
    ("by", "actor"),
    [
        ("agent:codex", "agent:codex"),
        (" agent:Claude Code ", "agent:Claude Code"),
        ("human:zoe", "human:zoe"),
        ("alice", "human:alice"),
        ("claude", "agent:claude"),
        ("zoe", "human:zoe"),
        ("human", "human:davide-dee"),
        ("agent", "agent:claude"),
    ],
)
def test_the_entry_of_the_transition_says_it_first(by: str, actor: str) -> None:
    assert who(moved(by))["FEAT-1"] == (actor, "transition")


@pytest.mark.parametrize("by", ["", "server:x", "agent:", "unassigned", "x" * 200, "agent:" + "x" * 200, ["list"]])
def test_what_is_no_name_says_nothing(by: object) -> None:
    assert who(moved(by))["FEAT-1"] == ("agent:claude", "owner")


def test_a_human_or_an_agent_without_name_is_the_owner_the_author_or_one_of_the_authors_name() -> None:
    assert who(moved("human", owner="human:zoe"))["FEAT-1"] == ("human:zoe", "transition")
    assert who(moved("human"), author="Alice <a@b>")["FEAT-1"] == ("human:alice", "transition")
    assert who(moved("agent", owner="human:zoe"), author="Claude <a@b>")["FEAT-1"] == ("agent:claude", "transition")
    assert who(moved("agent", owner=None), author="Davide <a@b>")["FEAT-1"] == ("agent:davide", "transition")
    assert who(moved("human", owner="unassigned"), author="x[bot] <a@b>")["FEAT-1"] == ("human:x", "transition")


def test_the_entry_to_the_state_of_now_counts_before_a_newer_one() -> None:
    rows = [
        *task()["state_transitions"],
        tasks.entry("in_progress", "to_be_tested", "agent:a"),
        tasks.entry("x", "y", "agent:b"),
    ]
    assert who(change(task(), {**task(), "state": "to_be_tested", "state_transitions": rows}))["FEAT-1"][0] == "agent:a"
    assert who(change(task(), {**task(), "state": "blocked", "state_transitions": rows}))["FEAT-1"][0] == "agent:b"


def test_then_a_note_then_a_review_then_the_owner_of_a_claim() -> None:
    noted = {**task(), "execution_notes": [tasks.note("agent:a", "x")], "human_review": tasks.review("pass", "human:r")}
    assert who(change(task(), noted))["FEAT-1"] == ("agent:a", "note")
    reviewed = {**task(), "human_review": tasks.review("pass", "human:r")}
    assert who(change(task(), reviewed))["FEAT-1"] == ("human:r", "review")
    free = tasks.task("FEAT-1", "todo")
    assert who(change(free, {**free, "state": "in_progress", "owner": "agent:a"}))["FEAT-1"] == ("agent:a", "owner")
    assert who(change(task(), {**task(), "owner": "agent:a"}))["FEAT-1"] == ("agent:a", "owner")
    assert who(change(free, {**free, "state": "in_progress"}))["FEAT-1"] == ("human:davide-dee", "unnamed author")


def test_what_nobody_is_named_for_in_a_task_that_an_agent_works_on_is_that_agents() -> None:
    assert who(change(task(), {**task(), "acceptance": []}))["FEAT-1"] == ("agent:claude", "owner")
    assert who(change(task(), {**task(), "acceptance": []}), author="Alice <a@b>")["FEAT-1"] == (
        "human:alice",
        "author",
    )
    by_person = {**task(), "owner": "human:zoe"}
    assert who(change(by_person, {**by_person, "acceptance": []}))["FEAT-1"][1] == "unnamed author"
    free = tasks.task("FEAT-1", "todo", "agent:claude")
    assert who(change(free, {**free, "acceptance": []}))["FEAT-1"][1] == "unnamed author"


def test_a_new_task_is_whose_its_entries_say_and_else_the_authors() -> None:
    assert who(change(None, task()))["FEAT-1"] == ("agent:claude", "transition")
    assert who(change(None, tasks.task("FEAT-1")))["FEAT-1"] == ("human:davide-dee", "unnamed author")


# -- the commit


def test_codifica_actor_says_it_for_all_that_says_nothing_itself() -> None:
    edit = change(task(), {**task(), "title": "x"})
    told = who(edit, moved("agent:b"), message="Work\n\nCodifica-Actor: agent:a\n")
    assert told["commit"] == ("agent:a", "trailer")
    assert who(edit, message="Work\n\nCodifica-Actor: agent:a\n")["FEAT-1"] == ("agent:a", "trailer")
    assert who(edit, message="Work\n\nCodifica-Actor: nobody\n")["commit"] == ("human:davide-dee", "unnamed author")
    assert who(edit, message="W\n\nCodifica-Actor: agent:a\nCodifica-Actor: agent:b\n")["commit"][1] == "unnamed author"


def other(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "id": "FEAT-2"}


def test_what_other_tasks_of_the_commit_name_counts_before_the_author() -> None:
    edit = change(other(task()), other({**task(), "title": "x"}))
    assert who(moved("agent:a"), edit)["FEAT-2"] == ("agent:a", "transition")
    assert who(moved("agent:a"), edit, author="Alice <a@b>")["commit"] == ("agent:a", "transition")


def test_of_several_that_are_named_the_author_made_the_commit_else_the_first() -> None:
    row = tasks.entry("todo", "in_progress", "human:alice")
    second = change(other(tasks.task("FEAT-1")), other({**task(), "state_transitions": [row]}))
    assert who(moved("agent:a"), second, author="Alice <a@b>")["commit"] == ("human:alice", "transition")
    told = who(moved("agent:a"), second)
    assert told["commit"] == ("agent:a", "transition")
    assert told["FEAT-2"] == ("human:alice", "transition")


def test_an_author_whom_tasks_name_counts_before_the_owner() -> None:
    silent = change(task(), {**task(), "state": "to_be_tested"})
    assert who(silent, author="Alice <a@b>")["FEAT-1"] == ("human:alice", "author")
    assert who(silent)["FEAT-1"] == ("agent:claude", "owner")
    assert who(silent)["commit"] == ("agent:claude", "owner")


@pytest.mark.parametrize(
    ("source", "target", "means"),
    [
        ("in_progress", "to_be_tested", "agent:claude"),
        ("in_progress", "done", "agent:claude"),
        ("todo", "done", "agent:claude"),
        ("to_be_tested", "done", "human:davide-dee"),
        ("in_progress", "blocked", "human:davide-dee"),
        ("done", "todo", "human:davide-dee"),
    ],
)
def test_work_that_nobody_signed_for_is_its_owners_and_decisions_are_the_authors(
    source: str, target: str, means: str
) -> None:
    before = {**task(), "state": source}
    assert who(change(before, {**before, "state": target}))["FEAT-1"][0] == means


def test_a_task_that_takes_its_owner_on_the_way_to_done_is_the_new_owners() -> None:
    free = tasks.task("FEAT-1", "todo")
    assert who(change(free, {**free, "state": "done", "owner": "agent:a"}))["FEAT-1"] == ("agent:a", "owner")
    assert who(change(free, {**free, "state": "done"}))["FEAT-1"] == ("human:davide-dee", "unnamed author")


def test_what_goes_and_what_cannot_be_read_is_the_authors() -> None:
    assert who(change(task(), None))["FEAT-1"] == ("human:davide-dee", "unnamed author")
    broken = record(task())
    raw = broken.raw.replace(b"title: ", b"title: `")
    torn = Record(broken.path, Block(id=broken.block.id, line=1, raw=raw, start=0, end=len(raw), fence=0))
    assert who(TaskChange(id=TaskId("FEAT-1"), before=record(task()), after=torn))["FEAT-1"][0] == "human:davide-dee"


def test_everybody_is_named_once_who_made_the_commit_first() -> None:
    commit = made()
    second = change(other(task()), other({**task(), "execution_notes": [tasks.note("agent:b", "x")]}))
    found = acting(commit, parse_trailers(commit.message), [moved("agent:a"), second], cast())
    assert [claimed.actor for claimed in found.all()] == ["agent:a", "agent:b"]
