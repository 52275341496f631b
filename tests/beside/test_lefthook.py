"""Beside lefthook, the real one: it writes `.git/hooks`, and moves a hook that was there to `NAME.old`, uncalled."""

import pytest

from tests.beside.conftest import Place

pytestmark = pytest.mark.cold

CONFIG = """
commit-msg:
  commands:
    one: {run: echo commit >>.git/theirs}
pre-push:
  commands:
    two: {run: "sed 's/ .*//; s/^/push /' >>.git/theirs", use_stdin: true}
"""
RAN = {"commit": ["commit"], "push": ["push HEAD"]}


@pytest.fixture
def at_work(place: Place) -> Place:
    place.clone.write("lefthook.yml", CONFIG)
    place.exclude("lefthook.yml")
    place.env["LEFTHOOK_QUIET"] = "meta,summary,execution_info"
    return place


@pytest.mark.parametrize("first", ["lefthook", "guard"])
def test_both_run_whichever_came_first_and_each_goes_without_the_other(at_work: Place, first: str) -> None:
    if first == "guard":
        at_work.guard("install")
    at_work.tool("lefthook", "install")
    if first == "guard":
        told = at_work.clone.guard("doctor")
        assert told.code == 1
        assert "hooks/commit-msg is lefthook, ours was moved aside to hooks/commit-msg.old" in told.said
    at_work.guard("install")
    at_work.works(**RAN)
    at_work.tool("lefthook", "install")  # as every set-up script does; it puts ours aside
    at_work.guard("install")
    at_work.works(**RAN)
    assert at_work.guard("doctor").said.count(" is ours") >= 5
    if first == "guard":
        at_work.guard("uninstall")
        at_work.works_without_us(**RAN)
        at_work.tool("lefthook", "install")  # nothing of ours is in its way
    else:
        at_work.tool("lefthook", "uninstall")
        at_work.works(commit=[], push=[])
