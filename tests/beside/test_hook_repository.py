"""This project as a hook repository of pre-commit: the framework installs it from a checkout, and runs it."""

import os
import shutil
from pathlib import Path

import pytest

from tests.beside.conftest import BIN, Place
from tests.building.machine import run

pytestmark = pytest.mark.cold

ROOT = Path(__file__).parents[2]
PARTS = (
    ".pre-commit-hooks.yaml",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "codifica_guard",
    "hooks",
    "schemas",
    "docs",
)
CONFIG = """
default_install_hook_types: [commit-msg, pre-push, post-merge, post-rewrite]
repos:
- repo: {url}
  rev: {rev}
  hooks:
  - id: codifica-guard-commit-msg
  - id: codifica-guard-pre-push
  - id: codifica-guard-post-merge
  - id: codifica-guard-post-rewrite
"""


@pytest.fixture
def checkout(place: Place) -> Path:
    """A repository that holds this working tree as its one commit."""
    folder = place.clone.folder.parent / "codifica-guard"
    folder.mkdir()
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        run(["git", *words], cwd=folder, home=place.clone.home)
    return folder


def test_every_stage_runs_from_the_framework_s_own_environment(place: Place, checkout: Path) -> None:
    clone = place.clone
    rev = run(["git", "rev-parse", "HEAD"], cwd=checkout, home=clone.home).text
    clone.write(".pre-commit-config.yaml", CONFIG.format(url=checkout, rev=rev))
    place.exclude(".pre-commit-config.yaml")
    place.env["PRE_COMMIT_HOME"] = str(clone.home / "pre-commit")
    # pip finds its registry by the caller's own settings
    settings = {name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "UV_")) or name == "HOME"}
    program = BIN / "pre-commit"
    run(
        [program, "install", "--install-hooks"],
        cwd=clone.folder,
        home=clone.home,
        env=place.env | place.path | settings,
    )

    done = place.commit_note()
    assert done.code == 0, done.said
    assert "Codifica-Actor: agent:builder" in place.message()
    clone.claim("FEAT-2", without=["owner"])
    assert "codifica-guard: commit refused, 1 error: CD301" in place.commit("FEAT-2: claim").said
    clone.git("reset", "-q", "--hard")

    assert place.git("push", "-q", "origin", "HEAD:main").code == 0
    clone.close("FEAT-3").commit("FEAT-3: done", proof="none", options=["--no-verify"])
    for target in ("main", "new"):
        done = place.git("push", "-q", "origin", f"HEAD:{target}")
        assert ("this push would be refused, 1 error: ID106" in done.said) == (target == "main"), done.said
        assert (done.code == 0) == (target == "new")
    clone.git("reset", "-q", "--hard", "HEAD~1")

    clone.note("FEAT-1", "More").commit("FEAT-1: note", options=["--no-verify"])
    alice = clone.repo.clone("alice")
    alice.pull().back("FEAT-3", reason="The link is dead").commit("FEAT-3: return").push().accepted(
        perhaps={"CD301", "CD209"}
    )
    done = place.git("pull", "-q", "--rebase")
    assert "codifica-guard: signed again as agent:builder, 1 commit" in done.said
    assert "FEAT-3 went from to_be_tested to todo by human:alice" in done.said
    clone.git("reset", "-q", "--hard", "origin/main")
    alice.edit("FEAT-2", owner="agent:builder").commit("FEAT-2: yours").push().accepted()
    assert "codifica-guard: FEAT-2 is yours now (todo)" in place.git("pull", "-q").said
