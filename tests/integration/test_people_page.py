"""docs/people.md: the verbs that it shows do what it says, in the order in which it shows them."""

import re
import shlex
from pathlib import Path

import pytest

from tests.building import Repo

pytestmark = pytest.mark.guard

PAGE = Path(__file__).parents[2] / "docs" / "people.md"


def test_the_verbs_of_the_page_work_as_they_stand_there(repo: Repo) -> None:
    repo.task("FEAT-104", "to_be_tested").task("FEAT-105", "to_be_tested").task("FEAT-103").task("FEAT-109")
    alice = repo.task("FEAT-107", "in_progress", "agent:writer").clone("alice")
    key = " ".join(repo.keys.line("carol").split()[:2])
    text = PAGE.read_text().replace("ssh-ed25519 AAAA...", key).replace("human:bob", "human:carol")
    blocks = re.findall(r"^```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for found in blocks for line in found.splitlines() if line.startswith("git codifica ")]
    assert len(lines) > 10
    for line in lines:
        words = shlex.split(line)[2:]
        done = alice.guard(*words, *(["--yes"] if words[0] == "key" else []))
        assert done.code == 0, f"{line}\n{done.said}"
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
