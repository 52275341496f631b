"""The manual: short, and true under every policy."""

from typing import Any

import pytest

from codifica_guard.model.ids import Principal
from codifica_guard.policy.globs import scope_globs
from codifica_guard.verbs.manual import BEGIN, END, Place, manual, section
from tests.unit.views import codifica, policy

BUILDER, ALICE, BOB = Principal("agent:builder"), Principal("human:alice"), Principal("human:bob")
ORDINARY = {
    "scope": scope_globs(["src/**", "docs/**"], [".github/**"]),
    "max_concurrent": 1,
    "branch_pattern": "{type}/{id}-{slug}",
}


def place(rules: dict[str, Any] | None = None, **guard: Any) -> Place:
    config = codifica(**(ORDINARY if rules is None else rules))
    return Place(repository="shop", guard=policy(**guard).guard, codifica=config, branch="main", ref="origin/main")


def text(actor: Principal | None = BUILDER, rules: dict[str, Any] | None = None, **guard: Any) -> str:
    return "\n".join(manual(place(rules, **guard), actor))


def test_an_agent_reads_all_that_it_needs() -> None:
    told = text(self_approval="refuse")
    for fact in (
        "agent:builder",
        "shop",
        "work.md on main",
        "Never edit",
        "git codifica ready",
        "git codifica show ID",
        "git codifica claim ID | --next",
        "exit 4: lost, 5: nothing free",
        "git switch --no-track -c build/ID-slug origin/main",
        "work only in: src/** docs/**",
        "never: .codifica/** codifica.json .github/**",
        'git codifica note ID "text"',
        'git codifica note ID --ask block|release|change "why"',
        "stop on that task",
        'git push -u origin HEAD; git codifica submit ID --summary "one line, 120 chars" --artifact PATH:TYPE',
        "a human approves or returns",
        "You may hold 1 task at once.",
        "Commit messages start with the id.",
        "Never --no-verify, never force-push",
        *(f"{code} " for code in range(8)),
    ):
        assert fact in told
    assert "git codifica done" not in told


@pytest.mark.parametrize("approval", ["allow", "warn", "refuse"])
@pytest.mark.parametrize("review", ["human-or-owner", "owner"])
@pytest.mark.parametrize("actor", [BUILDER, ALICE, None])
def test_the_manual_is_short(actor: Principal | None, review: str, approval: str) -> None:
    told = text(actor, review_by=review, self_approval=approval)
    assert len(told) <= 1150
    assert len(told.split()) <= 190
    assert max(map(len, told.split("\n"))) <= 260


@pytest.mark.parametrize(
    ("guard", "said", "unsaid"),
    [
        ({"self_approval": "refuse"}, ["a human approves or returns them."], ["git codifica done", "warns"]),
        ({"self_approval": "warn"}, ["a human approves", "or you close them: git codifica done ID (it warns"], []),
        ({"self_approval": "allow"}, ["or you close them: git codifica done ID."], ["warns"]),
        (
            {"self_approval": "refuse", "review_by": "owner"},
            ["once a human's review is a pass, git codifica done ID."],
            ["a human approves", "warns"],
        ),
        (
            {"self_approval": "warn", "review_by": "owner"},
            ["close them: git codifica done ID (it"],
            ["a human approves"],
        ),
        (
            {"self_approval": "allow", "review_by": "owner"},
            ["close them: git codifica done ID."],
            ["approves", "warns"],
        ),
    ],
)
def test_what_follows_on_a_hand_in_is_what_the_policy_allows(
    guard: dict[str, Any], said: list[str], unsaid: list[str]
) -> None:
    told = text(**guard)
    assert "After submit, build tasks wait: " in told
    assert "Others are done at once." in told
    for words in said:
        assert words in told
    for words in unsaid:
        assert words not in told


def test_custom_types_wait_as_build_does() -> None:
    assert "After submit, build docs art tasks wait" in text(rules={"custom_types": ("docs", "art")})


