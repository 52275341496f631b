"""`fix` with real pushes: what the server tells of a document is mended in the work tree, line by line, and then lets it pass."""

import pytest

from tests.building import Clone, Repo
from tests.building.machine import Done
from tests.building.tasks import block, fields, task

pytestmark = pytest.mark.guard

NOTE = "Wrote it, see:\n\n```yaml\n- id: NOT-A-TASK\n  state: done\n```\n\nand\n\n~~~~\n```\nnested\n```\n~~~~\n"
"""Fences inside a note: indented by four in the document, so they are text."""

BROKEN = "`git status` is clean"


def exits(done: Done, code: int, *texts: str) -> Done:
    assert done.code == code, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
    return done


def noted(ident: str) -> str:
    """A finished task whose note holds fences."""
    plain = task(ident, "done")
    notes = [{**plain["execution_notes"][0], "note": NOTE}]
    return block({**plain, "execution_notes": notes})


def fourteen() -> str:
    """A document of fourteen tasks; a criterion of one of them starts with a backtick."""
    rows = [noted(f"FEAT-{number}") if number % 2 else block(task(f"FEAT-{number}")) for number in range(1, 15)]
    rows[7] = rows[7].replace("    - It works\n", f"    - {BROKEN}\n").replace("    - It works", f"    - {BROKEN}")
    return "# Work\n\nProse.\n\n```yaml\n" + "\n".join(rows) + "```\n\n## Notes\n\nMore prose.\n"


def changed_lines(before: str, after: str) -> list[tuple[str, str]]:
    rows = before.split("\n"), after.split("\n")
    assert len(rows[0]) == len(rows[1])
    return [(old, new) for old, new in zip(*rows, strict=True) if old != new]


def test_one_backtick_among_fourteen_tasks_is_named_and_quoted_and_all_are_read(repo: Repo) -> None:
    broken = fourteen()
    assert BROKEN in broken
    line = next(number for number, text in enumerate(broken.split("\n"), 1) if BROKEN in text)
    column = broken.split("\n")[line - 1].index("`") + 1
    alice = repo.document("work.md", broken.replace(f"- {BROKEN}", "- It is clean")).clone("alice")
    alice.write("work.md", broken).git("add", "work.md")
    exits(alice.guard("check", "--staged"), 1, f"work.md:{line}:{column}", "ST101")
    alice.commit("FEAT-8: criteria").push().refused("ST101", f"work.md:{line}:{column}", "git codifica fix")

    exits(alice.guard("fix"), 0, f"work.md:{line}", "ST101", f'+    - "{BROKEN}"')
    assert changed_lines(broken, alice.read()) == [(f"    - {BROKEN}", f'    - "{BROKEN}"')]
    told = alice.guard("status", "--json", "-q")
    alice.git("commit", "-q", "-a", "--amend", "-S", "--no-edit", "--reset-author")
    alice.push().accepted()
    for number in range(1, 15):
        assert fields(noted("X"))["execution_notes"][0]["note"].strip() == NOTE.strip()
        assert repo.fields(f"FEAT-{number}")["id"] == f"FEAT-{number}"
    assert repo.fields("FEAT-8")["acceptance"][0] == BROKEN
    assert told.code == 0
    answer = exits(alice.guard("log", "--json", "-q"), 0).json
    assert answer["ok"] is True


def finish(clone: Clone, *more: str) -> None:
    """Set one word, as people do."""
    before = clone.read()
    clone.write("work.md", before.replace("state: to_be_tested", "state: done"))
    assert clone.read() != before
    exits(clone.guard("fix", *more), 0, "CD207", "CD209", "to_be_tested -> done by human:alice", "completed_at")


def test_one_word_by_hand_is_completed_and_pushed_without_a_warning(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("alice")
    before = alice.read()
    finish(alice)
    after = alice.read()
    kept = [line for line in before.split("\n") if "state: to_be_tested" not in line]
    rest = iter(after.split("\n"))
    assert all(line in rest for line in kept)
    exits(alice.guard("fix"), 0, "there is nothing to mend")
    assert alice.read() == after
    assert alice.git("diff", "--cached") == ""
    alice.commit("FEAT-1 looks good").push().accepted()
    done = repo.fields("FEAT-1")
    assert done["state_transitions"][-1]["by"] == "human:alice"
    assert done["completed_at"] == done["state_transitions"][-1]["timestamp"]


def test_what_a_commit_left_out_is_recorded_by_the_next(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done").commit("FEAT-1 looks good", when=-3)
    alice.push().accepted(warnings=("CD207", "CD209"))
    bob = repo.clone("bob")
    exits(bob.guard("fix"), 0, "to_be_tested -> done by human:alice", "completed_at")
    entry = bob.fields("FEAT-1")["state_transitions"][-1]
    assert (entry["from"], entry["to"], entry["by"]) == ("to_be_tested", "done", "human:alice")
    assert bob.fields("FEAT-1")["completed_at"] == entry["timestamp"]
    exits(bob.guard("fix"), 0, "there is nothing to mend")
    bob.commit("FEAT-1: record it").push().accepted()
    assert repo.fields("FEAT-1")["state_transitions"][-1]["by"] == "human:alice"
    exits(bob.guard("fix"), 0, "there is nothing to mend")
