"""Names of branches: always one word of any shell, and always a name that Git takes."""

import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.model.document import Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.policy import CodificaConfig, Globs
from codifica_guard.packs.codifica.naming import branch_of, slug

NONE = Globs(patterns=(), include=())


def config(pattern: str = "{type}/{id}-{slug}") -> CodificaConfig:
    return CodificaConfig(
        version="0.2",
        spec=RepoPath(b"spec.md"),
        state=NONE,
        assets=RepoPath(b"assets/"),
        mode="strict",
        allowed_agents=(),
        scope=NONE,
        custom_types=(),
        branch_pattern=pattern,
        max_concurrent=None,
        stale_claim_hours=24,
    )


def task(**fields: Any) -> Task:
    return Task(data={"id": "FEAT-1", "type": "build", "title": "Password reset"} | fields)


@pytest.mark.parametrize(
    ("pattern", "fields", "name"),
    [
        ("{type}/{id}-{slug}", {}, "build/FEAT-1-password-reset"),
        ("{type}/{id}-{slug}", {"title": 'Grüße & "quotes" $(rm -rf /)'}, "build/FEAT-1-gr-e-quotes-rm-rf"),
        ("{type}/{id}-{slug}", {"title": None, "type": None}, "task/FEAT-1-work"),
        ("{type}/{id}-{slug}", {"id": "A..B.lock"}, "build/A.B.lock-password-reset"),
        ("agents/{id}.lock.lock", {}, "agents/FEAT-1"),
        ("/{unknown}//{id}/", {}, "unknown/FEAT-1"),
        ("..", {}, "work"),
        ("{slug}", {"title": "word " * 20}, "word-word-word-word-word-word-word-word"),
        ("{slug}", {"title": "x" * 90}, "x" * 40),
    ],
)
def test_a_branch_is_named_by_the_pattern(pattern: str, fields: dict[str, Any], name: str) -> None:
    assert branch_of(task(**fields), config(pattern)) == name


@given(st.text(max_size=30), st.text(max_size=20), st.text(max_size=20))
def test_every_name_is_plain(pattern: str, ident: str, title: str) -> None:
    name = branch_of(task(id=ident, title=title), config(pattern + "{id}/{slug}"))
    assert name.replace("/", "").replace(".", "").replace("-", "").replace("_", "").isalnum()
    assert name.isascii()
    for part in name.split("/"):
        assert part
        assert not part.startswith((".", "-"))
        assert not part.endswith((".", ".lock"))
        assert ".." not in part


@pytest.mark.parametrize("ident", ["A..B", "x.lock", "-x", "a.", "@{", "HEAD"])
def test_git_takes_the_names(ident: str) -> None:
    name = branch_of(task(id=ident), config())
    subprocess.run(["git", "check-ref-format", f"refs/heads/{name}"], check=True)


def test_a_title_without_a_letter_is_called_work() -> None:
    assert slug("***") == "work"
