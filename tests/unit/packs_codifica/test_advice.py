"""What the protocol's rules tell to do next: the verb with the task's own id, and for people the way by hand."""

from typing import Final

import pytest

from codifica_guard.rules.rule import Breach
from codifica_guard.rules.view import CommitView
from tests.unit.packs_codifica.cases import (
    CLOSING,
    HAND_IN,
    Blocks,
    at,
    block,
    breaches,
    documents,
    handed_in,
    note,
    running,
    step,
)
from tests.unit.views import ALICE, BUILDER, NOW, WRITER, codifica, commit_view, policy

TODO: Final = block(acceptance=["It works"])
OLD: Final = policy(config=codifica(version="0.1"))
REFUSE: Final = policy(self_approval="refuse")
OWNERS_ONLY: Final = policy(review_by="owner")

UNDO: Final = "take it out: git reset --soft 2222222~1 && git restore --staged --worktree -- work.md"
NEXT: Final = "git codifica claim --next"
FILLS: Final = "the next time: git codifica fix   (fills it in before you commit)"
SUBMIT: Final = 'git codifica submit FEAT-1 --summary "one line" --artifact path:type'
PUT: Final = ("put the lines back: git restore --source=HEAD~1 -p -- work.md", "git commit -a --amend --no-edit")
AGENTS: Final = "git commit -a --amend --no-edit && git codifica sign HEAD && git push"
PEOPLES: Final = "git commit -a --amend -S --no-edit --reset-author && git push"
FAILED: Final = {"status": "needs_work", "reviewer": ALICE, "recorded_at": at(-10)}


def advised(
    code: str, before: Blocks, after: Blocks, actor: object, number: int = 0, **view: object
) -> tuple[str, ...]:
    """What one breach of a rule advises."""
    shown: CommitView = commit_view(documents(before), documents(after), actor=actor, **view)  # type: ignore[arg-type]
    found: list[Breach] = breaches(code, shown)
    return found[number].do


def moved(source: str, target: str, **fields: object) -> tuple[str, str]:
    return block(state=source, **fields), block(state=target, **fields)


def why(verb: str) -> str:
    return f'git codifica {verb} FEAT-1 -m "why"'


RECLAIM: Final = 'git codifica reclaim FEAT-1 --for agent:builder -m "why"'
RESUMED: Final = step("in_progress", "in_progress", reason="lost", provenance={"writer": "ssh-ed25519 B"})


def resumed(**entry: object) -> str:
    return running(state_transitions=[step("todo", "in_progress", minutes=-60), {**RESUMED, **entry}])


