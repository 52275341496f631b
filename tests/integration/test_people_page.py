"""docs/people.md: the verbs that it shows do what it says, in the order in which it shows them."""

import re
import shlex
from pathlib import Path

import pytest

from tests.building import Repo
from tests.building.board import document, fence
from tests.building.machine import environment
from tests.building.tasks import block, task
from tests.unit.cli_a.terminals import at_terminal

pytestmark = pytest.mark.guard

PAGE = Path(__file__).parents[2] / "docs" / "people.md"


def told(repo: Repo) -> Repo:
    """The tasks that the page tells of, and the places for finished ones."""
    states = {
        "FEAT-101": "done", "FEAT-102": "done", "FEAT-103": "todo", "FEAT-104": "to_be_tested",
        "FEAT-105": "to_be_tested", "FEAT-109": "todo",
    }  # fmt: skip
    blocks = [block(task(name, state)) for name, state in states.items()]
    work = document(fence(*blocks, block(task("FEAT-107", "in_progress", "agent:writer"))))
    repo.settings(state=["work.md", "archive.md"])
    repo.document("work.md", work.replace("## Notes\n", "## Done\n\n```yaml\n```\n\n## Notes\n"))
    return repo.document("archive.md", document(fence(block(task("OLD-1", "done")))))


def test_the_verbs_of_the_page_work_as_they_stand_there(repo: Repo) -> None:
    alice = told(repo).clone("alice")
    alice.write("new.yaml", block(task("FEAT-103", description="more")))
    alice.write("bob.pub", f"{repo.keys.line('dave')}\n")
    quiet = {**environment(alice.home), "GIT_EDITOR": "true"}
    key = " ".join(repo.keys.line("carol").split()[:2])
    text = PAGE.read_text().replace("ssh-ed25519 AAAA...", key).replace("human:bob", "human:carol")
    blocks = re.findall(r"^```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for found in blocks for line in found.splitlines() if line.startswith("git codifica ")]
    assert len(lines) > 10
    for line in lines:
        words = shlex.split(line)[2:]
        if words == ["edit", "FEAT-103"]:
            assert at_terminal(words, [], folder=alice.folder, environ=quiet).code == 0
            continue
        # The page tells of one key or the other; here both are there once it comes to the second line.
        more = {"key": ["--yes"], "key revoke": ["--yes", "--all"]}
        done = alice.guard(*words, *more.get(" ".join(words[:2]), more.get(words[0], [])))
        assert done.code == 0, f"{line}\n{done.said}"
    assert repo.fields("FEAT-103")["description"] == "more"
    assert {repo.fields(name, "archive.md")["state"] for name in ("FEAT-101", "FEAT-102")} == {"done"}
    states = {name: repo.fields(name)["state"] for name in ("FEAT-104", "FEAT-105", "FEAT-107", "FEAT-109", "FEAT-110")}
    assert states == {
        "FEAT-104": "todo",
        "FEAT-105": "todo",
        "FEAT-107": "todo",
        "FEAT-109": "rejected",
        "FEAT-110": "todo",
    }


@pytest.mark.parametrize("code", sorted(set(re.findall(r"\b[A-Z]{2}\d{3}\b", PAGE.read_text()))))
def test_the_rules_of_the_page_are_there(code: str) -> None:
    assert (PAGE.parent / "rules" / f"{code}.md").is_file()
