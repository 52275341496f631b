"""`edit` as people use it: a real program at a real terminal, with an editor, and a push that the server judges."""

import pytest

from tests.building import Repo
from tests.building.machine import environment
from tests.unit.cli_a.terminals import at_terminal

pytestmark = pytest.mark.guard


def test_one_block_is_edited_at_a_terminal_and_mended_when_it_cannot_be_read(repo: Repo) -> None:
    alice, start = repo.task("FEAT-1").task("FEAT-2").clone("alice").switch("work").code(), repo.tip()
    script = repo.root / "editor.sh"
    # The first call breaks the task, the second one puts the value in quotes.
    script.write_text(
        'grep -q \'title: Fix: it\' "$1" && sed -i \'s/title: Fix: it/title: "Fix: it"/\' "$1" && exit 0\n'
        "sed -i 's/title: Task FEAT-1/title: Fix: it/' \"$1\"\n"
    )
    alice.write("src/app.py", "y = 1\n")
    before = alice.git("status", "--porcelain"), alice.head()
    told = {**environment(alice.home), "GIT_EDITOR": f"sh '{script}'"}
    session = at_terminal(["edit", "FEAT-1"], [""], folder=alice.folder, environ=told)
    assert session.code == 0, session.screen
    assert ".yaml:7:13  ST101 yaml-unreadable" in session.screen
    assert '+  title: "Fix: it"' in session.screen
    assert "FEAT-1  edited: title    main " in session.out
    assert repo.fields("FEAT-1")["title"] == "Fix: it"
    assert repo.on_server("rev-list", "--count", f"{start}..main") == "1"
    assert (alice.git("status", "--porcelain"), alice.head()) == before


def test_another_field_that_an_agent_wrote_meanwhile_stays(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    alice = repo.clone("alice")
    old = alice.guard("edit", "FEAT-1", "--from", "-", "--dry-run", data=b"nothing").said
    assert "ST101" in old
    text = alice.git("show", "origin/main:work.md").split("```yaml\n", 1)[1].split("```", 1)[0]
    head = f"# FEAT-1 on origin/main at {alice.head('origin/main')}\n"
    builder.note("FEAT-1", "half").commit("FEAT-1: note", proof="trailers").push().accepted()
    done = alice.guard("edit", "FEAT-1", "--from", "-", data=(head + text.replace("Task FEAT-1", "Other")).encode())
    assert done.code == 0, done.said
    fields = repo.fields("FEAT-1")
    assert (fields["title"], fields["execution_notes"][-1]["note"]) == ("Other", "half")


def test_an_agent_edits_no_task(repo: Repo) -> None:
    builder, tip = repo.task("FEAT-1", "in_progress").clone("builder"), repo.tip()
    done = builder.guard("edit", "FEAT-1", "--from", "-", data=b"- id: FEAT-1\n  title: Easier\n")
    assert (done.code, repo.tip()) == (6, tip)
    assert 'git codifica note FEAT-1 --ask change "why"' in done.said