@pytest.mark.parametrize(
    ("code", "before", "after", "actor", "do"),
    [
        # fields
        ("CD102", TODO, block(acceptance=["It works"], priority="urgent"), ALICE, (f"mend it, then {PEOPLES}",)),
        ("CD105", handed_in(), {"work.md": ""}, ALICE, ("put it back: git restore --source=HEAD~1 --staged --worktree -- work.md", "git commit --amend --no-edit", f"if it will not be done: {why('reject')}")),
        ("CD106", block(), running(), BUILDER, (UNDO, NEXT, "or a person adds `acceptance:` to the task: git codifica edit FEAT-1")),
        ("CD106", block(), running(owner=ALICE), ALICE, ("a person adds `acceptance:` to the task: git codifica edit FEAT-1",)),
        # transitions
        ("CD201", *moved("todo", "done"), BUILDER, (UNDO, "git codifica claim FEAT-1")),
        ("CD201", *moved("to_be_tested", "rejected"), ALICE, (UNDO, "git codifica approve FEAT-1", why("return"), why("block"))),
        ("CD201", *moved("to_be_tested", "in_progress"), BUILDER, (UNDO, "git codifica done FEAT-1", why("return"))),
        ("CD201", *moved("blocked", "done"), ALICE, (UNDO, "git codifica unblock FEAT-1", "git codifica unblock FEAT-1 --to in_progress", why("reject"))),
        ("CD201", *moved("rejected", "done"), BUILDER, (UNDO, NEXT)),
        ("CD201", *moved("done", "rejected"), ALICE, (UNDO, why("block"), why("reopen"))),
        ("CD201", *moved("doing", "done"), BUILDER, (UNDO, NEXT)),
        ("CD202", running(), running(state="blocked"), BUILDER, (UNDO, 'git codifica note FEAT-1 --ask block "why"', f"a human: {why('block')}")),
        ("CD202", running(), running(state="todo"), BUILDER, (UNDO, 'git codifica note FEAT-1 --ask release "why"', f"a human: {why('reclaim')}")),
        ("CD202", running(), running(state="rejected"), BUILDER, (UNDO, 'git codifica note FEAT-1 --ask change "why"', f"a human: {why('reject')}")),
        ("CD202", running(), running(state="blocked"), WRITER, (UNDO, f"a human: {why('block')}", NEXT)),
        ("CD202", *moved("done", "todo", owner=BUILDER), BUILDER, (UNDO, f"a human: {why('reopen')}", NEXT)),
        ("CD203", running(), handed_in(), WRITER, (UNDO, f"agent:builder: {SUBMIT}", NEXT)),
        ("CD203", running(), handed_in(), ALICE, (UNDO, f"agent:builder: {SUBMIT}", f"or take the claim back: {why('reclaim')}")),
        ("CD203", running(owner=...), handed_in(owner=...), ALICE, (UNDO, f"the owner: {SUBMIT}", f"or take the claim back: {why('reclaim')}")),
        ("CD203", handed_in(), handed_in(state="done"), WRITER, (UNDO, "a human: git codifica approve FEAT-1", NEXT)),
        ("CD203", handed_in(), handed_in(state="todo"), WRITER, (UNDO, f"a human: {why('return')}", NEXT)),
        ("CD204", running(), running(state="done"), BUILDER, (UNDO, SUBMIT, f"or by hand: set `state: to_be_tested`, with the entry that says so, then {AGENTS}")),
        ("CD205", *moved("todo", "blocked"), ALICE, (UNDO, why("block"), f"or by hand: add `blocked_reason: ...`, then {PEOPLES}")),
        ("CD206", *moved("done", "todo"), ALICE, (UNDO, why("reopen"), f"or by hand: add to state_transitions: from: done, to: todo, by: human:alice, reason: ..., timestamp: ..., then {PEOPLES}")),
        ("CD206", handed_in(), handed_in(state="todo"), ALICE, (f"the next time: {why('return')}",)),
        ("CD207", running(), running(state="to_be_tested"), BUILDER, (UNDO, SUBMIT, f"or by hand: write that entry, then {AGENTS}")),
        ("CD207", handed_in(), handed_in(state="done"), ALICE, (FILLS,)),
        ("CD207", handed_in(), handed_in(state="done", state_transitions=[step("todo", "in_progress", minutes=-60), HAND_IN, step("done", "todo", ALICE)]), ALICE, ("the next time: git codifica approve FEAT-1",)),
        ("CD207", running(), running(state_transitions=[step("todo", "in_progress", minutes=-60), HAND_IN]), BUILDER, PUT),
        ("CD208", handed_in(), handed_in(execution_notes=[]), BUILDER, (*PUT, 'correct it by a new entry: git codifica note FEAT-1 "text"')),
        ("CD208", handed_in(), handed_in(execution_notes=[]), ALICE, (*PUT, "add a new entry that corrects it")),
        ("CD209", handed_in(), handed_in(state="done"), BUILDER, (UNDO, "git codifica done FEAT-1", f"or by hand: add `completed_at: ...` (now: date -u +%Y-%m-%dT%H:%M:%SZ), then {AGENTS}")),
        ("CD209", handed_in(), handed_in(state="done"), ALICE, (FILLS,)),
        ("CD210", running(), running(state="to_be_tested"), BUILDER, (UNDO, SUBMIT, f"or by hand: add to execution_notes: by, note, summary, timestamp, then {AGENTS}")),
        ("CD211", block(type="review"), running(type="review"), BUILDER, (UNDO, NEXT)),
        ("CD212", handed_in(human_review=FAILED), handed_in(state="done", human_review=FAILED), BUILDER, (UNDO, why("return"), "or a human, who looked again: git codifica approve FEAT-1")),
        ("CD212", handed_in(human_review=FAILED), handed_in(state="done", human_review=FAILED), ALICE, (UNDO, "git codifica approve FEAT-1", why("return"))),
        ("CD212", running(human_review=FAILED), running(state="done", human_review=FAILED), BUILDER, (UNDO, 'git codifica note FEAT-1 --ask change "why"', "or a human writes human_review.status: pass: git codifica edit FEAT-1")),
        ("CD213", handed_in(), handed_in(state="done"), BUILDER, ("the next time: leave it to a human: git codifica approve FEAT-1",)),
        # claims
        ("CD301", TODO, running(owner="unassigned"), BUILDER, (UNDO, "git codifica claim FEAT-1", f"or by hand: complete the claim in one commit, then {AGENTS}")),
        ("CD301", TODO, running(owner="unassigned"), ALICE, (UNDO, "git codifica claim FEAT-1", f"or by hand: complete the claim in one commit, then {PEOPLES}")),
        ("CD301", TODO, running(), ALICE, ("the next time: git codifica claim FEAT-1",)),
        ("CD302", block(), running(title="Other"), BUILDER, (UNDO, "git codifica claim FEAT-1", "then commit the rest, which is staged still", "or by hand: git reset --soft 2222222~1, commit the claim alone (git reset -q takes the rest out of the index), then the rest")),
        ("CD304", block(owner=WRITER), running(), BUILDER, (UNDO, NEXT, "or a human: git codifica assign FEAT-1 agent:builder")),
        ("CD306", block(depends_on=["NO-1"]), running(depends_on=["NO-1"]), BUILDER, (UNDO, NEXT, "or a human corrects depends_on: git codifica edit FEAT-1")),
        ("CD306", block(), block(depends_on=["NO-1"]), ALICE, (f"correct depends_on, then {PEOPLES}",)),
        ("CD307", (block(depends_on=["FEAT-2"]), block("FEAT-2")), (running(depends_on=["FEAT-2"]), block("FEAT-2")), BUILDER, (UNDO, NEXT)),
        ("CD307", (block(state="blocked", depends_on=["FEAT-2"]), block("FEAT-2")), (running(depends_on=["FEAT-2"]), block("FEAT-2")), ALICE, (UNDO, "git codifica unblock FEAT-1")),
        ("CD308", block(), block(depends_on=["FEAT-1"]), ALICE, (f"take one of them out of depends_on, then {PEOPLES}",)),
        ("CD309", running(), running(owner="unassigned"), ALICE, (f"write its owner, then {PEOPLES}",)),
        ("CD310", running(), block(), WRITER, (UNDO, NEXT, f"or a human: {why('reclaim')}")),
        ("CD311", (block(state="done"), running("FEAT-2", depends_on=["FEAT-1"])), (block(), running("FEAT-2", depends_on=["FEAT-1"])), ALICE, ('tell the owners, or let the task wait: git codifica block FEAT-2 -m "why"',)),
        ("CD314", running(), resumed(by=WRITER), WRITER, (UNDO, NEXT, 'or a human: git codifica reclaim FEAT-1 --for agent:writer -m "why"')),
        ("CD314", running(), resumed(reason=""), BUILDER, (UNDO, why("resume"))),
        # edit rights
        ("CD401", handed_in(), handed_in(human_review={"status": "pass", "reviewer": ALICE}), BUILDER, (*PUT, "a human's word: git codifica approve FEAT-1", f"or: {why('return')}")),
        ("CD401", handed_in(), handed_in(human_review={"status": "pass", "reviewer": "bob"}), ALICE, (f"write `reviewer: human:alice`, then {PEOPLES}",)),
        ("CD401", handed_in(), handed_in(human_review={"status": "pass"}), ALICE, ("the next time: write `reviewer: human:alice`",)),
        ("CD401", handed_in(), handed_in(state="done", human_review={"status": "pass"}), ALICE, ("the next time: git codifica approve FEAT-1",)),
        ("CD401", handed_in(), handed_in(state="todo", human_review={"status": "needs_work", "reviewer": "bob"}), ALICE, (UNDO, why("return"), f"or by hand: write `reviewer: human:alice`, then {PEOPLES}")),
        ("CD402", handed_in(), handed_in(execution_notes=[CLOSING, note(by=ALICE)]), ALICE, (*PUT, f"what is to be said about it: {why('return')}")),
        ("CD402", running(), running(execution_notes=[note(by=ALICE)]), ALICE, PUT),
        ("CD402", running(), running(execution_notes=[note(by=WRITER)]), BUILDER, (UNDO, 'git codifica note FEAT-1 "text"', f"or by hand: write `by: agent:builder`, then {AGENTS}")),
        ("CD402", block(owner=BUILDER), block(owner=BUILDER, execution_notes=[note()]), BUILDER, (UNDO, "git codifica claim FEAT-1")),
        ("CD402", block(state="done", owner=BUILDER), block(state="done", owner=BUILDER, execution_notes=[note()]), BUILDER, (UNDO, "git codifica show FEAT-1")),
        ("CD403", running(), running(title="Less"), BUILDER, (*PUT, 'ask for the change: git codifica note FEAT-1 --ask change "why"')),
        ("CD404", running(), running(title="x"), WRITER, PUT),
        ("CD404", running(), running(owner=WRITER), BUILDER, (*PUT, 'a human: git codifica reclaim FEAT-1 --for agent:writer -m "why"')),
        ("CD404", block(owner=BUILDER), block(owner=WRITER), BUILDER, (*PUT, "a human: git codifica assign FEAT-1 agent:writer")),
        ("CD409", running(), {"work.md": ""}, BUILDER, ("put it back: git restore --source=HEAD~1 --staged --worktree -- work.md", "git commit --amend --no-edit", f"a human: {why('reject')}")),
        ("CD411", {"work.md": ""}, running(), BUILDER, (f"file it as todo, with nothing of that, then {AGENTS}", "then: git codifica claim FEAT-1")),
    ],
)  # fmt: skip
def test_a_rule_names_the_next_command(
    code: str, before: Blocks, after: Blocks, actor: object, do: tuple[str, ...]
) -> None:
    assert advised(code, before, after, actor) == do


