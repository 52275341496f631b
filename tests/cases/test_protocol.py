"""What agents and people do to tasks, by real pushes: each refusal beside the nearest push that passes."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.building import Clone, Repo, at
from tests.building.repo import NAMESPACES, as_json
from tests.building.tasks import note, review

Act = Callable[[Clone], object]


# -- 25 and 26: races


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_case_25_the_loser_who_merges_is_refused_whichever_side_it_takes_and_the_next_task_is_free(
    repo: Repo, side: str
) -> None:
    repo.task("FEAT-1").task("FEAT-2", priority="high").task("FEAT-3", depends_on=["FEAT-1"])
    builder, writer = repo.clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim")
    builder.claim("FEAT-1", session="s-3").commit("FEAT-1: claim").push().accepted()
    won = builder.head()
    push = writer.pull("-X", side).push()
    push.refused("CD303", "FEAT-1", "agent:writer", "agent:builder holds it since", won[:7], "FEAT-2 (high)")
    assert not push.guarded or "FEAT-3" not in push.said
    assert repo.fields("FEAT-1")["owner"] == "agent:builder"
    writer.fresh().claim("FEAT-2").commit("FEAT-2: claim").push().accepted()


def test_case_26_a_twin_whose_claim_vanishes_in_a_rebase_has_no_token_that_counts(repo: Repo) -> None:
    first, twin = repo.task("FEAT-1").clone("builder"), repo.clone("builder", "twin")
    when = at()
    for clone, token in ((first, "one"), (twin, "two")):
        clone.claim("FEAT-1", when=when, session="s-1", writer=repo.keys.line(token))
        clone.commit("FEAT-1: claim", proof="trailers", tokens=[token])
    first.push().accepted()
    twin.fetch().git("rebase", "-q", "-X", "ours", "origin/main")
    assert twin.head() == twin.head("origin/main"), "nothing is left of the twin's claim"
    twin.note("FEAT-1").commit("FEAT-1: note", tokens=["two"]).push().refused("ID107", "FEAT-1", "agent:builder")
    first.note("FEAT-1").commit("FEAT-1: note", tokens=["one"]).push().accepted()


# -- 27: claims that are not whole, or more than one


def test_case_27_a_claim_in_two_commits_is_refused_and_the_same_in_one_is_not(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").edit("FEAT-1", owner="agent:builder").commit("FEAT-1: mine")
    builder.claim("FEAT-1", without={"owner"}).commit("FEAT-1: start").push().refused({"CD301", "CD404"}, "FEAT-1")
    builder.git("reset", "-q", "--soft", "origin/main")
    builder.commit("FEAT-1: claim").push().accepted()


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (at(-1).rstrip("Z"), "offset"),
        (at(30), "ahead of"),
        ("2026-13-45T07:12:00Z", "2026-13-45T07:12:00Z"),
        ("2026-11-30T24:61:00Z", "2026-11-30T24:61:00Z"),
        ("", ""),
    ],
    ids=["naive", "future", "impossible day", "impossible hour", "empty"],
)
@pytest.mark.parametrize("place", ["claimed_at", "timestamp"])
def test_case_27_a_claim_at_a_time_that_is_none_is_refused(repo: Repo, place: str, when: str, words: str) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1")
    if place == "claimed_at":
        builder.edit("FEAT-1", claimed_at=when)
    else:
        rows = builder.fields("FEAT-1")["state_transitions"]
        builder.edit("FEAT-1", state_transitions=[*rows[:-1], {**rows[-1], "timestamp": when}])
    builder.commit("FEAT-1: claim").push().refused({"CD108"} if when else {"CD108", "CD301", "CD101"}, words, "FEAT-1")
    builder.fresh().claim("FEAT-1", when=at(3)).commit("FEAT-1: claim").push().accepted()


@pytest.mark.parametrize(
    "more",
    [
        lambda clone: clone.write("src/login.py", "x = 1\n"),
        lambda clone: clone.note("FEAT-2"),
        lambda clone: clone.claim("FEAT-3"),
        lambda clone: clone.add("FEAT-9"),
        lambda clone: clone.note("FEAT-1"),
    ],
    ids=["code", "a note elsewhere", "another claim", "a new task", "a note in it"],
)
def test_case_27_a_claim_with_anything_beside_it_is_refused_and_in_commits_of_their_own_it_passes(
    repo: Repo, more: Act
) -> None:
    repo.task("FEAT-1").task("FEAT-2", "in_progress").task("FEAT-3")
    builder = repo.clone("builder").claim("FEAT-1")
    more(builder)
    builder.commit("FEAT-1 FEAT-2 FEAT-3 FEAT-9: claim and more").push().refused("CD302", "FEAT-1")
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim")
    more(builder)
    builder.commit("FEAT-1 FEAT-2 FEAT-3 FEAT-9: more").push().accepted()


# -- 28: zombies (see the attacks too)


@pytest.mark.parametrize("act", ["note", "finish"])
def test_case_28_a_zombie_that_merges_clean_is_refused_and_its_heir_is_not(repo: Repo, act: str) -> None:
    past = [note("agent:builder", "Read the old code", when=at(-175))]
    repo.task("FEAT-0").task("FEAT-1", "in_progress", writer="old", type="test", execution_notes=past).task("FEAT-2")
    zombie, alice, heir = repo.clone("builder"), repo.clone("alice"), repo.clone("builder", "heir")
    if act == "note":
        zombie.note("FEAT-1").commit("FEAT-1: note", tokens=["old"])
    else:
        zombie.hand_in("FEAT-1", target="done").commit("FEAT-1: done", tokens=["old"])
    alice.reclaim("FEAT-1").commit("FEAT-1: reclaim").push().accepted(perhaps={"CD310"})
    heir.fresh().claim("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: claim", tokens=["new"])
    heir.push().accepted()
    options = () if act == "note" else ("-X", "ours")
    assert zombie.try_git("pull", "-q", "--no-edit", *options).code == 0
    zombie.push().refused("ID107", "FEAT-1")
    heir.note("FEAT-1").commit("FEAT-1: note", tokens=["new"]).push().accepted()


# -- 29: what only the result of a merge breaks


def both(repo: Repo, one: tuple[str, Act, str], other: tuple[str, Act, str]) -> Clone:
    """Two legal commits on two clones; the first is pushed, and the second one's clone has merged it."""
    (first, act, message), (second, later, word) = one, other
    here, there = repo.clone(first), repo.clone(second)
    act(here)
    later(there)
    here.commit(message).push().accepted()
    return there.commit(word).pull()


