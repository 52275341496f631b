"""CD408: an agent's new branch is named after its task; and what `branch_pattern` means."""

import time
from typing import Final

import pytest

from codifica_guard.model.ids import Principal, RefName
from codifica_guard.packs.codifica import cd408
from codifica_guard.packs.codifica.naming import branch_of, fits
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.snapshot import EMPTY, Snapshot
from codifica_guard.rules.view import RefView
from tests.unit.packs_codifica.cases import block, documents, running
from tests.unit.policy.test_policy_load import CODIFICA, load
from tests.unit.views import ALICE, BUILDER, codifica, policy, ref_view, snapshot

USUAL: Final = "{type}/{id}-{slug}"
TASKS: Final = snapshot(
    documents(
        (
            running("FEAT-1", title="Login form"),
            block("FEAT-10", type="test"),
            block("BUG", type="followup"),
            block("BUG-7", type="investigate"),
            block("WEB-2", type="page", owner=BUILDER),
            block("ODD-1", title=...) + "  title: `a`\n",
            block('"FEAT 2"'),
        )
    )
)
MEANING: Final = (
    # the usual pattern
    (USUAL, "build/FEAT-1-login-form", True),
    (USUAL, "build/FEAT-1-x", True),
    (USUAL, "build/FEAT-1-Login.Form_2", True),
    (USUAL, "build/FEAT-1-étage", True),
    (USUAL, "build/FEAT-1-@{u}", True),
    (USUAL, "test/FEAT-10-x", True),
    (USUAL, "build/FEAT-10-x", False),
    (USUAL, "test/FEAT-1-x", False),
    (USUAL, "build/FEAT-1", False),
    (USUAL, "build/FEAT-1-x/y", False),
    (USUAL, "x/build/FEAT-1-x", False),
    (USUAL, "build/feat-1-x", False),
    (USUAL, "Build/FEAT-1-x", False),
    (USUAL, "build/FEAT-3-x", False),
    (USUAL, "build/x-FEAT-1", False),
    (USUAL, "build/XFEAT-1-x", False),
    (USUAL, "my-branch", False),
    (USUAL, "", False),
    # an id within another one
    (USUAL, "followup/BUG-8", True),
    (USUAL, "investigate/BUG-7-x", True),
    (USUAL, "followup/BUG-7-x", True),
    # types of one's own, tasks that cannot be read, ids of another form
    (USUAL, "page/WEB-2-x", True),
    (USUAL, "build/WEB-2-x", False),
    (USUAL, "review/ODD-1-x", True),
    (USUAL, "page/ODD-1-x", True),
    (USUAL, "other/ODD-1-x", False),
    (USUAL, "build/FEAT-2-x", True),
    # other patterns
    ("{id}", "FEAT-1", True),
    ("{id}", "FEAT-12", False),
    ("agents/{id}/{slug}", "agents/FEAT-1/x", True),
    ("agents/{id}/{slug}", "agents/FEAT-1/", False),
    ("{id}/{id}", "FEAT-1/FEAT-1", True),
    ("{id}/{id}", "FEAT-1/FEAT-10", False),
    ("agents/{slug}", "agents/anything", True),
    ("agents/{slug}", "agents/any/thing", False),
    ("{type}/{slug}", "investigate/x", True),
    ("{type}/{slug}", "page/x", True),
    ("{type}/{slug}", "feature/x", False),
    ("work", "work", True),
    ("work", "works", False),
    # globs around the placeholders
    ("agents/**", "agents/a/b", True),
    ("agents/**", "agents", False),
    ("agents/**", "agents/.a/b", True),
    ("*/{id}-{slug}", "anybody/FEAT-1-x", True),
    ("*/{id}-{slug}", "any/body/FEAT-1-x", False),
    ("**/{id}-{slug}", "any/body/FEAT-1-x", True),
    ("{feat,fix}/{id}", "fix/FEAT-1", True),
    ("{feat,fix}/{id}", "chore/FEAT-1", False),
    ("@(feat|fix)/{id}", "feat/FEAT-1", True),
    ("[a-c]/{id}", "b/FEAT-1", True),
    ("!main", "other", True),
    ("!main", "main", False),
    ("./{id}", "FEAT-1", True),
    # a placeholder that nobody fills in, a sign that the verbs write otherwise
    ("{user}/{id}", "{user}/FEAT-1", True),
    ("{user}/{id}", "user/FEAT-1", True),
    ("{user}/{id}", "other/FEAT-1", False),
    ("wip+{id}", "wip+FEAT-1", True),
    ("wip+{id}", "wip-FEAT-1", True),
    # a pattern that cannot be taken
    ("@({id}/a)", "FEAT-1", True),
)