def test_what_is_only_told_is_said_for_the_next_time() -> None:
    closed = handed_in(state="done")
    assert advised("CD209", handed_in(), closed, BUILDER, under=OLD) == ("the next time: git codifica done FEAT-1",)
    assert advised("CD210", running(), running(state="to_be_tested"), BUILDER, under=OLD) == (
        f"the next time: {SUBMIT}",
    )
    late = running(claimed_at=...)
    assert advised("CD301", TODO, late, BUILDER, under=OLD) == ("the next time: git codifica claim FEAT-1",)


def test_where_only_the_owner_reviews_a_human_leaves_it_to_him() -> None:
    def left(state: str) -> tuple[str, ...]:
        return advised("CD203", handed_in(), handed_in(state=state), ALICE, under=OWNERS_ONLY)

    assert left("done") == (UNDO, "agent:builder: git codifica done FEAT-1")
    assert left("todo") == (UNDO, f"agent:builder: {why('return')}")


def test_where_the_policy_refuses_its_own_approval_an_agent_waits() -> None:
    do = advised("CD213", handed_in(), handed_in(state="done"), BUILDER, under=REFUSE)
    assert do == (UNDO, "wait for a human: git codifica approve FEAT-1", f"other work: {NEXT}")


def test_a_claim_without_writer_key_is_made_by_the_verb_or_with_a_token() -> None:
    do = advised("CD301", TODO, running(), BUILDER, under=policy(writer_tokens="required"))
    hand = "or by hand: complete the claim (a writer key: git codifica key token FEAT-1) in one commit"
    assert do == (UNDO, "git codifica claim FEAT-1", f"{hand}, then {AGENTS}")