@pytest.mark.parametrize(
    ("include", "exclude", "words"),
    [
        (["**"], [], "origin/main; never: .codifica/** codifica.json\n"),
        (["**"], ["*.key"], "origin/main; never: .codifica/** codifica.json *.key\n"),
        (["src/**", "!src/x"], [".codifica/**"], "work only in: src/**; never: .codifica/** codifica.json src/x\n"),
        ([], [], "origin/main; change no file there\n"),
    ],
)
def test_where_an_agent_may_work(include: list[str], exclude: list[str], words: str) -> None:
    assert words in text(rules={"scope": scope_globs(include, exclude)})


@pytest.mark.parametrize(("most", "words"), [(None, "any number of tasks"), (1, "1 task at"), (3, "3 tasks at")])
def test_how_many_tasks_an_agent_may_hold(most: int | None, words: str) -> None:
    assert f"You may hold {words}" in text(rules={"max_concurrent": most})


def test_a_branch_is_named_by_the_pattern() -> None:
    assert "git switch --no-track -c agents/ID/build origin/main" in text(
        rules={"branch_pattern": "agents/{id}/{type}"}
    )


def test_several_state_documents_are_all_named_and_many_are_counted() -> None:
    assert "Tasks live in a.md, b.md on main." in text(rules={"state": ["a.md", "b.md"]})
    many = text(rules={"state": [f"{number}.md" for number in range(11)]})
    assert "6.md, 7.md, and 3 more (codifica.json) on main" in many


def test_an_agent_that_may_take_no_task_is_told() -> None:
    assert "allowed_agents" in text(rules={"allowed_agents": (Principal("agent:writer"),)})
    assert "allowed_agents" not in text(rules={"allowed_agents": (BUILDER,)})


def test_what_has_to_be_settled_first_stands_above_the_commands() -> None:
    lines = list(manual(place(), None, ("first, a key",)))
    assert lines[:2] == ["The tasks of shop live in work.md on main.", "first, a key"]
    assert lines[2].startswith("  git codifica ready")
    assert list(manual(place(), BUILDER, ("a key",)))[1] == "a key"


def test_a_person_reads_what_people_do() -> None:
    told = text(ALICE)
    for words in ("human:alice in shop, maintainer.", "git commit -S", "status", "show ID", "approve ID", "return ID -m",
                  "block ID -m", "unblock, reject, reopen, reclaim", "key list", "--no-verify", "Exit: 0 ok"):  # fmt: skip
        assert words in told
    for words in ("git codifica claim", "submit", "src/**", "review_by", "hardware"):
        assert words not in told


def test_a_person_who_is_no_maintainer_gets_no_keys_to_manage() -> None:
    told = text(BOB, review_by="owner", human_presence="hardware-key")
    assert "maintainer" not in told
    assert "key list" not in told
    assert "review_by: owner" in told
    assert "hardware key, touched" in told


def test_a_server_is_told_that_it_acts_on_nothing() -> None:
    assert text(Principal("server:git")) == (
        "You are server:git in shop. A server only keeps records, and may change no task (work.md on main)."
    )


def test_the_section_fits_every_agent() -> None:
    lines = section(codifica(), "trunk")
    told = "\n".join(lines)
    assert (lines[0], lines[-1]) == (BEGIN, END)
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 120
    for words in (
        "work.md on trunk",
        "git codifica prime",
        "ready",
        "claim",
        "--ask",
        "submit",
        "--no-verify",
        "7 try",
    ):
        assert words in told
    assert "agent:" not in told
    assert "human:" not in told
    assert section(codifica(["a.md", "b.md"]), "main")[3].startswith(
        "The tasks of this repository live in a.md, b.md on"
    )


def test_state_patterns_may_take_away() -> None:
    assert "work/*.md, !work/x.md on main" in text(rules={"state": ["work/*.md", "!work/x.md"]})
