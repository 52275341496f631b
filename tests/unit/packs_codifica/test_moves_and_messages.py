"""CD410 and CD412: what moves between documents stays as it is, and a message names what it is about."""

import time
from collections.abc import Mapping
from typing import Any, Final

import pytest

from codifica_guard.model.ids import TaskId
from codifica_guard.packs.codifica import cd412
from tests.unit.packs_codifica.cases import (
    MIGRATION,
    Case,
    accepted,
    block,
    breaches,
    check,
    handed_in,
    refused,
    running,
)
from tests.unit.views import ALICE, BOB, BUILDER, NEW, OLD, WRITER, commit, commit_view
from tests.unit.views import document as page

TODO: Final = block()
DONE: Final = running(state="done")
OTHERS: Final = running(owner=WRITER, state="done")
UNREADABLE: Final = block(title=...) + "  title: `a`\n"


def at(a: str = "", b: str = "") -> Mapping[str, str]:
    """Two documents."""
    return {"a.md": page(a), "b.md": page(b)}


MOVED: Final = "FEAT-1 went from a.md to b.md, and is not what it was"
MOVES: Final = (
    refused("CD410", "finished-and-edited", at(DONE), at(b=running(state="done", labels=["x"])), BUILDER, f"error: {MOVED}"),
    refused("CD410", "closed-on-the-way", at(running(type="test")), at(b=running(type="test", state="done")), BUILDER, f"error: {MOVED}"),
    refused("CD410", "written-anew-on-the-way", at(DONE), at(b=DONE.replace("title: ", "title:  ")), BUILDER, f"error: {MOVED}"),
    refused("CD410", "broken-on-the-way", at(DONE), at(b=DONE + "  priority: `a`\n"), BUILDER, f"error: {MOVED}"),
    refused("CD410", "approved-and-archived", at(handed_in()), at(b=handed_in(state="done")), ALICE, f"warning: {MOVED}"),
    refused("CD410", "edited-by-a-person", at(TODO), at(b=block(title="Other")), BOB, f"warning: {MOVED}"),
    refused("CD410", "mended-by-a-person", at(UNREADABLE), at(b=TODO), ALICE, f"warning: {MOVED}"),
    accepted("CD410", "moved-as-it-is", at(DONE), at(b=DONE), BUILDER),
    accepted("CD410", "moved-as-it-is-by-a-person", at(TODO), at(b=TODO), ALICE),
    accepted("CD410", "other-line-ends", at(DONE), at(b=DONE.replace("\n", "\r\n")), BUILDER),
    accepted("CD410", "edited-where-it-is", at(running()), at(running(labels=["x"])), BUILDER),
    accepted("CD410", "anothers-is-another-rule", at(OTHERS), at(b=running(owner=WRITER, state="done", labels=["x"])), BUILDER),
    accepted("CD410", "unreadable-is-another-rule", at(UNREADABLE), at(b=running()), BUILDER),
    accepted("CD410", "born", at(), at(b=TODO), ALICE),
    accepted("CD410", "gone", at(TODO), at(), ALICE),
    accepted("CD410", "nobody", at(DONE), at(b=TODO), None),
    accepted("CD410", "migrated", at(TODO), at(b=block(title="Other")), ALICE, trailing=MIGRATION),
    refused("CD410", "migrated-by-no-maintainer", at(TODO), at(b=block(title="Other")), BOB, f"warning: {MOVED}", trailing=MIGRATION),
)  # fmt: skip


def said(message: str) -> dict[str, Any]:
    return {"made": commit(message=message)}


