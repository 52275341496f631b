"""A faulty task, or document, stops nobody from taking another, and is never taken for nothing."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.building import Clone, Repo

FUTURE = {"from": "new", "to": "todo", "by": "human:alice", "timestamp": "2099-01-01T00:00:00Z"}
FAULTS: dict[str, dict[str, Any]] = {
    "no-origin": {"type": "followup"},
    "from-the-future": {"state_transitions": [FUTURE]},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_task_that_breaks_a_rule_is_passed_over(repo: Repo, fault: str) -> None:
    repo.task("FEAT-1", priority="critical", **FAULTS[fault]).task("FEAT-2")
    builder = repo.clone("builder")
    alone = builder.guard("claim", "FEAT-1")
    if alone.code == 0:
        pytest.fail("the task can be claimed, so it is no example of a fault")
    done = builder.guard("claim", "--next")
    assert done.code == 0, done.said
    assert "claimed FEAT-2" in done.text
    assert "passed over, it breaks a rule as it stands: FEAT-1 (CD" in done.said


def test_where_only_faulty_tasks_are_free_they_are_named(repo: Repo) -> None:
    builder = repo.task("FEAT-1", type="followup").clone("builder")
    done = builder.guard("claim", "--next")
    assert done.code == 5, done.said
    assert "passed over: FEAT-1 (CD107)" in done.text


@pytest.mark.parametrize("name", ["state_transitions", "execution_notes", "artifacts"])
def test_a_list_that_is_none_is_told_and_not_claimed(repo: Repo, name: str) -> None:
    builder = repo.task("FEAT-1", priority="critical").task("FEAT-2").clone("builder")
    _damage(repo.clone("alice"), f"  {name}: []", f"  {name}: none yet")
    done = builder.guard("claim", "FEAT-1")
    assert done.code == 1, done.said
    assert f"{name} is no list" in done.text
    assert "claimed FEAT-2" in builder.guard("claim", "--next").text


def test_a_list_that_went_wrong_while_it_was_held_is_a_finding(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    _damage(repo.clone("alice"), "  artifacts: []", "  artifacts: none yet")
    done = builder.guard("submit", "FEAT-1", "--summary", "it works", "--artifact", "src/app.py:code", "--json")
    assert done.code == 1, done.said
    assert [(f["code"], f["task"], f["path"]) for f in done.json["findings"]] == [("CD101", "FEAT-1", "work.md")]


@pytest.mark.parametrize("tail", ["  # all of it", "\n  # below", ""])
def test_a_list_in_brackets_with_a_comment_is_appended_to(repo: Repo, tail: str) -> None:
    entry = "[{from: new, to: todo, by: 'human:alice', timestamp: 2026-01-01T00:00:00Z}]"
    builder = repo.task("FEAT-1").clone("builder")
    _damage(repo.clone("alice"), "  state_transitions: []", f"  state_transitions: {entry}{tail}")
    done = builder.guard("claim", "FEAT-1")
    assert done.code == 0, done.said
    text = repo.on_server("show", "main:work.md")
    assert f"state_transitions: {entry[:-1]}, {{from: todo" in text
    assert tail in text


@pytest.mark.parametrize("words", [["claim", "--next"], ["claim", "FEAT-9"], ["ready"], ["show", "FEAT-9"]])
def test_what_a_document_that_cannot_be_read_holds_cannot_be_told(repo: Repo, words: list[str]) -> None:
    repo.document("work.md", "# Work\n\n```yaml\n- id: FEAT-1\n  type: build\n")
    done = repo.clone("builder").guard(*words)
    assert done.code == 3, done.said
    assert "ST104 work.md:3" in done.said


def test_a_key_that_is_quoted_is_shown_by_no_command(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    text = Path(repo.keys.private("builder")).read_text()
    for value in (f'"{text.strip()}"', f"KEY={text}", text.replace("\n", "\\n"), "".join(text.splitlines()[1:-1])):
        for words in (["ready"], ["status"], ["show", "FEAT-1"], ["whoami"], ["prime"], ["claim", "FEAT-1"]):
            for more in ([], ["--json"]):
                said = builder.guard(*words, *more, env={"CODIFICA_SIGNING_KEY": value}).said
                assert text.splitlines()[2][:20] not in said, words


def _damage(alice: Clone, old: str, new: str) -> None:
    """Write the first such line of the document otherwise, past every hook and the server's judge."""
    text = alice.fresh().read()
    assert old in text
    alice.write("work.md", text.replace(old, new, 1)).commit("by hand", proof="git")
    alice.git(
        "push",
        "-q",
        "--no-verify",
        "--receive-pack=git -c core.hooksPath=/dev/null receive-pack",
        "origin",
        "HEAD:main",
    )


@pytest.mark.parametrize("form", ["file", "text"])
def test_an_encrypted_key_and_nobody_to_ask_is_a_question_without_terminal(
    repo: Repo, tmp_path: Path, form: str
) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", key], check=True)
    builder = repo.task("FEAT-1").clone("builder")
    value = str(key) if form == "file" else key.read_text()
    done = builder.guard("claim", "FEAT-1", env={"CODIFICA_SIGNING_KEY": value})
    assert done.code == 2, done.said
    assert "encrypted" in done.said