@pytest.mark.parametrize(("pattern", "name", "expected"), MEANING)
def test_a_pattern_means_what_the_table_says(pattern: str, name: str, *, expected: bool) -> None:
    config = codifica(branch_pattern=pattern, custom_types=("page",))
    assert fits(name, (EMPTY, TASKS), config) is expected


@pytest.mark.parametrize(
    "pattern", [USUAL, "{id}", "a b+{id}/{slug}", "{user}/{id}", "*/{id}/x", "{type}", "x/{slug}.lock"]
)
def test_what_the_verbs_propose_always_fits(pattern: str) -> None:
    config = codifica(branch_pattern=pattern, custom_types=("page",))
    for records in TASKS.records.values():
        task = records[0].task()
        if task is not None and ("{id}" in pattern or "{" not in pattern):
            assert fits(branch_of(task, config), (TASKS,), config)


def test_tasks_of_either_state_count() -> None:
    other = snapshot(documents(block("NEW-1")))
    for states in ((other, TASKS), (TASKS, other)):
        assert fits("build/NEW-1-x", states, codifica())
        assert fits("build/FEAT-1-x", states, codifica())
    assert not fits("build/NEW-1-x", (TASKS,), codifica())
    assert not fits("build/NEW-1-x", (), codifica())


@pytest.mark.parametrize(
    ("pattern", "name"),
    [("{slug}" * 40, "-" * 200), ("{id}" + "-{slug}" * 30, "F" + "-" * 250), (USUAL, "build/F-" + "F" * 248)],
)
def test_no_name_and_no_tasks_keep_the_judge_busy(pattern: str, name: str) -> None:
    many = snapshot(documents(tuple(block("F" * n) for n in range(1, 65))))
    before = time.process_time()
    fits(name, (many,), codifica(branch_pattern=pattern))
    assert not fits("build/FEAT-1-" + "x" * 4000, (TASKS,), codifica(branch_pattern=pattern))
    assert time.process_time() - before < 5


# -- the rule


def born(
    name: str = "my-branch",
    *,
    maker: Principal | None = BUILDER,
    pattern: str = USUAL,
    states: tuple[Snapshot, ...] = (TASKS,),
    **fields: object,
) -> list[Breach]:
    """What CD408 says of a branch that an agent's commits bring."""
    under = policy(config=codifica(branch_pattern=pattern))
    more = {"coordination": False, "judged": False, "old": None, "created": True, "policy": under, **fields}
    view: RefView = ref_view(f"refs/heads/{name}", maker=lambda: maker, states=lambda: states, **more)
    return list(cd408.check(view))


def test_an_agents_branch_of_another_name_is_refused_with_the_right_one() -> None:
    (breach,) = born()
    assert (
        breach.found
        == "refs/heads/my-branch is new, brings commits of agent:builder, and does not fit {type}/{id}-{slug}"
    )
    assert breach.do == ("git branch -m build/FEAT-1-login-form", "git push -u origin build/FEAT-1-login-form")


def test_the_task_that_the_name_tells_comes_first() -> None:
    (breach,) = born("wip/FEAT-10")
    assert breach.do[0] == "git branch -m test/FEAT-10-login-form"


def test_without_any_task_the_message_says_where_the_name_comes_from() -> None:
    (breach,) = born(states=())
    assert "git codifica claim" in breach.do[0]


def test_whose_branch_it_is_and_what_becomes_of_it_decides() -> None:
    assert born("build/FEAT-1-x") == []
    for fields in (
        {"created": False},
        {"judged": True},
        {"new": None},
        {"ref": RefName(b"refs/tags/v1")},
        {"policy": None},
    ):
        assert born(**fields) == []
    assert born(policy=policy(without_codifica=True)) == []
    for maker in (ALICE, None):
        assert born(maker=maker) == []


# -- the settings


@pytest.mark.parametrize(
    ("pattern", "warnings"),
    [
        (USUAL, 0), ("agents/**", 0), ("{a,b}/{id}", 0), ("v{1..3}/{id}", 0), ("{task-id}", 1), ("{user}/{id}", 1), ("refs/heads/{id}", 1), ("@(a|", 1), ("@({id}/a)", 1),
    ],
)  # fmt: skip
def test_a_pattern_that_is_hardly_meant_warns(pattern: str, warnings: int) -> None:
    found = load(codifica={**CODIFICA, "rules": {"branch_pattern": pattern}})
    assert found.codifica is not None
    assert len([w for w in found.codifica.warnings if "branch_pattern" in w]) == warnings