EDITED: Final = (running(), running(labels=["x"]))
NAMELESS: Final = "the message names none of the tasks that the commit changes: FEAT-1"
MESSAGES: Final = (
    refused("CD412", "no-id", *EDITED, BUILDER, f"error: {NAMELESS}", **said("progress")),
    refused("CD412", "no-message", *EDITED, BUILDER, f"error: {NAMELESS}", **said("")),
    refused("CD412", "another-id", *EDITED, BUILDER, f"error: {NAMELESS}", **said("FEAT-2: progress")),
    refused("CD412", "a-longer-id", *EDITED, BUILDER, f"error: {NAMELESS}", **said("FEAT-10: progress, FEAT-1a, XFEAT-1, FEAT-1.2")),
    refused("CD412", "in-a-trailer-of-ours", *EDITED, BUILDER, f"error: {NAMELESS}", **said("progress\n\nCodifica-Reason: FEAT-1\n")),
    refused("CD412", "a-person", *EDITED, ALICE, f"warning: {NAMELESS}", **said("progress")),
    refused("CD412", "filed", (), TODO, BUILDER, f"error: {NAMELESS}", **said("new task")),
    refused("CD412", "deleted", TODO, (), ALICE, f"warning: {NAMELESS}", **said("tidy up")),
    refused("CD412", "moved", at(DONE), at(b=DONE), BUILDER, f"error: {NAMELESS}", **said("archive")),
    refused("CD412", "moved-to-another-fence", DONE, DONE, BUILDER, f"error: {NAMELESS}", **said("archive"), refenced=("FEAT-1",)),
    refused("CD412", "unreadable", UNREADABLE, UNREADABLE + "  priority: low\n", ALICE, f"warning: {NAMELESS}", **said("mend")),
    refused("CD412", "many", (), tuple(block(f"FEAT-{n}") for n in range(1, 6)), ALICE, "warning: the message names none of the tasks that the commit changes: FEAT-1, FEAT-2, FEAT-3 and 2 more", **said("plan")),
    refused("CD412", "migrated", *EDITED, ALICE, f"warning: {NAMELESS}", **said("new board"), trailing=MIGRATION),
    *(
        accepted("CD412", name, *EDITED, BUILDER, **said(message))
        for name, message in (
            ("first", "FEAT-1: progress"), ("last", "Progress on FEAT-1."), ("lower-case", "feat-1 goes on"), ("brackets", "[FEAT-1] progress"),
            ("path", "Merge build/FEAT-1: no, commit of feature/FEAT-1"), ("body", "Progress\n\nThis is for FEAT-1, mostly.\n"),
            ("trailer", "Progress\n\nRefs: FEAT-1\n"), ("quoted", 'Revert "FEAT-1: claim"'), ("dots", "...FEAT-1..."),
            ("not-utf-8", "FEAT-1: \udcff".encode("utf-8", "replace").decode()),
        )
    ),
    accepted("CD412", "one-of-several", (), (TODO, block("FEAT-2")), BUILDER, **said("FEAT-2: new")),
    accepted("CD412", "no-task", running(), running(), BUILDER, **said("code"), paths={"src/a.py": (None, None)}),
    accepted("CD412", "text-around-tasks", {"work.md": page(TODO)}, {"work.md": page(TODO, text="# Week 49\n")}, ALICE, **said("Week 49")),
    accepted("CD412", "nobody", *EDITED, None, **said("progress")),
)  # fmt: skip


@pytest.mark.parametrize("case", [*MOVES, *MESSAGES], ids=str)
def test_a_row_of_the_table_holds(case: Case) -> None:
    check(case)


def test_a_merge_names_nothing() -> None:
    one, other = {"work.md": page(*EDITED[:1])}, {"work.md": page(EDITED[1])}
    view = commit_view(
        one,
        {"work.md": page(running(labels=["y"]))},
        merged=other,
        actor=BUILDER,
        made=commit(OLD, NEW, message="Merge"),
    )
    assert breaches("CD412", view) == []


def test_an_agent_that_edited_in_a_move_is_told_both_places() -> None:
    (breach,) = breaches("CD410", commit_view(at(DONE), at(b=running(state="done", title="x")), actor=BUILDER))
    assert breach.do[0].endswith("git restore --staged --worktree -- a.md b.md")


@pytest.mark.parametrize(
    ("task", "message", "named"),
    [
        ("FEAT 1", "about something", True),
        ("Aufgabe-ü", "about something", True),
        ("", "about something", True),
        ("FEAT-1.", "FEAT-1: x", True),
        ("1.2", "version 1.2.3", False),
        ("1.2", "1.2: x", True),
    ],
)
def test_ids_at_the_edge_of_their_form(task: str, message: str, *, named: bool) -> None:
    assert cd412.names_one(message.encode(), (TaskId(task),)) is named


def test_a_long_message_and_many_tasks_are_looked_at_in_seconds() -> None:
    tasks = tuple(TaskId(f"FEAT-{n}") for n in range(50_000))
    before = time.process_time()
    assert not cd412.names_one(b"no task -._ " * 80_000, tasks)
    assert time.process_time() - before < 10  # a search for each id would take minutes
