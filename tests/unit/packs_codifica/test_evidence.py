"""CD406: evidence stays, and new evidence lies below the folder of a task."""

from typing import Final

import pytest

from codifica_guard.model.commit import Entry
from codifica_guard.model.ids import Principal
from codifica_guard.rules.view import CommitView
from tests.unit.packs_codifica.cases import block, breaches, documents, running, told
from tests.unit.views import (
    ALICE,
    BUILDER,
    FILE,
    LINK,
    MODULE,
    NEW,
    OLD,
    OTHER_FILE,
    WRITER,
    codifica,
    commit,
    commit_view,
    policy,
)

EXECUTABLE: Final = Entry(0o100755, FILE.id)
NOBODY: Final = None


def seen(actor: Principal | None, was: Entry | None, now: Entry | None, *paths: str, **view: object) -> CommitView:
    """A commit that does one thing to some paths, in a repository with the tasks FEAT-1 and FEAT-2."""
    docs = documents((running(), block("FEAT-2")))
    return commit_view(docs, actor=actor, paths=dict.fromkeys(paths, (was, now)), **view)  # type: ignore[arg-type]


def says(view: CommitView) -> tuple[str, ...]:
    return told("CD406", breaches("CD406", view))


SHOT: Final = "assets/FEAT-1/shot.png"


@pytest.mark.parametrize("actor", [BUILDER, WRITER, NOBODY])
@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (FILE, OTHER_FILE, "changes"),
        (FILE, EXECUTABLE, "changes"),
        (FILE, LINK, "changes"),
        (FILE, None, "deletes"),
    ],
)
@pytest.mark.parametrize("path", [SHOT, "assets/logo.png", "assets/OLD-7/a.csv"])
def test_evidence_is_neither_changed_nor_deleted(
    actor: Principal | None, before: Entry, after: Entry | None, what: str, path: str
) -> None:
    who = actor or "an unsigned commit"
    assert says(seen(actor, before, after, path)) == (f"error: {who} {what} a file below assets/",)
    assert says(seen(ALICE, before, after, path)) == ()


@pytest.mark.parametrize("actor", [BUILDER, WRITER, NOBODY])
@pytest.mark.parametrize(
    ("path", "fine"),
    [
        (SHOT, True),
        ("assets/FEAT-2/deep/below/a.csv", True),
        ("assets/FEAT-1", False),
        ("assets/FEAT-3/a.csv", False),
        ("assets/feat-1/a.csv", False),
        ("assets/a.csv", False),
        ("assets/FEAT-1.png", False),
        ("assets/x/FEAT-1/a.csv", False),
        ("asset/a.csv", True),
        ("assets", True),
        ("src/assets/a.csv", True),
    ],
)
def test_new_evidence_lies_below_the_folder_of_a_task(actor: Principal | None, path: str, *, fine: bool) -> None:
    who = actor or "an unsigned commit"
    expected = () if fine else (f"error: {who} adds a file below assets/ outside the folder of a task",)
    assert says(seen(actor, None, FILE, path)) == expected
    assert says(seen(ALICE, None, FILE, path)) == ()


@pytest.mark.parametrize("actor", [BUILDER, WRITER, NOBODY])
@pytest.mark.parametrize("entry", [LINK, MODULE])
@pytest.mark.parametrize(
    ("path", "found"),
    [
        (SHOT, "adds a symbolic link or submodule below assets/"),
        ("assets/FEAT-2/deep/below/a.csv", "adds a symbolic link or submodule below assets/"),
        ("assets/FEAT-1", "adds a file below assets/ outside the folder of a task"),
        ("assets", "puts a symbolic link or submodule in the place of assets/"),
    ],
)
def test_new_evidence_is_a_regular_file(actor: Principal | None, entry: Entry, path: str, found: str) -> None:
    assert says(seen(actor, None, entry, path)) == (f"error: {actor or 'an unsigned commit'} {found}",)
    assert says(seen(ALICE, None, entry, path)) == ()
    assert says(seen(actor, entry, None, "assets")) == ()


def test_a_regular_file_becomes_no_link_and_a_link_no_file() -> None:
    for before, after in ((FILE, LINK), (FILE, MODULE), (LINK, FILE), (LINK, MODULE)):
        assert says(seen(BUILDER, before, after, SHOT)) == ("error: agent:builder changes a file below assets/",)
    assert says(seen(BUILDER, FILE, LINK, "assets")) == (
        "error: agent:builder puts a symbolic link or submodule in the place of assets/",
    )
    assert says(seen(BUILDER, None, EXECUTABLE, SHOT)) == ()


def test_a_task_that_the_commit_files_has_its_folder_at_once() -> None:
    view = seen(
        BUILDER, None, FILE, "assets/FEAT-3/a.csv", after=documents((running(), block("FEAT-2"), block("FEAT-3")))
    )
    assert says(view) == ()


def test_the_folder_is_the_one_that_the_settings_name() -> None:
    under = policy(config=codifica(assets=b"evidence/"))
    assert says(seen(BUILDER, FILE, None, SHOT, under=under)) == ()
    assert says(seen(BUILDER, FILE, None, "evidence/FEAT-1/a", under=under)) == (
        "error: agent:builder deletes a file below evidence/",
    )


def test_a_file_that_carries_trust_is_another_rules() -> None:
    under = policy(config=codifica(spec=b"assets/spec.md"))
    assert says(seen(BUILDER, FILE, OTHER_FILE, "assets/spec.md", under=under)) == ()


def test_a_merge_is_judged_by_what_it_decided() -> None:
    view = seen(BUILDER, FILE, OTHER_FILE, SHOT, merged=documents(running()), made=commit(OLD, NEW))
    assert says(view) == ()


def test_many_paths_are_told_by_the_first_few() -> None:
    view = seen(BUILDER, FILE, None, *(f"assets/FEAT-1/{n}.png" for n in range(9)))
    found = breaches("CD406", view)
    assert [breach.path for breach in found] == [b"assets/FEAT-1/%d.png" % n for n in range(3)]
    assert found[-1].found.endswith(", and 6 more such paths")
    assert not found[0].found.endswith("paths")


def test_whoever_is_nobody_learns_how_to_sign_and_an_agent_how_to_undo() -> None:
    (nobody,), (agent,) = (breaches("CD406", seen(who, FILE, None, SHOT)) for who in (NOBODY, BUILDER))
    assert any("gpg.format ssh" in step for step in nobody.do)
    assert not any("gpg.format" in step for step in agent.do)
    assert agent.do[0].endswith(f"-- {SHOT}")