def test_case_29_two_agents_within_their_limits_merge(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").task("FEAT-2").task("FEAT-3")
    one = ("builder", lambda c: c.claim("FEAT-1"), "FEAT-1: claim")
    other = ("writer", lambda c: c.claim("FEAT-3"), "FEAT-3: claim")
    both(repo, one, other).push().accepted()


def test_case_29_a_limit_that_two_sessions_pass_together(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").task("FEAT-2").task("FEAT-3")
    here, there = repo.clone("builder"), repo.clone("builder", "twin")
    here.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    there.claim("FEAT-3").commit("FEAT-3: claim").pull().push().refused("CD504", "CD305", "agent:builder")


def test_case_29_a_circle_that_only_the_merge_has(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3")
    bob = both(
        repo,
        ("alice", lambda c: c.edit("FEAT-1", depends_on=["FEAT-3"]), "FEAT-1: needs FEAT-3"),
        ("bob", lambda c: c.edit("FEAT-3", depends_on=["FEAT-1"]), "FEAT-3: needs FEAT-1"),
    )
    bob.push().refused("CD504", "CD308", "FEAT-1 -> FEAT-3")


def test_case_29_a_chain_that_both_sides_made_is_no_circle(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").task("FEAT-4").task("FEAT-5")
    both(
        repo,
        ("alice", lambda c: c.edit("FEAT-1", depends_on=["FEAT-3"]), "FEAT-1: needs FEAT-3"),
        ("bob", lambda c: c.edit("FEAT-3", depends_on=["FEAT-5"]), "FEAT-3: needs FEAT-5"),
    ).push().accepted()


def test_case_29_a_dependency_that_the_other_side_took_away(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").task("FEAT-4")
    bob = both(
        repo,
        ("alice", lambda c: c.drop("FEAT-4"), "FEAT-4: not needed"),
        ("bob", lambda c: c.edit("FEAT-1", depends_on=["FEAT-4"]), "FEAT-1: needs FEAT-4"),
    )
    bob.push().refused("CD504", "CD306", "FEAT-4")


def test_case_29_a_dependency_that_the_other_side_reopened_warns_the_one_who_runs(repo: Repo) -> None:
    repo.task("FEAT-1", depends_on=["FEAT-3"]).task("FEAT-2").task("FEAT-3", "done")
    builder = both(
        repo,
        ("alice", lambda c: c.back("FEAT-3"), "FEAT-3: reopen"),
        ("builder", lambda c: c.claim("FEAT-1"), "FEAT-1: claim"),
    )
    builder.push().accepted(perhaps={"CD311"})


def test_case_29_an_id_that_both_sides_added_in_two_documents(repo: Repo) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").task("FEAT-2", document="work/b.md")
    bob = both(
        repo,
        ("alice", lambda c: c.add("FEAT-9", path="work/a.md"), "FEAT-9: new"),
        ("bob", lambda c: c.add("FEAT-9", path="work/b.md"), "FEAT-9: new"),
    )
    bob.push().refused({"CD504", "CD503"}, "FEAT-9")


def test_case_29_an_id_that_differs_by_case_from_one_of_the_other_side(repo: Repo) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").task("FEAT-2", document="work/b.md")
    bob = both(
        repo,
        ("alice", lambda c: c.add("FEAT-9", path="work/a.md"), "FEAT-9: new"),
        ("bob", lambda c: c.add("feat-9", path="work/b.md"), "feat-9: new"),
    )
    bob.push().refused("CD504", "CD103", "feat-9")


# -- 30: acceptance criteria


@pytest.mark.parametrize(
    "criteria",
    [["It works"], ["It works", "It is tested quickly"], ["It is tested", "It works"], [], None, ["It works", "It is tested", "And more"]],
    ids=["one dropped", "one reworded", "another order", "none left", "the field gone", "one added"],
)  # fmt: skip
@pytest.mark.parametrize("together", ["alone", "with a hand-in"])
def test_case_30_criteria_are_the_humans_after_a_claim(repo: Repo, criteria: list[str] | None, together: str) -> None:
    builder, alice = repo.task("FEAT-1").task("FEAT-2").clone("builder"), repo.clone("alice")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    if together == "alone":
        builder.edit("FEAT-1", acceptance=criteria)
    else:
        builder.hand_in("FEAT-1", acceptance=criteria)
    builder.commit("FEAT-1: easier").push().refused(
        "CD403", "FEAT-1", "acceptance", "git codifica note FEAT-1 --ask change"
    )
    alice.fresh().edit("FEAT-1", acceptance=criteria).commit("FEAT-1: criteria").push().accepted(perhaps={"CD106"})


# -- 31: an agent in a human's place


HUMAN_ACTS: dict[str, tuple[str, str, str, Act]] = {
    "by: human": ("to_be_tested", "build", "CD207", lambda c: c.close("FEAT-1", by="human")),
    "by: human:alice": ("to_be_tested", "build", "CD207", lambda c: c.close("FEAT-1", by="human:alice")),
    "a review": ("to_be_tested", "build", "CD401", lambda c: c.edit("FEAT-1", human_review=review("pass", "human:alice"))),
    "a review of its own": ("to_be_tested", "build", "CD401", lambda c: c.edit("FEAT-1", human_review=review("pass", c.principal))),
    "a review with the approval": ("to_be_tested", "build", "CD401", lambda c: c.approve("FEAT-1")),
    "blocks": ("in_progress", "build", "CD202", lambda c: c.block("FEAT-1")),
    "unblocks": ("blocked", "build", "CD202", lambda c: c.unblock("FEAT-1")),
    "rejects": ("in_progress", "build", "CD202", lambda c: c.reject("FEAT-1")),
    "reopens": ("done", "build", "CD202", lambda c: c.back("FEAT-1")),
    "reopens what was rejected": ("rejected", "build", "CD202", lambda c: c.back("FEAT-1")),
    "closes a review task": ("to_be_tested", "review", "CD211", lambda c: c.close("FEAT-1")),
}  # fmt: skip


@pytest.mark.parametrize("act", HUMAN_ACTS)
@pytest.mark.parametrize("proof", ["git", "trailers"])
def test_case_31_an_agent_is_refused_what_a_human_does_without_a_word(repo: Repo, act: str, proof: str) -> None:
    state, kind, code, do = HUMAN_ACTS[act]
    builder, alice = repo.task("FEAT-1", state, type=kind).clone("builder"), repo.clone("alice")
    do(builder)
    builder.commit("FEAT-1: step", proof=proof).push().refused(code, "FEAT-1", "agent:builder")  # type: ignore[arg-type]
    do(alice)
    alice.commit("FEAT-1: step").push().accepted()


# -- 32: an agent that changes the rules and uses them


def _settings(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Act:
    def act(clone: Clone) -> object:
        settings = json.loads(clone.read("codifica.json"))
        return clone.write("codifica.json", as_json({**settings, **change(settings)}))

    return act


def _rules(**rules: Any) -> Act:
    return _settings(lambda settings: {"rules": {**settings["rules"], **rules}})


def _named(state: str | list[str]) -> Act:
    return _settings(lambda _: {"state": state})


def _state(clone: Clone) -> object:
    clone.write("mine.md", clone.read())
    return _named("mine.md")(clone)


def _key(clone: Clone) -> object:
    line = f"human:mallory {NAMESPACES} {clone.repo.keys.line('mallory')}\n"
    return clone.write(".codifica/allowed_signers", clone.read(".codifica/allowed_signers") + line)


def _maintainer(clone: Clone) -> object:
    return clone.write(
        ".codifica/guard.json",
        str(clone.repo.trust_files(maintainers=["human:alice", "human:bob"])[".codifica/guard.json"]),
    )


RULES: dict[str, tuple[Act, Callable[[Clone], Clone]]] = {
    "allows itself": (
        _rules(allowed_agents=["writer", "builder"]),
        lambda c: c.claim("FEAT-1").commit("FEAT-1: claim"),
    ),
    "widens the scope": (_rules(file_scope={"include": ["**"]}), lambda c: c.code("outside", path="README.md")),
    "adds a key": (
        _key,
        lambda c: c.approve("FEAT-2", by="human:mallory", human_review=review("pass", "human:mallory")).commit(
            "FEAT-2: approve", key="mallory"
        ),
    ),
    "moves the state": (_state, lambda c: c.code("code")),
    "makes it permissive": (_rules(mode="permissive"), lambda c: c.code("outside", path="README.md")),
    "makes a maintainer": (_maintainer, lambda c: c.code("code")),
}


@pytest.mark.parametrize("act", RULES)
@pytest.mark.parametrize("base", ["the newest base", "an old base", "an old base, merged"])
def test_case_32_an_agent_changes_no_rule_that_it_then_uses(repo: Repo, act: str, base: str) -> None:
    change, use = RULES[act]
    repo.rules(allowed_agents=["writer"], file_scope={"include": ["src/**"]}).task("FEAT-1").task(
        "FEAT-2", "to_be_tested"
    )
    builder, alice = repo.clone("builder"), repo.clone("alice")
    if base != "the newest base":
        alice.code("main moves", path="src/moves.py").push().accepted()
    change(builder)
    builder.commit("Rules")
    use(builder)
    if base == "an old base, merged":
        builder.pull()
    elif base == "an old base":
        builder.fetch().git("rebase", "-q", "origin/main")
    builder.push().refused("ID109", "only maintainers (human:alice)")
    change(alice.fresh())
    alice.commit("Rules").push().accepted(perhaps={"CD110"})


def test_case_32_the_last_document_is_renamed_in_three_steps_by_a_maintainer_and_by_no_agent(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested")
    builder, alice = repo.clone("builder"), repo.clone("alice")
    for clone in (builder, alice):
        _named("mine.md")(clone)
        clone.git("mv", "work.md", "mine.md")
        clone.commit("FEAT-1: another name").push().refused("ST111", "name both paths first")
        clone.fresh()
    for names in (["work.md", "mine.md"], None, ["mine.md"]):
        if names is None:
            alice.git("mv", "work.md", "mine.md")
        else:
            _named(names)(alice)
        alice.commit("FEAT-1: another name").push().accepted()
    assert repo.fields("FEAT-1", "mine.md")["state"] == "to_be_tested"
    builder.fresh().rewrite(lambda board: board.change("FEAT-1", {"state": "done"}), "mine.md")
    builder.commit("FEAT-1: done", proof="none").push().refused("ID106", "mine.md")