def test_whoever_holds_too_many_is_told_which_to_hand_in() -> None:
    limit = policy(config=codifica(max_concurrent=1))
    both = [running("FEAT-0"), running()]
    step = SUBMIT.replace("FEAT-1", "FEAT-0")
    assert advised("CD305", [running("FEAT-0"), TODO], both, BUILDER, under=limit) == (UNDO, step)
    blocked = running(state="blocked")
    do = advised("CD305", [running("FEAT-0"), blocked], both, ALICE, under=limit)
    assert do == (f"agent:builder hands one in first: {step}",)


def test_an_early_reclaim_is_told_where_to_look() -> None:
    do = advised("CD310", running(), block(), ALICE, silent_since=lambda _, __: NOW)
    assert do == ("what it did: git codifica log FEAT-1",)


def test_a_resume_that_the_policy_does_not_know_is_a_humans_reclaim() -> None:
    do = advised("CD314", running(), resumed(), BUILDER, under=policy(resume_after_minutes=None))
    assert do == (UNDO, NEXT, f"or a human: {RECLAIM}")


def test_an_id_is_one_word_of_the_command() -> None:
    names = ("A; rm -rf x", "$(x)", "it's")
    for name in names:
        before, after = block(name), block(name, state="in_progress")
        do = advised("CD301", before, after, BUILDER)
        quoted = f"'{name}'" if "'" not in name else "'it'\"'\"'s'"
        assert do[1] == f"git codifica claim {quoted}"
