"""Beside pre-commit, the real one: it writes `.git/hooks`, and calls a hook that was there as `NAME.legacy`."""

import pytest

from tests.beside.conftest import Place

pytestmark = pytest.mark.cold

CONFIG = """
default_install_hook_types: [commit-msg, pre-push, post-rewrite]
default_stages: [manual]
repos:
- repo: local
  hooks:
  - {id: one, name: one, language: system, stages: [commit-msg], entry: sh -c 'echo commit >>.git/theirs' --}
  - {id: two, name: two, language: system, stages: [pre-push], always_run: true, pass_filenames: false, entry: sh -c 'echo push >>.git/theirs'}
"""
RAN = {"commit": ["commit"], "push": ["push"]}


@pytest.fixture
def at_work(place: Place) -> Place:
    place.clone.write(".pre-commit-config.yaml", CONFIG)
    place.exclude(".pre-commit-config.yaml")
    place.env["PRE_COMMIT_HOME"] = str(place.clone.home / "pre-commit")
    return place


@pytest.mark.parametrize("first", ["pre-commit", "guard"])
def test_both_run_whichever_came_first_and_each_goes_without_the_other(at_work: Place, first: str) -> None:
    if first == "guard":
        at_work.guard("install")
        at_work.tool("pre-commit", "install")
    else:
        at_work.tool("pre-commit", "install")
        at_work.guard("install")
    at_work.works(**RAN)
    at_work.tool("pre-commit", "install")  # as every set-up script does
    at_work.guard("install")
    at_work.works(**RAN)
    assert "commit-msg.legacy is ours" in at_work.guard("doctor").said
    if first == "guard":
        at_work.guard("uninstall")
        at_work.works_without_us(**RAN)
    else:
        at_work.tool("pre-commit", "uninstall")
        at_work.works(commit=[], push=[])


def test_a_rebase_is_looked_at_though_pre_commit_keeps_the_input(at_work: Place) -> None:
    at_work.tool("pre-commit", "install")
    at_work.guard("install")
    at_work.clone.note("FEAT-1").commit("FEAT-1: note", options=["--no-verify"])
    at_work.clone.repo.clone("writer").claim("FEAT-2").commit("FEAT-2: claim").push().accepted()
    done = at_work.git("pull", "-q", "--rebase")
    assert "codifica-guard: signed again as agent:builder, 1 commit" in done.said
    at_work.clone.push().accepted()
